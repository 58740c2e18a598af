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

from functools import partial

from rubric_core.rules.messages import noun, rename_key_fix
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.records import RecordView


def check(view: RecordView, _context: Context) -> Problems:
    for pair, field in view.aliased:
        if pair.name in field.aliases.deprecated and len({other.name for other in view.pairs_of(field)}) == 1:
            yield RULE.at(
                pair.key,
                f"`{pair.name}` of {noun(view.record)} is deprecated; use `{field.name}`.",
                fixes=partial(rename_key_fix, pair, field.name, safe=True),
            )


RULE = Rule("RB006", "deprecated-alias", Severity.HINT, Subject.RECORD, check, fixes_are_safe=True, deprecated=True)
