"""Tests of promptfoo from a CSV file: columns are `vars`, or settings of the test if they have two underscores."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rubric_core.javascript_regex import SPACES
from rubric_core.text.patterns import lazily

_THRESHOLD = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_OPTIONS = {"__prefix": "prefix", "__suffix": "suffix"}
_OWN_KEYS = {"__description": "description", "__providerOutput": "providerOutput"}
_CONFIG = re.compile(r"__config:__expected(?P<number>[1-9]\d*)?:threshold")
# Prefixes of cells whose type has another name.
_STARTS: Mapping[str, str] = {
    **dict.fromkeys(("javascript:", "fn:", "eval:"), "javascript"),
    **dict.fromkeys(("grade:", "llm-rubric:"), "llm-rubric"),
    "python:": "python",
}
_CODE = re.compile(r"file://(?:(?P<javascript>.*\.[cm]?[jt]s(?::.*)?)|(?P<python>.*\.py(?::.*)?))", re.DOTALL)
_LISTS = ("-any", "-all")
_FIELD = lazily(r'"((?:\\["\\]|""|[^"])*)"|([^,]+)')
_ESCAPED = lazily(r'\\(["\\])|"(")')
# The thresholds of cells without one.
_DEFAULTS: Mapping[str, float] = {
    **dict.fromkeys(("answer-relevance", "classifier", "context-faithfulness", "context-recall"), 0.75),
    **dict.fromkeys(("context-relevance", "cost", "latency", "levenshtein", "perplexity-score"), 0.75),
    **dict.fromkeys(("perplexity", "rouge-n"), 0.75),
    "similar": 0.8,
}


def row_as_test(row: Mapping[str, str], types: Iterable[str]) -> dict[str, Any]:
    """Return the test of a row, without settings that are not valid numbers."""
    cells = [cell.strip() for name, cell in row.items() if name.startswith("__expected") and cell.strip()]
    assertions = [_assertion(cell, frozenset(types)) for cell in cells]
    for name, cell in row.items():
        numbered = _CONFIG.fullmatch(name)
        place, threshold = int(numbered["number"] or 1) - 1 if numbered else len(assertions), _number(cell)
        if place < len(assertions) and threshold is not None:
            assertions[place]["threshold"] = threshold
    metric, threshold = row.get("__metric"), _number(row.get("__threshold", ""))
    options = {key: row[name] for name, key in _OPTIONS.items() if name in row}
    return {
        "vars": {name: cell for name, cell in row.items() if not name.startswith("__")},
        "assert": [{**assertion, "metric": metric} if metric else assertion for assertion in assertions],
        **({"options": options} if options else {}),
        **{key: row[name] for name, key in _OWN_KEYS.items() if row.get(name)},
        **({"threshold": threshold} if threshold is not None else {}),
    }


def _number(cell: str) -> float | None:
    return float(cell) if _THRESHOLD.fullmatch(cell.strip()) else None


def _assertion(cell: str, types: frozenset[str]) -> dict[str, Any]:
    """Return a cell as an assertion, such as `contains: text`; for any other text the output must be equal."""
    for start, kind in _STARTS.items():
        if cell.startswith(start):
            return {"type": kind, "value": cell.removeprefix(start).strip()}
    code = _CODE.fullmatch(cell)
    if code is not None:
        return {"type": code.lastgroup, "value": cell}
    head, colon, value = cell.partition(":")
    typed = _typed(head, types)
    if typed is None:
        # A type itself may have a colon.
        more, colon, value = value.partition(":")
        typed = _typed(f"{head}:{more}", types)
    if typed is None:
        return {"type": "equals", "value": cell}
    kind, threshold = typed
    made: dict[str, Any] = {"type": kind, **({"value": value.strip()} if colon else {})}
    base = kind.removeprefix("not-")
    if base.endswith(_LISTS) and value:
        made["value"] = _separated(value)
    if base in _DEFAULTS:
        made["threshold"] = _DEFAULTS[base] if threshold is None else threshold
    return made


def _separated(text: str) -> list[str] | str:
    """Return the texts of a list, which are rendered one by one; the text itself if it is not a list."""
    try:
        return separated(text)
    except ValueError:
        return text


def _typed(head: str, types: frozenset[str]) -> tuple[str, float | None] | None:
    """Return the type at the start of a cell, and the threshold in parentheses behind it."""
    parts = re.fullmatch(r"(?P<type>[a-z][\w:-]*)(?:\((?P<threshold>\d+(?:\.\d+)?)\))?", head)
    if parts is None or parts["type"] not in types:
        return None
    return parts["type"], float(parts["threshold"]) if parts["threshold"] else None


def separated(text: str) -> list[str]:
    """Return the texts between commas; one between double quotes may have commas. Raises ValueError."""
    texts: list[str] = []
    place = 0
    while (place := len(text) - len(text[place:].lstrip(f"{SPACES},"))) < len(text):
        field = _FIELD.match(text, place)
        if field is None or (text[place] == '"' and field[1] is None):
            raise ValueError("`value` has a double quote that never closes.")
        place = field.end()
        if field[1] is None:
            texts.append(field[2].strip(SPACES))
            continue
        texts.append(_ESCAPED.sub(lambda match: match[1] or match[2], field[1]))
        rest = text[place:].lstrip(SPACES)
        if rest and not rest.startswith(","):
            raise ValueError("`value` has text behind a double quote; write a comma there.")
    return texts
