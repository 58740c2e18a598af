"""The tables of docs/migration.md: what becomes of each key on the way from one dialect to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration import definition_files
from rubric_core.migration.registry import TABLES
from rubric_core.migration.steps import Kind, Step

if TYPE_CHECKING:
    from rubric_core.migration.engine import Pass

_BEGIN, _END = "<!-- Tables made by `make docs` -->\n", "<!-- end -->\n"
_PLACES = {
    "file": "any text",
    "suite": "suite",
    "case": "test",
    "raw-case": "test",
    "evaluator": "evaluator",
    "criterion": "criterion",
    "score-range": "score range",
    "execution": "`execution`",
    "suite-execution": "`execution`",
    "turn": "turn",
    "default-test": "`default_test`",
    "options": "`options`",
    "evaluate-options": "options of a run",
    "prompt": "prompt",
    "scenario": "scenario",
    "target": "entry",
}
_FILES = {definition_files.TARGETS: "targets file", definition_files.PROVIDERS: "providers file"}


def render_migration(page: str) -> str:
    """Return the page with its tables made anew."""
    tables = [
        _section(f"{BY_NAME[old].title} to {BY_NAME[new].title}", passes) for (old, new), passes in TABLES.items()
    ]
    tables += [
        _section(f"A {_FILES[old]} to a {_FILES[new]}", passes)
        for (old, new), passes in definition_files.TABLES.items()
    ]
    before, begin, rest = page.partition(_BEGIN)
    return f"{before}{begin}\n{''.join(tables)}{_END}{rest.partition(_END)[2]}"


def _section(title: str, passes: tuple[Pass, ...]) -> str:
    rows = [_row(step) for steps in passes for step in steps]
    head = "| in | old | new | when | kind | why it needs a review |\n|---|---|---|---|---|---|\n"
    return f"### {title}\n\n{head}{''.join(rows)}\n"


def _row(step: Step) -> str:
    places = ", ".join(dict.fromkeys(_PLACES[record] for record in step.records))
    new = step.new or ("stays" if step.kind is not Kind.SAFE else "removed")
    cells = (places, step.old, new, step.when, step.kind.value, step.reason)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"
