"""A command is split into the words that a shell would give, each with its offset."""

from __future__ import annotations

import shlex

from hypothesis import given
from hypothesis import strategies as st

from rubric_core.views.references import split_words


@given(st.text(st.sampled_from("ab './\"\\\t\n-")))
def test_the_words_are_those_of_a_shell(command: str) -> None:
    """A command that a shell would refuse has no words."""
    try:
        expected = shlex.split(command)
    except ValueError:
        expected = []
    assert [word.text for word in split_words(command)] == expected


@given(st.text(st.sampled_from("ab './\"\\\t\n-")))
def test_each_word_is_where_it_says(command: str) -> None:
    """The offset leads to the word as it is written."""
    for word in split_words(command):
        assert command.startswith(word.written, word.offset)
