"""Growing selections: the word, the value, its key with it, the mapping, the case, the file."""

from collections.abc import Iterable, Iterator

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.cursor import Cursor, cursor_at
from rubric_core.assist.folding import chunk_folds
from rubric_core.assist.names.occurrences import content_of
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.syntax.document import Document
from rubric_core.syntax.edits import dash_of
from rubric_core.syntax.nodes import BlockScalar, Node, Scalar, Sequence
from rubric_core.text.lines import LineIndex, line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_WORDS = (lazily(r"\w+"), lazily(r"[\w.@/-]+"))
_SPACES = " \t\r\n\ufeff"
_TO_CONTENT = lazily(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n))*[ \t]*")
_COMMENT = lazily(r"(?:(?<=[ \t\r\n\ufeff])|\A)#[^\r\n]*")


def selections(analysis: Analysis, offset: int) -> tuple[Span, ...]:
    """Return the stretches around an offset, the smallest one first; each holds the one before it and more."""
    document = analysis.document
    whole = Span(0, document.start_of(len(document.chunks) - 1) + len(document.chunks[-1].text))
    offset = min(max(offset, 0), whole.end)
    cursor = cursor_at(analysis, offset)
    if cursor is None:
        return ()
    inner = [span.shifted(cursor.base) for span in _inside_chunk(cursor)]
    return _growing([*inner, *_around_chunk(document, cursor.index), whole], offset)


def _growing(spans: Iterable[Span], offset: int) -> tuple[Span, ...]:
    """Put stretches into an order in which each holds the one before it; those that fit nowhere are left out."""
    holding = {span for span in spans if span.start <= offset <= span.end and span.start < span.end}
    chain: list[Span] = []
    for span in sorted(holding, key=lambda span: (span.end - span.start, span)):
        if not chain or (span.start <= chain[-1].start and span.end >= chain[-1].end):
            chain.append(span)
    return tuple(chain)


def _inside_chunk(cursor: Cursor) -> Iterator[Span]:
    text, at, root = cursor.text, cursor.at, cursor.tree.root
    yield from _words(text, at)
    # Comments above a case belong to its chunk, but not to the case that the user selects.
    if root is None:
        yield from _by_lines(text, at)
        yield _trimmed(text, Span(0, len(text)))
        return
    yield from _comments(text, root, at)
    yield from _by_nodes(cursor)


def _words(text: str, at: int) -> Iterator[Span]:
    start, end = line_start(text, at), line_end(text, at)
    for pattern in _WORDS:
        for match in pattern.finditer(text, start, end):
            if match.start() <= at <= match.end():
                yield Span(*match.span())


def _comments(text: str, root: Node, at: int) -> Iterator[Span]:
    scalars = ScalarSpans(text, root)
    matches = _COMMENT.finditer(text, line_start(text, at), min(at + 1, line_end(text, at)))
    first = next((match.start() for match in matches if scalars.is_comment(match.start())), None)
    if first is not None:
        yield Span(first, line_end(text, first))


def _by_nodes(cursor: Cursor) -> Iterator[Span]:
    """Yield the collections around the cursor with the pair or the item of each that holds it, and its scalar."""
    for index, step in enumerate(cursor.steps):
        yield step.node.span
        child = cursor.node_below(index)
        if step.pair is not None:
            yield step.pair.span
        elif isinstance(step.node, Sequence) and child is not None and not step.node.flow:
            yield Span(max(dash_of(cursor.text, child), step.node.start), child.end)
    if cursor.node is not None:
        yield cursor.node.span
        if isinstance(cursor.node, Scalar) and cursor.node.origin is None:
            yield _content(cursor.node)


def _content(node: Scalar) -> Span:
    """Return a scalar without its quotes, or without the line of its indicator."""
    if not isinstance(node, BlockScalar):
        return content_of(node)
    header = line_end(node.raw, 0)
    text = node.raw[header : node.end - node.start]
    return Span(node.start + header + len(text) - len(text.lstrip(_SPACES)), node.end)


def _by_lines(text: str, at: int) -> Iterator[Span]:
    """Yield the ranges by indentation, if the text cannot be parsed."""
    yield _trimmed(text, Span(line_start(text, at), line_end(text, at)))
    lines = LineIndex(text)
    line = lines.position(at).line
    for fold in chunk_folds(text).folds:
        if fold.first_line <= line <= fold.last_line:
            end = lines.starts[fold.last_line] + len(lines.line_text(fold.last_line))
            yield _trimmed(text, Span(lines.starts[fold.first_line], end))


def _trimmed(text: str, span: Span) -> Span:
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip(_SPACES))
    return Span(start, max(start, span.start + len(part.rstrip(_SPACES))))


def _around_chunk(document: Document, index: int) -> Iterator[Span]:
    """Yield the list that a chunk is an item of, without and with its key."""
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
    match = _TO_CONTENT.match(text)
    return match.end() if match else 0


def _end_of_content(text: str) -> int:
    """Return where a chunk ends without the comments and blank lines below it."""
    lines = LineIndex(text)
    last = chunk_folds(text).last_line
    return _trimmed(text, Span(lines.starts[last], lines.starts[last] + len(lines.line_text(last)))).end
