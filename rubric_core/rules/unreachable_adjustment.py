"""
## What it does
Finds a scorecard with more red flags or bonuses than can count together: red flags take away 2.0 points at most, and
four bonuses of 0.25 each reach the 1.0 point that bonuses add at most. It reports the first one beyond that.

## Why is this bad?
An answer that shows all of them is graded as if some did not exist. Which ones apply makes no difference then, and
neither does their order in the file. Join those that belong together, or lower the deductions.

## Example
```yaml
bonuses:
  - Explains the trade-off with a measured example
  - Links the documentation of each flag
  - Shows how to undo the change
  - Names the version that introduced the flag
  - Adds a test
```

Use instead:
```yaml
bonuses:
  - Explains the trade-off with a measured example
  - Links the documentation of each flag
  - Shows how to undo the change
  - Adds a test
```
"""

from decimal import Decimal

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.scorecards import LARGEST_DEDUCTION, MOST_BONUSES, AdjustmentView, ScorecardView, find_repeats


def check(scorecard: ScorecardView, _context: Context) -> Problems:
    flag = _first_flag_beyond(scorecard.red_flags)
    if flag is not None:
        yield RULE.at(
            flag.place,
            "All red flags together come to more than 2.0 points, the most that they can take away; "
            "join some of them, or lower their deductions.",
        )
    # Cheap test first: repeated bonuses are searched for only in long lists.
    if len(scorecard.bonuses) > MOST_BONUSES:
        bonuses = _distinct(scorecard.bonuses)
        if len(bonuses) > MOST_BONUSES:
            yield RULE.at(
                bonuses[MOST_BONUSES].place,
                f"There are {len(bonuses)} bonuses, and four of them, whichever apply, add the most that counts, "
                "1.0 point; join some of them.",
            )


def _first_flag_beyond(flags: list[AdjustmentView]) -> AdjustmentView | None:
    total = Decimal(0)
    for flag in _distinct(flags):
        if total >= LARGEST_DEDUCTION:
            return flag
        amount = flag.counted
        if amount is None:
            # After an invalid deduction the remaining score is unknown.
            return None
        total += amount
    return None


def _distinct(adjustments: list[AdjustmentView]) -> list[AdjustmentView]:
    """Return the adjustments with a text, without copies of earlier ones."""
    copies = {id(repeat.later) for repeat in find_repeats(adjustments)}
    saying = (adjustment for adjustment in adjustments if adjustment.outcome or adjustment.identifier)
    return [adjustment for adjustment in saying if id(adjustment) not in copies]


RULE = Rule("RB607", "unreachable-adjustment", Severity.HINT, Subject.SCORECARD, check)
