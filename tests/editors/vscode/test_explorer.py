"""The list of the Test Explorer in Visual Studio Code follows what is on the disk."""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from browser import HasText
from vscode import eventually
from waiting import TIMEOUT

if TYPE_CHECKING:
    from pathlib import Path

    from vscode import Workbench

pytestmark = pytest.mark.slow

ROW = ".test-explorer .monaco-list-row"
MARK = ".testing-run-glyph"
STAGES = "stages: {test: {image: nginx}}\n"


def _cases(*ids: str) -> str:
    """Return the text of an eval file with these cases."""
    return "evalcases:\n" + "".join(
        f"  - id: {each}\n"
        "    expected_outcome: Answers in kind\n"
        "    input_messages: [{role: user, content: Thank you!}]\n"
        "    rubrics: [Stays polite]\n"
        for each in ids
    )


@pytest.fixture
def open_file(workbench: Workbench, tmp_path: Path) -> Path:
    """An eval file that is open, beside a Test Explorer in which it is all there is."""
    (tmp_path / "node_modules" / "package").mkdir(parents=True)
    file = tmp_path / "open.eval.yaml"
    file.write_text(_cases("lost-parcel"))
    workbench.open(tmp_path, file)
    workbench.wait(MARK)
    workbench.command("Testing: Focus on Test Explorer View")
    _wait_for_rows(workbench, "open.eval.yaml")
    return file


def _wait_for_rows(workbench: Workbench, *names: str, patience: float = TIMEOUT) -> None:
    """Wait until these are the rows of the Test Explorer, and no others."""
    eventually(lambda: sorted(workbench.texts(ROW)) == sorted(names), f"{names} in the Test Explorer", patience)


def _expand(workbench: Workbench, name: str) -> None:
    """Show the cases of a file without opening it, as a click on its name would."""
    workbench.page.locator(ROW).filter(HasText(name)).first().locator(".monaco-tl-twistie").click()


def _refresh(workbench: Workbench) -> None:
    """Press the button above the list."""
    workbench.page.locator(".part.sidebar").getByRole("button", {"name": "Refresh Tests"}).first().click()


def _refresh_until_rows(workbench: Workbench, *names: str) -> None:
    """Press the button until these are the rows: the server may not have heard yet of what is on the disk."""

    def press() -> bool:
        _refresh(workbench)
        with suppress(AssertionError):
            _wait_for_rows(workbench, *names, patience=2)
            return True
        return False

    eventually(press, f"{names} in the Test Explorer")


@pytest.mark.usefixtures("open_file")
def test_a_file_comes_changes_and_goes_in_the_list_as_on_the_disk(workbench: Workbench, tmp_path: Path) -> None:
    """Nobody has to open it or to press anything."""
    late = tmp_path / "late.eval.yaml"
    late.write_text(_cases("thanks"))
    _wait_for_rows(workbench, "open.eval.yaml", "late.eval.yaml")
    _expand(workbench, "late.eval.yaml")
    _wait_for_rows(workbench, "open.eval.yaml", "late.eval.yaml", "thanks")
    late.write_text(_cases("welcome", "goodbye"))
    _wait_for_rows(workbench, "open.eval.yaml", "late.eval.yaml", "welcome", "goodbye")
    late.unlink()
    _wait_for_rows(workbench, "open.eval.yaml")


@pytest.mark.usefixtures("open_file")
def test_files_go_and_come_with_their_folder(workbench: Workbench, tmp_path: Path) -> None:
    """The editor tells of the folder alone."""
    suites = tmp_path / "suites" / "mail"
    suites.mkdir(parents=True)
    (suites / "one.eval.yaml").write_text(_cases("thanks"))
    (tmp_path / "suites-of-others.eval.yaml").write_text(_cases("thanks"))
    _wait_for_rows(workbench, "open.eval.yaml", "suites/mail/one.eval.yaml", "suites-of-others.eval.yaml")
    suites.parent.rename(tmp_path / "moved")
    _wait_for_rows(workbench, "open.eval.yaml", "moved/mail/one.eval.yaml", "suites-of-others.eval.yaml")
    shutil.rmtree(tmp_path / "moved")
    _wait_for_rows(workbench, "open.eval.yaml", "suites-of-others.eval.yaml")


@pytest.mark.usefixtures("open_file")
def test_what_a_package_brings_along_is_not_listed(workbench: Workbench, tmp_path: Path) -> None:
    """Neither when it comes nor when the list is made again."""
    (tmp_path / "node_modules" / "package" / "theirs.eval.yaml").write_text(_cases("thanks"))
    (tmp_path / "ours.eval.yaml").write_text(_cases("thanks"))
    _wait_for_rows(workbench, "open.eval.yaml", "ours.eval.yaml")
    _refresh(workbench)
    (tmp_path / "more.eval.yaml").write_text(_cases("thanks"))
    _wait_for_rows(workbench, "open.eval.yaml", "ours.eval.yaml", "more.eval.yaml")


def test_an_open_file_that_was_gone_for_a_while_has_its_marks_again(
    workbench: Workbench, tmp_path: Path, open_file: Path
) -> None:
    """As it is when another branch is checked out and the first one again."""
    away = open_file.rename(tmp_path / "away.txt")
    eventually(lambda: workbench.texts(ROW) == [], "The end of the row")
    workbench.wait(MARK, gone=True)
    away.rename(open_file)
    _wait_for_rows(workbench, "open.eval.yaml")
    workbench.wait(MARK)


@pytest.mark.usefixtures("open_file")
def test_the_button_looks_for_files_that_no_name_indicates(workbench: Workbench, tmp_path: Path) -> None:
    """They are recognised by their content, so that nothing is noticed when they come, change and go."""
    plain = tmp_path / "plain.yaml"
    plain.write_text(_cases("thanks"))
    pipeline = tmp_path / "pipeline.yaml"
    pipeline.write_text(STAGES)
    _refresh_until_rows(workbench, "open.eval.yaml", "plain.yaml")
    _expand(workbench, "plain.yaml")
    _wait_for_rows(workbench, "open.eval.yaml", "plain.yaml", "thanks")
    plain.write_text(_cases("welcome"))
    _refresh_until_rows(workbench, "open.eval.yaml", "plain.yaml", "welcome")
    pipeline.write_text(_cases("thanks"))
    _refresh_until_rows(workbench, "open.eval.yaml", "plain.yaml", "welcome", "pipeline.yaml")
    pipeline.write_text(STAGES)
    _refresh_until_rows(workbench, "open.eval.yaml", "plain.yaml", "welcome")
    plain.unlink()
    _refresh_until_rows(workbench, "open.eval.yaml")
