"""The operations that the nodes of a template call, and the frames of its variables."""

import math
from collections.abc import Callable, Iterator
from inspect import CO_VARARGS
from typing import Any

from jinja2 import pass_context

from rubric_core.nunjucks import values
from rubric_core.nunjucks.filters import FILTERS
from rubric_core.nunjucks.limits import TemplateFailure, Work
from rubric_core.nunjucks.methods import GLOBALS, member
from rubric_core.nunjucks.value_tests import TESTS
from rubric_core.nunjucks.values import NAN, UNDEFINED, Array, Function, Object, Undefined

SCOPE = "scope"
"""The name under which jinja2 holds the scope of a rendering."""
_DEEPEST = 30


class Scope:
    """The variables of one rendering: the values that the template is given, and frames above them, the newest last."""

    def __init__(self, given: dict[str, Any], texts: list[str]) -> None:
        self.work = Work()
        self.texts = texts
        self.given = given
        self.frames: list[dict[str, Any]] = [{}]
        self.depth = 0

    def look_up(self, name: str) -> Any:
        """Return the value of a name from the newest frame with it."""
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        return self.given[name] if name in self.given else GLOBALS.get(name, UNDEFINED)

    def assign(self, name: str, value: Any) -> None:
        """Set a variable where it is, else in the newest frame."""
        frame = next((candidate for candidate in reversed(self.frames) if name in candidate), self.frames[-1])
        frame[name] = value
        if len(self.frames) == 1:
            self.given[name] = value


def _scoped(run: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operation that gets the scope of the rendering as its first argument."""
    return pass_context(lambda context, *given: run(context.parent[SCOPE], *given))


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | dict) else 0


def _binary(compute: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    @_scoped
    def run(scope: Scope, left: Any, right: Any) -> Any:
        scope.work.charge(_size(left) + _size(right))
        return compute(left, right)

    return run


def _numbers(compute: Callable[[float, float], float]) -> Callable[..., Any]:
    def run(left: Any, right: Any) -> Any:
        try:
            computed = compute(values.to_number(left), values.to_number(right))
        except (ValueError, OverflowError):
            return NAN
        return values.number(computed)

    return _binary(run)


def _divide(left: float, right: float) -> float:
    if right == 0:
        return NAN if left == 0 or math.isnan(left) else math.copysign(math.inf, left)
    return float(left) / float(right)


def _power(left: float, right: float) -> float:
    if math.isnan(right) or (math.isinf(right) and abs(left) == 1):
        return NAN
    try:
        power = float(left) ** float(right)
    except (OverflowError, ZeroDivisionError):
        return math.inf
    return NAN if isinstance(power, complex) else power


def _floor(left: float, right: float) -> float:
    quotient = _divide(left, right)
    return quotient if math.isinf(quotient) or math.isnan(quotient) else math.floor(quotient)


def _contains(key: Any, within: Any) -> bool:
    if isinstance(within, Array):
        return any(values.strictly_equal(key, item) for item in within)
    if isinstance(within, str | Object):
        return values.to_text(key) in within
    raise TemplateFailure(f"`in` needs a list, a text or a mapping, not {values.kind_of(within)}")


@_scoped
def _name(scope: Scope, name: str) -> Any:
    scope.work.charge()
    return scope.look_up(name)


@_scoped
def _get(scope: Scope, value: Any, key: Any) -> Any:
    scope.work.charge()
    return member(value, key)


@_scoped
def _call(scope: Scope, called: Any, name: str, named: Any, *given: Any) -> Any:
    scope.work.charge()
    if not isinstance(called, Function):
        what = "is not supported" if "." in name else "is no function"
        raise TemplateFailure(f"it calls `{name}`, which {what}")
    arguments = given if named is None else (*given, named)
    try:
        result = called.run(scope.work, *arguments)
    except TypeError:
        raise TemplateFailure(f"`{name}` is called with other arguments than it takes") from None
    scope.work.charge(_size(result))
    return result


@_scoped
def _filter(scope: Scope, value: Any, name: str, *given: Any) -> Any:
    function = FILTERS.get(name)
    if function is None:
        raise TemplateFailure(f"Nunjucks has no filter `{name}`, and filters of a project are not run")
    scope.work.charge(_size(value))
    takes_any = bool(function.__code__.co_flags & CO_VARARGS)
    result = function(scope.work, value, *(given if takes_any else given[: function.__code__.co_argcount - 2]))
    scope.work.charge(_size(result))
    return result


@_scoped
def _test(scope: Scope, value: Any, name: str, *given: Any) -> bool:
    scope.work.charge(_size(value))
    function = TESTS.get("null" if name == "none" else name)
    if function is None:
        raise TemplateFailure(f"Nunjucks has no test `{name}`")
    return function(value, given[0] if given else UNDEFINED)


@_scoped
def _loop(scope: Scope, value: Any, *names: str) -> Iterator[None]:
    """Bind the variables of a loop, once for each iteration."""
    rows = _rows(value, len(names))
    for place, row in enumerate(rows):
        scope.work.charge()
        scope.frames[-1].update(zip(names, row, strict=False))
        last = len(rows) - 1
        scope.frames[-1]["loop"] = Object(
            index=place + 1,
            index0=place,
            revindex=len(rows) - place,
            revindex0=last - place,
            first=place == 0,
            last=place == last,
            length=len(rows),
        )
        yield None


def _rows(value: Any, count: int) -> list[tuple[Any, ...]]:
    if count == 1:
        return [(item,) for item in value] if isinstance(value, Array | str) else []
    if isinstance(value, Array):
        return [tuple(member(item, place) for place in range(count)) for item in value]
    rest = (UNDEFINED,) * (count - 2)
    if isinstance(value, str):
        return [(str(place), item, *rest) for place, item in enumerate(value)]
    return [(key, item, *rest) for key, item in value.items()] if isinstance(value, Object) else []


@_scoped
def _set(scope: Scope, value: Any, *names: str) -> None:
    scope.work.charge(_size(value))
    for name in names:
        scope.assign(name, value)


@_scoped
def _function(scope: Scope, macro: Callable[..., str], keeps_frame: bool, *names: str) -> Function:  # noqa: FBT001 - see above.
    """Return a macro as a function, with new frames unless it keeps those of its definition."""

    def run(work: Work, *given: Any) -> str:
        named = given[-1] if given and isinstance(given[-1], _Named) else _Named()
        listed = given[:-1] if given and isinstance(given[-1], _Named) else given
        arguments = [*listed[: len(names)], *(named.get(name, UNDEFINED) for name in names[len(listed) :])]
        frames, scope.depth = scope.frames, scope.depth + 1
        if scope.depth > _DEEPEST:
            raise TemplateFailure(f"its macros call each other more than {_DEEPEST} deep")
        scope.frames = [*(frames if keeps_frame else ()), {"caller": named["caller"]} if "caller" in named else {}]
        try:
            text = values.SafeText(macro(*arguments))
        finally:
            scope.frames, scope.depth = frames, scope.depth - 1
        work.charge(len(text))
        return text

    return Function(run)


class _Named(Object):
    """Arguments that are given by name."""

    __slots__ = ()


@_scoped
def _list(scope: Scope, _nothing: None, *items: Any) -> Array:
    scope.work.charge(len(items))
    return Array(items)


@_scoped
def _mapping(scope: Scope, _nothing: None, *items: Any) -> Object:
    scope.work.charge(len(items))
    return _Named(zip(items[::2], items[1::2], strict=True))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "data": _scoped(lambda scope, place: scope.texts[place]),
    "name": _name,
    "get": _get,
    "call": _call,
    "filter": _filter,
    "test": _test,
    "in": _binary(_contains),
    "list": _list,
    "mapping": _mapping,
    "number": lambda written: values.number(float(written)),
    "value": lambda value: value,
    "nothing": lambda value: value,
    "loop": _loop,
    "set": _set,
    "bind": _scoped(lambda scope, value, name: scope.frames[-1].update({name: value})),
    "push": _scoped(lambda scope, _nothing: scope.frames.append({})),
    "pop": _scoped(lambda scope, _nothing: scope.frames.pop()),
    "function": _function,
    "is given": lambda value: not isinstance(value, Undefined),
    "with caller": lambda named, function: _Named({**(named or {}), "caller": function}),
    "negative": lambda value: values.number(-values.to_number(value)),
    "positive": values.to_number,
    "+": _binary(values.add),
    "~": _binary(lambda left, right: values.to_text(left) + values.to_text(right)),
    "-": _numbers(lambda left, right: left - right),
    "*": _numbers(lambda left, right: float(left) * float(right)),
    "/": _numbers(_divide),
    "//": _numbers(_floor),
    "%": _numbers(lambda left, right: NAN if right == 0 or math.isinf(left) else math.fmod(left, right)),
    "**": _numbers(_power),
    "==": _binary(values.loosely_equal),
    "!=": _binary(lambda left, right: not values.loosely_equal(left, right)),
    "===": _binary(values.strictly_equal),
    "!==": _binary(lambda left, right: not values.strictly_equal(left, right)),
    "<": _binary(values.is_less),
    ">": _binary(lambda left, right: values.is_less(right, left)),
    "<=": _binary(values.is_at_most),
    ">=": _binary(lambda left, right: values.is_at_most(right, left)),
}
"""The operations by their names in the nodes."""
