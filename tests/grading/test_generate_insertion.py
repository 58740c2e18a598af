"""Where criteria go in a file: each example is a text before and after."""

from __future__ import annotations

from decimal import Decimal

import pytest
from generated_rubrics import generated

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import NO_PROJECT
from rubric_core.config.config import DEFAULT
from rubric_core.grading.generation.survey import survey
from rubric_core.grading.generation.verified_insertion import insert_proposals
from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion
from rubric_core.text.spans import Edit, apply_edits

ONE = (ChecklistCriterion(id="port", expected_outcome="Names port 8080"),)
"""One criterion keeps the examples short; how many there are is checked where proposals are read."""

# Each `+` line is what is inserted. Without these lines it is the text before.
ADDED = {
    "Criteria stand behind what a case asks, in front of how it is run": """\
        evalcases:
          - id: a
            expected_outcome: Names the port
            input_messages:
              - role: user
                content: Which port?
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080
            scorecard: {}
            execution:
              target: default
            metadata: {team: search}
        """,
    "Dashes that stand below their key's first letter do so here too": """\
        evalcases:
        - id: a
          expected_outcome: Names the port
          input_messages:
          - role: user
            content: Which port?
        + rubrics:
        + - id: port
        +   expected_outcome: Names port 8080
        """,
    "What is in the case counts more than the list of cases": """\
        evalcases:
        - id: a
          expected_outcome: Names the port
          input_messages:
              -   role: user
                  content: Which port?
        + rubrics:
        +     -   id: port
        +         expected_outcome: Names port 8080
        """,
    "A case that shows no list goes by the other cases": """\
        evalcases:
        - id: a
          expected_outcome: Names the port
          input: Which port?
        + rubrics:
        +    - id: port
        +      expected_outcome: Names port 8080
        - id: b
          expected_outcome: Names the port
          input_messages:
             - role: user
               content: Which port?
          rubrics: [Names port 8080]
        """,
    "Keys may stand below their dash": """\
        evalcases:
            -
                id: a
                expected_outcome: Names the port
                input: Which port?
        +       rubrics:
        +           - id: port
        +             expected_outcome: Names port 8080
        """,
    "A blank line between keys is kept up": """\
        evalcases:
          - id: a

            expected_outcome: Names the port

            # What is asked.
            input: Which port?
        +
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080

            # How it is run.
            execution:
              target: default
        """,
    "A comment stays with what it speaks of": """\
        evalcases:
          - id: a  # an id
            expected_outcome: Names the port
            input_messages:  # what is asked
              - role: user
                content: Which port?  # the question
              # - role: user
              #   content: Please!

                # Further in still.
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080
            # Of the metadata.
            metadata: {team: search}

          # Of the next case.
          - id: b
            expected_outcome: Names the port
            input: Which port?
            rubrics: [Names port 8080]
        """,
    "The blank lines of a text that keeps them stay its own": """\
        evalcases:
          - id: a
            expected_outcome: Names the port
            input: Which port?
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080
            note: |+
              kept

        """,
    "A merge key brings what it brought before": """\
        defaults: &defaults
          input: Which port?
          rubrics: []
        evalcases:
          - <<: *defaults
            id: a
            expected_outcome: Names the port
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080
        """,
    "A merge key that brings nothing is no obstacle": """\
        nothing: &nothing {}
        evalcases:
          - id: a
            expected_outcome: Names the port
            input_messages:
              - role: user
                content:
                  <<: *nothing
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080
        """,
    "Each YAML document is a suite of its own": """\
        ---
        evalcases:
          - id: a
            expected_outcome: Names the port
            input: Which port?
        +   rubrics:
        +     - id: port
        +       expected_outcome: Names port 8080
        ---
        tests:
        - id: b
          expected_outcome: Names the port
          input: Which port?
        + rubrics:
        + - id: port
        +   expected_outcome: Names port 8080
        ...
        """,
    "Braces on several lines get a line for each criterion": """\
        evalcases:
          - {
              id: a,  # an id
              expected_outcome: Names the port,
              input_messages: [
                {role: user, content: Which port?},
              ],
        +     rubrics: [
        +       {id: port, expected_outcome: Names port 8080}
        +     ],
              # The end.
            }
        """,
    "A list on one line stays on one": """\
        {
          "evalcases": [
            {
              "id": "a",
              "expected_outcome": "Names the port",
              "input_messages": [{"role": "user", "content": "Which port?"}],
        +     "rubrics": [{"id": "port", "expected_outcome": "Names port 8080"}],
              "metadata": {}
            }
          ]
        }
        """,
    "JSON on several lines is written as such": """\
        {
           "evalcases": [
              {
                 "id": "a",
                 "expected_outcome": "Names the port",
                 "input": "Which port?",
        +        "rubrics": [
        +           {
        +              "id": "port",
        +              "expected_outcome": "Names port 8080"
        +           }
        +        ],
                 "metadata": {}
              }
           ]
        }
        """,
}


def _dedented(text: str) -> list[str]:
    return [line[8:] for line in text.splitlines()]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("example", ADDED)
def test_criteria_are_added(example: str, line_break: str) -> None:
    """Nothing but the marked lines is new."""
    lines = _dedented(ADDED[example])
    before = "".join(line + line_break for line in lines if not line.startswith("+"))
    after = "".join(_unmarked(line) + line_break for line in lines)
    result = generated(before, criteria=ONE)
    assert result.text == after
    assert not result.skipped


def _unmarked(line: str) -> str:
    return (" " + line[1:]).rstrip() if line.startswith("+") else line


CHANGED = {
    "{id: a, expected_outcome: x, input: y}": "{id: a, expected_outcome: x, input: y, rubrics: $LIST}",
    "{id: a, expected_outcome: x, input: y, note: }": "{id: a, expected_outcome: x, input: y, note: , rubrics: $LIST }",
    "{id: a, expected_outcome: x, input: y, rubrics}": "{id: a, expected_outcome: x, input: y, rubrics: $LIST}",
    "{id: a, rubrics: , expected_outcome: x, input: y}": "{id: a, rubrics: $LIST , expected_outcome: x, input: y}",
    "{id: a, rubrics: [ ], expected_outcome: x, input: y}": "{id: a, rubrics: $LIST, expected_outcome: x, input: y}",
    "{id: a, expected_outcome: x, input: y, metadata: {}}": (
        "{id: a, expected_outcome: x, input: y, rubrics: $LIST, metadata: {}}"
    ),
    "{metadata: {}, <<: {input: y}, id: a, expected_outcome: x}": (
        "{metadata: {}, <<: {input: y}, id: a, expected_outcome: x, rubrics: $LIST}"
    ),
    '{"id": "a", "expected_outcome": "x", "input": "y", "rubrics": null}': (
        '{"id": "a", "expected_outcome": "x", "input": "y", "rubrics": $JSON}'
    ),
}
LIST = "[{id: port, expected_outcome: Names port 8080}]"
JSON = '[{"id": "port", "expected_outcome": "Names port 8080"}]'


@pytest.mark.parametrize(("before", "after"), CHANGED.items())
def test_a_case_in_braces_stays_on_its_line(before: str, after: str) -> None:
    """An empty value is replaced, and a trailing comma never becomes a part of a key."""
    result = generated(f"evalcases:\n  - {before}\n", criteria=ONE)
    assert result.text == f"evalcases:\n  - {after.replace('$LIST', LIST).replace('$JSON', JSON)}\n"


EMPTY = {
    "rubrics:": "rubrics:\n      - id: port",
    "rubrics:  # to do": "rubrics:  # to do\n      - id: port",
    "rubrics: []": "rubrics:\n      - id: port",
    "rubrics:   []   # to do": "rubrics:   # to do\n      - id: port",
    "rubrics: ~": "rubrics:\n      - id: port",
    "rubrics: [\n      ]": "rubrics:\n      - id: port",
    "rubrics: *nothing": "rubrics:\n      - id: port",
    "rubrics: !!seq []": "rubrics: !!seq\n      - id: port",
    "rubrics: &mine []": "rubrics: &mine\n      - id: port",
}


# Without this one the anchor would be of no use, and its key would be unknown.
_BESIDE = "{id: z, expected_outcome: x, input: y, metadata: {none: *nothing}, rubrics: [Names port 8080]}"


@pytest.mark.parametrize("first", [False, True], ids=["last", "first"])
@pytest.mark.parametrize(("before", "after"), EMPTY.items())
def test_an_empty_list_gives_way(before: str, after: str, *, first: bool) -> None:
    """Comments, anchors and tags beside it stay."""
    fields = ["id: a", "expected_outcome: Names the port", "input: Which port?"]
    texts = []
    for rubrics in (before, f"{after}\n        expected_outcome: Names port 8080"):
        ordered = [rubrics, *fields] if first else [*fields, rubrics]
        texts.append(f"nothing: &nothing []\nevalcases:\n  - {_BESIDE}\n  - " + "\n    ".join(ordered) + "\n")
    assert generated(texts[0], criteria=ONE).text == texts[1]


def test_a_comment_inside_of_an_empty_list_is_not_lost() -> None:
    """The case is left alone, with a sentence."""
    for text in (
        "evalcases:\n  - id: a\n    expected_outcome: x\n    input: y\n    rubrics: [\n      # none yet\n      ]\n",
        "evalcases:\n  - {id: a, expected_outcome: x, input: y, rubrics: [ # none yet\n      ]}\n",
    ):
        result = generated(text, criteria=ONE)
        assert result.text == text
        assert [each.reason for each in result.skipped] == [
            "A comment stands in its empty `rubrics`, and would be lost; write them by hand."
        ]


def test_a_case_with_keys_behind_question_marks_is_left_alone() -> None:
    """The sentence names no comment, because there is none."""
    text = "evalcases:\n  - ? id\n    : a\n    ? expected_outcome\n    : x\n    ? input\n    : y\n"
    result = generated(text, criteria=ONE)
    assert result.text == text
    assert [each.reason for each in result.skipped] == [
        "Its text has no place for `rubrics` that leaves everything else as it is; write them by hand."
    ]


@pytest.mark.parametrize("mark", ["|", ">"])
def test_a_text_at_the_very_end_of_a_file_does_not_grow(mark: str) -> None:
    """A line behind it would give it a line break that it does not have."""
    text = f"evalcases:\n  - id: a\n    expected_outcome: x\n    input: y\n    note: {mark}\n      last"
    result = generated(text, criteria=ONE)
    assert result.text.endswith("8080\n" + text[text.index("    note") :])


def test_a_case_without_a_place_is_left_alone() -> None:
    """All its values are texts that keep the blank lines below them."""
    text = (
        "evalcases:\n  - id: |+\n      a\n\n    expected_outcome: |+\n      x\n\n    input: |+\n      y\n\n"
        "  - id: b\n    expected_outcome: x\n    input: y\n"
    )
    result = generated(text, criteria=ONE)
    assert [each.case_id for each in result.written] == ["b"]
    assert [each.case_id for each in result.skipped] == ["a\n\n"]


@pytest.mark.parametrize("case", ["{<<: *shared}", "<<: *shared"])
def test_a_case_of_a_merge_key_alone_is_left_alone(case: str) -> None:
    """It has no line of its own that the criteria could be behind."""
    text = f"shared: &shared {{id: a, expected_outcome: x, input: y}}\nevalcases:\n  - {case}\n"
    result = generated(text, criteria=ONE)
    assert result.text == text
    assert len(result.skipped) == 1


def test_a_blank_line_above_a_case_is_not_its_own() -> None:
    """Only blank lines between the keys of a case tell how these are set apart."""
    text = "shared: &shared {expected_outcome: x, input: y}\nevalcases:\n\n  - id: a\n    <<: *shared\n"
    result = generated(text, criteria=ONE)
    assert result.text == text.replace(
        "id: a\n", "id: a\n    rubrics:\n      - id: port\n        expected_outcome: Names port 8080\n"
    )


def test_json_lines_stay_json() -> None:
    """Every key and text is in double quotes, and score ranges have the long form: no key of JSON is a number."""
    ranges = (
        ScoreRangeCriterion(
            id="port",
            weight=Decimal("0.50"),
            required_min_score=6,
            score_ranges=(
                ScoreRange(minimum=0, maximum=5, expected_outcome="Names no port"),
                ScoreRange(minimum=6, maximum=10, expected_outcome='Names "8080"'),
            ),
        ),
        *(
            ChecklistCriterion(id=name, expected_outcome=f"Shows the {name}", weight=Decimal(100), required=True)
            for name in ("host", "reason")
        ),
    )
    text = (
        '{"id": "a", "expected_outcome": "x", "input": "y"}\r\n\r\n{"id": "b", "expected_outcome": "x", "input": "y"}'
    )
    result = generated(text, "cases.jsonl", ranges)
    first, _, last = result.text.split("\r\n")
    assert first == (
        '{"id": "a", "expected_outcome": "x", "input": "y", "rubrics": [{"id": "port", "weight": 0.50, '
        '"required_min_score": 6, "score_ranges": [{"score_range": [0, 5], "expected_outcome": "Names no port"}, '
        '{"score_range": [6, 10], "expected_outcome": "Names \\"8080\\""}]}, '
        '{"id": "host", "expected_outcome": "Shows the host", "weight": 100}, '
        '{"id": "reason", "expected_outcome": "Shows the reason", "weight": 100}]}'
    )
    assert last == first.replace('"a"', '"b"')


def test_a_text_is_changed_by_plain_edits() -> None:
    """An editor applies these itself; a case that nothing was proposed for is not touched."""
    text = "evalcases:\n- id: a\n  expected_outcome: x\n  input: y\n- id: b\n  expected_outcome: x\n  input: y\n"
    found = survey(text, "a.eval.yaml", DEFAULT, NO_PROJECT)
    edits = list(insert_proposals(found, {"b": ONE, "gone": ONE}, DEFAULT, NO_PROJECT).edits)
    assert edits == [
        Edit(len(text) - 1, len(text) - 1, "\n  rubrics:\n  - id: port\n    expected_outcome: Names port 8080")
    ]
    assert not check_text(apply_edits(text, edits), path="a.eval.yaml").problems
