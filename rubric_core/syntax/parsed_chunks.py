"""Chunks as nodes: each is parsed when it is first needed, after those that define its anchors.

A chunk that ends inside quotes or brackets is joined with the next ones.
"""

from bisect import bisect_left
from collections.abc import Iterator

from rubric_core.syntax.chunk_list import ChunkList
from rubric_core.syntax.chunks import Chunk, ChunkKind, Piece, split_region
from rubric_core.syntax.json_lines import parse_json_line
from rubric_core.syntax.limits import AliasTotals, JoinBudget, Limits, allowed_repeats
from rubric_core.syntax.nodes import Mapping, Node, SyntaxProblem, Tree
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.lines import count_line_breaks

# Bounds for joining chunks until a quote closes, so that a quote just typed is not searched for in all of a large file.
_JOIN_TRIES = 8
_JOIN_SIZE = 250_000
_WHOLE_SIZE = 60_000
_CLOSERS = "\"'}]"
_HOLDS_ENTRIES = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
_NOT_AN_ENTRY = "This is not a `key: value` line; add the colon, or indent it under the key above."


class ParsedChunks(ChunkList):
    """Chunks that are parsed when they are first needed.

    `problems` are those of the file as a whole: a text over a limit is not parsed.
    """

    def __init__(self, limits: Limits, *, json_lines: bool, whole_lists: frozenset[str]) -> None:
        super().__init__()
        self.json_lines = json_lines
        self.whole_lists = whole_lists
        self.limits = limits
        self.versions: list[YamlVersion] = []
        self.problems: tuple[SyntaxProblem, ...] = ()
        # Chunks that end inside quotes or brackets: an edit further down may close them.
        self._unfinished: set[Chunk] = set()
        # The indices of the chunks that may define an anchor; those before `_anchors_read` are parsed.
        self._anchored: list[int] | None = None
        self._anchors_read = 0
        # The chunks that define each anchor of a YAML document, from the first `_anchors_placed` of `_anchored`.
        self._anchor_places: dict[tuple[int, str], list[int]] = {}
        self._anchors_placed = 0
        self._alias_totals = AliasTotals()
        self._join_budget = JoinBudget()
        # YAML documents that are invalid as a whole too.
        self._broken_sections: set[int] = set()

    def tree(self, index: int) -> Tree:
        """Return the parsed chunk, joining it first with what follows if it ends inside quotes or brackets."""
        tree = self.chunks[index].tree
        return self._read(index) if tree is None else tree

    def tree_of(self, chunk: Chunk) -> Tree:
        """Return the tree of a chunk, parsed again if it was not kept."""
        return chunk.tree or self.tree(self.index_of(chunk))

    def read(self, index: int) -> int:
        """Parse a chunk and return its index now: it may be joined with the next ones or its whole YAML document."""
        if self.chunks[index].tree is not None:
            return index
        start = self.start_of(index)
        self._read(index)
        return self.chunk_at(start)

    def _read(self, index: int) -> Tree:
        chunk = self.chunks[index]
        if "*" in chunk.text:
            start = self.start_of(index)
            if not self._read_anchors(index):
                return self.tree(self.chunk_at(start))
            index = self.chunk_at(start)
        tree = chunk.tree = self._parse(chunk, index, self._alias_totals.left(chunk, self._allowed_repeats))
        self._count_repeats(chunk, tree)
        if chunk.tree is None:
            return self._read(index)
        if not tree.problems or self.json_lines:
            return tree
        start = self.start_of(index)
        if tree.unfinished and self._read_anchors(index):
            self._join(self.chunk_at(start))
        elif tree.problems[0].message == _NOT_AN_ENTRY:
            # An edit may make it the only chunk of its YAML document.
            self._unfinished.add(chunk)
            if self._is_alone(index):
                self._keep_whole(chunk.section)
        return self.tree(self.chunk_at(start))

    def _count_repeats(self, chunk: Chunk, tree: Tree) -> None:
        """Record how many nodes the aliases of a chunk repeat, which may change the decision for all chunks."""
        if tree.repeats or "*" in chunk.text:
            self._alias_totals.count(chunk, tree.repeats)
            self._decide_on_aliases()

    def _decide_on_aliases(self) -> None:
        """Decide whether aliases are followed; where that changes, their chunks are parsed again."""
        for chunk in self._alias_totals.decide(self._allowed_repeats):
            self._forget(chunk)

    @property
    def _allowed_repeats(self) -> int:
        return allowed_repeats(self._starts.total, self.limits)

    def pass_over(self, chunk: Chunk) -> None:
        """Record that another process read a chunk, and that its aliases repeat nothing."""
        self._alias_totals.count(chunk, 0)

    def _read_anchors(self, index: int) -> bool:
        """Parse the chunks before this one that may define an anchor; return whether this one still exists then.

        Looking an anchor up must not parse: that would join chunks during the search, and a chain of anchors could
        exceed Python's recursion limit.
        """
        chunk_before = self.chunks[index]
        start = self.start_of(index)
        at = self._anchors_read
        while at < index:
            chunk = self.chunks[at]
            if chunk.tree is None and "&" in chunk.text:
                self._anchors_read = at
                self._read(at)
                index = self.chunk_at(start)
                # Earlier chunks may have been cut, and have to be parsed again.
                at = min(at, self._anchors_read - 1)
            at += 1
        self._anchors_read = max(self._anchors_read, index)
        return self.chunks[index] is chunk_before

    def settle(self) -> None:
        """Parse every chunk, so that the list of chunks does not change until the next edit."""
        # The aliases of a chunk may change the decision about earlier aliases, which are then parsed again.
        while any(chunk.tree is None for chunk in self.chunks):
            index = 0
            while index < len(self.chunks):
                index = self.read(index) + 1

    def version(self, chunk: Chunk) -> YamlVersion:
        """Return the YAML version that the chunk's YAML document asks for."""
        return self.versions[chunk.section]

    def parse_as(self, trial: Chunk, original: Chunk) -> Tree:
        """Parse text that is not part of the document as if it replaced a chunk of it."""
        repeats = self._alias_totals.left(original, self._allowed_repeats)
        return self._parse(trial, self.index_of(original), repeats)

    def _parse(self, chunk: Chunk, index: int, repeats: int) -> Tree:
        if self.problems:
            return Tree(None)
        if chunk.kind is ChunkKind.LINE:
            return parse_json_line(chunk.text, limits=self.limits)
        tree = parse(
            chunk.text,
            lookup=lambda name: self._find_anchor(name, index),
            limits=self.limits,
            repeats=repeats,
        )
        root = tree.root
        if chunk.kind in _HOLDS_ENTRIES and root is not None and not isinstance(root, Mapping) and not tree.problems:
            return Tree(None, (SyntaxProblem(root.span, _NOT_AN_ENTRY),))
        return tree

    def _find_anchor(self, name: str, index: int) -> tuple[Node, object, int] | None:
        """Find the last definition of an anchor in the chunks before one, within its YAML document."""
        self._place_anchors(index)
        places = self._anchor_places.get((self.chunks[index].section, name), ())
        for at in range(bisect_left(places, index) - 1, -1, -1):
            chunk = self.chunks[places[at]]
            tree = chunk.tree
            node = tree.anchors.get(name) if tree is not None else None
            if tree is not None and node is not None:
                return node, chunk, tree.sizes.get(name, 0)
        return None

    def _place_anchors(self, index: int) -> None:
        """Record which chunks before an index define which anchors, up to the first one that is not parsed."""
        anchored = self._anchored_places()
        at = self._anchors_placed
        while at < len(anchored) and anchored[at] < index:
            chunk = self.chunks[anchored[at]]
            if chunk.tree is None:
                break
            for name in chunk.tree.anchors:
                self._anchor_places.setdefault((chunk.section, name), []).append(anchored[at])
            at += 1
        self._anchors_placed = at

    def _anchored_places(self) -> list[int]:
        """Return the indices of the chunks that may define an anchor."""
        if self._anchored is None:
            self._anchored = [place for place, chunk in enumerate(self.chunks) if "&" in chunk.text]
            self._anchor_places, self._anchors_placed = {}, 0
        return self._anchored

    def anchored_before(self, index: int) -> Iterator[Chunk]:
        """Yield the chunks before one that may define an anchor for it, the nearest one first."""
        anchored = self._anchored_places()
        section = self.chunks[index].section
        for place in range(bisect_left(anchored, index) - 1, -1, -1):
            chunk = self.chunks[anchored[place]]
            if chunk.section != section:
                return
            yield chunk

    # Joining what the split cut inside quotes or brackets

    def _join(self, index: int) -> None:
        """Join an unfinished chunk with the following ones up to the end of its quotes, if that is valid YAML."""
        first = self.chunks[index]
        texts = [first.text]
        size = len(first.text)
        tries = 0
        work = 0
        end = index
        left = self._join_budget.left(self._starts.total)
        while (end := end + 1) < len(self.chunks) and work <= left:
            self._cut_joined(end)
            chunk = self.chunks[end]
            work += len(chunk.text)
            size += len(chunk.text)
            same = chunk.kind is first.kind and chunk.place == first.place and chunk.section == first.section
            if not same or size > _JOIN_SIZE or tries >= _JOIN_TRIES:
                break
            texts.append(chunk.text)
            if not any(closer in chunk.text for closer in _CLOSERS):
                continue
            tries += 1
            work += size
            joined = make_chunk(Piece(first.kind, "".join(texts), first.place), first.section)
            if self._is_good(joined, index):
                self._replace(index, end + 1, [joined])
                self._join_budget.joined.add(joined)
                self._spend_on(joined, work, left)
                return
        self._spend_on(first, work, left)
        if not self._keep_whole(first.section):
            self._unfinished.add(first)

    def _spend_on(self, chunk: Chunk, work: int, left: float) -> None:
        """Record the work for a chunk. If it is too much, all joined chunks are cut.

        Otherwise the joined chunks would depend on earlier edits.
        """
        budget = self._join_budget
        budget.count(chunk, work)
        if work > left and not budget.is_spent:
            budget.is_spent = True
            self._cut_all_joined()

    def _cut_all_joined(self) -> None:
        for joined in list(self._join_budget.joined):
            self._cut_joined(self.index_of(joined))

    def _cut_joined(self, index: int) -> None:
        """Cut a joined chunk again: a quote in it may close one of an earlier chunk."""
        chunk = self.chunks[index]
        if chunk in self._join_budget.joined:
            pieces = split_region(chunk.text, chunk.place if chunk.kind is ChunkKind.ITEM else None, self.whole_lists)
            self._replace(index, index + 1, [make_chunk(piece, chunk.section) for piece in pieces])

    def _is_good(self, trial: Chunk, index: int) -> bool:
        """Return whether joined chunks are valid YAML, and keep their tree if no aliases have to be followed.

        The limit on all aliases of the text is ignored here, because it depends on which chunks are joined.
        """
        tree = self._parse(trial, index, 0)
        trial.tree = None if tree.repeats else tree
        return all(problem.code == "RB008" for problem in tree.problems)

    def _is_alone(self, index: int) -> bool:
        """Return whether a chunk is all of its YAML document."""
        section = self.chunks[index].section
        beside = [*self.chunks[max(index - 1, 0) : index], *self.chunks[index + 1 : index + 2]]
        return not any(chunk.section == section and chunk.kind is not ChunkKind.PREFIX for chunk in beside)

    def _keep_whole(self, section: int) -> bool:
        """Join all chunks of a small YAML document that is valid only as a whole."""
        if section in self._broken_sections:
            return False
        first, stop = self.section_bounds(section)
        start = first + (self.chunks[first].kind is ChunkKind.PREFIX)
        if self.start_of(stop - 1) - self.start_of(start) > _WHOLE_SIZE:
            return False
        text = "".join([chunk.text for chunk in self.chunks[start:stop]])
        if len(text) > _WHOLE_SIZE:
            return False
        whole = make_chunk(Piece(ChunkKind.WHOLE, text), section)
        if not self._is_good(whole, start):
            self._broken_sections.add(section)
            return False
        self._replace(start, stop, [whole])
        return True

    # What changes the list of chunks

    def _forget(self, chunk: Chunk) -> None:
        chunk.tree = None
        if chunk not in self._join_budget.joined:
            self._join_budget.count(chunk, 0)
        self._alias_totals.replace((), (chunk,))
        self._anchors_read = 0
        self._note_changes([], [chunk])

    def _replace(self, start: int, stop: int, fresh: list[Chunk]) -> None:
        old = self.chunks[start:stop]
        self._unfinished.difference_update(old)
        self._join_budget.drop(old)
        self._exchange_chunks(start, stop, fresh)
        self._alias_totals.replace(old, fresh)
        self._anchors_read = min(self._anchors_read, start)
        defines = any("&" in chunk.text for chunk in (*old, *fresh))
        if defines or len(old) != len(fresh):
            self._anchored = None
        if defines:
            # An alias refers to an anchor before it. Earlier chunks are not parsed again: that could undo this change,
            # and then repeat it without end.
            for chunk in self.chunks[start:]:
                if chunk.tree is not None and chunk.tree.external:
                    self._forget(chunk)
        for chunk in fresh:
            if chunk.tree is not None:
                self._count_repeats(chunk, chunk.tree)


def make_chunk(piece: Piece, section: int) -> Chunk:
    """Return a chunk that is not parsed yet."""
    return Chunk(piece, section, count_line_breaks(piece.text))
