"""Suites of AgentV 5 that are migrated to promptfoo and run there: promptfoo loads them and says what we said before.

RUBRIC_CORPUS names the folder of real suites, which promptfoo has to load.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from judges import AnsweringJudge
from migrations import migrated
from promptfoo_program import promptfoo_rows, run_promptfoo
from ruamel.yaml import YAML

from rubric_core import grade
from rubric_core.dialects.agentv_5 import DIALECT as AGENTV_5
from rubric_core.model.load import load_text

_CORPUS = os.environ.get("RUBRIC_CORPUS")
PATHS = sorted(Path(_CORPUS).glob("agentv-5/**/*.eval.yaml"))[:10] if _CORPUS else []
_TESTS = 12

pytestmark = pytest.mark.slow

OUTPUTS = ("yes, it is", "YES", "no", '{"a": 1}', "42")
CHECKS: tuple[dict[str, Any], ...] = (
    {"type": "contains", "value": "yes"},
    {"type": "icontains", "value": "Yes"},
    {"type": "contains-any", "value": ["no", "yes"]},
    {"type": "icontains-all", "value": ["Y", "E"]},
    {"type": "equals", "value": "YES"},
    {"type": "starts-with", "value": "yes"},
    {"type": "regex", "value": "^[a-z]+"},
    {"type": "is-json"},
)
# Sums of these have no error in binary, so that promptfoo says exactly what we say.
_WEIGHTS = (0.5, 1, 2)
_SHARES = (0, 0.25, 0.5, 0.75, 1)


def _check(chance: random.Random) -> dict[str, Any]:
    made = dict(chance.choice(CHECKS))
    return {**made, "weight": chance.choice(_WEIGHTS)} if chance.random() < 0.5 else made


def _assertion(chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.2:
        members = [_check(chance) for _ in range(chance.randint(1, 3))]
        made: dict[str, Any] = {"type": "assert-set", "assert": members}
        return {**made, "threshold": chance.choice(_SHARES)} if chance.random() < 0.5 else made
    made = _check(chance)
    return {**made, "negate": True} if chance.random() < 0.3 else made


def _suite(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)  # noqa: S311 - nothing secret.
    tests: list[dict[str, Any]] = []
    for number in range(_TESTS):
        listed = [_assertion(chance) for _ in range(chance.randint(1, 3))]
        test: dict[str, Any] = {"id": f"case-{number}", "vars": {"output": chance.choice(OUTPUTS)}, "assert": listed}
        test |= {"run": {"threshold": chance.choice(_SHARES)}} if chance.random() < 0.4 else {}
        tests.append(test | ({"execution": {"skip_defaults": True}} if chance.random() < 0.3 else {}))
    start: dict[str, Any] = {"prompts": ["{{ output }}"], "providers": ["echo"]}
    start |= {"threshold": chance.choice((0.25, 0.5, 0.75))} if chance.random() < 0.5 else {}
    start |= {"assert": [_assertion(chance)]} if chance.random() < 0.5 else {}
    return {**start, "tests": tests}


def _theirs(folder: Path) -> list[bool]:
    return [each["success"] for each in promptfoo_rows(folder) or ()]


def _ours(suite: dict[str, Any]) -> list[bool]:
    (loaded,) = load_text(json.dumps(suite), "a.eval.yaml", dialect=AGENTV_5)
    judge = AnsweringJudge(lambda _: "")
    found: list[bool] = []
    for case, test in zip(loaded.cases, suite["tests"], strict=True):
        result = asyncio.run(grade(case, test["vars"]["output"], judge))
        assert result.verdict is not None, result.error
        found.append(result.verdict.value == "pass")
    return found


@pytest.mark.parametrize("seed", range(10))
def test_promptfoo_gives_the_verdicts_of_before(seed: int, tmp_path: Path) -> None:
    """Of each test, where the migration lists nothing."""
    suite = _suite(seed)
    found = migrated(json.dumps(suite), "agentv-5", "promptfoo")
    assert not found.findings
    (tmp_path / "promptfooconfig.yaml").write_text(found.text, encoding="utf-8")
    assert _theirs(tmp_path) == _ours(suite)


@pytest.mark.skipif(not PATHS, reason="RUBRIC_CORPUS does not name the folder of the corpora")
@pytest.mark.parametrize("path", PATHS, ids=[path.name for path in PATHS])
def test_promptfoo_loads_what_was_migrated(path: Path, tmp_path: Path) -> None:
    """`promptfoo validate` accepts a real suite after its migration, with a provider of promptfoo's own."""
    found = migrated(path.read_text(encoding="utf-8"), "agentv-5", "promptfoo", str(path))
    config = {**YAML(typ="safe").load(found.text), "providers": ["echo"]}
    (tmp_path / "config.yaml").write_text(json.dumps(config, default=str), encoding="utf-8")
    said = run_promptfoo(tmp_path, "validate", "-c", "config.yaml")
    assert b"is valid" in said.stdout, (said.stdout, said.stderr)
