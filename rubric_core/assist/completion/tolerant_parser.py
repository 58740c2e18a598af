"""A tolerant parser that reads a chunk line by line and never fails, so that half-typed text has a tree too.

It reads lists, mappings, keys and the places of values, and ignores tags, types and anchors. For invalid YAML,
indentation decides. The line of the cursor is read like others; what could start there is recorded beside the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rubric_core.assist.completion.branches import Branch, Root, TypedEntry
from rubric_core.assist.completion.flow import TolerantFlowParser, behind, skip_quotes
from rubric_core.text.lines import line_end
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

LONGEST = 200_000
"""The longest chunk that is parsed tolerantly: a document that cannot be cut may be one chunk of megabytes."""

_BYTE_ORDER_MARK = "\ufeff"
_BLANKS = " \t\ufeff"
_PROPERTIES = lazily(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|(?=[\r\n]|\Z)))*")
_DASH = lazily(r"-(?=[ \t\r\n]|\Z)")
_QUOTED_KEY = lazily(r"""("(?:[^"\\\r\n]|\\.)*"|'(?:[^'\r\n]|'')*')[ \t]*:(?=[ \t\r\n]|\Z)""")
_PLAIN_KEY_START = lazily(r"""[^\s\-?:,\[\]{}#&*!|>'"%@`]|[\-?:](?=\S)""")
_COLON = lazily(r":(?=[ \t\r\n]|\Z)")
_SPACES = lazily(r"[ \t]*")
_INDENT = lazily(r"\ufeff?( *)")
_PLAIN = lazily(r"(?:[^\s#]|(?<=[^\s])#|[ \t]+(?![#\s]))*")
_COMMENT = lazily(r"(?:(?<=[ \t])|(?<![^\r\n\ufeff]))#")
_BLOCK_SCALAR = lazily(r"[|>][0-9+\-]*[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_MARKER = lazily(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_LINE_BREAK = lazily(r"\r\n?|\n")
# Nothing of the format is a list in a list in a list.
_MOST_DASHES = 20
_ENTRY_LINE = lazily(r"\ufeff?( *)(?:-(?=[ \t\r\n]|\Z)|[^\s#][^\r\n]*?:(?=[ \t\r\n]|\Z))")


class FreeLine(NamedTuple):
    """The cursor's line if it is blank or has a single word: anything could start there.

    `open` are the branches that reach down to it, outermost first. `below` is the branch that the next line with
    content goes on with; None where nothing follows. `word` is the lone word, or the empty stretch at the cursor.
    """

    open: tuple[Branch, ...]
    below: Branch | None
    start: int
    column: int
    word: Span


@contextmanager
def parse_tolerantly(text: str, cursor: int, root: Root) -> Iterator[TolerantTree]:
    """Parse a chunk; `root` holds what is known to be around it. Both can be used as long as the context is open.

    Branches and entries refer to each other. These cycles are removed at the end, so that the garbage collector need
    not free them.
    """
    tree = TolerantTree(text, cursor, root)
    try:
        yield tree
    finally:
        root.entry.child = None
        for branch in (*root.open, *tree.branches):
            for entry in branch.entries:
                entry.child = None
            branch.entries.clear()


class TolerantTree:
    """The tree of a chunk, read line by line.

    `on_line` are the entries on the cursor's line, `comment` is the start of the comment that holds the cursor, and
    `in_text`: the cursor is in text that is neither a key nor a value.
    """

    def __init__(self, text: str, cursor: int, root: Root) -> None:
        self.text = text
        self.cursor = cursor
        self.stack: list[Branch] = list(root.open)
        self.branches: list[Branch] = []
        self.on_line: list[TypedEntry] = []
        self.free: FreeLine | None = None
        self.comment: int | None = None
        self.in_text = False
        self._root = root
        # Whether the cursor's line was free and the line that follows it has not been seen yet.
        self._awaits_below = False
        self._run()

    def _run(self) -> None:
        at = 0
        while at < len(self.text):
            at = self._line(at)
        # There is no line behind the last line break.
        if self.cursor == len(self.text) and (not self.text or self.text[-1] in "\r\n"):
            self._note_free(len(self.text), self.cursor, self.cursor)
        self._set_below(self._root.below)

    # Lines

    def _line(self, start: int) -> int:
        end = line_end(self.text, start)
        at = behind(_INDENT, self.text, start)
        has_cursor = start <= self.cursor <= end
        first = self.text[at : at + 1]
        if at >= end or first == "\t":
            at = behind(_SPACES, self.text, at)
        if at >= end:
            if has_cursor:
                self._note_free(start, self.cursor, self.cursor)
            return self._next(end)
        if first == "#" or (at == start and _MARKER.match(self.text, at)):
            self._note_comment(at, end)
            self.in_text = self.in_text or (has_cursor and self.comment is None)
            return self._next(end)
        return self._next(self._content(start, at, end, has_cursor=has_cursor))

    def _next(self, end: int) -> int:
        """Return the start of the line behind the one that an offset is on."""
        end = line_end(self.text, min(end, len(self.text)))
        return behind(_LINE_BREAK, self.text, end) if end < len(self.text) else len(self.text)

    def _note_comment(self, start: int, end: int) -> None:
        match = _COMMENT.search(self.text, start, end)
        if match and match.start() < self.cursor <= end:
            self.comment = match.start()

    def _note_free(self, start: int, word_start: int, word_end: int) -> None:
        column = max(self._column(start, word_start), 0)
        self.free = FreeLine(tuple(self.stack), None, start, column, Span(word_start, word_end))
        self._awaits_below = True

    def _set_below(self, branch: Branch | None) -> None:
        """Record the branch that the first line below a free one continues."""
        if self._awaits_below and self.free is not None:
            self._awaits_below, self.free = False, self.free._replace(below=branch)

    def _column(self, start: int, at: int) -> int:
        return at - start - self.text.startswith(_BYTE_ORDER_MARK, start)

    # The content of one line

    def _content(self, start: int, at: int, end: int, *, has_cursor: bool) -> int:
        """Read a line that has more than a comment; return the end of what was read, perhaps on a later line."""
        inside: TypedEntry | None = None
        for _ in range(_MOST_DASHES):
            if not _DASH.match(self.text, at):
                break
            branch = self._branch_at(self._column(start, at), inside, is_list=True)
            inside = self._add(branch, TypedEntry(branch, "", at, at + 1, at + 1), has_cursor=has_cursor)
            at = behind(_SPACES, self.text, at + 1)
            if at >= end or self.text[at] == "#":
                self._note_comment(at, end)
                return end
        at = behind(_PROPERTIES, self.text, at)
        key = self._key_at(at, end)
        if key is None:
            return self._keyless(start, at, end, inside, has_cursor=has_cursor)
        key_end, value_at = key
        name = self.text[at:key_end]
        name = name[1:-1] if name[:1] in {'"', "'"} else name
        branch = self._branch_at(self._column(start, at), inside, is_list=False)
        entry = self._add(branch, TypedEntry(branch, name, at, key_end, value_at), has_cursor=has_cursor)
        return self._value(entry, value_at, self._column(start, at))

    def _key_at(self, at: int, end: int) -> tuple[int, int] | None:
        """Return where the key that starts at an offset ends, and where its value may start."""
        quoted = _QUOTED_KEY.match(self.text, at, end)
        if quoted:
            return quoted.end(1), quoted.end()
        colon = _COLON.search(self.text, at, end) if _PLAIN_KEY_START.match(self.text, at, end) else None
        comment = _COMMENT.search(self.text, at, colon.start()) if colon else None
        if colon is None or comment is not None:
            return None
        return at + len(self.text[at : colon.start()].rstrip(_BLANKS)), colon.end()

    def _add(self, branch: Branch, entry: TypedEntry, *, has_cursor: bool) -> TypedEntry:
        branch.entries.append(entry)
        if has_cursor:
            self.on_line.append(entry)
        self._set_below(branch)
        return entry

    def _keyless(self, start: int, at: int, end: int, inside: TypedEntry | None, *, has_cursor: bool) -> int:
        """Read a line, or the rest of one behind a dash, that holds no `key:`."""
        column = self._column(start, at)
        if inside is not None:
            return self._value(inside, at, inside.column(self.text))
        owner = self._owner_above(column)
        if self.text[at : at + 1] in {"{", "["} and owner is None and not self._root.open[0].entries:
            # The whole YAML document, or the line of a JSON Lines file, is in brackets.
            end = self._flow(self._root.entry, at, -1)
            if self._root.entry.child is not None:
                whole, top = self._root.entry.child, self._root.open[0]
                whole.record, whole.dialect = top.record, top.dialect
            return end
        stop = behind(_PLAIN, self.text, at)
        if owner is not None and owner.child is None and (owner.has_text or not has_cursor):
            # Text that goes on from the line above, or the value of a key that is alone on it.
            if not owner.has_text:
                return self._value(owner, at, owner.column(self.text))
            self.in_text = self.in_text or has_cursor
            return end
        if has_cursor:
            self._note_comment(stop, end)
            # After an anchor or a tag, the kind of the value is unknown.
            is_alone = not self.text[start:at].strip(_BLANKS)
            if is_alone and at <= self.cursor <= stop:
                self._note_free(start, at, stop)
        return end

    def _owner_above(self, column: int) -> TypedEntry | None:
        """Return the entry that a line which is indented this deep would be the value of."""
        above = next((branch for branch in reversed(self.stack) if branch.column < column), None)
        return above.entries[-1] if above is not None and above.entries else None

    # Values

    def _value(self, entry: TypedEntry, at: int, indent: int) -> int:
        """Read what is behind a colon or a dash; return where it ends."""
        at = behind(_PROPERTIES, self.text, behind(_SPACES, self.text, at))
        end = line_end(self.text, at)
        first = self.text[at : at + 1]
        if at >= end or first == "#":
            self._note_comment(at, end)
            return end
        if first in {"|", ">"} and _BLOCK_SCALAR.match(self.text, at):
            entry.set_text(self.text, at, at + 1, is_word=False)
            self._note_comment(at, end)
            return self._block_scalar(end, indent)
        if first in {"{", "["}:
            return self._flow(entry, at, indent)
        stop = self._quoted(at, indent) if first in {'"', "'"} else behind(_PLAIN, self.text, at)
        entry.set_text(self.text, at, stop, is_word=stop <= end)
        if stop > end and at < self.cursor <= stop:
            self.in_text = True
        end = line_end(self.text, stop)
        self._note_comment(stop, end)
        return end

    def _quoted(self, at: int, indent: int) -> int:
        stop = skip_quotes(self.text, at)
        if not _LINE_BREAK.search(self.text, at, stop):
            return stop
        # Quotes that are closed by those of another entry, or never, would include all text between.
        is_closed = stop - at > 1 and self.text[stop - 1] == self.text[at] and stop <= self._end_of_broken(at, indent)
        return stop if is_closed else line_end(self.text, at)

    def _end_of_broken(self, at: int, indent: int) -> int:
        """Return the end of the last line that can belong to a value, going by indentation."""
        end = line_end(self.text, at)
        stop = end
        while stop < len(self.text):
            start = behind(_LINE_BREAK, self.text, stop)
            match = _ENTRY_LINE.match(self.text, start)
            if match and len(match[1]) <= indent:
                return end
            stop = line_end(self.text, start)
            if start < stop or start >= len(self.text):
                end = stop
        return len(self.text)

    def _flow(self, entry: TypedEntry, at: int, indent: int) -> int:
        stop = self._end_of_broken(at, indent)
        comments: list[int] = []
        branch, end = TolerantFlowParser(self.text, stop, self.branches, comments).collection(at, entry)
        entry.child = branch
        for comment in comments:
            self._note_comment(comment, line_end(self.text, comment))
        self._set_below(branch)
        stop = line_end(self.text, end)
        self._note_comment(end, stop)
        return stop

    def _block_scalar(self, end: int, indent: int) -> int:
        """Skip the lines of a block scalar; return the end of the last one that has text."""
        body = indent + 1
        text_end = end
        # The column of the cursor on a blank line that may turn out to be text.
        blank: int | None = None
        while end < len(self.text):
            start = behind(_LINE_BREAK, self.text, end)
            end = line_end(self.text, start)
            at = behind(_INDENT, self.text, start)
            has_cursor = start <= self.cursor <= end
            if at >= end:
                blank = self.cursor - start if has_cursor else blank
                continue
            if at - start <= indent:
                break
            body = at - start if body == indent + 1 else body
            text_end = end
            self.in_text = self.in_text or has_cursor or blank is not None
        # A blank line behind the text belongs to it if it is indented like it.
        self.in_text = self.in_text or (blank is not None and blank >= body)
        return text_end

    # Branches

    def _branch_at(self, column: int, inside: TypedEntry | None, *, is_list: bool) -> Branch:
        if inside is not None:
            return self._open(Branch(column, inside, is_list=is_list))
        # The outermost branch is at column 0, so something is always left. A key ends a list in its column.
        while (top := self.stack[-1]).column > column or (top.is_list and not is_list and top.column == column):
            if len(self.stack) == 1:
                # Nothing is known of a key behind a list that is the whole text.
                return self._open(Branch(column, None, is_list=False))
            self.stack.pop()
        if top.is_list is is_list and top.column == column:
            return top
        return self._below_last(top, column, is_list=is_list)

    def _below_last(self, top: Branch, column: int, *, is_list: bool) -> Branch:
        """Return the branch below the last entry of another one; what is not aligned joins what is there."""
        owner = top.entries[-1] if top.entries else None
        if owner is not None and owner.child is not None and owner.child.is_list is is_list and not owner.child.flow:
            self.stack.append(owner.child)
            return owner.child
        return self._open(Branch(column, owner, is_list=is_list))

    def _open(self, branch: Branch) -> Branch:
        if branch.owner is not None:
            branch.owner.child = branch
        self.branches.append(branch)
        self.stack.append(branch)
        return branch
