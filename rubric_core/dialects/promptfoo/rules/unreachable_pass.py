"""
## What it does
Finds a `threshold` of a test without assertions, and a test whose assertions all have the weight 0.

## Why is this bad?
Without assertions the threshold is not looked at, and the test passes. Assertions of weight 0 cannot fail; with a
threshold above 0 the test cannot pass either, because its score is 0. Without such a threshold nothing is reported
where all of them have a `metric`: they measure, and derived metrics read them.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: contains
        value: "8080"
        weight: 0
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: contains
        value: "8080"
```

## Fix safety
The fixes remove a threshold that is not looked at, or the weights, so that the assertions count. Other tests pass then,
so the fixes are unsafe.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial

from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, judged_case
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.rules.messages import is_misnamed, removal
from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.edits import remove_pair
from rubric_core.syntax.scalars import YamlVersion, as_number
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import weight_of
from rubric_core.views.evaluators import EvaluatorsView

_THRESHOLD = "threshold"
_METRIC = "metric"


def check(case: CaseView, context: Context) -> Problems:
    judged = judged_case(case, context)
    pair = case.node.index.get(_THRESHOLD)
    own = [view for view in case.evaluators if view.composite is None]
    has_assertions = judged.gets_more or any(view.evaluators for view in own)
    if pair is not None and not has_assertions and not _is_judged_otherwise(case):
        yield RULE.at(
            pair.key,
            "Nothing is asserted, so this threshold is not evaluated and the test passes; add assertions.",
            severity=Severity.WARNING,
            fixes=lambda: [removal(context.text, case.node, pair)],
        )
    if not judged.gets_more or given_by_suite(context).weighs_nothing:
        needed = as_number(pair.value, context.version) if pair is not None else None
        needed = needed if needed is not None else given_by_suite(context).pass_mark
        for view in own:
            yield from _without_weight(view, "test", judged, context.version, needed)
    yield from _weightless_sets(judged, context)


def _weightless_sets(judged: Judged, context: Context) -> Problems:
    for view in judged.lists:
        if view.composite is not None:
            pair = view.composite.node.index.get(_THRESHOLD)
            threshold = as_number(pair.value, context.version) if pair is not None else None
            yield from _without_weight(view, "set", judged, context.version, threshold)


def _is_judged_otherwise(case: CaseView) -> bool:
    keys, record = case.node.index, case.dialect.case
    is_judged = any(key in keys for key in case.dialect.table.judging.others) or not record.condition.holds(keys)
    # A misspelt key of assertions is reported by itself.
    return is_judged or any(is_misnamed(key, record, case.node) for key in record.keys_of(Role.EVALUATORS))


def _without_weight(
    view: EvaluatorsView, whole: str, judged: Judged, version: YamlVersion, threshold: Decimal | None
) -> Iterator[Problem]:
    """Yield the problem of a test or a set whose assertions all have weight 0."""
    weights = [weight_of(assertion.node, version) for assertion in view.evaluators]
    if not weights or any(weight != 0 for weight in weights):
        return
    if threshold is not None and threshold > 0:
        message = f"All assertions have the weight 0, so that the score 0 never reaches {threshold}; give one a weight."
        severity = Severity.ERROR
    elif all(_METRIC in assertion.node.index for assertion in view.evaluators) or _has_set(view):
        return
    else:
        message = f"All assertions have the weight 0, so that the {whole} cannot fail; give one a weight above 0."
        severity = Severity.WARNING
    yield RULE.at(
        view.pair.key, message, severity=severity, fixes=partial(_remove_weights, view, judged.text), chunk=judged.chunk
    )


def _has_set(view: EvaluatorsView) -> bool:
    """Return whether there is a set among the assertions, which can fail even with weight 0."""
    return any(assertion.record.by_role[Role.EVALUATORS] for assertion in view.evaluators if assertion.kind is not None)


def _remove_weights(view: EvaluatorsView, text: str) -> list[Fix | None]:
    edits = [remove_pair(text, assertion.node, assertion.node.index["weight"]) for assertion in view.evaluators]
    what = "`weight`, so that it is 1" if len(edits) == 1 else "every `weight`, so that each is 1"
    return [Fix.of(f"Remove {what}", *edits)]


_ALSO = ((Subject.FILE, in_defaults(_weightless_sets)),)
RULE = Rule("RB806", "unreachable-pass", Severity.ERROR, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
