"""
## What it does
Finds a test with nothing that judges its answer: it has no assertion, or every assertion that it has is dropped.

## Why is this bad?
AgentV 4 does not run such a test. AgentV 5 runs it and lets it pass with the score 1, whatever the answer is. So does
promptfoo, where it is only a hint, since people also compare outputs by eye; `severity` of the configuration can make
it a warning.

AgentV 4 looks at `criteria`, `expected_output` and `assertions` of the test alone: `rubrics`, `evaluators` or the
assertions of the suite are not enough.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - Names port 8080
```

## Fix safety
The fix inserts an assertion to fill in, unless a key that is misspelt or stands in the wrong place has them. Only you
know what is to be judged, so the fix is unsafe.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from rubric_core.rules.messages import first_key, is_misnamed
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import CRITERION_PLACEHOLDER, FieldType, Role
from rubric_core.syntax.edits import Data, insert_key
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.cases import CaseView, skips_defaults
from rubric_core.views.records import is_empty_list


def is_judged_by_suite(case: CaseView, context: Context) -> bool:
    """Return whether a test gets assertions from the suite."""
    return context.suite.has_assertions and not skips_defaults(case.node, case.version)


class Ungraded(NamedTuple):
    """The effect of a test without assertions, and the sources of assertions beside its own keys."""

    effect: str
    severity: Severity | None = None
    is_judged_elsewhere: Callable[[CaseView, Context], bool] = is_judged_by_suite

    def rule(self) -> Rule:
        """Return the rule of a dialect."""
        return _RULE._replace(check=partial(check, self))


def check(ungraded: Ungraded, case: CaseView, context: Context) -> Problems:
    dialect = context.suite.dialect
    is_setting = context.scenario is not None and context.scenario.is_setting
    # An item of the list may only name a file with tests.
    is_reference = "include" in case.node.index or not case.dialect.case.condition.holds(case.node.index)
    if is_setting or is_reference or _is_judged(case) or ungraded.is_judged_elsewhere(case, context):
        return
    place = case.identifier or first_key(case.node)
    key = dialect.case.keys_of(Role.EVALUATORS)[0]
    yield _RULE.at(
        place,
        f"No assertion is left that judges this test, so {ungraded.effect}; add one under `{key}`.",
        fixes=partial(_fixes, case, key, context.text),
        severity=ungraded.severity,
    )


def _is_judged(case: CaseView) -> bool:
    node, judging = case.node, case.dialect.table.judging
    for view in case.evaluators:
        is_counted = view.composite is None and view.pair.name in judging.lists
        if is_counted and (view.criteria is not None or not all(evaluator.is_dropped for evaluator in view.evaluators)):
            return True
    return any(_is_filled(node, key) for key in judging.others)


def _is_filled(node: Mapping, key: str) -> bool:
    pair = node.index.get(key)
    return pair is not None and not is_blank(pair.value) and not is_empty_list(pair.value)


def _is_meant(case: CaseView, key: str) -> bool:
    """Return whether a misspelt or misplaced key, which another rule reports, has the assertions."""
    inner = (pair.value for pair in case.node.pairs)
    is_inside = any(isinstance(value, Mapping) and key in value.index for value in inner)
    return is_inside or is_misnamed(key, case.dialect.case, case.node)


def _fixes(case: CaseView, key: str, text: str) -> list[Fix | None]:
    if key in case.node.index or _is_meant(case, key):
        return []
    own = [pair for pair in case.node.pairs if pair.key.origin is None]
    after = own[-1] if own else None
    field = case.dialect.case.by_key[key]
    takes_texts = field.items is not None and FieldType.STRING in field.items
    judged: Data = CRITERION_PLACEHOLDER
    if not takes_texts:
        judged = {"type": case.dialect.types[0], "value": CRITERION_PLACEHOLDER}
    return [Fix.of(f"Insert `{key}`", insert_key(text, case.node, key, [judged], after=after))]


_RULE = Rule("RB703", "ungraded-test", Severity.ERROR, Subject.CASE, partial(check, Ungraded("")), fixes_are_safe=False)
