"""Paths that no system can open cost the case that names them, and nothing else of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Rubric = Callable[..., Result]

NAMES = {"null": "a\0b", "long": "x" * 5_000, "long-path": "/".join(["x" * 200] * 30)}
PLACES = {
    "cwd": {"evaluators": [{"name": "e", "type": "code_judge", "script": ["cat"], "cwd": "@"}]},
    "program": {"evaluators": [{"name": "e", "type": "code_judge", "script": ["./@"]}]},
    "argument": {"evaluators": [{"name": "e", "type": "code_judge", "script": ["cat", "./@"]}]},
    "python": {"evaluators": [{"name": "e", "type": "code_judge", "script": ["python3", "@.py"]}]},
    "prompt": {"evaluators": [{"name": "e", "type": "llm_judge", "prompt": "@.md"}]},
    "prompt-script": {"evaluators": [{"name": "e", "type": "llm_judge", "prompt": {"script": ["./@"]}}]},
    "target": {"execution": {"target": "replay:@"}},
    "target-folder": {"execution": {"target": "far"}},
    "file": {"input": [{"role": "user", "content": [{"type": "file", "value": "@"}]}]},
    "answer": {"id": "@"},
}


@pytest.mark.parametrize("judge", [("--judge", "replay:judgements.json"), ()], ids=["named", "configured"])
@pytest.mark.parametrize("name", list(NAMES))
def test_every_other_case_is_graded(rubric: Rubric, folder: Path, name: str, judge: tuple[str, ...]) -> None:
    """Each place that takes a path gets one that cannot be opened."""
    good = {"id": "good", "expected_outcome": "Is right", "input": "Which port?", "rubrics": ["Is right"]}
    written = NAMES[name]
    cases = [good, *({**good, "id": place, **value} for place, value in PLACES.items())]
    text = json.dumps({"evalcases": cases}).replace("@", json.dumps(written)[1:-1])
    (folder / "port.eval.yaml").write_text(text, encoding="utf-8")
    far = json.dumps(written)
    config = f'judge = "replay:judgements.json"\n[targets.far]\nprovider = "command"\ncommand = "cat"\ncwd = {far}\n'
    (folder / "rubric.toml").write_text(config, encoding="utf-8")
    (folder / "port.answers").mkdir()
    answered = [place for place in PLACES if place not in {"target", "target-folder", "answer"}]
    for case in ("good", *answered):
        (folder / "port.answers" / f"{case}.md").write_text("443", encoding="utf-8")
    met = {"checks": [{"id": "rubric-1", "satisfied": True}]}
    (folder / "judgements.json").write_text(json.dumps({"good": met}), encoding="utf-8")
    result = rubric("grade", "port.eval.yaml", *judge, "--format", "jsonl")
    assert result.stdout, result.stderr
    graded = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(graded) == len(cases)
    assert graded[0]["verdict"] == "pass"
    assert all(each["verdict"] != "pass" for each in graded[1:])
    assert result.exit_code == 2
