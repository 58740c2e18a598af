"""The files that other tools read: the hooks of pre-commit and the page about CI."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from rubric_core.cli.main import SUBCOMMANDS, load_subcommand
from rubric_core.report.formats import CHECK_FORMATS, RESULT_FORMATS

ROOT = Path(__file__).resolve().parents[2]
HOOKS = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
CHECKING, GRADING = PAGE.split("## Grading in a pipeline")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_calls_a_subcommand_for_the_files_that_may_be_ours(hook: dict[str, str]) -> None:
    """All files go to one process, which knows best how to share them out."""
    program, subcommand, *_ = hook["entry"].split()
    assert (program, hook["id"]) == ("rubric", f"rubric-{subcommand}")
    assert subcommand in SUBCOMMANDS
    assert hook["require_serial"]
    for name in ("a.yaml", "b/c.eval.yml", "d.jsonl"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "notes.yaml.txt")


def test_the_page_names_every_format_and_none_that_does_not_exist() -> None:
    """In its table and in its examples."""
    table = PAGE.split("## Formats")[1].split("##")[0]
    assert set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))) - {"NO"} == set(
        CHECK_FORMATS
    )
    assert set(re.findall(r"--format (\w+)", CHECKING)) <= set(CHECK_FORMATS)
    assert set(re.findall(r"--format (\w+)", GRADING)) <= set(RESULT_FORMATS)


@pytest.mark.parametrize(("subcommand", "part"), [("check", CHECKING), ("grade", GRADING)])
def test_the_page_uses_only_options_that_exist(subcommand: str, part: str) -> None:
    """An example that fails would be worse than none."""
    known = {option for parameter in load_subcommand(subcommand).params for option in parameter.opts}
    assert set(re.findall(r"(?<!\w)--[a-z][\w-]*", part)) <= known


def test_the_yaml_of_the_page_can_be_read() -> None:
    """Whoever copies it gets what it says."""
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        assert YAML(typ="safe").load(block)
