"""
## What it does
Finds an `operator` of a criterion that is neither `correctness` nor `contradiction`.

## Why is this bad?
Another operator is ignored, and the criterion is judged as if it said `correctness`: that the answer must say what the
text says. Where `contradiction` was meant, answers that say nothing of it fail.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value:
          - id: host
            outcome: The host is localhost
            operator: contradicts
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
          - id: host
            outcome: The host is localhost
            operator: contradiction
```

## Fix safety
The fix writes the operator that the word resembles, which changes how the criterion is judged. It is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import renaming, suggestion
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import is_blank, is_text
from rubric_core.views.criteria import CriteriaView

_KEY = "operator"


def check(criteria: CriteriaView, context: Context) -> Problems:
    values = criteria.dialect.records["criterion"].by_key[_KEY].values
    for criterion in criteria.readable:
        pair = criterion.pair(_KEY)
        node = pair.value if pair is not None else None
        if (
            isinstance(node, Scalar)
            and node.value not in values
            and not is_blank(node)
            and is_text(node, context.version)
        ):
            advice, meant = suggestion(node.value, values)
            yield RULE.at(
                node,
                f"`{node.value}` is not an operator, so it is ignored; {advice}",
                fixes=partial(renaming, node, meant),
            )


RULE = Rule("RB717", "invalid-operator", Severity.ERROR, Subject.KEYED, check, fixes_are_safe=False)
