"""
## What it does
Finds an assertion of the type `llm-rubric` or `agent-rubric` without a `value`, also where its prompt comes from a file
or a command.

## Why is this bad?
The upstream tool drops such an assertion: it looks for a `value` or for the text of a prompt, and a file or a command
is neither. The test then runs without it, and without any assertion it passes with the score 1.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        prompt: file://graders/tone.md
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: The answer is polite
        prompt: file://graders/tone.md
```

## Fix safety
The fix inserts a `value` to fill in. Only you know what is to be judged, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import fill_or_insert, place_of_missing
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import CRITERION_PLACEHOLDER, Role
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.records import is_empty_list


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    if not lacks_value(evaluator):
        return
    value = evaluator.node.index.get("value")
    prompt = evaluator.node.index.get("prompt")
    why = "even with a prompt file or command" if prompt is not None else "because it does not define what to judge"
    yield RULE.at(
        place_of_missing(evaluator.node, value),
        f"This `{evaluator.kind}` has no `value`, so it is dropped {why}; write what the answer must do under `value`.",
        fixes=partial(fill_or_insert, evaluator, "value", CRITERION_PLACEHOLDER, context.text),
    )


def lacks_value(evaluator: EvaluatorView) -> bool:
    """Return whether a rubric has neither a `value` nor the text of a prompt."""
    if evaluator.kind is None or not evaluator.record.by_role[Role.CRITERIA]:
        return False
    prompt, value = evaluator.node.get("prompt"), evaluator.node.get("value")
    says_nothing = value is None or is_blank(value) or is_empty_list(value)
    has_text = isinstance(prompt, Scalar) and not is_blank(prompt) and not prompt.value.startswith(FILE_URL)
    return says_nothing and not has_text


RULE = Rule("RB704", "dropped-rubric-prompt", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
