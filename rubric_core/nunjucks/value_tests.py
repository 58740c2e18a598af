"""The tests of Nunjucks, which are behind `is`."""

import math
from collections.abc import Callable
from typing import Any

from rubric_core.nunjucks import values
from rubric_core.nunjucks.limits import TemplateFailure
from rubric_core.nunjucks.values import Array, Function, Object, SafeText, Undefined


def _remainder(value: Any, other: Any) -> float | None:
    """Return what is left of a division with the sign of the value; None where there is no number."""
    left, right = values.to_number(value), values.to_number(other)
    if math.isnan(left) or math.isnan(right) or right == 0:
        return None
    return abs(left) % abs(right) * (-1 if left < 0 else 1)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise TemplateFailure(f"the test `{name}` needs a text, not {values.kind_of(value)}")
    return value


def _is_iterable(value: Any, _other: Any) -> bool:
    if values.is_nothing(value):
        raise TemplateFailure("the test `iterable` needs a value")
    return isinstance(value, str | Array)


TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "callable": lambda value, _: isinstance(value, Function),
    "defined": lambda value, _: not isinstance(value, Undefined),
    "undefined": lambda value, _: isinstance(value, Undefined),
    "divisibleby": lambda value, other: _remainder(value, other) == 0,
    "escaped": lambda value, _: isinstance(value, SafeText),
    "equalto": values.strictly_equal,
    "eq": values.strictly_equal,
    "sameas": values.strictly_equal,
    "ne": lambda value, other: not values.strictly_equal(value, other),
    "even": lambda value, _: _remainder(value, 2) == 0,
    "odd": lambda value, _: _remainder(value, 2) == 1,
    "falsy": lambda value, _: not value,
    "truthy": lambda value, _: bool(value),
    "ge": lambda value, other: values.is_at_most(other, value),
    "greaterthan": lambda value, other: values.is_less(other, value),
    "gt": lambda value, other: values.is_less(other, value),
    "le": values.is_at_most,
    "lessthan": values.is_less,
    "lt": values.is_less,
    "lower": lambda value, _: _text(value, "lower").lower() == value,
    "upper": lambda value, _: _text(value, "upper").upper() == value,
    "null": lambda value, _: value is None,
    "number": lambda value, _: values.is_number(value),
    "string": lambda value, _: isinstance(value, str) and not isinstance(value, SafeText),
    "iterable": _is_iterable,
    "mapping": lambda value, _: isinstance(value, Object | SafeText),
}
"""The tests by name; each gets the value and its argument."""
