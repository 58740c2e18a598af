"""The `tool-trajectory` of AgentV 4 as an assertion of a `trajectory:` type, if one of these means the same."""

from collections.abc import Iterator

from rubric_core.migration.places import Place
from rubric_core.migration.steps import Change, change, of_type
from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.edits import Data, is_json, rename_key, render, replace_node, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import as_integer
from rubric_core.text.spans import Edit

_USED, _SEQUENCE, _SET = "trajectory:tool-used", "trajectory:tool-sequence", "assert-set"
_ORDERED = frozenset({"in_order", "exact"})


@of_type("tool-trajectory", "tool_trajectory")
def trajectory(place: Place, kind: Pair) -> Iterator[Change]:
    """Write a `tool-trajectory` as an assertion of a `trajectory:` type, or as a set of them."""
    mode, order = place.own("mode"), place.word("mode")
    tools, assertion = place.own("minimums"), None
    if order == "any_order" and tools is not None:
        assertion = _used(tools.value)
    elif order in _ORDERED and "args_match" not in place:
        tools = place.own("expected")
        assertion = _sequence(order, tools.value) if tools is not None and order is not None else None
    removed = place.removal(mode) if mode is not None else None
    if tools is None or assertion is None or removed is None:
        return
    has_comments = any(comments_in(place.text, tools.value, start=tools.key.end, end=tools.value.end))
    if has_comments or tools.value.meta is not None:
        yield from change(kind, None)
        return
    new_kind, key, value = assertion
    retyped = replace_text(kind.value, new_kind, flow=place.node.flow and ":" in new_kind)
    yield Change(kind.key.start, (retyped, removed, rename_key(tools, key), _written(place, tools, value)))


def _written(place: Place, pair: Pair, value: Data) -> Edit:
    edit = replace_node(pair.value, render(value, flow=True, as_json=is_json(place.node)))
    colon = place.text.index(":", pair.key.end) + 1
    return edit._replace(start=colon, text=f" {edit.text.strip()}")


def _used(minimums: Node) -> tuple[str, str, Data] | None:
    """Return the minimum number of calls of each tool, as one assertion or a set of them."""
    if not isinstance(minimums, Mapping) or minimums.origin or not minimums.pairs:
        return None
    counts = {pair.name or "": as_integer(pair.value) for pair in minimums.pairs}
    if None in counts.values():
        return None
    values: list[Data] = [{"name": name, "min": count} for name, count in counts.items()]
    if len(values) == 1:
        return _USED, "value", values[0]
    return _SET, "assert", [{"type": _USED, "value": value} for value in values]


def _sequence(mode: str, expected: Node) -> tuple[str, str, Data] | None:
    """Return the tools in order, if there are no conditions on their arguments."""
    if not isinstance(expected, Sequence) or expected.origin or not expected.items:
        return None
    steps: list[Data] = []
    for item in expected.items:
        tool = item.get("tool") if isinstance(item, Mapping) and set(item.index) == {"tool"} else None
        if not isinstance(tool, Scalar):
            return None
        steps.append(tool.value)
    return _SEQUENCE, "value", {"mode": mode, "steps": steps}
