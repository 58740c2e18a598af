"""The filters of Nunjucks for lists and mappings."""

import math
from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from rubric_core.nunjucks import values
from rubric_core.nunjucks.limits import TemplateFailure, Work
from rubric_core.nunjucks.methods import join, member
from rubric_core.nunjucks.value_tests import TESTS
from rubric_core.nunjucks.values import UNDEFINED, Array, Object, SafeText, Undefined


def _items(value: Any) -> Array:
    """Return the items of a list or the characters of a text; nothing for other values."""
    return Array(value) if isinstance(value, str | Array) else Array()


def _list_of(value: Any, name: str) -> Array:
    items: Array = values.expected(value, Array, f"the filter `{name}` needs a list")
    return items


def _attribute(value: Any, path: Any) -> Any:
    """Return the value at a path with dots."""
    for part in values.to_text(path).split("."):
        value = member(value, part)
    return value


def _whole(value: Any, name: str) -> int:
    exact = values.to_number(value)
    if math.isnan(exact) or exact < 1:
        raise TemplateFailure(f"the filter `{name}` needs a number from 1 on")
    return int(min(exact, 10**9))


def _batch(work: Work, value: Any, count: Any = UNDEFINED, fill: Any = UNDEFINED) -> Array:
    items = _items(value)
    # Without a number all items are one batch.
    number = abs(values.to_number(count))
    size = int(min(number, 10**9)) if number >= 1 else len(items) or 1
    batches = Array(Array(items[place : place + size]) for place in range(0, len(items), size))
    if batches and fill:
        work.charge(size)
        batches[-1] += [fill] * (size - len(batches[-1]))
    return batches


def _slice(work: Work, value: Any, count: Any = UNDEFINED, fill: Any = UNDEFINED) -> Array:
    if not isinstance(value, str | Array):
        raise TemplateFailure(f"the filter `slice` needs a list, not {values.kind_of(value)}")
    items, slices = value, _whole(count, "slice")
    work.charge(slices)
    length, extra = divmod(len(items), slices)
    parts, start = Array(), 0
    for place in range(slices):
        end = start + length + (place < extra)
        part = items[start:end]
        parts.append(part if isinstance(part, str) else Array([*part, *([fill] if fill and place >= extra else [])]))
        start = end
    return parts


def _dict_sort(work: Work, value: Any, is_case_sensitive: Any = UNDEFINED, by: Any = UNDEFINED) -> Array:
    values.expected(value, Object, "the filter `dictsort` needs a mapping")
    if not isinstance(by, Undefined) and by not in {"key", "value"}:
        raise TemplateFailure("the filter `dictsort` sorts by `key` or `value`")
    place = int(by == "value")

    def compare(left: Any, right: Any) -> int:
        work.charge()
        first, second = left[place], right[place]
        if not is_case_sensitive:
            first, second = (side.upper() if isinstance(side, str) else side for side in (first, second))
        return 1 if values.is_less(second, first) else 0 if values.strictly_equal(first, second) else -1

    return Array(sorted((Array(pair) for pair in value.items()), key=cmp_to_key(compare)))


def _end(value: Any, place: int, name: str) -> Any:
    if values.is_nothing(value):
        raise TemplateFailure(f"the filter `{name}` needs a value")
    return value[place] if isinstance(value, str | Array) and len(value) else UNDEFINED


def _group_by(work: Work, value: Any, attribute: Any = UNDEFINED) -> Object:
    groups = Object()
    for item in _items(value):
        work.charge()
        key = values.to_text(_attribute(item, attribute))
        groups.setdefault(key, Array()).append(item)
    return Object(sorted(groups.items(), key=_key_order))


def _key_order(pair: tuple[str, Any]) -> tuple[int, int]:
    """Order keys as objects of JavaScript do: indices first and by their size, others as they came."""
    key = pair[0]
    is_index = key.isascii() and key.isdigit() and len(key) < 10 and str(int(key)) == key  # noqa: PLR2004 - below 2**32.
    return (0, int(key)) if is_index else (1, 0)


def _join(work: Work, value: Any, separator: Any = UNDEFINED, attribute: Any = UNDEFINED) -> str:
    items = _items(value) if attribute else _list_of(value, "join")
    if attribute:
        items = Array(member(item, attribute) for item in items)
    return join(work, items, values.to_text(separator or ""))


def _length(_work: Work, value: Any) -> Any:
    if isinstance(value, str):
        return values.text_length(value)
    if isinstance(value, Array | Object):
        return len(value)
    return 0 if value is None or value is False or isinstance(value, Undefined) else UNDEFINED


def _list(_work: Work, value: Any) -> Array:
    if isinstance(value, SafeText) or not isinstance(value, str | Array | Object):
        raise TemplateFailure(f"the filter `list` needs a text, a list or a mapping, not {values.kind_of(value)}")
    if isinstance(value, Object):
        return Array(Object(key=key, value=item) for key, item in value.items())
    return Array(value)


def _chosen(expected: bool, name: str) -> Callable[..., Array]:  # noqa: FBT001 - which of two filters.
    def run(work: Work, value: Any, test: Any = "truthy", argument: Any = UNDEFINED) -> Array:
        passes = TESTS.get(values.to_text(test))
        if passes is None:
            raise TemplateFailure(f"Nunjucks has no test `{values.to_text(test)}`")
        if values.is_nothing(value):
            raise TemplateFailure(f"the filter `{name}` needs a list, not nothing")
        items = _items(value)
        work.charge(len(items))
        return Array(item for item in items if passes(item, argument) is expected)

    return run


def _chosen_by(expected: bool, name: str) -> Callable[..., Array]:  # noqa: FBT001 - which of two filters.
    def run(work: Work, value: Any, attribute: Any = UNDEFINED) -> Array:
        items = _list_of(value, name)
        work.charge(len(items))
        return Array(item for item in items if bool(member(item, attribute)) is expected)

    return run


def _random(_work: Work, _value: Any) -> Any:
    raise TemplateFailure("the filter `random` is not supported, because a test must be the same each time")


def _urlize(_work: Work, _value: Any) -> Any:
    raise TemplateFailure("the filter `urlize` is not supported")


def _reverse(_work: Work, value: Any) -> Any:
    if isinstance(value, str):
        return SafeText(value[::-1]) if isinstance(value, SafeText) else value[::-1]
    return Array(reversed(_items(value)))


def _sort(work: Work, value: Any, *given: Any) -> Array:
    """Sort a list; arguments are given by position or by name."""
    named = given[-1] if given and isinstance(given[-1], Object) else None
    listed = given if named is None else given[:-1]
    options = dict(zip(("reverse", "case_sensitive", "attribute"), listed, strict=False)) | (named or {})
    is_reversed, is_case_sensitive = options.get("reverse"), options.get("case_sensitive")
    attribute = options.get("attribute")

    def compare(left: Any, right: Any) -> int:
        work.charge()
        if attribute:
            left, right = _attribute(left, attribute), _attribute(right, attribute)
        if not is_case_sensitive and isinstance(left, str) and isinstance(right, str):
            left, right = left.lower(), right.lower()
        order = -1 if values.is_less(left, right) else int(values.is_less(right, left))
        return -order if is_reversed else order

    items = _items(value)
    # JavaScript puts undefined values at the end, and does not compare them.
    defined = [item for item in items if not isinstance(item, Undefined)]
    return Array([*sorted(defined, key=cmp_to_key(compare)), *items[len(defined) :]])


def _sum(work: Work, value: Any, attribute: Any = UNDEFINED, start: Any = 0) -> Any:
    total: Any = 0
    for item in _list_of(value, "sum"):
        total = values.add(total, member(item, attribute) if attribute else item)
        work.charge(len(total) if isinstance(total, str) else 0)
    return values.add(start, total)


LIST_FILTERS: dict[str, Callable[..., Any]] = {
    "batch": _batch,
    "dictsort": _dict_sort,
    "first": lambda _work, value: _end(value, 0, "first"),
    "groupby": _group_by,
    "join": _join,
    "last": lambda _work, value: _end(value, -1, "last"),
    "length": _length,
    "list": _list,
    "random": _random,
    "reject": _chosen(False, "reject"),
    "rejectattr": _chosen_by(False, "rejectattr"),
    "reverse": _reverse,
    "select": _chosen(True, "select"),
    "selectattr": _chosen_by(True, "selectattr"),
    "slice": _slice,
    "sort": _sort,
    "sum": _sum,
    "urlize": _urlize,
}
"""The filters by name. All get the count of work, the value and its arguments."""
