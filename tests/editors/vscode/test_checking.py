"""Eval files in Visual Studio Code: what is wrong is shown where it is, explained, and fixed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from uncovered_scores import REVIEW_GAP
from vscode import copy_examples, eventually, processes_of_server

if TYPE_CHECKING:
    from pathlib import Path

    from vscode import Workbench

pytestmark = pytest.mark.slow


def test_the_broken_example_is_underlined_without_any_setting(workbench: Workbench, tmp_path: Path) -> None:
    """Errors, warnings and deprecated names each look their own way; the Problems panel lists them."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    workbench.wait(".squiggly-warning")
    workbench.command("Problems: Focus on Problems View")
    problem = workbench.wait_for_text(".markers-panel .monaco-list-row", "Scores 3-4 are not covered", "RB103")
    assert "rubric" in problem
    workbench.picture("problems", 352, 90, 800, 580)


def test_a_hover_shows_the_bands_on_a_ruler(workbench: Workbench, tmp_path: Path) -> None:
    """The gap is on the ruler, and the sentence about it below."""
    file = tmp_path / "gap.eval.yaml"
    file.write_text(REVIEW_GAP)
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    hover = workbench.hover(7, 12)
    assert "0 1 2 3 4 5 6 7 8 9 10" in hover
    assert "No band covers 3-4." in hover


def test_keys_are_completed_where_they_belong(workbench: Workbench, tmp_path: Path) -> None:
    """A criterion is offered its keys, and none that it has already."""
    file = tmp_path / "gap.eval.yaml"
    file.write_text(REVIEW_GAP.replace("      - id: depth\n", "      - id: depth\n        \n"))
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    workbench.go_to(7, 9)
    workbench.press("Control+Space")
    workbench.wait(".suggest-widget.visible .monaco-list-row")
    offered = workbench.texts(".suggest-widget .monaco-list-row .label-name")
    assert {"weight", "required_min_score", "expected_outcome"} <= set(offered)
    assert "id" not in offered


def test_a_quick_fix_closes_a_gap(workbench: Workbench, tmp_path: Path) -> None:
    """The fix is applied to the text, and the problem is gone."""
    file = tmp_path / "gap.eval.yaml"
    file.write_text(REVIEW_GAP)
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    workbench.go_to(10, 28)
    workbench.quick_fix("Extend 0-2 to 0-4")
    workbench.wait(".squiggly-error", gone=True)
    assert workbench.save(file) == REVIEW_GAP.replace("[0, 2]", "[0, 4]")


def test_characters_outside_of_the_basic_plane_do_not_move_a_squiggle(workbench: Workbench, tmp_path: Path) -> None:
    """The editor counts in UTF-16: behind an emoji, the squiggle still sits right under the misspelt role."""
    file = tmp_path / "emoji.eval.yaml"
    file.write_text(
        REVIEW_GAP.replace("[5, 10]", "[3, 10]").replace("{role: user", '{name: "🎉🎉", role: usr'), encoding="utf-8"
    )
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    word = workbench.place_of("usr")
    squiggle = workbench.page.locator(".squiggly-error").first().boundingBox()
    assert abs(squiggle["x"] - word["x"]) < 2
    assert abs(squiggle["width"] - word["width"]) < 3
    # The language status has the dialect.
    workbench.wait("#status\\.languageStatus [aria-label*='AgentV 2']")


def test_a_file_of_another_tool_is_left_alone(workbench: Workbench, tmp_path: Path) -> None:
    """No server is started for plain YAML, nor by a look at tests; it is when the first word of ours is typed."""
    file = tmp_path / "pipeline.yaml"
    file.write_text("stages:\n  test:\n    image: nginx\n")
    workbench.open(tmp_path, file)
    workbench.wait(".statusbar-item", "YAML")
    assert "Judge" not in " ".join(workbench.texts(".statusbar-item"))
    before = set(processes_of_server(workbench.server))
    look = "Testing: Focus on Test Explorer View"
    eventually(lambda: look in workbench.commands_named(look), "The command of an extension with tests")
    workbench.command(look)
    workbench.wait(".part.sidebar .title-label", "Testing")
    time.sleep(2)
    assert not set(processes_of_server(workbench.server)) - before
    workbench.go_to(3, 17)
    workbench.press("Enter")
    workbench.keyboard.type("rubrics: []")
    workbench.wait(".statusbar-item", "Judge")
    eventually(lambda: set(processes_of_server(workbench.server)) - before, "The server")
