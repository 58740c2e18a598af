"""How text is on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rubric_core.terminal.display import harmless, lay_out


@given(st.text(st.characters(exclude_categories=())))
def test_every_character_has_a_column_and_columns_never_go_back(text: str) -> None:
    """A caret can be placed under any character of any line."""
    columns = list(lay_out(text).columns)
    assert len(columns) == len(text) + 1
    assert columns == sorted(columns)


@given(st.text(st.characters(exclude_categories=())))
def test_what_is_shown_holds_no_control_characters(text: str) -> None:
    """Neither a line nor a message can move the cursor, and both can be encoded."""
    for shown in (lay_out(text).shown, harmless(text)):
        assert not any(character < " " or "\x7f" <= character < "\xa0" for character in shown)
        shown.encode()


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_is_shown_as_it_is(text: str) -> None:
    """ASCII needs no measuring."""
    assert lay_out(text).shown == text == harmless(text)
    assert list(lay_out(text).columns) == list(range(len(text) + 1))
