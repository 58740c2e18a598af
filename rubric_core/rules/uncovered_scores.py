"""
## What it does
Finds scores from 0 to 10 that no range of a criterion covers.

## Why is this bad?
A judge may give any score from 0 to 10. For a score without a range nobody has said what it means, so judges use it
as they like, or never.

## Example
```yaml
score_ranges:
  - score_range: [0, 2]
    expected_outcome: Wrong
  - score_range: [5, 10]
    expected_outcome: Right
```

Use instead:
```yaml
score_ranges:
  - score_range: [0, 4]
    expected_outcome: Wrong
  - score_range: [5, 10]
    expected_outcome: Right
```

## Fix safety
The fixes extend the range below or the range above, or insert a range for exactly the scores that are missing. Only you
know what these scores should mean, so all of them are unsafe. Where the ranges stand behind an alias, an editor offers
them at the anchor, for all criteria that use it; `rubric fix` leaves such ranges to you.
"""

from functools import partial

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import in_words, placeholder
from rubric_core.rules.rule import AnchorFixes, Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.entries import insert_entry, write_item
from rubric_core.syntax.nodes import Node, Pair, Sequence
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.bands import BandsView, Form, Gap, extent_of, read_bands


def check(bands: BandsView, context: Context) -> Problems:
    # In a map every range reaches to the next; only scores below the first key can be missing, which is RB106.
    if bands.form is not Form.ARRAY or bands.is_empty or not bands.is_readable:
        return
    for gap in bands.gaps():
        neighbour = gap.above or gap.below
        yield RULE.at(
            neighbour.place if neighbour is not None else bands.pair.key,
            _message(gap),
            fixes=partial(_fixes, bands, gap, context.text, context.suite.dialect),
            anchor_fixes=_anchor_fixes(bands, gap, context.version, context.suite.dialect),
        )


def _anchor_fixes(bands: BandsView, gap: Gap, version: YamlVersion, dialect: Dialect) -> AnchorFixes | None:
    origin, make = bands.node.origin, partial(_fixes_at_anchor, bands.pair, gap, version, dialect)
    return AnchorFixes(origin, make) if origin is not None else None


def _fixes_at_anchor(  # noqa: PLR0913, PLR0917 - the gap, and where it is looked for.
    pair: Pair, gap: Gap, version: YamlVersion, dialect: Dialect, anchored: Node, text: str
) -> list[Fix]:
    """Return the fixes of this gap in the ranges behind an alias."""
    origin = pair.value.origin
    bands = read_bands(Pair(pair.key, anchored), version, dialect)
    same = [other for other in bands.gaps() if (other.low, other.high) == (gap.low, gap.high)]
    fixes = [fix for other in same for fix in _fixes(bands, other, text, dialect) if fix is not None]
    return [fix._replace(title=f"{fix.title}, at the anchor `&{origin.anchor}`") for fix in fixes if origin is not None]


def _message(gap: Gap) -> str:
    advice: list[str] = []
    if gap.below is not None:
        low, high = extent_of(gap.below)
        advice.append(f"{in_words(low, high)} to {in_words(low, gap.high)}")
    if gap.above is not None:
        advice.append(f"{in_words(*extent_of(gap.above))} down to {gap.low}")
    scores, verb = (f"Score {gap.low}", "is") if gap.low == gap.high else (f"Scores {gap.low}-{gap.high}", "are")
    what_to_do = f"extend {', or '.join(advice)}" if advice else f"write ranges within {LOWEST}-{HIGHEST}"
    return f"{scores} {verb} not covered by any range; {what_to_do}."


def _fixes(bands: BandsView, gap: Gap, text: str, dialect: Dialect) -> list[Fix | None]:
    fixes: list[Fix | None] = []
    if gap.below is not None:
        low, high = extent_of(gap.below)
        title = f"Extend {in_words(low, high)} to {in_words(low, gap.high)}"
        fixes.append(_set_bound(title, gap.below.high_node, gap.high))
    if gap.above is not None:
        low, high = extent_of(gap.above)
        title = f"Extend {in_words(low, high)} down to {in_words(gap.low, high)}"
        fixes.append(_set_bound(title, gap.above.low_node, gap.low))
    fixes.append(_insert_range(bands, gap, text, dialect.range_text_keys[0]))
    return fixes


def _set_bound(title: str, node: Node | None, bound: int) -> Fix | None:
    # A bound behind an alias is shared with other ranges.
    return None if node is None or node.origin else Fix(title, (replace_node(node, str(bound)),))


def _insert_range(bands: BandsView, gap: Gap, text: str, text_key: str) -> Fix | None:
    """Insert a range between its neighbours: behind the one that is first in the text."""
    neighbours = [band for band in bands.bands if band is gap.below or band is gap.above]
    node = bands.node
    if not neighbours or not isinstance(node, Sequence):
        return None
    beside = neighbours[0].whole
    if not isinstance(beside, Node):
        return None
    new = write_item(text, node, beside, {"score_range": [gap.low, gap.high], text_key: placeholder(gap.low, gap.high)})
    edits = insert_entry(text, node, beside, new, before=gap.below is None)
    return Fix(f"Insert a range for {in_words(gap.low, gap.high)}", edits)


RULE = Rule("RB103", "uncovered-scores", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
