"""The nodes of a tolerant tree: branches, which are lists and mappings, their entries, and their records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rubric_core.assist.cursor import exact_record, field_of_key, record_of_value
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.schema.fields import Field, FieldType, Record
from rubric_core.text.lines import line_start

_QUOTES = "\"'"
# Nothing of the format is nested deeper.
_DEEPEST = 40


@dataclass(slots=True, eq=False)
class Branch:
    """A list or a mapping. `column` is where its dashes or keys are; `owner` is the entry whose value it is."""

    column: int
    owner: TypedEntry | None
    is_list: bool = field(kw_only=True)
    entries: list[TypedEntry] = field(default_factory=list)
    # Its record and dialect, where these do not follow from its owner.
    record: Record | None = None
    dialect: Dialect = DEFAULT_DIALECT
    # In brackets: from the opening one to behind the closing one.
    flow: bool = False
    start: int = -1
    end: int = -1

    def get(self, key: str) -> TypedEntry | None:
        """Return the first entry with a key."""
        return next((entry for entry in self.entries if entry.key == key and entry.has_colon), None)


@dataclass(slots=True, eq=False)
class TypedEntry:
    """A `key: value` or an item of a list, whose key is empty.

    `start` to `key_end` is the key as written, or the dash; `value_at` is behind the colon or the dash. `text` is the
    value where that is a scalar; `is_word` means that it is on one line.
    """

    branch: Branch
    key: str
    start: int
    key_end: int
    # In brackets a key may have no colon yet: then this is -1.
    value_at: int
    child: Branch | None = None
    text: str = ""
    text_start: int = -1
    text_end: int = -1
    is_word: bool = False

    @property
    def has_colon(self) -> bool:
        """Return whether a value could follow."""
        return self.value_at >= 0

    @property
    def has_text(self) -> bool:
        """Return whether the value is a scalar that has been started."""
        return self.text_start >= 0

    @property
    def quote(self) -> str:
        """Return the quote that the value starts with, or nothing."""
        return self.text[:1] if self.text[:1] in _QUOTES and self.text else ""

    @property
    def word(self) -> str:
        """Return the value without its quotes."""
        return self.text.strip(self.quote) if self.quote else self.text

    def set_text(self, text: str, start: int, end: int, *, is_word: bool) -> None:
        """Record the scalar that is the value."""
        self.text_start, self.text_end, self.is_word = start, end, is_word
        self.text = text[start:end]

    def column(self, text: str) -> int:
        """Return the column of the key or the dash."""
        start = line_start(text, self.start)
        return self.start - start - text.startswith("\ufeff", start)


class Root(NamedTuple):
    """What is around a chunk: `open` branches that reach into it, and the branch that goes on `below` it.

    `entry` is the owner of a value that is the whole text, such as the object of a JSON line.
    """

    open: tuple[Branch, ...]
    below: Branch | None
    entry: TypedEntry


def loose_entry(at: int) -> TypedEntry:
    """Return the owner of a value without a known key or item."""
    return TypedEntry(Branch(-1, None, is_list=False), "", at, at, max(at, 0))


def record_of(branch: Branch) -> Record | None:
    """Return the record of a mapping, or of the items of a list; None if the table has none."""
    return _schema_of(branch, 0)[0]


def dialect_of_branch(branch: Branch) -> Dialect:
    """Return the dialect of the text that a branch is in."""
    return _schema_of(branch, 0)[1]


def _schema_of(branch: Branch, depth: int) -> tuple[Record | None, Dialect]:
    owner = branch.owner
    if owner is None or branch.record is not None or depth >= _DEEPEST:
        return (branch.record if depth < _DEEPEST else None), branch.dialect
    record, dialect = _schema_of(owner.branch, depth + 1)
    if not owner.branch.is_list:
        shape = FieldType.SEQUENCE if branch.is_list else FieldType.MAPPING
        record = record_of_value(field_of_key(record, owner.key), owner.key, shape, dialect)
    elif branch.is_list:
        # The format has no list directly in a list.
        return None, dialect
    kind = branch.get("type")
    if not branch.is_list:
        record = exact_record(record, kind.word if kind is not None else None, dialect)
    return record, dialect


def field_of(entry: TypedEntry) -> Field | None:
    """Return the field that a key means."""
    return field_of_key(record_of(entry.branch), entry.key)
