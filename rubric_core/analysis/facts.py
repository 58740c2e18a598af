"""The facts of a file as a whole, kept up to date by difference as its chunks come and go."""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from rubric_core.analysis.outline import ChunkOutline, cases_of, outline_of
from rubric_core.rules.rule import SuiteFacts
from rubric_core.schema.dialects import RUBRICS, dialect_of
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Tree
from rubric_core.syntax.scalars import is_null
from rubric_core.text.patterns import lazily
from rubric_core.views.files import FileView, PlacedId, PlacedNode, PlacedPair

_ALIAS = lazily(r"(?<![\w*])\*([^\s,\[\]{}]+)")
# The chunks that a suite has thousands of.
CASES_IN_LISTS = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
_NOTHING = ChunkOutline()


class FileFacts:
    """An index over the outlines of all chunks that have been read."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.outlines: dict[Chunk, ChunkOutline] = {}
        self.claims = 0
        # How many chunks had nodes left out because they go over a limit.
        self.over_limit = 0
        # The YAML documents of the file that have cases of ours.
        self.ours: set[int] = set()
        self._our_cases: Counter[int] = Counter()
        self._ids: dict[str, list[PlacedId]] = {}
        self._repeated: set[str] = set()
        self._marked: dict[Chunk, ChunkOutline] = {}
        self._directed: dict[Chunk, ChunkOutline] = {}
        self._case_count = 0
        self._suite: SuiteFacts | None = None
        # How many top-level entries have an anchor: where one has, it matters which aliases the file uses.
        self._anchored = 0
        # The names under `scorecards`, by chunk.
        self._scorecards: dict[Chunk, tuple[str, ...]] = {}
        # The aliases of each chunk that has any, read or not; in how many chunks each stands; and which there are.
        self._aliases: dict[Chunk, frozenset[str]] = {}
        self._alias_uses: Counter[str] = Counter()
        self._used_anchors: frozenset[str] | None = None
        self._entries: dict[int, tuple[PlacedPair, ...]] | None = None
        # What came and went since the rules for the file as a whole were run: ids, and whether anything more.
        self._id_balance: dict[str, int] = {}
        self._more_than_ids = True

    def follow(self, removed: Iterable[Chunk], fresh: Iterable[Chunk]) -> None:
        """Note which aliases came and went with chunks, whether or not these are read yet."""
        uses = self._alias_uses
        for chunk in removed:
            for name in self._aliases.pop(chunk, ()):
                uses[name] -= 1
                if not uses[name]:
                    del uses[name]
                    self._used_anchors = None
        for chunk in fresh:
            if "*" in chunk.text and chunk not in self._aliases:
                names = self._aliases[chunk] = frozenset(_ALIAS.findall(chunk.text))
                uses.update(names)
                self._used_anchors = None
        if self._used_anchors is None and self._anchored:
            self._suite = None

    def add(self, chunk: Chunk, tree: Tree) -> ChunkOutline:
        """Take in a chunk that was just parsed."""
        starts_file = chunk is self.document.chunks[0] or chunk.kind is ChunkKind.PREFIX
        outline = outline_of(chunk, tree, starts_file=starts_file)
        self.add_outline(chunk, outline)
        return outline

    def add_outline(self, chunk: Chunk, outline: ChunkOutline) -> None:
        """Take in a chunk by its facts."""
        self.outlines[chunk] = outline
        self._count(chunk, outline, 1)

    def remove(self, chunk: Chunk) -> None:
        """Forget a chunk; one that was never read is nothing new."""
        outline = self.outlines.pop(chunk, None)
        if outline is not None:
            self._count(chunk, outline, -1)

    def whole_changed(self) -> bool:
        """Return whether what came and went can matter to rules that look at the file as a whole."""
        return self._more_than_ids or bool(self._id_balance)

    def whole_was_checked(self) -> None:
        """Note that the rules for the file as a whole have seen all that there is now."""
        self._id_balance.clear()
        self._more_than_ids = False

    @property
    def case_count(self) -> int:
        """Return how many cases have been read."""
        return self._case_count

    @property
    def suite(self) -> SuiteFacts:
        """Return what the rules for a chunk need to know of the file."""
        if self._suite is None:
            self._suite = self._suite_facts()
        return self._suite

    @property
    def with_directives(self) -> dict[Chunk, ChunkOutline]:
        """Return the chunks with comments that speak to us."""
        return self._directed

    def _count(self, chunk: Chunk, outline: ChunkOutline, sign: int) -> None:
        """Add the facts of a chunk, or take them away."""
        self.claims += sign * outline.claims_file
        self.over_limit += sign * outline.over_limit
        self._case_count += sign * outline.case_count
        if outline.is_ours:
            self._count_ours(chunk.section, sign)
        if chunk.kind not in CASES_IN_LISTS:
            self._entries = None
            self._more_than_ids = True
            self._count_entries(chunk, outline, sign)
        elif outline.marks or self._case_count > self.document.limits.cases:
            self._suite = None
            self._more_than_ids = True
        for index, holds in ((self._marked, outline.marks), (self._directed, outline.directives)):
            if holds and sign > 0:
                index[chunk] = outline
            elif holds:
                index.pop(chunk, None)
        for node in outline.ids:
            self._count_id(PlacedId(chunk, node), sign)

    def _count_ours(self, section: int, sign: int) -> None:
        self._our_cases[section] += sign
        (self.ours.add if self._our_cases[section] > 0 else self.ours.discard)(section)

    def _count_entries(self, chunk: Chunk, outline: ChunkOutline, sign: int) -> None:
        """Count what top-level entries say of the suite; most of them say nothing, and change nothing."""
        if outline.marks:
            self._suite = None
        names: list[str] = []
        was_anchored = self._anchored > 0
        for pair in outline.entries:
            meta = pair.value.meta
            self._anchored += sign * (meta is not None and meta.anchor is not None)
            if pair.name == "scorecards" and isinstance(pair.value, Mapping):
                names += [each.name for each in pair.value.pairs if each.name is not None and not is_null(each.value)]
        if was_anchored != (self._anchored > 0):
            self._suite = None
        if names:
            self._suite = None
            if sign > 0:
                self._scorecards[chunk] = tuple(names)
            else:
                self._scorecards.pop(chunk, None)

    def _count_id(self, place: PlacedId, sign: int) -> None:
        name = place.node.value
        places = self._ids.setdefault(name, [])
        was_repeated = len(places) > 1
        if sign > 0:
            places.append(place)
        else:
            places[:] = [other for other in places if other.chunk is not place.chunk]
        balance = self._id_balance.pop(name, 0) + sign
        if balance:
            self._id_balance[name] = balance
        if was_repeated or len(places) > 1:
            self._more_than_ids = True
        (self._repeated.add if len(places) > 1 else self._repeated.discard)(name)
        if not places:
            del self._ids[name]

    def _documents(self) -> dict[int, tuple[PlacedPair, ...]]:
        """Return the top-level entries of each YAML document that has any, by its number."""
        if self._entries is None:
            sections: dict[int, list[PlacedPair]] = {}
            for chunk in self.document.chunks:
                outline = self.outlines.get(chunk)
                if chunk.kind not in CASES_IN_LISTS and outline is not None:
                    sections.setdefault(chunk.section, []).extend(PlacedPair(chunk, pair) for pair in outline.entries)
            self._entries = {section: tuple(entries) for section, entries in sections.items() if entries}
        return self._entries

    def _suite_facts(self) -> SuiteFacts:
        dialect = RUBRICS
        if self._marked:
            marks = next(iter(self._marked.values())).marks
            dialect = dialect_of(pair.name or "" for pair in marks)
        if self._used_anchors is None:
            self._used_anchors = frozenset(self._alias_uses)
        placed = sorted(self._scorecards, key=self.document.index_of)
        names = tuple(name for chunk in placed for name in self._scorecards[chunk])
        return SuiteFacts(dialect, names, self._used_anchors if self._anchored else frozenset())

    def view(self, ours: AbstractSet[int] | None) -> FileView:
        """Return the file as a whole, for the rules that compare its parts; None stands for all its YAML documents."""
        documents = self._documents().items()
        return FileView(
            documents=tuple(entries for section, entries in documents if ours is None or section in ours),
            repeated_ids={name: self.places_of_id(name) for name in sorted(self._repeated)},
            ids=self._ids.keys(),
            case_count=self._case_count,
            case_over_limit=self._case_over_limit(),
            dialect=self.suite.dialect,
            dialect_mark=self._first_mark(),
        )

    def places_of_id(self, name: str) -> tuple[PlacedId, ...]:
        """Return where the cases with an id have it, in the order of the text."""
        index_of = self.document.index_of
        return tuple(sorted(self._ids.get(name, ()), key=lambda place: (index_of(place.chunk), place.node.start)))

    def entries_of(self, section: int) -> tuple[PlacedPair, ...]:
        """Return the top-level entries of one YAML document."""
        return self._documents().get(section, ())

    def _first_mark(self) -> PlacedPair | None:
        if not self._marked:
            return None
        chunk = min(self._marked, key=self.document.index_of)
        return PlacedPair(chunk, self._marked[chunk].marks[0])

    def _case_over_limit(self) -> PlacedNode | None:
        left = self.document.limits.cases
        if self._case_count <= left:
            return None
        for index, chunk in enumerate(self.document.chunks):
            count = self.outlines.get(chunk, _NOTHING).case_count
            if left < count:
                return PlacedNode(chunk, cases_of(chunk, self.document.tree(index).root)[1][left])
            left -= count
        return None
