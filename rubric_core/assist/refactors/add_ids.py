"""Write the generated id of each criterion of a list that has none, so that it stays the same when the list grows.

A string becomes a mapping. A criterion that is behind an alias, or that an alias may repeat, stays as it is.
"""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import is_own_text
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.assist.refactors.string_to_mapping import as_mapping
from rubric_core.syntax.edits import insert_first_key
from rubric_core.text.spans import Edit
from rubric_core.views.criteria import CriterionView


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on the key of a list of criteria, and on a criterion that has no id."""
    criteria, criterion = cursor.criteria, cursor.criterion
    if criteria is None or (criterion is not None and criterion.pair("id") is not None):
        return None
    named = {criterion.identifier for criterion in criteria.readable if criterion.pair("id") is not None}
    nameless = [criterion for criterion in criteria.readable if criterion.pair("id") is None and criterion.text]
    if any(criterion.identifier in named for criterion in nameless):
        return None
    added = [(criterion.identifier, edits) for criterion in nameless if (edits := _add_id(cursor, criterion))]
    what = f"the id `{added[0][0]}`" if len(added) == 1 else f"ids to {len(added)} criteria"
    return proposal(cursor, f"Add {what}", (edit for _, edits in added for edit in edits))


def _add_id(cursor: Cursor, criterion: CriterionView) -> list[Edit]:
    fields = criterion.fields
    if fields is None:
        return as_mapping(cursor, criterion, criterion.identifier)
    own = [pair for pair in fields.pairs if pair.key.origin is None]
    has_anchor = fields.meta is not None and fields.meta.anchor
    if not own or fields.origin is not None or has_anchor or not is_own_text(own[0].key):
        return []
    return [insert_first_key(cursor.text, fields, "id", criterion.identifier)]


REFACTOR = Refactor("add-ids", propose)
