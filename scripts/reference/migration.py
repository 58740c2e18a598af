"""The tables of docs/migration.md: what becomes of each key on the way from one dialect to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.dialects.parts import DEFINITION_FILE
from rubric_core.dialects.registry import BY_NAME, DIALECTS
from rubric_core.migration.registry import PAIRS, table_of
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


def render_migration(page: str) -> str:
    """Return the page with its tables made anew."""
    tables = [_section(f"{BY_NAME[old].title} to {BY_NAME[new].title}", table_of(old, new)) for old, new in PAIRS]
    files = {DEFINITION_FILE.of(dialect).key: DEFINITION_FILE.of(dialect) for dialect in DIALECTS}
    tables += [
        _section(f"A {old} file to a {file.key} file", passes)
        for file in files.values()
        for old, passes in file.from_kinds.items()
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
