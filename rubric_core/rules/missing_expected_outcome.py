"""
## What it does
Finds criteria without a text: a mapping that has neither `expected_outcome` nor `score_ranges`, an empty string, an
empty item of the list. It finds red flags and bonuses without a text as well.

## Why is this bad?
The judge has nothing to check. AgentV leaves such a criterion out without a word, so the score is made of the others
alone. A scorecard with such a red flag or bonus cannot be graded.

## Example
```yaml
rubrics:
  - id: handles-empty-input
    weight: 2.0
```

Use instead:
```yaml
rubrics:
  - id: handles-empty-input
    expected_outcome: Handles empty input
    weight: 2.0
```

## Fix safety
The fixes insert a text: one made of the words of the `id`, where it has some, and a placeholder that starts with
`TODO: `. Both are unsafe, since only you know what is to be checked.
"""

from collections.abc import Iterable
from functools import cache, partial

from rubric_core.dialects.dialect import Dialect
from rubric_core.rules.messages import one_edit, place_of_dash, place_of_missing, replace_name
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import ADJUSTMENT_PLACEHOLDER, CRITERION_PLACEHOLDER, Effect
from rubric_core.syntax.edits import insert_first_key, insert_key, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank, is_null
from rubric_core.text.spans import Edit, Span
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode
from rubric_core.views.evaluators import EvaluatorsView
from rubric_core.views.scorecards import AdjustmentView, ScorecardView
from rubric_core.views.texts import ADJUSTMENT_TEXT_KEYS, has_other_text, normalised, sentence_from_id


def check(criteria: CriteriaView, context: Context) -> Problems:
    for criterion in criteria.criteria:
        place = _place(criterion) if criterion.outcome is None else None
        # Another rule reports a text under an old key.
        if place is None or old_text(criterion.node, criterion.dialect) is not None:
            continue
        flow = isinstance(criteria.node, Sequence) and criteria.node.flow
        yield RULE.at(
            _visible(context.text, place, flow=flow),
            f"The criterion `{criterion.identifier}` has no text; write what the answer must do.",
            fixes=partial(_fixes, context.text, criterion, criteria.readable, CRITERION_PLACEHOLDER, flow=flow),
        )


def check_scorecard(scorecard: ScorecardView, context: Context) -> Problems:
    lists = (
        ("red flag", scorecard.red_flags, scorecard.red_flags_pair),
        ("bonus", scorecard.bonuses, scorecard.bonuses_pair),
    )
    for noun, adjustments, pair in lists:
        flow = pair is not None and isinstance(pair.value, Sequence) and pair.value.flow
        for adjustment in adjustments:
            place, written = _place(adjustment), adjustment.identifier
            if place is not None:
                identifier = written.value if written is not None else f"{noun.replace(' ', '-')}-{adjustment.number}"
                yield RULE.at(
                    _visible(context.text, place, flow=flow),
                    f"The {noun} `{identifier}` has no text; write what the judge looks for.",
                    fixes=partial(_fixes, context.text, adjustment, adjustments, ADJUSTMENT_PLACEHOLDER, flow=flow),
                )


def _place(view: CriterionView | AdjustmentView) -> Node | None:
    """Return the place of a missing text: the empty text, its key, or the mapping's first key; None if there is one."""
    if view.fields is None:
        return view.node if is_blank(view.node) else None
    if isinstance(view, CriterionView) and view.mode is Mode.SCORE_RANGE:
        return None
    pair = view.outcome_pair
    if pair is not None and not is_blank(pair.value):
        return None
    return place_of_missing(view.fields, pair)


def old_text(item: Node, dialect: Dialect) -> Pair | None:
    """Return the text of a criterion under a key of an earlier release, which makes the whole list free text."""
    keys = _old_keys(dialect)
    if not isinstance(item, Mapping) or item.index.keys().isdisjoint(keys):
        return None
    return next(item.index[key] for key in keys if key in item.index)


@cache
def _old_keys(dialect: Dialect) -> tuple[str, ...]:
    removed = dialect.records["criterion"].removed
    return tuple(key for key, old in removed.items() if old.effect is Effect.PROSE)


def _visible(text: str, node: Node, *, flow: bool) -> Node | Span:
    """Return the node, or the dash of an empty item."""
    return node if node.end > node.start or flow else place_of_dash(text, node)


def _fixes(
    text: str,
    view: CriterionView | AdjustmentView,
    others: Iterable[CriterionView | AdjustmentView],
    placeholder: str,
    *,
    flow: bool,
) -> list[Fix | None]:
    """Insert a sentence made of the id, if it differs from the other entries of the list, or else a placeholder."""
    pair = view.fields.index.get("id") if view.fields is not None else None
    identifier = pair.value.value if pair is not None and isinstance(pair.value, Scalar) else ""
    sentence = sentence_from_id(identifier)
    taken = {normalised(other.outcome.value) for other in others if other.outcome is not None}
    texts = [(f"Insert `{sentence}`", sentence)] if sentence is not None and normalised(sentence) not in taken else []
    texts.append(("Insert a placeholder", placeholder))
    return [Fix.of(title, _insert(text, view, outcome, flow=flow)) for title, outcome in texts]


def _insert(text: str, view: CriterionView | AdjustmentView, outcome: str, *, flow: bool) -> Edit | None:
    fields = view.fields
    keys = view.dialect.text_keys if isinstance(view, CriterionView) else ADJUSTMENT_TEXT_KEYS
    if fields is not None and has_other_text(fields, keys):
        return None
    if fields is None:
        return replace_text(view.node, outcome, flow=flow)
    if view.outcome_pair is not None:
        value = view.outcome_pair.value
        return None if value.origin else replace_text(value, outcome, flow=fields.flow)
    identifier = fields.index.get("id")
    if identifier is not None and not identifier.key.origin:
        return insert_key(text, fields, keys[0], outcome, after=identifier)
    if fields.pairs and fields.pairs[0].key.origin:
        return None
    return insert_first_key(text, fields, keys[0], outcome)


def check_strings(evaluators: EvaluatorsView, _context: Context) -> Problems:
    """Find blank strings among evaluators, which are dropped; RB004 reports null."""
    items = evaluators.pair.value.items if isinstance(evaluators.pair.value, Sequence) else ()
    if not evaluators.takes_strings:
        return
    for node in items:
        if isinstance(node, Scalar) and is_blank(node) and not is_null(node):
            yield RULE.at(
                node,
                "This criterion has no text, so it is dropped; write what the answer must do.",
                fixes=partial(one_edit, "Insert a placeholder", replace_name, node, CRITERION_PLACEHOLDER),
            )


_ALSO = ((Subject.SCORECARD, check_scorecard), (Subject.EVALUATORS, check_strings))
RULE = Rule(
    "RB201", "missing-expected-outcome", Severity.ERROR, Subject.WORDLESS, check, fixes_are_safe=False, also=_ALSO
)
