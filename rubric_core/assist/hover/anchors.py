"""Hovers of anchors, aliases and merge keys: a summary of the value, and where it is written."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.hover.markup import Blocks, Hover, code, line, listing
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.terminal.display import ELLIPSIS, fitted
from rubric_core.text.lines import line_end, line_start, split_lines
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_ANCHOR = lazily(r"&([^\s,\[\]{}]+)")
# What may be between an anchor and its node: white space, comments, a tag.
_BETWEEN = lazily(r"(?:\s|#[^\r\n]*|![^\s]*)*\Z")
_MOST_LINES = 8
_WIDTH = 60


def hover_on_anchor(cursor: Cursor) -> Hover | None:
    """Return the value of the anchor under the cursor."""
    text = cursor.text
    for match in _ANCHOR.finditer(text, line_start(text, cursor.at), line_end(text, cursor.at)):
        node = cursor.tree.anchors.get(match[1])
        if not match.start() <= cursor.at <= match.end() or node is None:
            continue
        # The same characters in a text or a comment are not an anchor.
        if node.start >= match.end() and _BETWEEN.match(text[match.end() : node.start]):
            head = line(code(match.group()), f" names {_kind(node)}; ", code(f"*{match[1]}"), " repeats it.")
            return Hover(Span(*match.span()), (head,))
    return None


def about_alias(cursor: Cursor) -> Blocks:
    """Return the values of the alias under the cursor; a merge key may name several."""
    node = cursor.node
    sources = node.items if isinstance(node, Sequence) and node.origin is None else [node] if node is not None else []
    here = [source for source in sources if source.start <= cursor.at <= source.end]
    return tuple(block for source in here or sources for block in _about_one(cursor, source))


def _about_one(cursor: Cursor, node: Node) -> Blocks:
    origin, meta = node.origin, node.meta
    if origin is None or meta is None or meta.alias is None:
        return ()
    document = cursor.document
    chunk = origin.chunk if isinstance(origin.chunk, Chunk) else cursor.chunk
    base = document.start_of(document.index_of(chunk))
    number = document.position(base + origin.span.start).line + 1
    head = line(code(f"*{meta.alias}"), f" stands for {_kind(node)}, written in line {number}.")
    return head, listing(_excerpt(chunk.text, origin.span), "yaml")


def _kind(node: Node) -> str:
    if isinstance(node, Mapping):
        return f"a mapping with {len(node.pairs)} key{'s' * (len(node.pairs) != 1)}"
    if isinstance(node, Sequence):
        return f"a list of {len(node.items)} item{'s' * (len(node.items) != 1)}"
    return "a value"


def _excerpt(text: str, span: Span) -> str:
    """Return the first lines of a span, without their common indentation."""
    column = span.start - line_start(text, span.start)
    lines = split_lines(text[span.start : span.end])
    shown: list[str] = []
    for number, text_line in enumerate(lines[:_MOST_LINES]):
        indent = max(len(text_line) - len(text_line.lstrip(" ")) - (column if number else 0), 0)
        shown.append(" " * min(indent, _WIDTH) + fitted(text_line, _WIDTH))
    return "\n".join([*shown, ELLIPSIS] if len(lines) > _MOST_LINES else shown)
