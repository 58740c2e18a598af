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

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.names import renaming, suggestion
from rubric_core.rules.problem import Problem, Severity
from rubric_core.rules.rule import Rule, Subject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Scalar
    from rubric_core.views.references import References


def check(references: References, context: Context) -> Iterator[Problem]:
    """Report the name of a scorecard that the suite does not define."""
    defined = context.suite.scorecards
    for node in references.scorecards:
        if node.value.strip() not in defined:
            yield _problem(node, defined)


def _problem(node: Scalar, defined: tuple[str, ...]) -> Problem:
    name = node.value.strip()
    if not defined:
        return RULE.at(node, f"The suite has no `scorecards`; define `{name}` there, or write the scorecard here.")
    ending, meant = suggestion(name, defined)
    message = f"The suite's `scorecards` do not define `{name}`; {ending}"
    return RULE.at(node, message, fixes=lambda: renaming(node, meant))


RULE = Rule("RB606", "unknown-scorecard", Severity.ERROR, Subject.REFERENCES, check, fixes_are_safe=False)
