"""Where the cursor is: which mapping a key would belong to, which list an item, which key a value."""

from enum import Enum
from typing import NamedTuple

from rubric_core.assist.completion.parts import Branch, Root, TypedEntry, schema_of
from rubric_core.assist.completion.style import SeenStyle, WritingStyle, settled
from rubric_core.assist.completion.tolerant_parser import FreeLine, TolerantTree
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.text.lines import line_start
from rubric_core.text.spans import Edit, Span

_CUT = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
_BYTE_ORDER_MARK = "\ufeff"
_LINE_BREAKS = "\r\n"


class CompletionKind(Enum):
    """What could be typed at a place."""

    KEY = "a key of a mapping"
    ITEM = "an item of a list, dash included"
    VALUE = "the value of a key, or of an item in brackets"


class CompletionPlace(NamedTuple):
    """One thing that could be typed at the cursor. Offsets count from the start of the chunk.

    Attributes:
        kind: What it is.
        branch: The mapping that the key, or the list that the item belongs to; it may be one that only starts here.
        span: What is replaced: the word under the cursor, or nothing.
        column: Where the first line of what is inserted starts.
        style: How further lines are indented.
        entry: The entry whose key or value is being typed.
        lead: What has to stand before what is inserted: missing spaces.
        tail: What has to stand behind it: the comma before the next entry in brackets.
        aside: The spaces before it that have to go.
        is_bare: Whether only the key itself is wanted, since its colon is there.
        begins_item: Whether the key is the first thing behind a dash.
    """

    kind: CompletionKind
    branch: Branch
    span: Span
    column: int
    style: WritingStyle
    entry: TypedEntry | None = None
    lead: str = ""
    tail: str = ""
    aside: Edit | None = None
    is_bare: bool = False
    begins_item: bool = False


def root_of(document: Document, index: int) -> Root:
    """Return what is known to stand around a chunk."""
    chunk = document.chunks[index]
    top = Branch(0, None, is_list=False)
    top.record = "case" if chunk.kind is ChunkKind.LINE else "suite"
    following = document.chunks[index + 1] if index + 1 < len(document.chunks) else None
    if following is not None and following.section != chunk.section:
        following = None
    below = top if following is not None and following.kind in _CUT else None
    listed: Branch | None = None
    if chunk.place is not None:
        listed = Branch(chunk.place.indent, None, is_list=True)
        if following is not None and following.kind is ChunkKind.ITEM:
            below = listed
    elif following is not None and below is None:
        # What follows is not cut, so nobody knows what it goes on with.
        below = Branch(0, None, is_list=True)
    opened: tuple[Branch, ...] = (top,)
    if chunk.kind is ChunkKind.ITEM and chunk.place is not None and listed is not None:
        head = TypedEntry(top, chunk.place.key, -1, -1, 0)
        top.entries.append(head)
        head.child, listed.owner = listed, head
        opened = (top, listed)
    return Root(opened, below, TypedEntry(None, "", -1, -1, 0))


def adopt_list(root: Root) -> None:
    """Yield the list whose items are chunks of their own to the key that was read above it."""
    below = root.below
    if below is not None and below.is_list and below.owner is None and root.open[0].entries:
        below.owner = root.open[0].entries[-1]
        below.owner.child = below


def find_places(text: str, cursor: int, tree: TolerantTree, seen: SeenStyle, line_break: str) -> list[CompletionPlace]:
    """Return what could be typed at the cursor; nothing inside of text and comments."""
    if tree.in_text or tree.comment is not None:
        return []
    style = settled(seen, line_break)
    flow = _innermost_flow(tree.branches, text, cursor)
    if flow is not None:
        place = _in_flow(text, cursor, flow, style)
        return [place] if place is not None else []
    if tree.free is not None:
        return _on_free_line(text, tree.free, seen, style)
    place = _on_entry(text, cursor, tree.on_line, style)
    return [place] if place is not None else []


# On a line with keys or dashes


def _on_entry(text: str, cursor: int, entries: list[TypedEntry], style: WritingStyle) -> CompletionPlace | None:
    entry = next((each for each in reversed(entries) if each.branch is not None and cursor >= each.start), None)
    if entry is None or entry.branch is None:
        return None
    if entry.branch.is_list or cursor > entry.key_end:
        return _behind_mark(text, cursor, entry, style)
    span, column = Span(entry.start, entry.key_end), entry.column(text)
    return CompletionPlace(CompletionKind.KEY, entry.branch, span, column, style, entry, is_bare=True)


def _behind_mark(text: str, cursor: int, entry: TypedEntry, style: WritingStyle) -> CompletionPlace | None:
    span = _value_span(text, cursor, entry)
    if entry.branch is None or span is None:
        return None
    lead = " " if span.start == entry.value_at else ""
    column = span.start + len(lead) - line_start(text, span.start)
    if not entry.branch.is_list or entry.text.startswith("*"):
        if entry.child is not None:
            return None
        return CompletionPlace(CompletionKind.VALUE, entry.branch, span, entry.column(text), style, entry, lead)
    # The rest of the item may stand on the lines below.
    started = entry.child if entry.child is not None else Branch(column, entry, is_list=False)
    # Keys are lower case: whoever starts with a capital or with quotes writes a text.
    is_text = " " in entry.text or bool(entry.quote) or entry.text[:1].isupper()
    if started.is_list or started.column != column or is_text:
        return None
    return CompletionPlace(
        CompletionKind.KEY, started, span, column, style, entry, lead, begins_item=not started.entries
    )


def _value_span(text: str, cursor: int, entry: TypedEntry) -> Span | None:
    """Return the word behind a colon or a dash, or the empty stretch at the cursor; None where there is more."""
    if cursor < entry.value_at:
        return None
    if not entry.has_text:
        return None if text[entry.value_at : cursor].strip(" \t") else Span(cursor, cursor)
    is_here = entry.is_word and entry.text_start <= cursor <= entry.text_end
    return Span(entry.text_start, entry.text_end) if is_here else None


# In brackets


def _innermost_flow(branches: list[Branch], text: str, cursor: int) -> Branch | None:
    around = (
        branch
        for branch in branches
        if branch.flow and branch.start < cursor <= branch.end - (text[branch.end - 1 : branch.end] in {"]", "}"})
    )
    return max(around, key=lambda branch: branch.start, default=None)


def _in_flow(text: str, cursor: int, branch: Branch, style: WritingStyle) -> CompletionPlace | None:
    for entry in branch.entries:
        if not branch.is_list and entry.start <= cursor <= entry.key_end:
            return _flow_key(text, entry, branch, style)
        if entry.has_text and entry.text_start <= cursor <= entry.text_end:
            span = Span(entry.text_start, entry.text_end)
            return CompletionPlace(CompletionKind.VALUE, branch, span, 0, style, entry) if entry.is_word else None
    before = text[branch.start : cursor].rstrip(" \t\r\n")
    mark = before[-1:]
    lead = " " if mark in {",", ":"} and text[cursor - 1] == mark else ""
    here = Span(cursor, cursor)
    if mark == ":":
        asked = next((entry for entry in branch.entries if entry.value_at == branch.start + len(before)), None)
        return CompletionPlace(CompletionKind.VALUE, branch, here, 0, style, asked, lead) if asked is not None else None
    if mark not in {",", "{", "["}:
        return None
    kind = CompletionKind.VALUE if branch.is_list else CompletionKind.KEY
    return CompletionPlace(kind, branch, here, 0, style, None, lead, _comma(text, cursor))


def _flow_key(text: str, entry: TypedEntry, branch: Branch, style: WritingStyle) -> CompletionPlace | None:
    """Return the place of a key that stands in brackets; quotes may hold more than one line of text."""
    if any(mark in text[entry.start : entry.key_end] for mark in _LINE_BREAKS):
        return None
    tail = "" if entry.has_colon else _comma(text, entry.key_end)
    span = Span(entry.start, entry.key_end)
    return CompletionPlace(CompletionKind.KEY, branch, span, 0, style, entry, tail=tail, is_bare=entry.has_colon)


def _comma(text: str, cursor: int) -> str:
    """Return the comma that is needed where another entry follows in brackets."""
    following = text[cursor:].lstrip(" \t\r\n")[:1]
    return "" if following in {"", ",", "}", "]", "#"} else ", "


# On a line where anything can start


def _on_free_line(text: str, free: FreeLine, seen: SeenStyle, style: WritingStyle) -> list[CompletionPlace]:
    if " " in text[free.word.start : free.word.end]:
        return []
    started = _started_below(text, free, seen, style)
    if started is not None:
        branches, style = started
    else:
        reachable = _reachable(text, free, style)
        # Those in the column of the cursor, else the deepest of the outer ones, else the outermost.
        columns = {branch.column for branch in reachable}
        wanted = max((each for each in columns if each <= free.column), default=min(columns, default=0))
        branches = [branch for branch in reachable if branch.column == wanted]
    return [_line_place(text, free, branch, style) for branch in branches]


def _reachable(text: str, free: FreeLine, style: WritingStyle) -> list[Branch]:
    """Return the branches that an entry on this line can belong to without tearing another one apart."""
    below = free.below
    if below is not None and below not in free.open:
        return [] if below.flow else [below]
    branches = list(free.open[free.open.index(below) :] if below is not None else free.open)
    owner = _waiting(free)
    if owner is not None:
        column = owner.column(text)
        branches += [branch for branch in _children(owner, column, style) if branch.column == column]
    return branches


def _waiting(free: FreeLine) -> TypedEntry | None:
    """Return the entry above that has no value yet."""
    top = free.open[-1]
    owner = top.entries[-1] if top.entries else None
    return None if owner is None or owner.has_text or owner.child is not None or owner.start < 0 else owner


def _started_below(
    text: str, free: FreeLine, seen: SeenStyle, style: WritingStyle
) -> tuple[list[Branch], WritingStyle] | None:
    """Return what can start below the key or the dash above, where the cursor is indented deeper than that."""
    owner = _waiting(free)
    if owner is None or free.column <= owner.column(text) or (free.below is not None and free.below not in free.open):
        return None
    column = owner.column(text)
    if seen.step is None and seen.dash is None:
        style = style._replace(step=free.column - column, dash=free.column - column)
    return _children(owner, column, style), style


def _children(owner: TypedEntry, column: int, style: WritingStyle) -> list[Branch]:
    """Return the list and the mapping that could be the value of an entry, as far as the table knows them."""
    is_item = owner.branch is not None and owner.branch.is_list
    listed = Branch(column + style.dash, owner, is_list=True)
    mapped = Branch(column + (style.width if is_item else style.step), owner, is_list=False)
    return [branch for branch in (listed, mapped) if schema_of(branch).record is not None]


def _line_place(text: str, free: FreeLine, branch: Branch, style: WritingStyle) -> CompletionPlace:
    start = free.start + text.startswith(_BYTE_ORDER_MARK, free.start)
    before = text[start : free.word.start]
    spaces = len(before) - len(before.lstrip(" "))
    kept = min(branch.column, spaces)
    lead = " " * (branch.column - kept)
    aside = Edit(start + kept, free.word.start, "") if kept < len(before) else None
    kind = CompletionKind.ITEM if branch.is_list else CompletionKind.KEY
    begins_item = branch.owner is not None and branch.owner.branch is not None and branch.owner.branch.is_list
    begins_item = begins_item and not branch.entries
    place = CompletionPlace(kind, branch, free.word, branch.column, style, lead=lead)
    return place._replace(aside=aside, begins_item=begins_item)
