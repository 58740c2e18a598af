"""Exact JSON: numbers are decimals as written, and a class is written and read by its fields.

No number is converted to a binary float. Input is untrusted: each message is one sentence with the path of the field.
An absent field and null are the same.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, NoReturn

from rubric_core.text.patterns import lazily

# The order matters: for Python a bool is an int as well.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "a boolean"),
    ((int, float, Decimal), "a number"),
    (str, "a string"),
    (dict, "an object"),
    (list, "a list"),
)

# Without a limit, a few characters such as 1E+999999999 would take all memory.
_LARGEST_EXPONENT = 1000
_LONGEST_QUOTE = 40
REQUIRED: Any = object()
"""In place of a default: the field must be there."""


def write(value: object, *, indent: int | None = None) -> str:
    """Return plain data as JSON; a Decimal becomes a number with all its digits.

    Everything beyond ASCII is escaped, so that every console can print it. Raises ValueError for numbers that JSON does
    not have, and TypeError for anything but plain data, including binary floats, which are not exact.
    """
    # The standard library is many times faster than Python code, but has no decimals: they are first written as strings
    # with a unique mark.
    marked = json.dumps(value, default=_marked, indent=indent, check_circular=False, allow_nan=False)
    if _FLOAT.search(_STRING.sub("", marked)):
        raise TypeError("float is not plain data")
    return _MARKED.sub(r"\1", marked)


def read(text: str) -> Any:
    """Return the plain data of a JSON text, with a Decimal for each number that has a fraction or an exponent.

    Raises ValueError, also for NaN and Infinity, which JSON does not have.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _marked(value: object) -> object:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"JSON has no number for {value}")
        return f"{_MARK}{value}"
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not plain data")


_MARK = secrets.token_hex(16)
_MARKED = lazily(f'"{_MARK}([^"]*)"')
_STRING = lazily(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_FLOAT = lazily(r"[0-9][.eE]")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON has")


def _not_read(_value: Any, path: str) -> NoReturn:
    raise AssertionError(f"`{path}` follows from other fields.")


@dataclass(frozen=True, slots=True)
class JsonField:
    """How the value of a field is read (one that is not null, with its path) and written; None: JSON has it as it is.

    Without a default the field must be there. `attribute` is the name in the class where it differs from the key.
    """

    expected: str
    read: Callable[[Any, str], Any]
    write: Callable[[Any], Any] | None = None
    default: Any = REQUIRED
    attribute: str = ""

    def optional(self, default: Any = None) -> JsonField:
        """Return the type of a field that may be absent."""
        return replace(self, default=default)

    def of(self, attribute: str) -> JsonField:
        """Return the type of a field whose attribute has another name."""
        return replace(self, attribute=attribute)


class JsonRecord:
    """The fields of a class in the order in which they are written, without those `omitted` ones that are empty."""

    omitted: Collection[str] = ()

    def __init__(self, make: Callable[..., Any], **fields: JsonField) -> None:
        self.make = make
        self._given = fields

    @cached_property
    def fields(self) -> dict[str, JsonField]:
        """Return the fields by their keys, each with its attribute."""
        return {key: field.of(field.attribute or key) for key, field in self._given.items()}

    def write(self, value: Any) -> dict[str, Any]:
        """Return an object of the class as plain data."""
        contents = ((key, field.write, getattr(value, field.attribute)) for key, field in self.fields.items())
        written = {key: content if write is None else write(content) for key, write, content in contents}
        for key in self.omitted:
            if written[key] is None or written[key] is False or written[key] in ({}, []):
                del written[key]
        return written

    def read(self, value: Any, path: str = "") -> Any:
        """Return the object that was written. Raises ValueError with one sentence that names the field."""
        return self.make(**self.values(value, path))

    def values(self, value: Any, path: str) -> dict[str, Any]:
        """Return the values of the fields by the names of the attributes. Raises ValueError."""
        expect(value, dict, path, "an object")
        fields = ((key, field) for key, field in self.fields.items() if field.read is not _not_read)
        return {field.attribute: read_field(value, key, field, path) for key, field in fields}

    def field(self) -> JsonField:
        """Return the type of a field that holds an object of the class."""
        return JsonField("an object", self.read, lambda value: None if value is None else self.write(value))

    def list_field(self) -> JsonField:
        """Return the type of a field that holds a list of such objects."""
        return JsonField("a list", self._read_list, lambda values: [self.write(value) for value in values])

    def named_field(self) -> JsonField:
        """Return the type of a field that holds such objects by their names."""
        return JsonField(
            "an object", self._read_named, lambda values: {value.name: self.write(value) for value in values}, ()
        )

    def _read_list(self, values: Any, path: str) -> tuple[Any, ...]:
        expect(values, list, path, "a list")
        return tuple(self.read(value, f"{path}[{at}]") for at, value in enumerate(values))

    def _read_named(self, values: Any, path: str) -> tuple[Any, ...]:
        expect(values, dict, path, "an object")
        return tuple(self.make(name=name, **self.values(value, f"{path}.{name}")) for name, value in values.items())


def read_field(value: dict[str, Any], name: str, field: JsonField, path: str) -> Any:
    """Return the value of a field of an object. Raises ValueError if it is invalid."""
    content = value.get(name)
    where = f"{path}.{name}" if path else name
    if content is not None:
        return field.read(content, where)
    if field.default is REQUIRED:
        raise ValueError(f"`{where}` is missing; it must be {field.expected}.")
    return field.default


def expect(value: Any, kind: type, path: str, expected: str) -> None:
    """Raise ValueError if a value is not of a kind."""
    if not isinstance(value, kind):
        shown = f"`{path}`" if path else "The whole value"
        actual = next((words for types, words in _KINDS if isinstance(value, types)), "null")
        raise ValueError(f"{shown} must be {expected}, not {actual}.")  # noqa: TRY004 - the input is wrong.


def _plain(kind: type, expected: str) -> JsonField:
    def read(value: Any, path: str) -> Any:
        expect(value, kind, path, expected)
        return value

    return JsonField(expected, read)


def _read_number(value: Any, path: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        expect(value, Decimal, path, "a number")
    # A binary float is read as its shortest decimal.
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise ValueError(f"`{path}` must be a finite number, not {_shortened(str(number))}.")
    return number


def _read_integer(value: Any, path: str) -> int:
    number = _read_number(value, path)
    if number != number.to_integral_value():
        raise ValueError(f"`{path}` must be a whole number, not {_shortened(str(number))}.")
    return int(number)


def _read_texts(values: Any, path: str) -> tuple[str, ...]:
    expect(values, list, path, "a list")
    if not all(isinstance(value, str) for value in values):
        raise ValueError(f"`{path}` must be a list of strings.")
    return tuple(values)


TEXT = _plain(str, "a string")
LABEL = TEXT.optional("")
BOOLEAN = _plain(bool, "a boolean")
OBJECT = _plain(dict, "an object")
NUMBER = JsonField("a number", _read_number)
INTEGER = JsonField("a whole number", _read_integer)
TEXTS = JsonField("a list", _read_texts, list, default=())


def choice(words: Collection[str]) -> JsonField:
    """Return the type of a field that holds one of a few words."""
    expected = f"one of {', '.join(f'`{word}`' for word in words)}"

    def read(value: Any, path: str) -> str:
        text: str = TEXT.read(value, path)
        if text not in words:
            raise ValueError(f"`{path}` must be {expected}, not {_shortened(text)}.")
        return text

    return JsonField(expected, read)


def derived(attribute: str, write: Callable[[Any], Any] | None = None) -> JsonField:
    """Return the type of a field that is derived from an attribute with its own field: it is not read."""
    return JsonField("", _not_read, write, attribute=attribute)


def _shortened(text: str) -> str:
    return f"`{text[:_LONGEST_QUOTE]}...`" if len(text) > _LONGEST_QUOTE else f"`{text}`"
