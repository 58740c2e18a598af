"""Select the content of a hover: documentation on a key, its effect here on a key and on a value, nothing in prose."""

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.explanations import explain_dialect
from rubric_core.assist.cursor import Cursor, CursorPart, cursor_at
from rubric_core.assist.hover.anchors import about_alias, hover_on_anchor
from rubric_core.assist.hover.cases import about_case, about_evaluator
from rubric_core.assist.hover.comments import hover_on_comment
from rubric_core.assist.hover.criteria import about_bands, about_criteria, about_criterion
from rubric_core.assist.hover.fields import about_field, about_number, about_removed, about_word, hover_on_broken
from rubric_core.assist.hover.markup import DIVIDER, Blocks, Hover, line
from rubric_core.assist.hover.scorecards import about_adjustment, about_scorecard
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_FIRST_WORD = lazily(r"\ufeff?(?:[\w$-]+(?=[ \t]*:(?:[ \t\r\n]|\Z))|#(?![ \t]*rubric:[ \t]*[if])[^\r\n]*)")


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """Return the hover at an offset, or None."""
    cursor = cursor_at(analysis, offset)
    if cursor is None:
        return None
    page = hover_on_comment(cursor) or hover_on_anchor(cursor) or _hover_on_node(cursor)
    if page is None and cursor.tree.root is None and cursor.tree.problems:
        page = hover_on_broken(cursor)
    page = page._replace(span=page.span.shifted(cursor.base)) if page is not None else None
    return _with_dialect(analysis, page, offset) if _is_at_the_top(analysis.document, offset) else page


def _is_at_the_top(document: Document, offset: int) -> bool:
    """Return whether a place is, in the first line, the first key or a comment that is not about problems."""
    start = _FIRST_WORD.match(document.chunks[0].text)
    return start is not None and offset <= start.end()


def _with_dialect(analysis: Analysis, page: Hover | None, offset: int) -> Hover:
    """Return a hover on the first line, with the dialect of the file and the reason."""
    dialect, why, place = explain_dialect(analysis)
    where = "" if place is None else f", line {analysis.document.position(place).line + 1}"
    words = line(f"This file is read as {dialect.title} (`{dialect.name}`) {why}{where}.")
    if page is None:
        return Hover(Span(offset, offset), (words,))
    return page._replace(blocks=(*page.blocks, DIVIDER, words))


def _hover_on_node(cursor: Cursor) -> Hover | None:
    if cursor.part is None:
        return None
    general, here = _documentation(cursor), _about_this(cursor)
    blocks = (*general, DIVIDER, *here) if general and here else general + here
    return Hover(_span(cursor), blocks) if blocks else None


def _documentation(cursor: Cursor) -> Blocks:
    """Return the documentation of the key under the cursor; names that the author made up have none."""
    _, record, pair, field = cursor.last
    if cursor.part is not CursorPart.KEY or pair is None or pair.name is None or record is None:
        return ()
    if field is None:
        return about_removed(pair.name, record, cursor.dialect)
    return about_field(pair.name, field, cursor.dialect) if record.get(pair.name) is field else ()


def _about_this(cursor: Cursor) -> Blocks:
    if cursor.part is CursorPart.ALIAS:
        return (*about_alias(cursor), *about_bands(cursor))
    field, node, pair = cursor.last.field, cursor.node, cursor.last.pair
    word = node.value if cursor.part is CursorPart.VALUE and isinstance(node, Scalar) else None
    return (
        *about_bands(cursor),
        *about_criteria(cursor),
        *about_criterion(cursor),
        *about_evaluator(cursor),
        *about_case(cursor),
        *about_scorecard(cursor),
        *about_adjustment(cursor),
        *(about_word(field, word, cursor.dialect) if word is not None and field is not None else ()),
        *(about_number(field, pair.value, cursor.version) if pair is not None and field is not None else ()),
    )


def _span(cursor: Cursor) -> Span:
    """Return the span of the hover's subject, limited to one line."""
    at, node, pair = cursor.at, cursor.node, cursor.last.pair
    if cursor.part is CursorPart.DASH or node is None:
        return Span(at, at + 1)
    if cursor.part is CursorPart.ALIAS and pair is not None and pair.key.start <= at <= pair.key.end:
        # On the `<<` that merges an alias.
        return pair.key.span
    if isinstance(node, (Mapping, Sequence)) and node.origin is None:
        return node.span if isinstance(node, Sequence) and node.flow else Span(at, at)
    return node.span
