"""
## What it does
Finds the `min_score` of an assertion that is not a number above 0 and up to 1. In AgentV 4 it also finds such a number
under `required`, where it is an older way to write the `min_score`.

## Why is this bad?
Scores of assertions go from 0 to 1. Any other `min_score` is ignored without a message, so the assertion fails by the
pass mark of the test instead of the number that is written. With such a number as `required` it fails nothing at all.

The `min_score` of a criterion is found by [RB207](RB207.md).

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: Names port 8080
        required: true
        min_score: 7
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
A number from 1 to 10 is divided by ten, and a percentage by a hundred. From then on it is a gate, so the fix is unsafe,
as is removing what cannot be one. A number under `required` becomes `required: true` with the `min_score` beside it.
"""

from decimal import Decimal
from functools import partial

from rubric_core.rules.messages import as_written, removal
from rubric_core.rules.rule import Context, Fix, Fixes, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import FieldType
from rubric_core.schema.scales import HIGHEST
from rubric_core.syntax.edits import insert_key, replace_node
from rubric_core.syntax.nodes import Node, Pair, Scalar
from rubric_core.syntax.scalars import as_number, is_blank, number_in
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.judging_parts import is_share

_KEY = "min_score"
_REQUIRED = "required"
_PERCENT = 100


def check_required(evaluator: EvaluatorView, context: Context) -> Problems:
    """Check a number under `required`, in a dialect that allows one."""
    pair = evaluator.node.index.get(_REQUIRED)
    field = evaluator.record.by_key.get(_REQUIRED)
    if pair is None or field is None or evaluator.kind is None or not field.accepts(FieldType.NUMBER):
        return
    value = as_number(pair.value, context.version)
    if value is None or is_share(value):
        return
    meant = _meant(pair.value) if _KEY not in evaluator.node.index else None
    instead = f"`{_REQUIRED}: true`" + (f" and `{_KEY}: {meant}`" if meant is not None else "")
    fixes = partial(_require, context.text, evaluator, instead.replace("`", ""), meant)
    yield _ignored(pair, value, f"write {instead}", context, fixes)


def _require(text: str, evaluator: EvaluatorView, title: str, meant: str | None) -> list[Fix | None]:
    pair = evaluator.node.index[_REQUIRED]
    edits = [replace_node(pair.value, "true")]
    if meant is not None:
        inserted = insert_key(text, evaluator.node, _KEY, Decimal(meant), after=pair)
        if inserted is None:
            return []
        edits.append(inserted)
    return [Fix(f"Write `{title}`", tuple(edits))]


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    pair = evaluator.node.index.get(_KEY)
    if pair is None or evaluator.kind is None or _KEY not in evaluator.record.by_key or is_blank(pair.value):
        return
    if is_gate_of_criterion(evaluator):
        return
    value = as_number(pair.value, context.version)
    if value is not None and is_share(value):
        return
    meant = _meant(pair.value)
    advice = f"write {meant}" if meant is not None else "write a number above 0 and up to 1"
    yield _ignored(pair, value, advice, context, partial(_fixes, context.text, evaluator, meant))


def is_gate_of_criterion(evaluator: EvaluatorView) -> bool:
    """Return whether the assertion is one criterion, whose gate `min_score` is."""
    return evaluator.criteria is not None and evaluator.criteria.is_single


def _ignored(pair: Pair, value: Decimal | None, advice: str, context: Context, fixes: Fixes) -> Problem:
    why = "it is not a number" if value is None else "it is above 1" if value > 1 else "it is not above 0"
    written = as_written(context.text, pair.value).strip("`")
    return RULE.at(pair.value, f"`{pair.name}: {written}` is ignored because {why}; {advice}.", fixes=fixes)


def _meant(node: Node) -> str | None:
    """Return the number that is probably meant."""
    written = node.value.strip() if isinstance(node, Scalar) else ""
    value = number_in(written.rstrip("% "))
    if value is None or not value.is_finite() or value <= 0 or value > _PERCENT:
        return None
    if value > HIGHEST or written.endswith("%"):
        value /= _PERCENT
    elif value > 1:
        value /= Decimal(HIGHEST)
    return f"{value.normalize():f}"


def _fixes(text: str, evaluator: EvaluatorView, meant: str | None) -> list[Fix | None]:
    pair = evaluator.node.index[_KEY]
    if meant is not None:
        return [Fix(f"Change to {meant}", (replace_node(pair.value, meant),))]
    return [removal(text, evaluator.node, pair)]


_ALSO = ((Subject.EVALUATOR, check_required),)
RULE = Rule("RB710", "invalid-min-score", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False, also=_ALSO)
