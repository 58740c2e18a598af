"""The tables of docs/dialects.md: what a thing is called in each dialect, and what AgentV does with older names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.dialects.registry import DIALECTS
from rubric_core.rules.removed_key import EFFECTS, effect_in
from rubric_core.schema.fields import Removed, Role

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

_BEGIN, _END = "<!-- {} made by `make docs` -->\n", "<!-- end -->\n"
# The generations of one format; what files as a whole tell has a page of its own.
_GENERATIONS = tuple(dialect for dialect in DIALECTS if dialect.marks.whole is None)
# What has a role in a record.
_PLACES = (
    ("what is sent", "case", Role.INPUT),
    ("reference answer", "case", Role.REFERENCE),
    ("what a good answer achieves", "case", Role.TEXT),
    ("criteria of a case", "case", Role.CRITERIA),
    ("evaluators of a case", "case", Role.EVALUATORS),
    ("text of a criterion", "criterion", Role.TEXT),
    ("gate of a criterion", "criterion", Role.GATE),
    ("text of a score range", "score-range", Role.TEXT),
)


def render_dialects(page: str) -> str:
    """Return the page with its tables made anew."""
    older = "\n".join(_removed_table(dialect) for dialect in _GENERATIONS if dialect.removed_types)
    for name, table in (("Marks", _marks_table()), ("Names", _names_table()), ("Older names", older)):
        before, begin, rest = page.partition(_BEGIN.format(name))
        page = f"{before}{begin}\n{table}\n{_END}{rest.partition(_END)[2]}"
    return page


def _table(columns: list[str], rows: list[list[str]]) -> str:
    head, *lines = (f"| {' | '.join(cells)} |\n" for cells in (columns, *rows))
    return head + "|" + "---|" * len(columns) + "\n" + "".join(lines)


def _code(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _marks_table() -> str:
    """Return the words by which each dialect is recognised."""
    rows: list[list[str]] = []
    for dialect in _GENERATIONS:
        marks = dialect.marks
        weak = _code(sorted(marks.weak.suite | marks.weak.case))
        cases = [_code(sorted(marks.case)), _without_input(marks.case_without_input)]
        words = [_code(sorted(marks.suite)), "; ".join(filter(None, cases)), _code(sorted(marks.types)), weak]
        rows.append([f"`{dialect.name}`", *words])
    return _table(
        ["dialect", "keys of the file", "keys of a case", "types of evaluators", "if nothing else tells"], rows
    )


def _without_input(keys: frozenset[str]) -> str:
    return f"{_code(sorted(keys))} without `input` beside it" if keys else ""


def _names_table() -> str:
    """Return what a thing is called in each dialect: keys by their roles, then types of evaluators."""
    rows = [["list of cases", *(_code(dialect.case_lists[:1]) for dialect in _GENERATIONS)]]
    for title, record, role in _PLACES:
        cells: list[str] = []
        name = ""
        for dialect in _GENERATIONS:
            keys = dialect.records[record].keys_of(role)
            removed = dialect.records[record].removed.get(name)
            name = keys[0] if keys else ""
            cells.append(_code(keys[:1]) if keys else _instead(removed) if removed else "")
        rows.append([title, *cells])
    seen: set[str] = set()
    for dialect in _GENERATIONS:
        for kind in dialect.types:
            cells = _names_of_type(kind, dialect)
            if kind not in seen and len(set(filter(None, cells))) > 1:
                rows.append(["type of evaluator", *cells])
            seen.update(each.strip("`") for each in cells)
    return _table(["", *(dialect.title for dialect in _GENERATIONS)], rows)


def _names_of_type(kind: str, first: Dialect) -> list[str]:
    """Return a cell for each dialect: the type's name in it, followed from one dialect to the next."""
    cells: list[str] = []
    started = False
    for dialect in _GENERATIONS:
        started = started or dialect is first
        removed = dialect.removed_types.get(kind) if started else None
        if removed is not None and removed.instead is None:
            cells.append(_instead(removed))
        else:
            kind = removed.instead if removed is not None and removed.instead else kind
            kind = dialect.old_types.get(kind, kind)
            cells.append(_code([kind]) if started and kind in dialect.types else "")
    return cells


def _removed_table(dialect: Dialect) -> str:
    """Return what earlier releases had, and what the releases of a dialect do with it."""
    grouped: dict[tuple[str, str, str, str], list[str]] = {}
    # The records of cases have most of their keys in common; the first one has the row.
    seen: set[tuple[str, Removed]] = set()
    for record in dialect.records.values():
        kind = record.name.partition(":")[2]
        place = f"type `{kind}`" if kind else record.name.replace("-", " ")
        for key, removed in record.removed.items():
            if (key, removed) not in seen:
                row = (place, removed.since, effect_in(record, removed), _instead(removed))
                grouped.setdefault(row, []).append(key)
                seen.add((key, removed))
    for kind, removed in dialect.removed_types.items():
        instead = "the name with hyphens" if removed.instead == kind.replace("_", "-") else _instead(removed)
        grouped.setdefault(("type", removed.since, EFFECTS[removed.effect], instead), []).append(kind)
    rows = [[place, _code(keys), since, effect, instead] for (place, since, effect, instead), keys in grouped.items()]
    columns = ["in", "older names", "gone since", f"what {dialect.tool} does", "write instead"]
    return f"### Older names in {dialect.title}\n\n" + _table(columns, rows)


def _instead(removed: Removed) -> str:
    return "; ".join(filter(None, (removed.instead and f"`{removed.instead}`", removed.advice)))
