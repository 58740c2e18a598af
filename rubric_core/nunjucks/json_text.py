"""JSON as JavaScript writes it."""

import json
import math
from typing import Any

from rubric_core.nunjucks import values
from rubric_core.nunjucks.limits import Work
from rubric_core.nunjucks.values import UNDEFINED, Array, Function, Object, Undefined

_WIDEST = 10


def json_text(work: Work, value: Any, spaces: Any = UNDEFINED) -> Any:
    """Return a value as JSON, indented by a number of spaces or by a text; nothing if it is undefined."""
    if isinstance(value, Undefined | Function):
        return UNDEFINED
    if isinstance(spaces, str):
        indent = spaces[:_WIDEST]
    else:
        width = values.to_number(spaces) if values.is_number(spaces) else 0
        indent = " " * int(min(_WIDEST, max(0, width)))
    return _written(work, value, indent, "\n")


def _written(work: Work, value: Any, indent: str, line: str) -> str:
    work.charge()
    if isinstance(value, Array | Object):
        return _collection(work, value, indent, line)
    if isinstance(value, str):
        shown = json.dumps(str(value), ensure_ascii=False)
    elif value is None or isinstance(value, bool):
        shown = {None: "null", True: "true", False: "false"}[value]
    elif values.is_number(value) and math.isfinite(value):
        shown = values.number_text(value)
    else:
        shown = "null"
    work.charge(len(shown))
    return shown


def _collection(work: Work, value: Any, indent: str, line: str) -> str:
    inner = line + indent
    if isinstance(value, Object):
        members = {key: item for key, item in value.items() if not isinstance(item, Undefined | Function)}
        colon = ": " if indent else ":"
        parts = [
            json.dumps(key, ensure_ascii=False) + colon + _written(work, item, indent, inner)
            for key, item in members.items()
        ]
        brackets = "{}"
    else:
        parts = [_written(work, item, indent, inner) for item in value]
        brackets = "[]"
    if not parts:
        return brackets
    between, first, last = ("," + inner, inner, line) if indent else (",", "", "")
    text = brackets[0] + first + between.join(parts) + last + brackets[1]
    work.charge(len(text))
    return text
