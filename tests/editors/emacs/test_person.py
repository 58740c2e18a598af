"""A person in front of Emacs, on a terminal: questions come while they do something else, and wait for their turn."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from editor_hosts import editor_environment, editor_host
from hosts import ROOT
from neovim_project import line_of, write_project
from terminal_screen import ScreenProgram

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).with_name("person.el")
SWITCH_BUFFER = "\x18b"
SEARCH = "\x13"
QUIT = "\x07"
WAITS = "a question is waiting"


class Person(ScreenProgram):
    """Somebody in front of Emacs, which has a file open."""

    def __init__(self, folder: Path, path: Path) -> None:
        environment = {
            **editor_environment(folder / "home"),
            "RUBRIC_EMACS": str(ROOT / "editors" / "emacs"),
            "RUBRIC_FILE": str(path),
            "RUBRIC_FOLDER": str(folder),
        }
        program = editor_host("emacs", "emacs").program
        super().__init__([program, "-Q", "-nw", "-l", SCRIPT], folder, environment)
        self.expect("The person is here")
        self._pid = int((folder / "pid").read_text(encoding="utf-8"))

    def grade(self) -> None:
        """Have the file graded, whatever is typed just now."""
        os.kill(self._pid, signal.SIGUSR1)

    def stop(self) -> None:
        """Have the grading stopped."""
        os.kill(self._pid, signal.SIGUSR2)

    def answer(self, question: str, line: str) -> None:
        """Type a line when a question is there."""
        self.expect(question)
        self.type(f"{line}\r")


def test_a_question_waits_until_the_minibuffer_is_free(tmp_path: Path) -> None:
    """What was typed before it came, and after, is one line; then everything is asked."""
    with closing(Person(tmp_path, write_project(tmp_path / "project"))) as person:
        person.type(f"{SWITCH_BUFFER}*scr")
        person.expect("*scr")
        person.grade()
        person.expect(WAITS)
        person.type("atch*\r")
        # The mode line names the buffer that was chosen.
        assert "*scratch*" in person.expect("names (1 of 2)")
        person.answer("names (1 of 2)", "met")
        person.answer("warmth (2 of 2)", "9")
        person.answer("says-bye (1 of 1)", "met")
        person.expect("farewell  pass")


def test_a_question_that_waited_can_be_left(tmp_path: Path) -> None:
    """The first C-g ends what was typed and no grading; the second one stops that."""
    with closing(Person(tmp_path, write_project(tmp_path / "project"))) as person:
        person.type(SWITCH_BUFFER)
        person.expect("Switch to buffer")
        person.grade()
        person.expect(WAITS)
        person.type(QUIT)
        person.expect("names (1 of 2)")
        person.type(QUIT)
        person.expect("Nothing was graded.")


def test_a_search_goes_on_until_it_is_over(tmp_path: Path) -> None:
    """It takes keys too, though it is in no minibuffer."""
    with closing(Person(tmp_path, write_project(tmp_path / "project"))) as person:
        person.type(f"{SEARCH}says")
        person.expect("I-search: says")
        person.grade()
        person.expect(WAITS)
        person.type("-bye")
        # The search is at what was typed before the question and after it.
        person.expect(f" L{line_of('says-bye') + 1} ")
        person.type("\r")
        person.answer("names (1 of 2)", "stop judging")
        person.expect("Nothing was graded.")


def test_keys_that_belong_together_are_not_torn_apart(tmp_path: Path) -> None:
    """The second key of a command is not taken for an answer."""
    with closing(Person(tmp_path, write_project(tmp_path / "project"))) as person:
        person.type(SWITCH_BUFFER[0])
        person.grade()
        person.until(lambda _: (tmp_path / "question").exists(), "question")
        # A question that did not wait would be asked by now.
        time.sleep(0.5)
        person.type(SWITCH_BUFFER[1:])
        person.expect("Switch to buffer")
        person.expect(WAITS)
        person.type("*scratch*\r")
        assert "*scratch*" in person.expect("names (1 of 2)")


def test_a_question_whose_grading_is_stopped_is_not_asked(tmp_path: Path) -> None:
    """It waited in vain."""
    with closing(Person(tmp_path, write_project(tmp_path / "project"))) as person:
        person.type(SWITCH_BUFFER)
        person.grade()
        person.expect(WAITS)
        person.stop()
        person.expect("Nothing was graded.")
        person.type("*scratch*\r")
        person.type("Still here")
        assert "(1 of 2)" not in person.expect("Still here")


def test_nothing_more_is_asked_once_the_grading_is_stopped(tmp_path: Path) -> None:
    """The question that is open is the last one."""
    with closing(Person(tmp_path, write_project(tmp_path / "project"))) as person:
        person.grade()
        person.expect("names (1 of 2)")
        person.stop()
        person.expect("Nothing was graded.")
        person.type("met\r")
        person.type("Still here")
        assert "(2 of 2)" not in person.expect("Still here")


def test_a_score_is_a_number_from_0_to_1(tmp_path: Path, write_free_form: Callable[[Path], Path]) -> None:
    """Anything else is asked for again, with the reason."""
    path = write_free_form(write_project(tmp_path / "project").parent)
    with closing(Person(tmp_path, path)) as person:
        person.grade()
        person.answer("0 to 1 (or skip this case, stop judging)", "7")
        person.answer("`7` is not a number", "0.75")
        person.expect("(3/4)")
        person.grade()
        person.answer("0 to 1 (or skip this case, stop judging)", "sk")
        person.expect("The case was skipped by the person who judges.")
