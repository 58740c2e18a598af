"""A person at a terminal: the output, and the parsing of their input."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import TextIO, TypeVar

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judges.form import DECIMAL_PLACES, Decision, Item, sections_of
from rubric_core.grading.judges.judge import Question
from rubric_core.grading.judges.manual import Move
from rubric_core.terminal.drawing import table, text

_MOVES = {
    **dict.fromkeys(("b", "back"), Move.BACK),
    **dict.fromkeys(("s", "skip"), Move.SKIP),
    **dict.fromkeys(("q", "quit"), Move.STOP),
}
_YES_OR_NO = {"y": True, "yes": True, "n": False, "no": False}
_HELP = "?"
_MOST_BYTES = 65_536

_QUESTIONS = {"criterion": "Is it met?", "red flag": "Is it present?", "bonus": "Is it earned?"}


Value = TypeVar("Value")


class InvalidInput(ValueError):  # noqa: N818 - reads as a sentence where it is caught.
    """Invalid input. The message names the valid input."""


def terminal_person(typed: TextIO | None = None, shown: TextIO | None = None) -> Terminal:
    """Return the person at this process's terminal. Raises CannotGrade if standard input or error is not a terminal."""
    typed, shown = typed or sys.stdin, shown or sys.stderr
    if not (typed.isatty() and shown.isatty()):
        raise CannotGrade(
            "The judge `manual` asks a person at a terminal, and there is none here; name another judge, such as "
            "replay:FILE."
        )
    return Terminal(Keyboard(typed.fileno(), typed.encoding or "utf-8"), Console(file=shown, highlight=False))


class Terminal:
    """Shows questions with colours, and takes a line for each decision: the verdict, then a reason if there is one."""

    def __init__(self, lines: Keyboard, console: Console) -> None:
        self._lines = lines
        self._console = console

    def begin(self, question: Question) -> None:
        """Show the task, the expected outcome, the instructions of the evaluator, and the answer."""
        self._console.print()
        self._console.rule(text(f"{question.case_id} · {question.evaluator}", "bold"))
        for title, value in sections_of(question):
            self._console.print(Panel(text(value), title=Text(title, "bold"), title_align="left"))

    async def decide(self, items: Sequence[Item], place: int, earlier: Decision | None) -> Decision | Move:
        """Ask for a decision until the input is valid."""
        item = items[place]
        self._show_item(item, place, len(items), earlier)
        while True:
            line = await self._ask(f"{_prompt(item)}, {_HELP} for help > ")
            try:
                if line == _HELP:
                    self._show(Text(_help(item), "dim"))
                else:
                    return Move.STOP if line is None else parse_line(line, item, earlier)
            except InvalidInput as problem:
                self._console.print(Text(str(problem), "yellow"))

    async def confirm(self, items: Sequence[Item], decisions: Sequence[Decision]) -> Move | None:
        """Show the decisions, and wait until the person presses Enter."""
        decided = table("", "", "")
        for item, decision in zip(items, decisions, strict=True):
            decided.add_row(text(item.id), Text(_decision_text(decision), "bold"), text(decision.reasoning, "dim"))
        self._console.print()
        self._show(decided)
        while True:
            line = await self._ask("Enter to keep this, b to go back > ")
            if line is None:
                return Move.STOP
            if not line or line in _MOVES:
                return _MOVES.get(line)

    def _show_item(self, item: Item, place: int, count: int, earlier: Decision | None) -> None:
        self._console.print()
        self._console.print(
            Text.assemble(
                (f"{item.kind} ".capitalize(), "dim"),
                text(item.id, "bold cyan"),
                (f"  {place + 1} of {count}", "dim"),
            )
        )
        if item.text:
            self._show(text(item.text))
        if item.bands:
            bands = table("", "")
            for band in item.bands:
                bands.add_row(Text(f"{band.minimum}-{band.maximum}", "bold"), text(band.expected_outcome))
            self._show(bands)
        if item.gate:
            self._show(Text(item.gate, "yellow"))
        if earlier is not None:
            self._show(Text(f"Until now: {_decision_text(earlier)}. Enter keeps it.", "dim"))

    def _show(self, value: RenderableType) -> None:
        self._console.print(Padding.indent(value, 2))

    async def _ask(self, prompt: str) -> str | None:
        self._console.print(Text(prompt, "bold"), end="", soft_wrap=True)
        self._console.file.flush()
        line = await self._lines.line()
        if line is None:
            self._console.print()
            return None
        return line.strip()


def parse_line(line: str, item: Item, earlier: Decision | None = None) -> Decision | Move:
    """Parse a line for an item: a verdict with a reason, or a move. Raises InvalidInput for any other."""
    if not line and earlier is not None:
        return earlier
    if line.lower() in _MOVES:
        return _MOVES[line.lower()]
    verdict, _, reason = line.partition(" ")
    return Decision(_verdict(verdict.rstrip(",;:"), item), reason.strip())


def _verdict(word: str, item: Item) -> bool | int | Decimal:
    if item.answer == "yes or no":
        if word.lower() not in _YES_OR_NO:
            raise InvalidInput("Type y for yes or n for no, and a reason behind it if you like.")
        return _YES_OR_NO[word.lower()]
    try:
        number = Decimal(word)
    except InvalidOperation:
        number = Decimal("NaN")
    places = DECIMAL_PLACES[item.answer]
    if number.is_finite() and item.lowest <= number <= item.highest and number == round(number, places):
        return number if places else int(number)
    raise InvalidInput(f"Type {item.legal_number}, and a reason behind it if you like.")


def _prompt(item: Item) -> str:
    if item.answer == "yes or no":
        return f"{_QUESTIONS[item.kind]} y/n"
    return f"Which score? {item.lowest}-{item.highest}"


def _help(item: Item) -> str:
    if item.answer == "yes or no":
        values, example = "y or n", "n it names no port"
    else:
        values, example = f"{item.lowest} to {item.highest}", f"{item.highest} all of it"
    return (
        f"{values}: your verdict. Words behind it are the reason: `{example}`.\n"
        "b: back to the one before.\n"
        "s: skip this case, which then has no result.\n"
        "q: stop judging; what was judged is kept. Ctrl-C and Ctrl-D do the same."
    )


def _decision_text(decision: Decision) -> str:
    if isinstance(decision.value, bool):
        return "yes" if decision.value else "no"
    return str(decision.value)


class Keyboard:
    """Reads lines from a terminal without blocking the event loop, so that waiting can be cancelled at any moment."""

    def __init__(self, descriptor: int, encoding: str = "utf-8") -> None:
        self._descriptor = descriptor
        self._encoding = encoding
        self._typed = b""
        self._ended = False

    async def line(self) -> str | None:
        """Return the next line without its end; None at the end of the input (Ctrl-D)."""
        while b"\n" not in self._typed and not self._ended:
            data = await self._read()
            self._typed += data
            self._ended = not data
        if self._ended:
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(self._encoding, "replace").rstrip("\r")

    async def _read(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        try:
            loop.add_reader(self._descriptor, lambda: _settle(ready, None))
        except NotImplementedError:
            return await self._read_in_thread(loop)
        try:
            await ready
        finally:
            loop.remove_reader(self._descriptor)
        return os.read(self._descriptor, _MOST_BYTES)

    async def _read_in_thread(self, loop: asyncio.AbstractEventLoop) -> bytes:
        """Read in a thread if the loop cannot wait for a terminal, as on Windows. The thread is a daemon."""
        ready: asyncio.Future[bytes] = loop.create_future()

        def work() -> None:
            data = os.read(self._descriptor, _MOST_BYTES)
            # The loop may be closed before the user types.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: _settle(ready, data))

        threading.Thread(target=work, name="rubric-keyboard", daemon=True).start()
        return await ready


def _settle(future: asyncio.Future[Value], value: Value) -> None:
    if not future.done():
        future.set_result(value)
