"""
## What it does
Finds the `min_score` of an assertion without `required: true`, and `min_score`, `required` and `negate` in an
assertion of a set.

## Why is this bad?
Only an assertion with `required: true` can fail a test by itself. Without it the score goes into the mean, whatever
`min_score` says. In a set of assertions, only the score and the weight of each member count: none of them can fail the
test, and none is turned around.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: Names port 8080
        min_score: 0.7
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: Names port 8080
        required: true
        min_score: 0.7
```

## Fix safety
Adding `required: true` makes the number a gate. Removing a key that has no effect changes no score, but what its author
wanted is missing then. Both are unsafe.
"""

from functools import partial

from rubric_core.dialects.agentv.rules.invalid_min_score import is_gate_of_criterion
from rubric_core.rules.messages import one_edit, removal
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import insert_key, remove_pair, replace_node
from rubric_core.syntax.nodes import Pair
from rubric_core.syntax.scalars import YamlVersion, as_boolean, as_number, is_blank
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView
from rubric_core.views.judging_parts import is_share

_KEY = "min_score"
_OF_MEMBERS = ("required", _KEY, "negate")


def check(evaluators: EvaluatorsView, context: Context) -> Problems:
    for evaluator in evaluators.evaluators:
        if evaluator.kind is None or _KEY not in evaluator.record.by_key:
            continue
        if evaluators.composite is not None:
            yield from _in_set(evaluator, evaluators.composite, context)
        else:
            yield from _without_required(evaluator, context)


def _in_set(evaluator: EvaluatorView, composite: EvaluatorView, context: Context) -> Problems:
    for key in _OF_MEMBERS:
        pair = evaluator.node.index.get(key)
        if pair is None or _says_no(pair, context.version) or (key == _KEY and is_gate_of_criterion(evaluator)):
            continue
        yield RULE.at(
            pair.key,
            f"`{key}` has no effect in an assertion of a set; remove it, or take the assertion out of the "
            f"`{composite.kind}`.",
            fixes=partial(one_edit, f"Remove `{key}`", remove_pair, context.text, evaluator.node, pair),
        )


def _without_required(evaluator: EvaluatorView, context: Context) -> Problems:
    pair, required = evaluator.node.index.get(_KEY), evaluator.node.index.get("required")
    if pair is None or is_gate_of_criterion(evaluator):
        return
    value = as_number(pair.value, context.version)
    if value is None or not is_share(value):
        return
    if required is not None and not _says_no(required, context.version):
        return
    yield RULE.at(
        pair.key,
        f"`{_KEY}` has no effect without `required: true`, so no score fails the test by itself; add it.",
        fixes=partial(_fixes, context.text, evaluator, pair, required),
    )


def _says_no(pair: Pair, version: YamlVersion) -> bool:
    return is_blank(pair.value) or as_boolean(pair.value, version) is False


def _fixes(text: str, evaluator: EvaluatorView, pair: Pair, required: Pair | None) -> list[Fix | None]:
    if required is not None:
        edit = replace_node(required.value, "true") if required.key.origin is None else None
    else:
        edit = insert_key(text, evaluator.node, "required", value=True, after=pair)
    return [Fix.of("Add `required: true`", edit), removal(text, evaluator.node, pair)]


RULE = Rule("RB711", "ineffective-min-score", Severity.WARNING, Subject.EVALUATORS, check, fixes_are_safe=False)
