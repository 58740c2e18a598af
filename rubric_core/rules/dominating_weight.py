"""
## What it does
Finds a criterion that decides the verdict alone: its weight is at least 0.8 of the whole, and no other criterion of the
list is a gate. Meeting it (score 10, if it has score ranges) gives at least 0.8, a `pass`, whatever the others do;
failing it leaves at most 0.2, a `fail`.

Another criterion is a gate if it is a checklist criterion that is required, or has a `required_min_score` above 0. The
rule is silent where a weight of the list is invalid. Criteria of weight 0 do not count.

## Why is this bad?
The other criteria are judged, at a cost, and change nothing.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 10
  - id: one-sentence
    expected_outcome: Answers in one sentence
    required: false
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 10
  - id: one-sentence
    expected_outcome: Answers in one sentence
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.criteria import CriteriaView, dominating, may_gate, needed_shares, place_of_weight

_FEWEST = 2


def check(criteria: CriteriaView, _context: Context) -> Problems:
    gates = filter(may_gate, criteria.criteria)
    if len(criteria.criteria) < _FEWEST or (next(gates, None) and next(gates, None)):
        # With two gates, no criterion decides alone.
        return
    decisive = dominating(criteria, needed_shares(criteria))
    if decisive is not None:
        percent = int(decisive.part * 100)
        yield RULE.at(
            place_of_weight(decisive.criterion),
            f"This criterion has {percent} % of the whole weight and decides the verdict alone; lower its weight, "
            "or require what else matters.",
        )


RULE = Rule("RB404", "dominating-weight", Severity.HINT, Subject.KEYED, check)
