"""Checking and fixing one text: what the command line, pre-commit and Python call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.collector import collector_paused
from rubric_core.analysis.surroundings import NOWHERE
from rubric_core.config.config import DEFAULT
from rubric_core.rules.problem import in_order
from rubric_core.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rubric_core.analysis.analysis import Background
    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.config.config import Config
    from rubric_core.rules.problem import Fix, Problem
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.text.spans import Span

# Each round applies at most one fix to each chunk; a text that needs more rounds than this is not converging.
_MAXIMUM_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome for one text; offsets count in the whole text."""

    path: str
    text: str
    ours: bool
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """A fix that was applied; `span` is where its problem stood at that time."""

    code: str
    name: str
    title: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text after its fixes."""

    text: str
    applied: tuple[AppliedFix, ...]


def analyse(
    text: str,
    *,
    path: str = "",
    config: Config = DEFAULT,
    surroundings: Surroundings = NOWHERE,
    background: Background | None = None,
) -> Analysis:
    """Open a text for analysis."""
    document = Document(text, json_lines=path.endswith(".jsonl"), limits=config.limits)
    return Analysis(document, path=path, config=config, surroundings=surroundings, background=background)


def check_text(
    text: str,
    *,
    path: str = "",
    config: Config = DEFAULT,
    surroundings: Surroundings = NOWHERE,
    background: Background | None = None,
) -> Checked:
    """Find all problems of a text."""
    analysis = analyse(text, path=path, config=config, surroundings=surroundings, background=background)
    problems = tuple(analysis.problems())
    return Checked(path, text, analysis.is_ours(), problems)


def fix_text(  # noqa: PLR0913 - where the text is from, and which fixes are wanted.
    text: str,
    *,
    path: str = "",
    config: Config = DEFAULT,
    surroundings: Surroundings = NOWHERE,
    unsafe: bool = False,
    select: Callable[[Problem], bool] | None = None,
) -> Fixed:
    """Apply fixes until none is left to apply: the safe ones, or with `unsafe` the first one of every problem."""
    analysis = analyse(text, path=path, config=config, surroundings=surroundings)
    with collector_paused():
        applied = tuple(each for each in apply_fixes(analysis, unsafe=unsafe, select=select) if each is not None)
    return Fixed(analysis.document.text, applied)


def apply_fixes(
    analysis: Analysis, *, unsafe: bool = False, select: Callable[[Problem], bool] | None = None
) -> Iterator[AppliedFix | None]:
    """Change an analysed text until no fix is left to apply, in small steps.

    Each fix is given once it is applied; None stands for a step that applied nothing.
    """
    chooser = _Chooser(analysis, unsafe=unsafe, select=select)
    seen = {analysis.document.text}
    for _ in range(_MAXIMUM_ROUNDS):
        while analysis.step():
            yield None
        chosen: list[_Choice] = []
        for index, chunk, problems in analysis.shown():
            choice = chooser.choose(index, chunk, problems)
            if choice is not None:
                chosen.append(choice)
            yield None
        # From the end of the text to its start, so that earlier offsets stay right.
        for problem, fix in reversed(chosen):
            analysis.edit(sorted(fix.edits, reverse=True))
            yield AppliedFix(problem.code, problem.name, fix.title, problem.span)
        text = analysis.document.text
        if text in seen:
            break
        seen.add(text)


class _Choice(NamedTuple):
    """A problem, and the fix that is going to be applied; offsets count in the whole text."""

    problem: Problem
    fix: Fix


class _Chooser:
    """Chooses at most one fix for each chunk: fixes are verified alone, so two in one chunk might disturb each other.

    A problem that stays as it was, in a chunk and a suite that stay as they were, is not asked for its fixes again:
    trying these takes most of the time.
    """

    def __init__(self, analysis: Analysis, *, unsafe: bool, select: Callable[[Problem], bool] | None) -> None:
        self._analysis = analysis
        self._unsafe = unsafe
        self._select = select
        self._hopeless: dict[Chunk, tuple[Problem, ...]] = {}
        self._suite = analysis.facts.suite

    def choose(self, index: int, chunk: Chunk, problems: tuple[Problem, ...]) -> _Choice | None:
        """Return the first problem of a chunk that can be fixed, with its fix."""
        if self._suite != self._analysis.facts.suite:
            self._suite = self._analysis.facts.suite
            self._hopeless.clear()
        if self._hopeless.get(chunk) is problems:
            return None
        base = self._analysis.document.start_of(index)
        for relative in in_order(problems):
            if relative.fixes is None or (self._select is not None and not self._select(relative)):
                continue
            problem = self._analysis.absolute(relative, chunk, base)
            fixes = problem.fixes() if problem.fixes is not None else ()
            fix = next((fix for fix in fixes if fix.safe or self._unsafe), None)
            if fix is not None:
                return _Choice(problem, fix)
        self._hopeless[chunk] = problems
        return None
