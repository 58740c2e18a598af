"""
## What it does
Finds columns in a CSV file of tests that promptfoo does not know: those that start with two underscores and are
misspelt, such as `__expectd`, and those that start with one, such as `_expected`. It also finds cells of `__expected`
that start with a misspelt type of an assertion, such as `containz: ports`, and empty cells of a column of settings,
`__config:...`.

## Why is this bad?
Promptfoo takes such a column for a variable, or passes over it. The tests of the file run without these assertions and
pass. A cell whose type does not exist is compared with the output as a whole and fails. An empty setting ends the run.

## Example
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests: file://misspelt.csv
```

Use instead:
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests: file://tests.csv
```
"""

import csv
from collections.abc import Iterable, Iterator
from itertools import islice

from rubric_core.rules.messages import suggestion
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.suggest import closest
from rubric_core.text.patterns import lazily
from rubric_core.views.references import FileReference, References

_COLUMNS = ("__expected", "__prefix", "__suffix", "__description", "__providerOutput", "__metric", "__threshold")
_KNOWN = lazily(
    r"__expected\d*|__prefix|__suffix|__description|__providerOutput|__metric|__threshold|__metadata:.*|__config:.*"
)
_TYPE = lazily(r"\s*(?P<type>[a-z][\w-]*)(?:\([\d.]+\))?:")
# Words that cells may start with besides the types.
_OTHER_STARTS = frozenset({"fn", "eval", "grade", "file", "http", "https"})
_SETTING = "__config:"
_MOST_ROWS = 10_000


def check(references: References, context: Context) -> Problems:
    for reference in references.files:
        text = context.texts.get(reference.path) if reference.path.endswith(".csv") else None
        if text is not None:
            rows = csv.reader(text.lstrip("\ufeff").splitlines(keepends=True))
            names = [name.strip() for name in next(rows, [])]
            yield from _columns(reference, names)
            listed = list(islice(rows, _MOST_ROWS))
            yield from _cells(reference, names, listed, context.suite.dialect.types)
            yield from _settings(reference, names, listed)


def _columns(reference: FileReference, names: list[str]) -> Iterator[Problem]:
    special = [name for name in names if name.startswith(("__", "_expected", "_threshold", "_metric"))]
    for name in (name for name in special if _KNOWN.fullmatch(name) is None):
        advice, _ = suggestion(name, _COLUMNS, "correct its name.")
        yield _at(reference, f"The column `{name}` of `{reference.path}` asserts nothing; {advice}", Severity.ERROR)


def _cells(
    reference: FileReference, names: list[str], rows: Iterable[list[str]], types: tuple[str, ...]
) -> Iterator[Problem]:
    """Yield a problem for each misspelt type at the start of cells."""
    expected = [index for index, name in enumerate(names) if name.startswith("__expected")]
    said: set[str] = set()
    for number, row in enumerate(rows, start=2):
        starts = (_TYPE.match(row[index]) for index in expected if index < len(row))
        for written in [start["type"] for start in starts if start is not None]:
            meant = closest(written, types) if written not in types and written not in _OTHER_STARTS else None
            # The first words of types are common in any text.
            if meant is None or meant.startswith(written) or written in said:
                continue
            said.add(written)
            what = f"`{written}:` in row {number:,} of `{reference.path}` is no type, so the output must equal the cell"
            yield _at(reference, f"{what}; did you mean `{meant}:`?", Severity.WARNING)


def _settings(reference: FileReference, names: list[str], rows: list[list[str]]) -> Iterator[Problem]:
    """Yield a problem for each column of settings in which a cell is empty."""
    for index, name in enumerate(names):
        cells = ((number, row[index]) for number, row in enumerate(rows, start=2) if index < len(row))
        empty = (number for number, cell in cells if not cell.strip())
        first = next(empty, None) if name.startswith(_SETTING) else None
        if first is not None:
            what = f"The cell `{name}` in row {first:,} of `{reference.path}` is empty, which ends the run"
            yield _at(reference, f"{what}; write a value.", Severity.ERROR)


def _at(reference: FileReference, message: str, severity: Severity) -> Problem:
    return RULE.at(reference.place, message, severity=severity)


RULE = Rule("RB815", "csv-columns", Severity.ERROR, Subject.REFERENCES, check)
