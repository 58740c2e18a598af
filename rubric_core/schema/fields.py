"""The parts of the table: fields, their types, and records of fields."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag
from functools import cached_property
from typing import Any, Literal, NamedTuple

CRITERION_PLACEHOLDER = "TODO: what the answer must do"
ADJUSTMENT_PLACEHOLDER = "TODO: what the judge looks for"
"""What is inserted where a criterion, a red flag or a bonus has no text."""
ROLES: tuple[str, ...] = ("system", "user", "assistant", "tool")
"""The roles of messages."""


class FieldType(Flag):
    """The YAML shapes that a field accepts; several of them are joined with `|`."""

    STRING = 1
    INTEGER = 2
    FLOAT = 4
    BOOLEAN = 8
    MAPPING = 16
    SEQUENCE = 32
    NULL = 64

    NUMBER = INTEGER | FLOAT
    ANYTHING = STRING | INTEGER | FLOAT | BOOLEAN | MAPPING | SEQUENCE | NULL


# In the order of messages. NUMBER comes before INTEGER because it includes it.
_NOUNS: tuple[tuple[FieldType, str], ...] = (
    (FieldType.STRING, "a string"),
    (FieldType.NUMBER, "a number"),
    (FieldType.INTEGER, "an integer"),
    (FieldType.FLOAT, "a fraction"),
    (FieldType.BOOLEAN, "true or false"),
    (FieldType.SEQUENCE, "a list"),
    (FieldType.MAPPING, "a mapping"),
    (FieldType.NULL, "nothing"),
)


# Lists of anything else have a record of their own.
_LISTS = {FieldType.STRING: "a list of strings", FieldType.INTEGER: "a list of integers"}


def describe_type(accepted: FieldType, items: FieldType | None = None) -> str:
    """Return a type in words, such as `a string or a list`; `items` is the type of the items of the list."""
    rest: int = accepted.value
    if rest == FieldType.ANYTHING.value:
        return "anything"
    words: list[str] = []
    for shape, noun in _NOUNS:
        if rest & shape.value == shape.value:
            words.append(_LISTS.get(items, noun) if shape is FieldType.SEQUENCE and items is not None else noun)
            rest &= ~shape.value
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


class Role(Enum):
    """The meaning of a field for the views, whatever its name is in a dialect."""

    TEXT = "what a criterion, a score range or a case expects"
    GATE = "the lowest score of a criterion that does not fail it"
    CRITERIA = "the criteria of a case or an evaluator"
    EVALUATORS = "a list of evaluators"
    INPUT = "the messages that are sent"
    REFERENCE = "the reference answer"
    EXPRESSION = "a regular expression of JavaScript"
    FLAGS = "the flags of the expression beside it"

    # Members are compared by identity, and the hash that Enum gives them is written in Python.
    __hash__ = object.__hash__


class Effect(Enum):
    """The effect in the upstream tool of a key or a type that it no longer has."""

    READ = "it is still read"
    IGNORED = "it is ignored without a message"
    DROPPED = "the assertion is dropped"
    SKIPPED = "the test is not run"
    REFUSED = "the file cannot be loaded"
    PROSE = "the list of criteria becomes text for the judge"
    SCORES_0 = "the assertion scores 0"


class Removed(NamedTuple):
    """A key or a type of evaluator that a dialect no longer has.

    `since` is the release that removed it, `instead` its new name, if there is one, and `advice` what to do if a new
    name is not enough.
    """

    since: str
    effect: Effect
    instead: str | None = None
    advice: str | None = None

    @property
    def remedy(self) -> str:
        """Return what to do, in words."""
        parts = [f"use `{self.instead}`" if self.instead else "", self.advice or ""]
        return ", and ".join(filter(None, parts)) or "remove it"


class Aliases(NamedTuple):
    """Other names of a field; `types` holds those that accept other shapes than the field itself."""

    names: tuple[str, ...] = ()
    deprecated: tuple[str, ...] = ()
    types: tuple[tuple[str, FieldType], ...] = ()


class ValueLimits(NamedTuple):
    """What a value of the right shape must be besides; limits of numbers are those of the items of a list.

    `above` is a limit that a number may not reach, `length` the length of a list, and `pattern` a regular expression
    that all of a text must match, or the file cannot be loaded. `empty` is what the upstream tool does where a list has
    no items, if that is a loss. `meaning` is what a number limits in its turn, in words with `{value}` in its place.
    """

    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    length: int | None = None
    pattern: str | None = None
    empty: Effect | None = None
    meaning: str | None = None


NO_ALIASES, NO_LIMITS = Aliases(), ValueLimits()


@dataclass(frozen=True)
class Field:
    """One key of a record.

    `record` names the record of the mapping below the key, or of the items where the value is a list.
    `mapping_record` is set where the value may be a list of records or a mapping of another kind, as with
    `score_ranges`. `items` is the type of the items of a list. `placeholder` is YAML in flow style, so that it can be
    inserted at any indentation. `role` is the meaning of the field for views, whatever its name (see `Role`). `since`
    is the release that added it. If the upstream tool accepts the key and never reads it, `unread` is what to write
    instead.
    """

    name: str
    type: FieldType
    doc: str
    default: str | None = None
    required: bool = False
    aliases: Aliases = NO_ALIASES
    values: tuple[str, ...] = ()
    record: str | None = None
    mapping_record: str | None = None
    items: FieldType | None = None
    limits: ValueLimits = NO_LIMITS
    placeholder: str | None = None
    role: Role | None = None
    since: str | None = None
    unread: str | None = None

    @staticmethod
    def text(name: str, doc: str, **more: Any) -> "Field":
        """Return a field that takes a string."""
        return Field(name, FieldType.STRING, doc, **more)

    @staticmethod
    def number(name: str, doc: str, **more: Any) -> "Field":
        """Return a field that takes a number."""
        return Field(name, FieldType.NUMBER, doc, **more)

    @staticmethod
    def integer(name: str, doc: str, **more: Any) -> "Field":
        """Return a field that takes an integer."""
        return Field(name, FieldType.INTEGER, doc, **more)

    @staticmethod
    def flag(name: str, doc: str, **more: Any) -> "Field":
        """Return a field that takes true or false."""
        return Field(name, FieldType.BOOLEAN, doc, **more)

    @staticmethod
    def mapping(name: str, doc: str, record: str = "free-form", **more: Any) -> "Field":
        """Return a field that takes a mapping with the keys of a record, or any keys."""
        return Field(name, FieldType.MAPPING, doc, record=record, **more)

    @staticmethod
    def records(name: str, doc: str, record: str, items: FieldType = FieldType.MAPPING, **more: Any) -> "Field":
        """Return a field that takes a list, whose mappings have the keys of a record."""
        return Field(name, FieldType.SEQUENCE, doc, record=record, items=items, **more)

    @staticmethod
    def texts(name: str, doc: str, **more: Any) -> "Field":
        """Return a field that takes a list of strings."""
        return Field(name, FieldType.SEQUENCE, doc, items=FieldType.STRING, **more)

    # Derived members are computed once: they are read for every case.
    @cached_property
    def mask(self) -> int:
        """Return the bits of the type, since asking a Flag for its value is slow."""
        return self.type.value

    @cached_property
    def items_mask(self) -> int:
        """Return the bits of the type of the items, or 0 where there is none."""
        return self.items.value if self.items is not None else 0

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the name and every alias."""
        return (self.name, *self.aliases.names, *self.aliases.deprecated)

    def type_of(self, key: str) -> FieldType:
        """Return the shapes accepted under one of the field's keys."""
        return dict(self.aliases.types).get(key, self.type)

    def accepts(self, shape: FieldType, key: str | None = None) -> bool:
        """Return whether a value of this shape may be here, under the field's name or the given alias."""
        accepted = self.type_of(key) if key is not None else self.type
        # Plain integers: this runs for every value of every case, and `Flag.__and__` makes a new member.
        return bool(accepted.value & shape.value)


def assertion_noun(kind: str) -> str:
    """Return the name of an assertion in a sentence, with the article of its pronunciation (an `llm-...`)."""
    return f"{'an' if kind.startswith(('a', 'e', 'i', 'o', 'llm')) else 'a'} `{kind}` assertion"


class OtherKeys(NamedTuple):
    """The keys that a record does not have.

    `effect` is what the upstream tool does with them, and `misspelt` how one is reported that resembles a key of the
    record; without it, as any other. `own` is a regular expression of keys that are the author's own. `meant` has words
    that people write for a key, and the key that they mean, `misplaced` keys that belong elsewhere: under a key of the
    same mapping, or next to the mapping (`..`).
    """

    effect: Effect = Effect.IGNORED
    misspelt: Literal["warning", "error"] | None = None
    own: str | None = None
    meant: Mapping[str, str] = {}
    misplaced: Mapping[str, str] = {}

    def allow(self, key: str) -> bool:
        """Return whether a key is the author's own."""
        return self.own is not None and re.fullmatch(self.own, key) is not None


class Condition(NamedTuple):
    """What the keys of a mapping must be: none of them in `without` and, if there is a `key`, it among them."""

    without: frozenset[str] = frozenset()
    key: str | None = None

    def holds(self, keys: Collection[str | None]) -> bool:
        """Return whether these are the keys of such a mapping."""
        without, key = self
        return without.isdisjoint(keys) and (key is None or key in keys)


ANY_OTHER_KEYS, ANY_MAPPING = OtherKeys(), Condition()


@dataclass(frozen=True)
class Record:
    """A mapping of the format. In an `open` one, keys that are not in the table are legal.

    `entry` describes the values of a mapping whose keys the author makes up, such as the names of scorecards. `removed`
    has the keys that earlier releases had. Of the fields in `one_of` at least one must be there, or an evaluator is
    dropped and any other mapping is refused. A mapping for which `condition` does not hold is something else.
    """

    name: str
    doc: str
    fields: tuple[Field, ...] = ()
    open: bool = False
    entry: Field | None = None
    removed: Mapping[str, Removed] = field(default_factory=dict)
    other_keys: OtherKeys = ANY_OTHER_KEYS
    one_of: tuple[str, ...] = ()
    # Its name in a sentence, with its article, if the record's name is not enough.
    noun: str = ""
    condition: Condition = ANY_MAPPING
    # Whether a missing field is an error, even if no separate rule reports it.
    reports_missing: bool = False

    # Derived members are computed once: they are read for every case.
    @cached_property
    def by_key(self) -> Mapping[str, Field]:
        """Return the fields by their names and aliases."""
        return {key: field for field in self.fields for key in field.keys}

    @cached_property
    def required(self) -> tuple[Field, ...]:
        """Return the fields that must be there."""
        return tuple(field for field in self.fields if field.required)

    @cached_property
    def by_role(self) -> Mapping[Role, tuple[Field, ...]]:
        """Return the fields of every role."""
        return {role: tuple(field for field in self.fields if field.role is role) for role in Role}

    @cached_property
    def dropped_if_empty(self) -> tuple[Field, ...]:
        """Return the lists without whose items an evaluator is dropped."""
        return tuple(field for field in self.fields if field.limits.empty is Effect.DROPPED)

    @cached_property
    def deprecated(self) -> Collection[str]:
        """Return the deprecated names of fields."""
        return {key for field in self.fields for key in field.aliases.deprecated}

    def get(self, key: str) -> Field | None:
        """Return the field of a key, or None."""
        return self.by_key.get(key)

    @property
    def name_key(self) -> str:
        """Return the key of the name under which results show an evaluator."""
        return "metric" if "metric" in self.by_key else "name"

    def keys_of(self, role: Role) -> tuple[str, ...]:
        """Return the keys under which a field of a role may be, the main name first."""
        return tuple(key for field in self.by_role[role] for key in field.keys)


def by_name(*records: Record) -> Mapping[str, Record]:
    """Return records by their names."""
    return {record.name: record for record in records}


FREE_FORM = Record("free-form", "A mapping of your own; its keys are not judged.", open=True)
