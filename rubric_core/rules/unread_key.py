"""
## What it does
Finds a key that AgentV accepts in its place and never reads.

## Why is this bad?
Neither AgentV nor its `validate` says a word, and what the key was meant to do does not happen: the `threshold` of a
test is not the test's pass mark in AgentV 5, and the `name` of an assertion is not its name in results.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - name: port
        type: contains
        value: "8080"
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - metric: port
        type: contains
        value: "8080"
```

## Fix safety
The fix gives the key the name that is read, where the same mapping has such a key. From then on its value counts, so
the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import noun, removal, rename_key_fix
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Field
from rubric_core.syntax.nodes import Pair
from rubric_core.views.records import RecordView


def check(view: RecordView, context: Context) -> Problems:
    for pair, field in view.unread:
        yield RULE.at(
            pair.key,
            f"{context.suite.dialect.tool} does not read `{pair.name}` of {noun(view.record)}; {field.unread}.",
            fixes=partial(_fixes, view, pair, field, context.text),
            # Any key is legal there: another tool may read it.
            severity=Severity.HINT if view.record.open else None,
        )


def _fixes(view: RecordView, pair: Pair, field: Field, text: str) -> list[Fix | None]:
    """Return a fix that renames the key if another key of the same mapping is enough, else one that removes it."""
    if field.unread == "remove it":
        return [removal(text, view.mapping, pair)]
    meant = next((known for known in view.record.fields if field.unread == f"write `{known.name}`"), None)
    if meant is None or not view.mapping.index.keys().isdisjoint(meant.keys):
        return []
    return [*rename_key_fix(pair, meant.name)]


RULE = Rule("RB713", "unread-key", Severity.WARNING, Subject.RECORD, check, fixes_are_safe=False)
