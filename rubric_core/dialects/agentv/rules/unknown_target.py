"""
## What it does
Finds a target that the targets file does not have. Where there is no targets file nothing is reported.

## Why is this bad?
A target is what answers a case, or the model that judges the answer. One that is not in the targets file cannot be
asked, so the case cannot be run.

## Example
```yaml
execution:
  target: azur-base
```

Use instead:
```yaml
execution:
  target: azure-base
```

## Fix safety
The fix writes the known name that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import renaming, suggestion
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.references import References


def check(references: References, context: Context) -> Problems:
    targets = context.targets
    if targets is None:
        return
    for node in references.targets:
        name = node.value.strip()
        if not targets:
            yield RULE.at(node, f"The targets file has no target at all; add `{name}` to it.")
        elif name not in targets:
            ending, meant = suggestion(name, sorted(targets))
            fixes = partial(renaming, node, meant)
            yield RULE.at(node, f"The targets file has no target `{name}`; {ending}", fixes=fixes)


RULE = Rule("RB506", "unknown-target", Severity.WARNING, Subject.REFERENCES, check, fixes_are_safe=False)
