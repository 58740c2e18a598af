"""The wording of texts: how two of them are compared, the words that an id is made of, and ids that are free."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from itertools import count

from rubric_core.text.patterns import lazily

_WORD = lazily(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_AROUND = " \t\r\n.;:!?\"'`"
_CAMEL_BORDER = lazily(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# An id that only counts says nothing about what is meant.
_COUNTING = lazily(r"(?:rubric|criterion|criteria|check|item|case|test|[a-z])?[-_ ]?\d*\Z", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return _WORD.findall(text.casefold())


def word_set(words: str) -> frozenset[str]:
    """Return the words of a table that is written as running text, which keeps it readable."""
    return frozenset(words.split())


def normalised(text: str) -> str:
    """Return a text so that case, white space and punctuation around it do not tell it from another."""
    return " ".join(text.casefold().split()).strip(_AROUND)


def sentence_from_id(identifier: str) -> str | None:
    """Return an id as a sentence, such as `Handles empty input`; None where it is only a number or a single letter."""
    if _COUNTING.match(identifier):
        return None
    words = _WORD.findall(_CAMEL_BORDER.sub(" ", identifier))
    if not any(word.isalpha() for word in words):
        return None
    sentence = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)
    return capitalised(sentence)


def capitalised(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def numbered(identifier: str, taken: Container[str]) -> str:
    """Return an id with the lowest number from 2 behind it that makes it a free one."""
    return numbering(taken)(identifier)


def numbering(taken: Container[str]) -> Callable[[str], str]:
    """Return a function that gives an id a number which makes it a free one, another one at each call."""
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
    return lambda identifier: next(
        name for number in numbers[identifier] if (name := f"{identifier}-{number}") not in taken
    )
