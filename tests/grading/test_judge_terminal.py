"""A person at a terminal: what they see, what their words mean, and that they can leave at any moment."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from judging import port_case
from rich.console import Console

from rubric_core.grading.failures import CannotGrade, PersonStopped
from rubric_core.grading.judgements import read_checks
from rubric_core.grading.judges.form import Decision, Item
from rubric_core.grading.judges.manual import ManualJudge, Move
from rubric_core.grading.judges.terminal import InvalidInput, Keyboard, Terminal, parse_line, terminal_person
from rubric_core.grading.prompts.llm_judge import free_form_question, rubric_question
from rubric_core.grading.prompts.scorecard import scorecard_question
from rubric_core.model.evaluators import LlmJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
YES_OR_NO = Item("criterion", "a", "Has a")
INTEGER = Item("dimension", "safety", "Does no harm", "integer", 1, 10)
NUMBER = Item("answer", "score", "How far?", "number", 0, 1)


needs_terminals = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind.")


class Typed:
    """Lines that were typed beforehand."""

    def __init__(self, *lines: str | None) -> None:
        self.lines = list(lines)

    async def line(self) -> str | None:
        """Return the next line."""
        return self.lines.pop(0)


def _terminal(*lines: str | None) -> tuple[Terminal, io.StringIO]:
    shown = io.StringIO()
    return Terminal(Typed(*lines), Console(file=shown, width=80, highlight=False)), shown


@pytest.mark.parametrize(
    ("said", "item", "meant"),
    [
        ("y", YES_OR_NO, Decision(value=True)),
        ("Yes", YES_OR_NO, Decision(value=True)),
        ("n it names no port", YES_OR_NO, Decision(value=False, reasoning="it names no port")),
        ("no,  because", YES_OR_NO, Decision(value=False, reasoning="because")),
        ("7", INTEGER, Decision(7)),
        ("10: all of it", INTEGER, Decision(10, "all of it")),
        ("7.0", INTEGER, Decision(7)),
        ("0.8 fine", NUMBER, Decision(Decimal("0.8"), "fine")),
        ("1", NUMBER, Decision(Decimal(1))),
        ("b", INTEGER, Move.BACK),
        ("Back", YES_OR_NO, Move.BACK),
        ("s", NUMBER, Move.SKIP),
        ("quit", INTEGER, Move.STOP),
    ],
)
def test_a_line_is_a_verdict_with_a_reason_or_a_move(said: str, item: Item, meant: Decision | Move) -> None:
    """In few letters."""
    assert parse_line(said, item) == meant


@pytest.mark.parametrize(
    ("said", "item", "advice"),
    [
        ("", YES_OR_NO, "Type y for yes or n for no"),
        ("perhaps", YES_OR_NO, "Type y for yes or n for no"),
        ("1", YES_OR_NO, "Type y for yes or n for no"),
        ("back to the first", YES_OR_NO, "Type y for yes or n for no"),
        *(
            (said, INTEGER, "Type an integer from 1 to 10")
            for said in ("", "0", "11", "7.5", "seven", "NaN", "1e99", "-1")
        ),
        *(
            (said, NUMBER, "Type a number with at most 6 decimal places from 0 to 1")
            for said in ("80", "-0.1", "0.1234567", "1e-99999", "Infinity", "half")
        ),
    ],
)
def test_words_that_mean_nothing_are_answered_with_what_would(said: str, item: Item, advice: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(InvalidInput, match=advice):
        parse_line(said, item)


def test_enter_keeps_what_was_decided_before_going_back() -> None:
    """Where something was."""
    assert parse_line("", INTEGER, Decision(3, "x")) == Decision(3, "x")


@pytest.mark.asyncio
async def test_a_person_sees_the_case_and_each_criterion() -> None:
    """The task, what is expected, the answer; bands, gates, how many are left; and everything at the end."""
    case = port_case()
    terminal, shown = _terminal("?", "maybe", "y", "7 says why", "b", "", "what", "")
    question = rubric_question(case, case.evaluators[0], case.criteria, "It is \x1b[2J443.\t[bold]!")
    text = (await ManualJudge(terminal).judge(question)).text
    assert [check.score for check in read_checks(text, case.criteria).checks] == [None, 7]
    seen = shown.getvalue()
    for part in (
        *("port · rubric", "Which port does HTTPS use?", "Names the port and why", "It is ␛[2J443.  [bold]!"),
        *("Criterion names-port  1 of 2", "Names port 443", "Required: the case fails if this is not met."),
        *("Is it met? y/n, ? for help > ", "y or n: your verdict.", "Type y for yes or n for no"),
        *("Criterion depth  2 of 2", "0-4    Says nothing of why", "Gate: the case fails if the score is below 5."),
        *("Which score? 0-10, ? for help > ", "Until now: 7. Enter keeps it."),
        *("names-port  yes", "depth       7    says why", "Enter to keep this, b to go back > "),
    ):
        assert part in seen
    assert "\x1b[2J" not in seen


@pytest.mark.asyncio
async def test_a_person_sees_the_dimensions_flags_and_bonuses() -> None:
    """With words for each kind."""
    case = port_case()
    assert case.scorecard is not None
    terminal, shown = _terminal(*["8"] * 7, "n", "y linked", "")
    await ManualJudge(terminal).judge(scorecard_question(case, case.scorecard, ""))
    seen = shown.getvalue()
    for part in (
        *("(empty)", "Dimension correctness  1 of 9", "Facts, reasoning, code and numbers are right."),
        *("Which score? 1-10", "Red flag red-flag-1  8 of 9", "Is it present? y/n", "Is it earned? y/n"),
    ):
        assert part in seen


@pytest.mark.asyncio
async def test_help_for_a_score_shows_one() -> None:
    """With a reason behind it."""
    terminal, shown = _terminal("?", "5")
    assert await terminal.decide([INTEGER], 0, None) == Decision(5)
    assert "1 to 10: your verdict. Words behind it are the reason: `10 all of it`." in shown.getvalue()


@pytest.mark.asyncio
@pytest.mark.parametrize("lines", [[None], ["y", None], ["y", "3", None], ["y", "3", "q"]])
async def test_the_end_of_the_input_stops_the_judging(lines: list[str | None]) -> None:
    """Ctrl-D at any place, like `q`."""
    case = port_case()
    terminal, _ = _terminal(*lines)
    with pytest.raises(PersonStopped):
        await ManualJudge(terminal).judge(rubric_question(case, case.evaluators[0], case.criteria, "443"))


def test_what_a_case_has_is_shown_and_nothing_empty() -> None:
    """The reference and the evaluator's own prompt among it."""
    case = port_case()
    evaluator = LlmJudge(name="tone", prompt="Is {{candidate_answer}} polite?")
    terminal, shown = _terminal()
    terminal.begin(free_form_question(case, evaluator, "443"))
    assert re.search(
        r"Reference .*Port 443\..* Instructions .*Is {{candidate_answer}} polite\?", shown.getvalue(), re.DOTALL
    )
    terminal, shown = _terminal()
    bare = case.model_copy(update={"expected_outcome": "", "expected_messages": ()})
    terminal.begin(free_form_question(bare, LlmJudge(name="tone"), "443"))
    assert not re.search("Expected outcome|Reference|Instructions", shown.getvalue())


@needs_terminals
def test_a_person_at_a_terminal_can_be_asked() -> None:
    """Where both streams are one."""
    import pty  # noqa: PLC0415 - there is none on Windows.

    ours, theirs = pty.openpty()
    with (
        os.fdopen(ours),
        os.fdopen(theirs, "r+b", buffering=0) as raw,
        io.TextIOWrapper(raw, write_through=True) as stream,
    ):
        assert isinstance(terminal_person(stream, stream), Terminal)


def test_without_a_terminal_there_is_nobody_to_ask() -> None:
    """One sentence says what to do."""
    with pytest.raises(CannotGrade, match="name another judge, such as replay:FILE"):
        terminal_person(io.StringIO(), io.StringIO())


@pytest.fixture
def pipe() -> Iterator[tuple[Keyboard, Callable[[bytes], object], Callable[[], None]]]:
    """Give a keyboard, a way to type on it, and a way to end the input."""
    reader, writer = os.pipe()
    open_ends = {reader, writer}

    def end() -> None:
        os.close(writer)
        open_ends.discard(writer)

    yield Keyboard(reader), lambda data: os.write(writer, data), end
    for descriptor in open_ends:
        os.close(descriptor)


_Pipe = tuple[Keyboard, "Callable[[bytes], object]", "Callable[[], None]"]


@pytest.mark.asyncio
@pytest.mark.parametrize("has_reader", [True, False], ids=["watched", "in-a-thread"])
async def test_lines_are_read_as_they_are_typed(pipe: _Pipe, monkeypatch: pytest.MonkeyPatch, has_reader: bool) -> None:  # noqa: FBT001 - a parameter of the test.
    """In pieces or several at once, also where the loop cannot watch a terminal."""
    keyboard, type_in, end = pipe
    if not has_reader:
        monkeypatch.setattr(type(asyncio.get_running_loop()), "add_reader", _refuse)
    whole = "y größe\r\nsecond\nthird".encode()
    type_in(whole[:5])
    waiting = asyncio.ensure_future(keyboard.line())
    await asyncio.sleep(0)
    type_in(whole[5:])
    assert await waiting == "y größe"
    assert await keyboard.line() == "second"
    end()
    assert await keyboard.line() is None
    assert await keyboard.line() is None


def _refuse(*_arguments: object) -> None:
    raise NotImplementedError


@pytest.mark.asyncio
async def test_waiting_for_a_line_can_be_cancelled(pipe: _Pipe) -> None:
    """And what is typed later is read by whoever asks next."""
    keyboard, type_in, _ = pipe
    waiting = asyncio.ensure_future(keyboard.line())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    type_in(b"y\n")
    assert await keyboard.line() == "y"


_SCRIPT = """\
import asyncio, sys
from judging import port_case
from rubric_core.grading.judges.manual import ManualJudge
from rubric_core.grading.judges.terminal import terminal_person
from rubric_core.grading.prompts.llm_judge import rubric_question

case = port_case()
question = rubric_question(case, case.evaluators[0], case.criteria, "It is 443.")
print(asyncio.run(ManualJudge(terminal_person()).judge(question)).text)
"""


class RealTerminal:
    """A process with a terminal of its own, and what it writes there."""

    def __init__(self) -> None:
        import pty  # noqa: PLC0415 - there is none on Windows.

        self.ours, theirs = pty.openpty()
        paths = os.pathsep.join([str(ROOT), *sys.path])
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SCRIPT],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "PYTHONPATH": paths, "TERM": "xterm", "COLUMNS": "80"},
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - the tests have no other threads when it runs.
        )
        os.close(theirs)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Read until a text is shown."""
        give_up = time.monotonic() + 30
        while text not in self.seen:
            assert time.monotonic() < give_up, self.seen
            shown = os.read(self.ours, 65_536).decode(errors="replace")
            self.seen += re.sub(r"\x1b\[[0-9;]*m", "", shown)

    def type_in(self, keys: str) -> None:
        """Press keys."""
        os.write(self.ours, keys.encode())

    def end(self) -> tuple[int, str]:
        """Wait for the process and return its status and its standard output."""
        output, _ = self.process.communicate(timeout=30)
        return self.process.returncode, output.decode()


def _take_terminal() -> None:
    import fcntl  # noqa: PLC0415 - there is none on Windows.
    import termios  # noqa: PLC0415 - the same.

    # Tests that run in the background of a shell hand down that Ctrl-C is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def real_terminal() -> Iterator[RealTerminal]:
    """Give a process that asks at a terminal; it is ended with the test."""
    terminal = RealTerminal()
    yield terminal
    terminal.process.kill()
    terminal.process.communicate()
    os.close(terminal.ours)


@needs_terminals
def test_judging_at_a_real_terminal(real_terminal: RealTerminal) -> None:
    """Questions on standard error, the judgement where standard output goes."""
    real_terminal.wait_for("Is it met? y/n, ? for help > ")
    real_terminal.type_in("yes and no\x7f\x7fwhy\n")
    real_terminal.wait_for("Which score? 0-10")
    real_terminal.type_in("6\n")
    real_terminal.wait_for("Enter to keep this")
    real_terminal.type_in("\n")
    status, output = real_terminal.end()
    assert status == 0
    assert output == (
        '{"checks": [{"id": "names-port", "satisfied": true, "reasoning": "and why"}, {"id": "depth", "score": 6}]}\n'
    )


@pytest.mark.slow
@needs_terminals
@pytest.mark.parametrize(
    ("keys", "failure"), [("\x03", "KeyboardInterrupt"), ("\x04", "PersonStopped"), ("q\n", "PersonStopped")]
)
def test_leaving_a_real_terminal_ends_at_once(real_terminal: RealTerminal, keys: str, failure: str) -> None:
    """Ctrl-C, Ctrl-D and `q`: no thread keeps the process alive."""
    real_terminal.wait_for("Is it met? y/n, ? for help > ")
    real_terminal.type_in(keys)
    real_terminal.wait_for(failure)
    status, output = real_terminal.end()
    assert status != 0
    assert output == ""
