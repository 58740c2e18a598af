"""A browser for tests: a process of Node.js drives it through Playwright, this side says what to do."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

# Names that lead to another part of the page. Every other name is something to do, and is done at once.
_WAYS = frozenset(
    {
        "locator",
        "frameLocator",
        "first",
        "last",
        "nth",
        "filter",
        "getByRole",
        "getByText",
        "getByLabel",
        "contentFrame",
    }
)
_PARTS = frozenset({"keyboard", "mouse", "automation", "log", "status"})


class CannotDo(AssertionError):  # noqa: N818 - reads as a sentence where it is caught.
    """What was asked for cannot be done, such as clicking on what is not there."""


class Part:
    """A part of the page, found by the calls of Playwright that lead to it."""

    def __init__(self, browser: Browser, chain: tuple[tuple[str, Sequence[Any]], ...] = ()) -> None:
        self._browser = browser
        self._chain = chain

    def __getattr__(self, name: str) -> Any:
        if name in _PARTS:
            return Part(self._browser, (*self._chain, (name, ())))
        return lambda *arguments: self._call(name, arguments)

    def value(self) -> Any:
        """Return the part itself, where it is plain data."""
        return self._browser.run(self._chain)

    def _call(self, name: str, arguments: Sequence[Any]) -> Any:
        plain = [{"hasText": each.text} if isinstance(each, HasText) else each for each in arguments]
        chain = (*self._chain, (name, plain))
        return Part(self._browser, chain) if name in _WAYS else self._browser.run(chain)


class HasText:
    """A filter for what has a text in it."""

    def __init__(self, text: str) -> None:
        self.text = text


class Browser:
    """A browser that is running, with one page."""

    def __init__(self, node: Path, driver: Path, host: Path, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._log = (folder / "browser.log").open("w")
        self._process = subprocess.Popen(
            [node, driver, host, folder / "profile"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._number = 0
        self.page = Part(self)

    def run(self, chain: Sequence[tuple[str, Sequence[Any]]]) -> Any:
        """Do what a chain of calls says. Raises CannotDo."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._number += 1
        self._process.stdin.write(json.dumps({"id": self._number, "chain": chain}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"The browser is gone; {self._log.name} tells why."
        answer = json.loads(line)
        if "error" in answer:
            raise CannotDo(answer["error"])
        return answer["value"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()
