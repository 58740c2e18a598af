"""Somebody who edits an eval file at random: types, deletes, pastes, takes back and replaces all of it.

The same seed gives the same edits. The typist keeps the text and says what to send; it talks to no server.
"""

from __future__ import annotations

import random
import re
from typing import Any, NamedTuple

CASES = """\
description: Fragen über Züge 🚆
scorecards:
  careful: {skill: reviews, red_flags: [Prints a credential]}
evalcases:
  - id: delay
    expected_outcome: Names the delay of the train 🚆 and its reason
    input_messages:
      - role: user
        content: Why is my train late?
    rubrics:
      - id: names-delay
        expected_outcome: Names the delay in minutes
        weight: 2.0
        required: true
      - Is polite to the người dùng
  - id: cafe\u0301
    expected_outcome: "Explains the de\u0301tour, 🎉 with a reason"
    scorecard: careful
    input_messages: [{role: user, content: "Ou\u0300 est le café?"}]
    rubrics:
      - id: depth
        expected_outcome: Explains the cause 🧪 in depth
        score_ranges:
          - score_range: [0, 4]
            expected_outcome: Does not say why
          - score_range: [5, 10]
            expected_outcome: Names the cause and the evidence
  - id: maps
    outcome: Draws a map   # an old name
    input_messages:
      - {role: user, content: Draw}
    rubrics:
      - id: bands
        expected_outcome: Has all bands
        score_ranges: {0: Nothing at all, 3: "Some 🎨 bands", 8: All of the bands}
"""

TYPED = (*"abcxyz0159", *" :-#'\"[]{},.", "\n", "\r\n", "é", "e\u0301", "🎉", "👩\u200d🔬", "\t", "ệ", "\u2028")

PASTED = (
    "\n  - id: pasted\n    expected_outcome: Was pasted 🎉\n    input_messages: [{role: user, content: Hi}]\n",
    "\n      - id: new\n        expected_outcome: A new criterion\n        weight: -1\n",
    "\r\n      - Says it in one line\r\n",
    "        score_ranges:\n          0: Nothing\n          6: Much 🧪\n",
    "          - score_range: [3, 6]\n            expected_outcome: Overlaps\n",
    "  # rubric: ignore[RB103]\n",
    "wieght: 3\n",
    "evalcases:\n",
    "---\n",
    "|\n          kept as it is\n          e\u0301 🎉\n",
    "&anchor ",
    "*anchor",
    "👩\u200d🔬👩\u200d🔬",
    "\n\n\n",
)

LONGEST = 6_000
"""Code points after which the typist begins again, so that a session costs the same from its beginning to its end."""

_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_BREAK = re.compile(r"\r\n|\r|\n")


class Edit(NamedTuple):
    """A stretch of the text and what takes its place."""

    start: int
    end: int
    new: str


class Position(NamedTuple):
    """A line, and the units before a place on it."""

    line: int
    character: int

    def as_json(self) -> dict[str, int]:
        """Return the position as it is sent."""
        return self._asdict()


class Units:
    """The positions of one text, in the units of an encoding, counted with Python's own codecs."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._codec, self._size = _CODECS[encoding]
        self._starts = [0, *(found.end() for found in _BREAK.finditer(text))]

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        line = sum(start <= offset for start in self._starts) - 1
        before = self._text[self._starts[line] : offset]
        return Position(line, len(before.encode(self._codec)) // self._size)

    def range(self, start: int, end: int) -> dict[str, Any]:
        """Return the range between two offsets, as it is sent."""
        return {"start": self.position(start).as_json(), "end": self.position(end).as_json()}


class Typist:
    """The text and how it came to be."""

    def __init__(self, seed: str, encoding: str) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a test must be repeatable, not safe.
        self.encoding = encoding
        self.text = CASES
        # What takes back each of the last edits, the newest at the end.
        self._undone_by: list[Edit] = []

    def next_changes(self) -> list[dict[str, Any]]:
        """Edit the text and return the changes to send; most often it is one."""
        if len(self.text) > LONGEST:
            return [self._begin_again()]
        way = self.random.choices(
            (self._type, self._delete, self._paste, self._undo, self._replace_all), (60, 20, 10, 9, 1)
        )[0]
        return way()

    def _type(self) -> list[dict[str, Any]]:
        """Type a few characters, one change each, as somebody does who is faster than the editor sends."""
        at = self._place()
        changes = []
        for _ in range(self.random.choice((1, 1, 1, 2, 5))):
            new = self.random.choice(TYPED)
            changes.append(self._apply(Edit(at, at, new)))
            at = min(at + len(new), len(self.text))
        return changes

    def _delete(self) -> list[dict[str, Any]]:
        start = self._place()
        length = self.random.choice((1, 1, 1, 2, 8, 40, 200))
        return [self._apply(Edit(start, min(len(self.text), start + length), ""))]

    def _paste(self) -> list[dict[str, Any]]:
        start = self._place()
        end = min(len(self.text), start + self.random.choice((0, 0, 0, 3, 30)))
        return [self._apply(Edit(start, end, self.random.choice(PASTED)))]

    def _undo(self) -> list[dict[str, Any]]:
        count = min(len(self._undone_by), self.random.choice((1, 1, 2, 5)))
        undone = [self._undone_by.pop() for _ in range(count)]
        changes = [self._apply(edit, remember=False) for edit in undone]
        return changes or self._type()

    def _replace_all(self) -> list[dict[str, Any]]:
        return [self._begin_again()]

    def _begin_again(self) -> dict[str, Any]:
        """Replace the whole text, with one of the two line breaks, by a change with or without a range."""
        new = self.random.choice((CASES, CASES.replace("\n", "\r\n")))
        if self.random.random() < 0.5:
            return self._apply(Edit(0, len(self.text), new))
        self.text = new
        self._undone_by.clear()
        return {"text": new}

    def _place(self) -> int:
        """Return an offset; half of the time it is at the end of a line, where people write."""
        at = self.random.randint(0, len(self.text))
        if self.random.random() < 0.5:
            found = _BREAK.search(self.text, at)
            at = found.start() if found else len(self.text)
        return at

    def _apply(self, edit: Edit, *, remember: bool = True) -> dict[str, Any]:
        """Change the text and return the change to send."""
        start, end, new = _around_breaks(self.text, edit)
        units = Units(self.text, self.encoding)
        change = {"range": units.range(start, end), "text": new}
        if remember:
            self._undone_by.append(Edit(start, start + len(new), self.text[start:end]))
        self.text = self.text[:start] + new + self.text[end:]
        return change


def _around_breaks(text: str, edit: Edit) -> Edit:
    """Widen an edit that begins or ends between the two characters of a line break: no position names that place."""
    start, end, new = edit
    if text[start - 1 : start + 1] == "\r\n" and start:
        start, new = start - 1, "\r" + new
    if text[end - 1 : end + 1] == "\r\n" and end:
        end, new = end + 1, new + "\n"
    return Edit(start, end, new)
