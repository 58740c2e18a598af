"""
## What it does
Finds a field under an old name: `description` of a criterion or a score range, and `outcome` of a case.

## Why is this bad?
The old name is still read, but one name for one thing makes files easier to search and compare, and old names go
away some day.

## Example
```yaml
rubrics:
  - id: names-port
    description: Names port 8080
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
```

## Fix safety
The fix renames the key and nothing else. Both names mean the same, so the fix is safe.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.record_words import noun
from rubric_core.rules.rule import Rule, Subject
from rubric_core.schema.dialects import RUBRICS
from rubric_core.syntax.edits import rename_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Pair
    from rubric_core.views.records import RecordView


def check(view: RecordView, context: Context) -> Iterator[Problem]:
    """Report each field that stands under a deprecated name, unless another name of it is there as well."""
    # What is old here may be the right name in a later dialect.
    if not view.aliased or context.suite.dialect is not RUBRICS:
        return
    for pair, field in view.aliased:
        if pair.name in field.deprecated_aliases and len({other.name for other in view.pairs_of(field)}) == 1:
            yield RULE.at(
                pair.key,
                f"`{pair.name}` of {noun(view.record)} is deprecated; use `{field.name}`.",
                fixes=partial(_fixes, pair, field.name),
            )


def _fixes(pair: Pair, name: str) -> list[Fix]:
    return [Fix(f"Rename to `{name}`", (rename_key(pair, name),), safe=True)]


RULE = Rule("RB006", "deprecated-alias", Severity.HINT, Subject.RECORD, check, fixes_are_safe=True, deprecated=True)
