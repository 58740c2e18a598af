"""The text of an assertion is one criterion by itself."""

from functools import partial

from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, in_tests
from rubric_core.rules.messages import one_edit
from rubric_core.rules.repeated_criterion import MESSAGE, TITLE
from rubric_core.rules.repeated_criterion import RULE as REPEATED
from rubric_core.rules.rule import Context, Problems, Subject
from rubric_core.syntax.edits import remove_item
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.texts import normalised

# With any other key, an assertion with the same text checks something else, or has another judge.
_KEYS = frozenset({"type", "value", "weight", "metric", "threshold"})


def check(judged: Judged, _context: Context) -> Problems:
    """Yield the assertions with the text of another one and no other keys."""
    first: dict[tuple[str, str], Scalar] = {}
    for view in judged.lists:
        for assertion in view.evaluators:
            text = _rubric_of(assertion)
            if text is None or assertion.kind is None:
                continue
            earlier = first.setdefault((assertion.kind, normalised(text.value)), text)
            if earlier is not text:
                yield RULE.at(
                    text,
                    MESSAGE,
                    related=[(earlier, "The same text is here.")],
                    fixes=partial(one_edit, TITLE, remove_item, judged.text, view.pair.value, assertion.node),
                    chunk=judged.chunk,
                )


def _rubric_of(assertion: EvaluatorView) -> Scalar | None:
    criteria = assertion.criteria
    if criteria is None or len(criteria.criteria) != 1 or not _KEYS.issuperset(assertion.node.index):
        return None
    only = criteria.criteria[0]
    return None if only.is_placeholder else only.outcome


RULE = REPEATED._replace(also=((Subject.CASE, in_tests(check)), (Subject.FILE, in_defaults(check))))
