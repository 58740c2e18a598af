"""The comments of a YAML text: a `#` starts one behind white space and outside of scalars."""

from bisect import bisect_right
from collections.abc import Iterator

from rubric_core.syntax.nodes import BlockScalar, Node, Scalar, children
from rubric_core.text.lines import line_at
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_LINE_BREAK = lazily(r"\r\n?|\n")


class ScalarSpans:
    """The spans of the scalars of a parsed text: a `#` inside one of them starts no comment."""

    __slots__ = ("_ends", "_starts", "long")

    def __init__(self, text: str, *roots: Node | None) -> None:
        spans = sorted(_scalar_spans([root for root in roots if root is not None]))
        # No comment can follow the text of a block scalar, so its span includes the end of its last line.
        spans = [
            (start, line_at(text, max(start, end - 1)).end + 1 if block else end, block) for start, end, block in spans
        ]
        self.long = [Span(start, end) for start, end, _ in spans if _LINE_BREAK.search(text, start, end)]
        """The scalars of several lines, in the order of the text."""
        # A comment can follow the indicator of a block scalar, so its text starts at the end of that line.
        inner = [(line_at(text, start).end if block else start, end) for start, end, block in spans]
        self._starts = [start for start, _ in inner]
        self._ends = [end for _, end in inner]

    def is_comment(self, offset: int) -> bool:
        """Return whether a `#` at an offset can start a comment."""
        at = bisect_right(self._starts, offset) - 1
        return at < 0 or offset >= self._ends[at]

    def multi_line_at(self, offset: int) -> Span | None:
        """Return the scalar of several lines that holds an offset."""
        at = bisect_right(self.long, (offset, float("inf"))) - 1
        return self.long[at] if at >= 0 and offset < self.long[at].end else None


def _scalar_spans(stack: list[Node]) -> Iterator[tuple[int, int, bool]]:
    while stack:
        node = stack.pop()
        if node.origin is not None:
            # The text of an alias's copy is elsewhere.
            continue
        if isinstance(node, Scalar):
            yield node.start, node.end, isinstance(node, BlockScalar)
        else:
            stack.extend(children(node))


NO_SCALARS = ScalarSpans("")


def comments_in(text: str, *roots: Node | None, start: int = 0, end: int | None = None) -> Iterator[str]:
    """Return the comments that start in a stretch of a parsed text, each up to the end of its line."""
    end = len(text) if end is None else end
    at = text.find("#", start, end)
    scalars = ScalarSpans(text, *roots) if at >= 0 else NO_SCALARS
    while at >= 0:
        if (at == 0 or text[at - 1] in " \t\r\n") and scalars.is_comment(at):
            line = line_at(text, at).end
            yield text[at:line].rstrip()
            at = line
        at = text.find("#", at + 1, end)
