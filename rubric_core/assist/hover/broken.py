"""Text that cannot be parsed: the keys and fixed words that can be made out in it line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.completion.meaning import field_of
from rubric_core.assist.completion.place import root_of
from rubric_core.assist.completion.sketch import LONGEST, sketch
from rubric_core.assist.hover.fields import about_field
from rubric_core.assist.hover.vocabulary import about_word
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.assist.completion.parts import TypedEntry
    from rubric_core.assist.hover.place import Hover, HoverChunk


def hover_on_broken(spot: HoverChunk) -> Hover | None:
    """Return the documentation of the key or the word under the cursor, where the text around it is half typed."""
    if spot.analysis.facts.suite.dialect.records is None or len(spot.text) > LONGEST:
        return None
    for entry in _entries(spot):
        field = field_of(entry)
        if field is None:
            continue
        if entry.start <= spot.at <= entry.key_end and entry.key in field.keys:
            return spot.hover(Span(entry.start, entry.key_end), *about_field(entry.key, field))
        if entry.is_word and entry.text_start <= spot.at <= entry.text_end:
            meaning = about_word(field, entry.word)
            return spot.hover(Span(entry.text_start, entry.text_end), *meaning) if meaning else None
    return None


def _entries(spot: HoverChunk) -> Iterator[TypedEntry]:
    """Give the entries that can be made out; none where the cursor is in a comment or in running text."""
    document = spot.analysis.document
    root = root_of(document, document.chunk_at(spot.base))
    with sketch(spot.text, spot.at, root) as drawn:
        if not drawn.in_text and drawn.comment is None:
            for branch in (*root.open, *drawn.branches):
                yield from (entry for entry in branch.entries if entry.key and entry.branch is not None)
