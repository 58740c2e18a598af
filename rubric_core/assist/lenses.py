"""Code lenses: commands shown above the text that they are about. A lens whose command does not exist is not shown.

A new lens is a row of a table. A lens must be cheap, since editors ask for all of them after every keystroke: no lens
counts cases or problems, and the cases themselves have lenses only in files in which somebody can still find them by
scrolling.
"""

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.case_grades import CaseGrade, CasePlace, Grades, all_places, in_short
from rubric_core.assist.commands import FIX_ALL, GENERATE_RUBRICS, GRADE_CASE, GRADE_FILE, PREVIEW_PROMPT, SHOW_REPORT
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.rules.registry import safe_codes
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.spans import Span

# A fix is tried before it is offered, which takes time.
_MOST_TRIALS = 4
MOST_CASES = 300
"""In a file with more cases than these, only the file has lenses."""


class Lens(NamedTuple):
    """A command that is offered at a place, about the file as a whole or about one case of it."""

    span: Span
    title: str
    command: str
    case_id: str | None = None


def lenses(
    analysis: Analysis, commands: Collection[str], grades: Grades = MappingProxyType({})
) -> Generator[None, None, list[Lens]]:
    """Return the lenses whose commands exist, in the order of the tables; the rest of the file is read first."""
    of_file = [lens for lens in FILE_LENSES if lens[0] in commands]
    of_cases = [lens for lens in CASE_LENSES if lens[0] in commands]
    if not (of_file or of_cases) or not analysis.is_ours():
        return []
    yield from read_all(analysis)
    cases = list(_cases(analysis))
    place = _place_of_cases(analysis) if of_file else None
    shown: list[Lens] = []
    if place is not None:
        shown += [Lens(place, title, command) for command, title, is_useful in of_file if is_useful(analysis, cases)]
    for command, title_of in of_cases:
        for case in cases:
            graded = grades.get(case.case_id, ())
            title = title_of(graded)
            # A report has the cases that were graded, which may have other ids than the test that they are made of.
            case_id = max(graded, key=attrgetter("when")).case_id if command == SHOW_REPORT and graded else case.case_id
            shown += [Lens(case.id_span, title, command, case_id)] if title else []
    return shown


def _cases(analysis: Analysis) -> Iterator[CasePlace]:
    """Yield the cases that can be graded; none if there are too many to find one by scrolling."""
    if analysis.facts.case_count <= MOST_CASES:
        yield from (place for place in all_places(analysis) if place.case_id)


def _lacks_criteria(analysis: Analysis, cases: list[CasePlace]) -> bool:
    return analysis.facts.dialect.table.proposals_key != "" and not all(case.has_criteria for case in cases)


def _has_safe_fix(analysis: Analysis, _cases: list[CasePlace]) -> bool:
    """Return whether some problem has a safe fix. The first few that may have one are tried."""
    codes, start_of = safe_codes(analysis.facts.dialect), analysis.document.start_of
    may_be_safe = (
        (problem, chunk, start_of(index))
        for index, chunk, problems in analysis.shown()
        for problem in problems
        if problem.code in codes and (problem.fixes is not None or problem.anchor_fixes is not None)
    )
    tried = islice(may_be_safe, _MOST_TRIALS)
    return any(fix.safe for place in tried for fix in analysis.fixes_of(*place))


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


FILE_LENSES: tuple[tuple[str, str, Callable[[Analysis, list[CasePlace]], bool]], ...] = (
    (GRADE_FILE, "Grade all", lambda *_: True),
    (GENERATE_RUBRICS, "Generate rubrics", _lacks_criteria),
    (FIX_ALL, "Fix all that can be fixed safely", _has_safe_fix),
)
"""The lenses at the list of cases: command, title, and whether it is useful in a file."""

CASE_LENSES: tuple[tuple[str, Callable[[Sequence[CaseGrade]], str]], ...] = (
    (GRADE_CASE, lambda _: "Grade"),
    (SHOW_REPORT, in_short),
    (PREVIEW_PROMPT, lambda _: "Preview prompt"),
)
"""The lenses at the id of each case: command, and the title by the last grades, which is empty where there are none."""
