"""The parts of a migration: steps, which are rows of a table, and the changes that they make to a file."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from rubric_core.migration.moves import Edits
from rubric_core.migration.places import Place
from rubric_core.syntax.edits import rename_key
from rubric_core.syntax.nodes import Node, Pair
from rubric_core.text.spans import Edit


class Kind(Enum):
    """Whether a step keeps the meaning, needs the user's consent, or is impossible."""

    SAFE = "safe"
    ASK = "ask"
    NO = "no"


class Change(NamedTuple):
    """The change of a step at a place. Without edits it is only listed; `kind` and `reason` override the step's.

    `moves` is the start of a mapping whose keys move: only one of them can move in each round.
    """

    at: int
    edits: Edits | None
    kind: Kind | None = None
    reason: str = ""
    moves: int | None = None


Find = Callable[[Place], Iterable[Change]]
FindAt = Callable[[Place, Pair], Iterable[Change]]


@dataclass(frozen=True, slots=True)
class Step:
    """A row of a table: the change of a key.

    `records` are those that it applies to, `old` and `new` are shown in the documentation, `when` is the condition in
    words, and `reason` is why it has to be reviewed.
    """

    records: tuple[str, ...]
    old: str
    new: str
    find: Find
    kind: Kind = Kind.SAFE
    when: str = ""
    reason: str = ""


CANNOT_MOVE = "it cannot be moved without losing a comment, an anchor or an alias; move it by hand"
MERGED = "a merge key brings it; change it where it is written"


def at_key(key: str) -> Callable[[FindAt], Find]:
    """Return a decorator: the function is called for places whose own text has a key, with the place and the key."""

    def decorated(find: FindAt) -> Find:
        return lambda place: () if (pair := place.own(key)) is None else find(place, pair)

    return decorated


def of_type(*types: str) -> Callable[[FindAt], Find]:
    """Return a decorator: the function is called for evaluators of some types, with the place and the key `type`."""

    def decorated(find: FindAt) -> Find:
        return at_key("type")(lambda place, kind: find(place, kind) if place.word("type") in types else ())

    return decorated


def joined(*parts: Edits | Edit | None) -> Edits | None:
    """Return the edits of a change that has several parts, or None if one of them is impossible."""
    edits: list[Edit] = []
    for part in parts:
        if part is None:
            return None
        edits += [part] if isinstance(part, Edit) else part
    return tuple(edits)


def listed(at: Node | Pair, reason: str, kind: Kind = Kind.NO) -> Change:
    """Return a change without edits, which lists a node or key to review, by default as impossible to migrate."""
    return Change(at.key.start if isinstance(at, Pair) else at.start, None, kind, reason)


def change(pair: Pair, *parts: Edits | Edit | None, kind: Kind | None = None, reason: str = "") -> Iterator[Change]:
    """Yield a change at a key; if one of its edits is None, only list the key."""
    edits = joined(*parts)
    if edits is None:
        yield listed(pair, f"`{pair.name}`: {CANNOT_MOVE}")
    else:
        yield Change(pair.key.start, edits, kind, reason)


def moved(place: Place, pair: Pair, edits: Edits | None) -> Iterator[Change]:
    """Yield a change that moves a key of a place."""
    for move in change(pair, edits):
        yield move._replace(moves=place.node.start if move.edits else None)


def renames(
    records: tuple[str, ...],
    old: tuple[str, ...],
    new: str,
    *,
    where: Callable[[Place], bool] | None = None,
    when: str = "",
) -> Step:
    """Return the step that renames keys, unless the mapping has the new name already."""

    def find(place: Place) -> Iterator[Change]:
        if new in place or (where is not None and not where(place)):
            return
        for name in old:
            if name in place:
                pair = place.own(name)
                if pair is not None:
                    yield Change(pair.key.start, (rename_key(pair, new),))
                else:
                    yield Change(place.node.start, None, Kind.NO, f"`{name}`: {MERGED}")
                return

    return Step(records, names(*old), f"`{new}`", find, when=when)


def lists(records: tuple[str, ...], keys: tuple[str, ...], reason: str, kind: Kind = Kind.NO) -> Step:
    """Return the step that only lists keys, with a reason."""

    def find(place: Place) -> Iterator[Change]:
        for name in keys:
            pair = place.own(name)
            if pair is not None:
                yield listed(pair, f"`{name}`: {reason}", kind)

    return Step(records, names(*keys), "", find, kind, reason=reason)


def names(*keys: str) -> str:
    """Return keys as they are written in the documentation."""
    return ", ".join(f"`{key}`" for key in keys)
