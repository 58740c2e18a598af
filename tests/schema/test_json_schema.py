"""The JSON Schema that is made from the table."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from rubric_core.dialects.json_schema import SCHEMA_ID, build_json_schema

CASE = """
evalcases:
  - id: a
    expected_outcome: Explains quicksort
    input_messages: [{role: user, content: Explain quicksort}]
"""

GOOD = {
    "the least": CASE,
    "checklist": CASE
    + """
    rubrics:
      - Mentions partitioning
      - {id: b, expected_outcome: States the complexity, weight: 2.0, required: false}
      - {id: c, description: An older file}
""",
    "score map": CASE
    + """
    rubrics:
      - {id: b, required_min_score: 7, score_ranges: {0: Wrong, 5: Half, 10: Right}}
""",
    "score map with quoted keys": CASE
    + """
    rubrics:
      - {id: b, score_ranges: {"0": Wrong, "5": Right}}
""",
    "score list": CASE
    + """
    rubrics:
      - id: b
        score_ranges:
          - {score_range: [0, 4], expected_outcome: Wrong}
          - {score_range: [5, 10], description: Right}
""",
    "aliases": """
tests:
  - id: a
    criteria: Answers
    input: What is 2+2?
    expected_output: {answer: 4}
  - id: b
    outcome: Answers
    input: [{role: user, content: What is 2+2?}]
    expected_output: "4"
""",
    "messages": """
$schema: x
version: 1.0
description: Every shape of a message
metadata: {anything: [goes]}
evalcases:
  - id: a
    expected_outcome: Answers
    input_messages:
      - {role: system, content: [{type: text, value: Be short}, {type: file, value: ./a.md}]}
      - {role: tool, name: search, content: {hits: 3}}
      - {role: assistant, tool_calls: [{tool: search, input: {q: x}, output: [1], started: 5}]}
""",
    "evaluators": CASE
    + """
    execution:
      target: default
      evaluators:
        - {name: a, type: code_judge, script: [python, check.py], cwd: ., anything: [1, 2]}
        - {name: b, type: code, script: check.py, weight: 0}
        - {name: c, type: llm_judge, prompt: judge.md, model: m, target: t, rubrics: [Is polite]}
        - {name: d, type: rubric, rubrics: [Is polite]}
        - {name: e, type: llm_judge, prompt: {script: [node, prompt.js], config: {a: 1}}}
        - {name: f, type: tool_trajectory, mode: any_order, minimums: {search: 1}}
        - {name: g, type: expected_tool_calls}
        - {name: h, type: latency, threshold: 2000, own: key}
        - name: i
          type: composite
          evaluators: [{name: j, type: cost, budget: 0.1}]
          aggregator: {type: weighted_average}
""",
    "scorecards": CASE
    + """
    scorecard: review
  - id: b
    expected_outcome: Reviews
    input: Review this
    scorecard:
      skill: review
      red_flags: [Invents facts, {id: leak, expected_outcome: Prints a secret, deduction: 2.0}]
      bonuses: [Measures]
scorecards:
  review:
    weights:
      {correctness: 0.4, completeness: 0.1, adherence: 0.1, actionability: 0.1, efficiency: 0.1, safety: 0.1,
       consistency: 0.1}
""",
    "an anchor of its own": "shared: &shared {role: user, content: Hello}\n"
    + CASE.replace("[{role: user, content: Explain quicksort}]", "[*shared]"),
}

BAD = {
    "no cases": "description: x",
    "not a mapping": "[1]",
    "no input": "evalcases: [{id: a, expected_outcome: x}]",
    "no outcome": "evalcases: [{id: a, input: x}]",
    "blank outcome": "evalcases: [{id: a, expected_outcome: ' ', input: x}]",
    "misspelt key": CASE + "    rubrcs: [x]",
    "misspelt criterion key": CASE + "    rubrics: [{id: b, expected_outcome: x, require: true}]",
    "criterion without text": CASE + "    rubrics: [{id: b}]",
    "blank criterion": CASE + "    rubrics: ['']",
    "criterion that is a number": CASE + "    rubrics: [5]",
    "negative weight": CASE + "    rubrics: [{expected_outcome: x, weight: -1}]",
    "quoted weight": CASE + "    rubrics: [{expected_outcome: x, weight: '2'}]",
    "required as a word": CASE + "    rubrics: [{expected_outcome: x, required: no}]",
    "fractional gate": CASE + "    rubrics: [{required_min_score: 0.7, score_ranges: {0: x}}]",
    "gate above ten": CASE + "    rubrics: [{required_min_score: 11, score_ranges: {0: x}}]",
    "map key above ten": CASE + "    rubrics: [{score_ranges: {0: x, 11: y}}]",
    "map that does not start at zero": CASE + "    rubrics: [{score_ranges: {1: x}}]",
    "map without text": CASE + "    rubrics: [{score_ranges: {0: ''}}]",
    "range of three": CASE + "    rubrics: [{score_ranges: [{score_range: [0, 1, 2], expected_outcome: x}]}]",
    "range above ten": CASE + "    rubrics: [{score_ranges: [{score_range: [0, 11], expected_outcome: x}]}]",
    "range with a fraction": CASE + "    rubrics: [{score_ranges: [{score_range: [0, 9.5], expected_outcome: x}]}]",
    "range without text": CASE + "    rubrics: [{score_ranges: [{score_range: [0, 10]}]}]",
    "unknown evaluator type": CASE + "    evaluators: [{name: a, type: llm_jugde}]",
    "evaluator without name": CASE + "    evaluators: [{type: llm_judge}]",
    "code judge without script": CASE + "    evaluators: [{name: a, type: code}]",
    "misspelt judge key": CASE + "    evaluators: [{name: a, type: llm_judge, promt: x}]",
    "unknown role": "evalcases: [{id: a, expected_outcome: x, input: [{role: bot, content: x}]}]",
    "no content": "evalcases: [{id: a, expected_outcome: x, input: [{role: user}]}]",
    "unknown part": "evalcases: [{id: a, criteria: x, input: [{role: user, content: [{type: url, value: x}]}]}]",
    "string as messages": "evalcases: [{id: a, expected_outcome: x, input_messages: hello}]",
    "deduction of nothing": CASE + "    scorecard: {red_flags: [{expected_outcome: x, deduction: 0}]}",
    "deduction above two": CASE + "    scorecard: {red_flags: [{expected_outcome: x, deduction: 2.5}]}",
    "missing dimension": CASE + "    scorecard: {weights: {correctness: 1.0}}",
}


def _with_string_keys(value: Any) -> Any:
    """JSON knows only string keys; a YAML server turns `0:` into `"0"` before it looks at the schema."""
    if isinstance(value, dict):
        return {str(key): _with_string_keys(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_with_string_keys(item) for item in value]
    return value


def _errors(text: str) -> list[str]:
    value = _with_string_keys(YAML(typ="safe", pure=True).load(text))
    validator = jsonschema.Draft202012Validator(build_json_schema())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def test_the_schema_itself_is_valid() -> None:
    """It is a schema of draft 2020-12 and names no host of ours."""
    schema = build_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == SCHEMA_ID == "urn:rubric-lsp:eval-file"


@pytest.mark.parametrize("name", GOOD)
def test_good_files_are_accepted(name: str) -> None:
    """Every mode and every shape of the format passes."""
    assert _errors(GOOD[name]) == []


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_rejected(name: str) -> None:
    """What a JSON Schema can express is rejected by it."""
    assert _errors(BAD[name]) != []


def test_deprecated_aliases_are_marked() -> None:
    """Editors strike the old names through and still complete the new ones."""
    definitions = build_json_schema()["$defs"]
    assert definitions["criterion"]["properties"]["description"]["deprecated"] is True
    assert "deprecated" not in definitions["case"]["properties"]["criteria"]


def test_descriptions_and_defaults_reach_the_schema() -> None:
    """A generic editor shows the same words as our hover."""
    weight = build_json_schema()["$defs"]["criterion"]["properties"]["weight"]
    assert weight["default"] == 1.0
    assert weight["description"].startswith("How much this criterion counts")
    assert "default" not in build_json_schema()["$defs"]["criterion"]["properties"]["id"]


def test_the_schema_is_made_anew_each_time() -> None:
    """A caller that changes its copy does not change ours."""
    build_json_schema()["$defs"].clear()
    assert build_json_schema()["$defs"]
