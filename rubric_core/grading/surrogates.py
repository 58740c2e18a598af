"""Half a surrogate pair: a string can hold one, but no encoding has it, so it can be neither sent nor stored."""

from __future__ import annotations


def without_surrogates(text: str) -> str:
    """Return a text with two halves joined to their character, and a lone half replaced by U+FFFD."""
    if text.isascii():
        return text
    # The encoding is named with its byte order, so that a byte order mark in the text stays in it.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
