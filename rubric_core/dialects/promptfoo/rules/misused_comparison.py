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

## Fix safety
The fixes move the assertion out of the set, and insert a criterion to fill in. The outputs are compared then, so the
fixes are unsafe.
"""

from functools import partial

from rubric_core.dialects.promptfoo.assertions import NEEDS_CRITERION
from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, in_tests
from rubric_core.dialects.promptfoo.suite import ConfigurationFacts, given_by_suite
from rubric_core.rules.messages import fill_or_insert, is_misnamed
from rubric_core.rules.rule import Context, Fix, Fixes, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import CRITERION_PLACEHOLDER
from rubric_core.syntax.edits import column_of, dash_of, last_leaf, remove_item
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.lines import line_end
from rubric_core.text.spans import Edit
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView


def check(judged: Judged, context: Context) -> Problems:
    for view in judged.lists:
        comparing = (assertion for assertion in view.evaluators if assertion.kind in NEEDS_CRITERION)
        yield from filter(None, (_problem(view, assertion, context, judged) for assertion in comparing))


def _problem(view: EvaluatorsView, assertion: EvaluatorView, context: Context, judged: Judged) -> Problem | None:
    message: str | None = None
    fixes: Fixes | None = None
    if view.composite is not None:
        message = f"In a set `{assertion.kind}` is never run; move it out of the set."
        fixes = partial(_move_out, view, assertion, judged.text)
    elif given_by_suite(context).has_one_output or _chooses_one(judged.node, given_by_suite(context)):
        message = (
            f"`{assertion.kind}` compares several outputs and there is one, so that the run fails at its end; "
            "add a prompt or a provider."
        )
    elif NEEDS_CRITERION[assertion.kind or ""] and _lacks_value(assertion):
        message = (
            f"`{assertion.kind}` needs a `value`, or the run fails at its end; write what makes an output the best."
        )
        fixes = partial(fill_or_insert, assertion, "value", CRITERION_PLACEHOLDER, judged.text)
    return RULE.at(assertion.type_place, message, chunk=judged.chunk, fixes=fixes) if message is not None else None


def _chooses_one(test: Mapping, inherited: ConfigurationFacts) -> bool:
    """Return whether a test runs with one prompt and one provider only."""
    prompts = _chosen(test.get("prompts"), inherited.prompt_labels) or inherited.prompt_count
    providers = _chosen(test.get("providers"), inherited.provider_labels) or inherited.provider_count
    return prompts == providers == 1


def _chosen(node: Node | None, labels: frozenset[str] | None) -> int | None:
    """Return 1 if a list has one name, which matches exactly one thing; else None."""
    items = node.items if isinstance(node, Sequence) else []
    if labels is None or len(items) != 1 or not isinstance(items[0], Scalar):
        return None
    return 1 if [label for label in labels if label.startswith(items[0].value)] == [items[0].value] else None


def _move_out(view: EvaluatorsView, assertion: EvaluatorView, text: str) -> list[Fix | None]:
    """Move the assertion behind its set."""
    node, composite = assertion.node, view.composite.node if view.composite is not None else None
    dash, outer = dash_of(text, node), dash_of(text, composite) if composite is not None else -1
    if composite is None or composite.flow or min(dash, outer) < 0 or node.origin is not None:
        return []
    indent = " " * column_of(text, outer)
    # The lines below the dash move as far as the dash.
    step = " " * (column_of(text, dash) - len(indent))
    lines = [line.removeprefix(step) for line in f"{step}{indent}{text[dash : node.end].rstrip()}".split("\n")]
    removed, end = remove_item(text, view.pair.value, node), line_end(text, last_leaf(composite).end)
    if removed is None:
        return []
    written = "\n".join(lines)
    if removed.end > end:
        return [Fix("Move it out of the set", (Edit(*removed[:2], f"{written}\n"),))]
    return [Fix("Move it out of the set", (removed, Edit(end, end, f"\n{written}")))]


def _lacks_value(assertion: EvaluatorView) -> bool:
    value = assertion.node.get("value")
    # RB003 reports a key that means the value.
    is_misspelt = value is None and is_misnamed("value", assertion.record, assertion.node)
    return (value is None or is_blank(value)) and not is_misspelt


_ALSO = ((Subject.FILE, in_defaults(check)),)
RULE = Rule(
    "RB808", "misused-comparison", Severity.ERROR, Subject.CASE, in_tests(check), fixes_are_safe=False, also=_ALSO
)
