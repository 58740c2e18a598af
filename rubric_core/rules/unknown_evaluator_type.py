"""
## What it does
Finds an evaluator whose `type` is not one of the format's types, and in AgentV 4 and 5 an assertion without a type.

## Why is this bad?
Nobody knows how such an evaluator judges, so its case cannot be graded. Nothing further is checked in it, since its
type decides which keys it has. AgentV drops an assertion without a type, and the test runs without it.

## Example
```yaml
evaluators:
  - name: tone
    type: llm_juge
    prompt: Judge the tone of the answer
```

Use instead:
```yaml
evaluators:
  - name: tone
    type: llm_judge
    prompt: Judge the tone of the answer
```

## Fix safety
The fix writes the known type that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import noun, place_of_missing, renaming
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.suggest import closest
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import is_text
from rubric_core.views.evaluators import EvaluatorView


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    dialect = context.suite.dialect
    own_types = dialect.table.types.own_folder
    if evaluator.is_checked or evaluator.type_pair is None:
        if evaluator.kind is None and _drops_typeless(evaluator, dialect):
            place = place_of_missing(evaluator.node, evaluator.type_pair)
            yield RULE.at(place, f"This has no `type`, so it is dropped; write one, such as `{dialect.types[0]}`.")
        return
    node = evaluator.type_pair.value
    every = ", ".join(f"`{name}`" for name in dialect.common_types)
    what = noun(dialect.records["evaluator"])
    if not isinstance(node, Scalar):
        yield RULE.at(evaluator.type_pair.key, f"The type of {what} is one word; write one of {every}.")
        return
    if own_types and not is_text(node, context.version):
        yield RULE.at(node, f"The type of {what} is one word, not `{node.value}`; write one of {every}.")
        return
    nearest = closest(node.value, (*dialect.types, *dialect.old_types))
    meant = dialect.old_types.get(nearest, nearest) if nearest is not None else None
    is_negated = bool(own_types) and node.value.startswith("not-")
    if node.value in dialect.removed_types or is_negated or (own_types and meant is None):
        # RB702 reports types that were removed or negated. Other types may be defined by the project.
        return
    advice = f"did you mean `{meant}`?" if meant else f"write one of {every}."
    yield RULE.at(node, f"`{node.value}` is not {what} type; {advice}", fixes=lambda: renaming(node, meant))


def _drops_typeless(evaluator: EvaluatorView, dialect: Dialect) -> bool:
    """Return whether an evaluator needs a type even though the table does not require it for an `include`."""
    general = dialect.records["evaluator"].by_key
    return not general["type"].required and "include" in general and "include" not in evaluator.node.index


RULE = Rule("RB501", "unknown-evaluator-type", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
