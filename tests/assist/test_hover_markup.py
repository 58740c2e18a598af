"""The author's text in a hover: nothing of it acts as Markdown, and nothing of it takes more room than there is."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rubric_core.assist.hover.markup import DIVIDER, Hover, bullets, code, joined, line, listing, page, quoted, strong
from rubric_core.terminal.display import fitted, lay_out, one_line
from rubric_core.text.spans import Span
from rubric_core.views.amounts import percent, score_in_words

_READER = MarkdownIt("gfm-like", {"linkify": False, "html": True})
_TRICKY = st.text("`*_[]()<>#!|~&\\-+=.1 \nab:/@{}$🎉\u202e\u200d", max_size=30) | st.text(max_size=30)


def _inline(markdown: str) -> list[tuple[str, str]]:
    """Return the kinds and contents of the inline parts of the only paragraph of a text."""
    blocks = _READER.parse(markdown)
    assert [block.type for block in blocks] == ["paragraph_open", "inline", "paragraph_close"], markdown
    return [(part.type, part.content) for part in blocks[1].children or ()]


@given(_TRICKY)
def test_a_sentence_of_the_author_is_only_text(text: str) -> None:
    """No link, no emphasis, no heading, no list, no HTML: what is read is what was written, in one line."""
    if one_line(text):
        parts = _inline(line("Says ", quoted(text)).markdown)
        assert {kind for kind, _ in parts} <= {"text", "text_special"}
        assert "".join(content for _, content in parts) == f"Says {fitted(text, 200)}".rstrip()


@given(_TRICKY)
def test_a_sentence_of_the_author_opens_no_block(text: str) -> None:
    """Also not where it is the first thing of a paragraph."""
    shown = fitted(text, 200)
    if shown:
        parts = _inline(line(quoted(text)).markdown)
        assert "".join(content for _, content in parts) == shown


@given(_TRICKY)
def test_a_name_of_the_author_stays_in_its_code_marks(text: str) -> None:
    """Code marks in the name get longer ones around them."""
    shown = fitted(text, 60)
    parts = _inline(line("The ", code(text), " end").markdown)
    assert [kind for kind, _ in parts] == ["text", "code_inline", "text"]
    assert parts[1][1].strip() == shown.strip()


@given(st.text("`~\nab", max_size=60))
def test_nothing_breaks_out_of_a_listing(text: str) -> None:
    """The fence is longer than any in the text."""
    blocks = _READER.parse(Hover(Span(0, 0), (listing(text), line("Behind."))).markdown)
    assert blocks[0].type == "fence"
    assert blocks[0].content == f"{text}\n"
    assert len(blocks) == 4


def test_both_forms_say_the_same() -> None:
    """Plain text keeps code marks, which everybody reads as such."""
    blocks = (
        line(strong("Case"), " ", code("a`b")),
        bullets((line("One ", quoted("*two*")), joined(["a", "b"]))),
        DIVIDER,
        listing("x y"),
        page("# Title\n\nText `code`\n"),
    )
    hover = Hover(Span(0, 0), blocks)
    assert hover.markdown == (
        "**Case** ``a`b``\n\n- One \\*two\\*\n- a, b\n\n---\n\n```text\nx y\n```\n\n# Title\n\nText `code`"
    )
    assert hover.plain == "Case `a`b`\n\n- One *two*\n- a, b\n\n--\n\nx y\n\nTitle\n\nText `code`"


@given(st.text(max_size=40), st.integers(1, 20))
def test_a_text_is_made_to_fit(text: str, width: int) -> None:
    """In one line, no wider than asked, and with an ellipsis where something is missing."""
    shown = fitted(text, width)
    assert lay_out(shown).columns[-1] <= width
    assert "\n" not in shown
    assert shown == one_line(text) or shown.endswith("…")


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("short", 5, "short"),
        ("a bit longer", 8, "a bit l…"),
        ("two\n  lines", 20, "two lines"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("ab👩‍👧cd", 4, "ab…"),
        ("ab👩‍👧cd", 5, "ab👩‍👧…"),
        ("abcde\u0301f", 5, "abcd…"),
        ("", 5, ""),
    ],
)
def test_texts_are_cut_between_characters(text: str, width: int, shown: str) -> None:
    """A character that is made of several code points is there or not."""
    assert fitted(text, width) == shown


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Fraction(2, 7), "28.6 %"),
        (Fraction(1, 4), "25 %"),
        (Fraction(1), "100 %"),
        (Fraction(1, 8), "12.5 %"),
        (Fraction(1, 16), "6.3 %"),
        (Fraction(1, 5000), "under 0.1 %"),
        (Fraction(4999, 5000), "over 99.9 %"),
        (Fraction(0), "0 %"),
    ],
)
def test_shares_are_rounded_half_up(part: Fraction, words: str) -> None:
    """What is not all or nothing is never called so."""
    assert percent(part) == words


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (Fraction(4, 5), "0.8"),
        (Fraction(5, 7), "0.714"),
        (Fraction(79999, 100000), "0.79999"),
        (Fraction(8, 10) - Fraction(1, 10**12), "just under 0.8"),
        (Fraction(6, 10) - Fraction(1, 10**12), "just under 0.6"),
        (Fraction(1), "1"),
        (Fraction(0), "0"),
    ],
)
def test_scores_are_never_rounded_across_a_limit(score: Fraction, words: str) -> None:
    """What is below 0.8 does not read as 0.8."""
    assert score_in_words(score) == words
