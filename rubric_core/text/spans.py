"""Spans and edits. Both count code points from the start of the text they belong to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open stretch of text."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Return the same stretch in a text that has `by` more code points in front."""
        return Span(self.start + by, self.end + by)


class Edit(NamedTuple):
    """Replace the stretch from `start` to `end` with `text`."""

    start: int
    end: int
    text: str

    def shifted(self, by: int) -> Edit:
        """Return the same edit in a text that has `by` more code points in front."""
        return Edit(self.start + by, self.end + by, self.text)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that all refer to the same `text` and do not overlap; insertions at one place stay in order."""
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        if start < done or end < start or end > len(text):
            raise ValueError(f"The edit of {start}-{end} overlaps another one or leaves the text.")
        parts += (text[done:start], new)
        done = end
    parts.append(text[done:])
    return "".join(parts)
