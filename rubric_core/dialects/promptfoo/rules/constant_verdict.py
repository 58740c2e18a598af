"""
## What it does
Finds an assertion whose value is such that every output passes it, or none: an empty list of texts, and `equals` or
`not-equals` without a value.

## Why is this bad?
An assertion that cannot fail says nothing, and one that cannot pass fails every test. Promptfoo runs both without a
message.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: contains-all
        value: []
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: contains-all
        value: ["8080"]
```

## Fix safety
The fix inserts a text to fill in where there is no value. Only you know what is expected, so the fix is unsafe.
"""

from functools import partial

from rubric_core.dialects.promptfoo.assertions import VERDICT_OF_EMPTY_LIST, VERDICT_WITHOUT_VALUE
from rubric_core.rules.messages import fill_or_insert, is_misnamed, place_of_missing
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.views.evaluators import EvaluatorView

_VALUE = "value"
_EXPECTED = "TODO: what is expected"


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    kind = evaluator.kind or ""
    pair = evaluator.node.index.get(_VALUE)
    if not evaluator.record.condition.holds(evaluator.node.index):
        return
    if pair is None and is_misnamed(_VALUE, evaluator.record, evaluator.node):
        # RB003 reports a key that means the value.
        return
    if (pair is None or is_null(pair.value)) and kind in VERDICT_WITHOUT_VALUE:
        what = "every output passes" if VERDICT_WITHOUT_VALUE[kind] else "hardly any output passes"
        yield RULE.at(
            place_of_missing(evaluator.node, pair) if pair is not None else evaluator.type_place,
            f"Without a `{_VALUE}` {what} `{kind}`; write what is expected.",
            fixes=partial(fill_or_insert, evaluator, _VALUE, _EXPECTED, context.text),
        )
    elif pair is not None and isinstance(pair.value, Sequence) and not pair.value.items:
        passes = VERDICT_OF_EMPTY_LIST.get(kind)
        if passes is not None:
            what = "every output passes" if passes else "no output passes"
            yield RULE.at(pair.value, f"With an empty list {what} `{kind}`; write at least one text.")


RULE = Rule("RB804", "constant-verdict", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
