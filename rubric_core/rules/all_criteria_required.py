"""
## What it does
Finds lists of two or more criteria, none of them with score ranges, that all say `required: true`.

## Why is this bad?
Missing any one of them fails the case, and meeting all of them gives a score of 1. So the verdict is `pass` or `fail`,
`borderline` cannot happen, and the weights change the score but never the verdict. Require what an answer cannot do
without, and leave the rest to the score.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    required: true
  - id: purpose
    expected_outcome: Explains what the port is for
    required: true
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    required: true
  - id: purpose
    expected_outcome: Explains what the port is for
    weight: 0.2
    required: false
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.criteria import CriteriaView, Mode

_FEWEST = 2


def check(criteria: CriteriaView, _context: Context) -> Problems:
    count = len(criteria.criteria)
    if count >= _FEWEST and all(
        criterion.required and criterion.mode is Mode.CHECKLIST for criterion in criteria.criteria
    ):
        also = " and `borderline` cannot happen" if criteria.dialect.table.marks.borderline else ""
        yield RULE.at(
            criteria.pair.key,
            f"All {count} criteria are required, so a single miss fails the case{also}; set `required: false` where "
            "a miss can be tolerated.",
        )


RULE = Rule("RB301", "all-criteria-required", Severity.HINT, Subject.KEYED, check)
