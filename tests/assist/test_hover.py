"""Where hover is silent, and that no text, no form of it and no edit leads it astray."""

from __future__ import annotations

from pathlib import Path

import pytest
from assistance import finished
from hovers import SUITE, TEXTS, inside, said_at, under
from hypothesis import given
from hypothesis import strategies as st
from yaml_texts import documents, edits, mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.commands import FIX_ALL
from rubric_core.assist.completion.tolerant_parser import LONGEST
from rubric_core.assist.hints import hints
from rubric_core.assist.hover import hover
from rubric_core.assist.lenses import lenses
from rubric_core.text.spans import Span

EXAMPLES = Path(__file__).parents[2] / "examples"
NOT_OURS = Path(__file__).parents[1] / "not_ours"


# Silence

SILENT = (
    inside("Which port?"),
    inside("Needs one sentence"),
    inside("Something"),
    inside("Names the port\n    input"),
    SUITE.replace("    rubrics:", "  $0  rubrics:"),
    SUITE.replace("    rubrics:", "    # not $0- id\n    rubrics:"),
    f"{SUITE}$0",
    SUITE.replace("weight: 2", "wei$0ht: 2"),
    SUITE.replace("weight: 0.5", "weight:  $0  0.5"),
    "evalcases: [{id: a, rubrics: [], metadata: {wei$0ght: 1}}]",
    "evalcases: [{id: a, rubrics: [b], $0 }]",
    "evalcases: [{id: a, note: *non$0e}]",
    "- $0a\n- b\n",
    "$0",
)


@pytest.mark.parametrize("marked", SILENT)
def test_nothing_is_said_in_prose_blank_space_and_unknown_keys(marked: str) -> None:
    """A hover that pops up in prose annoys."""
    assert said_at(marked) == ""


def test_other_yaml_is_left_alone() -> None:
    """The same keys mean something else there, also in a YAML document beside one of ours."""
    assert not said_at("weight$0: 2\nexecution: {}\n", path="other.yaml")
    assert not said_at(f"{SUITE}---\nexec$0ution: {{}}\n", path="other.yaml")
    assert said_at(f"exec$0ution: {{}}\n{SUITE}", path="other.yaml")


@pytest.mark.parametrize("path", sorted(NOT_OURS.iterdir()), ids=lambda path: path.name)
def test_files_of_other_tools_are_left_alone(path: Path) -> None:
    """No hover, no hint and no lens anywhere."""
    text = path.read_text(encoding="utf-8")
    analysis = analyse(text, path=path.name)
    assert not any(hover(analysis, offset) for offset in range(0, len(text), 3))
    assert finished(hints(analysis, Span(0, len(text)))) == []
    assert finished(lenses(analysis, {FIX_ALL})) == []


def test_a_broken_case_keeps_the_documentation_of_its_keys() -> None:
    """While a line is half typed, the others say what they are."""
    broken = SUITE.replace("        required: false\n", "        requ\n")
    assert said_at(inside("weight: 0.5", broken)).startswith("`weight`: a number")
    assert said_at(inside("user", broken)).startswith("`user`: The message")
    assert not said_at(inside("Which", broken))
    assert not said_at(inside("requ\n", broken))
    assert not said_at(broken.replace("weight: 0.5", "weight: 0.5 # no wei$0ght: here"))


def test_a_broken_chunk_of_great_length_is_not_looked_through() -> None:
    """A document that cannot be cut may have megabytes, and nobody waits half a second for a hover."""
    broken = "evalcases:\n  - id: a\n    requ\n    expected_out$0come: x\n    note: |\n"
    assert said_at(broken + "      more\n")
    assert not said_at(broken + "      more\n" * (LONGEST // 10))


def test_a_broken_case_of_a_later_dialect_says_nothing() -> None:
    """The table does not hold there."""
    suite = "tests:\n  - id: a\n    expected_outcome: b\n    assert: []\n  - id: b\n    wei$0ght: 2\n    half\n"
    analysis = analyse(suite.replace("$0", ""), path="a.eval.yaml")
    analysis.refresh()
    assert hover(analysis, suite.index("$0")) is None


# Forms of text


def test_json_lines_are_cases() -> None:
    """Keys and values are in quotes there."""
    line = '{"id": "a", "rubrics": [{"id": "b", "score_ranges": {"0": "Low", "5": "High"}}, "c"]}\n'
    assert said_at(line.replace('"a"', '"$0a"'), path="x.jsonl").startswith("Case `a`")
    assert "> " in said_at(line.replace('"5"', '"$05"'), path="x.jsonl")
    assert "Weight 1 of 2" in said_at(line.replace('"c"', '"$0c"'), path="x.jsonl")
    assert said_at(line + line.replace('"id": "b"', '"i$0d": "b"'), path="x.jsonl").startswith("`id`: a string")


@pytest.mark.parametrize("prefix", ["", "\ufeff", "\ufeff# a comment\n", "%YAML 1.2\n---\n"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_line_breaks_and_byte_order_marks_make_no_difference(prefix: str, line_break: str) -> None:
    """The span is the same word and what is said is the same."""
    marked = (prefix + SUITE.replace("depth", "d$0epth")).replace("\n", line_break)
    assert under(marked) == "depth"
    assert said_at(marked) == said_at(SUITE.replace("depth", "d$0epth"))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.eval.yaml")), ids=lambda path: path.name)
def test_a_hover_is_about_what_is_under_the_cursor(path: Path) -> None:
    """At every offset of every example, the span holds the offset and both forms say something."""
    text = path.read_text(encoding="utf-8")
    analysis = analyse(text, path=path.name)
    said = 0
    for offset in range(len(text) + 1):
        found = hover(analysis, offset)
        if found is not None:
            assert found.span.start <= offset <= found.span.end
            assert found.markdown
            assert found.plain
            said += 1
    assert said


def test_offsets_outside_of_the_text_are_nothing() -> None:
    """A client may ask for anything."""
    analysis = analyse(SUITE, path="a.eval.yaml")
    assert hover(analysis, -1) is None
    assert hover(analysis, len(SUITE) + 100) is None


_TEXTS = documents() | st.sampled_from(TEXTS)


@given(_TEXTS, st.data())
def test_a_hover_after_edits_is_that_of_a_fresh_look(text: str, data: st.DataObject) -> None:
    """Nothing is said that was true only before an edit."""
    analysis = analyse(text, path="a.eval.yaml")
    for _ in range(data.draw(st.integers(1, 3))):
        hover(analysis, data.draw(st.integers(0, len(text))))
        edit = data.draw(edits(len(text)))
        analysis.edit([edit])
        text = text[: edit.start] + edit.text + text[edit.end :]
    fresh = analyse(text, path="a.eval.yaml")
    for offset in range(0, len(text) + 1, data.draw(st.integers(7, 40))):
        found = hover(analysis, offset)
        assert found == hover(fresh, offset)
        if found is not None:
            assert found.span.start <= offset <= found.span.end
            assert found.markdown
            assert found.plain


@given(mangled(), st.integers(-5, 400), st.sampled_from(["a.eval.yaml", "a.jsonl"]))
def test_no_text_and_no_offset_raises(text: str, offset: int, path: str) -> None:
    """Half-typed text of any kind gives a hover or nothing."""
    found = hover(analyse(text, path=path), offset)
    if found is not None:
        assert 0 <= found.span.start <= offset <= found.span.end <= len(text)
        assert found.markdown
        assert found.plain
