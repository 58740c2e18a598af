"""The content of a hover, as Markdown and as plain text.

Our own sentences are plain strings and may have code marks. Text of the file's author is always passed through
`code`, `quoted` or `listing`, which escape Markdown.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rubric_core.report.rule_facts import render_page
from rubric_core.terminal.display import fitted
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.text.writing import code_block, code_fence

_LONGEST_NAME = 60
_LONGEST_QUOTE = 200
# Markdown in the middle of a line; a colon makes a link only before slashes.
_ACTIVE = lazily(r"([\\`*_{}\[\]<>#|~&!$@]|:(?=//))")
# Markdown for a list or a heading at the start of a line.
_OPENING = lazily(r"\A(\d*)([-+=.)])")


class Markup(NamedTuple):
    """A piece of text in both forms."""

    markdown: str
    plain: str


Blocks = tuple[Markup, ...]
DIVIDER = Markup("---", "--")
"""A line between general documentation and what holds at this place."""


class Hover(NamedTuple):
    """The hover text of a span."""

    span: Span
    blocks: Blocks

    @property
    def markdown(self) -> str:
        """Return it as Markdown."""
        return "\n\n".join(block.markdown for block in self.blocks)

    @property
    def plain(self) -> str:
        """Return it as plain text."""
        return "\n\n".join(block.plain for block in self.blocks)


def line(*parts: str | Markup) -> Markup:
    """Return parts one after the other: a paragraph, or an item of a list."""
    return joined(parts, "")


def joined(parts: Iterable[str | Markup], separator: str = ", ") -> Markup:
    """Return parts with a separator between them."""
    both = [part if isinstance(part, Markup) else Markup(part, part) for part in parts]
    return Markup(separator.join(part.markdown for part in both), separator.join(part.plain for part in both))


def first_of(items: Sequence[str | Markup], most: int) -> list[str | Markup]:
    """Return the first items, and how many more there are."""
    return [*items[:most], *([f"{len(items) - most} more"] if len(items) > most else [])]


def bullets(items: Iterable[str | Markup]) -> Markup:
    """Return a list."""
    return joined((line("- ", item) for item in items), "\n")


def listing(text: str, language: str = "text") -> Markup:
    """Return text in which every column counts."""
    return Markup(code_block(text, language), text)


def page(markdown: str) -> Markup:
    """Return Markdown of our own."""
    return Markup(markdown.strip(), render_page(markdown).strip())


def strong(words: str) -> Markup:
    """Return text in bold."""
    return Markup(f"**{words}**", words)


def quoted(text: str) -> Markup:
    """Return a sentence of the author."""
    shown = fitted(text, _LONGEST_QUOTE)
    return Markup(_OPENING.sub(r"\1\\\2", _ACTIVE.sub(r"\\\1", shown)), shown)


def code(text: str) -> Markup:
    """Return a name or a value of the author in code marks."""
    shown = fitted(text, _LONGEST_NAME)
    marks = code_fence(shown, 1)
    # A space separates marks of the text from ours; Markdown removes one at each end.
    inner = f" {shown} " if shown.startswith("`") or shown.endswith("`") else shown
    return Markup(f"{marks}{inner}{marks}" if shown else "` `", f"`{shown}`")
