"""Tests that promptfoo itself grades, and we: both say the same, or our result says what promptfoo says."""

from __future__ import annotations

import asyncio
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from judges import AnsweringJudge
from promptfoo_program import promptfoo_rows

from rubric_core import grade
from rubric_core.model.load import load_all

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.results import CaseResult

_SHARES = (0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1)
_TESTS = 200

pytestmark = pytest.mark.slow

OUTPUTS = (
    *("yes, it is", "YES", " yes ", "one two  three", "42", "x, y"),
    *('{"a": 1.0, "b": [true, null]}', 'is {a: [1]} // {"b": 2}'),
)
ASSERTIONS: tuple[dict[str, Any], ...] = (
    {"type": "contains", "value": "yes"},
    {"type": "contains", "value": 42},
    {"type": "icontains", "value": "Yes"},
    {"type": "contains-any", "value": ["no", "yes"]},
    {"type": "contains-any", "value": 'no, "x, y"'},
    {"type": "contains-all", "value": ["y", "e"]},
    {"type": "icontains-any", "value": "NO, YES"},
    {"type": "icontains-all", "value": ["Y", "E"]},
    {"type": "equals", "value": "YES"},
    {"type": "equals", "value": 42},
    {"type": "equals", "value": {"b": [True, None], "a": 1}},
    {"type": "starts-with", "value": "yes"},
    {"type": "regex", "value": "^[a-z]+\\s"},
    {"type": "is-json"},
    {"type": "is-json", "value": {"required": ["a"], "properties": {"a": {"type": "integer"}}}},
    {"type": "is-json", "value": "type: number"},
    {"type": "contains-json"},
    {"type": "contains-json", "value": {"required": ["a"], "additionalProperties": {"type": "array"}}},
    {"type": "word-count", "value": 3},
    {"type": "word-count", "value": {"min": 2}},
    {"type": "levenshtein", "value": "yes"},
    {"type": "levenshtein", "value": "yes", "threshold": 1},
)


def _assertion(chance: random.Random) -> dict[str, Any]:
    made = dict(chance.choice(ASSERTIONS))
    if chance.random() < 0.4:
        made["type"] = f"not-{made['type']}"
    if chance.random() < 0.5:
        made["weight"] = chance.choice((0, 0.1, 0.2, 0.7, 1, 2))
    return made


def _member(chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.8:
        return _assertion(chance)
    made: dict[str, Any] = {"type": "assert-set", "assert": [_assertion(chance) for _ in range(chance.randint(1, 3))]}
    made |= {"threshold": chance.choice(_SHARES)} if chance.random() < 0.5 else {}
    return {**made, **({"weight": chance.choice((0, 0.3, 2))} if chance.random() < 0.5 else {})}


def _test(chance: random.Random) -> dict[str, Any]:
    made: dict[str, Any] = {"vars": {"output": chance.choice(OUTPUTS)}}
    made["assert"] = [_member(chance) for _ in range(chance.randint(1, 4))]
    return {**made, "threshold": chance.choice(_SHARES)} if chance.random() < 0.5 else made


def _config() -> dict[str, Any]:
    """Return each assertion with each output, and random tests."""
    chance = random.Random(5)  # noqa: S311 - nothing secret.
    alone = [{"vars": {"output": text}, "assert": [each]} for text in OUTPUTS for each in ASSERTIONS]
    tests = [*alone, *(_test(chance) for _ in range(_TESTS))]
    default = {"assert": [{"type": "not-contains", "value": "{{ output }}!", "weight": 0.1}]}
    return {"prompts": ["{{ output }}"], "providers": ["echo"], "defaultTest": default, "tests": tests}


def _theirs(folder: Path) -> list[tuple[bool, float]]:
    return [(each["success"], each["score"]) for each in promptfoo_rows(folder) or ()]


def _said(result: CaseResult) -> tuple[bool, float]:
    """Return what our result says that promptfoo says."""
    assert result.score is not None, result.error
    assert result.verdict is not None
    if result.upstream is not None:
        return result.upstream.verdict.value == "pass", float(result.upstream.score)
    return result.verdict.value == "pass", float(result.score)


def test_promptfoo_says_what_our_results_say_of_it(tmp_path: Path) -> None:
    """Scores, and whether tests pass, of each assertion that needs no judge, and of random tests with them."""
    config = _config()
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(json.dumps(config), encoding="utf-8")
    theirs = _theirs(tmp_path)
    cases = load_all(path)[0].cases
    assert len(theirs) == len(cases) == len(config["tests"])
    judge = AnsweringJudge(lambda _: "")
    for test, case, (passes, score) in zip(config["tests"], cases, theirs, strict=True):
        result = asyncio.run(grade(case, test["vars"]["output"], judge))
        assert _said(result) == (passes, pytest.approx(score, abs=1e-9)), test
