"""Completion never raises, and what it gives is always in its place, whatever the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yaml_texts import FRAGMENTS, mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.completion.comments import complete_comment
from rubric_core.assist.completion.complete import complete, documentation
from rubric_core.assist.completion.insert_text import style_seen
from rubric_core.assist.completion.place import PlaceFinder, root_of
from rubric_core.assist.completion.tolerant_parser import parse_tolerantly
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.syntax.document import Document
from rubric_core.text.lines import line_end, line_start

_OWN = (
    *("evalcases:\n", "  - id: x\n", "    rubrics:\n", "      - ", "score_ranges:\n", "          0: a\n", "{id: a, "),
    *("# rubric: ignore[", "[0, ", "\n\n", "      ", "    req", "execution:\n", '"', "{", "[", "*", "&a ", "|\n"),
)


def _assert_sound(text: str, at: int, path: str) -> None:
    found = complete(analyse(text, path=path), at)
    if found is None:
        return
    # Between the two halves of a line break is the end of its line.
    at -= text[max(at - 1, 0) : at + 1] == "\r\n"
    span = found.span
    assert found.items
    assert line_start(text, at) <= span.start <= at <= span.end <= line_end(text, at)
    assert "\n" not in text[span.start : span.end]
    assert len({(item.label, item.kind, item.text) for item in found.items}) == len(found.items)
    for item in found.items:
        assert all((item.label, item.text, item.filter))
        if item.aside is not None:
            assert line_start(text, at) <= item.aside.start < item.aside.end == span.start
            assert not text[item.aside.start : item.aside.end].strip(" \t")
        if item.topic is not None:
            assert documentation(item.topic)


@pytest.mark.parametrize("text", ["- id: z\nevalcases:\n", "- description:\n- Names it\nevalcases:\n- Shows it\n"])
def test_a_key_behind_a_list_that_was_the_whole_text(text: str) -> None:
    """It is no YAML, and on its way to become some."""
    for at in range(len(text) + 1):
        _assert_sound(text, at, "a.eval.yaml")


@pytest.mark.parametrize("path", ["a.eval.yaml", "a.jsonl"])
@given(data=st.data(), text=mangled())
def test_any_text_and_any_offset(data: st.DataObject, path: str, text: str) -> None:
    """An eval file that somebody typed into without looking."""
    _assert_sound(text, data.draw(st.integers(0, len(text))), path)


@pytest.mark.parametrize("path", ["a.eval.yaml", "a.jsonl"])
@given(data=st.data(), parts=st.lists(st.sampled_from((*_OWN, *FRAGMENTS)), max_size=25))
def test_any_mixture_of_pieces(data: st.DataObject, path: str, parts: list[str]) -> None:
    """Pieces of eval files in any order."""
    text = "".join(parts)
    _assert_sound(text, data.draw(st.integers(0, len(text))), path)


@pytest.mark.parametrize("offset", [-5, 10_000])
def test_an_offset_outside_of_the_text(offset: int) -> None:
    """An editor that is ahead of the server asks for a place that is not there yet."""
    complete(analyse("evalcases:\n  - id: x\n    rubrics: [a]\n", path="a.eval.yaml"), offset)


@given(data=st.data(), text=mangled())
def test_other_yaml_gets_nothing(data: st.DataObject, text: str) -> None:
    """A file that is not ours gets no proposals, wherever the cursor is."""
    analysis = analyse(text, path="compose.yaml")
    if not analysis.is_ours():
        assert complete(analysis, data.draw(st.integers(0, len(text)))) is None


@pytest.mark.parametrize(
    "piece", [" ", "a", "a ", "- ", ": ", "a: ", "#", " # ", "'", '"', "[", "{a: ", ", ", "\t", "* "]
)
@pytest.mark.parametrize(
    "before", ["evalcases:\n  - ", "evalcases:\n  - id: ", "evalcases:\n  - id: x # rubric: ignore["]
)
def test_a_long_line_takes_no_longer_than_its_length_explains(before: str, piece: str) -> None:
    """Nothing is looked at again and again: a quadratic search would take minutes here."""
    text = before + piece * (150_000 // len(piece))
    root = root_of(Document(""), 0, DEFAULT_DIALECT)
    started = time.process_time()
    with parse_tolerantly(text, len(text), root) as tree:
        PlaceFinder(text, len(text), style_seen(text, tree.branches, len(text)), "\n").places(tree)
    complete_comment(text, text.find("#"), len(text), 0, ())
    assert time.process_time() - started < 2


@pytest.mark.parametrize("text", ["[" * 3000, "{a: " * 3000, "- " * 3000, "evalcases:\n" + "  - " + "- " * 3000])
def test_deep_nesting_costs_nothing(text: str) -> None:
    """Nothing of the format is nested deeply, so nobody follows such text down."""
    for at in (0, len(text) // 2, len(text)):
        complete(analyse(text, path="a.eval.yaml"), at)
