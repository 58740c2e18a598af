"""Checking and fixing one text: what the command line, pre-commit and Python call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.surroundings import NOWHERE
from rubric_core.config.config import DEFAULT
from rubric_core.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.analysis.analysis import Background
    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.config.config import Config
    from rubric_core.rules.problem import Fix, Problem
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
    applied: list[AppliedFix] = []
    seen = {text}
    for _ in range(_MAXIMUM_ROUNDS):
        chosen = _choose(analysis, unsafe=unsafe, select=select)
        if not chosen:
            break
        # From the end of the text to its start, so that earlier offsets stay right.
        for problem, fix in reversed(chosen):
            analysis.edit(sorted(fix.edits, reverse=True))
            applied.append(AppliedFix(problem.code, problem.name, fix.title, problem.span))
        text = analysis.document.text
        if text in seen:
            break
        seen.add(text)
    return Fixed(analysis.document.text, tuple(applied))


def _choose(analysis: Analysis, *, unsafe: bool, select: Callable[[Problem], bool] | None) -> list[tuple[Problem, Fix]]:
    """Choose at most one fix for each chunk: fixes are verified alone, so two in one chunk might disturb each other."""
    chosen: list[tuple[Problem, Fix]] = []
    taken: set[int] = set()
    for problem in analysis.problems():
        index = analysis.document.chunk_at(problem.span.start)
        if index in taken or problem.fixes is None or (select is not None and not select(problem)):
            continue
        fix = next((fix for fix in problem.fixes() if fix.safe or unsafe), None)
        if fix is not None:
            taken.add(index)
            chosen.append((problem, fix))
    return chosen
