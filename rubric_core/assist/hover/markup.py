"""What a hover says, in parts that can be written as Markdown or as plain text.

Sentences of ours are plain strings and may hold code marks. What the author of the file wrote is always wrapped in
`Verbatim` or `Quoted`, or stands in a `Listing`: nothing of it can act as Markdown.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rubric_core.report.rule_facts import render_page
from rubric_core.terminal.fitting import fitted
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_SHORTEST_FENCE = 3
_LONGEST_NAME = 60
_LONGEST_QUOTE = 200
_BACKTICKS = lazily(r"`+")
# What can act in the middle of a line; the colon makes a link only in front of slashes.
_ACTIVE = lazily(r"([\\`*_{}\[\]<>#|~&!$@]|:(?=//))")
# What starts a list or a heading at the start of one.
_OPENING = lazily(r"\A(\d*)([-+=.)])")


class Verbatim(NamedTuple):
    """A name or a value of the author, in code marks."""

    text: str


class Quoted(NamedTuple):
    """A sentence of the author."""

    text: str


class Strong(NamedTuple):
    """Words of ours that stand out."""

    text: str


Inline = str | Verbatim | Quoted | Strong


class Paragraph(NamedTuple):
    """Running text."""

    parts: tuple[Inline, ...]


class Bullets(NamedTuple):
    """A list, each item in parts."""

    items: tuple[tuple[Inline, ...], ...]


class Listing(NamedTuple):
    """Text in which every column counts."""

    text: str
    language: str = "text"


class HoverPage(NamedTuple):
    """Markdown of our own."""

    markdown: str


class Divider(NamedTuple):
    """A line between general documentation and what holds at this place."""


Block = Paragraph | Bullets | Listing | HoverPage | Divider
Blocks = tuple[Block, ...]


class Hover(NamedTuple):
    """What is said about a stretch of the text."""

    span: Span
    blocks: Blocks

    @property
    def markdown(self) -> str:
        """Return it as Markdown."""
        return as_markdown(self.blocks)

    @property
    def plain(self) -> str:
        """Return it as plain text."""
        return as_plain(self.blocks)


def paragraph(*parts: Inline) -> Paragraph:
    """Return running text."""
    return Paragraph(parts)


def joined(parts: Iterable[tuple[Inline, ...]], separator: str = ", ") -> tuple[Inline, ...]:
    """Return parts, each of which may consist of several, with a separator between them."""
    return tuple(piece for part in parts for piece in (separator, *part))[1:]


def as_markdown(blocks: Blocks) -> str:
    """Return blocks as Markdown."""
    return "\n\n".join(_block(block, markdown=True) for block in blocks)


def as_plain(blocks: Blocks) -> str:
    """Return blocks as plain text."""
    return "\n\n".join(_block(block, markdown=False) for block in blocks)


def _block(block: Block, *, markdown: bool) -> str:
    if isinstance(block, Paragraph):
        return _line(block.parts, markdown=markdown)
    if isinstance(block, Bullets):
        return "\n".join(f"- {_line(item, markdown=markdown)}" for item in block.items)
    if isinstance(block, Listing):
        fence = _fence(block.text, _SHORTEST_FENCE)
        return f"{fence}{block.language}\n{block.text}\n{fence}" if markdown else block.text
    if isinstance(block, HoverPage):
        return (block.markdown if markdown else render_page(block.markdown)).strip()
    return "---" if markdown else "--"


def _line(parts: tuple[Inline, ...], *, markdown: bool) -> str:
    return "".join(map(_inline_as_markdown if markdown else _inline_as_plain, parts))


def _inline_as_markdown(part: Inline) -> str:
    if isinstance(part, Verbatim):
        return _code_span(fitted(part.text, _LONGEST_NAME))
    if isinstance(part, Quoted):
        return _OPENING.sub(r"\1\\\2", _ACTIVE.sub(r"\\\1", fitted(part.text, _LONGEST_QUOTE)))
    return f"**{part.text}**" if isinstance(part, Strong) else part


def _inline_as_plain(part: Inline) -> str:
    if isinstance(part, Verbatim):
        return f"`{fitted(part.text, _LONGEST_NAME)}`"
    if isinstance(part, Quoted):
        return fitted(part.text, _LONGEST_QUOTE)
    return part.text if isinstance(part, Strong) else part


def _code_span(text: str) -> str:
    marks = _fence(text, 1)
    # A space keeps marks of the text away from ours; Markdown takes one off at each end.
    inner = f" {text} " if text.startswith("`") or text.endswith("`") else text
    return f"{marks}{inner}{marks}" if text else "` `"


def _fence(text: str, shortest: int) -> str:
    """Return more code marks in a row than the text has anywhere."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    return "`" * max(shortest, longest + 1)
