"""What is selected when a selection grows: the word, the value, its key with it, the mapping, the case, the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.folding import folds_of, last_line_of
from rubric_core.rules.suppressions import Scalars
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import dash_of
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.text.lines import LineIndex, line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.document import Document

_WORDS = (lazily(r"\w+"), lazily(r"[\w.@/-]+"))
_QUOTED = frozenset({ScalarStyle.SINGLE, ScalarStyle.DOUBLE})
_SPACES = " \t\r\n\ufeff"
_TO_CONTENT = lazily(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n))*[ \t]*")
_COMMENT = lazily(r"(?:(?<=[ \t\r\n\ufeff])|\A)#[^\r\n]*")


def selections(analysis: Analysis, offset: int) -> tuple[Span, ...]:
    """Return the stretches around an offset, the smallest one first; each holds the one before it and more."""
    if not analysis.is_ours():
        return ()
    document = analysis.document
    analysis.attend(Span(offset, offset))
    last = len(document.chunks) - 1
    whole = Span(0, document.start_of(last) + len(document.chunks[last].text))
    offset = min(max(offset, 0), whole.end)
    index = document.chunk_at(offset)
    if not analysis.owns(document.chunks[index]):
        return ()
    base = document.start_of(index)
    inner = [span.shifted(base) for span in _inside_chunk(document, index, offset - base)]
    return _growing([*inner, *_around_chunk(document, index), whole], offset)


def _growing(spans: Iterable[Span], offset: int) -> tuple[Span, ...]:
    """Put stretches into an order in which each holds the one before it; those that fit nowhere are left out."""
    holding = {span for span in spans if span.start <= offset <= span.end and span.start < span.end}
    chain: list[Span] = []
    for span in sorted(holding, key=lambda span: (span.end - span.start, span)):
        if not chain or (span.start <= chain[-1].start and span.end >= chain[-1].end):
            chain.append(span)
    return tuple(chain)


def _inside_chunk(document: Document, index: int, at: int) -> Iterator[Span]:
    chunk = document.chunks[index]
    root = document.tree(index).root
    text = chunk.text
    yield from _words(text, at)
    # Comments above a case belong to its chunk, but nobody means them when speaking of the case.
    if root is None:
        yield from _by_lines(text, at)
        yield _trimmed(text, Span(0, len(text)))
        return
    comment = _comment(text, root, at)
    if comment is not None:
        yield comment
    yield from _by_nodes(text, root, at)


def _words(text: str, at: int) -> Iterator[Span]:
    start, end = line_start(text, at), line_end(text, at)
    for pattern in _WORDS:
        for found in pattern.finditer(text, start, end):
            if found.start() <= at <= found.end():
                yield Span(*found.span())


def _comment(text: str, root: Node, at: int) -> Span | None:
    """Return the comment that holds an offset."""
    scalars = Scalars(text, root)
    for found in _COMMENT.finditer(text, line_start(text, at), line_end(text, at)):
        if scalars.is_comment(found.start()):
            return Span(*found.span()) if found.start() <= at else None
    return None


def _by_nodes(text: str, root: Node, at: int) -> Iterator[Span]:
    node: Node | None = root
    while node is not None and node.start <= at <= node.end:
        yield node.span
        if node.origin is not None:
            # The text behind an alias stands elsewhere.
            return
        if isinstance(node, Scalar):
            yield _content(node)
            return
        node = yield from _step(text, node, at)


def _step(text: str, node: Node, at: int) -> Generator[Span, None, Node | None]:
    """Give the stretches between a collection and the child that holds an offset, and return that child."""
    if isinstance(node, Mapping):
        merges = node.meta.merges if node.meta else ()
        own = [pair for pair in (*node.pairs, *merges) if pair.key.origin is None and _holds(pair, at)]
        for pair in own[:1]:
            yield pair.span
            return pair.key if pair.key.start <= at <= pair.key.end else pair.value
    elif isinstance(node, Sequence):
        for item in node.items:
            span = Span(item.start if node.flow else max(dash_of(text, item), node.start), item.end)
            if span.start <= at <= span.end:
                yield span
                return item
    return None


def _holds(pair: Pair, at: int) -> bool:
    return pair.span.start <= at <= pair.span.end


def _content(node: Scalar) -> Span:
    """Return a scalar without its quotes, or without the line of its indicator."""
    if node.style in _QUOTED:
        return Span(node.start + 1, max(node.start + 1, node.end - 1))
    if isinstance(node, BlockScalar):
        header = line_end(node.raw, 0)
        text = node.raw[header : node.end - node.start]
        return Span(node.start + header + len(text) - len(text.lstrip(_SPACES)), node.end)
    return node.span


def _by_lines(text: str, at: int) -> Iterator[Span]:
    """Give the stretches that indentation tells of, where the text cannot be read."""
    yield _trimmed(text, Span(line_start(text, at), line_end(text, at)))
    lines = LineIndex(text)
    line = lines.position(at).line
    for fold in folds_of(text):
        if fold.first_line <= line <= fold.last_line:
            end = lines.starts[fold.last_line] + len(lines.line_text(fold.last_line))
            yield _trimmed(text, Span(lines.starts[fold.first_line], end))


def _trimmed(text: str, span: Span) -> Span:
    """Return a stretch without the white space at both ends."""
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip(_SPACES))
    return Span(start, max(start, span.start + len(part.rstrip(_SPACES))))


def _around_chunk(document: Document, index: int) -> Iterator[Span]:
    """Give the list that a chunk is an item of, without and with its key."""
    chunk = document.chunks[index]
    if chunk.kind not in {ChunkKind.ITEM, ChunkKind.LIST_HEAD}:
        return
    chunks = document.chunks
    head = index
    while head > 0 and chunks[head].kind is ChunkKind.ITEM:
        head -= 1
    stop = index + 1
    while stop < len(chunks) and chunks[stop].kind is ChunkKind.ITEM:
        stop += 1
    end = document.start_of(stop - 1) + _end_of_content(chunks[stop - 1].text)
    if head + 1 < stop:
        yield Span(document.start_of(head + 1) + _start_of_content(chunks[head + 1].text), end)
    if chunks[head].kind is ChunkKind.LIST_HEAD:
        yield Span(document.start_of(head) + _start_of_content(chunks[head].text), end)


def _start_of_content(text: str) -> int:
    """Return where a chunk starts without the comments above it. It need not be read for that."""
    found = _TO_CONTENT.match(text)
    return found.end() if found else 0


def _end_of_content(text: str) -> int:
    """Return where a chunk ends without the comments and blank lines below it."""
    lines = LineIndex(text)
    last = last_line_of(text)
    return _trimmed(text, Span(lines.starts[last], lines.starts[last] + len(lines.line_text(last)))).end
