"""Completion in AgentV 5: variables, names of the file, and paths."""

from __future__ import annotations

import pytest
from completions import accepted, labels_at
from dialect_suites import SUITES

from rubric_core.analysis.project import KnownProject
from rubric_core.assist.completion.complete import documentation
from rubric_core.assist.completion.proposals import Topic

FIVE = SUITES["agentv-5"]
_FILES = KnownProject(known=frozenset({"prompts/ask.md", "prompts/judge.md", "x.jsonl"}))


def test_score_ranges_have_the_text_key_of_the_dialect() -> None:
    """`outcome`, which is all that is read there."""
    text = accepted(FIVE.replace("            weight: 3\n", "            $0\n"), "score ranges (array)")
    assert "- score_range: [0, 2]\n                outcome: Misses the point" in text


def test_a_gate_is_proposed_in_the_numbers_of_the_dialect() -> None:
    """A share of 1, not a score."""
    assert labels_at(FIVE.replace("min_score: 0.7", "min_score: $0")) == ["0.7"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Gives a reason", "Gives {{ $0", ["protocol", "tone"]),
        ("Gives a reason", '"{{to$0}}"', ["protocol", "tone"]),
        ("file://prompts/ask.md", '"Ask {{ $0 }}"', ["tone", "protocol"]),
        ("Gives a reason", "Gives { $0", []),
    ],
)
def test_variables_are_between_double_braces(old: str, new: str, expected: list[str]) -> None:
    """Those of the test first, then those of `default_test`; for prompts those of the tests."""
    found = labels_at(FIVE.replace(old, new))
    assert found[: len(expected)] == expected
    assert expected or "tone" not in found


def test_a_variable_closes_its_braces() -> None:
    """Unless they are closed already."""
    assert "- Gives {{ tone }}\n" in accepted(FIVE.replace("Gives a reason", "Gives {{$0"), "tone")
    assert "- Gives {{ tone }}\n" in accepted(FIVE.replace("Gives a reason", "Gives {{ t$0 }}"), "tone")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("provider: fast", "provider: $0", "fast"),
        ("depends_on: [web]", "depends_on: [$0]", "web"),
        ("depends_on: [web]", "depends_on:\n      - $0", "web"),
        ("        value: Names 25\n", "        metric: $0\n        value: Names 25\n", "depth"),
    ],
)
def test_names_of_the_file_are_proposed(old: str, new: str, expected: str) -> None:
    """Labels of providers, ids of tests, names of other results."""
    assert expected in labels_at(FIVE.replace(old, new))


def test_labels_of_the_project_are_proposed() -> None:
    """Those of the providers file."""
    project = KnownProject(targets=frozenset({"slow"}))
    assert labels_at(FIVE.replace("provider: fast", "provider: $0"), project=project) == ["slow", "fast"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FIVE.replace("file://prompts/ask.md", "file://$0"), "file://prompts/"),
        (FIVE.replace("file://prompts/ask.md", "file://prompts/a$0"), "file://prompts/ask.md"),
        (FIVE.replace("prompt: file://prompts/judge.md", "prompt: file://prompts/$0"), "file://prompts/judge.md"),
        ("assertions: [a]\ntests: $0\n", "x.jsonl"),
        ("assertions: [a]\ntests:\n  - pr$0\n", "prompts/"),
        ("evalcases:\n  - input:\n      - content:\n          - {type: file, value: $0}\n", "x.jsonl"),
    ],
)
def test_paths_are_proposed(text: str, expected: str) -> None:
    """Behind `file://`, and where the table wants a path."""
    assert expected in labels_at(text, project=_FILES)


def test_documentation_is_that_of_the_dialect() -> None:
    """With the release that brought the key."""
    page = documentation(Topic("field", "criterion", "operator", "agentv-5")) or ""
    assert "One of `correctness`, `contradiction`." in page
    assert "Since AgentV 4.33." in page
    assert "assert:" in (documentation(Topic("snippet", "test", "", "agentv-5")) or "")


def test_a_list_of_cases_by_itself_is_completed() -> None:
    """With the keys of a case outside of a suite."""
    labels = labels_at("- id: a\n  vars: {x: 1}\n  assert: [b]\n- id: b\n  $0\n  vars: {}\n", "x.cases.yaml")
    assert {"input", "expected_output", "assert"} <= set(labels)
