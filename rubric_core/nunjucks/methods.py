"""The members of values: items, lengths, the usual methods of texts and lists; and the functions of Nunjucks."""

import math
from collections.abc import Callable
from typing import Any

from rubric_core.nunjucks import values
from rubric_core.nunjucks.limits import TemplateFailure, Work
from rubric_core.nunjucks.values import SPACES, UNDEFINED, Array, Function, Object, Undefined, to_text


def member(value: Any, key: Any) -> Any:
    """Return the value under a key, an index or a name; nothing for a null or undefined container."""
    name = to_text(key)
    if isinstance(value, Object):
        return value.get(name, UNDEFINED)
    if not isinstance(value, str | Array):
        return UNDEFINED
    if name == "length":
        return values.text_length(value) if isinstance(value, str) else len(value)
    if name.isascii() and name.isdigit():
        return value[int(name)] if len(name) < 10 and int(name) < len(value) else UNDEFINED  # noqa: PLR2004 - no index.
    method = (_OF_TEXTS if isinstance(value, str) else _OF_LISTS).get(name)
    if method is None:
        return UNDEFINED
    return Function(lambda work, *given: method(work, value, *given))


def _slice(_work: Work, value: Any, start: Any = UNDEFINED, end: Any = UNDEFINED) -> Any:
    first = 0 if isinstance(start, Undefined) else _index(start, len(value))
    last = len(value) if isinstance(end, Undefined) else _index(end, len(value))
    part = value[first:last]
    return part if isinstance(value, str) else Array(part)


def _index(value: Any, length: int) -> int:
    index = _whole(value, length)
    return max(0, index + length) if index < 0 else min(index, length)


def _whole(value: Any, limit: int) -> int:
    """Return an integer, clamped to one above a limit in either direction."""
    exact = values.to_number(value)
    if math.isnan(exact):
        return 0
    return int(max(-limit - 1, min(limit + 1, exact)))


def _substring(_work: Work, value: str, start: Any = 0, end: Any = UNDEFINED) -> str:
    last = len(value) if isinstance(end, Undefined) else end
    bounds = sorted(max(0, min(len(value), _whole(bound, len(value)))) for bound in (start, last))
    return value[bounds[0] : bounds[1]]


def _split(_work: Work, value: str, separator: Any = UNDEFINED) -> Array:
    if isinstance(separator, Undefined):
        return Array([value])
    by = to_text(separator)
    return Array(value.split(by) if by else value)


def _replace(work: Work, value: str, old: Any, new: Any, *, everywhere: bool = False) -> str:
    searched, put = to_text(old), to_text(new)
    count = max(value.count(searched), 1) if everywhere else 1
    work.charge(len(value) + count * len(put))
    return value.replace(searched, put, -1 if everywhere else 1)


def _repeat(work: Work, value: str, count: Any = 0) -> str:
    times = _whole(count, 10**9)
    if times < 0:
        raise TemplateFailure("`repeat` needs a number from 0 on")
    work.charge(len(value) * times)
    return value * times


def _padded(work: Work, value: str, length: Any, fill: Any, *, at_start: bool) -> str:
    text = " " if isinstance(fill, Undefined) else to_text(fill)
    missing = _whole(length, 10**9) - len(value)
    if missing <= 0 or not text:
        return value
    work.charge(missing)
    pad = (text * (missing // len(text) + 1))[:missing]
    return pad + value if at_start else value + pad


def _place(items: Any, value: Any) -> int:
    return next((place for place, item in enumerate(items) if values.strictly_equal(item, value)), -1)


def _joined(work: Work, value: Array, separator: Any = UNDEFINED) -> str:
    return join(work, value, "," if isinstance(separator, Undefined) else to_text(separator))


def join(work: Work, value: Array, separator: str) -> str:
    """Return the items of a list as one text."""
    work.charge(len(value) * len(separator))
    text = separator.join(map(values.output_text, value))
    work.charge(len(text))
    return text


_OF_TEXTS: dict[str, Callable[..., Any]] = {
    "toUpperCase": lambda _work, value: value.upper(),
    "toLowerCase": lambda _work, value: value.lower(),
    "trim": lambda _work, value: value.strip(SPACES),
    "trimStart": lambda _work, value: value.lstrip(SPACES),
    "trimEnd": lambda _work, value: value.rstrip(SPACES),
    "toString": lambda _work, value: value,
    "split": _split,
    "includes": lambda _work, value, part=UNDEFINED: to_text(part) in value,
    "startsWith": lambda _work, value, part=UNDEFINED: value.startswith(to_text(part)),
    "endsWith": lambda _work, value, part=UNDEFINED: value.endswith(to_text(part)),
    "indexOf": lambda _work, value, part=UNDEFINED: value.find(to_text(part)),
    "lastIndexOf": lambda _work, value, part=UNDEFINED: value.rfind(to_text(part)),
    "charAt": lambda _work, value, place=0: value[_whole(place, len(value)) :][:1] if _whole(place, 0) >= 0 else "",
    "concat": lambda _work, value, *others: "".join((value, *map(to_text, others))),
    "slice": _slice,
    "substring": _substring,
    "replace": _replace,
    "replaceAll": lambda work, value, old, new: _replace(work, value, old, new, everywhere=True),
    "repeat": _repeat,
    "padStart": lambda work, value, length=0, fill=UNDEFINED: _padded(work, value, length, fill, at_start=True),
    "padEnd": lambda work, value, length=0, fill=UNDEFINED: _padded(work, value, length, fill, at_start=False),
}
_OF_LISTS: dict[str, Callable[..., Any]] = {
    "join": _joined,
    "toString": _joined,
    "includes": lambda _work, value, item=UNDEFINED: _place(value, item) >= 0,
    "indexOf": lambda _work, value, item=UNDEFINED: _place(value, item),
    "slice": _slice,
    "concat": lambda _work, value, *others: Array(
        [*value, *(item for other in others for item in (other if isinstance(other, Array) else [other]))]
    ),
}


def _range(work: Work, start: Any = UNDEFINED, stop: Any = UNDEFINED, step: Any = UNDEFINED) -> Array:
    if isinstance(stop, Undefined):
        start, stop, step = 0, start, 1
    place, end, pace = values.to_number(start), values.to_number(stop), values.to_number(step or 1)
    numbers = Array()
    while place < end if pace > 0 else place > end:
        work.charge()
        numbers.append(place)
        place = values.number(place + pace)
    return numbers


def _cycler(_work: Work, *items: Any) -> Object:
    state = Object(current=None)
    place = -1

    def move(_work: Work, *_given: Any) -> Any:
        nonlocal place
        place = (place + 1) % len(items) if items else 0
        state["current"] = items[place] if items else UNDEFINED
        return state["current"]

    def reset(_work: Work, *_given: Any) -> Any:
        nonlocal place
        place = -1
        state["current"] = None
        return UNDEFINED

    state["next"], state["reset"] = Function(move), Function(reset)
    return state


def _joiner(_work: Work, separator: Any = UNDEFINED) -> Function:
    is_first = True

    def write(_work: Work, *_given: Any) -> Any:
        nonlocal is_first
        shown = "" if is_first else separator or ","
        is_first = False
        return shown

    return Function(write)


GLOBALS = {"range": Function(_range), "cycler": Function(_cycler), "joiner": Function(_joiner)}
"""The functions that every template has."""
