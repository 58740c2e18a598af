"""Trying a fix before it is offered: it must remove its problem, add no error, keep every comment, and leave YAML."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.suppressions import Scalars, line_at
from rubric_core.syntax.chunks import Chunk, ChunkKind, Piece, split_region
from rubric_core.syntax.nodes import walk
from rubric_core.text.lines import count_line_breaks
from rubric_core.text.spans import apply_edits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.rules.problem import AnchorFixes
    from rubric_core.text.spans import Edit

_CUT = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD, ChunkKind.ITEM})


def verified_fixes(analysis: Analysis, chunk: Chunk, problem: Problem, original: Chunk | None = None) -> list[Fix]:
    """Return the fixes of a problem that keep their promise, offsets counting from the chunk's start.

    `original` is the chunk of the document that the given one stands for, where it is a trial itself.
    """
    if problem.fixes is None:
        return []
    wanted = [fix for fix in problem.fixes() if fix.edits]
    if not wanted:
        return []
    before = analysis.checker.recheck(chunk)
    return [fix for fix in wanted if _keeps_promise(analysis, chunk, problem, fix, before, original)]


def verified_anchor_fixes(analysis: Analysis, chunk: Chunk, wanted: AnchorFixes) -> list[Fix]:
    """Return the fixes at an anchor in a chunk that add no error there, keep its comments and leave YAML.

    The rule answers for the problem itself, which is reported where the anchor is used.
    """
    tree = chunk.tree
    nodes = walk(tree.root) if tree is not None and tree.root is not None else ()
    anchored = next((node for node in nodes if node.span == wanted.origin.span and node.origin is None), None)
    if anchored is None:
        return []
    before = errors_of(analysis.checker.recheck(chunk))
    kept: list[Fix] = []
    for fix in wanted.make(anchored, chunk.text):
        trial = tried(analysis, chunk, fix.edits)
        if trial is None or comments_of(trial) != comments_of(chunk):
            continue
        if not errors_of(analysis.checker.recheck(trial)) - before:
            kept.append(fix)
    return kept


def _keeps_promise(  # noqa: PLR0913, PLR0917 - the fix, and all that it is held against.
    analysis: Analysis,
    chunk: Chunk,
    problem: Problem,
    fix: Fix,
    before: tuple[Problem, ...],
    original: Chunk | None,
) -> bool:
    trial = tried(analysis, chunk, fix.edits, original)
    if trial is None or comments_of(trial) != comments_of(chunk):
        return False
    after = analysis.checker.recheck(trial)
    if errors_of(after) - errors_of(before):
        return False
    # A problem of the file as a whole does not show in the chunk; the rule that reports it answers for its fix.
    same_before = sum(other.code == problem.code for other in before)
    same_after = sum(other.code == problem.code for other in after)
    return problem.chunk is not None or same_after < same_before


def tried(analysis: Analysis, chunk: Chunk, edits: Iterable[Edit], original: Chunk | None = None) -> Chunk | None:
    """Return the chunk as edits would leave it; None where that would not be one chunk of good YAML."""
    try:
        text = apply_edits(chunk.text, edits)
    except ValueError:
        return None
    piece = Piece(chunk.kind, text, chunk.place)
    if chunk.kind in _CUT and list(split_region(text, chunk.place if chunk.kind is ChunkKind.ITEM else None)) != [
        piece
    ]:
        return None
    trial = Chunk(piece, chunk.section, count_line_breaks(text))
    trial.tree = analysis.document.parse_as(trial, original or chunk)
    return None if trial.tree.problems or text == chunk.text else trial


def errors_of(problems: Iterable[Problem]) -> Counter[str]:
    """Count the errors among problems by their codes."""
    return Counter(problem.code for problem in problems if problem.severity is Severity.ERROR)


def comments_of(chunk: Chunk) -> Counter[str]:
    """Count the comments of a chunk by what they say."""
    text = chunk.text
    scalars = Scalars(text, chunk.tree.root if chunk.tree else None)
    found: Counter[str] = Counter()
    at = text.find("#")
    while at >= 0:
        if (at == 0 or text[at - 1] in " \t\r\n") and scalars.is_comment(at):
            end = line_at(text, at).end
            found[text[at:end].rstrip()] += 1
            at = text.find("#", end)
        else:
            at = text.find("#", at + 1)
    return found
