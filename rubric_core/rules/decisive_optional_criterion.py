"""
## What it does
Finds a criterion that is not required, but without which the case cannot pass: all others perfect, the score is still
below 0.8. A checklist criterion is not required if it says `required: false`, one with score ranges if it has no
`required_min_score`; failing the latter means score 0.

The rule is silent where a weight of the list is invalid, where only one criterion has a weight, about score ranges
that are not sound or stand beside `required: true` (RB205 speaks of those), and about a criterion that decides the
verdict alone (RB404 speaks of it).

## Why is this bad?
`required: false` tells the reader that an answer may do without it. The weights say otherwise.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 5
  - id: purpose
    expected_outcome: Explains what the port is for
    weight: 2
  - id: one-sentence
    expected_outcome: Answers in one sentence
    weight: 2
    required: false
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 5
  - id: purpose
    expected_outcome: Explains what the port is for
    weight: 2
  - id: one-sentence
    expected_outcome: Answers in one sentence
    weight: 1
    required: false
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import PASS_MARK
from rubric_core.syntax.nodes import Node
from rubric_core.views.criteria import (
    CriteriaView,
    CriterionView,
    Mode,
    describe_score,
    dominating,
    is_optional,
    needed_shares,
    place_of_weight,
)


def check(criteria: CriteriaView, _context: Context) -> Problems:
    optional = {
        criterion.number
        for criterion in criteria.criteria
        if (criterion.bands is not None or criterion.required is False) and is_optional(criterion)
    }
    if not optional:
        return
    needed = needed_shares(criteria)
    decisive = dominating(criteria, needed)
    for share in needed:
        if share is not decisive and share.criterion.number in optional:
            left = describe_score(1 - share.part, PASS_MARK)
            gate = share.criterion.dialect.gate_key if share.criterion.mode is not Mode.CHECKLIST else ""
            advice = f"give it a `{gate}`" if gate else "require it"
            yield RULE.at(
                _place(share.criterion),
                f"Not required, but failing it alone leaves {left}, below the 0.8 that `pass` needs; "
                f"{advice}, or lower its weight.",
            )


def _place(criterion: CriterionView) -> Node:
    """Return the `false` of `required: false`, or what the weight of a criterion with score ranges comes from."""
    required = criterion.pair("required")
    if criterion.mode is Mode.CHECKLIST and required is not None:
        return required.value
    return place_of_weight(criterion)


RULE = Rule("RB303", "decisive-optional-criterion", Severity.HINT, Subject.KEYED, check)
