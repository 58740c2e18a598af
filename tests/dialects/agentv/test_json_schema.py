"""The JSON Schema of each later dialect, made from its tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from rubric_core.cli.main import cli
from rubric_core.dialects.json_schema import build_json_schema
from rubric_core.dialects.registry import BY_NAME, DIALECTS

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

TEST_4 = "tests:\n  - id: a\n    input: Which port?\n    criteria: Names port 8080\n"
TEST_5 = "prompts: ['{{ q }}']\ntests:\n  - id: a\n    vars: {q: Which port?}\n"

GOOD = [
    ("agentv-4", TEST_4),
    ("agentv-4", "tests: ./cases.yaml\n"),
    ("agentv-4", "tests:\n  - file://cases.jsonl\n"),
    ("agentv-4", f"{TEST_4}    assertions:\n      - Names 8080\n      - {{type: contains, value: '8080'}}\n"),
    (
        "agentv-4",
        (
            f"{TEST_4}    assertions:\n"
            "      - type: rubrics\n"
            "        criteria:\n"
            "          - {id: port, outcome: Names it, min_score: 0.7, score_ranges: {0: No, 5: Yes}}\n"
            "          - {id: polite, outcome: Is polite, weight: 2}\n"
        ),
    ),
    ("agentv-4", f"{TEST_4}    assertions:\n      - {{type: of-our-own, anything: [1]}}\n"),
    ("agentv-4", f"{TEST_4}    assertions:\n      - {{name: c, type: code-grader, command: [node, a.js]}}\n"),
    ("agentv-5", f"{TEST_5}    assert: [Names 8080]\n"),
    ("agentv-5", "scenarios:\n  - config: [{vars: {q: x}}]\n    tests: [{assert: [Names it]}]\n"),
    ("agentv-5", f"{TEST_5}    assert:\n      - {{type: of-our-own, anything: [1]}}\n"),
    ("agentv-5", f"{TEST_5}    assert:\n      - include: shared\n"),
    (
        "agentv-5",
        (
            f"{TEST_5}    assert:\n"
            "      - type: llm-rubric\n"
            "        metric: quality\n"
            "        value:\n"
            "          - Names it\n"
            "          - {id: port, outcome: Names it, min_score: 0.7, score_ranges: {0: No, 5: Yes}}\n"
        ),
    ),
    (
        "agentv-5",
        (
            f"{TEST_5}    assert:\n      - {{type: assert-set, threshold: 0.5, assert: [{{type: is-json}}, Short]}}\n"
            "providers: [{id: openai, label: judge}]\ndefaults: {grader: judge}\n"
        ),
    ),
]

BAD = [
    ("agentv-4", "description: No tests\n"),
    ("agentv-4", "tests: [{id: a, criteria: x}]\n"),
    ("agentv-4", f"{TEST_4}    assertion: [x]\n"),
    ("agentv-4", f"{TEST_4}    assertions: [{{type: llm_judge, prompt: x}}]\n"),
    ("agentv-4", f"{TEST_4}    assertions: [{{type: rubrics, criteria: [{{id: a, expected_outcome: x}}]}}]\n"),
    ("agentv-5", "description: No tests\n"),
    ("agentv-5", f"{TEST_5}    input: x\n"),
    ("agentv-5", f"{TEST_5}    assert: [{{type: rubrics, criteria: [x]}}]\n"),
    ("agentv-5", f"{TEST_5}    assert: [{{type: contains}}]\n"),
    ("agentv-5", f"{TEST_5}    assert: [{{type: assert-set, asert: [x]}}]\n"),
]


def errors(dialect: str, text: str) -> list[str]:
    """Return what the schema of a dialect says of a text; JSON knows only string keys."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): plain(below) for key, below in value.items()}
        return [plain(item) for item in value] if isinstance(value, list) else value

    validator = jsonschema.Draft202012Validator(build_json_schema(BY_NAME[dialect]))
    return [error.message for error in validator.iter_errors(plain(YAML(typ="safe", pure=True).load(text)))]


@pytest.mark.parametrize(("dialect", "text"), GOOD)
def test_good_files_are_accepted(dialect: str, text: str) -> None:
    """Types of a project's own among them."""
    assert errors(dialect, text) == []


@pytest.mark.parametrize(("dialect", "text"), BAD)
def test_bad_files_are_rejected(dialect: str, text: str) -> None:
    """Keys and types of other dialects among them."""
    assert errors(dialect, text) != []


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_the_command_prints_the_schema_of_a_dialect(dialect: Dialect) -> None:
    """It is a valid schema with a name of its own."""
    result = CliRunner().invoke(cli, ["schema", "--dialect", dialect.name])
    schema = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == build_json_schema(dialect)
    assert len({build_json_schema(each)["$id"] for each in DIALECTS}) == len(DIALECTS)
