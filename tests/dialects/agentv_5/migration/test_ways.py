"""Ways of migrations over AgentV 4 to AgentV 5, and the page that shows one."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner
from migrations import shape_of

from rubric_core.cli.main import cli
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.registry import migrate_text, path_between

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[4]


def test_ways_lead_over_other_dialects() -> None:
    """From the oldest to the newest over the one between; nowhere to a dialect that no table knows."""
    assert path_between("agentv-2", "agentv-5") == (("agentv-2", "agentv-4"), ("agentv-4", "agentv-5"))
    assert path_between("agentv-4", "agentv-4") == ()
    assert path_between("agentv-4", "nothing") is None


def test_case_files_and_json_lines_are_cases() -> None:
    """Without a list around them."""
    two, five = BY_NAME["agentv-2"], BY_NAME["agentv-5"]
    text = "input: Which port?\nexpected_outcome: Names it\nrubrics: [Names it]\n"
    found = migrate_text(text, two, five, shape_of("port/case.yaml"))
    assert found.text == (
        "input: Which port?\ndescription: Names it\nassert:\n  - type: llm-rubric\n    value: [Names it]\n"
    )


def test_the_page_shows_what_the_command_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a copy of the examples."""
    page = (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for part in block.split("$ rubric ")[1:]:
        arguments, _, printed = part.partition("\n")
        assert CliRunner().invoke(cli, arguments.split()).output == printed.replace("/", os.sep)
