"""A document: a text in chunks, kept right through edits by doing only the work that an edit asks for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rubric_core.syntax.alias_totals import AliasTotals, allowed_repeats
from rubric_core.syntax.changes import ChangeLog, Changes
from rubric_core.syntax.chunk_indices import ChunkIndices
from rubric_core.syntax.chunks import (
    Chunk,
    ChunkKind,
    Piece,
    can_be_cut,
    has_complex_key,
    moves_documents,
    split_documents,
    split_region,
)
from rubric_core.syntax.join_budget import JoinBudget
from rubric_core.syntax.json_lines import parse_json_line
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, Node, SyntaxProblem, Tree
from rubric_core.syntax.oversize import over_limits
from rubric_core.syntax.parse import parse
from rubric_core.syntax.running_totals import RunningTotals
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.lines import LineIndex, Position, count_line_breaks, split_lines
from rubric_core.text.spans import Edit, Span

__all__ = ["Changes", "Document", "Located"]

# A chunk that ends inside quotes is joined with what follows until the quote closes. The bounds keep a quote that was
# just typed at the top of a large file from being looked for through all of it.
_JOIN_TRIES = 8
_JOIN_SIZE = 250_000
_WHOLE_SIZE = 60_000
_CLOSERS = "\"'}]"
_HOLDS_ENTRIES = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
_NOT_AN_ENTRY = "This is not a `key: value` line; add the colon, or indent it under the key above."
_UNCUT = frozenset({ChunkKind.WHOLE, ChunkKind.PREFIX})


class Located(NamedTuple):
    """A node together with the offset that its chunk starts at."""

    node: Node
    base: int

    @property
    def span(self) -> Span:
        """Return where the node stands in the whole text."""
        return self.node.span.shifted(self.base)


class Document:
    """One file's text. Chunks are parsed when they are first asked for.

    `problems` are those of the file as a whole: a text over a limit is not looked at any further.
    """

    def __init__(self, text: str, *, json_lines: bool = False, limits: Limits = DEFAULT_LIMITS) -> None:
        self.json_lines = json_lines
        self.limits = limits
        self.chunks: list[Chunk] = []
        self.versions: list[YamlVersion] = []
        self.problems: tuple[SyntaxProblem, ...] = ()
        # Chunks that end inside quotes or brackets: an edit further down may close them.
        self._unfinished: set[Chunk] = set()
        self._changes = ChangeLog()
        # Where the chunks are that may define an anchor; and before which index all of them are parsed.
        self._anchored: list[int] | None = None
        self._anchors_read = 0
        # For each anchor of a YAML document the places that define it, and how many of `_anchored` were looked at.
        self._anchor_places: dict[tuple[int, str], list[int]] = {}
        self._anchors_placed = 0
        self._alias_totals = AliasTotals()
        self._join_budget = JoinBudget()
        # YAML documents that are broken as a whole too.
        self._broken_sections: set[int] = set()
        # How many bytes the text has in UTF-8, where it is so large that this matters.
        self._bytes: int | None = None
        self._load(text)

    # Text and places

    @property
    def text(self) -> str:
        """Return the whole text."""
        return "".join([chunk.text for chunk in self.chunks])

    def start_of(self, index: int) -> int:
        """Return the offset at which a chunk starts."""
        return self._starts.before(index)

    def line_of(self, index: int) -> int:
        """Return the line at which a chunk starts."""
        return self._lines.before(index)

    def chunk_at(self, offset: int) -> int:
        """Return the index of the chunk that holds an offset; the end of the text belongs to the last chunk."""
        return self._starts.find(offset)

    @property
    def indices(self) -> dict[Chunk, int]:
        """Return the index of each chunk. They are counted again only after some came or went."""
        return self._indices.all()

    def index_of(self, chunk: Chunk) -> int:
        """Return the index of a chunk of this document."""
        return self._indices.of(chunk)

    def section_bounds(self, section: int) -> tuple[int, int]:
        """Return where the chunks of a YAML document start and stop among all chunks."""
        return bisect_left(self.chunks, section, key=_section), bisect_right(self.chunks, section, key=_section)

    @property
    def first_lines(self) -> Sequence[int]:
        """Return the line at which each chunk starts."""
        return self._lines.totals()

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset."""
        index = self.chunk_at(offset)
        local = LineIndex(self.chunks[index].text).position(offset - self.start_of(index))
        return Position(local.line + self.line_of(index), local.column)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column; what lies outside of the text is moved into it."""
        if line < 0:
            return 0
        index = self._lines.find(line)
        return self.start_of(index) + LineIndex(self.chunks[index].text).offset(line - self.line_of(index), column)

    # Nodes

    def tree(self, index: int) -> Tree:
        """Return the parsed chunk, joining it first with what follows if it ends inside quotes or brackets."""
        tree = self.chunks[index].tree
        return self._read(index) if tree is None else tree

    def read(self, index: int) -> int:
        """Parse a chunk and return where it is now: joined with the next ones, or with all of its YAML document."""
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
            # An edit may remove what stands beside it.
            self._unfinished.add(chunk)
            if self._is_alone(index):
                self._keep_whole(chunk.section)
        return self.tree(self.chunk_at(start))

    def _count_repeats(self, chunk: Chunk, tree: Tree) -> None:
        """Note how many nodes the aliases of a chunk repeat, which may decide over the aliases of all chunks."""
        if tree.repeats or "*" in chunk.text:
            self._alias_totals.count(chunk, tree.repeats)
            self._decide_on_aliases()

    def _decide_on_aliases(self) -> None:
        """Read aliases again where it is now decided in another way whether they are followed."""
        for chunk in self._alias_totals.decide(self._allowed_repeats):
            self._forget(chunk)

    @property
    def _allowed_repeats(self) -> int:
        return allowed_repeats(self._starts.total, self.limits)

    def pass_over(self, chunk: Chunk) -> None:
        """Take note that a chunk was read elsewhere, and that its aliases repeat nothing."""
        self._alias_totals.count(chunk, 0)

    def _read_anchors(self, index: int) -> bool:
        """Parse what may define an anchor before a chunk; tell whether the chunk is still there afterwards.

        Looking an anchor up must not begin to parse: chunks would be joined and moved in the middle of it, and a
        chain of anchors would be followed deeper than Python recurses.
        """
        wanted = self.chunks[index]
        start = self.start_of(index)
        at = self._anchors_read
        while at < index:
            chunk = self.chunks[at]
            if chunk.tree is None and "&" in chunk.text:
                self._anchors_read = at
                self._read(at)
                index = self.chunk_at(start)
                # Chunks further up may have been cut, and have to be read again.
                at = min(at, self._anchors_read - 1)
            at += 1
        self._anchors_read = max(self._anchors_read, index)
        return self.chunks[index] is wanted

    def settle(self) -> None:
        """Parse every chunk, so that the list of chunks is final until the next edit."""
        # What a chunk repeats may decide over aliases further up, which are read again then.
        while any(chunk.tree is None for chunk in self.chunks):
            index = 0
            while index < len(self.chunks):
                index = self.read(index) + 1

    @property
    def has_changes(self) -> bool:
        """Tell whether chunks came or went since the changes were last taken. Parsing may join chunks too."""
        return bool(self._changes)

    def take_changes(self) -> Changes:
        """Tell what became of the chunks since the last call. What is new may not be parsed yet."""
        return self._changes.take()

    def version(self, chunk: Chunk) -> YamlVersion:
        """Return the YAML version that the chunk's YAML document asks for."""
        return self.versions[chunk.section]

    def parse_as(self, trial: Chunk, original: Chunk) -> Tree:
        """Parse text that is not part of the document as if it stood in the place of a chunk of it."""
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
        """Note where the anchors before a chunk are defined, as far as the chunks there are parsed."""
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
        """Give the chunks before one that may define an anchor for it, the nearest one first."""
        anchored = self._anchored_places()
        section = self.chunks[index].section
        for place in range(bisect_left(anchored, index) - 1, -1, -1):
            chunk = self.chunks[anchored[place]]
            if chunk.section != section:
                return
            yield chunk

    # Joining what the split cut inside quotes or brackets

    def _join(self, index: int) -> None:
        """Join an unfinished chunk with as many following ones as close its quotes, if that gives good YAML."""
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
            joined = _make_chunk(Piece(first.kind, "".join(texts), first.place), first.section)
            if self._is_good(joined, index):
                self._replace(index, end + 1, [joined])
                self._join_budget.joined.add(joined)
                self._spend_on(joined, work, left)
                return
        self._spend_on(first, work, left)
        if not self._keep_whole(first.section):
            self._unfinished.add(first)

    def _spend_on(self, chunk: Chunk, work: int, left: float) -> None:
        """Note the work for a chunk. Where it is too much, all chunks that were joined are cut.

        Which of them the budget is spent on must not depend on earlier edits.
        """
        budget = self._join_budget
        budget.count(chunk, work)
        if work > left and not budget.is_spent:
            budget.is_spent = True
            for joined in list(budget.joined):
                self._cut_joined(self.index_of(joined))

    def _cut_joined(self, index: int) -> None:
        """Cut chunks that were joined: what closes a quote there may close one that was opened further up."""
        chunk = self.chunks[index]
        if chunk in self._join_budget.joined:
            pieces = split_region(chunk.text, chunk.place if chunk.kind is ChunkKind.ITEM else None)
            self._replace(index, index + 1, [_make_chunk(piece, chunk.section) for piece in pieces])

    def _is_good(self, trial: Chunk, index: int) -> bool:
        """Tell whether chunks that were joined are YAML, and keep their tree unless aliases have to be followed.

        How much all aliases of the text repeat must not matter here: it depends on which chunks are joined.
        """
        tree = self._parse(trial, index, 0)
        trial.tree = None if tree.repeats else tree
        return all(problem.code == "RB008" for problem in tree.problems)

    def _is_alone(self, index: int) -> bool:
        """Tell whether a chunk is all of its YAML document."""
        section = self.chunks[index].section
        beside = [*self.chunks[max(index - 1, 0) : index], *self.chunks[index + 1 : index + 2]]
        return not any(chunk.section == section and chunk.kind is not ChunkKind.PREFIX for chunk in beside)

    def _keep_whole(self, section: int) -> bool:
        """Put a small YAML document back into one chunk where cutting it is what broke it."""
        if section in self._broken_sections:
            return False
        first, stop = self.section_bounds(section)
        start = first + (self.chunks[first].kind is ChunkKind.PREFIX)
        if self.start_of(stop - 1) - self.start_of(start) > _WHOLE_SIZE:
            return False
        text = "".join([chunk.text for chunk in self.chunks[start:stop]])
        if len(text) > _WHOLE_SIZE:
            return False
        whole = _make_chunk(Piece(ChunkKind.WHOLE, text), section)
        if not self._is_good(whole, start):
            self._broken_sections.add(section)
            return False
        self._replace(start, stop, [whole])
        return True

    # Loading and editing

    def _load(self, text: str) -> None:
        """Split the whole text; chunks that are as before are kept with all that is known of them."""
        before = self.chunks
        versions = self.versions
        known: dict[tuple[int, Piece], list[Chunk]] = {}
        for chunk in reversed(before):
            known.setdefault((chunk.section, Piece(chunk.kind, chunk.text, chunk.place)), []).append(chunk)
        self.problems = over_limits(text, self.limits)
        self.versions, self.chunks = [], []
        for section, piece in self._pieces(text):
            kept = known.get((section, piece))
            self.chunks.append(kept.pop() if kept else _make_chunk(piece, section))
        if not self.chunks:
            # An empty JSON Lines file has no line; there is always a chunk to stand in.
            self.chunks.append(_make_chunk(Piece(ChunkKind.LINE, ""), 0))
        self._starts = RunningTotals([len(chunk.text) for chunk in self.chunks])
        self._lines = RunningTotals([chunk.line_breaks for chunk in self.chunks])
        self._indices = ChunkIndices(self.chunks)
        self._anchored, self._anchors_read, self._bytes = None, 0, None
        now = set(self.chunks)
        unread = [chunk for chunk in self.chunks if chunk.tree is None]
        gone = [chunk for chunk in before if chunk not in now]
        self._join_budget.drop(gone)
        self._alias_totals.replace(gone, unread)
        self._changes.note(gone, unread)
        for chunk in self.chunks:
            # What was looked up in other chunks, or was broken off, may be different now.
            if chunk.tree is not None and (chunk.tree.external or chunk in self._unfinished):
                self._forget(chunk)
        self._unfinished.clear()
        # A directive that was typed or removed gives the same text another meaning.
        changed = {n for n, (old, new) in enumerate(zip(versions, self.versions, strict=False)) if old is not new}
        self._changes.note([], [chunk for chunk in self.chunks if chunk.section in changed] if changed else [])

    def _forget(self, chunk: Chunk) -> None:
        chunk.tree = None
        if chunk not in self._join_budget.joined:
            self._join_budget.count(chunk, 0)
        self._alias_totals.replace((), (chunk,))
        self._anchors_read = 0
        self._changes.note([], [chunk])

    def _pieces(self, text: str) -> Iterator[tuple[int, Piece]]:
        if self.problems or self.json_lines:
            self.versions = [YamlVersion.V1_2]
            kind = ChunkKind.PREFIX if self.problems else ChunkKind.LINE
            for line in split_lines(text) if self.json_lines and not self.problems else [text]:
                yield 0, Piece(kind, line)
            return
        for section, (version, pieces) in enumerate(split_documents(text)):
            self.versions.append(version)
            for piece in pieces:
                yield section, piece

    def edit(self, edits: Iterable[Edit]) -> None:
        """Apply edits one after the other, each speaking of the text as the one before it left it."""
        for edit in edits:
            self._broken_sections.clear()
            self._join_budget.is_spent = False
            self._edit(edit)
            self._decide_on_aliases()

    def _edit(self, edit: Edit) -> None:
        start = min(max(edit.start, 0), self._starts.total)
        end = min(max(edit.end, start), self._starts.total)
        # An edit may move the border to a neighbour, so the chunks next to it are cut again as well.
        first = max(self.chunk_at(start) - 1, 0)
        last = min(self.chunk_at(end) + 1, len(self.chunks) - 1)
        # The key of a list is known by the dash below it.
        last += self.chunks[last].kind is ChunkKind.LIST_HEAD and last + 1 < len(self.chunks)
        if self.chunks[first].kind is ChunkKind.PREFIX and start >= self.start_of(first + 1 if last > first else first):
            first = min(first + 1, last)
        base = self.start_of(first)
        old = "".join([chunk.text for chunk in self.chunks[first : last + 1]])
        new = old[: start - base] + edit.text + old[end - base :]
        pieces = self._cut_again(first, last, old, new)
        if pieces is None:
            text = self.text
            self._load(text[:start] + edit.text + text[end:])
            return
        self._exchange(first, last + 1, pieces)
        # What closes a chunk that was broken off may be what was just typed.
        for chunk in self._unfinished:
            self._forget(chunk)
        self._unfinished.clear()

    def _cut_again(self, first: int, last: int, old: str, new: str) -> list[Piece] | None:
        """Cut the changed stretch again; None where the whole text has to be cut."""
        if self.problems or len(new) > self.limits.line_length or self._grows_too_large(old, new):
            return None
        if self.json_lines:
            return [Piece(ChunkKind.LINE, line) for line in split_lines(new)] or None
        window = self.chunks[first : last + 1]
        opening = window[0]
        place = opening.place if opening.kind is ChunkKind.ITEM else None
        if (
            any(chunk.kind in _UNCUT or chunk.section != opening.section for chunk in window)
            or moves_documents(old)
            or moves_documents(new)
            or (has_complex_key(new) if place is not None else not can_be_cut(new))
        ):
            return None
        pieces = list(split_region(new, place))
        following = self.chunks[last + 1] if last + 1 < len(self.chunks) else None
        if following and following.kind is ChunkKind.ITEM and following.place != pieces[-1].place:
            return None
        return pieces

    def _grows_too_large(self, old: str, new: str) -> bool:
        """Tell whether an edit may lead over the limit for files; bytes are counted only where that can be."""
        if self._starts.total + len(new) - len(old) <= self.limits.file_bytes // 4:
            self._bytes = None
            return False
        if self._bytes is None:
            self._bytes = sum(_byte_count(chunk.text) for chunk in self.chunks)
        self._bytes += _byte_count(new) - _byte_count(old)
        return self._bytes > self.limits.file_bytes

    def _exchange(self, start: int, stop: int, pieces: list[Piece]) -> None:
        """Put new chunks in place of old ones; those at both ends that did not change stay."""
        old = self.chunks[start:stop]
        most = min(len(old), len(pieces))
        head = 0
        while head < most and old[head].is_like(pieces[head]):
            head += 1
        tail = 0
        while tail < most - head and old[-1 - tail].is_like(pieces[-1 - tail]):
            tail += 1
        fresh = [_make_chunk(piece, old[0].section) for piece in pieces[head : len(pieces) - tail]]
        self._replace(start + head, stop - tail, fresh)

    def _replace(self, start: int, stop: int, fresh: list[Chunk]) -> None:
        old = self.chunks[start:stop]
        self._unfinished.difference_update(old)
        self._join_budget.drop(old)
        self.chunks[start:stop] = fresh
        self._indices.exchange(start, old, fresh)
        self._alias_totals.replace(old, fresh)
        self._anchors_read = min(self._anchors_read, start)
        self._changes.note(old, fresh)
        self._starts.replace(start, stop, [len(chunk.text) for chunk in fresh])
        self._lines.replace(start, stop, [chunk.line_breaks for chunk in fresh])
        defines = any("&" in chunk.text for chunk in (*old, *fresh))
        if defines or len(old) != len(fresh):
            self._anchored = None
        if defines:
            for chunk in self.chunks:
                if chunk.tree is not None and chunk.tree.external:
                    self._forget(chunk)
        for chunk in fresh:
            if chunk.tree is not None:
                self._count_repeats(chunk, chunk.tree)


def _make_chunk(piece: Piece, section: int) -> Chunk:
    return Chunk(piece, section, count_line_breaks(piece.text))


def _section(chunk: Chunk) -> int:
    return chunk.section


def _byte_count(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
