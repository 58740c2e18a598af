"""Text to insert: data with tab stops, written in the style of the text around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from rubric_core.assist.completion.branches import Branch
from rubric_core.syntax.edits import render_text
from rubric_core.text.patterns import lazily

_SPECIAL = lazily(r"[\\$}]")
_SPECIAL_IN_CHOICE = lazily(r"[\\$},|]")
_WORDS_OF_JSON = frozenset({"true", "false", "null"})
_NUMBER = lazily(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
_USUAL_STEP = 2
_NARROWEST_ITEM = 2
_WIDEST = 8
_LEAST = {"step": 1, "dash": 0, "width": _NARROWEST_ITEM}


class WritingStyle(NamedTuple):
    """How far the keys below a key, the dashes below a key and the text behind a dash are set in; and line breaks."""

    step: int = _USUAL_STEP
    dash: int = _USUAL_STEP
    width: int = _NARROWEST_ITEM
    line_break: str = "\n"


SeenStyle = Mapping[str, int]
"""The distances of a style that a stretch of text shows, by their names in `WritingStyle`."""


def is_enough(seen: SeenStyle) -> bool:
    """Return whether all parts of the style are known: keys are usually indented like dashes."""
    return "dash" in seen and "width" in seen and ("step" in seen or seen["dash"] > 0)


def style_seen(text: str, branches: Iterable[Branch], cursor: int) -> SeenStyle:
    """Return the style of a text's branches: the last ones before the cursor count, then the first ones behind."""
    before: dict[str, int] = {}
    behind: dict[str, int] = {}
    for branch in branches:
        owner = branch.owner
        if branch.flow or owner is None or owner.branch.flow or owner.start < 0:
            continue
        kind = "width" if owner.branch.is_list else "dash" if branch.is_list else "step"
        offset = branch.column - owner.column(text)
        if (owner.branch.is_list and branch.is_list) or not _LEAST[kind] <= offset <= _WIDEST:
            continue
        if branch.entries and branch.entries[0].start < cursor:
            before[kind] = offset
        else:
            behind.setdefault(kind, offset)
    return behind | before


def settled(seen: SeenStyle, line_break: str) -> WritingStyle:
    """Return a style whose unknown parts are derived from the known ones."""
    step = seen.get("step", seen.get("dash") or _USUAL_STEP)
    return WritingStyle(step, seen.get("dash", step), seen.get("width", _NARROWEST_ITEM), line_break)


class TabStop(NamedTuple):
    """A placeholder: a text to type over, which may be empty, or one of several choices."""

    default: str = ""
    choices: tuple[str, ...] = ()


class TemplateList(NamedTuple):
    """A list that is always written in brackets."""

    items: tuple[Template, ...]


class Below(NamedTuple):
    """A value that starts on the next line, indented like the keys of a mapping."""

    stop: TabStop = TabStop()


Template: TypeAlias = "str | TabStop | TemplateList | Below | list[Template] | dict[str | TabStop, Template]"
Piece = str | TabStop


class TemplateText(NamedTuple):
    """Text with tab stops: `plain` has their defaults, `snippet` the stops themselves, None where there are none."""

    plain: str
    snippet: str | None


def block_lines(template: Template, style: WritingStyle) -> list[list[Piece]]:
    """Return a template as lines in block style; the first one starts where the value or the mapping starts."""
    if isinstance(template, dict):
        return [line for key, value in template.items() for line in _pair_lines(key, value, style)]
    if isinstance(template, list):
        return [line for item in template for line in _item_lines(item, style)]
    return [flow_pieces(template)]


def _pair_lines(key: str | TabStop, value: Template, style: WritingStyle) -> list[list[Piece]]:
    if isinstance(value, Below):
        return [[key, ":"], [" " * style.step, value.stop]]
    if isinstance(value, (dict, list)):
        lines = block_lines(value, style)
        return [[key, ":"], *_indented(lines, style.dash if isinstance(value, list) else style.step)]
    return [[key, ": ", *flow_pieces(value)]]


def _item_lines(item: Template, style: WritingStyle) -> list[list[Piece]]:
    first, *others = block_lines(item, style)
    # A mapping or a list sets the column of its further lines; a plain text needs no more than a space.
    dash = "-".ljust(style.width) if isinstance(item, (dict, list)) else "- "
    return [[dash, *first], *_indented(others, style.width)]


def _indented(lines: list[list[Piece]], by: int) -> list[list[Piece]]:
    return [[" " * by, *line] for line in lines]


def flow_pieces(template: Template, *, as_json: bool = False) -> list[Piece]:
    """Return a template on one line, in brackets where it is a collection."""
    if isinstance(template, dict):
        quote: list[Piece] = ['"'] if as_json else []
        pairs = [[*quote, key, *quote, ": ", *flow_pieces(value, as_json=as_json)] for key, value in template.items()]
        return ["{", *_joined(pairs), "}"]
    if isinstance(template, (list, TemplateList)):
        items = template.items if isinstance(template, TemplateList) else template
        return ["[", *_joined([flow_pieces(item, as_json=as_json) for item in items]), "]"]
    if isinstance(template, Below):
        return ["{", template.stop, "}"]
    word = template.default if isinstance(template, TabStop) else template
    if as_json and not (word in _WORDS_OF_JSON or _NUMBER.match(word)):
        return ['"', template, '"']
    return [template]


def _joined(parts: list[list[Piece]]) -> list[Piece]:
    return [piece for number, part in enumerate(parts) for piece in ((", ", *part) if number else part)]


def write(lines: list[list[Piece]], column: int, line_break: str, *, lead: str = "", tail: str = "") -> TemplateText:
    """Join lines; those after the first are indented to a column."""
    pieces: list[Piece] = [lead]
    for number, line in enumerate(lines):
        pieces += (line_break + " " * column, *line) if number else line
    pieces.append(tail)
    stops = [piece for piece in pieces if isinstance(piece, TabStop)]
    plain = "".join(piece.default if isinstance(piece, TabStop) else piece for piece in pieces)
    # An empty tab stop at the very end is where the cursor would be anyway.
    if not stops or (len(stops) == 1 and not stops[0].default and not tail and pieces[-2] is stops[0]):
        return TemplateText(plain, None)
    return TemplateText(plain, _snippet(pieces, only=len(stops) == 1))


def _snippet(pieces: list[Piece], *, only: bool) -> str:
    parts: list[str] = []
    number = 0
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(_escaped(piece))
            continue
        number += 1
        if piece.choices:
            parts.append(f"${{{number}|{','.join(_escaped(choice, _SPECIAL_IN_CHOICE) for choice in piece.choices)}|}}")
        elif piece.default:
            parts.append(f"${{{number}:{_escaped(piece.default)}}}")
        else:
            parts.append("$0" if only else f"${number}")
    return "".join(parts)


def _escaped(text: str, special: re.Pattern[str] = _SPECIAL) -> str:
    return special.sub(r"\\\g<0>", text)


def scalar(value: str, *, flow: bool, as_json: bool) -> str:
    """Return a value as written at a place."""
    if as_json:
        return value if value in _WORDS_OF_JSON or _NUMBER.match(value) else json.dumps(value, ensure_ascii=False)
    return render_text(value, flow=flow)
