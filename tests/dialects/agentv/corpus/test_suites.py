"""Real suites of AgentV 4 and 5, against what AgentV's own validator and loader did with each.

The suites are not part of the project: RUBRIC_CORPUS names the folder that has them, in `agentv-4` and `agentv-5`, each
with an `expected.json` beside the suites.
"""

from __future__ import annotations

import json
import os
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rubric_core.analysis.check import Checked, check_text
from rubric_core.files.project import DiskProject
from rubric_core.model.criteria import ChecklistCriterion, Criterion
from rubric_core.model.evaluators import CompositeEvaluator, Evaluator, LlmJudge
from rubric_core.model.load import load
from rubric_core.model.outline import SuiteOutline, outlines
from rubric_core.rules.problem import Problem, Severity
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.nodes import Mapping, walk
from rubric_core.text.spans import Span

_FOLDER = os.environ.get("RUBRIC_CORPUS")
_DIALECTS = ("agentv-4", "agentv-5")
_MISSING_FILE = "RB503"
"""Programs are left out of the corpora, so that they are missing."""
TRUE_FINDINGS: dict[tuple[str, str], set[str]] = {}
"""Errors on suites that AgentV loads without loss, by dialect and path: rules of rubrics that AgentV does not have."""


class Expected(NamedTuple):
    """A suite and what AgentV did with it."""

    folder: Path
    facts: dict[str, Any]

    @property
    def path(self) -> Path:
        """Return where the suite is."""
        return self.folder / str(self.facts["path"])

    @property
    def is_lossless(self) -> bool:
        """Return whether AgentV calls the suite valid, and runs all of it."""
        lost = self.facts["throws"] or self.facts["lost_tests"] or self.facts["lost_graders"]
        return bool(self.facts["valid"]) and not lost


def _read() -> list[Expected]:
    folders = [Path(_FOLDER) / name for name in _DIALECTS] if _FOLDER else []
    return [
        Expected(folder, facts)
        for folder in folders
        for facts in json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    ]


SUITES = _read()
pytestmark = pytest.mark.skipif(not SUITES, reason="RUBRIC_CORPUS does not name the folder of the corpora")


def every(suites: list[Expected]) -> pytest.MarkDecorator:
    """Run a test for each of these suites."""
    ids = [f"{suite.folder.name}:{suite.facts['path']}" for suite in suites]
    return pytest.mark.parametrize("suite", suites, ids=ids)


LOADED = [suite for suite in SUITES if suite.facts["throws"] is None]
REFUSED = [suite for suite in SUITES if suite.facts["throws"] is not None]


@lru_cache(maxsize=4)
def checked(path: Path) -> tuple[str, Checked]:
    """Return the text of a suite and what a check of it finds."""
    text = path.read_text(encoding="utf-8")
    return text, check_text(text, path=str(path), project=DiskProject(path), is_named=True)


def reported(path: Path, *severities: Severity) -> list[Problem]:
    """Return the problems of these levels."""
    return [problem for problem in checked(path)[1].problems if problem.severity in severities]


@every(SUITES)
def test_the_dialect_is_recognised(suite: Expected) -> None:
    """Every suite is ours, in the dialect that it is written in."""
    found = checked(suite.path)[1]
    assert found.not_checked is None
    assert found.dialect.name == suite.facts["dialect"]


@every([suite for suite in LOADED if suite.facts["lost_tests"] or suite.facts["lost_graders"]])
def test_what_is_lost_is_reported_where_it_is(suite: Expected) -> None:
    """An error or a warning is in each test that AgentV does not run, and in each assertion that it drops."""
    text = checked(suite.path)[0]
    (outline,) = outlines(Document(text))
    found = reported(suite.path, Severity.ERROR, Severity.WARNING)
    silent = [
        lost
        for kind in ("lost_tests", "lost_graders")
        for lost in suite.facts[kind]
        if not any(_tells(problem, lost, _places_of(outline, lost, len(text))) for problem in found)
    ]
    assert silent == []


@every(REFUSED)
def test_a_file_that_is_refused_has_an_error_at_the_key(suite: Expected) -> None:
    """The key is the word that the message of AgentV starts with."""
    text = checked(suite.path)[0]
    key = suite.facts["throws"].split()[0].split(".")[0]
    errors = reported(suite.path, Severity.ERROR)
    assert any(text[error.span.start : error.span.end].startswith(key) for error in errors)


@every([suite for suite in SUITES if suite.is_lossless])
def test_a_sound_suite_has_no_error(suite: Expected) -> None:
    """Other than what the rules of rubrics find, which are listed one by one."""
    allowed = {_MISSING_FILE, *TRUE_FINDINGS.get((suite.facts["dialect"], suite.facts["path"]), ())}
    errors = [(problem.code, problem.message) for problem in reported(suite.path, Severity.ERROR)]
    assert [each for each in errors if each[0] not in allowed] == []


@every(LOADED)
def test_models_are_what_agentv_loads(suite: Expected) -> None:
    """The tests in their order, their assertions with weights and gates, and the criteria of these."""
    lost = {each["id"] for each in suite.facts["lost_tests"]}
    cases = [case for case in load(suite.path).cases if case.id not in lost]
    assert [(case.id, [_of_model(each) for each in case.evaluators]) for case in cases] == [
        (test["id"], [_of_agentv(each) for each in test["assertions"]]) for test in suite.facts["tests"]
    ]


def _tells(problem: Problem, lost: dict[str, Any], places: list[Span]) -> bool:
    """Return whether a problem is where something is lost; a missing file is a reason only where AgentV says so."""
    if problem.code == _MISSING_FILE and "not found" not in lost["reason"]:
        return False
    return any(place.start <= problem.span.start < place.end for place in places)


def _places_of(outline: SuiteOutline, lost: dict[str, Any], end: int) -> list[Span]:
    """Return where a lost test or assertion is written; a test of another file is lost by what the suite says."""
    if "grader" not in lost:
        index = lost.get("index")
        return [Span(0, end)] if index is None else [(outline.cases or [])[index].span]
    owners = [case for case in outline.cases or [] if _id_of(case) == lost["test"]]
    shared = [
        *outline.values.values(),
        *(item for name in ("assert", "assertions") for item in outline.items(name) or []),
    ]
    return [
        node.span.shifted(owner.base)
        for owner in (*owners, *shared)
        for node in walk(owner.node)
        if isinstance(node, Mapping) and lost["grader"] in {_text(node, key) for key in ("metric", "name", "type")}
    ]


def _id_of(case: Located) -> str | None:
    return _text(case.node, "id") if isinstance(case.node, Mapping) else None


def _text(node: Mapping, key: str) -> str | None:
    return getattr(node.get(key), "value", None)


def _of_model(evaluator: Evaluator) -> dict[str, Any]:
    members = evaluator.evaluators if isinstance(evaluator, CompositeEvaluator) else ()
    criteria = evaluator.criteria if isinstance(evaluator, LlmJudge) else ()
    return {
        "weight": evaluator.weight,
        "required": evaluator.required,
        "min_score": evaluator.min_score,
        "criteria": [_criterion_of_model(each) for each in criteria],
        "assertions": [_of_model(each) for each in members],
    }


def _of_agentv(assertion: dict[str, Any]) -> dict[str, Any]:
    return {
        "weight": _exact(assertion.get("weight", 1)),
        "required": assertion.get("required", False),
        "min_score": _exact(assertion.get("min_score")),
        "criteria": [_criterion_of_agentv(each) for each in assertion.get("criteria", ())],
        "assertions": [_of_agentv(each) for each in assertion.get("assertions", ())],
    }


def _criterion_of_model(criterion: Criterion) -> dict[str, Any]:
    values = {"id": criterion.id, "outcome": criterion.expected_outcome, "weight": criterion.weight}
    if isinstance(criterion, ChecklistCriterion):
        return {**values, "required": criterion.required}
    ranges = [([each.minimum, each.maximum], each.expected_outcome) for each in criterion.score_ranges]
    gate = criterion.required_min_score
    return {**values, "score_ranges": ranges, "gate": None if gate is None else Decimal(gate) / 10}


def _criterion_of_agentv(criterion: dict[str, Any]) -> dict[str, Any]:
    values = {"id": criterion["id"], "outcome": criterion.get("outcome"), "weight": _exact(criterion["weight"])}
    if "score_ranges" not in criterion:
        return {**values, "required": criterion["required"]}
    ranges = [(each["score_range"], each["outcome"]) for each in criterion["score_ranges"]]
    # Beside ranges `required` is there only where it asks for the highest score.
    gate = criterion.get("min_score") or (1 if criterion.get("required") else None)
    return {**values, "score_ranges": ranges, "gate": _exact(gate)}


def _exact(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(str(number))
