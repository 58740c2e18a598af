"""What promptfoo itself does with mistakes that it does not report, beside what we report of each.

RUBRIC_PROMPTFOO names the main.js of an installed promptfoo 0.123.1, and RUBRIC_NODE a Node that runs it (22 or later).
Nothing is sent: the provider is `echo`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest

from rubric_core.analysis.check import check_text

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = os.environ.get("RUBRIC_PROMPTFOO")
NODE = os.environ.get("RUBRIC_NODE") or shutil.which("node")
_HEAD = 'prompts: ["Say {{ topic }}"]\nproviders: [echo]\ntests:\n'
_ENVIRONMENT = ("PROMPTFOO_DISABLE_TELEMETRY", "PROMPTFOO_DISABLE_UPDATE", "PROMPTFOO_DISABLE_REMOTE_GENERATION")

pytestmark = pytest.mark.skipif(not PROGRAM, reason="RUBRIC_PROMPTFOO does not name the main.js of promptfoo")


class Row(NamedTuple):
    """A test as it is written behind its variables, the rule that speaks of it, and whether it passes with a score."""

    written: str
    code: str
    passes: bool
    score: float


ROWS = (
    Row("asserts: [{type: is-json}]", "RB003", passes=True, score=1),
    Row("assert: [{type: contains, value: Say, treshold: 1}]", "RB003", passes=True, score=1),
    Row("options: {assert: [{type: is-json}]}", "RB801", passes=True, score=1),
    Row("assert: []", "RB802", passes=True, score=1),
    Row("assert: [{type: assert-set, assert: []}]", "RB802", passes=True, score=0),
    Row("assert: [{type: contains-all, value: []}]", "RB804", passes=True, score=1),
    Row("assert: [{type: not-contains-any, value: []}]", "RB804", passes=True, score=1),
    Row("assert: [{type: contains-any, value: []}]", "RB804", passes=False, score=0),
    Row("assert: [{type: not-equals}]", "RB804", passes=True, score=1),
    Row("assert: [{type: equals}]", "RB804", passes=False, score=0),
    Row("assert: [{type: regex, value: /Say/}]", "RB805", passes=False, score=0),
    Row('assert: [{type: regex, value: "Say ("}]', "RB805", passes=False, score=0),
    Row("threshold: 50\n    assert: [{type: contains, value: Say}]", "RB718", passes=False, score=1),
    Row("threshold: 0.5", "RB806", passes=True, score=1),
    Row("assert: [{type: is-json, weight: 0}]", "RB806", passes=True, score=0),
    Row("threshold: 0.5\n    assert: [{type: contains, value: Say, weight: 0}]", "RB806", passes=False, score=0),
    Row("assert: [{type: contains, value: Say}, {type: is-json, weight: -1}]", "RB204", passes=False, score=0),
    Row(
        "threshold: 0.8\n    assert: [{type: contains, value: Say, weight: 0.1}, "
        "{type: contains, value: ports, weight: 0.7}, {type: is-json, weight: 0.2}]",
        "RB809",
        passes=False,
        score=0.8,
    ),
    Row("assert: [{type: llm_rubric, value: a}]", "RB501", passes=False, score=0),
    Row("assert: [{type: starts-with, value: 5}]", "RB004", passes=False, score=0),
    Row('assert: [{type: contains, value: "{{ topik }}"}]', "RB811", passes=False, score=0),
    Row('assert: [{type: contains-any, value: ["{{ topik }}"]}]', "RB811", passes=True, score=1),
    Row('assert: [{type: contains, value: "{{ topic | uper }}"}]', "RB812", passes=False, score=0),
    Row("assert: [{type: latency}]", "RB005", passes=False, score=0),
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[bool, float]]:
    """Run all rows at once; return whether each passes, and its score."""
    folder: Path = tmp_path_factory.mktemp("promptfoo")
    tests = "".join(f"  - vars: {{topic: ports}}\n    {row.written}\n" for row in ROWS)
    (folder / "promptfooconfig.yaml").write_text(_HEAD + tests, encoding="utf-8")
    environment = {**os.environ, **dict.fromkeys(_ENVIRONMENT, "1"), "PROMPTFOO_CONFIG_DIR": str(folder / "home")}
    command = [str(NODE), str(PROGRAM), "eval", "--no-cache", "--no-table", "--no-share", "-o", "out.json"]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=300)
    written = json.loads((folder / "out.json").read_text(encoding="utf-8"))["results"]["results"]
    by_test = sorted(written, key=lambda each: each["testIdx"])
    return [(each["success"], each["score"]) for each in by_test]


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda number: ROWS[number].written[:60])
def test_promptfoo_does_what_the_rule_says(results: list[tuple[bool, float]], number: int) -> None:
    """It passes or fails as the page of the rule says, and we report it."""
    row = ROWS[number]
    passes, score = results[number]
    assert (passes, round(score, 6)) == (row.passes, row.score)
    text = f"{_HEAD}  - vars: {{topic: ports}}\n    {row.written}\n"
    assert row.code in {problem.code for problem in check_text(text, path="promptfooconfig.yaml").problems}
