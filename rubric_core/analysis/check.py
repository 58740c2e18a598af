"""Checking and fixing one text: what the command line, pre-commit and Python call."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis, Background
from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.analysis.explanations import NotChecked, reason_not_checked
from rubric_core.analysis.project import NO_PROJECT, Project
from rubric_core.analysis.verified import Trials
from rubric_core.config.config import DEFAULT, Config
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import document_of
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.rules.problem import Fix, Problem, in_order
from rubric_core.rules.registry import safe_codes
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import collector_paused
from rubric_core.text.spans import Span

# Each round applies at most one fix to each chunk; a text that needs more rounds than this is not converging.
_MAXIMUM_ROUNDS = 200
# The limit of the work for the tries of one chunk, in characters that are read again; reporting a problem again counts
# as `_WORK_OF_PROBLEM` of them. It takes about a second; only the minimum number of tries may exceed it.
_WORK_FOR_TRIES = 2_000_000
_WORK_OF_PROBLEM = 50
_FEWEST_TRIES = 10


class Checked(NamedTuple):
    """The outcome for one text; offsets count in the whole text. `not_checked` is set if it is no eval file."""

    path: str
    text: str
    ours: bool
    problems: tuple[Problem, ...]
    dialect: Dialect = DEFAULT_DIALECT
    not_checked: NotChecked | None = None


class AppliedFix(NamedTuple):
    """A fix that was applied; `span` is where its problem was at that time."""

    code: str
    name: str
    title: str
    span: Span


class Fixed(NamedTuple):
    """A text after its fixes."""

    text: str
    applied: tuple[AppliedFix, ...]


def analyse(  # noqa: PLR0913 - where the text is from, and what counts for it.
    text: str,
    *,
    path: str = "",
    config: Config = DEFAULT,
    project: Project = NO_PROJECT,
    background: Background | None = None,
    is_named: bool = False,
) -> Analysis:
    """Open a text for analysis."""
    document = document_of(text, path, config.limits)
    return Analysis(document, path=path, config=config, project=project, background=background, is_named=is_named)


def check_text(  # noqa: PLR0913 - where the text is from, and what is wanted of it.
    text: str,
    *,
    path: str = "",
    config: Config = DEFAULT,
    project: Project = NO_PROJECT,
    background: Background | None = None,
    try_fixes: bool = False,
    is_named: bool = False,
) -> Checked:
    """Find all problems of a text. With `try_fixes` their fixes are tried at once, else when they are requested.

    A file that the user named is an eval file if it has a list of cases.
    """
    analysis = analyse(text, path=path, config=config, project=project, background=background, is_named=is_named)
    problems = _problems_with_tried_fixes(analysis) if try_fixes else analysis.problems()
    not_checked = None if analysis.is_ours() else reason_not_checked(analysis)
    return Checked(path, text, not_checked is None, tuple(problems), analysis.facts.suite.dialect, not_checked)


def _problems_with_tried_fixes(analysis: Analysis) -> list[Problem]:
    analysis.refresh()
    with collector_paused():
        return in_order([problem for shown in analysis.shown() for problem in _with_tried_fixes(analysis, *shown)])


def _with_tried_fixes(analysis: Analysis, index: int, chunk: Chunk, problems: tuple[Problem, ...]) -> Iterator[Problem]:
    """Yield the problems of a chunk with their fixes.

    Each try reads and checks the whole chunk again, so their number is limited by what a try costs: otherwise a case
    with many problems would take quadratic time. A problem beyond that limit is marked: its fixes were not tried.
    """
    base = analysis.document.start_of(index)
    trials = Trials(analysis, chunk)
    left = max(_FEWEST_TRIES, _WORK_FOR_TRIES // (len(chunk.text) + _WORK_OF_PROBLEM * len(problems) + 1))
    for relative in in_order(problems):
        problem = analysis.absolute(relative, chunk, base)
        if problem.fixes is None:
            yield problem
        elif left <= 0:
            yield problem._replace(fixes=None, has_untried_fixes=True)
        else:
            fixes = analysis.fixes_of(relative, chunk, base, trials)
            left -= max(1, len(fixes))
            yield problem._replace(fixes=partial(ready, tuple(fixes)))


def ready(fixes: tuple[Fix, ...]) -> tuple[Fix, ...]:
    """Return the given fixes; a partial of this can be pickled, a rule's function cannot."""
    return fixes


def fix_text(  # noqa: PLR0913 - where the text is from, and which fixes are wanted.
    text: str,
    *,
    path: str = "",
    config: Config = DEFAULT,
    project: Project = NO_PROJECT,
    unsafe: bool = False,
    select: Callable[[Problem], bool] | None = None,
    is_named: bool = False,
) -> Fixed:
    """Apply fixes until none is left to apply: the safe ones, or with `unsafe` the first one of every problem."""
    analysis = analyse(text, path=path, config=config, project=project, is_named=is_named)
    with collector_paused():
        applied = tuple(filter(None, apply_fixes(analysis, unsafe=unsafe, select=select)))
    return Fixed(analysis.document.text, applied)


def apply_fixes(
    analysis: Analysis, *, unsafe: bool = False, select: Callable[[Problem], bool] | None = None
) -> Iterator[AppliedFix | None]:
    """Apply fixes to an analysed text until none is left, in small steps.

    Yields each fix after it is applied; None is a step that applied nothing.
    """
    chooser = _Chooser(analysis, unsafe=unsafe, select=select)
    seen = {analysis.document.text}
    for _ in range(_MAXIMUM_ROUNDS):
        while analysis.step():
            yield None
        chosen: list[_Choice] = []
        has_entry = False
        for index, chunk, problems in analysis.shown():
            # Two top-level entries might get the same new key, so they are fixed one after another.
            is_entry = chunk.kind not in CASES_IN_LISTS
            choice = None if is_entry and has_entry else chooser.choose(index, chunk, problems)
            if choice is not None:
                chosen.append(choice)
                has_entry = has_entry or is_entry
            yield None
        # From the end of the text to its start, so that earlier offsets stay right.
        for choice in reversed(chosen):
            analysis.edit(sorted((edit for fix in choice.fixes for edit in fix.edits), reverse=True))
            for problem, fix in zip(choice.problems, choice.fixes, strict=True):
                yield AppliedFix(problem.code, problem.name, fix.title, problem.span)
        text = analysis.document.text
        if text in seen:
            break
        seen.add(text)


class _Choice(NamedTuple):
    """Problems of a chunk, and for each the fix that is going to be applied; offsets count in the whole text."""

    problems: tuple[Problem, ...]
    fixes: tuple[Fix, ...]


class _Chooser:
    """Chooses the fixes of a chunk that are applied together: the first one, and others of its rule if possible.

    Two fixes in one chunk might conflict, so those of one rule are tried together, and all others wait for the next
    round. The fixes of a problem are not tried again while the problem, its chunk and the suite are unchanged: trying
    them takes most of the time.
    """

    def __init__(self, analysis: Analysis, *, unsafe: bool, select: Callable[[Problem], bool] | None) -> None:
        self._analysis = analysis
        self._unsafe = unsafe
        self._select = select
        self._hopeless: dict[Chunk, tuple[Problem, ...]] = {}
        self._suite = analysis.facts.suite

    def choose(self, index: int, chunk: Chunk, problems: tuple[Problem, ...]) -> _Choice | None:
        """Return the first problem of a chunk that can be fixed, and those that can be fixed with it."""
        if self._suite != self._analysis.facts.suite:
            self._suite = self._analysis.facts.suite
            self._hopeless.clear()
        if self._hopeless.get(chunk) is problems:
            return None
        base = self._analysis.document.start_of(index)
        trials = Trials(self._analysis, chunk)
        selected = [problem for problem in in_order(problems) if self._is_selected(problem)]
        for number, problem in enumerate(selected):
            fix = self._first(self._analysis.fixes_of(problem, chunk, base, trials))
            if fix is not None:
                others = self._others(problem, fix.shifted(-base), selected[number + 1 :], trials)
                fixed = (problem, *(other for other, _ in others))
                absolute = tuple(self._analysis.absolute(other, chunk, base) for other in fixed)
                return _Choice(absolute, (fix, *(other.shifted(base) for _, other in others)))
        self._hopeless[chunk] = problems
        return None

    def _is_selected(self, problem: Problem) -> bool:
        if problem.fixes is None or (self._select is not None and not self._select(problem)):
            return False
        return self._unsafe or problem.code in safe_codes(self._suite.dialect)

    def _first(self, fixes: Iterable[Fix]) -> Fix | None:
        return next((fix for fix in fixes if fix.edits and (fix.safe or self._unsafe)), None)

    def _others(
        self, problem: Problem, fix: Fix, following: Iterable[Problem], trials: Trials
    ) -> list[tuple[Problem, Fix]]:
        """Return further problems of the rule with fixes at other places, if all of them can be applied together."""
        others: list[tuple[Problem, Fix]] = []
        edits, end = list(fix.edits), max(edit.end for edit in fix.edits)
        for other in following:
            if other.code == problem.code and other.chunk is None and other.fixes is not None:
                first = self._first(other.fixes())
                if first is not None and min(edit.start for edit in first.edits) > end:
                    end = max(edit.end for edit in first.edits)
                    edits += first.edits
                    others.append((other, first))
        if problem.chunk is not None or not others:
            return []
        return others if trials.can_be_joined([problem, *(other for other, _ in others)], edits) else []
