"""The outline of an eval file: its cases with their criteria and score ranges, its evaluators and scorecards.

It is put together from the chunks, whose symbols count from the start of the chunk. So an editor's server can keep them
as it sends them, and an outline of 5,000 cases costs little after a keystroke.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.assist.by_chunk import on_tree
from rubric_core.assist.symbol_tree import Depth, Symbol, SymbolKind, counted, symbols_of
from rubric_core.schema.records import CASE_LIST_NAMES
from rubric_core.syntax.chunks import ChunkKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.document import Document

__all__ = ["Depth", "Symbol", "SymbolChunk", "SymbolKind", "counted", "depth_of", "parts", "symbols_in"]

_CASE_KEYS = frozenset(CASE_LIST_NAMES)
_IN_LISTS = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
# Up to so many cases an outline shows so much. That of 5,000 cases with all their ranges takes 18 MB, which nobody
# looks through and which would keep the next keystroke waiting.
_MOST_CASES = {Depth.EVERYTHING: 1_000, Depth.CRITERIA: 2_000}


class SymbolChunk(NamedTuple):
    """A chunk that may have symbols.

    `first_case` is the number that its first case has in the list, 0 where each of its cases goes by an id. `heads`
    tells that its symbol is a list whose cases are the parts that follow, and `is_inside` that it is one of these.
    """

    chunk_index: int
    first_case: int = 0
    heads: bool = False
    is_inside: bool = False


def parts(analysis: Analysis) -> Iterator[SymbolChunk]:
    """Give the parts of an outline, in the order of the text; the file has been read by then."""
    number = 1
    inside = False
    for index, chunk in enumerate(analysis.document.chunks):
        if not analysis.owns(chunk):
            continue
        heads = chunk.kind is ChunkKind.LIST_HEAD and chunk.place is not None and chunk.place.key in _CASE_KEYS
        if chunk.kind not in _IN_LISTS:
            number, inside = 1, heads
        count, has_ids = _cases(analysis, chunk)
        if count or chunk.kind not in _IN_LISTS:
            yield SymbolChunk(index, 0 if has_ids else number, heads=heads, is_inside=inside and not heads)
        number += count


def _cases(analysis: Analysis, chunk: Chunk) -> tuple[int, bool]:
    """Return how many cases a chunk of a list has, and whether all of them have ids."""
    outline = analysis.facts.outlines.get(chunk)
    if chunk.kind not in _IN_LISTS or outline is None:
        return 0, True
    if outline.case_count:
        return outline.case_count, outline.case_count == len(outline.ids)
    # A case that cannot be read counts as well.
    is_broken = chunk.tree is not None and chunk.tree.root is None and bool(chunk.tree.problems)
    return int(is_broken and (chunk.place is None or chunk.place.key in _CASE_KEYS)), False


def depth_of(analysis: Analysis) -> Depth:
    """Return how much the outline of a file shows: the more cases, the less of each."""
    count = analysis.facts.case_count
    return next((depth for depth, most in _MOST_CASES.items() if count <= most), Depth.CASES)


def symbols_in(document: Document, part: SymbolChunk, depth: Depth = Depth.EVERYTHING) -> tuple[Symbol, ...]:
    """Return the symbols of a part, counting from the start of its chunk. A case without an id goes by its number."""
    return _named(on_tree(document, part.chunk_index, partial(symbols_of, depth=depth)), max(part.first_case, 1))


def _named(symbols: tuple[Symbol, ...], number: int) -> tuple[Symbol, ...]:
    named: list[Symbol] = []
    for place, symbol in enumerate(symbols, start=number):
        if symbol.kind is SymbolKind.CASES:
            named.append(symbol._replace(children=_named(symbol.children, 1)))
        else:
            named.append(symbol if symbol.name else symbol._replace(name=f"case {place}"))
    return tuple(named)
