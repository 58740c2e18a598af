"""What is proposed: keys of the table, values, names, scores, rules; in which order, and with which words."""

from __future__ import annotations

import pytest
from completions import accepted, complete_at, expand, labels_at

from rubric_core.analysis.check import analyse
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.completion.complete import documentation
from rubric_core.assist.completion.insert_text import TabStop, TemplateText, flow_pieces, write
from rubric_core.assist.completion.proposals import ProposalKind, Topic
from rubric_core.assist.completion.snippets import snippets_of
from rubric_core.dialects.agentv.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.schema.fields import ROLES

_CASE = """\
evalcases:
  - id: port
    expected_outcome: Names the port
"""
_EVALUATOR = f"""\
{_CASE}    execution:
      evaluators:
        - name: judge
"""


# Keys


def test_required_keys_come_first_and_old_ones_last() -> None:
    """What a case cannot do without, what most cases have, the rest, and what there is a better way for."""
    labels = labels_at("evalcases:\n  - id: port\n    $0\n")
    assert labels[:3] == ["expected_outcome", "input_messages", "rubrics"]
    assert labels.index("evaluator") > labels.index("metadata")


def test_a_key_that_is_there_is_not_proposed_again() -> None:
    """Not under its own name, and not under any other name of the same field."""
    labels = labels_at(f"{_CASE}    input: Which port?\n    $0\n    rubrics: []\n")
    assert not {"id", "expected_outcome", "criteria", "outcome", "input", "input_messages", "rubrics"} & set(labels)


@pytest.mark.parametrize(
    ("record", "marked"),
    [
        ("case", "evalcases:\n  - $0\n"),
        ("criterion", f"{_CASE}    rubrics:\n      - $0\n"),
        ("score-range", f"{_CASE}    rubrics:\n      - score_ranges:\n          - $0\n"),
    ],
)
def test_deprecated_names_are_never_proposed(record: str, marked: str) -> None:
    """They are only read."""
    labels = labels_at(marked)
    assert "expected_outcome" in labels
    assert RECORDS[record].deprecated
    assert not set(RECORDS[record].deprecated) & set(labels)


@pytest.mark.parametrize(
    ("present", "absent", "proposed"),
    [("score_ranges: {0: a}", "required", "required_min_score"), ("required: true", "required_min_score", "weight")],
)
def test_a_key_without_effect_is_not_proposed(present: str, absent: str, proposed: str) -> None:
    """`required` means nothing beside ranges, and a gate nothing in a checklist."""
    labels = labels_at(f"{_CASE}    rubrics:\n      - {present}\n        $0\n")
    assert absent not in labels
    assert proposed in labels


@pytest.mark.parametrize(
    ("kind", "expected", "foreign"),
    [
        ("llm_judge", "prompt", "script"),
        ("code_judge", "script", "rubrics"),
        ("code", "script", "rubrics"),
        ("latency", "threshold", "prompt"),
        ("unheard_of", "weight", "prompt"),
    ],
)
def test_the_type_of_an_evaluator_decides_about_its_keys(kind: str, expected: str, foreign: str) -> None:
    """Old names of types count; below an unknown type only what all evaluators have is proposed."""
    labels = labels_at(f"{_EVALUATOR}          type: {kind}\n          $0\n")
    assert expected in labels
    assert foreign not in labels


def test_dimensions_without_a_weight_are_proposed() -> None:
    """The seven keys of `weights` are the dimensions."""
    labels = labels_at(f"{_CASE}    scorecard:\n      weights:\n        safety: 0.5\n        $0\n")
    assert len(labels) == 6
    assert "safety" not in labels
    assert "all weights" in labels_at(f"{_CASE}    scorecard:\n      weights:\n        $0\n")


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("input_messages", "    input_messages:\n      - role: user\n        content: What is asked\n"),
        ("rubrics", "    rubrics:\n      - \n"),
        ("execution", "    execution:\n      \n"),
        ("note", "    note: \n"),
        ("input", "    input: \n"),
        ("evaluator", "    evaluator: llm_judge\n"),
    ],
)
def test_a_key_brings_what_follows_it(label: str, expected: str) -> None:
    """A list or a mapping starts on the next line, a choice with the first value."""
    for snippet in (False, True):
        assert accepted(f"{_CASE}    $0\n", label, snippet=snippet) == _CASE + expected


@pytest.mark.parametrize(
    ("marked", "label", "expected"),
    [
        (
            "    rubrics:\n      - score_ranges: {0: a, 4: b}\n        $0\n",
            "required_min_score",
            "required_min_score: 4",
        ),
        ("    rubrics:\n      - id: a\n        $0\n", "required_min_score", "required_min_score: 7"),
        ("    $0\n", "scorecard", "scorecard: mail"),
        ("    execution:\n      $0\n", "target", "target: staging"),
    ],
)
def test_a_key_goes_on_with_what_the_file_knows(marked: str, label: str, expected: str) -> None:
    """The edge of a band, a scorecard of the file, a target of the targets file."""
    known = KnownProject(targets=frozenset({"staging"}))
    text = f"scorecards: {{mail: {{}}}}\n{_CASE}{marked}"
    for snippet in (False, True):
        assert expected in accepted(text, label, project=known, snippet=snippet)


# Values


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (f"{_CASE}    input:\n      - role: $0\n", list(ROLES)),
        (f"{_EVALUATOR}          type: $0\n", list(EVALUATOR_TYPES)),
        (f"{_CASE}    evaluator: $0\n", list(EVALUATOR_TYPES)),
        (f"{_CASE}    input:\n      - content:\n          - type: $0\n", ["text", "file"]),
        (f"{_EVALUATOR}          type: tool_trajectory\n          mode: $0\n", ["any_order", "in_order", "exact"]),
        (f"{_CASE}    rubrics:\n      - required: $0\n", ["true", "false"]),
    ],
)
def test_values_come_from_the_table(marked: str, expected: list[str]) -> None:
    """In the order of the table, and without the names of old."""
    labels = labels_at(marked)
    assert labels == expected
    assert not set(OLD_EVALUATOR_TYPES) & set(labels)


@pytest.mark.parametrize(
    "place",
    ["    execution:\n      target: $0\n", "    execution: {target: $0}\n", "    execution:\n      target: st$0\n"],
)
def test_targets_come_from_the_targets_file(place: str) -> None:
    """Where there is no such file, nothing is proposed."""
    known = KnownProject(targets=frozenset({"staging", "default", "on"}))
    assert labels_at(_CASE + place, project=known) == ["default", "on", "staging"]
    assert labels_at(_CASE + place) == []


def test_a_name_that_looks_like_something_else_is_quoted() -> None:
    """To some readers of YAML `on` is a boolean."""
    known = KnownProject(targets=frozenset({"on"}))
    assert accepted(f"{_CASE}    execution:\n      target: $0\n", "on", project=known).endswith('target: "on"\n')


def test_scorecards_of_the_file_are_proposed_by_name() -> None:
    """Besides them an inline one."""
    text = f"scorecards:\n  mail: {{}}\n  code: {{}}\n{_CASE}    scorecard: $0\n"
    assert labels_at(text) == ["mail", "code", "inline scorecard"]


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ("score_ranges: {0: a, 4: b, 7: c}", ["4", "7"]),
        ("score_ranges:\n          - score_range: [0, 2]\n          - score_range: [3, 10]", ["3"]),
        ("score_ranges:\n          - score_range:\n              - 3\n              - 10", ["3"]),
        ("score_ranges: nonsense", []),
        ("weight: 1", []),
    ],
)
def test_a_gate_is_best_put_at_the_edge_of_a_band(ranges: str, expected: list[str]) -> None:
    """Anywhere else it would split a band."""
    marked = f"{_CASE}    rubrics:\n      - id: a\n        {ranges}\n        required_min_score: $0\n"
    assert labels_at(marked) == expected


# Scores


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["$0"], ["0"]),
        (["4: Some", "$0"], ["0"]),
        (["0: None", "$0"], ["3", "1", "2", "4", "5", "6", "7", "8", "9", "10"]),
        (["0: None", "4: Some", "$0"], ["8", "5", "6", "7", "9", "10"]),
        (["0: None", "$0", "4: Some"], ["3", "1", "2"]),
        (["0: None", "9: All", "$0"], ["10"]),
        (["0: None", "10: All", "$0"], []),
        (["0: None", "2$0: Some", "4: All"], ["3", "1", "2"]),
        (["0: None", "word: Some", "$0"], ["3", "1", "2", "4", "5", "6", "7", "8", "9", "10"]),
    ],
)
def test_a_score_map_goes_on_with_the_next_bound(lines: list[str], expected: list[str]) -> None:
    """The best one is as far from the last key as that is from the one before; the other free ones follow."""
    body = "".join(f"          {line}\n" for line in lines)
    labels = labels_at(f"{_CASE}    rubrics:\n      - score_ranges:\n{body}")
    assert [label for label in labels if label.isdigit()] == expected


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([], ["[0, 2]", "[0, 10]"]),
        (["[0, 2]"], ["[3, 5]", "[3, 10]"]),
        (["[0, 2]", "[6, 10]"], ["[3, 5]"]),
        (["[4, 7]"], ["[0, 3]", "[8, 10]"]),
        (["[0, 8]"], ["[9, 10]"]),
        (["[0, 10]"], []),
        (["[7, 0]", "nonsense", "[a, b]"], ["[8, 10]"]),
    ],
)
def test_an_array_goes_on_with_the_next_gap(ranges: list[str], expected: list[str]) -> None:
    """As one more band of the same width, and as all that is left; behind the key and behind a dash."""
    body = "".join(f"          - score_range: {each}\n" for each in ranges)
    text = f"{_CASE}    rubrics:\n      - score_ranges:\n{body}"
    assert labels_at(f"{text}          - score_range: $0\n") == expected
    snippets = [label for label in labels_at(f"{text}          - $0\n") if label.startswith("score range")]
    assert snippets == [f"score range {each[1:-1].replace(', ', ' to ')}" for each in expected]


def test_the_key_of_a_range_brings_the_next_gap() -> None:
    """So do the braces of a range on one line."""
    text = f"{_CASE}    rubrics:\n      - score_ranges:\n          - {{score_range: [0, 3]}}\n          - "
    assert accepted(f"{text}$0\n", "score_range") == f"{text}score_range: [4, 7]\n"
    assert accepted(f"{text}{{$0}}\n", "score_range") == f"{text}{{score_range: [4, 7]}}\n"


# Anchors


_ANCHORS = f"shared: &base\n  weight: 2\nlist: &criteria\n  - Names it\nword: &word text\n{_CASE}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    rubrics: *$0", ["*criteria"]),
        ("    rubrics: *cr$0", ["*criteria"]),
        ("    note: *$0", ["*word"]),
        ("    nonsense: *$0", ["*word", "*criteria", "*base"]),
        ("    rubrics:\n      - *$0", ["*word", "*base"]),
        ("    rubrics: [*$0]", ["*word", "*base"]),
        ("    rubrics:\n      - <<: $0", ["*base"]),
        ("    rubrics:\n      - <<: *$0", ["*base"]),
    ],
)
def test_aliases_of_anchors_that_fit(line: str, expected: list[str]) -> None:
    """Only anchors above the cursor, and only those whose value may be there."""
    assert labels_at(f"{_ANCHORS}{line}\n") == expected


def test_a_list_and_a_mapping_can_be_taken_over() -> None:
    """Where a whole list fits, an anchored one is proposed as well; a mapping also as a merge key."""
    assert "*criteria" in labels_at(f"{_ANCHORS}    rubrics: $0\n")
    merged = accepted(f"{_ANCHORS}    rubrics:\n      - id: a\n        $0\n", "<<: *base")
    assert merged.endswith("        <<: *base\n")
    assert "<<: *base" not in labels_at(f"{_ANCHORS}    rubrics:\n      - <<: *base\n        $0\n")


def test_an_anchor_of_the_broken_case_itself_counts() -> None:
    """Its shape is not known, so it is proposed where an alias was begun."""
    assert "*own" in labels_at(f"{_CASE}    note: &own text\n    question: *$0\n    broken: [\n")


def test_the_anchors_of_another_yaml_document_do_not_count() -> None:
    """They end with it."""
    assert labels_at(f"{_ANCHORS}---\n{_CASE}    rubrics: *$0\n") == []


# Comments


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# rubric: $0", ["ignore[…]", "ignore-file[…]", "file"]),
        ("# rubric:$0", ["ignore[…]", "ignore-file[…]", "file"]),
        ("# rubric: ig$0", ["ignore[…]", "ignore-file[…]", "file"]),
        ("# rubric$0", []),
        ("# rubric: ignore $0", []),
        ("# rubric: file[$0", []),
        ("# rubric: ignore[RB103] because $0", []),
    ],
)
def test_directives_are_proposed_behind_their_mark(comment: str, expected: list[str]) -> None:
    """Only a comment that speaks to us gives anything."""
    assert labels_at(f"{_CASE}    {comment}\n") == expected
    assert labels_at(f"{_CASE}    note: x {comment}\n") == expected


def test_rules_are_proposed_by_code_and_by_name() -> None:
    """Without those that are in the brackets already, on either side of the cursor."""
    labels = labels_at(f"{_CASE}    # rubric: ignore[RB103, $0, unknown-key]\n")
    assert {"RB101", "overlapping-score-ranges"} <= set(labels)
    assert not {"RB103", "uncovered-scores", "RB003", "unknown-key"} & set(labels)


def test_rules_with_something_to_report_come_first() -> None:
    """Those of the line that the comment names before those of the rest of the case."""
    labels = labels_at(f"{_CASE}    nonsense: 1\n    # rubric: ignore[$0]\n    execution: []\n")
    assert labels[:3] == ["RB004", "RB003", "RB005"]


def test_rules_that_a_comment_cannot_silence_are_left_out() -> None:
    """The configuration is another file, and the suppressions themselves are silenced for a whole file only."""
    line = labels_at(f"{_CASE}    # rubric: ignore[$0\n")
    file = labels_at(f"# rubric: ignore-file[$0\n{_CASE}")
    assert "RB903" not in {*line, *file}
    assert "RB901" not in line
    assert "RB901" in file


@pytest.mark.parametrize(
    ("comment", "label", "expected"),
    [
        ("# rubric: ig$0nore[RB103]", "ignore-file[…]", "# rubric: ignore-file[RB103]"),
        ("# rubric:$0", "file", "# rubric: file"),
        ("# rubric: $0", "ignore[…]", "# rubric: ignore["),
        ("# rubric: ignore[RB1$003]", "RB101", "# rubric: ignore[RB101]"),
        ("# rubric: ignore[unk$0]", "unknown-key", "# rubric: ignore[unknown-key]"),
        ("# rubric: ignore[RB101] # rubric: ignore[$0", "RB102", "# rubric: ignore[RB101] # rubric: ignore[RB102"),
    ],
)
def test_the_word_in_a_comment_is_replaced(comment: str, label: str, expected: str) -> None:
    """The whole word goes, and brackets that are there stay."""
    assert accepted(f"{_CASE}    {comment}\n", label) == f"{_CASE}    {expected}\n"


# Snippets and documentation


_TABLE = snippets_of(DEFAULT_DIALECT)
_NAMES = [each.name for table in _TABLE[1:] for group in table.values() for each in group]


@pytest.mark.parametrize("name", [_TABLE.suite.name, *_NAMES])
def test_every_snippet_is_proposed_somewhere(name: str) -> None:
    """Each of them belongs to some place of a suite."""
    places = [
        "$0",
        "evalcases:\n  $0\n",
        *(
            f"{_CASE}    {lines}\n"
            for lines in (
                *("input:\n      - $0", "input:\n      - content:\n          - $0", "rubrics:\n      - $0", "$0"),
                *("scorecard:\n      weights: $0", "scorecard:\n      weights:\n        $0", "scorecard: $0"),
                *("scorecard:\n      red_flags:\n        - $0", "scorecard:\n      bonuses:\n        - $0"),
                *("rubrics:\n      - score_ranges: $0", "evaluators:\n      - $0", "input:\n      - tool_calls: $0"),
            )
        ),
        f"scorecards:\n  $0\n{_CASE}",
    ]
    assert any(name in labels_at(place) for place in places)


def test_the_whole_suite_has_no_problems() -> None:
    """Not even a hint: it is what a newcomer starts from."""
    text = accepted("$0", "eval suite")
    assert analyse(text, path="a.eval.yaml").problems() == []
    assert "eval suite" not in labels_at(f"{text}$0")


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        (Topic("field", "criterion", "required"), "Default: true."),
        (Topic("field", "case", "input"), "Another name of `input_messages`."),
        (Topic("field", "message", "role"), "One of `system`, `user`, `assistant`, `tool`."),
        (Topic("field", "case", "id"), "It is a string, and it is required."),
        (Topic("field", "case", "input"), "It is a string or a list, and it is required."),
        (Topic("record", "score-map"), "Bands by their lower bound"),
        (Topic("snippet", "case"), "```yaml\nid: case-id\n"),
        (Topic("rule", "RB103"), "# uncovered-scores (RB103)"),
    ],
)
def test_documentation_of_a_topic(topic: Topic, words: str) -> None:
    """It is made when somebody asks."""
    assert words in (documentation(topic) or "")


@pytest.mark.parametrize("kind", ["field", "record", "snippet", "rule", "nonsense"])
def test_an_unknown_topic_has_no_documentation(kind: str) -> None:
    """Whatever a client sends back."""
    assert documentation(Topic(kind, "nowhere", "id")) is None


def test_the_types_of_old_are_not_in_the_documentation() -> None:
    """They are read, but not recommended."""
    assert "expected_tool_calls" not in (documentation(Topic("field", "evaluator", "type")) or "expected_tool_calls")


def test_a_snippet_keeps_what_is_special_in_it() -> None:
    """Dollars, braces and backslashes are text."""
    written = write([["a$b}\\", TabStop("c$d}"), TabStop("e", ("e,f|g", "h"))]], 0, "\n")
    assert written == TemplateText("a$b}\\c$d}e", r"a\$b\}\\${1:c\$d\}}${2|e\,f\|g,h|}")
    assert expand(written.snippet or "") == "a$b}\\c$d}e,f|g"


def test_a_mapping_in_brackets() -> None:
    """Templates can be written on one line, and as JSON."""
    template = {"a": ["x", TabStop("1")], "b": {"c": "true"}}
    assert write([flow_pieces(template)], 0, "\n").plain == "{a: [x, 1], b: {c: true}}"
    assert write([flow_pieces(template, as_json=True)], 0, "\n").plain == '{"a": ["x", 1], "b": {"c": true}}'


def test_each_proposal_says_what_it_is() -> None:
    """Its kind, a few words, what it is filtered by, and a topic for more."""
    _, found = complete_at(f"{_CASE}    $0\n")
    assert found is not None
    item = next(item for item in found.items if item.label == "expected_messages")
    assert (item.kind, item.detail, item.filter) == (ProposalKind.KEY, "A reference answer", "expected_messages")
    assert item.topic == Topic("field", "case", "expected_messages")
