"""Facts that are counted as chunks change: ids, metrics, references, and cases that may exclude a prompt.

They are updated by differences, so that an edit of one case does not read all others.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from rubric_core.analysis.chunk_facts import ChunkFacts
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.views.files import PlacedId, PlacedReference
from rubric_core.views.inherited import DEFAULT_READER, SuiteReader

CASES_IN_LISTS = frozenset({ChunkKind.ITEM, ChunkKind.LINE, ChunkKind.CASE})
"""The chunks that a suite has thousands of."""
_REFERENCE = "reference"


class CaseIds:
    """The places of each id, the repeated ids, and whether the set of ids has changed since the last check."""

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
        """Return whether an id was added or removed since the last check."""
        return bool(self._balance)

    def was_checked(self) -> None:
        """Record that the present ids were checked."""
        self._balance.clear()

    def count(self, place: PlacedId, sign: int) -> bool:
        """Add or remove an id, and return whether it is, or was, repeated."""
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
        """Return the places of an id, in the order of the text."""
        return tuple(sorted(self._places.get(name, ()), key=lambda place: (index_of(place.chunk), place.node.start)))


class TextFacts:
    """Counts of facts in the texts of all chunks that were read."""

    def __init__(self) -> None:
        # The number of places of each metric; None until metrics are requested, which is rare.
        self._metrics: Counter[str] | None = None
        self._referring: dict[Chunk, ChunkFacts] = {}
        # How many chunks have a case that may exclude some of the prompts; None until requested.
        self._changing_prompts: int | None = None
        self._seen_changing = False
        # The reader of both at the last request.
        self._reader = DEFAULT_READER
        # The metrics and references that were added (above 0) and removed since the file as a whole was checked.
        self._balance: Counter[tuple[str, str]] = Counter()

    def count(self, chunk: Chunk, facts: ChunkFacts, sign: int) -> None:
        """Add the facts of a chunk, or subtract them."""
        if self._changing_prompts is not None:
            self._changing_prompts += sign * _changes_prompts(chunk, self._reader)
        if facts.references:
            if sign > 0:
                self._referring[chunk] = facts
            else:
                self._referring.pop(chunk, None)
            for node in facts.references:
                self._weigh((_REFERENCE, node.value), sign)
        if self._metrics is not None:
            self._count_metrics(self._metrics, chunk, sign)

    @property
    def changed(self) -> bool:
        """Return whether the added and removed facts can affect rules that check the file as a whole."""
        return bool(self._balance) or self._seen_changing != bool(self._changing_prompts)

    def was_checked(self) -> None:
        """Record that the rules for the file as a whole have checked the present facts."""
        self._balance.clear()
        self._seen_changing = bool(self._changing_prompts)

    def has_cases_without_prompt(self, chunks: Iterable[Chunk], reader: SuiteReader) -> bool:
        """Return whether a case may exclude some of the prompts, or have variables that are not written in it.

        `chunks` are all that were read. They are read at the first call, and counted from then on.
        """
        self._read_with(reader)
        if self._changing_prompts is None:
            self._changing_prompts = sum(_changes_prompts(chunk, reader) for chunk in chunks)
        return self._changing_prompts > 0

    def metrics(self, chunks: Iterable[Chunk], reader: SuiteReader) -> frozenset[str] | None:
        """Return the names of metrics in these chunks, which are all that were read; None if templates make some.

        The chunks are read at the first call, and counted as they change from then on.
        """
        self._read_with(reader)
        if self._metrics is None:
            self._metrics = Counter(name for chunk in chunks for name in reader.metrics_in(chunk.text))
        return None if any("{{" in name for name in self._metrics) else frozenset(self._metrics)

    def _read_with(self, reader: SuiteReader) -> None:
        """Drop the counts of another dialect's reader."""
        if reader is not self._reader:
            self._reader, self._metrics, self._changing_prompts = reader, None, None

    def forget_metrics(self) -> None:
        """Stop counting metrics, which no rule needs."""
        self._metrics = None

    def references(self, index_of: Callable[[Chunk], int]) -> tuple[PlacedReference, ...]:
        """Return the references to other parts of the file, in the order of the text."""
        placed = sorted(self._referring, key=index_of)
        return tuple(PlacedReference(chunk, node) for chunk in placed for node in self._referring[chunk].references)

    def _count_metrics(self, metrics: Counter[str], chunk: Chunk, sign: int) -> None:
        for name in self._reader.metrics_in(chunk.text):
            before = metrics[name]
            metrics[name] += sign
            if not metrics[name]:
                del metrics[name]
            if before == 0 or name not in metrics:
                self._weigh(("metric", name), sign)

    def _weigh(self, name: tuple[str, str], sign: int) -> None:
        self._balance[name] += sign
        if not self._balance[name]:
            del self._balance[name]


def _changes_prompts(chunk: Chunk, reader: SuiteReader) -> bool:
    return reader.changes_prompts(chunk.text, is_case=chunk.kind in CASES_IN_LISTS)
