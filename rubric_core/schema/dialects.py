"""Dialects: the format's generations, told apart by keys that only one of them has."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rubric_core.schema.fields import Record
from rubric_core.schema.records import RECORDS


class Dialect(NamedTuple):
    """One generation of the format.

    A file that has a marker key, in the suite or in a case, is of that dialect. `records` is None for a dialect
    that is recognised but not described yet: unknown keys and missing fields cannot be told in it.
    """

    name: str
    title: str
    doc: str
    markers: frozenset[str] = frozenset()
    records: Mapping[str, Record] | None = None


RUBRICS = Dialect(
    "rubrics",
    "the rubric format",
    "Cases with `rubrics`, as in AgentV 2.5 and 2.6.",
    records=RECORDS,
)

ASSERTIONS = Dialect(
    "assertions",
    "the assertion format of later AgentV releases",
    "Cases with `assert` or `assertions`, prompts, providers and variables.",
    markers=frozenset({"assert", "assertions", "prompts", "providers", "vars", "default_test"}),
)

DIALECTS: tuple[Dialect, ...] = (RUBRICS, ASSERTIONS)

_BY_MARKER: dict[str, Dialect] = {marker: dialect for dialect in DIALECTS for marker in dialect.markers}
MARKER_KEYS: frozenset[str] = frozenset(_BY_MARKER)
"""Every key that gives a dialect away."""


def dialect_of(keys: Iterable[str]) -> Dialect:
    """Return the dialect of a suite or a case by its keys: the rubric format unless a marker stands there."""
    for key in keys:
        if key in _BY_MARKER:
            return _BY_MARKER[key]
    return RUBRICS
