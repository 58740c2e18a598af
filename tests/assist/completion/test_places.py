"""Where the cursor is decides what is proposed, also while the text around it is half typed."""

from __future__ import annotations

import pytest
from completions import accepted, complete_at, labels_at

_CASE = """\
evalcases:
  - id: port
    expected_outcome: Names the port
    input: Which port?
"""
_CRITERION = f"""\
{_CASE}    rubrics:
      - id: named
"""
_NEXT = """\
  - id: other
    expected_outcome: Works
"""


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        pytest.param(f"{_CRITERION}        req$0", ["required", "required_min_score"], id="a key, file without an end"),
        pytest.param(f"{_CRITERION}        req$0\n", ["required", "required_min_score"], id="a key, with a last break"),
        pytest.param(f"{_CRITERION}        $0", ["expected_outcome", "weight"], id="an indented empty line at the end"),
        pytest.param(f"{_CRITERION}        $0\n{_NEXT}", ["expected_outcome"], id="an empty line before another case"),
        pytest.param(f"{_CRITERION}        required: $0", ["true", "false"], id="an empty value"),
        pytest.param(f"{_CRITERION}        required:$0\n", ["true", "false"], id="directly behind the colon"),
        pytest.param(f"{_CRITERION}        required: tr$0\n", ["true", "false"], id="a half-typed value"),
        pytest.param(f"{_CRITERION}        required: $0 # why\n", ["true"], id="a value before a comment"),
        pytest.param(f"{_CRITERION}      - $0", ["checklist criterion", "id"], id="a dash alone"),
        pytest.param(f"{_CRITERION}      -$0\n", ["checklist criterion", "id"], id="a dash without a space"),
        pytest.param(f"{_CRITERION}      - ex$0\n", ["expected_outcome"], id="a word behind a dash"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a, $0}}]\n", ["weight", "required"], id="in braces"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a,$0}}]\n", ["weight", "required"], id="directly behind a comma"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a, we$0}}]\n", ["weight"], id="a half-typed key in braces"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a, required: $0}}]\n", ["true"], id="a value in braces"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a, required:$0}}]\n", ["true"], id="behind a colon in braces"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a, $0\n", ["weight"], id="braces that are not closed"),
        pytest.param(f"{_CASE}    rubrics: [{{id: a, $0\n{_NEXT}", ["weight"], id="open braces before another case"),
        pytest.param(f"{_CASE}    rubrics: [$0]\n", ["criterion"], id="in brackets"),
        pytest.param(
            f"{_CASE}    rubrics: [\n      {{id: a}},\n      $0\n    ]\n", ["criterion"], id="lines in brackets"
        ),
        pytest.param(f"{_CASE}    rubrics:\n      $0\n", ["criterion"], id="the first item"),
        pytest.param(f"{_CASE}    rubrics: $0\n", ["criterion"], id="a list behind its key"),
        pytest.param(f"{_CASE}    execution:\n      tar$0\n", ["target"], id="the first key of a mapping"),
        pytest.param(f"{_CASE}    execution:\n      $0\n{_NEXT}", ["target", "evaluators"], id="before the first key"),
        pytest.param(f"{_CASE}    execution:\n      $0\n      target: x\n", ["evaluators"], id="above the first key"),
        pytest.param("evalcases:\n  $0\n  - id: a\n", ["case"], id="above the first case"),
        pytest.param("evalcases:\n  - $0\n    expected_outcome: Works\n", ["id"], id="a dash whose key was deleted"),
        pytest.param("evalcases:\n  - i$0\n    expected_outcome: Works\n", ["id"], id="the first key, typed again"),
        pytest.param(f"{_CASE}    note: |\n      Text\n    $0\n", ["rubrics"], id="behind a block text"),
        pytest.param(f'{_CASE}    note: "not closed\n    $0\n', ["rubrics"], id="below quotes that are not closed"),
        pytest.param(f"{_CASE}des$0\n", ["description", "scorecards"], id="a top-level key behind the cases"),
        pytest.param(f"des$0\n{_CASE}", ["description", "scorecards"], id="a top-level key above the cases"),
        pytest.param(f"$0\n{_CASE}", ["description"], id="the first line"),
        pytest.param(f"\ufeffdes$0\n{_CASE}", ["description"], id="behind a byte order mark"),
        pytest.param(f"%YAML 1.2\n---\n$0\n{_CASE}", ["description"], id="behind a document marker"),
        pytest.param(f"{_CASE}---\n{_CASE}    $0", ["rubrics"], id="in the second YAML document"),
        pytest.param("{evalcases: [{id: a, $0}]}", ["rubrics"], id="a whole file in braces"),
        pytest.param("---\n$0", ["eval suite"], id="a file with a marker only"),
        pytest.param("# Notes\n\n$0\n", ["eval suite"], id="a file with comments only"),
        pytest.param("$0", ["eval suite", "evalcases"], id="an empty file"),
    ],
)
def test_what_fits_is_proposed(marked: str, expected: list[str]) -> None:
    """While the case is broken, completion works inside of it."""
    labels = labels_at(marked)
    assert set(expected) <= set(labels), labels


@pytest.mark.parametrize(
    "marked",
    [
        pytest.param(f"{_CASE}    # a remark $0\n", id="a comment"),
        pytest.param(f"{_CASE}    # $0\n", id="a comment that was just started"),
        pytest.param(f"{_CASE}    note: x # $0\n", id="a comment behind a value"),
        pytest.param(f"{_CASE}    rubrics: [\n      # $0\n    ]\n", id="a comment in brackets"),
        pytest.param(f"{_CASE}    note: |\n      Te$0xt\n", id="a block text"),
        pytest.param(f"{_CASE}    note: |\n      Text\n      $0\n", id="an empty line of a block text"),
        pytest.param(f"{_CASE}    note: |\n      Text\n$0\n      more\n", id="an empty line inside of a block text"),
        pytest.param(f"{_CASE}    note: |\n      $0", id="a block text that was just started"),
        pytest.param(f"{_CASE}    rubrics:\n      - >\n        Te$0xt\n", id="a block text as an item"),
        pytest.param(f'{_CASE}    note: "two\n      li$0nes"\n', id="quotes of two lines"),
        pytest.param(f"{_CASE}    note: 'two\n\n$0\n      lines'\n", id="an empty line in quotes"),
        pytest.param(f"{_CASE}    note: some words\n      that go $0on\n", id="plain text of two lines"),
        pytest.param(f"{_CASE}    note: so$0me\n", id="free text"),
        pytest.param(f"{_CASE}    note:\n      $0\n", id="below a key for free text"),
        pytest.param(f"{_CASE}    id: $0\n", id="an id"),
        pytest.param(f"{_CASE}    metadata:\n      $0\n", id="keys of one's own"),
        pytest.param(f"{_CASE}    nonsense:\n      $0\n", id="below a key that nobody knows"),
        pytest.param(f"{_CASE}    rubrics:\n      - Names the p$0ort\n", id="the text of a criterion"),
        pytest.param(f"{_CASE}    rubrics:\n      - Na$0\n", id="the first word of a criterion"),
        pytest.param(f'{_CASE}    rubrics:\n      - "Names$0"\n', id="the text of a criterion in quotes"),
        pytest.param(f"{_CASE}  $0  - id: other\n", id="before a dash"),
        pytest.param(f"{_CASE}    &anchor $0\n", id="behind an anchor"),
        pytest.param(f"{_CASE}    required: true  $0\n", id="behind a value"),
        pytest.param(f"$0\n---\n{_CASE}", id="before a document marker"),
        pytest.param(f"{_CASE}    assertions:\n      - $0\n", id="a dialect without a table"),
        pytest.param(f"{_CASE}    rubrics: [[$0]]\n", id="a list in a list"),
        pytest.param(f"{_CASE}    rubrics: [{{[$0]: x}}]\n", id="a list as a key"),
    ],
)
def test_nothing_is_proposed_in_texts_and_comments(marked: str) -> None:
    """Where anything could be written, or nothing that we know, there is no list in the author's way."""
    assert labels_at(marked) == []


@pytest.mark.parametrize(
    ("line", "label", "expected"),
    [
        ("        requi$0red: true", "required_min_score", "        required_min_score: true"),
        ("        re$0q", "required", "        required: true"),
        ("        required: fa$0lse", "true", "        required: true"),
        ("        required:$0", "true", "        required: true"),
        ('        "requi$0red": true', "weight", "        weight: true"),
        ("      -$0", "weight", "      - weight: 1.0"),
        ("            $0", "weight", "        weight: 1.0"),
        ("   \t     $0", "weight", "        weight: 1.0"),
        ("        $0   ", "weight", "        weight: 1.0   "),
    ],
)
def test_the_whole_word_is_replaced(line: str, label: str, expected: str) -> None:
    """What is behind the cursor goes too, and a colon that is there is not put there again."""
    assert accepted(f"{_CRITERION}{line}\n", label) == f"{_CRITERION}{expected}\n"


@pytest.mark.parametrize(
    ("written", "label", "expected"),
    [
        ("{id: a, $0}", "weight", "{id: a, weight: 1.0}"),
        ("{id: a,$0}", "weight", "{id: a, weight: 1.0}"),
        ("{$0id: a}", "weight", "{weight: a}"),
        ("{$0 id: a}", "weight", "{weight: 1.0,  id: a}"),
        ("{id: a, we$0 }", "weight", "{id: a, weight: 1.0 }"),
        ("{id: a, score_ranges: {0: x, $0}}", "3", "{id: a, score_ranges: {0: x, 3: }}"),
        ('{"id": "a", $0}', "weight", '{"id": "a", "weight": 1.0}'),
        ('{"id": "a", "we$0"}', "weight", '{"id": "a", "weight": 1.0}'),
        ('{"id": "a", "we$0": 2}', "required", '{"id": "a", "required": 2}'),
        ("Names it, $0", "criterion", "Names it, What the answer must do"),
        ("$0 Names it", "criterion", "What the answer must do,  Names it"),
    ],
)
def test_brackets_keep_their_commas(written: str, label: str, expected: str) -> None:
    """In brackets a proposal brings the comma that it needs, and JSON stays JSON."""
    assert accepted(f"{_CASE}    rubrics: [{written}]\n", label) == f"{_CASE}    rubrics: [{expected}]\n"


@pytest.mark.parametrize(
    ("column", "expected"),
    [(0, "scorecards"), (2, "case"), (3, "case"), (4, "metadata"), (5, "metadata"), (6, "criterion"), (8, "weight")],
)
def test_the_column_of_an_empty_line_decides(column: int, expected: str) -> None:
    """Between two columns the outer one counts."""
    labels = labels_at(f"{_CRITERION}{' ' * column}$0")
    assert expected in labels
    assert len({"description", "case", "criterion"} & set(labels)) <= (column != 8)


@pytest.mark.parametrize("column", [0, 2, 4, 6])
def test_an_empty_line_never_tears_a_mapping_apart(column: int) -> None:
    """However far left the cursor is, a line between two keys of a criterion belongs to the criterion."""
    labels = labels_at(f"{_CRITERION}{' ' * column}$0\n        weight: 2\n")
    assert "required" in labels
    assert "scorecard" not in labels
    assert "weight" not in labels
    after = accepted(f"{_CRITERION}{' ' * column}$0\n        weight: 2\n", "required")
    assert after == f"{_CRITERION}        required: true\n        weight: 2\n"


def test_an_empty_line_between_two_cases_belongs_to_the_list() -> None:
    """A top-level key there would end the list before its last case."""
    assert labels_at(f"{_CASE}$0\n{_NEXT}") == ["case"]
    after = accepted(f"{_CASE}$0\n{_NEXT}", "case")
    assert after.startswith(f"{_CASE}  - id: case-id\n    expected_outcome: ")
    assert after.endswith(f"\n{_NEXT}")


def test_in_a_flush_list_both_keys_and_items_fit() -> None:
    """Dashes and keys are in one column there."""
    labels = labels_at("evalcases:\n- id: a\n  rubrics:\n  - Names it\n  $0")
    assert {"criterion", "input_messages"} <= set(labels)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"id": "a", "rubrics": ["x"], $0}', {"expected_outcome", "input"}),
        ('{"id": "a", "rubrics": ["x"], "$0"}', {"expected_outcome", "input"}),
        ('{"id": "a", "rubrics": ["x"], "ex$0', {"expected_outcome"}),
        ('{"id": "a", "rubrics": [{"id": "b", "required": $0}]}', {"true", "false"}),
        ('{"id": "a", "rubrics": ["x"], "input": [{"role": "$0"}]}', {"user", "tool"}),
        ('{"id": "a", "rubrics": [$0]}', {"checklist criterion"}),
        ('{"id": "a", "rubrics": ["$0"]}', set()),
    ],
)
def test_a_line_of_json_is_a_case(line: str, expected: set[str]) -> None:
    """In a JSON Lines file keys and strings are proposed in quotes."""
    first = '{"id": "first", "rubrics": ["x"]}\n'
    labels = set(labels_at(f"{first}{line}\n", "a.jsonl"))
    assert expected <= labels
    assert bool(expected) is bool(labels)


def test_json_is_written_as_json() -> None:
    """Keys and strings get quotes, numbers and booleans do not."""
    line = '{"id": "a", "rubrics": ["x"], $0}'
    assert accepted(line, "input", "a.jsonl") == '{"id": "a", "rubrics": ["x"], "input": ""}'
    line = '{"id": "a", "rubrics": ["x"], "scorecard": {"weights": {$0}}}'
    assert accepted(line, "safety", "a.jsonl").endswith('{"weights": {"safety": 0.10}}}')


@pytest.mark.slow
def test_a_chunk_without_an_end_is_left_alone() -> None:
    """A text that cannot be cut and is very long would take longer than a keystroke."""
    text = "{evalcases: [" + "{id: a}, " * 30_000 + "{$0}]}"
    _, found = complete_at(text)
    assert found is None


@pytest.mark.parametrize("below", ["", "    rubrics: []\n"])
def test_a_key_without_a_value_is_filled_in_also_where_more_keys_follow(below: str) -> None:
    """The line belongs to the key above it, whatever is further down."""
    assert labels_at(f"evalcases:\n  - id: a\n    execution:\n      $0\n{below}")[:2] == ["target", "evaluators"]
