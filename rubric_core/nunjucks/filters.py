"""The filters of Nunjucks for texts and numbers; `list_filters` has those for lists and mappings."""

import json
import math
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from rubric_core.nunjucks import values
from rubric_core.nunjucks.json_text import json_text
from rubric_core.nunjucks.limits import TemplateFailure, Work
from rubric_core.nunjucks.list_filters import LIST_FILTERS
from rubric_core.nunjucks.methods import member
from rubric_core.nunjucks.values import NAN, SPACES, UNDEFINED, Array, Object, SafeText, Undefined

_ESCAPED = {"&": "&amp;", '"': "&quot;", "'": "&#39;", "<": "&lt;", ">": "&gt;", "`": "&#96;"}
_TO_ESCAPE = re.compile("[&\"'<>`]")
_HTML = re.compile(r"</?([a-z][a-z0-9]*)\b[^>]*>|<!--[\s\S]*?-->", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9_]+")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_UNQUOTED = "-_.!~*'()"


def is_empty(value: Any) -> bool:
    """Return whether most filters treat a value as the empty text."""
    return value is None or value is False or isinstance(value, Undefined)


def text(value: Any, name: str) -> str:
    """Return the text that a filter is called with. Raises TemplateFailure if it is not a text."""
    return "" if is_empty(value) else _only_text(value, name)


def _only_text(value: Any, name: str) -> str:
    shown: str = values.expected(value, str, f"the filter `{name}` needs a text")
    return shown


def _like(original: Any, made: str) -> str:
    """Return a text that is marked as safe if the one that it is made of is."""
    return SafeText(made) if isinstance(original, SafeText) else made


def _capitalised(word: str) -> str:
    lowered = word.lower()
    return lowered[:1].upper() + lowered[1:]


def _center(work: Work, value: Any, width: Any = UNDEFINED) -> str:
    shown = text(value, "center")
    spaces = values.to_number(width or 80) - values.text_length(shown)
    if spaces <= 0 or math.isnan(spaces):
        return shown
    work.charge(int(min(spaces, 10**9)))
    # Nunjucks repeats while a counter is below the number, so a half counts as one.
    return _like(value, " " * math.ceil(spaces / 2 - spaces % 2) + shown + " " * math.ceil(spaces / 2))


def _default(_work: Work, value: Any, other: Any = UNDEFINED, also_false: Any = UNDEFINED) -> Any:
    if also_false:
        return value or other
    return other if isinstance(value, Undefined) else value


def _force_escape(work: Work, value: Any) -> str:
    shown = values.output_text(value)
    work.charge(len(shown))
    return SafeText(_TO_ESCAPE.sub(lambda character: _ESCAPED[character.group()], shown))


def _indent(work: Work, value: Any, width: Any = UNDEFINED, first: Any = UNDEFINED) -> str:
    shown = text(value, "indent")
    if not shown:
        return ""
    count = math.ceil(max(0, values.to_number(width or 4) or 0))
    lines = shown.split("\n")
    work.charge(len(lines) * min(count, 10**9))
    pad = " " * count
    return _like(value, "\n".join(line if place == 0 and not first else pad + line for place, line in enumerate(lines)))


def _break_lines(_work: Work, value: Any) -> str:
    if values.is_nothing(value):
        return ""
    return _like(value, re.sub(r"\r\n|\n", "<br />\n", _only_text(value, "nl2br")))


def _replace(work: Work, value: Any, old: Any = UNDEFINED, new: Any = UNDEFINED, most: Any = -1) -> Any:
    if values.is_number(old):
        old = values.to_text(old)
    if not isinstance(old, str):
        return value
    shown = values.to_text(value) if values.is_number(value) else value
    if not isinstance(shown, str):
        return value
    put = values.to_text(new)
    if not old:
        work.charge((len(shown) + 1) * len(put) + len(shown))
        return _like(value, put + put.join(shown) + put)
    limit = -1 if isinstance(most, Undefined) else values.to_number(most)
    occurrences = shown.count(old)
    if limit == 0 or not occurrences:
        return shown
    if limit != -1 and limit <= 0:
        return _like(value, shown)
    count = occurrences if limit == -1 else min(occurrences, math.ceil(limit))
    work.charge(len(shown) + count * len(put))
    return _like(value, shown.replace(old, put, count))


def _round(_work: Work, value: Any, digits: Any = 0, method: Any = UNDEFINED) -> float:
    places = values.to_number(digits or 0)
    if math.isnan(places):
        return NAN
    factor = values.number(10.0 ** max(-400, min(308, places)))
    scaled = float(values.to_number(value)) * float(factor)
    if math.isnan(scaled) or math.isinf(scaled):
        return values.number(scaled)
    shifted = scaled if method == "floor" else scaled + 0.5
    rounded = math.ceil(scaled) if method == "ceil" else math.floor(shifted)
    return values.number(rounded / factor) if factor else NAN


def _string(_work: Work, value: Any) -> str:
    if values.is_nothing(value):
        raise TemplateFailure("the filter `string` needs a value")
    return _like(value, values.to_text(value))


def _strip_tags(_work: Work, value: Any, keeps_lines: Any = UNDEFINED) -> str:
    stripped = _HTML.sub("", text(value, "striptags")).strip(SPACES)
    if not keeps_lines:
        return _like(value, re.sub(rf"[{SPACES}]+", " ", stripped))
    stripped = re.sub(r"^ +| +$", "", stripped, flags=re.MULTILINE)
    stripped = re.sub(r" +", " ", stripped).replace("\r\n", "\n")
    return _like(value, re.sub(r"\n\n\n+", "\n\n", stripped))


def _truncate(_work: Work, value: Any, length: Any = 255, cuts_words: Any = UNDEFINED, end: Any = UNDEFINED) -> str:
    shown = text(value, "truncate")
    most = int(min(max(values.to_number(length or 255), 0), 10**9))
    if len(shown) <= most:
        return shown
    space = shown.rfind(" ", 0, most + 1)
    shortened = shown[:most] if cuts_words or space < 0 else shown[:space]
    return _like(value, shortened + ("..." if values.is_nothing(end) else values.to_text(end)))


def _quoted(value: Any) -> str:
    return quote(values.to_text(value), safe=_UNQUOTED, errors="replace")


def _url_encode(_work: Work, value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Array):
        pairs = [(member(item, 0), member(item, 1)) for item in value]
    else:
        pairs = list(value.items()) if isinstance(value, Object) else []
    return "&".join(f"{_quoted(key)}={_quoted(item)}" for key, item in pairs)


def _float(_work: Work, value: Any, other: Any = UNDEFINED) -> Any:
    number = values.NUMBER.match(values.to_text(value).lstrip(SPACES))
    return other if number is None else values.number(float(number.group().replace("Infinity", "inf")))


def _int(_work: Work, value: Any, other: Any = UNDEFINED, base: Any = UNDEFINED) -> Any:
    if isinstance(other, Object):
        other, base = other.get("default", UNDEFINED), other.get("base", UNDEFINED)
    number = 10 if isinstance(base, Undefined) else int(values.to_number(base) or 10)
    shown = values.to_text(value).strip(SPACES).lower()
    sign = -1 if shown.startswith("-") else 1
    shown = shown.lstrip("+-") if shown[:1] in {"+", "-"} else shown
    shown = shown.removeprefix("0x") if number == 16 else shown  # noqa: PLR2004 - the base that may be written.
    digits = _DIGITS[:number]
    length = next((place for place, digit in enumerate(shown) if digit not in digits), len(shown))
    if not length or not 2 <= number <= len(_DIGITS):  # noqa: PLR2004 - the lowest base.
        return other
    return values.number(sign * int(shown[: min(length, 400)], number))


def _load(_work: Work, value: Any) -> Any:
    try:
        return values.from_plain(json.loads(values.to_text(value)))
    except (ValueError, RecursionError):
        raise TemplateFailure("the filter `load` needs a text that is JSON") from None


FILTERS: dict[str, Callable[..., Any]] = {
    **LIST_FILTERS,
    "abs": lambda _work, value: values.number(abs(values.to_number(value))),
    "capitalize": lambda _work, value: _like(value, _capitalised(text(value, "capitalize"))),
    "center": _center,
    **dict.fromkeys(("d", "default"), _default),
    "dump": json_text,
    **dict.fromkeys(
        ("e", "escape"),
        lambda work, value: value if isinstance(value, SafeText) else _force_escape(work, value),
    ),
    "float": _float,
    "forceescape": _force_escape,
    "indent": _indent,
    "int": _int,
    "load": _load,
    "lower": lambda _work, value: text(value, "lower").lower(),
    "nl2br": _break_lines,
    "replace": _replace,
    "round": _round,
    "safe": lambda _work, value: value if isinstance(value, SafeText) else SafeText(values.output_text(value)),
    "string": _string,
    "striptags": _strip_tags,
    "title": lambda _work, value: _like(value, " ".join(map(_capitalised, text(value, "title").split(" ")))),
    "trim": lambda _work, value: _like(value, _only_text(value, "trim").strip(SPACES)),
    "truncate": _truncate,
    "upper": lambda _work, value: text(value, "upper").upper(),
    "urlencode": _url_encode,
    "wordcount": lambda _work, value: len(_WORD.findall(text(value, "wordcount"))) or None,
}
"""The filters by name. All get the count of work, the value and its arguments."""
