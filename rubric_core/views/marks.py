"""What tells the dialect of a file: keys and types of evaluators that some dialects have and others do not."""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from rubric_core.schema.dialects import AGENTV_2, DIALECTS, Dialect
from rubric_core.schema.fields import Role
from rubric_core.syntax.nodes import Mapping, Pair, Scalar, Sequence


class Mark(NamedTuple):
    """A word that speaks for a dialect. A weak one counts only where there is no other."""

    dialect: Dialect
    word: str
    is_weak: bool = False


_BY_TYPE = {word: Mark(dialect, word) for dialect in DIALECTS for word in dialect.marks.types}
_LIST_KEYS = frozenset(
    key
    for dialect in DIALECTS
    for name in ("case", "execution")
    for key in dialect.records[name].keys_of(Role.EVALUATORS)
)


def dialect_of(marks: Collection[Mark], hint: Callable[[], Dialect | None] = lambda: None) -> Dialect:
    """Return the newest dialect that a mark speaks for.

    Weak marks count where there are no others; then the files around this one, which `hint` looks at, go before.
    """
    strong = {mark.dialect for mark in marks if not mark.is_weak}
    weak = {mark.dialect for mark in marks if mark.is_weak}
    if not strong and weak:
        found = hint()
        if found is not None:
            return found
    return next((dialect for dialect in reversed(DIALECTS) if dialect in (strong or weak)), AGENTV_2)


def marks_of_suite(entries: Iterable[Pair]) -> tuple[Mark, ...]:
    """Return the marks among the top-level entries of a file."""
    return marks_of_names(tuple(pair.name for pair in entries))


def marks_of_case(case: Mapping) -> tuple[Mark, ...]:
    """Return the marks of a case: its keys, and the types of its evaluators."""
    marks = _case_marks(tuple(case.index))
    types = [mark for node in _evaluators(case) if (mark := _type_mark(node)) is not None]
    return (*marks, *types) if types else marks


def _evaluators(case: Mapping) -> Iterable[Mapping]:
    execution = case.index.get("execution")
    places = (case, execution.value) if execution is not None and isinstance(execution.value, Mapping) else (case,)
    for place in places:
        if not _LIST_KEYS.isdisjoint(place.index):
            for key in _LIST_KEYS:
                listed = place.get(key)
                if isinstance(listed, Sequence):
                    yield from (item for item in listed.items if isinstance(item, Mapping))


def _type_mark(evaluator: Mapping) -> Mark | None:
    written = evaluator.get("type")
    return _BY_TYPE.get(written.value) if isinstance(written, Scalar) else None


# The keys are the same few lists in every case of a file.
@lru_cache(maxsize=1024)
def _case_marks(names: tuple[str, ...]) -> tuple[Mark, ...]:
    has_input = "input" in names
    found: list[Mark] = []
    for dialect in DIALECTS:
        marks = dialect.marks
        words = marks.case if has_input else marks.case | marks.case_without_input
        found += (Mark(dialect, name) for name in names if name in words)
        found += (Mark(dialect, name, is_weak=True) for name in names if name in marks.weak_case)
    return tuple(found)


@lru_cache(maxsize=1024)
def marks_of_names(names: tuple[str | None, ...]) -> tuple[Mark, ...]:
    """Return the marks among the names of top-level keys."""
    found: list[Mark] = []
    for dialect in DIALECTS:
        marks = dialect.marks
        found += (Mark(dialect, name) for name in names if name in marks.suite)
        found += (Mark(dialect, name, is_weak=True) for name in names if name in marks.weak_suite)
    return tuple(found)
