"""Write a criterion that is a string as a mapping, so that a weight or an id can be added to it."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import is_own_text, quote_of
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.indentation import shift_lines
from rubric_core.syntax.nodes import Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.spans import Edit
from rubric_core.views.criteria import CriterionView


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on a criterion that is a string."""
    edits = as_mapping(cursor, cursor.criterion) if cursor.criterion is not None else ()
    return proposal(cursor, "Write the criterion as a mapping", edits)


def as_mapping(cursor: Cursor, criterion: CriterionView, identifier: str = "") -> list[Edit]:
    """Return the edits that make a mapping of a string, with an id if one is given; none where there is no string."""
    node = criterion.node
    view = cursor.criteria
    # A mapping among evaluators is an evaluator.
    criteria = view.node if view is not None and view.field is not None else None
    if not isinstance(node, Scalar) or not isinstance(criteria, Sequence) or not is_own_text(node) or is_blank(node):
        return []
    if not cursor.dialect.text_keys:
        return []
    text_key = cursor.dialect.text_keys[0]
    if criteria.flow:
        quote = quote_of(node) and '"'
        first = f"{quote}id{quote}: {quote}{identifier}{quote}, " if identifier else ""
        before = f"{{{first}{quote}{text_key}{quote}: "
        return [Edit(node.start, node.start, before), Edit(node.end, node.end, "}")]
    width = column_of(cursor.text, node.start) - column_of(cursor.text, criteria.start)
    indent = " " * column_of(cursor.text, node.start)
    first = f"id: {identifier}{cursor.line_break}{indent}" if identifier else ""
    return [
        Edit(node.start, node.start, f"{first}{text_key}: "),
        *shift_lines(cursor.text, node.start, node.end, width),
    ]


REFACTOR = Refactor("string-to-mapping", propose)
