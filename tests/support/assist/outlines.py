"""The outline of a text, put together as an editor shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistance import finished

from rubric_core.analysis.check import analyse
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.symbols import Symbol, counted, depth_of, parts, symbols_in
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from rubric_core.analysis.analysis import Analysis

PATH = "a.eval.yaml"


def shifted(symbol: Symbol, by: int) -> Symbol:
    """Return the same symbol in a text that has `by` more code points in front."""
    children = tuple(shifted(child, by) for child in symbol.children)
    return symbol._replace(span=symbol.span.shifted(by), name_span=symbol.name_span.shifted(by), children=children)


def document_symbols(analysis: Analysis) -> Generator[None, None, tuple[Symbol, ...]]:
    """Put the outline together as an editor shows it; the server does the same with what it sends."""
    found: list[Symbol] = []
    cases: list[Symbol] = []
    if not (yield from read_all(analysis)):
        return ()
    document = analysis.document
    depth = depth_of(analysis)
    has_head = False
    for part in list(parts(analysis)):
        base = document.start_of(part.chunk_index)
        symbols = [shifted(symbol, base) for symbol in symbols_in(analysis, part, depth)]
        if part.is_inside and has_head:
            cases += symbols
        else:
            _close_list(found, cases)
            found += symbols
            has_head = part.heads and bool(symbols)
        yield
    _close_list(found, cases)
    return tuple(found)


def _close_list(found: list[Symbol], cases: list[Symbol]) -> None:
    """Put the cases that were collected below their list, which is the last symbol that was found."""
    if cases:
        head = found[-1]
        span = Span(head.span.start, cases[-1].span.end)
        found[-1] = head._replace(span=span, detail=counted(len(cases), head.name), children=tuple(cases))
        cases.clear()


def outline(text: str, path: str = PATH) -> tuple[Symbol, ...]:
    """Return the outline of a text."""
    return finished(document_symbols(analyse(text, path=path)))


def outline_lines(symbols: tuple[Symbol, ...], indent: str = "") -> Iterator[str]:
    """Yield the symbols as indented lines, each with its detail."""
    for symbol in symbols:
        yield f"{indent}{symbol.name} ({symbol.detail})" if symbol.detail else f"{indent}{symbol.name}"
        yield from outline_lines(symbol.children, f"{indent}  ")
