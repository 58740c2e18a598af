"""
## What it does
Finds columns in a CSV file of tests that promptfoo does not know: those that start with two underscores and are
misspelt, such as `__expectd`, and those that start with one, such as `_expected`.

## Why is this bad?
Promptfoo takes such a column for a variable, or passes over it. The tests of the file run without these assertions and
pass.

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

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.suggest import closest
from rubric_core.text.patterns import lazily
from rubric_core.views.references import References

_COLUMNS = ("__expected", "__prefix", "__suffix", "__description", "__providerOutput", "__metric", "__threshold")
_KNOWN = lazily(
    r"__expected\d*|__prefix|__suffix|__description|__providerOutput|__metric|__threshold|__metadata:.*|__config:.*"
)


def check(references: References, context: Context) -> Problems:
    for reference in references.files:
        text = context.texts.get(reference.path) if reference.path.endswith(".csv") else None
        for name in _unknown_columns(text) if text is not None else ():
            meant = closest(name, _COLUMNS)
            advice = f"did you mean `{meant}`?" if meant is not None else "correct its name."
            place = reference.span if reference.node.origin is None else reference.node
            yield RULE.at(place, f"The column `{name}` of `{reference.path}` asserts nothing; {advice}")


def _unknown_columns(text: str) -> list[str]:
    header = next(csv.reader([text.lstrip("\ufeff").split("\n", 1)[0]]), [])
    names = [name.strip() for name in header]
    special = [name for name in names if name.startswith(("__", "_expected", "_threshold", "_metric"))]
    return [name for name in special if _KNOWN.fullmatch(name) is None]


RULE = Rule("RB815", "csv-columns", Severity.ERROR, Subject.REFERENCES, check, needs="renders_values")
