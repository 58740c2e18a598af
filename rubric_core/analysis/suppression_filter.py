"""Applies suppression comments chunk by chunk, so that a keystroke costs one chunk's work.

A comment for a line applies to its own chunk or, at its end, to the first line of the next one. A comment for the
whole file applies to all chunks at once; there are few of those, and each suppresses a set of codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.chunk_facts import ChunkFacts
from rubric_core.analysis.rule_runner import run
from rubric_core.rules.problem import Problem
from rubric_core.rules.registry import known_codes
from rubric_core.rules.rule import Context
from rubric_core.rules.suppressions import STOPPED, Applied, Directive, DirectiveKind, Unknown, Use, apply, next_target
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis

Problems = tuple["Problem", ...]
# By the identity of a comment: its rules that silence nothing, and its unknown rules.
_DirectiveProblems = dict[int, tuple[list["Use"], list["Unknown"]]]
_NO_PROBLEMS: tuple[list[Use], list[Unknown]] = ([], [])

_MOST_CACHED = 2_000


class _Inputs(NamedTuple):
    """All that decides what is shown of one chunk; `file_wide` is what came of the comments for the whole file."""

    problems: Problems
    following: Problems
    own: tuple[Directive, ...]
    inherited: tuple[Directive, ...]
    file_wide: Applied
    # While some rules have not run, it is unknown which comments are needed.
    is_stopped: bool


@dataclass(slots=True)
class SuppressionFilter:
    """Returns the problems to show for each chunk of an analysis, cached until an input changes.

    The analysis has a reference to its filter, so it is passed in: a cycle would keep a closed document in memory until
    the garbage collector runs.
    """

    _cache: dict[Chunk, tuple[_Inputs, Problems]] = field(default_factory=dict)

    def shown(self, analysis: Analysis, places: Iterable[tuple[int, Chunk]]) -> list[tuple[int, Chunk, Problems]]:
        """Return the chunks that have problems to show, with these."""
        with_directives = analysis.facts.with_directives if analysis.owns_anything else {}
        if not with_directives:
            placed = ((index, chunk, analysis.chunk_problems(chunk)) for index, chunk in places)
            return [(index, chunk, problems) for index, chunk, problems in placed if problems]
        file_wide, is_stopped = _file_wide(analysis, with_directives)
        directive_problems = _directive_problems(file_wide)
        if len(self._cache) > _MOST_CACHED + 2 * len(with_directives):
            # Most of these chunks have been removed.
            self._cache.clear()
        shown = []
        for index, chunk in places:
            inputs = _inputs(analysis, index, chunk, file_wide, is_stopped=is_stopped)
            cached = self._cache.get(chunk)
            if cached is None or cached[0] != inputs:
                cached = self._cache[chunk] = inputs, _shown(analysis, chunk, inputs, directive_problems)
            if cached[1]:
                shown.append((index, chunk, cached[1]))
        return shown


def _file_wide(analysis: Analysis, with_directives: Mapping[Chunk, ChunkFacts]) -> tuple[Applied, bool]:
    """Return what came of the comments for the whole file, and whether some rules have not run."""
    written = (directive for facts in with_directives.values() for directive in facts.directives)
    directives = [directive for directive in written if directive.kind is DirectiveKind.IGNORE_FILE]
    everything = [problem for chunk in analysis.troubled_chunks() for problem in analysis.chunk_problems(chunk)]
    is_stopped = not analysis.is_complete or any(problem.code in STOPPED for problem in everything)
    if not directives:
        return Applied((), (), (), ()), is_stopped
    outcome = apply(everything, directives, known_codes(analysis.facts.suite.dialect), analysis.checker.off)
    return outcome._replace(kept=(), used=()), is_stopped


def _inputs(analysis: Analysis, index: int, chunk: Chunk, file_wide: Applied, *, is_stopped: bool) -> _Inputs:
    with_directives = analysis.facts.with_directives
    chunks = analysis.document.chunks
    own = with_directives[chunk].directives if chunk in with_directives else ()
    following: Problems = ()
    if index + 1 < len(chunks) and any(map(_targets_next_chunk, own)):
        target = next_target(chunks[index + 1].text)
        own = tuple(_aimed(directive, target, len(chunk.text)) for directive in own)
        following = analysis.chunk_problems(chunks[index + 1])
    before = chunks[index - 1] if index else None
    inherited: tuple[Directive, ...] = ()
    if before is not None and before in with_directives:
        target = next_target(chunk.text)
        aimed = filter(_targets_next_chunk, with_directives[before].directives)
        inherited = tuple(directive._replace(target=target) for directive in aimed if target is not None)
    return _Inputs(analysis.chunk_problems(chunk), following, own, inherited, file_wide, is_stopped)


def _directive_problems(file_wide: Applied) -> _DirectiveProblems:
    """Sort what is wrong with the comments for the whole file by the comment."""
    directive_problems: _DirectiveProblems = {}
    for use in file_wide.unused:
        directive_problems.setdefault(id(use.directive), ([], []))[0].append(use)
    for unknown in file_wide.unknown:
        directive_problems.setdefault(id(unknown.directive), ([], []))[1].append(unknown)
    return directive_problems


def _shown(analysis: Analysis, chunk: Chunk, inputs: _Inputs, directive_problems: _DirectiveProblems) -> Problems:
    """Return what is left of a chunk's problems, and what is wrong with the comments in it."""
    problems, following, own, inherited, file_wide, is_stopped = inputs
    moved = [problem._replace(span=problem.span.shifted(len(chunk.text))) for problem in following]
    lines = [directive for directive in (*own, *inherited) if directive.kind is DirectiveKind.IGNORE]
    outcome = apply((*problems, *moved), lines, known_codes(analysis.facts.suite.dialect), analysis.checker.off)
    mine = {id(directive): None for directive in own}
    unused = [use for use in outcome.unused if id(use.directive) in mine]
    unknown = [rule for rule in outcome.unknown if id(rule.directive) in mine]
    for directive in mine:
        of_file = directive_problems.get(directive, _NO_PROBLEMS)
        unused += of_file[0]
        unknown += of_file[1]
    own_problems: list[Problem] = []
    about_comments = Applied((), (), () if is_stopped else tuple(unused), tuple(unknown))
    run(analysis.checker.table["SUPPRESSIONS"], about_comments, Context(text=chunk.text), own_problems)
    # The problems of the next chunk were only used to find out which comments are needed.
    elsewhere = {id(problem) for problem in moved}
    unsuppressed = [problem for problem in outcome.kept if id(problem) not in elsewhere]
    shown = (*unsuppressed, *analysis.checker.with_severities(own_problems))
    silent = file_wide.silent
    return tuple(problem for problem in shown if problem.code not in silent and None not in silent)


def _targets_next_chunk(directive: Directive) -> bool:
    """Return whether a comment at the end of a chunk applies to the first line of the next one."""
    return directive.target is None and directive.alone


def _aimed(directive: Directive, target: Span | None, at: int) -> Directive:
    """Return a comment with the line that it applies to; `at` is where the next chunk starts."""
    if not _targets_next_chunk(directive):
        return directive
    return directive._replace(target=target.shifted(at) if target is not None else None)
