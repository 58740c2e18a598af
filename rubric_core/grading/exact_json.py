"""JSON whose numbers are the decimals that were meant: nothing passes through a binary float on its way out or in."""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any, NoReturn


def write(value: object, *, indent: int | None = None) -> str:
    """Return plain data as JSON; a Decimal becomes a number with all its digits.

    Everything beyond ASCII is escaped, so that no console can spoil it. Raises ValueError for what JSON has no number
    for, and TypeError for what is not plain data; a binary float is not, since it would pretend to be exact.
    """
    pieces: list[str] = []
    step = None if indent is None else " " * indent
    _add(value, pieces.append, step, ", " if step is None else ",\n")
    return "".join(pieces)


def read(text: str) -> Any:
    """Return the plain data of a JSON text, with a Decimal for each number that has a fraction or an exponent.

    Raises ValueError, also for NaN and Infinity, which JSON does not have.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _add(value: object, add: Callable[[str], None], step: str | None, separator: str) -> None:
    """Add the pieces of a value. `separator` is what stands between two values at its depth."""
    scalar = _SCALARS.get(type(value))
    if scalar is not None:
        add(scalar(value))
        return
    brackets, members = _members(value)
    if not members:
        add(brackets)
        return
    inner = separator if step is None else separator + step
    before = brackets[0] if step is None else brackets[0] + inner[1:]
    for name, member in members:
        scalar = _SCALARS.get(type(member))
        if scalar is not None:
            # A call less for most of what there is.
            add(before + name + scalar(member))
        else:
            add(before + name)
            _add(member, add, step, inner)
        before = inner
    add(brackets[1] if step is None else separator[1:] + brackets[1])


def _members(value: object) -> tuple[str, list[tuple[str, object]]]:
    """Return the brackets of a value with parts, and the parts with what stands before each."""
    # A plain dictionary comes first, because asking for any mapping takes longer than writing a small one.
    if isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 - for the order.
        return "{}", [(_name(str(key)), member) for key, member in value.items()]
    if isinstance(value, (list, tuple)):
        return "[]", [("", member) for member in value]
    raise TypeError(f"{type(value).__name__} is not plain data")


@lru_cache(maxsize=512)
def _name(key: str) -> str:
    return f"{_text(key)}: "


def _number(value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"JSON has no number for {value}")
    return str(value)


_text = encode_basestring_ascii
# Every result is written while others are judged, so the types are looked up instead of tried in turn.
_SCALARS: Mapping[type, Callable[[Any], str]] = {
    str: _text,
    int: str,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
    Decimal: _number,
}


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON has")
