"""
## What it does
Finds a rubric for a judge that has no text: an `llm-rubric` without a `value`, where no `rubricPrompt` says what is to
be judged either.

## Why is this bad?
Promptfoo sends an empty rubric to the judge without a message, and the judge decides whatever it likes.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: llm-rubric
        metric: correctness
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: llm-rubric
        value: Names port 8080
        metric: correctness
```

## Fix safety
The fix inserts a text to fill in. Only you know what is to be judged, so the fix is unsafe.
"""

from functools import partial

from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, judged_case
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.rules.messages import fill_or_insert, is_misnamed, place_of_missing
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import CRITERION_PLACEHOLDER, Role
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.cases import CaseView

_PROMPT = "rubricPrompt"


def check(case: CaseView, context: Context) -> Problems:
    inherited = given_by_suite(context)
    if inherited.is_known and not inherited.has_rubric_prompt:
        yield from _without_text(judged_case(case, context), context)


def _without_text(judged: Judged, _context: Context) -> Problems:
    if judged.option(_PROMPT) is not None:
        return
    for assertion in judged.rubrics():
        field, record, index = assertion.record.by_role[Role.CRITERIA][0], assertion.record, assertion.node.index
        pair = index.get(field.name)
        has_text = _PROMPT in index or (pair is not None and not is_blank(pair.value))
        # RB005 reports a field that must be there, RB003 a key that means the text.
        if has_text or field.required or not record.condition.holds(index):
            continue
        if is_misnamed(field.name, record, assertion.node):
            continue
        yield RULE.at(
            place_of_missing(assertion.node, pair) if pair is not None else assertion.type_place,
            f"This `{assertion.kind}` has no text, so that the judge decides by an empty rubric; "
            f"write under `{field.name}` what it checks.",
            fixes=partial(fill_or_insert, assertion, field.name, CRITERION_PLACEHOLDER, judged.text),
            chunk=judged.chunk,
        )


_ALSO = ((Subject.FILE, in_defaults(_without_text)),)
RULE = Rule("RB803", "rubric-without-text", Severity.ERROR, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
