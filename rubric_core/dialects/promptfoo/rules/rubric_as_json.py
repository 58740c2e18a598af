"""
## What it does
Finds a rubric whose value is a mapping or a list, in a type that takes it for one text.

## Why is this bad?
The judge gets it as JSON, and templates inside of it are not rendered. Criteria in a list are not judged one by one; a
`g-eval`, or an assertion for each, does that.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: llm-rubric
        value: [Names port 8080, Says why]
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: g-eval
        value: [Names port 8080, Says why]
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import FieldType, Role
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.evaluators import EvaluatorView


def check(evaluator: EvaluatorView, _context: Context) -> Problems:
    for field in evaluator.record.by_role[Role.CRITERIA] if evaluator.kind is not None else ():
        pair = evaluator.node.index.get(field.name)
        # A type that reads only texts beside lists judges the items one by one.
        is_json = pair is not None and not isinstance(pair.value, Scalar) and FieldType.MAPPING in field.type
        if pair is not None and is_json:
            yield RULE.at(
                pair.key,
                f"The judge gets this `{field.name}` as JSON, with no template in it rendered; write one text.",
            )


RULE = Rule("RB818", "rubric-as-json", Severity.HINT, Subject.EVALUATOR, check)
