"""Parts of the texts that we write: numbers with nouns, lists of names, Markdown code blocks, encodable characters."""

from collections.abc import Sequence

from rubric_core.text.patterns import lazily

_BACKTICKS = lazily(r"`+")
_SHORTEST_FENCE = 3


def plural(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def some_of(names: Sequence[str], most: int = 5) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def code_fence(text: str, shortest: int = _SHORTEST_FENCE) -> str:
    """Return more backticks in a row than the text has anywhere."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    return "`" * max(shortest, longest + 1)


def code_block(text: str, language: str = "text") -> str:
    """Return a Markdown code block whose fence is longer than any in the text."""
    fence = code_fence(text)
    return f"{fence}{language}\n{text}\n{fence}"


def without_surrogates(text: str) -> str:
    """Return a text with pairs of surrogates as their characters, and lone ones, which cannot be encoded, as U+FFFD."""
    if text.isascii():
        return text
    # The encoding is named with its byte order, so that a byte order mark in the text stays in it.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
