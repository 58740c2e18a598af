"""Foreign text in Markdown: what an answer or a judge wrote is shown literally."""

import re
from collections.abc import Iterable, Iterator

from rubric_core.terminal.display import visible
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import code_block

# An empty comment prevents a mention from notifying a person, and a number from linking to an issue.
_NOTHING = "<!-- -->"
_MENTION = lazily(r"(?<=[@#])(?=\w)")
_ADDRESS = lazily(r"(?i)(?<=http)(?=s?://)|(?<=ftp)(?=://)|(?<=mailto)(?=:)|(?<=www)(?=\.)")
_ACTIVE = lazily(r"[\\`*_\[\]<>#|~&]")
# At the start of a paragraph these make a list, a heading or a line.
_OPENING = lazily(r"\A(\d+(?=[.)]))?([-+=.)])(?=[\s=-]|\Z)")
_KEPT = frozenset("\n\t")


def readable(text: str) -> str:
    """Return a text with line breaks of one kind, and with signs for the characters that move or hide others."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if lines.isprintable():
        return lines
    return "".join(character if character in _KEPT else visible(character) for character in lines)


def inline(text: str) -> str:
    """Return a text that may be in a paragraph or in a cell of a table; its line breaks stay line breaks."""
    return "<br>".join(_inert(line) for line in readable(text).strip("\n").split("\n"))


def fenced(text: str) -> str:
    """Return a text as a code block whose fence is longer than any in the text."""
    return code_block(readable(text).strip("\n"))


def table(head: str, rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a table from the line of its headings and from cells that are Markdown already."""
    yield head
    yield f"|{'---|' * (head.count('|') - 1)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _inert(line: str) -> str:
    """Return a line without anything that Markdown or the hosts that show it interpret.

    References to characters work in Markdown and in the HTML inside of it, where a backslash would be shown.
    """
    pieces = _MENTION.sub("\0", _ADDRESS.sub("\0", line.strip())).split("\0")
    inert = _NOTHING.join(_ACTIVE.sub(_reference, piece) for piece in pieces)
    # Two dollar signs would make a formula of what is between them.
    return _OPENING.sub(lambda start: (start[1] or "") + _reference(start, 2), inert).replace("$", "<span>$</span>")


def _reference(sign: re.Match[str], group: int = 0) -> str:
    return f"&#{ord(sign[group])};"
