"""The place of the cursor: the mapping of a key, the list of an item, or the key of a value."""

from enum import Enum
from typing import Any, NamedTuple

from rubric_core.assist.completion.branches import Branch, Root, TypedEntry, loose_entry, record_of
from rubric_core.assist.completion.insert_text import (
    Piece,
    SeenStyle,
    Template,
    TemplateText,
    WritingStyle,
    block_lines,
    settled,
    write,
)
from rubric_core.assist.completion.tolerant_parser import FreeLine, TolerantTree
from rubric_core.dialects.dialect import Dialect
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.text.lines import line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span

_CUT = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
_LIST = lazily(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*-(?=[ \r\n]|\Z)")
_BYTE_ORDER_MARK = "\ufeff"
_LINE_BREAKS = "\r\n"


class CompletionKind(Enum):
    """The kind of text that can be typed at a place."""

    KEY = "a key of a mapping"
    ITEM = "an item of a list, dash included"
    VALUE = "the value of a key, or of an item in brackets"


class CompletionPlace(NamedTuple):
    """One thing that could be typed at the cursor. Offsets count from the start of the chunk.

    Attributes:
        kind: What it is.
        branch: The mapping that the key, or the list that the item belongs to; it may be one that only starts here.
        span: What is replaced: the word under the cursor, or nothing.
        style: How further lines are indented.
        entry: The entry whose key or value is being typed.
        column: Where the first line of what is inserted starts; in brackets there is only one.
        lead: What has to be before what is inserted: missing spaces.
        tail: What has to be behind it: the comma before the next entry in brackets.
        aside: The spaces before it that have to go.
        is_bare: Whether only the key itself is wanted, since its colon is there.
        begins_item: Whether the key is the first thing behind a dash.
        is_json: Whether what is inserted has to be JSON: in a JSON Lines file, and in braces with quoted keys.
    """

    kind: CompletionKind
    branch: Branch
    span: Span
    style: WritingStyle
    entry: TypedEntry | None = None
    column: int = 0
    lead: str = ""
    tail: str = ""
    aside: Edit | None = None
    is_bare: bool = False
    begins_item: bool = False
    is_json: bool = False

    def inline(self, pieces: list[Piece]) -> TemplateText:
        """Return a template as it is inserted on the line of the cursor."""
        return write([pieces], 0, "\n", lead=self.lead, tail=self.tail)

    def block(self, template: Template) -> TemplateText:
        """Return a template in block style, as it is inserted."""
        return write(block_lines(template, self.style), self.column, self.style.line_break, lead=self.lead)


def root_of(document: Document, index: int, dialect: Dialect) -> Root:
    """Return the known context of a chunk."""
    chunk = document.chunks[index]
    record = dialect.raw_case if chunk.kind in {ChunkKind.LINE, ChunkKind.CASE} else dialect.suite
    is_list = chunk.kind is ChunkKind.WHOLE and _LIST.match(chunk.text) is not None
    # A file of cases may be only a list of them.
    top = Branch(0, None, is_list=is_list, record=dialect.raw_case if is_list else record, dialect=dialect)
    following = document.chunks[index + 1] if index + 1 < len(document.chunks) else None
    if following is not None and following.section != chunk.section:
        following = None
    below = top if following is not None and following.kind in _CUT else None
    opened: tuple[Branch, ...] = (top,)
    if chunk.place is not None:
        listed = Branch(chunk.place.indent, None, is_list=True)
        if following is not None and following.kind is ChunkKind.ITEM:
            below = listed
        if chunk.kind is ChunkKind.ITEM:
            head = TypedEntry(top, chunk.place.key, -1, -1, 0)
            top.entries.append(head)
            head.child, listed.owner = listed, head
            opened = (top, listed)
    elif following is not None and below is None:
        # The following text is not cut, so its context is unknown.
        below = Branch(0, None, is_list=True)
    return Root(opened, below, loose_entry(-1))


def adopt_list(root: Root) -> None:
    """Give the list whose items are chunks of their own to the key that was read above it."""
    below = root.below
    if below is not None and below.is_list and below.owner is None and root.open[0].entries:
        below.owner = root.open[0].entries[-1]
        below.owner.child = below


class PlaceFinder:
    """Finds what could be typed at the cursor, which is at an offset of a text that was parsed tolerantly."""

    def __init__(self, text: str, at: int, seen: SeenStyle, line_break: str, *, json_lines: bool = False) -> None:
        self.text = text
        self.at = at
        self.seen = seen
        self.style = settled(seen, line_break)
        self.json_lines = json_lines

    def places(self, tree: TolerantTree) -> list[CompletionPlace]:
        """Return the places at the cursor; none inside of text and comments."""
        if tree.in_text or tree.comment is not None:
            return []
        flow = self._innermost_flow(tree.branches)
        if flow is None and tree.free is not None:
            return self._on_free_line(tree.free)
        place = self._in_flow(flow) if flow is not None else self._on_entry(tree.on_line)
        return [place] if place is not None else []

    def _place(
        self, kind: CompletionKind, branch: Branch, span: Span, entry: TypedEntry | None = None, **more: Any
    ) -> CompletionPlace:
        has_quotes = branch.flow and any(
            self.text[entry.start] == '"' for entry in branch.entries if entry.start != entry.key_end
        )
        is_json = self.json_lines or has_quotes
        return CompletionPlace(kind, branch, span, self.style, entry, is_json=is_json, **more)

    # On a line with keys or dashes

    def _on_entry(self, entries: list[TypedEntry]) -> CompletionPlace | None:
        entry = next((entry for entry in reversed(entries) if self.at >= entry.start), None)
        if entry is None:
            return None
        if entry.branch.is_list or self.at > entry.key_end:
            return self._behind_mark(entry)
        span, column = Span(entry.start, entry.key_end), entry.column(self.text)
        return self._place(CompletionKind.KEY, entry.branch, span, entry, column=column, is_bare=True)

    def _behind_mark(self, entry: TypedEntry) -> CompletionPlace | None:
        span = self._value_span(entry)
        if span is None:
            return None
        lead = " " if span.start == entry.value_at else ""
        if not entry.branch.is_list or entry.text.startswith("*"):
            if entry.child is not None:
                return None
            column = entry.column(self.text)
            return self._place(CompletionKind.VALUE, entry.branch, span, entry, column=column, lead=lead)
        column = span.start + len(lead) - line_start(self.text, span.start)
        # The rest of the item may be on the lines below.
        started = entry.child if entry.child is not None else Branch(column, entry, is_list=False)
        # Keys are lower case: a word that starts with a capital or with quotes is a text.
        is_text = " " in entry.text or bool(entry.quote) or entry.text[:1].isupper()
        if started.is_list or started.column != column or is_text:
            return None
        begins_item = not started.entries
        return self._place(CompletionKind.KEY, started, span, entry, column=column, lead=lead, begins_item=begins_item)

    def _value_span(self, entry: TypedEntry) -> Span | None:
        """Return the word behind a colon or a dash, or the empty stretch at the cursor; None where there is more."""
        if self.at < entry.value_at:
            return None
        if not entry.has_text:
            return None if self.text[entry.value_at : self.at].strip(" \t") else Span(self.at, self.at)
        is_here = entry.is_word and entry.text_start <= self.at <= entry.text_end
        return Span(entry.text_start, entry.text_end) if is_here else None

    # In brackets

    def _innermost_flow(self, branches: list[Branch]) -> Branch | None:
        around = (
            branch
            for branch in branches
            if branch.flow
            and branch.start < self.at <= branch.end - (self.text[branch.end - 1 : branch.end] in {"]", "}"})
        )
        return max(around, key=lambda branch: branch.start, default=None)

    def _in_flow(self, branch: Branch) -> CompletionPlace | None:
        text, at = self.text, self.at
        for entry in branch.entries:
            if not branch.is_list and entry.start <= at <= entry.key_end:
                return self._flow_key(entry, branch)
            if entry.has_text and entry.text_start <= at <= entry.text_end:
                span = Span(entry.text_start, entry.text_end)
                return self._place(CompletionKind.VALUE, branch, span, entry) if entry.is_word else None
        before = text[branch.start : at].rstrip(" \t\r\n")
        mark = before[-1:]
        lead = " " if mark in {",", ":"} and text[at - 1] == mark else ""
        here = Span(at, at)
        if mark == ":":
            asked = next((entry for entry in branch.entries if entry.value_at == branch.start + len(before)), None)
            return self._place(CompletionKind.VALUE, branch, here, asked, lead=lead) if asked is not None else None
        if mark not in {",", "{", "["}:
            return None
        kind = CompletionKind.VALUE if branch.is_list else CompletionKind.KEY
        return self._place(kind, branch, here, lead=lead, tail=self._comma(at))

    def _flow_key(self, entry: TypedEntry, branch: Branch) -> CompletionPlace | None:
        """Return the place of a key that is in brackets; quotes may hold more than one line of text."""
        if any(mark in self.text[entry.start : entry.key_end] for mark in _LINE_BREAKS):
            return None
        tail = "" if entry.has_colon else self._comma(entry.key_end)
        span = Span(entry.start, entry.key_end)
        return self._place(CompletionKind.KEY, branch, span, entry, tail=tail, is_bare=entry.has_colon)

    def _comma(self, at: int) -> str:
        """Return the comma that is needed where another entry follows in brackets."""
        following = self.text[at:].lstrip(" \t\r\n")[:1]
        return "" if following in {"", ",", "}", "]", "#"} else ", "

    # On a line where anything can start

    def _on_free_line(self, free: FreeLine) -> list[CompletionPlace]:
        if " " in self.text[free.word.start : free.word.end]:
            return []
        top = free.open[-1]
        # What is below the cursor has been parsed too.
        last = next((entry for entry in reversed(top.entries) if entry.start < free.start), None)
        # The entry above that has no value yet.
        owner = None if last is None or last.has_text or last.child is not None or last.start < 0 else last
        is_outside = free.below is not None and free.below not in free.open
        if owner is not None and free.column > owner.column(self.text) and not is_outside:
            if self.seen.keys().isdisjoint({"step", "dash"}):
                by = free.column - owner.column(self.text)
                self.style = self.style._replace(step=by, dash=by)
            branches = self._children(owner)
        else:
            reachable = self._reachable(free, owner)
            # Those in the column of the cursor, else the deepest of the outer ones, else the outermost.
            columns = {branch.column for branch in reachable}
            column = max((start for start in columns if start <= free.column), default=min(columns, default=0))
            branches = [branch for branch in reachable if branch.column == column]
        return [self._line_place(free, branch) for branch in branches]

    def _reachable(self, free: FreeLine, owner: TypedEntry | None) -> list[Branch]:
        """Return the branches that an entry on this line can belong to without tearing another one apart."""
        below = free.below
        if below is not None and below not in free.open:
            return [] if below.flow else [below]
        branches = list(free.open[free.open.index(below) :] if below is not None else free.open)
        if owner is not None:
            column = owner.column(self.text)
            branches += [branch for branch in self._children(owner) if branch.column == column]
        return branches

    def _children(self, owner: TypedEntry) -> list[Branch]:
        """Return the list and the mapping that could be the value of an entry, as far as the table has them."""
        column, style = owner.column(self.text), self.style
        listed = Branch(column + style.dash, owner, is_list=True)
        mapped = Branch(column + (style.width if owner.branch.is_list else style.step), owner, is_list=False)
        return [branch for branch in (listed, mapped) if record_of(branch) is not None]

    def _line_place(self, free: FreeLine, branch: Branch) -> CompletionPlace:
        start = free.start + self.text.startswith(_BYTE_ORDER_MARK, free.start)
        before = self.text[start : free.word.start]
        indentation = min(branch.column, len(before) - len(before.lstrip(" ")))
        lead = " " * (branch.column - indentation)
        aside = Edit(start + indentation, free.word.start, "") if indentation < len(before) else None
        kind = CompletionKind.ITEM if branch.is_list else CompletionKind.KEY
        begins_item = branch.owner is not None and branch.owner.branch.is_list and not branch.entries
        return self._place(
            kind, branch, free.word, column=branch.column, lead=lead, aside=aside, begins_item=begins_item
        )
