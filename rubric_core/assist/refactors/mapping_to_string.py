"""Write a criterion that is a mapping with nothing but a text as a string."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import is_own_text
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.schema.fields import FieldType
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.spans import Edit


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on a criterion that has no other key, in a list that takes strings."""
    criteria, criterion = cursor.criteria, cursor.criterion
    fields = criterion.fields if criterion is not None else None
    if criteria is None or criteria.field is None or criteria.is_single or fields is None or len(fields.pairs) != 1:
        return None
    pair, items = fields.pairs[0], criteria.field.items
    takes_strings = items is None or FieldType.STRING in items
    value = pair.value
    if not takes_strings or pair.name not in cursor.dialect.text_keys or not isinstance(value, Scalar):
        return None
    if not all(is_own_text(node) for node in (fields, pair.key, value)):
        return None
    edits = [Edit(fields.start, value.start, "")]
    if fields.flow:
        edits.append(Edit(value.end, fields.end, ""))
    return proposal(cursor, "Write the criterion as a string", edits)


REFACTOR = Refactor("mapping-to-string", propose)
