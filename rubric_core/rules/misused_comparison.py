"""
## What it does
Finds an assertion that compares several outputs, `select-best` or `max-score`, where there is only one output, where
it has no criterion, or in a set.

## Why is this bad?
With one output, or without a criterion, promptfoo fails at the very end of the run, and all results are lost. In a set
the assertion is never run.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: select-best
        value: Names the port first
```

Use instead:
```yaml
prompts: ["{{ question }}", "Please: {{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: select-best
        value: Names the port first
```
"""

from rubric_core.rules.judged import Judged, judged_case, judged_defaults
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView
from rubric_core.views.files import FileView


def check(case: CaseView, context: Context) -> Problems:
    yield from _comparisons(judged_case(case, context), context)


def check_file(file: FileView, context: Context) -> Problems:
    for each in judged_defaults(file, context):
        yield from _comparisons(each, context)


def _comparisons(judged: Judged, context: Context) -> Problems:
    types = judged.dialect.comparing_types
    for view in judged.lists:
        for assertion in view.evaluators:
            found = _problem(view, assertion, context, judged) if assertion.kind in types else None
            if found is not None:
                yield found


def _problem(view: EvaluatorsView, assertion: EvaluatorView, context: Context, judged: Judged) -> Problem | None:
    place = assertion.type_pair.value if assertion.type_pair is not None else assertion.node
    value = assertion.node.get("value")
    message = None
    if view.composite is not None:
        message = f"In a set `{assertion.kind}` is never run; move it out of the set."
    elif context.suite.inherited.has_one_output:
        message = (
            f"`{assertion.kind}` compares several outputs and there is one, so that the run fails at its end; "
            "add a prompt or a provider."
        )
    elif judged.dialect.comparing_types[assertion.kind or ""] and (value is None or is_blank(value)):
        message = (
            f"`{assertion.kind}` needs a `value`, or the run fails at its end; write what makes an output the best."
        )
    return RULE.at(place, message, chunk=judged.chunk) if message is not None else None


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB808", "misused-comparison", Severity.ERROR, Subject.CASE, check, also=_ALSO, needs="comparing_types")
