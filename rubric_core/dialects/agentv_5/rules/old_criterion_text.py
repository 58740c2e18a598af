"""
## What it does
Finds a criterion under `value` whose text has the key of an earlier release, `expected_outcome` or `description`.

## Why is this bad?
Under `value` a mapping is a criterion only if it has `outcome`. Where no item has it, the judge gets the whole list as
plain text: there are no ids, no weights and no gates. Where some items have it, the others are dropped.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value:
          - id: names-port
            expected_outcome: Names port 8080
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value:
          - id: names-port
            outcome: Names port 8080
```

## Fix safety
The fix gives the key its new name, so that the text is read as it was meant. It is safe.
"""

from functools import partial

from rubric_core.rules.messages import rename_key_fix
from rubric_core.rules.missing_expected_outcome import old_text
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.views.evaluators import EvaluatorView


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    dialect = context.suite.dialect
    fields = evaluator.record.by_role[Role.CRITERIA] if evaluator.is_checked else ()
    value = evaluator.node.get(fields[0].name) if fields else None
    if not isinstance(value, Sequence):
        return
    name = dialect.text_keys[0]
    effect = "this criterion is dropped"
    if evaluator.criteria is None:
        effect = "the judge gets the list as plain text, without ids, weights and gates"
    for item in value.items:
        if not isinstance(item, Mapping) or not item.index.keys().isdisjoint(dialect.text_keys):
            continue
        pair = old_text(item, dialect)
        if pair is not None:
            yield RULE.at(
                pair.key,
                f"`{pair.name}` is not read here, so {effect}; use `{name}`.",
                fixes=partial(rename_key_fix, pair, name, safe=True),
            )


RULE = Rule("RB709", "old-criterion-text", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=True)
