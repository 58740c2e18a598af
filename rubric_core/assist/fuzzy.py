"""Finding names by some of their letters: `grnam` finds `greets-by-name`."""

from __future__ import annotations

_WORD_BREAKS = frozenset("-_./: ")
# What a letter is worth: any match, one right behind the last, one at the start of a word, one at the very start.
_PLAIN, _BEHIND, _WORD_START, _START = 1, 4, 6, 8
# A name that is the query, or starts with it, or holds it, goes before all that only have its letters.
_EQUAL, _PREFIX, _INSIDE = 1_000, 500, 200


def match(query: str, name: str) -> int | None:
    """Return how well a name matches a query, more being better; None where its letters are not there in this order.

    Upper and lower case are the same. An empty query matches everything equally.
    """
    wanted, letters = query.casefold(), name.casefold()
    if not wanted:
        return 0
    score = _whole(wanted, letters)
    at = -1
    for letter in wanted:
        found = letters.find(letter, at + 1)
        if found < 0:
            return None
        score += _worth(letters, found, at)
        at = found
    return score


def _whole(wanted: str, letters: str) -> int:
    if letters == wanted:
        return _EQUAL
    if letters.startswith(wanted):
        return _PREFIX
    return _INSIDE if wanted in letters else 0


def _worth(letters: str, found: int, previous: int) -> int:
    if found == 0:
        return _START
    if letters[found - 1] in _WORD_BREAKS:
        return _WORD_START
    return _BEHIND if found == previous + 1 else _PLAIN
