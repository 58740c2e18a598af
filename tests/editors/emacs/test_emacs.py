"""Emacs with Eglot, in batch: one session does everything, and each test looks at a part of what came out."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from editor_hosts import editor_environment, editor_host
from hosts import ROOT
from neovim_project import ANSWERS, write_project
from uncovered_scores import GREETING_GAP

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from editor_hosts import EditorHost

pytestmark = pytest.mark.slow

PACKAGE = ROOT / "editors" / "emacs"
SESSION = ROOT / "tests" / "editors" / "emacs" / "session.el"
BARE = SESSION.with_name("bare.el")
GAP = GREETING_GAP.replace(
    "[{role: user, content: Hello}]", '[{role: user, content: "🎉"}, {role: usr, content: Hello}]'
)
OLD = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting of the user
    input_messages: [{role: user, content: Hello}]
    rubrics:
      - id: greets
        description: Greets the user by name
"""
HALF = OLD.replace("description", "expected_outcome") + "        wei\n"


@pytest.fixture(scope="module")
def emacs() -> EditorHost:
    """Give Emacs."""
    host = editor_host("emacs", "emacs")
    print(f"Emacs {host.version}")  # noqa: T201 - the report tells what was used.
    return host


@pytest.fixture(scope="module")
def session(
    emacs: EditorHost, tmp_path_factory: pytest.TempPathFactory, write_free_form: Callable[[Path], Path]
) -> dict[str, Any]:
    """Run the session and return what each step returned."""
    folder = tmp_path_factory.mktemp("emacs")
    for name, text in {"gap": GAP, "half": HALF, "old": OLD}.items():
        (folder / f"{name}.eval.yaml").write_text(text, encoding="utf-8")
    write_free_form(write_project(folder / "project").parent)
    return _results_of(emacs, SESSION, folder)


def _results_of(emacs: EditorHost, script: Path, folder: Path) -> dict[str, Any]:
    """Run a script in Emacs, which finds its files in a folder, and return what it wrote."""
    results = folder / "results.json"
    environment = {
        **editor_environment(folder / "home"),
        "RUBRIC_EMACS": str(PACKAGE),
        "RUBRIC_FOLDER": str(folder),
        "RUBRIC_RESULTS": str(results),
    }
    command = ["timeout", "300", emacs.program, "-Q", "--batch", "-l", script]
    done = subprocess.run(command, env=environment, cwd=folder, check=False, capture_output=True, text=True)
    assert results.exists(), done.stderr
    found: dict[str, Any] = json.loads(results.read_text(encoding="utf-8"))
    return found


def test_the_package_compiles_without_a_warning(emacs: EditorHost, tmp_path: Path) -> None:
    """Emacs itself looks for what is wrong in it."""
    settings = (
        "(setq native-comp-deferred-compilation nil byte-compile-error-on-warn t "
        f'byte-compile-dest-file-function (lambda (_) "{tmp_path}/rubric.elc"))'
    )
    arguments = ["-Q", "--batch", "--eval", settings, "-f", "batch-byte-compile", PACKAGE / "rubric.el"]
    environment = editor_environment(tmp_path)
    command = ["timeout", "120", emacs.program, *arguments]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_problems_are_shown_by_flymake(session: dict[str, Any]) -> None:
    """Each with its code, at its place; behind an emoji too."""
    found = {each["message"].split("]")[0].removeprefix("rubric ["): each for each in session["diagnostics"]}
    assert found.keys() == {"RB103", "RB505"}
    assert (found["RB103"]["line"], found["RB103"]["type"]) == (11, "eglot-error")
    assert found["RB505"]["text"] == "usr"


def test_a_fix_is_applied_as_a_code_action(session: dict[str, Any]) -> None:
    """It changes nothing but the bound."""
    assert session["action"] == GAP.replace("[5, 10]", "[4, 10]")


def test_fields_are_completed_at_point(session: dict[str, Any]) -> None:
    """The start of a field is enough."""
    assert [label.strip() for label in session["completion"]] == ["weight"]


def test_a_command_of_the_server_is_executed(session: dict[str, Any]) -> None:
    """All safe fixes are applied."""
    assert session["command"] == OLD.replace("description:", "expected_outcome:")


def test_a_file_is_graded(session: dict[str, Any]) -> None:
    """The results are in a buffer of their own."""
    assert "greeting  fail" in session["graded"]
    assert "names: not met, gate failed" in session["graded"]
    assert "warmth: 3 of 10, gate failed" in session["graded"]
    assert "farewell  pass" in session["graded"]


def test_failed_gates_are_shown_as_notes(session: dict[str, Any]) -> None:
    """They are at the criteria of the file."""
    assert {each["type"] for each in session["gates"]} == {"eglot-note"}
    assert len(session["gates"]) == 2


def test_a_person_judges_in_the_minibuffer(session: dict[str, Any]) -> None:
    """One decision after the other, with reasons; going back asks again."""
    judged = session["judged"]
    assert "names: not met, gate failed  It does not" in judged["result"]
    assert "warmth: 9 of 10  so warm" in judged["result"]
    assert judged["case"].startswith(f"greeting · rubric\n\nAnswer to judge\n{ANSWERS['greeting']}\n\nTask\n")
    assert [prompt.split(":")[0] for prompt in judged["prompts"]][::2][:3] == [
        "names (1 of 2)",
        "warmth (2 of 2)",
        "Why? (optional) ",
    ]


def test_a_person_stops(session: dict[str, Any]) -> None:
    """Nothing was judged then, and nothing has a result."""
    assert session["stopped"] == "Nothing was graded.\n"


def test_a_person_judges_one_case_of_a_file_after_the_other(session: dict[str, Any]) -> None:
    """The next one is asked about when the first is decided, and not in the middle of it."""
    judged = session["file"]
    assert judged["deepest"] == 1
    assert "greeting" in judged["result"]
    assert "farewell" in judged["result"]


def test_an_empty_line_chooses_nothing(session: dict[str, Any]) -> None:
    """It is asked again."""
    assert "names: met  reason" in session["empty"]
    assert "warmth: 9 of 10  reason" in session["empty"]


def test_a_score_is_asked_for_until_it_is_one(session: dict[str, Any]) -> None:
    """Each time with what was wrong, and with the moves of other questions."""
    tried, at_once, skipped, stopped = session["scores"]
    assert [prompt.split(" score ")[0] for prompt in tried["prompts"][1:]] == [
        "`7` is not a number with at most 6 decimal places from 0 to 1.",
        "`-0.1` is not a number with at most 6 decimal places from 0 to 1.",
        "`many` is not a number with at most 6 decimal places from 0 to 1.",
        "Nothing was typed.",
    ]
    assert tried["prompts"][0].endswith("0 to 1 (or skip this case, stop judging): ")
    assert tried["moves"] == ["skip this case", "stop judging"]
    assert "mail  fail  (1/2)" in tried["result"]
    assert "mail  pass  (1)" in at_once["result"]
    assert "The case was skipped by the person who judges." in skipped["result"]
    assert stopped["result"] == "Nothing was graded.\n"


def test_a_person_goes_back_from_a_score(session: dict[str, Any]) -> None:
    """As from any other question."""
    assert session["back"] == [False, 0.5]


def test_without_a_mode_for_yaml_eval_files_have_one(emacs: EditorHost, tmp_path: Path) -> None:
    """The server looks at them all the same."""
    (tmp_path / "gap.eval.yaml").write_text(GAP, encoding="utf-8")
    assert _results_of(emacs, BARE, tmp_path) == {"mode": "rubric-mode", "problems": 2}


def test_the_page_has_the_lines_that_are_tried() -> None:
    """What users paste is what these tests use."""
    page = (ROOT / "docs" / "emacs.md").read_text(encoding="utf-8")
    assert "(require 'rubric)" in page
    assert "(rubric-setup)" in page
