"""What is generated looks like its neighbours, whatever style a file is written in."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from generated_rubrics import CHECKLIST, RANGES, generated
from hypothesis import example, given
from hypothesis import strategies as st
from suite_styles import Part, Style, read, write
from yaml_texts import blocks, scalars

ROOT = Path(__file__).resolve().parents[2]

_CRITERIA = """[
  {id: names-the-port, expected_outcome: Names port 8080, weight: 2.0},
  {id: says-why, expected_outcome: "Says why: the proxy listens there"},
  {id: one-line, expected_outcome: Needs one line, weight: 0.5, required: false}]"""
_BANDS = """[
  {id: port, expected_outcome: Names the port, weight: 2.0, required_min_score: 6, score_ranges:
    {0: Names the port nowhere, 6: Names the port in the first sentence}},
  {id: reason, expected_outcome: Gives the reason, required_min_score: 6, score_ranges:
    {0: Gives the reason nowhere, 6: Gives the reason in the first sentence}},
  {id: command, expected_outcome: Shows the command, required_min_score: 6, score_ranges:
    {0: Shows the command nowhere, 6: Shows the command in the first sentence}}]"""

# `$RUBRICS` is where the criteria of a case go.
_SUITE = """{evalcases: [
  {id: first, expected_outcome: Names the port, input_messages: [{role: user, content: Which port?}]$RUBRICS},
  {id: second, expected_outcome: Names the port, input_messages: [
    {role: system, content: Be short}, {role: user, content: [{type: text, value: Which port?}]}]$RUBRICS,
    execution: {target: default, evaluators: [{name: length, type: token_usage}]}, metadata: {team: search}},
  {id: third, input: Which port?, expected_outcome: Names the port, note: From a ticket$RUBRICS}]}"""

BLOCK = [Style("block", *each) for each in product((2, 3, 4, 8), (False, True), ("\n", "\r\n"))]
EXACT = [*BLOCK, Style("flow"), Style("flow", 4, True, "\r\n"), Style("json"), Style("jsonl")]
SHAPES = ("block", "flow", "values", "lines", "json", "jsonl")
ALL = [Style(*each) for each in product(SHAPES, (2, 4), (False, True), ("\n", "\r\n"), (False, True))]
CORNERS = [Style(shape, *each) for shape in SHAPES for each in ((2, False, "\n", False), (4, True, "\r\n", True))]


def _suite(rubrics: str, notation: str = _SUITE) -> Part:
    return read(notation.replace("$RUBRICS", rubrics))


def _text(suite: Part, style: Style) -> str:
    written = write(suite, style)
    assert written is not None
    return written.text


def _path(style: Style) -> str:
    return "suite.jsonl" if style.shape == "jsonl" else "suite.eval.yaml"


@pytest.mark.parametrize("style", EXACT, ids=str)
def test_what_is_generated_is_what_an_author_of_the_file_would_have_written(style: Style) -> None:
    """The text is, to the last character, that of the same suite written with its criteria in the same style."""
    result = generated(_text(_suite(""), style), _path(style))
    assert result.text == _text(_suite(f", rubrics: {_CRITERIA}"), style)
    assert [each.case_id for each in result.written] == ["first", "second", "third"]


@pytest.mark.parametrize("style", [style for style in EXACT if "json" not in style.shape], ids=str)
def test_score_ranges_are_written_in_the_same_style(style: Style) -> None:
    """They take the short form, whose keys are set in like all keys of the file."""
    result = generated(_text(_suite(""), style), _path(style), RANGES)
    assert result.text == _text(_suite(f", rubrics: {_BANDS}"), style)


@pytest.mark.parametrize("nothing", ["[]", "∅", "null", "~"])
@pytest.mark.parametrize("style", CORNERS, ids=str)
def test_an_empty_list_is_replaced_in_every_style(style: Style, nothing: str) -> None:
    """Nothing else is touched: comments, line breaks and the other values of the case stay."""
    if nothing == "~" and "json" in style.shape:
        nothing = "null"
    result = generated(_text(_suite(f", rubrics: {nothing}"), style), _path(style))
    assert len(result.written) == 3


@st.composite
def _styled_texts(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a suite in some style, with a byte order mark or without, and perhaps without its last line break."""
    style = draw(st.sampled_from(ALL))
    nothing = draw(st.sampled_from(("", "", ", rubrics: []", ", rubrics: ∅")))
    text = _text(_suite(nothing), style)
    if draw(st.booleans()):
        text = text.removesuffix(style.line_break)
    return draw(st.sampled_from(("", "\ufeff"))) + text, _path(style)


@pytest.mark.slow
@given(_styled_texts(), st.sampled_from((CHECKLIST, RANGES)))
@example(("\ufeff" + _text(_suite(""), Style("block", 4, True, "\r\n", True)).rstrip(), "suite.eval.yaml"), RANGES)
def test_every_case_of_every_style_gets_its_criteria(suite: tuple[str, str], criteria: tuple[object, ...]) -> None:
    """All promises hold, and a second run finds nothing left to do."""
    text, path = suite
    result = generated(text, path, criteria)
    assert len(result.written) == 3
    assert generated(result.text, path, criteria).text == result.text


def _without_rubrics(text: str) -> str:
    """Leave out every list of criteria of a text in block style, or of JSON Lines."""
    if text.startswith("{"):
        cases = [json.loads(line) for line in text.splitlines()]
        return "".join(
            json.dumps({key: value for key, value in case.items() if key != "rubrics"}) + "\n" for case in cases
        )
    return re.sub(r"^( *)rubrics:.*\n(?:\1[ #].*\n|[ ]*\n(?=\1 ))*", "", text, flags=re.MULTILINE)


WRITTEN_IN_EXAMPLES = {
    "broken.eval.yaml": [],
    "cases.jsonl": ["capital-of-france", "capital-of-australia"],
    "checklist.eval.yaml": ["quicksort-for-beginners", "stable-or-not"],
    "mixed.eval.yaml": ["monthly-revenue"],
    "score-ranges.eval.yaml": ["review-of-a-retry-loop"],
    "scorecard.eval.yaml": ["lost-parcel"],
}
"""The cases of each example that get criteria once theirs are gone. All cases of the broken one have other errors."""


@pytest.mark.parametrize("criteria", [CHECKLIST, RANGES], ids=["checklist", "ranges"])
@pytest.mark.parametrize("name", WRITTEN_IN_EXAMPLES)
def test_the_examples_keep_all_promises(name: str, criteria: tuple[object, ...]) -> None:
    """They have criteria already, so nothing is generated; without these they get new ones."""
    text = (ROOT / "examples" / name).read_bytes().decode()
    assert generated(text, name, criteria).text == text
    result = generated(_without_rubrics(text), name, criteria)
    assert [each.case_id for each in result.written] == WRITTEN_IN_EXAMPLES[name]


@pytest.mark.parametrize("criteria", [CHECKLIST, RANGES], ids=["checklist", "ranges"])
@pytest.mark.parametrize(
    "path", sorted((ROOT / "benchmarks/shapes/agentv-2").glob("*.yaml")), ids=lambda path: path.name
)
def test_the_shapes_of_the_benchmarks_keep_all_promises(path: Path, criteria: tuple[object, ...]) -> None:
    """Each is a case of its own; without its criteria it gets new ones."""
    words = path.read_text(encoding="utf-8").replace("$id", "case").replace("$number", "7").replace("${limit}", "9")
    text = "evalcases:\n" + re.sub(r"\$\w+", "parcels", words)
    assert generated(text, criteria=criteria).text == text
    result = generated(_without_rubrics(text), criteria=criteria)
    assert [each.case_id for each in result.written] == ["case"]


@st.composite
def _odd_cases(draw: st.DrawFn) -> str:
    """Draw a case whose values, comments and blank lines are as somebody may have typed them."""
    column = draw(st.sampled_from((0, 2)))
    gap = draw(st.sampled_from((1, 1, 3)))
    indent = column + 1 + gap
    pad = " " * indent
    fields = [["id: $ID"], ["expected_outcome: Names it"], ["input: Which?"]]
    texts = draw(st.lists(st.sampled_from(("note", "description", "question")), unique=True))
    fields += ([f"{key}: {draw(scalars(indent))}".rstrip(" ")] for key in texts)
    data = draw(st.lists(st.sampled_from(("metadata", "reference_answer")), unique=True))
    fields += ([f"{key}:", *draw(blocks(indent, 2))] for key in data)
    if draw(st.booleans()):
        fields.append([draw(st.sampled_from(("rubrics:", "rubrics: []", "rubrics: ~  # none", "rubrics: [ ]")))])
    lines: list[str] = []
    for number, field in enumerate(draw(st.permutations(fields))):
        front = " " * column + "-" + " " * gap if number == 0 else pad
        lines += [front + field[0], *field[1:]]
        remark = st.sampled_from(("", "", " " * column + "# out", f"{pad}# here", f"{pad}    # in", f"{pad}# rubrics:"))
        lines += draw(st.lists(remark, max_size=3)) if draw(st.integers(0, 3)) == 0 else []
    return "".join(f"{line}\n" for line in lines)


@st.composite
def _odd_suites(draw: st.DrawFn) -> str:
    first = draw(_odd_cases())
    column = len(first) - len(first.lstrip(" "))
    others = [case for case in draw(st.lists(_odd_cases(), max_size=2)) if len(case) - len(case.lstrip(" ")) == column]
    cases = "".join(case.replace("$ID", f"case-{number}") for number, case in enumerate((first, *others)))
    text = f"evalcases:\n{cases}" + draw(st.sampled_from(("", "\ndescription: last\n", "# end\n")))
    if draw(st.integers(0, 4)) == 0:
        text = text.replace("\n", "\r\n")
    return text.rstrip("\r\n") if draw(st.integers(0, 4)) == 0 else text


@pytest.mark.slow
@given(_odd_suites(), st.sampled_from((CHECKLIST, RANGES)))
def test_whatever_was_typed_stays_as_it_is(text: str, criteria: tuple[object, ...]) -> None:
    """Block scalars of every kind, comments at any column, blank lines: a case gets its criteria or is left alone."""
    generated(text, criteria=criteria)
