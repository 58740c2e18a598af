"""
## What it does
Finds a `threshold` of a test, a suite or a set that is not a number from 0 to 1.

## Why is this bad?
A threshold is compared with scores from 0 to 1. `80` is never reached, and a negative one always is. `rubric grade`
gives no score with such a threshold.

## Example
```yaml
prompts: ["{{ input }}"]
threshold: 80
tests:
  - id: port
    vars: {input: Which port?}
    assert: [Names port 8080]
```

Use instead:
```yaml
prompts: ["{{ input }}"]
threshold: 0.8
tests:
  - id: port
    vars: {input: Which port?}
    assert: [Names port 8080]
```

## Fix safety
The fix takes a number up to 10 as a score out of 10, and one up to 100 as a percentage, which may not be what was
meant. It is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Mapping, Node, Pair
from rubric_core.syntax.scalars import as_number
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.files import FileView

_KEY = "threshold"
_PERCENT = 100


def check(case: CaseView, context: Context) -> Problems:
    for key in case.dialect.table.thresholds.case:
        yield from _problems(_below(case.node.get(key) if key else case.node), context)


def check_file(file: FileView, context: Context) -> Problems:
    places = file.dialect.table.thresholds.suite
    for chunk, pair in file.under(*places):
        yield from _problems(_below(pair.value), context, chunk)
    for chunk, pair in file.under(_KEY) if "" in places else ():
        yield from _problems(pair, context, chunk)


def check_evaluator(evaluator: EvaluatorView, context: Context) -> Problems:
    field = evaluator.record.by_key.get(_KEY)
    if field is not None and evaluator.kind is not None and field.limits[:2] == (0, 1):
        yield from _problems(evaluator.node.index.get(_KEY), context)


def _below(node: Node | None) -> Pair | None:
    return node.index.get(_KEY) if isinstance(node, Mapping) else None


def _problems(pair: Pair | None, context: Context, chunk: object | None = None) -> Iterator[Problem]:
    number = as_number(pair.value, context.version) if pair is not None else None
    if pair is None or number is None or not number.is_finite() or 0 <= number <= 1:
        return
    meant = (number / (HIGHEST if number <= HIGHEST else _PERCENT)).normalize() if 1 < number <= _PERCENT else None
    advice = f"write {meant:f}" if meant is not None else "scores are shares of 1"
    yield RULE.at(
        pair.value,
        f"The threshold {number:f} is not a number from 0 to 1; {advice}.",
        fixes=partial(one_edit, f"Change to {meant:f}", replace_node, pair.value, f"{meant:f}") if meant else None,
        chunk=chunk,
    )


_ALSO = ((Subject.FILE, check_file), (Subject.EVALUATOR, check_evaluator))
RULE = Rule("RB718", "invalid-threshold", Severity.ERROR, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
