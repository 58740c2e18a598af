"""
## What it does
Finds an empty list where the upstream tool needs at least one item, such as the `value` of `contains-any` or `turns`.

## Why is this bad?
AgentV drops an assertion that has nothing to look for, with a line in its log at most, and the test may pass without
it. Without turns there is no conversation. `agentv validate` says nothing, or gives a warning.

An empty list of criteria is found by [RB209](RB209.md) and [RB704](RB704.md).

## Example
```yaml
tests:
  - id: port
    input: Which port?
    criteria: Names the port
    assertions:
      - type: contains-any
        value: []
```

Use instead:
```yaml
tests:
  - id: port
    input: Which port?
    criteria: Names the port
    assertions:
      - type: contains-any
        value: ["8080", eighty-eighty]
```

## Fix safety
The fix inserts an item to fill in. Only you know what belongs there, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import gist, one_edit
from rubric_core.rules.removed_key import EFFECTS
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.views.records import RecordView


def check(view: RecordView, _context: Context) -> Problems:
    for pair, field in view.empty:
        what = EFFECTS[field.limits.empty] if field.limits.empty is not None else ""
        yield RULE.at(
            pair.value,
            f"`{pair.name}` is an empty list, so {what}; fill it in: {gist(field)}.",
            fixes=partial(one_edit, f"Fill in `{pair.name}`", replace_node, pair.value, field.placeholder)
            if field.placeholder is not None
            else None,
        )


RULE = Rule("RB720", "empty-list", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=False)
