"""
## What it does
Finds a case that names a scorecard which the suite does not define under `scorecards`.

## Why is this bad?
Without the scorecard the answer cannot be graded on the seven dimensions.

## Example
```yaml
evalcases:
  - id: review
    expected_outcome: Names the race condition
    input: Review this change.
    scorecard: code-reviews
scorecards:
  code-review:
    bonuses: [Shows the two threads that race]
```

Use instead:
```yaml
evalcases:
  - id: review
    expected_outcome: Names the race condition
    input: Review this change.
    scorecard: code-review
scorecards:
  code-review:
    bonuses: [Shows the two threads that race]
```

## Fix safety
The fix writes the defined name that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from rubric_core.rules.messages import renaming, suggestion
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import as_text
from rubric_core.views.cases import CaseView


def check(case: CaseView, context: Context) -> Problems:
    node = case.node.get("scorecard")
    name = as_text(node, context.version) if isinstance(node, Scalar) else None
    if isinstance(node, Scalar) and name is not None and name.strip() not in context.suite.scorecards:
        yield _problem(node, context.suite.scorecards)


def _problem(node: Scalar, defined: tuple[str, ...]) -> Problem:
    name = node.value.strip()
    if not name:
        return RULE.at(node, "The name of the scorecard is blank; write the name of one, or the scorecard itself.")
    if not defined:
        return RULE.at(node, f"The suite has no `scorecards`; define `{name}` there, or write the scorecard here.")
    ending, meant = suggestion(name, defined)
    message = f"The suite's `scorecards` do not define `{name}`; {ending}"
    return RULE.at(node, message, fixes=lambda: renaming(node, meant))


RULE = Rule("RB606", "unknown-scorecard", Severity.ERROR, Subject.CASE, check, fixes_are_safe=False)
