"""Texts of criteria, score ranges, red flags and bonuses: where they are, placeholders, and how they are compared."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import count

from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.patterns import lazily

ADJUSTMENT_TEXT_KEYS = ("expected_outcome", "description")
"""The names of the text of a red flag or a bonus, the one that is read first in front."""

# The first characters of a placeholder, for a fast first test: most texts start differently.
_PLACEHOLDER_STARTS = frozenset("tTfF.\u2026 \t\r\n[(<{#*_/-")
# Brackets and marks may be around a placeholder. It is `TODO` alone or in front of a colon, also with a name as in
# `TODO(ann): ...`; the word in capitals with anything behind it, unless that shows that the word is meant, as in `TODO
# comments`; or dots.
_PLACEHOLDER = lazily(
    r"""
    [\s\[(<{#*_/-]*
    (?:
        (?i:todo|tbd|fixme)(?:\([^)\n]*\))?\s*(?: :.* | [\s\])>}*_.!?\u2026]* )
      | (?:TODO|TBD|FIXME)\b(?!['\u2019]s\b|\.\w)
        (?!(?:[\s/,-]+(?:TODO|TBD|FIXME|and|or)\b)*[\s-]+(?:comment|entr|item|list|marker|note|tag)(?:s|y|ies)?\b).*
      | (?:\.(?:[ ]?\.){2,}|\u2026+)[\s\])>}*_]*
    )
    \Z""",
    re.DOTALL | re.VERBOSE,
)
# The length of the prefix in which the first character is searched for before the whole text is compared.
_MOST_INDENT = 40
_MEANT = 2
# What is a label in a message, which has a role or a content, and in a part of a content, which has a value.
_LABELS = {"role": ("role", "name"), "content": ("role", "name"), "value": ("type",)}
_WORD = lazily(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_AROUND = " \t\r\n.;:!?\"'`"
_CAMEL_BORDER = lazily(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# An id that is only a number has no meaning.
_COUNTING = lazily(r"(?:rubric|criterion|criteria|check|item|case|test|[a-z])?[-_ ]?\d*\Z", re.IGNORECASE)


def is_placeholder(text: str) -> bool:
    """Return whether a text is a placeholder, such as `TODO`, `[tbd]`, `...` or `TODO: what the answer must do`."""
    return text[:1] in _PLACEHOLDER_STARTS and _PLACEHOLDER.match(text) is not None


def holds_placeholder(node: Node) -> bool:
    """Return whether a node is a placeholder. A block scalar is not decoded for it."""
    if isinstance(node, BlockScalar):
        start = node.raw.find("\n") + 1
        visible = node.raw[start : start + _MOST_INDENT].lstrip()
        if visible and visible[0] not in _PLACEHOLDER_STARTS:
            return False
        return _PLACEHOLDER.match(node.raw, start) is not None
    return isinstance(node, Scalar) and is_placeholder(node.value)


def is_placeholder_message(node: Node) -> bool:
    """Return whether the content of a message is only a placeholder; `...` and several lines may be real content."""
    return holds_placeholder(node) and isinstance(node, Scalar) and _is_line_with_words(node.value)


def is_placeholder_message_text(text: str) -> bool:
    """Return whether the text of a message is only a placeholder, on one line."""
    return is_placeholder(text) and _is_line_with_words(text)


def _is_line_with_words(text: str) -> bool:
    return "\n" not in text.strip() and any(map(str.isalpha, text))


def content_rank(node: Node) -> int:
    """Return the rank of a value's content: 0 for null, blank or empty, 1 for a placeholder, 2 for anything else.

    A list has the rank of its highest item, and a message that of its content or its tool calls.
    """
    return max(_ranks(node), default=0)


def has_gap(node: Node) -> bool:
    """Return whether a part of a value, such as one of several messages, is blank or a placeholder."""
    return min(_ranks(node), default=0) < _MEANT


def _ranks(node: Node) -> Iterator[int]:
    """Yield the rank of a value, or of each item of a list."""
    if not isinstance(node, Sequence):
        yield _rank(node)
        return
    for item in node.items:
        texts = (text for value in _without_labels(item) for text in _parts(value))
        yield max(map(_rank, texts), default=0)


def _parts(value: Node) -> Iterator[Node]:
    """Yield the parts of a content without their labels; a value that is not a list as it is."""
    if isinstance(value, Sequence):
        for item in value.items:
            yield from _without_labels(item)
    else:
        yield value


def _without_labels(item: Node) -> list[Node]:
    """Return a message or a part of its content without its labels; an item of another kind as it is."""
    index = item.index if isinstance(item, Mapping) else {}
    labels = next((labels for key, labels in _LABELS.items() if key in index), None)
    return [item] if labels is None else [pair.value for name, pair in index.items() if name not in labels]


def _rank(node: Node) -> int:
    is_empty = not (node.pairs if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else True)
    if is_empty or is_blank(node):
        return 0
    return 1 if holds_placeholder(node) else _MEANT


def first_filled(mapping: Mapping, keys: Iterable[str]) -> Pair | None:
    """Return the first of some keys with a value that is not blank, or else the first that is present."""
    first: Pair | None = None
    for key in keys:
        pair = mapping.index.get(key)
        if pair is not None:
            if not is_blank(pair.value):
                return pair
            first = first or pair
    return first


def has_other_text(mapping: Mapping, keys: Container[str | None]) -> bool:
    """Return whether a repeated key, which is not read, has a text, which must not be overwritten."""
    return any(pair.name in keys and not is_blank(pair.value) for pair in mapping.duplicates)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return _WORD.findall(text.casefold())


def word_set(words: str) -> frozenset[str]:
    """Return the words of a table that is written as running text."""
    return frozenset(words.split())


def normalised(text: str) -> str:
    """Return a text for comparison: without case, extra white space, and surrounding punctuation."""
    return " ".join(text.casefold().split()).strip(_AROUND)


def first_word(text: str) -> str:
    """Return the first word of a text, normalised; empty where that is punctuation or there is none."""
    # An alias without its anchor has no text, but is not blank.
    words = text.split(None, 1)
    return words[0].strip(_AROUND).casefold() if words else ""


def sentence_from_id(identifier: str) -> str | None:
    """Return an id as a sentence, such as `Handles empty input`; None if it is only a number or a single letter."""
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
    """Return an id with the lowest number, from 2, that makes it unique."""
    return numbering(taken)(identifier)


def numbering(taken: Container[str]) -> Callable[[str], str]:
    """Return a function that appends a number to an id, which makes it unique among all its results too."""
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
    return lambda identifier: next(
        name for number in numbers[identifier] if (name := f"{identifier}-{number}") not in taken
    )
