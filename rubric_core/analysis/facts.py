"""The facts of a file as a whole, kept up to date by difference as its chunks come and go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rubric_core.analysis.outline import Outline, cases_of, outline_of
from rubric_core.rules.context import SuiteFacts
from rubric_core.schema.dialects import RUBRICS, dialect_of
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.patterns import lazily
from rubric_core.views.files import FileView, PlacedId, PlacedNode, PlacedPair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rubric_core.analysis.suppressions import Directive
    from rubric_core.syntax.document import Changes, Document
    from rubric_core.syntax.tree import Tree

    # Looks at a case and tells whether there is nothing to report of it.
    Visit = Callable[[Chunk, Tree, Outline], bool]
    # Starts some work elsewhere; what it returns waits for the outcome, which is None if there is none.
    Outlines = dict[int, Outline]
    Background = Callable[[Callable[[], Outlines | None]], Callable[[], Outlines | None]]

_ALIAS = lazily(r"(?<![\w*])\*([^\s,\[\]{}]+)")
# The chunks that a suite has thousands of.
CASES_IN_LISTS = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
_FEW = 8
# Fewer cases than these are read before a second process has started.
_WORTH_SHARING = 200
_NOTHING = Outline()


class FileFacts:
    """An index over the outlines of all chunks."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.outlines: dict[Chunk, Outline] = {}
        self.suite = SuiteFacts()
        self.claims = 0
        # How many chunks had nodes left out because they go over a limit.
        self.over_limit = 0
        self._ours: Counter[int] = Counter()
        self._ids: dict[str, list[PlacedId]] = {}
        self._repeated: set[str] = set()
        self._marked: dict[Chunk, Outline] = {}
        self._directed: dict[Chunk, Outline] = {}
        self._case_count = 0
        self._first: Chunk | None = None
        # Whether the last changes can matter to rules that look at the file as a whole.
        self.whole_changed = True
        self._entries: dict[int, tuple[PlacedPair, ...]] | None = None

    def refresh(self) -> Changes:
        """Take in what changed in the document since the last call, and tell what that was."""
        changes = self.document.take_changes()
        removed, fresh = changes
        before = self._signature((*removed, *fresh))
        for chunk in (*removed, *fresh):
            outline = self.outlines.pop(chunk, None)
            if outline is not None:
                self._count(chunk, outline, -1)
        for chunk in (*fresh, *self._moved_from_top()):
            self._take_in(chunk, chunk.tree or self.document.tree(self.document.chunks.index(chunk)))
        after = self._signature(fresh)
        self.whole_changed = before is None or after is None or before != after
        self.suite = self._suite_facts()
        return changes

    def read_all(self, visit: Visit, background: Background | None = None) -> bool:
        """Take in a document that was just opened, chunk by chunk, and show each case to `visit` while it is at hand.

        What is outside of the lists comes first, because the cases are judged by it. `visit` tells whether the tree
        of a case can go. With `background`, the second half of the cases is looked at elsewhere at the same time, and
        only those that have something to report are looked at here as well. The answer is False where a chunk had to
        be joined with another: then nothing is settled.
        """
        chunks = self.document.chunks
        self._first = chunks[0]
        in_lists = [index for index, chunk in enumerate(chunks) if chunk.kind in CASES_IN_LISTS]
        others = [index for index, chunk in enumerate(chunks) if chunk.kind not in CASES_IN_LISTS]
        if self._read(others, None) is None:
            return False
        self.suite = self._suite_facts()
        half = len(in_lists) // 2 if background is not None and len(in_lists) >= _WORTH_SHARING else len(in_lists)
        first, second = in_lists[:half], in_lists[half:]
        wait = background(lambda: self._read(second, visit)) if background is not None and second else None
        if self._read(first, visit) is None:
            return False
        sound = (wait() if wait is not None else None) or {}
        for index, outline in sound.items():
            self._add(chunks[index], outline)
        if self._read([index for index in second if index not in sound], visit) is None:
            return False
        self.suite = self._suite_facts()
        self.document.forget_changes()
        return True

    def _read(self, indices: Iterable[int], visit: Visit | None) -> dict[int, Outline] | None:
        """Take in some chunks; return the outlines of the sound ones, or None where chunks had to be joined."""
        document = self.document
        count = len(document.chunks)
        sound: dict[int, Outline] = {}
        for index in indices:
            chunk = document.chunks[index]
            tree = document.tree(index)
            if len(document.chunks) != count or document.chunks[index] is not chunk:
                return None
            outline = self._take_in(chunk, tree)
            if visit is None or not visit(chunk, tree, outline) or tree.problems or tree.anchors or tree.external:
                continue
            sound[index] = outline
            chunk.tree = None
        return sound

    def _take_in(self, chunk: Chunk, tree: Tree) -> Outline:
        outline = outline_of(chunk, tree, starts_file=chunk is self._first or chunk.kind is ChunkKind.PREFIX)
        self._add(chunk, outline)
        return outline

    def _add(self, chunk: Chunk, outline: Outline) -> None:
        self.outlines[chunk] = outline
        self._count(chunk, outline, 1)

    def _moved_from_top(self) -> list[Chunk]:
        """Take out the outlines of chunks that came to the top of the file or left it: some comments count only there.

        Those chunks are returned, to be outlined again.
        """
        before, self._first = self._first, self.document.chunks[0]
        if before is self._first:
            return []
        moved = [chunk for chunk in (before, self._first) if chunk is not None and chunk in self.outlines]
        for chunk in moved:
            self._count(chunk, self.outlines.pop(chunk), -1)
        return moved

    def _signature(self, chunks: Iterable[Chunk]) -> Counter[str] | None:
        """Return what the rest of the file can notice of some cases: their ids. None where it can notice more."""
        found: Counter[str] = Counter()
        for chunk in chunks:
            outline = self.outlines.get(chunk, _NOTHING)
            if chunk.kind not in CASES_IN_LISTS or outline.marks or self._case_count > self.document.limits.cases:
                return None
            found.update(node.value for node in outline.ids)
        return None if self._repeated and not self._repeated.isdisjoint(found) else found

    @property
    def ours(self) -> frozenset[int]:
        """Return the YAML documents of the file that have cases of ours."""
        return frozenset(section for section, count in self._ours.items() if count > 0)

    @property
    def has_directives(self) -> bool:
        """Tell whether any comment of the file speaks to us."""
        return bool(self._directed)

    def directives(self) -> Iterable[tuple[Chunk, tuple[Directive, ...]]]:
        """Give the chunks with comments that speak to us."""
        return [(chunk, outline.directives) for chunk, outline in self._directed.items()]

    def _count(self, chunk: Chunk, outline: Outline, sign: int) -> None:
        """Add the facts of a chunk, or take them away."""
        self._ours[chunk.section] += sign * outline.is_ours
        self.claims += sign * outline.claims_file
        self.over_limit += sign * outline.over_limit
        self._case_count += sign * outline.case_count
        if chunk.kind not in CASES_IN_LISTS:
            self._entries = None
        for index, holds in ((self._marked, outline.marks), (self._directed, outline.directives)):
            if holds and sign > 0:
                index[chunk] = outline
            else:
                index.pop(chunk, None)
        for node in outline.ids:
            places = self._ids.setdefault(node.value, [])
            if sign > 0:
                places.append(PlacedId(chunk, node))
            else:
                places[:] = [place for place in places if place.chunk is not chunk]
            (self._repeated.add if len(places) > 1 else self._repeated.discard)(node.value)
            if not places:
                del self._ids[node.value]

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
        names: list[str] = []
        anchored = False
        for entries in self._documents().values():
            for _, pair in entries:
                meta = pair.value.meta
                anchored = anchored or (meta is not None and meta.anchor is not None)
                if pair.name == "scorecards" and isinstance(pair.value, Mapping):
                    names += [named.name for named in pair.value.pairs if named.name is not None]
        return SuiteFacts(dialect, tuple(names), self._used_anchors() if anchored else frozenset())

    def _used_anchors(self) -> frozenset[str]:
        texts = (chunk.text for chunk in self.document.chunks if "*" in chunk.text)
        return frozenset(name for text in texts for name in _ALIAS.findall(text))

    def view(self, ours: frozenset[int] | None) -> FileView:
        """Return the file as a whole, for the rules that compare its parts; None stands for all its YAML documents."""
        documents = self._documents().items()
        return FileView(
            documents=tuple(entries for section, entries in documents if ours is None or section in ours),
            repeated_ids=self._repeated_ids(),
            ids=self._ids.keys(),
            case_count=self._case_count,
            case_over_limit=self._case_over_limit(),
            dialect=self.suite.dialect,
            dialect_mark=self._first_mark(),
        )

    def _repeated_ids(self) -> dict[str, tuple[PlacedId, ...]]:
        """Return the ids that several cases have, with their places in the order of the text."""
        order = self._order(place.chunk for name in self._repeated for place in self._ids[name])
        return {
            name: tuple(sorted(self._ids[name], key=lambda place: (order[place.chunk], place.node.start)))
            for name in sorted(self._repeated)
        }

    def _order(self, chunks: Iterable[Chunk]) -> dict[Chunk, int]:
        """Return the places of some chunks in the document."""
        wanted = list(dict.fromkeys(chunks))
        if len(wanted) <= _FEW:
            return {chunk: self.document.chunks.index(chunk) for chunk in wanted}
        return {chunk: index for index, chunk in enumerate(self.document.chunks)}

    def _first_mark(self) -> PlacedPair | None:
        if not self._marked:
            return None
        order = self._order(self._marked)
        chunk = min(self._marked, key=lambda chunk: order[chunk])
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
