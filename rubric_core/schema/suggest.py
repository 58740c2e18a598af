"""Suggestions: the valid word closest to a misspelt one."""

from collections.abc import Iterable
from functools import lru_cache

_LETTERS_PER_SLIP = 3
"""One slip is forgiven for each three letters of the longer word: more would join words of different meaning."""

_SHORTEST_STEM = 4
_STEM_SLIPS = 2
"""A word of at least four letters that a choice starts with, such as `score`, is as near to it as two slips."""


def closest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that the word most likely means, or None if none is similar enough.

    Case, underscores, hyphens and spaces do not count, so that `expectedOutcome` is `expected_outcome`.
    Among equally near choices the first one wins, so the table's order decides.
    """
    bare = _bare(word)
    best: str | None = None
    fewest: int | None = None
    for choice in choices:
        slips = _slips(bare, _bare(choice))
        if slips is not None and (fewest is None or slips < fewest):
            best, fewest = choice, slips
    return best


# The same choices are compared with every word.
@lru_cache(maxsize=1024)
def _bare(word: str) -> str:
    return word.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _slips(word: str, choice: str) -> int | None:
    """Return the number of typing errors between word and choice, or None if they are too many."""
    is_stem = len(word) >= _SHORTEST_STEM and choice.startswith(word)
    shorter, longer = sorted((len(word), len(choice)))
    allowed = max(1, longer // _LETTERS_PER_SLIP)
    if longer - shorter > allowed:
        return _STEM_SLIPS if is_stem else None
    if is_stem:
        return min(_distance(word, choice), _STEM_SLIPS)
    # An error changes at most one letter on each side; this faster test is enough for most words.
    if len([letter for letter in word if letter not in choice]) > allowed:
        return None
    if len([letter for letter in choice if letter not in word]) > allowed:
        return None
    distance = _distance(word, choice)
    # If nothing of the shorter word remains, the similarity is no evidence.
    return distance if distance <= allowed and distance < shorter else None


def _distance(first: str, second: str) -> int:
    """Return the number of insertions, deletions, replacements and swaps of neighbours between two words."""
    before_last: list[int] = []
    last = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        current = [row]
        for column, other in enumerate(second, start=1):
            cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != other))
            swapped = row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other
            if swapped:
                cost = min(cost, before_last[column - 2] + 1)
            current.append(cost)
        before_last, last = last, current
    return last[-1]
