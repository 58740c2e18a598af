"""
## What it does
Finds a `deduction` of a red flag that is not a number above 0 and up to 2.0, and one that is too small to change a
grade.

## Why is this bad?
All red flags together take away 2.0 points at most, so more than that cannot count. A deduction of 0 has no effect,
and one below 0 would raise the grade. Grades have two places, so one of 0.005 or less is lost when they are rounded.

## Example
```yaml
red_flags:
  - id: leaks-secret
    expected_outcome: Prints a credential
    deduction: 3
```

Use instead:
```yaml
red_flags:
  - id: leaks-secret
    expected_outcome: Prints a credential
    deduction: 2.0
```

## Fix safety
The fix lowers a deduction to 2.0, raises one to 0.01, drops a minus sign, or takes a number out of its quotes. All of
these change what the file says, so they are unsafe.
"""

from decimal import Decimal
from functools import partial

from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import YamlVersion, is_blank, is_null, number_in
from rubric_core.views.scorecards import LARGEST_DEDUCTION, ScorecardView

_ADVICE = "write one above 0 and up to 2.0"
# Grades have two places and are rounded half up, so that half of the last place changes nothing.
_LOST = Decimal("0.005")
_SMALLEST = "0.01"


def check(scorecard: ScorecardView, context: Context) -> Problems:
    for flag in scorecard.red_flags:
        if flag.deduction is None:
            continue
        node = flag.deduction.value
        # Nothing at all means the default; a text without a visible character is wrong.
        is_blank_text = is_blank(node) and not is_null(node)
        if flag.counted is not None and not is_blank_text:
            if isinstance(node, Scalar) and flag.counted <= _LOST:
                yield RULE.at(
                    node,
                    f"The deduction {node.value} is lost when the grade is rounded to two places; "
                    f"write {_SMALLEST} or more.",
                    fixes=partial(one_edit, f"Raise it to {_SMALLEST}", replace_node, node, _SMALLEST),
                )
            continue
        if isinstance(node, Scalar):
            message = f"The deduction {_fault(node, flag.amount)}; {_ADVICE}."
            yield RULE.at(node, message, fixes=partial(_fixes, node, context.version))
        else:
            # A list or a mapping may span lines, so its key is the place.
            yield RULE.at(flag.deduction.key, f"The deduction is not a number; {_ADVICE}.")


def _fault(node: Scalar, amount: Decimal | None) -> str:
    if is_blank(node):
        return "is blank"
    if amount is None or amount.is_nan():
        return f"`{node.value}` is not a number"
    if amount > LARGEST_DEDUCTION:
        return f"{node.value} is more than 2.0, the most that all red flags together can take away"
    return "0 takes nothing away" if not amount else f"{node.value} would raise the grade"


def _fixes(node: Scalar, version: YamlVersion) -> list[Fix]:
    """Offer the allowed number that is nearest to what is written."""
    amount = number_in(node.value.strip(), version)
    if amount is None or amount.is_nan() or not amount:
        return []
    size = abs(amount)
    if size > LARGEST_DEDUCTION:
        return [Fix("Lower it to 2.0", (replace_node(node, "2.0"),))] if amount > 0 else []
    new = node.value.strip().lstrip("+-")
    return [Fix(f"Change to {new}", (replace_node(node, new),))]


RULE = Rule("RB605", "invalid-deduction", Severity.ERROR, Subject.SCORECARD, check, fixes_are_safe=False)
