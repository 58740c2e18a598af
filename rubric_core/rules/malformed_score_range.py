"""
## What it does
Finds a `score_range` that is not a list of two scores, an item without `score_range`, an item that is no mapping, and
a key of a map that is no number.

## Why is this bad?
A loader that cannot read a range skips it without a word, and its text is never shown to a judge. While such a range
stands there, nobody can tell whether the ranges overlap or leave scores out.

## Example
```yaml
score_ranges:
  - score_range: 0-4
    expected_outcome: Wrong or incomplete
  - score_range: [5, 10]
    expected_outcome: Right
```

Use instead:
```yaml
score_ranges:
  - score_range: [0, 4]
    expected_outcome: Wrong or incomplete
  - score_range: [5, 10]
    expected_outcome: Right
```

## Fix safety
The fix writes as `[min, max]` what plainly means two scores, such as `3-5`, `3 to 5` or `{min: 3, max: 5}`. A single
score gets the upper bound that reaches to the next range. What is rewritten has no meaning before, so the fix is
unsafe.
"""

from functools import partial

from rubric_core.rules.messages import as_written, place_of_item
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import insert_first_key, render, replace_node
from rubric_core.syntax.entries import change_integer
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import as_integer, is_null
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.bands import Band, BandsView, Flaw, Form

# The scores that a text means: the second is None if it names only one.
Meaning = tuple[int, "int | None"]

_NUMBER = r"\+?([0-9]{1,3})"
_TWO_SCORES = lazily(
    rf"[\[(]?\s*{_NUMBER}\s*(?:-|\u2013|\u2014|\.{{2,3}}|\u2026|to|until|,|:|;)\s*{_NUMBER}\s*[\])]?\Z"
)
_ONE_SCORE = lazily(rf"[\[(]?\s*{_NUMBER}\s*[\])]?\Z")
_AT_LEAST = lazily(rf"(?:>=\s*{_NUMBER}|{_NUMBER}\s*\+)\Z")
_AT_MOST = lazily(rf"<=\s*{_NUMBER}\Z")
_BOUND_NAMES = tuple(
    pair.split("-") for pair in ("min-max", "minimum-maximum", "from-to", "low-high", "lower-upper", "start-end")
)


def check(bands: BandsView, context: Context) -> Problems:
    for band in bands.bands:
        if any(flaw is Flaw.MALFORMED for flaw, _ in band.flaws):
            yield RULE.at(
                band.place,
                _message(band, bands.form, context.text),
                fixes=partial(_fixes, bands, band, context.text),
            )
    for item in bands.non_mappings:
        yield RULE.at(
            place_of_item(context.text, item),
            "This is no range; write a mapping with `score_range` and `expected_outcome`.",
        )


def _message(band: Band, form: Form | None, text: str) -> str:
    if form is Form.MAP:
        return (
            f"The key {as_written(text, band.place)} is no score; write the lowest score of the range, "
            f"an integer from {LOWEST} to {HIGHEST}."
        )
    if band.pair is None or is_null(band.pair.value):
        return "This range does not say which scores it covers; add `score_range: [min, max]`."
    what = as_written(text, band.pair.value) if band.place is not band.pair.key else "This"
    return f"{what} is no score range; write the lowest and the highest score as `[min, max]`."


# The meaning


def _meaning(node: Node) -> Meaning | None:
    """Return the scores that a value plainly means, or None."""
    if isinstance(node, Scalar):
        return _meaning_of_text(node.value.strip().lower())
    if isinstance(node, Sequence):
        return _meaning_of_list(node)
    return _meaning_of_mapping(node) if isinstance(node, Mapping) else None


def _meaning_of_text(text: str) -> Meaning | None:
    if match := _TWO_SCORES.match(text):
        low, high = sorted(map(int, match.groups()))
        return low, high
    if match := _ONE_SCORE.match(text):
        return int(match.group(1)), None
    if match := _AT_LEAST.match(text):
        return int(match.group(1) or match.group(2)), HIGHEST
    match = _AT_MOST.match(text)
    return (LOWEST, int(match.group(1))) if match else None


def _meaning_of_list(node: Sequence) -> Meaning | None:
    """Read `[3]`, `["3-5"]`, and scores that are all listed, as in `[3, 4, 5]`."""
    if len(node.items) == 1:
        return _meaning(node.items[0]) if isinstance(node.items[0], Scalar) else None
    scores = [as_integer(item) for item in node.items]
    first = scores[0] if scores else None
    if first is None or scores != list(range(first, first + len(scores))):
        return None
    return first, first + len(scores) - 1


def _meaning_of_mapping(node: Mapping) -> Meaning | None:
    for names in _BOUND_NAMES:
        values = [node.get(name) for name in names]
        low, high = (as_integer(value) if value is not None else None for value in values)
        if low is not None and high is not None and len(node.pairs) == len(names):
            return min(low, high), max(low, high)
    return None


# The replacement


def _fixes(bands: BandsView, band: Band, text: str) -> list[Fix]:
    if bands.form is Form.MAP:
        return _rewrite_key(band)
    if band.pair is None:
        return _insert_range(bands, band, text)
    if is_null(band.pair.value):
        return [
            Fix(f"Write {render([low, high])}", (replace_node(band.pair.value, render([low, high])),))
            for low, high in _only_gap(bands, band)
        ]
    meaning = _meaning(band.pair.value)
    if meaning is None or band.pair.value.origin:
        return []
    choices = [meaning] if meaning[1] is not None else _choices(bands, band, meaning[0])
    return [
        Fix(f"Write {render([low, high])}", (_rewrite(band.pair, render([low, high]), text),))
        for low, high in choices
        if high is not None and LOWEST <= low <= high <= HIGHEST
    ]


def _choices(bands: BandsView, band: Band, low: int) -> list[Meaning]:
    """Return how a single score can be read: up to the next range, or as a range of one score."""
    lowers = [lower for other in bands.bands if other is not band and (lower := _lower_of(other)) is not None]
    following = min((lower for lower in lowers if lower > low), default=HIGHEST + 1)
    return list(dict.fromkeys([(low, following - 1), (low, low)]))


def _lower_of(band: Band) -> int | None:
    if band.lower is not None and band.upper is not None:
        return min(band.lower, band.upper)
    meaning = _meaning(band.pair.value) if band.pair is not None else None
    return meaning[0] if meaning is not None else None


def _rewrite(pair: Pair, new: str, text: str) -> Edit:
    """Replace a value by the bounds, on the line of its key."""
    value = pair.value
    colon = text.find(":", pair.key.end)
    if 0 <= colon < value.start and not text[colon + 1 : value.start].strip():
        return Edit(colon + 1, value.end, f" {new}")
    return replace_node(value, new)


def _rewrite_key(band: Band) -> list[Fix]:
    """Reduce a key such as `3-5` to its lower bound: the upper one follows from the next key."""
    low, _ = _meaning(band.place) or (HIGHEST + 1, None)
    return [Fix(f"Write {low}", (change_integer(band.place, low),))] if LOWEST <= low <= HIGHEST else []


def _only_gap(bands: BandsView, band: Band) -> list[tuple[int, int]]:
    """Return the scores that a range without bounds must cover, if the others leave exactly one gap."""
    others = [other for other in bands.bands if other is not band]
    if bands.non_mappings or any(other.flaws for other in others):
        return []
    gaps = bands.gaps()
    return [(gap.low, gap.high) for gap in gaps] if len(gaps) == 1 else []


def _insert_range(bands: BandsView, band: Band, text: str) -> list[Fix]:
    item = band.whole
    if not isinstance(item, Mapping) or not item.pairs:
        return []
    return [
        Fix(f"Insert score_range: {render([low, high])}", (insert_first_key(text, item, "score_range", [low, high]),))
        for low, high in _only_gap(bands, band)
    ]


RULE = Rule("RB108", "malformed-score-range", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
