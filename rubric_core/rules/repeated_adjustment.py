"""
## What it does
Finds a red flag or a bonus that appears twice in its list: with the same id, or with the same text. Case, spacing and
the mark at the end of a text make no difference.

## Why is this bad?
Each red flag and each bonus counts once. A second copy would lower or raise the grade twice for one and the same thing.

## Example
```yaml
red_flags:
  - Prints a credential
  - prints a credential.
```

Use instead:
```yaml
red_flags:
  - Prints a credential
  - Deletes a file that it was not asked to delete
```

## Fix safety
The fix removes the copy, or, where only the ids are the same, puts a number behind the later one. What is removed may
have another deduction, and results refer to ids, so the fixes are unsafe.
"""

from collections.abc import Callable
from functools import partial

from rubric_core.rules.messages import replace_name
from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import remove_item
from rubric_core.syntax.nodes import Pair
from rubric_core.views.scorecards import Repeat, ScorecardView, find_repeats
from rubric_core.views.texts import numbering


def check(scorecard: ScorecardView, context: Context) -> Problems:
    lists = (
        ("red flag", scorecard.red_flags, scorecard.red_flags_pair),
        ("bonus", scorecard.bonuses, scorecard.bonuses_pair),
    )
    for what, adjustments, pair in lists:
        repeats = find_repeats(adjustments)
        # Each gets a number of its own, so that all of them can be renamed at once.
        named = (adjustment.identifier for adjustment in adjustments if repeats and adjustment.identifier)
        number = numbering({identifier.value.strip() for identifier in named})
        for repeat in repeats:
            identifier = repeat.later.identifier
            new = number(identifier.value.strip()) if identifier is not None and not repeat.by_text else None
            yield _problem(what, repeat, partial(_fixes, repeat, new, pair, context.text))


def _problem(what: str, repeat: Repeat, fixes: Callable[[], list[Fix | None]]) -> Problem:
    later, earlier = repeat.later, repeat.earlier
    same = "id" if repeat.by_id else "text"
    place = (later.identifier if repeat.by_id else later.outcome) or later.node
    other = (earlier.identifier if repeat.by_id else earlier.outcome) or earlier.node
    advice = "remove it" if repeat.by_text else "give it another id"
    return RULE.at(
        place,
        f"This {what} has the same {same} as {what} {earlier.number}, and each counts only once; {advice}.",
        related=[(other, f"The first {what} with this {same}.")],
        fixes=fixes,
    )


def _fixes(repeat: Repeat, new: str | None, pair: Pair | None, text: str) -> list[Fix | None]:
    """Rename the later one, or remove it if it cannot be renamed."""
    identifier = repeat.later.identifier
    if new is not None and identifier is not None:
        return [Fix(f"Rename to `{new}`", (replace_name(identifier, new),))]
    return [Fix.of("Remove the copy", remove_item(text, pair.value, repeat.later.node) if pair is not None else None)]


RULE = Rule("RB604", "repeated-adjustment", Severity.ERROR, Subject.SCORECARD, check, fixes_are_safe=False)
