"""
## What it does
Finds a type of an assertion that earlier releases of AgentV had, or that is written as `not-` and the name of a type.

## Why is this bad?
The upstream tool does not run a test with a type that it removed. It takes some names, such as `code-grader` and
`not-contains`, for a type of the project's own, finds no program for it, and gives the score 0. Its validation calls
many of these files valid.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: rubrics
        criteria: [Names port 8080]
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value: [Names port 8080]
```

## Fix safety
The fix writes the type that means the same, with the keys that it has, so it is safe.
"""

from functools import partial

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import replace_name
from rubric_core.rules.removed_key import EFFECTS
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.edits import insert_key, rename_key
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.evaluators import EvaluatorView

_NOT = "not-"
_OLD_CRITERIA = ("criteria", "rubrics")


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    node = evaluator.type_pair.value if evaluator.type_pair is not None else None
    if evaluator.kind is not None or not isinstance(node, Scalar):
        return
    dialect, written = context.suite.dialect, node.value
    removed = dialect.removed_types.get(written)
    if removed is not None:
        yield RULE.at(
            node,
            f"`{written}` is no type of {dialect.title}, so {EFFECTS[removed.effect]}; {removed.remedy}.",
            fixes=partial(_rename, evaluator, node, removed.instead, dialect) if removed.instead else None,
        )
        return
    plain = written.removeprefix(_NOT)
    if plain != written and dialect.table.types.own_folder and dialect.type_of(plain) is not None:
        yield RULE.at(
            node,
            f"`{written}` is no type of {dialect.title} and scores 0; write `type: {plain}` with `negate: true`.",
            fixes=partial(_negate, evaluator, node, plain, context.text),
        )


def _rename(evaluator: EvaluatorView, node: Scalar, instead: str, dialect: Dialect) -> list[Fix]:
    """Replace the type, and rename the key of the criteria accordingly."""
    edits = [replace_name(node, instead)]
    keys = dialect.evaluator(instead).keys_of(Role.CRITERIA)
    old = [evaluator.node.index[key] for key in _OLD_CRITERIA if key in evaluator.node.index and key not in keys]
    if keys and old and keys[0] not in evaluator.node.index:
        edits.append(rename_key(old[0], keys[0]))
    return [Fix(f"Change to `{instead}`", tuple(edits), safe=True)]


def _negate(evaluator: EvaluatorView, node: Scalar, plain: str, text: str) -> list[Fix | None]:
    if "negate" in evaluator.node.index:
        return []
    inserted = insert_key(text, evaluator.node, "negate", value=True, after=evaluator.type_pair)
    return [Fix.of(f"Write `type: {plain}` with `negate: true`", replace_name(node, plain), inserted, safe=True)]


RULE = Rule("RB702", "removed-assertion-type", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=True)
