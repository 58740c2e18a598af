"""Names of tests that have no ids: their description, or else their place in the list."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from rubric_core.dialects.dialect import Dialect
from rubric_core.text.patterns import lazily

_NO_ID = lazily(r"[^A-Za-z0-9_.-]+")
_LONGEST_ID = 48
_HASH_LENGTH = 12


def has_ids(dialect: Dialect) -> bool:
    """Return whether cases have ids; otherwise descriptions or places name them."""
    return "id" in dialect.case.by_key


def safe_id(text: str) -> str:
    """Return a text with characters that are valid in an id."""
    return _NO_ID.sub("-", text.strip()).strip("-")[:_LONGEST_ID] or data_hash(text)


def data_hash(value: object) -> str:
    """Return a short name for a text or other data."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]


def test_names(tests: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    """Yield the names of tests, each of which has an id or an empty one, and perhaps a description.

    The second of two equal names gets a number.
    """
    count: Counter[str] = Counter()
    for place, (given, described) in enumerate(tests, start=1):
        name = given or (safe_id(described) if described and described.strip() else f"test-{place}")
        count[name] += 1
        yield name if count[name] == 1 else f"{name}-{count[name]}"
