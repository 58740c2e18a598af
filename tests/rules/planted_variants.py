"""Planted defects in every form: each home, each style, in place, under an anchor, behind an alias or a merge key."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from suite_styles import Part, Style, insert, read, write

from rubric_core.analysis.project import KnownProject
from rubric_core.text.spans import Span

from .planted_defects import DEFECTS, HOMES, Defect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# No referenced file exists, and there is one target.
PROJECT = KnownProject(known=frozenset(), targets=frozenset({"default"}))
ANCHOR = "shared"
_ALIAS = f"*{ANCHOR}"
_MERGE = "<<"
_JSON = frozenset({"json", "jsonl"})
_JSON_STYLES = frozenset(map(Style, _JSON))

STYLES = (
    *(Style("block", *each) for each in product((2, 4), (False, True), ("\n", "\r\n"))),
    *(Style(shape, 2, line_break=line_break) for shape in ("flow", "values", "lines") for line_break in ("\n", "\r\n")),
    Style("lines", 4, is_flush=True),
    Style("json"),
    Style("jsonl"),
)
# Styles that differ in everything, for the forms and homes that have less to do with white space.
CORNERS = frozenset({Style("block"), Style("block", 4, True, "\r\n"), Style("flow"), Style("lines", 2, False, "\r\n")})
# Of those forms and homes each defect gets a share. The defects of a kind take turns, so that together they get all.
_SHARES = 3
# Fixes take longer than checks, so that they are tried in fewer styles.
FIX_STYLES = (
    *(style for style in STYLES if style in CORNERS | _JSON_STYLES),
    Style("values", 4, is_flush=True),
    *(style._replace(has_comments=True) for style in STYLES if style in CORNERS),
)
# The same with a comment above each entry and behind each line; JSON has no comments.
COMMENTED_STYLES = tuple(style._replace(has_comments=True) for style in STYLES if style.shape not in _JSON)


_HARD_STYLES = tuple(style for style in FIX_STYLES if style.has_comments or style.shape in _JSON)


def hard_styles(defect: Defect) -> tuple[Style, ...]:
    """Return two of the styles that are hardest to edit, others for each defect: all of them would take too long."""
    turn = DEFECTS.index(defect)
    return tuple(_HARD_STYLES[(turn + step) % len(_HARD_STYLES)] for step in (0, 2))


@dataclass(frozen=True)
class Variant:
    """A defect in one form, with the places of its problems and of what is related to them."""

    name: str
    path: str
    text: str
    problems: tuple[Span, ...]
    related: tuple[Span, ...]
    is_behind_alias: bool = False
    is_anchored: bool = False


def _in_place(home: Part, part: Part) -> Part:
    return insert(home, part)


def _anchored(home: Part, part: Part) -> Part | None:
    return insert(home, replace(part, anchor=ANCHOR))


def _behind_alias(home: Part, part: Part) -> Part:
    return _with_definition(insert(home, Part(_ALIAS)), part)


def _merged(home: Part, part: Part) -> Part | None:
    if not part.pairs:
        return None
    return _with_definition(insert(home, Part(pairs=[(Part("<<"), Part(_ALIAS))])), part)


def _with_definition(suite: Part, part: Part) -> Part:
    definition = (Part("definitions"), replace(part, anchor=ANCHOR))
    return replace(suite, pairs=[definition, *(suite.pairs or ())])


_FORMS = {"in place": _in_place, "anchored": _anchored, "alias": _behind_alias, "merge": _merged}
_SPLICED = frozenset({"rubrics"})
_WHOLE = frozenset({"suite"})


def _forms_of(defect: Defect) -> Iterable[str]:
    if defect.kind in _WHOLE:
        return ["in place"]
    if defect.kind in _SPLICED:
        # The pairs of such a defect stand among others, where only a merge key can bring them from elsewhere.
        return ["in place", "merge"]
    if defect.code == "RB109":
        # Merged keys come behind all others, so that their order says nothing.
        return ["in place", "anchored", "alias"]
    return _FORMS


@cache
def _turn(defect: Defect) -> tuple[int, int]:
    """Return which of how many shares of the forms is the defect's; the defects of a kind take turns."""
    others = [each for each in DEFECTS if each.kind == defect.kind]
    return others.index(defect), min(_SHARES, len(others))


def wanted_forms(defect: Defect, styles: Iterable[Style]) -> Iterator[tuple[str, str, Style]]:
    """Give home, form and style: in place in the first home all styles, elsewhere the defect's share of the corners."""
    own, shares = _turn(defect)
    corners = [style for style in styles if style._replace(has_comments=False) in CORNERS | _JSON_STYLES]
    for place, (home, form) in enumerate(product(HOMES[defect.kind], _forms_of(defect))):
        mine = (style for turn, style in enumerate(corners, place) if turn % shares == own % shares)
        yield from ((home, form, style) for style in (mine if place else styles))


def variants(defect: Defect, styles: Iterable[Style]) -> Iterator[Variant]:
    """Give a defect in the forms that the styles can hold; each home, form and style of its kind is some defect's."""
    part = read(defect.notation)
    for home_name, form, style in wanted_forms(defect, tuple(styles)):
        is_shared = form in {"alias", "merge"}
        if style.shape in _JSON and (not defect.in_json or form != "in place"):
            continue
        suite = _FORMS[form](HOMES[defect.kind][home_name], part)
        written = write(suite, style) if suite is not None else None
        if written is None:
            continue
        problems, related = written.problems, written.related
        if is_shared and not defect.stays_at_text:
            related = (*problems, *related)
            place = _place_of(_MERGE if form == "merge" and defect.is_absence else _ALIAS, written.text)
            problems = (place,) * len(written.problems)
            if form == "merge" and defect.is_absence:
                related = ()
        yield Variant(
            f"{home_name}, {form}, {style}",
            "suite.jsonl" if style.shape == "jsonl" else "suite.eval.yaml",
            written.text,
            problems,
            related,
            is_shared,
            form == "anchored",
        )


def _place_of(word: str, text: str) -> Span:
    start = text.index(word)
    return Span(start, start + len(word))
