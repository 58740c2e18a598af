"""The comparison of two versions finds what differs, and nothing where nothing does."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def same_outputs(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    command = [sys.executable, str(ROOT / "scripts" / "same_outputs.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the recording of two examples."""
    suites, folder = tmp_path_factory.mktemp("suites"), tmp_path_factory.mktemp("recording")
    for name in ("checklist.eval.yaml", "score-ranges.eval.yaml"):
        shutil.copy(ROOT / "examples" / name, suites)
    assert same_outputs("record", folder, suites).returncode == 0
    return folder


@pytest.mark.slow
def test_the_same_version_prints_the_same(recording: Path) -> None:
    """Boundaries of prompts, times and the folders of a run do not count."""
    compared = same_outputs("compare", recording)
    assert compared.returncode == 0, compared.stdout


@pytest.mark.slow
def test_a_difference_is_shown_unless_it_is_intended(recording: Path, tmp_path: Path) -> None:
    """A pattern names the outputs that may differ."""
    recorded = json.loads((recording / "outputs.json").read_text("utf-8"))
    (name,) = (name for name in recorded["outputs"] if name.endswith("checklist.eval.yaml: judge"))
    recorded["outputs"][name] += "\nA new line"
    (tmp_path / "outputs.json").write_text(json.dumps(recorded), "utf-8")
    compared = same_outputs("compare", recording, tmp_path)
    assert compared.returncode == 1
    assert f"=== {name}" in compared.stdout
    assert "+A new line" in compared.stdout
    (tmp_path / "allowed.txt").write_text("*checklist*: judge\n", "utf-8")
    assert same_outputs("compare", recording, tmp_path, "--allowed", tmp_path / "allowed.txt").returncode == 0
