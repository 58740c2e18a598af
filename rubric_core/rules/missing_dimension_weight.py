"""
## What it does
Finds a scorecard that gives weights, but not to each of the seven dimensions.

## Why is this bad?
Weights replace the methodology's own weights as a whole, so a dimension that is left out has no weight at all and
the answer cannot be graded. To leave a dimension out on purpose give it the weight 0.

## Example
```yaml
weights:
  correctness: 0.40
  completeness: 0.20
  adherence: 0.15
  efficiency: 0.10
  safety: 0.10
  consistency: 0.05
```

Use instead:
```yaml
weights:
  correctness: 0.30
  completeness: 0.20
  adherence: 0.15
  efficiency: 0.10
  safety: 0.10
  consistency: 0.05
  actionability: 0.10
```

## Fix safety
The fix divides what the given weights leave of 1.0 among the missing dimensions, in the proportions of the
methodology's weights. Where they leave nothing each gets 0. Other weights may be meant, so the fix is unsafe. It is
not offered where the given weights already sum to more than 1.0.
"""

from decimal import Decimal

from rubric_core.rules.messages import place_of_missing
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.rules.unknown_dimension import meant_dimension
from rubric_core.syntax.edits import insert_key, replace_node
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.spans import Edit
from rubric_core.views.amounts import apportioned, exact_sum
from rubric_core.views.scorecards import DEFAULT_WEIGHTS, ScorecardView

_NO_WEIGHT = Decimal("0.00")


def check(scorecard: ScorecardView, context: Context) -> Problems:
    missing = scorecard.missing_dimensions
    weights = scorecard.weights
    if not missing or weights is None:
        return
    # If every dimension is named, the place is the first one without a value.
    empty = weights.index[missing[0]] if all(name in weights.index for name in missing) else None
    names = ", ".join(f"`{name}`" for name in missing)
    verb = "has" if len(missing) == 1 else "have"
    yield RULE.at(
        place_of_missing(weights, empty),
        f"{names} {verb} no weight; give each of the seven dimensions one, and let them sum to 1.0.",
        fixes=lambda: _fixes(scorecard, weights, missing, context.text),
    )


def _fixes(scorecard: ScorecardView, weights: Mapping, missing: list[str], text: str) -> list[Fix]:
    given = scorecard.given_weights
    # A misspelt dimension is not missing: its own rule offers to rename it.
    misspelt = any(meant_dimension(pair, scorecard) in missing for pair in scorecard.unknown_dimensions)
    if given is None or misspelt:
        return []
    left = exact_sum((Decimal(1), *(-weight for weight in given.values())))
    shares = {name: DEFAULT_WEIGHTS[name] for name in missing}
    parts = apportioned(left, shares) if left > 0 else dict.fromkeys(missing, _NO_WEIGHT)
    if left < 0 or parts is None:
        return []
    edits = _edits(weights, parts, text)
    title = f"Insert {', '.join(f'`{name}: {part:f}`' for name, part in parts.items())}"
    return [Fix(title, edits)] if edits is not None else []


def _edits(weights: Mapping, parts: dict[str, Decimal], text: str) -> tuple[Edit, ...] | None:
    """Fill the named weights that have no value, and insert the others together."""
    filled = [
        replace_node(weights.index[name].value, f"{part:f}") for name, part in parts.items() if name in weights.index
    ]
    inserted = [insert_key(text, weights, name, part) for name, part in parts.items() if name not in weights.index]
    if not inserted:
        return tuple(filled)
    texts = [edit.text for edit in inserted if edit is not None]
    if inserted[0] is None:
        return None
    # Edits of one place are joined, so that the order of the dimensions is kept.
    separator = "" if weights.pairs else ", "
    return (*filled, Edit(inserted[0].start, inserted[0].end, separator.join(texts)))


RULE = Rule("RB603", "missing-dimension-weight", Severity.ERROR, Subject.SCORECARD, check, fixes_are_safe=False)
