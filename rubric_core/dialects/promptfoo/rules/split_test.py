"""
## What it does
Finds a test with assertions and without variables, where the prompts have variables.

## Why is this bad?
Mostly a dash too many has cut a test into two: the first half has the variables and passes unasserted, the second has
the assertions and is sent an empty prompt.

## Example
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests:
  - vars: {text: Hello}
  - assert:
      - type: contains
        value: Bonjour
```

Use instead:
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests:
  - vars: {text: Hello}
    assert:
      - type: contains
        value: Bonjour
```
"""

from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.views.cases import CaseView
from rubric_core.views.templates import BUILT_IN


def check(case: CaseView, context: Context) -> Problems:
    inherited, index = given_by_suite(context), case.node.index
    lists = [key for key in case.dialect.case.keys_of(Role.EVALUATORS) if key in index]
    used = inherited.prompt_names - BUILT_IN
    is_whole = "vars" in index or "providerOutput" in index or inherited.may_add_vars or not inherited.is_known
    if lists and used and not is_whole and not used & inherited.vars:
        yield RULE.at(
            index[lists[0]].key,
            "This test has no `vars`, and the prompts have variables; join it with the test above, or add `vars`.",
        )


RULE = Rule("RB816", "split-test", Severity.HINT, Subject.CASE, check)
