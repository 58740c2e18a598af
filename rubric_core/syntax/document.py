"""A document: a text in chunks. An edit cuts and parses only the chunks that it affects."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rubric_core.syntax.chunks import (
    NO_LISTS,
    Chunk,
    ChunkKind,
    Piece,
    can_be_cut,
    has_complex_key,
    moves_documents,
    split_documents,
    split_region,
)
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits, over_limits
from rubric_core.syntax.nodes import Node
from rubric_core.syntax.parsed_chunks import ParsedChunks, make_chunk
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.syntax.value_edits import tree_after_edit
from rubric_core.text.lines import split_lines
from rubric_core.text.spans import Edit, Span

_UNCUT = frozenset({ChunkKind.WHOLE, ChunkKind.CASE, ChunkKind.PREFIX})


class Located(NamedTuple):
    """A node together with the offset that its chunk starts at."""

    node: Node
    base: int

    @property
    def span(self) -> Span:
        """Return where the node is in the whole text."""
        return self.node.span.shifted(self.base)


class Document(ParsedChunks):
    """The text of one file in chunks, which are parsed when first needed. A file that `is_one_case` is not cut.

    `whole_lists` are the keys of top-level lists that are not cut into their items.
    """

    def __init__(
        self,
        text: str,
        *,
        json_lines: bool = False,
        limits: Limits = DEFAULT_LIMITS,
        is_one_case: bool = False,
        whole_lists: frozenset[str] = NO_LISTS,
    ) -> None:
        super().__init__(limits, json_lines=json_lines, whole_lists=whole_lists)
        self._is_one_case = is_one_case
        # The size in UTF-8, known only if the text is large enough to be near the limit.
        self._bytes: int | None = None
        self._load(text)

    def _load(self, text: str) -> None:
        """Split the whole text; equal chunks are reused with their trees."""
        before = self.chunks
        versions = self.versions
        reusable: dict[tuple[int, Piece], list[Chunk]] = {}
        for chunk in reversed(before):
            reusable.setdefault((chunk.section, Piece(chunk.kind, chunk.text, chunk.place)), []).append(chunk)
        self.problems = over_limits(text, self.limits)
        self.versions, self.chunks = [], []
        for section, piece in self._pieces(text):
            matching = reusable.get((section, piece))
            self.chunks.append(matching.pop() if matching else make_chunk(piece, section))
        if not self.chunks:
            # An empty JSON Lines file has no line, but a document always has a chunk.
            self.chunks.append(make_chunk(Piece(ChunkKind.LINE, ""), 0))
        self._count_chunks()
        self._anchored, self._anchors_read, self._bytes = None, 0, None
        now = set(self.chunks)
        unread = [chunk for chunk in self.chunks if chunk.tree is None]
        gone = [chunk for chunk in before if chunk not in now]
        self._join_budget.drop(gone)
        self._alias_totals.replace(gone, unread)
        self._note_changes(gone, unread)
        for chunk in self.chunks:
            # Its anchors in other chunks, or the end of its quotes, may be different now.
            if chunk.tree is not None and (chunk.tree.external or chunk in self._unfinished):
                self._forget(chunk)
        self._unfinished.clear()
        # A directive that was typed or removed gives the same text another meaning.
        changed = {n for n, (old, new) in enumerate(zip(versions, self.versions, strict=False)) if old is not new}
        self._note_changes([], [chunk for chunk in self.chunks if chunk.section in changed] if changed else [])

    def _pieces(self, text: str) -> Iterator[tuple[int, Piece]]:
        if self.problems or self.json_lines:
            self.versions = [YamlVersion.V1_2]
            kind = ChunkKind.PREFIX if self.problems else ChunkKind.LINE
            for line in split_lines(text) if self.json_lines and not self.problems else [text]:
                yield 0, Piece(kind, line)
            return
        for section, (version, pieces) in enumerate(split_documents(text, self.whole_lists)):
            self.versions.append(version)
            for piece in _joined(pieces) if self._is_one_case else pieces:
                yield section, piece

    def edit(self, edits: Iterable[Edit]) -> None:
        """Apply edits one after the other; the offsets of each count in the result of the one before."""
        for edit in edits:
            self._broken_sections.clear()
            self._join_budget.is_spent = False
            self._edit(edit)
            if self._join_budget.left(self._starts.total) < 0:
                # A shorter text allows less work: the chunks are joined again in their order, as when it is opened.
                self._cut_all_joined()
            self._decide_on_aliases()

    def _edit(self, edit: Edit) -> None:
        start = min(max(edit.start, 0), self._starts.total)
        end = min(max(edit.end, start), self._starts.total)
        if not self._edit_value(start, end, edit.text):
            self._edit_chunks(start, end, edit.text)
        # The edit may close a quote or bracket that a chunk opens.
        for chunk in self._unfinished:
            self._forget(chunk)
        self._unfinished.clear()

    def _edit_value(self, start: int, end: int, text: str) -> bool:
        """Change the tree of a chunk if an edit is inside of one value; return whether that was possible."""
        index = self.chunk_at(start)
        chunk = self.chunks[index]
        if chunk.tree is None or chunk.kind in _UNCUT:
            return False
        base = self.start_of(index)
        tree = tree_after_edit(chunk.tree, chunk.text, Edit(start - base, end - base, text))
        if tree is None:
            return False
        new = chunk.text[: start - base] + text + chunk.text[end - base :]
        if len(new) > self.limits.line_length or self._grows_too_large(chunk.text, new):
            return False
        fresh = make_chunk(Piece(chunk.kind, new, chunk.place), chunk.section)
        fresh.tree = tree
        self._replace(index, index + 1, [fresh])
        return True

    def _edit_chunks(self, start: int, end: int, text: str) -> None:
        """Cut the chunks around an edit again, or the whole text."""
        # An edit may move the border to a neighbour, so the chunks next to it are cut again as well.
        first = max(self.chunk_at(start) - 1, 0)
        last = min(self.chunk_at(end) + 1, len(self.chunks) - 1)
        # The key of a list is recognised by the dash below it.
        last += self.chunks[last].kind is ChunkKind.LIST_HEAD and last + 1 < len(self.chunks)
        if self.chunks[first].kind is ChunkKind.PREFIX and start >= self.start_of(first + 1 if last > first else first):
            first = min(first + 1, last)
        base = self.start_of(first)
        old = "".join([chunk.text for chunk in self.chunks[first : last + 1]])
        new = old[: start - base] + text + old[end - base :]
        pieces = self._cut_again(first, last, old, new)
        if pieces is None:
            whole = self.text
            self._load(whole[:start] + text + whole[end:])
            return
        self._exchange(first, last + 1, pieces)

    def _cut_again(self, first: int, last: int, old: str, new: str) -> list[Piece] | None:
        """Cut the changed stretch again; None if the whole text has to be cut."""
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
        pieces = list(split_region(new, place, self.whole_lists))
        following = self.chunks[last + 1] if last + 1 < len(self.chunks) else None
        if following and following.kind is ChunkKind.ITEM and following.place != pieces[-1].place:
            return None
        return pieces

    def _grows_too_large(self, old: str, new: str) -> bool:
        """Return whether the file is too large after an edit; bytes are counted only near the limit."""
        if self._starts.total + len(new) - len(old) <= self.limits.file_bytes // 4:
            self._bytes = None
            return False
        if self._bytes is None:
            self._bytes = sum(_byte_count(chunk.text) for chunk in self.chunks)
        self._bytes += _byte_count(new) - _byte_count(old)
        return self._bytes > self.limits.file_bytes

    def _exchange(self, start: int, stop: int, pieces: list[Piece]) -> None:
        """Replace chunks, but keep those at both ends that did not change."""
        old = self.chunks[start:stop]
        most = min(len(old), len(pieces))
        head = 0
        while head < most and old[head].is_like(pieces[head]):
            head += 1
        tail = 0
        while tail < most - head and old[-1 - tail].is_like(pieces[-1 - tail]):
            tail += 1
        fresh = [make_chunk(piece, old[0].section) for piece in pieces[head : len(pieces) - tail]]
        self._replace(start + head, stop - tail, fresh)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the prefix of a YAML document and its content, each as one piece."""
    content: list[str] = []
    for piece in pieces:
        if piece.kind is ChunkKind.PREFIX:
            yield piece
        else:
            content.append(piece.text)
    if content:
        yield Piece(ChunkKind.CASE, "".join(content))


def _byte_count(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
