"""The tests of Nunjucks, as in `x is defined`."""

import math
from collections.abc import Callable
from typing import Any

from rubric_core.nunjucks import values
from rubric_core.nunjucks.limits import TemplateFailure
from rubric_core.nunjucks.values import Array, Function, Object, SafeText, Undefined


def _remainder(value: Any, other: Any) -> float | None:
    """Return the remainder of a division, with the sign of the value; None for values that are not numbers."""
    left, right = values.to_number(value), values.to_number(other)
    if math.isnan(left) or math.isnan(right) or right == 0:
        return None
    return abs(left) % abs(right) * (-1 if left < 0 else 1)


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
    **dict.fromkeys(("equalto", "eq", "sameas"), values.strictly_equal),
    "ne": lambda value, other: not values.strictly_equal(value, other),
    "even": lambda value, _: _remainder(value, 2) == 0,
    "odd": lambda value, _: _remainder(value, 2) == 1,
    "falsy": lambda value, _: not value,
    "truthy": lambda value, _: bool(value),
    "ge": lambda value, other: values.is_at_most(other, value),
    **dict.fromkeys(("greaterthan", "gt"), lambda value, other: values.is_less(other, value)),
    "le": values.is_at_most,
    **dict.fromkeys(("lessthan", "lt"), values.is_less),
    "lower": lambda value, _: values.expected(value, str, "the test `lower` needs a text").lower() == value,
    "upper": lambda value, _: values.expected(value, str, "the test `upper` needs a text").upper() == value,
    "null": lambda value, _: value is None,
    "number": lambda value, _: values.is_number(value),
    "string": lambda value, _: isinstance(value, str) and not isinstance(value, SafeText),
    "iterable": _is_iterable,
    "mapping": lambda value, _: isinstance(value, Object | SafeText),
}
"""The tests by name. All get the value and its argument."""
