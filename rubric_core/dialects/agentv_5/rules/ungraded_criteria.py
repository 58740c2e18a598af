"""
## What it does
Finds `criteria` of a test that nobody grades because there are assertions: its own, those of the suite, those of
`default_test`, or those of its scenario.

## Why is this bad?
In AgentV 5 `criteria` are only graded in a test without any assertion. Where the suite has some, the criteria of the
test are left out without a message. Beside the test's own `assert` they only go into the prompt of a judge, and
`agentv validate` refuses the file.

## Example
```yaml
prompts: ["{{ input }}"]
assert:
  - Is polite
tests:
  - id: port
    vars: {input: Which port?}
    criteria: Names port 8080
```

Use instead:
```yaml
prompts: ["{{ input }}"]
assert:
  - Is polite
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - Names port 8080
```

## Fix safety
Where the test has no `assert`, one fix moves the criteria there, so that they are graded. The other one calls them
`description`, which nobody grades either. Both change what the judge is told, so they are unsafe.
"""

from functools import partial

from rubric_core.dialects.agentv_5.suite import given_by_suite
from rubric_core.rules.messages import rename_key_fix
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.edits import rename_key, render, replace_node
from rubric_core.syntax.nodes import BlockScalar, Pair, Scalar
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.cases import CaseView, skips_defaults


def check(case: CaseView, context: Context) -> Problems:
    dialect, node = case.dialect, case.node
    pair = node.index.get(dialect.case_text_keys[0])
    if pair is None or is_blank(pair.value):
        return
    key = dialect.case.keys_of(Role.EVALUATORS)[0]
    # A list under a name of earlier releases is renamed by the fix of RB701.
    old = [name for name, removed in dialect.case.removed.items() if removed.instead == key]
    beside = next((name for name in (key, *old) if name in node.index), None)
    if beside is not None:
        yield RULE.at(
            pair.key,
            f"`{pair.name}` cannot stand beside `{beside}`, and `agentv validate` refuses it; move it to `{key}`.",
            fixes=partial(_fixes, case, pair, None),
            severity=Severity.ERROR,
        )
        return
    others = _others(case, context)
    if others:
        what = "setting" if context.scenario is not None and context.scenario.is_setting else "test"
        yield RULE.at(
            pair.key,
            f"Nobody grades `{pair.name}` of this {what} because {others} assertions; write it under `{key}`.",
            fixes=partial(_fixes, case, pair, key),
        )


def _others(case: CaseView, context: Context) -> str:
    """Return the other sources of assertions for a test, with their verb; empty if there are none."""
    scenario = context.scenario
    if scenario is not None and scenario.is_setting and scenario.tests_assert:
        return "tests of its scenario have"
    if scenario is not None and scenario.settings_assert:
        return "settings of its scenario have"
    if given_by_suite(context).has_assertions and not skips_defaults(case.node, case.version):
        return "the suite has"
    return ""


def _fixes(case: CaseView, pair: Pair, key: str | None) -> list[Fix]:
    value = pair.value
    fixes = rename_key_fix(pair, "description") if "description" not in case.node.index else []
    if key is not None and isinstance(value, Scalar) and value.origin is None and not isinstance(value, BlockScalar):
        edits = (rename_key(pair, key), replace_node(value, render([value.value], as_json=case.node.flow)))
        return [Fix(f"Move to `{key}`", edits), *fixes]
    return fixes


RULE = Rule("RB714", "ungraded-criteria", Severity.WARNING, Subject.CASE, check, fixes_are_safe=False)
