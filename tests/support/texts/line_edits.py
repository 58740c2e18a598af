"""Random edits that put lines of a document in the place of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.syntax.document import Document


def edit_lines(data: st.DataObject, document: Document, lines: list[str], pieces: Sequence[str]) -> None:
    """Put up to two pieces in the place of up to two lines, in the document and in the list of its lines."""
    at = data.draw(st.integers(0, len(lines)))
    stop = min(at + data.draw(st.integers(0, 2)), len(lines))
    added = data.draw(st.lists(st.sampled_from(pieces), max_size=2))
    start = sum(map(len, lines[:at]))
    document.edit([Edit(start, start + sum(map(len, lines[at:stop])), "".join(added))])
    lines[at:stop] = added
