"""`rubric explain`, `rubric rules` and `rubric schema`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.rules.registry import known_rules

if TYPE_CHECKING:
    from pathlib import Path

# Several checks may share a code.
NAMED = [(rule.code, rule.name) for rule in known_rules().values()]


@pytest.mark.parametrize("word", ["RB104", "rb104", "inverted-score-range", "Inverted-Score-Range"])
def test_explain_shows_the_page_of_a_rule(rubric: Any, word: str) -> None:
    """By code or by name, in whatever case."""
    result = rubric("explain", word)
    assert result.exit_code == 0
    assert result.stdout.startswith("RB104: inverted-score-range\n\nDefault severity: error. Fix: safe.\n\n")
    assert "```" not in result.stdout


@pytest.mark.parametrize(("code", "name"), NAMED)
def test_every_rule_can_be_explained(rubric: Any, code: str, name: str) -> None:
    """None lacks its page."""
    lines = rubric("explain", name).stdout.splitlines()
    assert lines[0] == f"{code}: {name}"
    assert len(lines) > 5


@pytest.mark.parametrize(
    ("word", "message"),
    [("RB999", "Unknown rule `RB999`."), ("inverted-range", "Unknown rule `inverted-range`. Did you mean")],
)
def test_explain_does_not_know_everything(rubric: Any, word: str, message: str) -> None:
    """It says what was probably meant."""
    result = rubric("explain", word)
    assert result.exit_code == 2
    assert message in result.stderr


def test_rules_lists_every_rule_in_the_order_of_the_codes(rubric: Any) -> None:
    """In aligned columns."""
    lines = rubric("rules").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [list(rule) for rule in NAMED]
    assert lines == sorted(lines)
    (inverted,) = [line for line in lines if line.startswith("RB104")]
    assert inverted.split() == ["RB104", "inverted-score-range", "error", "safe", "fix"]


def test_rules_as_json_have_everything(rubric: Any) -> None:
    """For whoever makes a table of their own."""
    listed = json.loads(rubric("rules", "--format", "json").stdout)
    assert [(one["code"], one["name"]) for one in listed] == NAMED
    assert all(one["summary"] and one["page"] for one in listed)
    assert {one["severity"] for one in listed} <= {"error", "warning", "hint"}
    assert {one["fixes"] for one in listed} <= {"safe", "unsafe", None}


def test_schema_is_printed_or_written(rubric: Any, folder: Path) -> None:
    """The same text both ways."""
    printed = rubric("schema")
    assert json.loads(printed.stdout)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    written = rubric("schema", "--output", "schema.json")
    assert (written.exit_code, written.stdout) == (0, "")
    assert (folder / "schema.json").read_text() == printed.stdout
