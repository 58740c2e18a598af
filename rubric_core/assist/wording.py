"""Texts of users, made short enough for one line of an editor."""

from __future__ import annotations

_LONGEST = 72


def shortened(text: str, longest: int = _LONGEST) -> str:
    """Return a text on one line, cut off where it is too long."""
    # Only the start of a long text can be shown, so the rest need not be looked at.
    line = " ".join(text[: 4 * longest].split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
