"""`rubric check FOLDER` checks the lists of tests that a configuration in it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASE = '{"vars": {"text": "a"}, "assert": [{"type": "containz", "value": "a"}]}\n'


def test_a_check_of_a_folder_checks_its_lists(rubric: Any, folder: Path) -> None:
    """Those in YAML, JSON and JSON Lines, of a configuration without the name of one; others are not checked."""
    texts = {"cases.json": f"[{CASE}]", "cases.yaml": f"- {CASE}", "cases.jsonl": CASE, "sub/cases.json": f"[{CASE}]"}
    others = {"other.json": f"[{CASE}]", "other.yaml": f"- {CASE}", "other.jsonl": CASE}
    named = json.dumps([f"file://{name}" for name in texts])
    config = f'prompts: ["{{{{ text }}}}"]\nproviders: [echo]\ntests: {named}\n'
    (folder / "sub").mkdir()
    for name, text in {"smoke.yaml": config, **texts, **others}.items():
        (folder / name).write_text(text, encoding="utf-8")
    problems = json.loads(rubric("check", "--format", "json").stdout)
    assert {(Path(each["path"]).as_posix(), each["code"]) for each in problems} == {(name, "RB501") for name in texts}
