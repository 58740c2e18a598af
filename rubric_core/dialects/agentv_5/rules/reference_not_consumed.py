"""
## What it does
Finds `expected_output` among the variables of a test where no assertion and no prompt mentions it, and an assertion of
the type `field-accuracy` that has nothing to compare the answer with.

## Why is this bad?
In AgentV 5 `vars.expected_output` is a variable like any other. It is not the reference answer: a judge sees it only
where an assertion says `{{ expected_output }}`, and `field-accuracy` finds no expected data at all.

Tests in a file of their own, which the suite names under `tests`, may still have `expected_output` as a key.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars:
      input: Which port?
      expected_output: It is port 8080.
    assert:
      - Names the right port
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars:
      input: Which port?
      expected_output: It is port 8080.
    assert:
      - "Names the right port, as here: {{ expected_output }}"
```

## Fix safety
The fix adds an assertion that compares the answer with the variable. The answer is judged by one thing more then, so
the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.dialects.agentv_5.suite import given_by_suite
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.edits import insert_lines_after, item_indent, last_leaf
from rubric_core.syntax.nodes import BlockScalar, Mapping, Scalar, Sequence, walk
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import EvaluatorView

_NAME = "expected_output"
_COMPARING = "field-accuracy"
_COMPARISON = f"Says the same as this reference answer: {{{{ {_NAME} }}}}"
# These read their texts from other files or get the whole test, so the variables that they use are unknown.
_TEXT_KEYS = frozenset({"prompt", "include", "command"})
_CODE_TYPES = frozenset({"script", "javascript", "python", "webhook"})


def check(case: CaseView, context: Context) -> Problems:
    if case.dialect.case.by_role[Role.REFERENCE] or _NAME in case.node.index:
        return
    for evaluator in _evaluators(case):
        if evaluator.kind == _COMPARING and evaluator.type_pair is not None:
            yield RULE.at(
                evaluator.type_pair.value,
                f"`{_COMPARING}` has no reference answer to compare with, because tests in a suite have none; "
                f"move the test to a file of tests, with a key `{_NAME}`.",
            )
    variables = case.node.get("vars")
    pair = variables.index.get(_NAME) if isinstance(variables, Mapping) else None
    # The tests of a scenario may use the variables of a setting.
    is_setting = context.scenario is not None and context.scenario.is_setting
    if pair is not None and not is_setting and not _is_consumed(case, context):
        yield RULE.at(
            pair.key,
            f"No assertion or prompt uses `{_NAME}`, and it is not a reference answer by itself; "
            f"write `{{{{ {_NAME} }}}}` in an assertion.",
            fixes=partial(_fixes, case, context.text),
        )


def _evaluators(case: CaseView) -> Iterator[EvaluatorView]:
    return (evaluator for evaluators in case.evaluators for evaluator in evaluators.evaluators)


def _is_consumed(case: CaseView, context: Context) -> bool:
    inherited = given_by_suite(context)
    if not inherited.is_known or context.suite.has_assertions or _NAME in inherited.prompt_names:
        return True
    if any(_may_read_anything(evaluator) for evaluator in _evaluators(case)):
        return True
    places = (pair.value for key, pair in case.node.index.items() if key != "vars")
    return any(isinstance(node, Scalar) and _NAME in node.value for place in places for node in walk(place))


def _may_read_anything(evaluator: EvaluatorView) -> bool:
    is_code = evaluator.kind is None or evaluator.kind in _CODE_TYPES
    return is_code or not _TEXT_KEYS.isdisjoint(evaluator.node.index)


def _fixes(case: CaseView, text: str) -> list[Fix]:
    pair = next((view.pair for view in case.evaluators if view.composite is None), None)
    items = pair.value if pair is not None else None
    if not isinstance(items, Sequence) or items.flow or items.origin is not None or not items.items:
        return []
    last = items.items[-1]
    if last.origin is not None or isinstance(last_leaf(last), BlockScalar):
        return []
    edit = insert_lines_after(text, last.end, [f'- "{_COMPARISON}"'], item_indent(text, items))
    return [Fix("Add an assertion that compares the answer with it", (edit,))]


RULE = Rule("RB715", "reference-not-consumed", Severity.HINT, Subject.CASE, check, fixes_are_safe=False)
