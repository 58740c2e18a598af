"""Code lenses: commands shown above the text that they are about. A lens whose command does not exist is not shown.

A new lens is a row of `LENSES`. A lens must be cheap, since editors ask for all
of them after every keystroke: no lens counts cases or problems, and the cases themselves have lenses only in files in
which somebody can still find them by scrolling.
"""

from collections.abc import Callable, Collection, Generator, Iterator
from types import MappingProxyType
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.commands import FIX_ALL, GENERATE_RUBRICS, GRADE_CASE, GRADE_FILE, PREVIEW_PROMPT, SHOW_REPORT
from rubric_core.assist.grades import CaseGrade, CasePlace, Grades, in_short, places_at
from rubric_core.rules.registry import SAFE_RULES
from rubric_core.schema.records import CASE_LIST_NAMES
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.spans import Span

# A fix is tried before it is promised, and trying takes time.
_MOST_TRIALS = 4
MOST_CASES = 300
"""In a file with more cases than these, only the file has lenses."""


class Lens(NamedTuple):
    """A command that is offered at a place, about the file as a whole or about one case of it."""

    span: Span
    title: str
    command: str
    case_id: str | None = None


class LensKind(NamedTuple):
    """A command, and the function that finds where it is offered."""

    command: str
    find: Callable[[Analysis, list[CasePlace], Grades], Iterator[Lens]]


def lenses(
    analysis: Analysis, commands: Collection[str], grades: Grades = MappingProxyType({})
) -> Generator[None, None, list[Lens]]:
    """Return the lenses of a file whose commands exist, in the order of the table.

    They speak of the file as a whole, so that what is left of its analysis comes first; others may go in between.
    """
    wanted = [kind for kind in LENSES if kind.command in commands]
    if not wanted or not analysis.is_ours():
        return []
    yield from read_all(analysis)
    cases = list(_cases(analysis))
    return [lens for kind in wanted for lens in kind.find(analysis, cases, grades)]


def _of_file(
    title: str, command: str, is_useful: Callable[[Analysis, list[CasePlace]], bool] = lambda *_: True
) -> LensKind:
    """Return a lens at the list of cases, in files where its command is useful."""

    def find(analysis: Analysis, cases: list[CasePlace], _grades: Grades) -> Iterator[Lens]:
        place = _place_of_cases(analysis)
        if place is not None and is_useful(analysis, cases):
            yield Lens(place, title, command)

    return LensKind(command, find)


def _of_cases(command: str, title: Callable[[CaseGrade | None], str]) -> LensKind:
    """Return a lens at the id of each case. `title` gets its last grade, and returns "" where there is no lens."""

    def find(_analysis: Analysis, cases: list[CasePlace], grades: Grades) -> Iterator[Lens]:
        for case in cases:
            shown = title(grades.get(case.case_id))
            if shown:
                yield Lens(case.id_span, shown, command, case.case_id)

    return LensKind(command, find)


def _cases(analysis: Analysis) -> Iterator[CasePlace]:
    document = analysis.document
    if analysis.facts.case_count > MOST_CASES:
        return
    for index, chunk in enumerate(document.chunks):
        if analysis.owns(chunk):
            start = document.start_of(index)
            yield from (place.shifted(start) for place in places_at(analysis, index))


def _has_safe_fix(analysis: Analysis, _cases: list[CasePlace]) -> bool:
    """Return whether some problem has a safe fix. The first few that may have one are tried."""
    trials = 0
    for chunk in analysis.troubled_chunks():
        if not any(each.code in SAFE_RULES for each in analysis.chunk_problems(chunk)):
            continue
        # Comments may silence the problem, and a fix that would do harm is not offered.
        start = analysis.document.start_of(analysis.document.index_of(chunk))
        for problem in analysis.problems_at(Span(start, start)):
            if problem.fixes is not None and problem.code in SAFE_RULES:
                trials += 1
                if any(fix.safe for fix in problem.fixes()):
                    return True
                if trials >= _MOST_TRIALS:
                    return False
    return False


def _place_of_cases(analysis: Analysis) -> Span | None:
    """Return the key of the first case list of ours, or the start of a JSON Lines file."""
    document = analysis.document
    for index, chunk in enumerate(document.chunks):
        if chunk.kind is ChunkKind.LINE:
            return Span(0, 0)
        root = document.tree(index).root if analysis.owns(chunk) and chunk.kind is not ChunkKind.ITEM else None
        for pair in root.pairs if isinstance(root, Mapping) else ():
            if pair.name in CASE_LIST_NAMES:
                return pair.key.span.shifted(document.start_of(index))
    return None


LENSES: tuple[LensKind, ...] = (
    _of_file("Grade all", GRADE_FILE),
    _of_file("Generate rubrics", GENERATE_RUBRICS, lambda _, cases: not all(case.has_criteria for case in cases)),
    _of_file("Fix all that can be fixed safely", FIX_ALL, _has_safe_fix),
    _of_cases(GRADE_CASE, lambda _: "Grade"),
    _of_cases(SHOW_REPORT, lambda grade: in_short(grade) if grade is not None and grade.state else ""),
    _of_cases(PREVIEW_PROMPT, lambda _: "Preview prompt"),
)
"""Every kind of lens, in the order in which lenses of one place stand beside each other."""
