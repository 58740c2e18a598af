"""
## What it does
Finds the name or code of a rule that does not exist, in a `# rubric: ignore[...]` comment or in the configuration.

## Why is this bad?
The comment silences nothing, and the problem that it was written for is still reported.

## Example
```yaml
rubrics:
  - Good code quality  # rubric: ignore[vague-outcomes]
```

Use instead:
```yaml
rubrics:
  - Good code quality  # rubric: ignore[vague-outcome]
```

## Fix safety
The fix writes the rule that was probably meant. That may silence problems which are shown today, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.rules.suppressions import Applied
from rubric_core.text.spans import Edit


def check(applied: Applied, _context: Context) -> Problems:
    for unknown in applied.unknown:
        span, meant = unknown.code.span, unknown.instead
        advice = f"did you mean `{meant}`?" if meant else "`rubric rules` lists them all."
        fixes = partial(one_edit, f"Change to `{meant}`", Edit, span.start, span.end, meant) if meant else None
        yield RULE.at(span, f"There is no rule `{unknown.code.text}`; {advice}", fixes=fixes)


RULE = Rule("RB902", "unknown-rule", Severity.WARNING, Subject.SUPPRESSIONS, check, fixes_are_safe=False)
