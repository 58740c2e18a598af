"""The actions at a place of a file: fixes of the problems there, comments that silence them, refactors.

Only the chunks under the place are read. A fix is tried before it is offered; a refactor is tried when its edits are
requested, since menus show many of them and people choose one.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.cursor import Cursor, cursor_at
from rubric_core.assist.fix_all import count_of
from rubric_core.assist.refactors.refactor import NewFile, Refactor, RefactorProposal
from rubric_core.assist.refactors.registry import REFACTORS
from rubric_core.assist.refactors.trial import is_kept
from rubric_core.rules.problem import Problem
from rubric_core.rules.registry import safe_codes
from rubric_core.rules.suppression_edits import suppress_here, suppress_in_file
from rubric_core.rules.suppressions import FILE_ONLY, STOPPED
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.text.lines import line_break_of
from rubric_core.text.spans import Edit, Span

# A menu for more problems would be unreadable; for a whole file, there is the action that applies all fixes.
MOST_PROBLEMS = 50
# With this many chunks with problems, it is likely that one can be fixed.
_ENOUGH_CHUNKS = 100


class QuickFix(NamedTuple):
    """A change for the problems under the cursor. A preferred one is the only safe fix of its problem."""

    title: str
    edits: tuple[Edit, ...]
    problems: tuple[Problem, ...]
    is_preferred: bool = False


class RuleQuickFix(NamedTuple):
    """All safe fixes of one rule in the whole file, to be computed on request."""

    title: str
    code: str
    problems: tuple[Problem, ...]


class OfferedRefactor(NamedTuple):
    """A refactor that fits the place, not tried yet."""

    cursor: Cursor
    refactor: Refactor
    proposal: RefactorProposal

    @property
    def title(self) -> str:
        """Return the title in the menu."""
        return self.proposal.title

    @property
    def new_file(self) -> NewFile | None:
        """Return the file that it makes."""
        return self.proposal.new_file

    def edits(self) -> tuple[Edit, ...] | None:
        """Return its edits; None if a trial shows that it would not keep its promises."""
        return self.proposal.edits if is_kept(self.cursor, self.refactor, self.proposal) else None


def problems_in(analysis: Analysis, span: Span) -> list[Problem]:
    """Return the problems that touch a span, without silenced ones; offsets count in the whole text."""
    problems = analysis.problems_at(span) if analysis.is_ours() else []
    touching = [problem for problem in problems if problem.span.start <= span.end and span.start <= problem.span.end]
    return touching[:MOST_PROBLEMS]


def may_have_safe_fixes(analysis: Analysis) -> bool:
    """Return whether the file may have a problem with a safe fix; of many problems only some are tested."""
    codes = safe_codes(analysis.facts.dialect)
    chunks = islice(analysis.troubled_chunks(), _ENOUGH_CHUNKS + 1)
    for number, chunk in enumerate(chunks):
        if number == _ENOUGH_CHUNKS or any(problem.code in codes for problem in analysis.chunk_problems(chunk)):
            return True
    # Comments that silence nothing are removed safely.
    return bool(analysis.facts.with_directives)


def fixes_of(problems: Sequence[Problem]) -> Iterator[QuickFix]:
    """Yield every fix of some problems."""
    for problem in problems:
        fixes = problem.fixes() if problem.fixes is not None else ()
        for fix in fixes:
            yield QuickFix(fix.title, fix.edits, (problem,), is_preferred=fix.safe and len(fixes) == 1)


def rule_fixes_of(analysis: Analysis, problems: Sequence[Problem]) -> Iterator[RuleQuickFix]:
    """Yield all safe fixes of each rule that the file breaks more than once, or that has too many problems to count."""
    codes = safe_codes(analysis.facts.dialect)
    for code in dict.fromkeys(problem.code for problem in problems if problem.code in codes):
        count = count_of(analysis, code)
        if count is None or count > 1:
            same = tuple(problem for problem in problems if problem.code == code)
            number = "" if count is None else f"{count} "
            yield RuleQuickFix(f"Fix all {number}problems of {same[0].name} ({code}) in this file", code, same)


def suppressions_of(analysis: Analysis, problems: Sequence[Problem]) -> Iterator[QuickFix]:
    """Yield the comments that silence some problems: here first, then in the whole file."""
    if analysis.document.json_lines:
        # JSON has no comments.
        return
    # Problems of text that cannot be parsed must not be silenced: nothing in it would be checked any more.
    silenceable = [problem for problem in problems if problem.code not in STOPPED]
    here: dict[Edit, tuple[Problem, ...]] = {}
    for problem in silenceable:
        if problem.code not in FILE_ONLY:
            edit = _silence_here(analysis, problem)
            here[edit] = (*here.get(edit, ()), problem)
    for edit, silenced in here.items():
        yield QuickFix(f"Ignore {silenced[0].code} here", (edit,), silenced)
    top = "".join(chunk.text for chunk in analysis.document.chunks[:2])
    for code in dict.fromkeys(problem.code for problem in silenceable):
        same = tuple(problem for problem in silenceable if problem.code == code)
        yield QuickFix(f"Ignore {code} in this file", (suppress_in_file(top, code),), same)


def _silence_here(analysis: Analysis, problem: Problem) -> Edit:
    document = analysis.document
    index = document.chunk_at(problem.span.start)
    text, base = document.chunks[index].text, document.start_of(index)
    scalars = ScalarSpans(text, document.tree(index).root)
    line_break = line_break_of(document.chunks[0].text)
    return suppress_here(text, problem.span.start - base, problem.code, scalars, line_break=line_break).shifted(base)


def refactors_in(analysis: Analysis, span: Span, named: str | None = None) -> Iterator[OfferedRefactor]:
    """Yield the refactors that fit a span, or the one of a name."""
    cursor = cursor_at(analysis, span.start)
    if cursor is None or cursor.tree.root is None or cursor.tree.problems:
        return
    if not span.start <= span.end <= cursor.base + len(cursor.text):
        return
    for refactor in REFACTORS:
        proposal = refactor.propose(cursor) if named in {None, refactor.name} else None
        if proposal is not None:
            yield OfferedRefactor(cursor, refactor, proposal)
