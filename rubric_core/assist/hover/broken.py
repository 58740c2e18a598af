"""Text that cannot be parsed: the keys and fixed words that can be made out in it line by line."""

from rubric_core.assist.completion.parts import field_of
from rubric_core.assist.completion.place import root_of
from rubric_core.assist.completion.tolerant_parser import LONGEST, parse_tolerantly
from rubric_core.assist.cursor import Cursor
from rubric_core.assist.hover.fields import about_field, about_word
from rubric_core.assist.hover.markup import Hover
from rubric_core.text.spans import Span


def hover_on_broken(cursor: Cursor) -> Hover | None:
    """Return the documentation of the key or the word under the cursor, where the text around it is half typed."""
    records = cursor.analysis.facts.suite.dialect.records
    if records is None or len(cursor.text) > LONGEST:
        return None
    root = root_of(cursor.document, cursor.index, records)
    with parse_tolerantly(cursor.text, cursor.at, root) as tree:
        if tree.in_text or tree.comment is not None:
            return None
        for entry in (entry for branch in (*root.open, *tree.branches) for entry in branch.entries if entry.key):
            field = field_of(entry)
            if field is None:
                continue
            if entry.start <= cursor.at <= entry.key_end and entry.key in field.keys:
                return Hover(Span(entry.start, entry.key_end), about_field(entry.key, field))
            if entry.is_word and entry.text_start <= cursor.at <= entry.text_end:
                meaning = about_word(field, entry.word)
                return Hover(Span(entry.text_start, entry.text_end), meaning) if meaning else None
    return None
