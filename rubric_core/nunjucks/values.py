"""Values as JavaScript has them: truth, texts, numbers, equality and order."""

import math
import operator
import re
from collections.abc import Callable
from typing import Any

import jinja2

from rubric_core.nunjucks.limits import TemplateFailure

SPACES = "".join((" \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", *map(chr, range(0x2000, 0x200B))))
"""The characters that JavaScript removes with `trim`."""
_LARGEST_PLAIN = 10**21
_LARGEST_EXACT = 2**53
_MOST_ITEMS = 100_000
NUMBER = re.compile(r"[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_BASES = {"0x": 16, "0o": 8, "0b": 2}


class Undefined(jinja2.Undefined):
    """The value of a name that is not defined."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Undefined)

    def __hash__(self) -> int:
        return 0


UNDEFINED = Undefined()


class _AlwaysTrue:
    """A value that is true even if it is empty, as objects of JavaScript are."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return True


class Array(_AlwaysTrue, list[Any]):
    """A list."""

    __slots__ = ()


class Object(_AlwaysTrue, dict[str, Any]):
    """A mapping."""

    __slots__ = ()


class SafeText(_AlwaysTrue, str):
    """A text that is escaped already."""

    __slots__ = ()


class NotANumber(float):
    """NaN, which is false in JavaScript and true in Python."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


NAN = NotANumber("nan")


class Function:
    """A function that a template may call with values."""

    __slots__ = ("run",)

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run


def from_plain(value: Any) -> Any:
    """Return plain data as values of templates."""
    if isinstance(value, dict):
        return Object({name: from_plain(item) for name, item in value.items()})
    if isinstance(value, list | tuple):
        return Array(from_plain(item) for item in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return value


def number(value: float) -> float:
    """Return a number rounded to a double, as an int where it is an integer."""
    try:
        double = float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    if math.isnan(double):
        return NAN
    return int(double) if double.is_integer() and abs(double) < _LARGEST_EXACT else double


def is_nothing(value: object) -> bool:
    """Return whether a value is null or undefined."""
    return value is None or isinstance(value, Undefined)


def is_number(value: object) -> bool:
    """Return whether a value is a number; a Boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def kind_of(value: object) -> str:
    """Return the name of a value's type in messages."""
    if is_nothing(value):
        return "nothing"
    kinds: tuple[tuple[type, str], ...] = (
        (bool, "true or false"),
        (str, "a text"),
        (Array, "a list"),
        (Object, "a mapping"),
        (Function, "a function"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "a number")


def expected(value: Any, kind: type, needs: str) -> Any:
    """Return a value of a kind. Raises TemplateFailure with what `needs` it if the value is of another kind."""
    if not isinstance(value, kind):
        raise TemplateFailure(f"{needs}, not {kind_of(value)}")
    return value


def to_text(value: Any) -> str:  # noqa: PLR0911 - one for each kind of value.
    """Return a value as text, as a concatenation converts it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, Undefined):
        return "undefined"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Array):
        return ",".join(_item_texts(value))
    if isinstance(value, Object):
        return "[object Object]"
    if isinstance(value, Function):
        raise TemplateFailure("it writes out a function")
    return number_text(value)


def _item_texts(value: Array) -> list[str]:
    """Return the texts of all items, including nested lists; a list may contain another many times."""
    texts: list[str] = []
    waiting: list[Any] = [iter(value)]
    while waiting:
        for item in waiting[-1]:
            if isinstance(item, Array):
                waiting.append(iter(item) if len(item) else iter(("",)))
                break
            texts.append("" if is_nothing(item) else to_text(item))
        else:
            waiting.pop()
        if len(texts) + len(waiting) > _MOST_ITEMS:
            raise TemplateFailure(f"it writes out a list of more than {_MOST_ITEMS:,} items")
    return texts


def output_text(value: Any) -> str:
    """Return a value as the text that double braces write."""
    return "" if is_nothing(value) else to_text(value)


def number_text(value: float) -> str:  # noqa: PLR0911 - one for each kind of value.
    """Return a number as JavaScript writes it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return _shortest_integer(value)
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        return digits
    power = int(exponent)
    if -7 < power < 0:  # noqa: PLR2004 - where JavaScript begins to write exponents.
        sign, shown = ("-", digits[1:]) if value < 0 else ("", digits)
        return f"{sign}0.{'0' * (-power - 1)}{shown.replace('.', '')}"
    return f"{digits}e{'+' if power > 0 else '-'}{abs(power)}"


def _shortest_integer(value: float) -> str:
    """Return an integer with its significant digits, and zeros after them."""
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        return digits.removesuffix(".0")
    whole, _, rest = digits.partition(".")
    return whole + rest.ljust(int(exponent), "0")


def to_number(value: Any) -> float:  # noqa: PLR0911 - one for each kind of value.
    """Return a value as a number, as arithmetic converts it."""
    if isinstance(value, bool) or value is None:
        return int(bool(value))
    if isinstance(value, int | float):
        return value
    if isinstance(value, Undefined | Object | Function):
        return NAN
    text = to_text(value).strip(SPACES)
    if not text:
        return 0
    if text[:2].lower() in _BASES:
        try:
            return number(int(text[2:], _BASES[text[:2].lower()]))
        except ValueError:
            return NAN
    return number(float(text.replace("Infinity", "inf"))) if NUMBER.fullmatch(text) else NAN


def _primitive(value: Any) -> Any:
    return to_text(value) if isinstance(value, Array | Object) else value


def add(left: Any, right: Any) -> Any:
    """Return the sum of two numbers, or two texts put together."""
    left, right = _primitive(left), _primitive(right)
    if isinstance(left, str) or isinstance(right, str):
        return to_text(left) + to_text(right)
    return number(to_number(left) + to_number(right))


def strictly_equal(left: Any, right: Any) -> bool:
    """Return whether two values are of one type and equal; lists and mappings are equal to themselves only."""
    if isinstance(left, Undefined) or isinstance(right, Undefined):
        return isinstance(left, Undefined) and isinstance(right, Undefined)
    if isinstance(left, str):
        return isinstance(right, str) and left == right
    if is_number(left):
        return is_number(right) and bool(left == right)
    return left is right


def loosely_equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal after conversion, as `==` compares them."""
    empty = [is_nothing(value) for value in (left, right)]
    if any(empty):
        return all(empty)
    composite = [isinstance(value, Array | Object | Function) for value in (left, right)]
    if all(composite):
        return left is right
    left, right = _primitive(left), _primitive(right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return bool(to_number(left) == to_number(right))


def is_less(left: Any, right: Any) -> bool:
    """Return whether a value is less than another."""
    return _compared(operator.lt, left, right)


def is_at_most(left: Any, right: Any) -> bool:
    """Return whether a value is less than another or equal to it."""
    return _compared(operator.le, left, right)


def _compared(compare: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    left, right = _primitive(left), _primitive(right)
    if isinstance(left, str) and isinstance(right, str):
        return compare(units(left), units(right))
    return compare(to_number(left), to_number(right))


def units(text: str) -> bytes:
    """Return bytes that are ordered as JavaScript orders texts: by units of UTF-16."""
    return text.encode("utf-16-be", "surrogatepass")


def text_length(text: str) -> int:
    """Return the length of a text in units of UTF-16."""
    return len(text) if text.isascii() else len(units(text)) // 2
