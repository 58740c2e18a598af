"""Reading the fields of a JSON object that anybody may have written: each complaint is one sentence with the field."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

_Text = TypeVar("_Text", bound=str)

# The order matters: for Python a bool is an int as well.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "a boolean"),
    ((int, float, Decimal), "a number"),
    (str, "a string"),
    (dict, "an object"),
    (list, "a list"),
)

# Without a limit, a few characters such as 1E+999999999 would ask for all memory.
_LARGEST_EXPONENT = 1000
_LONGEST_QUOTE = 40


class Fields:
    """An object and the way to it from the whole value. A field that is absent and one that is null are the same."""

    def __init__(self, value: object, path: str = "") -> None:
        self.path = path
        if not isinstance(value, dict):
            shown = f"`{path}`" if path else "The whole value"
            raise ValueError(f"{shown} must be an object, not {kind_of(value)}.")  # noqa: TRY004 - the input is wrong.
        self._value: dict[str, Any] = value

    def where(self, name: str) -> str:
        """Return the way to a field, as a complaint shows it."""
        return f"{self.path}.{name}" if self.path else name

    def wrong(self, name: str, wanted: str) -> ValueError:
        """Return the complaint about a field."""
        value = self._value.get(name)
        if value is None:
            return ValueError(f"`{self.where(name)}` is missing; it must be {wanted}.")
        return ValueError(f"`{self.where(name)}` must be {wanted}, not {kind_of(value)}.")

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string; without a default it must be there."""
        found = self.optional_text(name)
        if found is not None:
            return found
        if default is None:
            raise self.wrong(name, "a string")
        return default

    def optional_text(self, name: str) -> str | None:
        """Return a string, or None."""
        value = self._value.get(name)
        if value is None or isinstance(value, str):
            return value
        raise self.wrong(name, "a string")

    def choice(self, name: str, allowed: Collection[_Text]) -> _Text:
        """Return one of a few words."""
        found = self.optional_choice(name, allowed)
        if found is None:
            raise self.wrong(name, _one_of(allowed))
        return found

    def optional_choice(self, name: str, allowed: Collection[_Text]) -> _Text | None:
        """Return one of a few words, or None."""
        text = self.optional_text(name)
        if text is None:
            return None
        for word in allowed:
            if word == text:
                return word
        raise ValueError(f"`{self.where(name)}` must be {_one_of(allowed)}, not {_shortened(text)}.")

    def boolean(self, name: str, default: bool | None = None) -> bool:  # noqa: FBT001 - the value itself.
        """Return true or false; without a default it must be there."""
        value = self._value.get(name, default)
        if isinstance(value, bool):
            return value
        raise self.wrong(name, "a boolean")

    def integer(self, name: str, default: int | None = None) -> int:
        """Return a whole number; without a default it must be there."""
        found = self.optional_integer(name)
        if found is not None:
            return found
        if default is None:
            raise self.wrong(name, "a whole number")
        return default

    def optional_integer(self, name: str) -> int | None:
        """Return a whole number, or None."""
        number = self.optional_number(name)
        if number is None:
            return None
        if number != number.to_integral_value():
            raise ValueError(f"`{self.where(name)}` must be a whole number, not {_shortened(str(number))}.")
        return int(number)

    def number(self, name: str) -> Decimal:
        """Return a number as it is written."""
        found = self.optional_number(name)
        if found is None:
            raise self.wrong(name, "a number")
        return found

    def optional_number(self, name: str) -> Decimal | None:
        """Return a number as it is written, or None. A binary float stands for its shortest decimal."""
        value = self._value.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
            raise self.wrong(name, "a number")
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
            raise ValueError(f"`{self.where(name)}` must be a finite number, not {_shortened(str(number))}.")
        return number

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of strings, empty where there is none."""
        values = self._list(name)
        if not all(isinstance(value, str) for value in values):
            raise ValueError(f"`{self.where(name)}` must be a list of strings.")
        return tuple(values)

    def integers(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers, empty where there is none."""
        listed = Fields({str(index): value for index, value in enumerate(self._list(name))}, self.where(name))
        return tuple(listed.integer(index) for index, _ in listed.items())

    def objects(self, name: str, *, must_exist: bool = False) -> tuple[Fields, ...]:
        """Return a list of objects, empty where there is none."""
        if must_exist and self._value.get(name) is None:
            raise self.wrong(name, "a list")
        return tuple(Fields(value, f"{self.where(name)}[{at}]") for at, value in enumerate(self._list(name)))

    def child(self, name: str) -> Fields | None:
        """Return an object, or None."""
        value = self._value.get(name)
        return None if value is None else Fields(value, self.where(name))

    def named(self, name: str) -> Iterator[tuple[str, Fields]]:
        """Give the objects of an object of objects, each with its name."""
        parent = self.child(name)
        for key, value in parent.items() if parent else ():
            yield key, Fields(value, f"{self.where(name)}.{key}")

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return the names of the fields with their values."""
        return self._value.items()

    def _list(self, name: str) -> list[Any]:
        value = self._value.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return value


def kind_of(value: object) -> str:
    """Return what a JSON value is, in words."""
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "null")


def _one_of(words: Collection[str]) -> str:
    return f"one of {', '.join(f'`{word}`' for word in words)}"


def _shortened(text: str) -> str:
    return f"`{text[:_LONGEST_QUOTE]}...`" if len(text) > _LONGEST_QUOTE else f"`{text}`"
