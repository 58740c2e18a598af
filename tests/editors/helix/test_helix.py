"""Helix with the lines of our page in its `languages.toml`, on a terminal."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from editor_hosts import editor_environment, editor_host
from hosts import ROOT
from neovim_project import write_project
from terminal_screen import ScreenProgram
from uncovered_scores import GREETING_GAP

if TYPE_CHECKING:
    from pathlib import Path

    from editor_hosts import EditorHost

pytestmark = pytest.mark.slow

SETTINGS = [ROOT / "editors" / "helix" / name for name in ("languages.toml", "config.toml")]
ESCAPE = "\x1b"
GAP = GREETING_GAP.replace("content: Hello", 'content: "🎉"').replace(
    "Greets the user by name", '"🎉 Greets the user by name"'
)


@pytest.fixture(scope="session")
def helix() -> EditorHost:
    """Give Helix."""
    host = editor_host("helix", "hx")
    print(f"Helix {host.version}")  # noqa: T201 - suites of packages move on, so the report tells what was used.
    return host


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Give an environment with our lines, and no other settings."""
    found = editor_environment(tmp_path / "home")
    folder = tmp_path / "home" / "config" / "helix"
    folder.mkdir()
    for settings in SETTINGS:
        shutil.copy(settings, folder)
    return found


def health(helix: EditorHost, environment: dict[str, str], language: str) -> str:
    """Return what Helix says of a language, without colours."""
    command = ["timeout", "60", helix.program, "--health", language]
    told = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return re.sub(r"\x1b\[[0-9;]*m", "", told)


@pytest.mark.parametrize("language", ["yaml", "jsonl"])
def test_the_health_check_finds_our_server(helix: EditorHost, environment: dict[str, str], language: str) -> None:
    """The lines are valid, and name a command that is there."""
    assert re.search(r"✓ (rubric|rubric-lsp): /.*rubric-lsp", health(helix, environment, language))


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda path: path.name)
def test_the_page_has_the_lines_that_are_tried(settings: Path) -> None:
    """What users paste is what these tests use."""
    assert settings.read_text(encoding="utf-8") in (ROOT / "docs" / "helix.md").read_text(encoding="utf-8")


def opened(helix: EditorHost, environment: dict[str, str], path: Path, text: str) -> ScreenProgram:
    """Open a file in Helix."""
    path.write_text(text, encoding="utf-8")
    return ScreenProgram([helix.program, path], path.parent, environment)


def test_a_problem_is_shown(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Going to the next problem selects the range above the gap and tells the message."""
    with closing(opened(helix, environment, tmp_path / "gap.eval.yaml", GAP)) as program:
        program.until(lambda text: re.search(r"●.*score_range: \[5, 10\]", text) is not None, "The mark of the problem")
        program.type("]d")
        program.expect("Score 4 is not covered by any range")
        program.expect("11:32")


def test_behind_an_emoji_the_place_is_right(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Helix counts characters, whatever the two agreed on to count in between."""
    text = GAP.replace('content: "🎉"}', 'content: "🎉"}, {role: usr, content: Hello}').replace("[5, 10]", "[4, 10]")
    with closing(opened(helix, environment, tmp_path / "emoji.eval.yaml", text)) as program:
        program.until(lambda shown: re.search(r"●.*role: usr", shown) is not None, "The mark of the problem")
        program.type("]d")
        line = text.splitlines()[3]
        program.expect(f"4:{line.index('usr') + len('usr')}")


def test_a_fix_is_applied_and_saved(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Space and `a` offer the fixes at the problem; the chosen one changes nothing but the bound."""
    path = tmp_path / "gap.eval.yaml"
    with closing(opened(helix, environment, path, GAP)) as program:
        program.until(lambda text: re.search(r"●.*score_range: \[5, 10\]", text) is not None, "The mark of the problem")
        program.type("]d")
        program.expect("11:32")
        program.type(" a")
        program.expect("Extend 5-10 down to 4-10")
        program.type("\x1b[B\r")
        program.until(lambda text: "[4, 10]" in text or "[0, 4]" in text, "The fix")
        program.type(":w\r")
        program.expect("written")
    assert path.read_text(encoding="utf-8") in (GAP.replace("[5, 10]", "[4, 10]"), GAP.replace("[0, 3]", "[0, 4]"))


def test_hovering_shows_the_bands(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Space and `k` on `score_ranges` show the ruler."""
    with closing(opened(helix, environment, tmp_path / "gap.eval.yaml", GAP)) as program:
        program.until(lambda text: "●" in text, "The mark of the problem")
        program.type("8gg")
        program.expect("8:1")
        program.type("gs k")
        program.expect("No band covers 4.")


def test_fields_are_completed(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Typing the start of a field in a criterion offers the rest of it."""
    with closing(opened(helix, environment, tmp_path / "half.eval.yaml", GAP)) as program:
        program.until(lambda text: "●" in text, "The mark of the problem")
        program.type("7ggowei")
        program.expect("weight")
        program.type(f"{ESCAPE}:q!\r")


def test_json_lines_are_looked_at(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Helix learns the file type from our lines."""
    text = '{"id": "a", "expected_outcome": "Greets", "input_messages": [{"role": "usr", "content": "Hello"}]}\n'
    with closing(opened(helix, environment, tmp_path / "cases.jsonl", text)) as program:
        program.until(lambda shown: "●" in shown, "The mark of the problem")
        program.type("]d")
        program.expect("`usr` is not a role")


def test_a_key_grades_the_file(helix: EditorHost, environment: dict[str, str], tmp_path: Path) -> None:
    """Failed gates are shown at their criteria, and go when the text of the criterion is changed."""
    path = write_project(tmp_path / "project")
    judge = f"replay:{path.parent / 'judgements.json'}"
    (path.parent / "rubric.toml").write_text(f"judge = {json.dumps(judge)}\n", encoding="utf-8")
    # A problem tells that the server is there.
    text = path.read_text(encoding="utf-8") + "misspelt: true\n"
    with closing(opened(helix, environment, path, text)) as program:
        program.until(lambda text: re.search("●.*misspelt", text) is not None, "The server")
        program.type(f"{ESCAPE}g")
        program.until(lambda text: len(re.findall("●.*- id: (names|warmth)", text)) == 2, "The judgement")
        program.type("]d")
        program.expect("judged not met and the gate failed")
        program.type("10ggA again")
        program.until(lambda text: re.search("●.*- id: names", text) is None, "The end of the judgement")
        program.expect("warmth: judged 3 of 10")
