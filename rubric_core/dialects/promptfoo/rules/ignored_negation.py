"""
## What it does
Finds a type with `not-` before it that judges just like the type itself.

## Why is this bad?
Promptfoo accepts `not-` before every type, but some of them never look at it. The assertion passes where it should
fail.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: not-factuality
        value: The port is 80
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: not-llm-rubric
        value: Agrees that the port is 80
```

## Fix safety
The fix writes the type without `not-`, which is what is judged. You meant the opposite, so the fix is unsafe.
"""

from functools import partial

from rubric_core.dialects.promptfoo.assertions import IGNORES_NEGATION, NOT
from rubric_core.rules.messages import renaming
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.evaluators import EvaluatorView


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    dialect, kind = context.suite.dialect, evaluator.kind or ""
    node = evaluator.type_pair.value if evaluator.type_pair is not None else None
    if kind in IGNORES_NEGATION and isinstance(node, Scalar):
        plain = kind.removeprefix(NOT)
        yield RULE.at(
            node,
            f"{dialect.tool} ignores `{NOT}` here, so this passes where `{plain}` passes; "
            f"write a `{NOT}{dialect.types[0]}`, or `{plain}`.",
            fixes=partial(renaming, node, plain),
        )


RULE = Rule("RB807", "ignored-negation", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
