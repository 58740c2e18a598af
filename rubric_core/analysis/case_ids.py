"""The ids of the cases of a file, counted as its chunks come and go."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from rubric_core.syntax.chunks import Chunk
from rubric_core.views.files import PlacedId


class CaseIds:
    """Where each id stands, which are there more than once, and whether the ids are others than at the last check."""

    def __init__(self) -> None:
        self.repeated: set[str] = set()
        self._places: dict[str, list[PlacedId]] = {}
        self._balance: dict[str, int] = {}

    @property
    def names(self) -> AbstractSet[str]:
        """Return every id."""
        return self._places.keys()

    @property
    def changed(self) -> bool:
        """Return whether an id came or went since the last check."""
        return bool(self._balance)

    def was_checked(self) -> None:
        """Note that the ids that there are now were checked."""
        self._balance.clear()

    def count(self, place: PlacedId, sign: int) -> bool:
        """Add an id, or take it away, and return whether it is, or was, there more than once."""
        name = place.node.value
        places = self._places.setdefault(name, [])
        was_repeated = len(places) > 1
        if sign > 0:
            places.append(place)
        else:
            places[:] = [other for other in places if other.chunk is not place.chunk]
        balance = self._balance.pop(name, 0) + sign
        if balance:
            self._balance[name] = balance
        is_repeated = len(places) > 1
        (self.repeated.add if is_repeated else self.repeated.discard)(name)
        if not places:
            del self._places[name]
        return was_repeated or is_repeated

    def places_of(self, name: str, index_of: Callable[[Chunk], int]) -> tuple[PlacedId, ...]:
        """Return where an id stands, in the order of the text."""
        return tuple(sorted(self._places.get(name, ()), key=lambda place: (index_of(place.chunk), place.node.start)))
