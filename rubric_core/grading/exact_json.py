"""JSON whose numbers are the decimals that were meant: nothing passes through a binary float on its way out or in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NoReturn


def write(value: object, *, indent: int | None = None) -> str:
    """Return plain data as JSON; a Decimal becomes a number with all its digits.

    Everything beyond ASCII is escaped, so that no console can spoil it. Raises ValueError for what JSON has no number
    for, and TypeError for what is not plain data; a binary float is not, since it would pretend to be exact.
    """
    return "".join(_pieces(value, "" if indent is None else " " * indent, "\n" if indent is not None else ""))


def read(text: str) -> Any:
    """Return the plain data of a JSON text, with a Decimal for each number that has a fraction or an exponent.

    Raises ValueError, also for NaN and Infinity, which JSON does not have.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _pieces(value: object, indent: str, line_break: str) -> Sequence[str]:
    """Return the pieces of a value; `line_break` is what starts a line at the depth of the value."""
    if isinstance(value, Mapping):
        return _framed("{}", [(f"{json.dumps(str(key))}: ", each) for key, each in value.items()], indent, line_break)
    if isinstance(value, (list, tuple)):
        return _framed("[]", [("", each) for each in value], indent, line_break)
    return [_scalar(value)]


def _framed(brackets: str, entries: list[tuple[str, object]], indent: str, line_break: str) -> Sequence[str]:
    if not entries:
        return [brackets]
    inner = f"{line_break}{indent}" if line_break else ""
    pieces = [brackets[0]]
    for number, (name, value) in enumerate(entries):
        separator = f",{inner or ' '}" if number else inner
        pieces += [separator, name, *_pieces(value, indent, inner)]
    return [*pieces, line_break, brackets[1]]


def _scalar(value: object) -> str:
    if value is None or isinstance(value, (str, bool, int)):
        return json.dumps(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"JSON has no number for {value}")
        return str(value)
    raise TypeError(f"{type(value).__name__} is not plain data")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number that JSON has")
