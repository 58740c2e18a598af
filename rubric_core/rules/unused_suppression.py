"""
## What it does
Finds a `# rubric: ignore[...]` comment, or one rule in its brackets, that silences nothing.

## Why is this bad?
The problem that it was written for is gone. A comment that stays behind hides the next problem of that kind on the
same line.

## Example
```yaml
rubrics:
  - Names port 8080  # rubric: ignore[RB401]
```

Use instead:
```yaml
rubrics:
  - Names port 8080
```

## Fix safety
The fix removes the rule from the brackets, or the whole comment where no rule is left in it. Nothing that is reported
changes, so the fix is safe.
"""

from functools import partial

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.rules.suppressions import Applied, Use


def check(applied: Applied, context: Context) -> Problems:
    for use in applied.unused:
        yield RULE.at(use.span, _message(use), fixes=partial(_fixes, context.text, use))


def _message(use: Use) -> str:
    directive = use.directive
    if directive.kind.value == "ignore-file" and not directive.at_top:
        return "This comment works only at the top of the file, before the first key; move it there."
    if use.code is not None:
        return f"Nothing of `{use.code.text}` is found here; remove it from the comment."
    if directive.brackets is not None:
        return "This comment names no rule, so it suppresses nothing; remove it."
    return "This comment suppresses nothing; remove it."


def _fixes(text: str, use: Use) -> list[Fix]:
    from rubric_core.rules.suppression_edits import remove_suppression  # noqa: PLC0415 - analysis imports the rules.

    edit = remove_suppression(text, use.directive, None if use.code is None else (use.code,))
    what = "the comment" if use.code is None or len(use.directive.codes) == 1 else f"`{use.code.text}`"
    return [Fix(f"Remove {what}", (edit,), safe=True)]


RULE = Rule("RB901", "unused-suppression", Severity.WARNING, Subject.SUPPRESSIONS, check, fixes_are_safe=True)
