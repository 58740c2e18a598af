"""Tries a fix before it is offered: it must remove its problem, add no error, keep every comment, and leave YAML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.rules.problem import AnchorFixes, Fix, Problem, Severity
from rubric_core.syntax.chunks import Chunk, ChunkKind, Piece, split_region
from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.nodes import Mapping, walk
from rubric_core.text.lines import count_line_breaks
from rubric_core.text.spans import Edit, apply_edits

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis

_CUT = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD, ChunkKind.ITEM})


def codes_of(problems: Iterable[Problem]) -> Counter[str]:
    """Count problems by their codes."""
    return Counter(problem.code for problem in problems)


def errors_of(problems: Iterable[Problem]) -> Counter[str]:
    """Count the errors among problems by their codes."""
    return Counter(problem.code for problem in problems if problem.severity is Severity.ERROR)


class Trial(NamedTuple):
    """A chunk after edits, and its problems."""

    chunk: Chunk
    problems: tuple[Problem, ...]


class Trials:
    """Tries the fixes of one chunk, whose problems and comments before are read once.

    `original` is the chunk of the document that this one would replace, if it is a trial itself.
    """

    def __init__(self, analysis: Analysis, chunk: Chunk, original: Chunk | None = None) -> None:
        self._analysis = analysis
        self._chunk = chunk
        self._original = original

    @cached_property
    def _before(self) -> tuple[Problem, ...]:
        return self._analysis.checker.recheck(self._chunk)

    @cached_property
    def _comments(self) -> Counter[str]:
        return comments_of(self._chunk)

    def attempt(
        self, edits: Iterable[Edit], counted: Callable[[Iterable[Problem]], Counter[str]] = errors_of
    ) -> Trial | None:
        """Return the chunk after edits; None if they break it, lose a comment, or add what is counted."""
        chunk = tried(self._analysis, self._chunk, edits, self._original)
        if chunk is None or self._repeats_key(chunk) or comments_of(chunk) != self._comments:
            return None
        problems = self._analysis.checker.recheck(chunk)
        return None if counted(problems) - counted(self._before) else Trial(chunk, problems)

    def _repeats_key(self, trial: Chunk) -> bool:
        """Return whether a trial has a new top-level key that another chunk has already."""
        if trial.kind in CASES_IN_LISTS:
            return False
        origin = self._original or self._chunk
        entries = self._analysis.facts.entries_of(trial.section)
        others = {pair.name for chunk, pair in entries if chunk is not origin}
        return not others.isdisjoint(_keys_of(trial) - _keys_of(self._chunk))

    def fixes(self, problem: Problem) -> list[Fix]:
        """Return the fixes of a problem that pass the trial, with offsets from the chunk's start."""
        fixes = problem.fixes() if problem.fixes is not None else ()
        return [fix for fix in fixes if fix.edits and self._removes([problem], self.attempt(fix.edits))]

    def can_be_joined(self, problems: Sequence[Problem], edits: Iterable[Edit]) -> bool:
        """Return whether edits remove all of some problems of the chunk and add no problem of any kind.

        Each fix is made for the text as it is, so two might write the same id or text into different places.
        """
        return self._removes(problems, self.attempt(edits, codes_of))

    def _removes(self, problems: Sequence[Problem], trial: Trial | None) -> bool:
        if trial is None:
            return False
        # A problem of the file as a whole is not visible in the chunk; its rule is responsible for the fix.
        removed = codes_of(problem for problem in problems if problem.chunk is None)
        return not removed - (codes_of(self._before) - codes_of(trial.problems))


def verified_anchor_fixes(analysis: Analysis, chunk: Chunk, anchor_fixes: AnchorFixes) -> list[Fix]:
    """Return the fixes at an anchor in a chunk that add no error there, keep its comments and leave YAML.

    The rule is responsible for the problem itself, which is reported where the anchor is used.
    """
    tree = chunk.tree
    nodes = walk(tree.root) if tree is not None and tree.root is not None else ()
    anchored = next((node for node in nodes if node.span == anchor_fixes.origin.span and node.origin is None), None)
    if anchored is None:
        return []
    trials = Trials(analysis, chunk)
    return [fix for fix in anchor_fixes.make(anchored, chunk.text) if trials.attempt(fix.edits) is not None]


def tried(analysis: Analysis, chunk: Chunk, edits: Iterable[Edit], original: Chunk | None = None) -> Chunk | None:
    """Return the chunk after edits; None if that is not one chunk of valid YAML."""
    try:
        text = apply_edits(chunk.text, edits)
    except ValueError:
        return None
    piece = Piece(chunk.kind, text, chunk.place)
    if chunk.kind in _CUT and not _stays_whole(piece, analysis.document.whole_lists):
        return None
    trial = Chunk(piece, chunk.section, count_line_breaks(text))
    trial.tree = analysis.document.parse_as(trial, original or chunk)
    return None if trial.tree.problems or text == chunk.text else trial


def _stays_whole(piece: Piece, whole_lists: frozenset[str]) -> bool:
    """Return whether a text would be one chunk of a file; an entry may also become a list of cases."""
    pieces = list(split_region(piece.text, piece.place if piece.kind is ChunkKind.ITEM else None, whole_lists))
    becomes_list = piece.kind is ChunkKind.ENTRY and pieces[0].kind is ChunkKind.LIST_HEAD
    # The items of a list become separate chunks, which are checked one by one only in a list of cases.
    is_head = piece.kind is ChunkKind.LIST_HEAD and len(pieces) == 1 and _key_of(piece.text) in CASE_LIST_NAMES
    return pieces == [piece] or is_head or (becomes_list and all(item.kind is ChunkKind.ITEM for item in pieces[1:]))


def _keys_of(chunk: Chunk) -> AbstractSet[str]:
    root = chunk.tree.root if chunk.tree is not None else None
    return root.index.keys() if isinstance(root, Mapping) else frozenset()


def _key_of(text: str) -> str:
    return text.partition(":")[0].strip(" \"'")


def comments_of(chunk: Chunk) -> Counter[str]:
    """Count the comments of a chunk by text."""
    return Counter(comments_in(chunk.text, chunk.tree.root if chunk.tree else None))
