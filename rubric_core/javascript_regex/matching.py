"""Regular expressions of JavaScript: translated to Python's, and matched with a time limit.

Patterns that cannot take long are matched here, all others in a child process that can be killed.
A pattern that JavaScript refuses, one that Python cannot express, and one that exceeds the time limit are errors.
Without the flag `u`, code units of UTF-16 are matched, as in JavaScript.
"""

import asyncio
import atexit
import json
import math
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import lru_cache

from rubric_core.javascript_regex import child
from rubric_core.javascript_regex.child import find
from rubric_core.javascript_regex.syntax import flags_problem, pattern_problem
from rubric_core.javascript_regex.translation import Translation, UnusableRegex, translated

__all__ = ["MatchTimeout", "UnusableRegex", "check", "matches", "matches_now"]

TIME_LIMIT = 2.0
"""How many seconds one match may take unless the caller says otherwise. Most take less than a thousandth of one."""

_LONGEST_TEXT = 4_000
_MOST_CHOICES = 8
_REPEAT = re.compile(r"\)[*+?{]")
_REFERENCE = "(?("


class MatchTimeout(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A match took longer than the limit, `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it took longer than {seconds:g} s")
        self.seconds = seconds


async def matches(pattern: str, flags: str, text: str, time_limit: float = TIME_LIMIT) -> bool:
    """Return whether a pattern of JavaScript matches somewhere in a text, without blocking other tasks.

    Raises UnusableRegex or MatchTimeout.
    """
    if _is_quick(_translated(pattern, flags).pattern) and len(text) <= _LONGEST_TEXT:
        return matches_now(pattern, flags, text)
    return await asyncio.to_thread(matches_now, pattern, flags, text, time_limit)


def matches_now(pattern: str, flags: str, text: str, time_limit: float = TIME_LIMIT) -> bool:
    """Return the same, and block until it is computed."""
    regex = _translated(pattern, flags)
    text = text.translate(regex.changed) if regex.changed else text
    if _is_quick(regex.pattern) and len(text) <= _LONGEST_TEXT:
        answer: bool | str = find(*regex[:4], text)
    else:
        answer = _MATCHERS.ask(regex, text, time_limit)
    if isinstance(answer, str):
        raise UnusableRegex(answer)
    return answer


def check(pattern: str, flags: str) -> None:
    """Raise UnusableRegex if a pattern is invalid or cannot be expressed in Python."""
    _translated(pattern, flags)


@lru_cache(maxsize=256)
def _translated(pattern: str, flags: str) -> Translation:
    problem = flags_problem(flags) or pattern_problem(pattern, flags)
    if problem is not None:
        raise UnusableRegex(problem)
    return translated(pattern, flags)


@lru_cache(maxsize=256)
def _is_quick(pattern: str) -> bool:
    """Return whether a translated pattern takes at most quadratic time.

    It does with one repetition and no choice, or with few choices and no repetition. Literal characters are escaped
    in a translation, and a repeated part is always in a group.
    """
    repeats, choices = len(_REPEAT.findall(pattern)), pattern.count("|")
    is_bounded = choices == 0 if repeats else choices <= _MOST_CHOICES
    return repeats <= 1 and is_bounded and _REFERENCE not in pattern


class _Matchers:
    """One child process that matches patterns; it is killed and replaced if a match takes too long."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        # The time by which the running match must end; infinity while none runs. The watching thread is notified of a
        # new one only while it waits without a deadline.
        self._deadline = math.inf
        self._is_idle = False
        self._changed = threading.Condition()

    def ask(self, regex: Translation, text: str, time_limit: float) -> bool | str:
        """Return whether a pattern matches, or why it is invalid. Raises MatchTimeout."""
        with self._lock:
            process = self._running()
            self._set_deadline(time.monotonic() + time_limit)
            line = _exchange(process, json.dumps([*regex[:4], text]))
            self._set_deadline(math.inf)
            if not line:
                self._end()
                raise MatchTimeout(time_limit)
            answer: bool | str = json.loads(line)
            return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(  # noqa: S603 - our own program.
                [sys.executable, "-I", "-S", child.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
            # The process answers once before anything is timed: a busy machine may take long to start it.
            _exchange(self._process, '["", 0, false, false, ""]')
            threading.Thread(target=self._watch, args=(self._process,), daemon=True).start()
        return self._process

    def _set_deadline(self, deadline: float) -> None:
        with self._changed:
            self._deadline = deadline
            if self._is_idle:
                self._changed.notify_all()

    def _watch(self, process: subprocess.Popen[str]) -> None:
        """Kill the process if a match takes too long. One thread costs less than a timer for each match."""
        with self._changed:
            while process is self._process:
                left = self._deadline - time.monotonic()
                if left <= 0:
                    process.kill()
                    return
                self._is_idle = left == math.inf
                self._changed.wait(None if self._is_idle else left)

    def _end(self) -> None:
        with self._changed:
            process, self._process = self._process, None
            self._changed.notify_all()
        if process is not None:
            process.kill()
            process.communicate()

    def close(self) -> None:
        """End the child process."""
        with self._lock:
            self._end()


def _exchange(process: subprocess.Popen[str], line: str) -> str:
    """Send a line to a process and return its answer, which is empty if the process has ended."""
    assert process.stdin is not None  # noqa: S101 - both are pipes.
    assert process.stdout is not None  # noqa: S101 - both are pipes.
    with suppress(OSError):
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
    return process.stdout.readline()


_MATCHERS = _Matchers()
atexit.register(_MATCHERS.close)
