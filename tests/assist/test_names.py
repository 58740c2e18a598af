"""The name under the cursor: its definition and its references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from assistance import cut_cursor, finished
from hypothesis import example, given
from hypothesis import strategies as st
from yaml_texts import mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.names.lookup import definition_of, name_at, references_to
from rubric_core.syntax.parse import parse

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Tree

PATH = "a.eval.yaml"

SUITE = """\
scorecards:
  house: {bonuses: [Is kind]}
  "other one": {bonuses: [Is kind]}
target: fast
execution:
  target: fast
  evaluators:
    - {name: judge, type: llm_judge, target: slow}
bands: &bands {0: None, 5: All}
evalcases:
  - id: first
    expected_outcome: Mentions the scorecard house and *bands
    input: Which?
    scorecard: house  # not house
    rubrics:
      - {id: names-it, score_ranges: *bands}
      - {id: names-it, expected_outcome: x}
    execution:
      target: slow
      evaluators:
        - name: gate
          type: composite
          evaluators:
            - {name: safe, type: llm_judge, rubrics: [{id: names-it, expected_outcome: y}]}
            - {name: good, type: llm_judge}
          aggregator: {type: weighted_average, weights: {safe: 0.3, good: 0.7}}
  - id: second
    expected_outcome: x
    input: Which?
    scorecard: 'house'
  - id: first
    expected_outcome: x
    input: Which?
    scorecard: other one
    rubrics: [{id: b, score_ranges: *bands}]
"""


def at(text: str, stretch: str, number: int = 1) -> int:
    """Return the offset just inside of an occurrence of a stretch, the first one being 1."""
    start = -1
    for _ in range(number):
        start = text.index(stretch, start + 1)
    return start + 1


def lines_with(text: str, offset: int) -> list[tuple[int, str, bool]]:
    """Return the references to the name at an offset: the line, the text there, and whether it defines the name."""
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, offset)
    assert name is not None, "There is no name."
    found = finished(references_to(analysis, name))
    return [(text[: each.span.start].count("\n") + 1, text[slice(*each.span)], each.defines) for each in found]


@pytest.mark.parametrize(
    ("stretch", "number", "kind", "text"),
    [
        ("first", 1, "CASE", "first"),
        ("names-it", 1, "CRITERION", "names-it"),
        ("judge", 1, "EVALUATOR", "judge"),
        ("safe", 2, "EVALUATOR", "safe"),
        ("house", 1, "SCORECARD", "house"),
        ("house", 3, "SCORECARD", "house"),
        ("other one", 1, "SCORECARD", "other one"),
        ("fast", 1, "TARGET", "fast"),
        ("slow", 1, "TARGET", "slow"),
        ("slow", 2, "TARGET", "slow"),
        ("bands", 2, "ANCHOR", "bands"),
        ("bands", 4, "ANCHOR", "bands"),
    ],
)
def test_a_name_is_reported_by_its_place(stretch: str, number: int, kind: str, text: str) -> None:
    """The same word is a name in one place and plain text in another."""
    analysis = analyse(SUITE, path=PATH)
    name = name_at(analysis, at(SUITE, stretch, number))
    assert name is not None
    assert (name.kind.name, name.text, SUITE[slice(*name.span)]) == (kind, text, text)


@pytest.mark.parametrize(
    ("stretch", "number"),
    [("scorecards", 1), ("house", 2), ("bands", 3), ("not house", 1), ("Which", 1), ("kind", 1), ("llm_judge", 1)],
    ids=["key", "text", "text with a star", "comment", "input", "bonus", "type"],
)
def test_other_words_are_no_names(stretch: str, number: int) -> None:
    """Keys, texts and comments are not what anybody refers to."""
    assert name_at(analyse(SUITE, path=PATH), at(SUITE, stretch, number)) is None


@pytest.mark.parametrize(
    ("stretch", "number", "line", "whole"),
    [
        ("house", 3, 2, "house: {bonuses: [Is kind]}"),
        ("house", 5, 2, "house: {bonuses: [Is kind]}"),
        ("other one", 2, 3, '"other one": {bonuses: [Is kind]}'),
        ("bands", 4, 9, "&bands"),
        ("bands", 5, 9, "&bands"),
        ("first", 2, 11, "first"),
        ("names-it", 2, 16, "names-it"),
        ("names-it", 3, 24, "names-it"),
        ("safe", 2, 24, "safe"),
    ],
)
def test_a_name_leads_to_its_definition(stretch: str, number: int, line: int, whole: str) -> None:
    """Of ids that are there twice, the first one counts."""
    analysis = analyse(SUITE, path=PATH)
    name = name_at(analysis, at(SUITE, stretch, number))
    assert name is not None
    found = finished(definition_of(analysis, name))
    assert found is not None
    assert SUITE[slice(*found.span)] == whole
    assert SUITE[: found.span.start].count("\n") + 1 == line
    assert found.span.start <= found.name_span.start <= found.name_span.end <= found.span.end


def test_targets_and_unknown_names_have_no_definition_in_the_file() -> None:
    """Targets are defined in a file of their own."""
    text = "evalcases:\n  - {id: a, rubrics: [], scorecard: none, note: *gone, execution: {target: t}}\n"
    analysis = analyse(text, path=PATH)
    for stretch in ("none", "gone", "t}"):
        name = name_at(analysis, text.index(stretch) + 1)
        assert name is not None
        assert finished(definition_of(analysis, name)) is None


@pytest.mark.parametrize(
    ("stretch", "number", "expected"),
    [
        ("house", 1, [(2, "house", True), (14, "house", False), (30, "house", False)]),
        ("first", 1, [(11, "first", True), (31, "first", True)]),
        ("second", 1, [(27, "second", True)]),
        ("names-it", 1, [(16, "names-it", True), (17, "names-it", True)]),
        ("names-it", 3, [(24, "names-it", True)]),
        ("safe", 1, [(24, "safe", True), (26, "safe", False)]),
        ("slow", 1, [(8, "slow", False), (19, "slow", False)]),
        ("bands", 4, [(9, "bands", True), (16, "bands", False), (35, "bands", False)]),
    ],
)
def test_references_are_the_places_that_mean_the_same(
    stretch: str, number: int, expected: list[tuple[int, str, bool]]
) -> None:
    """An id that is there twice counts twice; a criterion means nothing outside of its list."""
    assert lines_with(SUITE, at(SUITE, stretch, number)) == expected


def test_an_anchor_that_is_defined_again_is_another_one() -> None:
    """An alias means the last anchor above it, within its YAML document."""
    text = (
        "x: &a 1\ny: *a\nz: [&a 2, *a]\n"
        "evalcases:\n  - {id: *a, rubrics: []}\n---\nx: *a\nevalcases:\n  - {id: b, rubrics: []}\n"
    )
    assert lines_with(text, at(text, "*a")) == [(1, "a", True), (2, "a", False)]
    assert lines_with(text, at(text, "*a", 2)) == [(3, "a", True), (3, "a", False), (5, "a", False)]
    assert lines_with(text, at(text, "*a", 4)) == [(7, "a", False)]


@pytest.mark.parametrize(
    "text",
    [
        "x: &a {b: 1}\ny: {<<: *a}\nevalcases: [{id: c, rubrics: []}]\n",
        "x: &a {b: 1}\ny:\n  <<: [*a]\nevalcases: [{id: c, rubrics: []}]\n",
        "x: &a {b: 1}\ny: {<<: {c: *a}}\nevalcases: [{id: c, rubrics: []}]\n",
        "x: &a # not &a\n  b: '&a'\ny: *a\nevalcases: [{id: c, rubrics: []}]\n",
        "x: !!map &a {b: 1}\ny: {? *a : c}\nevalcases: [{id: c, rubrics: []}]\n",
    ],
    ids=["merge", "merges", "merge in braces", "comment and quotes", "tag and key"],
)
def test_anchors_and_aliases_are_found_wherever_yaml_allows_them(text: str) -> None:
    """What is in quotes and comments is none."""
    lines = [(number, defines) for number, _, defines in lines_with(text, text.rindex("*a") + 1)]
    assert [defines for _, defines in lines] == [True, False]
    assert lines[0][0] == 1


@pytest.mark.parametrize(
    ("marked", "kind", "defined"),
    [
        ("x: &a 1\nevalcases:\n  - id: b\n    rubrics: [*$0a\n", "ANCHOR", "&a"),
        ("scorecards: {c: {}}\nevalcases:\n  - id: b\n    scorecard: $0c\n    rubrics: [\n", "SCORECARD", "c: {}"),
        ("evalcases:\n  - id: $0b\n    rubrics: [\n", "CASE", "b"),
        ("evalcases:\n  - id: a\n    execution: {target: '$0b', c: [\n    rubrics: [\n", "TARGET", None),
    ],
    ids=["alias", "scorecard", "case", "target"],
)
def test_names_are_followed_while_the_case_is_half_typed(marked: str, kind: str, defined: str | None) -> None:
    """A tolerant look at the line is enough to know what is meant."""
    text, offset = cut_cursor(marked)
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, offset)
    assert name is not None
    assert name.kind.name == kind
    found = finished(definition_of(analysis, name))
    assert (text[slice(*found.span)] if found is not None else None) == defined


def test_comments_of_half_typed_text_hold_no_names() -> None:
    """A star in a comment is no alias."""
    text, offset = cut_cursor("evalcases:\n  - id: b\n    rubrics: [ # see *$0a\n")
    assert name_at(analyse(text, path=PATH), offset) is None


def test_json_lines_have_names_too() -> None:
    """Ids of cases and criteria, targets."""
    text = '{"id": "a", "rubrics": [{"id": "b", "expected_outcome": "x"}]}\n{"id": "a", "execution": {"target": "t"}}\n'
    analysis = analyse(text, path="a.jsonl")
    for stretch, count in (('"a"', 2), ('"b"', 1), ('"t"', 1)):
        name = name_at(analysis, text.index(stretch) + 1)
        assert name is not None
        assert len(finished(references_to(analysis, name))) == count


def test_other_yaml_has_no_names() -> None:
    """Others know what its names mean."""
    text = "x: &a 1\ny: *a\n"
    assert name_at(analyse(text, path="compose.yaml"), text.index("*a")) is None
    two = "evalcases:\n  - {id: a, rubrics: []}\n---\nx: &a 1\n"
    assert name_at(analyse(two, path="a.yaml"), two.index("&a")) is None


@pytest.mark.parametrize("stretch", ["house}", "first", "one,", "*bands"])
def test_a_name_is_followed_in_a_file_that_is_not_read_yet(stretch: str) -> None:
    """Reading on may join what was cut, so that the name is elsewhere in the list of chunks."""
    text = (
        "scorecards: {house: {bonuses: [x]}}\nbands: &bands {0: None, 5: All}\nevalcases:\n"
        "  - {id: zero, note: 'one\n  - two'}\n  - {id: zero, note: 'one\n  - two'}\n"
        "  - id: first\n    rubrics: [{id: one, score_ranges: *bands}]\n    input: {scorecard: house}\n"
        "  - {id: last, rubrics: [], scorecard: house}\n"
    )
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, text.rindex(stretch) + 1)
    assert name is not None
    assert name.span in {each.span for each in finished(references_to(analysis, name))}
    again = analyse(text, path=PATH)
    name = name_at(again, text.rindex(stretch) + 1)
    assert name is not None
    assert finished(definition_of(again, name)) is not None


def test_a_text_that_turns_out_to_mean_something_else_has_no_name_any_more() -> None:
    """What looks like a case may be the rest of a quoted text further up."""
    text = "evalcases:\n  - {id: a, note: 'one\n\n  - id: b\n    rubrics: []\n  - id: c'}\n"
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, text.index("b\n"))
    assert name is not None
    assert finished(references_to(analysis, name)) == []
    again = analyse(text, path=PATH)
    assert finished(definition_of(again, name)) is None


def test_only_chunks_that_can_have_the_name_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of thousands of cases is searched as text first; the second time nothing is parsed at all."""
    case = "  - {id: c%d, expected_outcome: x, input: y, scorecard: %s}\n"
    cases = "".join(case % (number, "house" if number == 7 else "other") for number in range(50))
    text = f"evalcases:\n{cases}scorecards: {{house: {{bonuses: [a]}}, other: {{bonuses: [b]}}}}\n"
    analysis = analyse(text, path=PATH)
    analysis.refresh()
    for chunk in analysis.document.chunks:
        chunk.tree = None
    name = name_at(analysis, at(text, "house"))
    assert name is not None
    parsed: list[str] = []

    def note(text: str, **options: Any) -> Tree:
        parsed.append(text)
        return parse(text, **options)

    monkeypatch.setattr("rubric_core.syntax.parsed_chunks.parse", note)
    assert len(finished(references_to(analysis, name))) == 2
    assert len(parsed) <= 2
    parsed.clear()
    assert len(finished(references_to(analysis, name))) == 2
    assert parsed == []


@given(mangled(), st.integers(-5, 400))
@example(SUITE, SUITE.index("*bands}"))
def test_any_text_and_offset_can_be_asked_about(text: str, offset: int) -> None:
    """Nothing raises, a name is among its own references, and its definition has its name."""
    for path in (PATH, "a.jsonl"):
        analysis = analyse(text, path=path)
        name = name_at(analysis, offset)
        if name is not None:
            found = finished(references_to(analysis, name))
            assert name.span in {each.span for each in found}
            finished(definition_of(analysis, name))
