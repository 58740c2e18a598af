"""
## What it does
Finds a `threshold` of a test or a set that is above 1, a `threshold` of a test without assertions, and a test whose
assertions all have the weight 0.

## Why is this bad?
A score is at most 1, so nothing reaches a threshold of 50. Without assertions the threshold is not looked at, and the
test passes. Assertions of weight 0 cannot fail; with a threshold above 0 the test cannot pass either, because its score
is 0.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    threshold: 50
    assert:
      - type: contains
        value: "8080"
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    threshold: 0.5
    assert:
      - type: contains
        value: "8080"
```

## Fix safety
The fix takes the number for a percentage. It is a guess, so the fix is unsafe.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import partial

from rubric_core.rules.judged import Judged, judged_case, judged_defaults
from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Pair
from rubric_core.syntax.scalars import YamlVersion, as_number
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import weight_of
from rubric_core.views.evaluators import EvaluatorsView
from rubric_core.views.files import FileView

_THRESHOLD = "threshold"
_HUNDRED = 100


def check(case: CaseView, context: Context) -> Problems:
    judged = judged_case(case, context)
    yield from _too_high(judged, context.version)
    pair = case.node.index.get(_THRESHOLD)
    own = [each for each in case.evaluators if each.composite is None]
    has_assertions = judged.gets_more or any(each.evaluators for each in own)
    if pair is not None and not has_assertions and not _is_judged_otherwise(case):
        message = "Nothing is asserted, so that this threshold is not looked at and the test passes; add assertions."
        yield RULE.at(pair.key, message, severity=Severity.WARNING)
    for each in own:
        yield from _without_weight(each, pair, judged, context.version)


def check_file(file: FileView, context: Context) -> Problems:
    for each in judged_defaults(file, context):
        yield from _too_high(each, context.version)


def _is_judged_otherwise(case: CaseView) -> bool:
    return any(key in case.node.index for key in case.dialect.judging_keys) or not case.dialect.case.is_of(
        case.node.index
    )


def _too_high(judged: Judged, version: YamlVersion) -> Iterator[Problem]:
    sets = [each.node for each in judged.assertions() if each.kind is not None and each.record.by_role[Role.EVALUATORS]]
    for owner in (judged.node, *sets):
        pair = owner.index.get(_THRESHOLD)
        number = as_number(pair.value, version) if pair is not None else None
        if pair is not None and number is not None and number.is_finite() and number > 1:
            what = "test" if owner is judged.node else "set"
            yield RULE.at(
                pair.value,
                f"The score of a {what} is at most 1, so that it never reaches {number}; write a share of 1.",
                fixes=partial(_fixes, pair, number),
                chunk=judged.chunk,
            )


def _without_weight(view: EvaluatorsView, pair: Pair | None, judged: Judged, version: YamlVersion) -> Iterator[Problem]:
    weights = [weight_of(each.node, version) for each in view.evaluators]
    if judged.gets_more or not weights or any(weight != 0 for weight in weights):
        return
    threshold = as_number(pair.value, version) if pair is not None else None
    if threshold is not None and threshold > 0:
        message = f"All assertions have the weight 0, so that the score 0 never reaches {threshold}; give one a weight."
        yield RULE.at(view.pair.key, message)
    else:
        message = "All assertions have the weight 0, so that the test cannot fail; give one a weight above 0."
        yield RULE.at(view.pair.key, message, severity=Severity.WARNING)


def _fixes(pair: Pair, number: Decimal) -> list[Fix]:
    if number > _HUNDRED:
        return []
    share = f"{(number / _HUNDRED).normalize():f}"
    return [Fix(f"Change to {share}", (replace_node(pair.value, share),))]


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule(
    "RB806",
    "unreachable-pass",
    Severity.ERROR,
    Subject.CASE,
    check,
    fixes_are_safe=False,
    also=_ALSO,
    needs="allows_weight_zero",
)
