"""The examples of each table, one Markdown page a table: a text before and after, and what is listed.

## The heading
```yaml   the text before
becomes:
```yaml   the text after
and lists:
- LINE: KIND: REASON
"""

from __future__ import annotations

import pytest
from migration_examples import Example, read_examples
from migrations import errors_in, migrated

from rubric_core.migration import engine
from rubric_core.migration.registry import PAIRS, table_of
from rubric_core.migration.steps import Change, Kind, Step
from rubric_core.text.lines import LineIndex

EXAMPLES = read_examples()
every_example = pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{each.source} to {each.target}: {each.name}" for each in EXAMPLES]
)


@every_example
def test_an_example_becomes_what_its_page_says(example: Example) -> None:
    """The text, and the lines that somebody has to look at."""
    found = migrated(example.before, example.source, example.target)
    lines = LineIndex(example.before)
    listed = [f"{lines.position(each.offset).line + 1}: {each.kind.value}: {each.reason}" for each in found.findings]
    assert (found.text, listed) == (example.after, example.lists)


@every_example
def test_an_example_without_no_gets_no_error(example: Example) -> None:
    """What is wrong in the new dialect was wrong in the old one, unless a line says that it cannot be migrated."""
    if not any(": no: " in line for line in example.lists):
        assert not errors_in(example.after, example.target) - errors_in(example.before, example.source)


def test_every_row_has_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that no page shows is not known to work."""
    seen: set[int] = set()
    note = engine._State.note  # noqa: SLF001 - the one place that every change passes.

    def recording(state: engine._State, step: Step, found: Change) -> None:
        seen.add(id(step))
        note(state, step, found)

    monkeypatch.setattr(engine._State, "note", recording)  # noqa: SLF001 - the same.
    for example in EXAMPLES:
        migrated(example.before, example.source, example.target)
    missing = [
        (pair, step.old, step.new)
        for pair in PAIRS
        for steps in table_of(*pair)
        for step in steps
        if id(step) not in seen
    ]
    assert missing == []


def test_a_row_that_needs_a_look_says_why() -> None:
    """Nobody can agree to what is not explained."""
    rows = [step for pair in PAIRS for steps in table_of(*pair) for step in steps]
    assert [row.old for row in rows if row.kind is not Kind.SAFE and not row.reason] == []
