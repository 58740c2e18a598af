"""Texts of the author made to fit a place of some width: in one line, harmless, cut where they are too long."""

from rubric_core.terminal.columns import harmless, lay_out

ELLIPSIS = "…"
# Marks that take no width could go on for ever; nobody reads a line of this many characters.
_LONGEST_LINE = 1_000
_LONGEST_LABEL = 72


def one_line(text: str) -> str:
    """Return a text in one line, with single spaces and without characters that move or hide others."""
    return harmless(" ".join(text[:_LONGEST_LINE].split()))


def fitted(text: str, width: int) -> str:
    """Return a text in one line of at most some columns; where more is cut off, an ellipsis says so."""
    line = one_line(text)
    columns = lay_out(line).columns
    if columns[-1] <= width and len(text) <= _LONGEST_LINE:
        return line
    # Marks that take no width stay with what they belong to, and so does what a joiner joins.
    end = max((at for at in range(len(line) + 1) if columns[at] < width), default=0)
    return line[:end].rstrip() + ELLIPSIS


def shortened(text: str) -> str:
    """Return a text as a label in an outline, which has thousands of them: characters are counted, not columns."""
    line = " ".join(text[: 4 * _LONGEST_LABEL].split())
    return line if len(line) <= _LONGEST_LABEL else line[: _LONGEST_LABEL - 1].rstrip() + ELLIPSIS
