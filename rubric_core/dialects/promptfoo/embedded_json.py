"""The JSON objects in a text, as promptfoo finds them: between braces, read as YAML, with `//` comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.model.builder import plain
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.parse import parse

_LONGEST = 100_000
"""How long an object may be, in characters."""
_MOST_READ = 300_000
"""How many characters are read at most, all attempts together."""


def objects_in(text: str) -> list[dict[str, Any]]:
    """Return the objects in a text, one after the other. Raises CannotGrade where looking for them takes too long."""
    objects: list[dict[str, Any]] = []
    left, place = _MOST_READ, 0
    while (place := text.find("{", place)) >= 0:
        end, missing = _closing(text, place)
        left -= end - place
        if left < 0:
            raise CannotGrade("The answer has too many braces to look for JSON objects in it.")
        # An object that is cut off at the end gets its missing braces.
        tree = parse("\n".join(map(_with_hashes, f"{text[place:end]}{'}' * missing}".split("\n"))))
        if isinstance(tree.root, Mapping) and not tree.problems:
            objects.append(plain(tree.root))
            place = end
        else:
            place += 1
    return objects


def _closing(text: str, start: int) -> tuple[int, int]:
    """Return where the braces from a place on are balanced, or else the end and the number of missing braces."""
    depth = 0
    for place in range(start, min(start + _LONGEST, len(text))):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1, 0
    return min(start + _LONGEST, len(text)), depth


def _with_hashes(line: str) -> str:
    """Return a line of JSON with a `//` comment as a comment of YAML."""
    place = next(_slashes(line), None)
    return line if place is None else f"{line[:place]}#{line[place:].lstrip('/')}"


def _slashes(line: str) -> Iterator[int]:
    """Yield where `//` starts a comment: outside of quotes, and not in an address such as `https://`."""
    quote = ""
    for place, character in enumerate(line):
        before, after = line[place - 1 : place], line[place + 1 : place + 2]
        if quote:
            is_escaped = (place - len(line[:place].rstrip("\\"))) % 2 == 1
            # An apostrophe between letters is part of a word.
            if character == quote and not is_escaped and not (quote == "'" and after.isalpha()):
                quote = ""
        elif character == '"' or (character == "'" and not before.isalpha()):
            quote = character
        elif character == after == "/" and "://" not in line[: place + 2].rsplit(maxsplit=1)[-1]:
            yield place
