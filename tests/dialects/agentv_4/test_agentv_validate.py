"""The real `agentv validate` of the newest release on small suites of AgentV 4: where it complains, so do we.

It looks at keys and types, never into a rubric, so nothing is asked of it about criteria.
"""

from __future__ import annotations

import pytest
from agentv_program import validate

from rubric_core.analysis.check import check_text
from rubric_core.files.project import DiskProject
from rubric_core.rules.problem import Severity

TEST = "tests:\n  - id: a\n    input: x\n    criteria: y\n"
SOUND = {
    "text": TEST,
    "strings": f"{TEST}    assertions: [One, Two]\n",
    "rubrics": f"{TEST}    assertions: [{{type: rubrics, criteria: [One, {{id: b, outcome: Two, weight: 2}}]}}]\n",
    "ranges": f"{TEST}    assertions: [{{type: rubrics, criteria: [{{min_score: 0.7, score_ranges: {{0: b}}}}]}}]\n",
    "inline": f"{TEST}    rubrics: [One, {{id: b, outcome: Two, required: false, weight: 0.2}}]\n",
    "composite": f"{TEST}    assertions:\n      - name: all\n        type: composite\n        aggregator: "
    "{type: weighted_average}\n        assertions: [{name: b, type: is-json}, {name: c, type: equals, value: d}]\n",
    "suite": f"{TEST}execution: {{threshold: 0.7}}\nassertions: [{{type: contains, value: x, required: true}}]\n",
    "messages": "tests:\n  - id: a\n    expected_output: b\n    input: [{role: system, content: c}, "
    "{role: user, content: d}]\n",
}
FAULTY = {
    "no-id": "tests:\n  - {input: x, criteria: y, assertions: [One]}\n",
    "no-input": "tests:\n  - {id: a, criteria: y, assertions: [One]}\n",
    "input-is-a-number": "tests:\n  - {id: a, input: 5, criteria: y, assertions: [One]}\n",
    "tests-are-a-number": "tests: 5\nassertions: [One]\n",
    "unknown-role": "tests:\n  - {id: a, criteria: y, assertions: [One], input: [{role: robot, content: b}]}\n",
    "old-list": "evalcases:\n  - {id: a, input: x, criteria: y, assertions: [One]}\n",
    "removed-list": "cases:\n  - {id: a, input: x, criteria: y, assertions: [One]}\n",
    "removed-type": f"{TEST}    assertions: [{{type: llm_judge, prompt: x}}]\n",
    "no-value": f"{TEST}    assertions: [{{type: contains}}]\n",
    "no-type": f"{TEST}    assertions: [One, {{name: x}}]\n",
    "no-list": f"{TEST}    assertions: One\n",
    "bad-name": f"name: Not a slug\n{TEST}    assertions: [One]\n",
    "unknown-key": f"colour: red\n{TEST}    assertions: [One]\n",
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what AgentV says of the suites here."""
    return validate(tmp_path_factory.mktemp("agentv"), {**SOUND, **FAULTY})


def reported(name: str, text: str, *severities: Severity) -> list[str]:
    """Return what we say of a suite at these levels."""
    path = f"{name}.eval.yaml"
    found = check_text(text, path=path, project=DiskProject(path), is_named=True)
    assert found.dialect.name == "agentv-4"
    return [f"{each.code} {each.message}" for each in found.problems if each.severity in severities]


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_suite_is_sound_for_both(complaints: dict[str, list[str]], name: str) -> None:
    """Nobody complains."""
    assert (complaints[name], reported(name, SOUND[name], Severity.ERROR)) == ([], [])


@pytest.mark.parametrize("name", FAULTY)
def test_what_agentv_complains_about_is_reported(complaints: dict[str, list[str]], name: str) -> None:
    """An error or a warning, as it does."""
    assert complaints[name]
    assert reported(name, FAULTY[name], Severity.ERROR, Severity.WARNING)
