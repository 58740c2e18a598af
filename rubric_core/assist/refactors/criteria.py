"""Refactors of criteria: written as a mapping or as a string, with ids, and as the criteria of one assertion."""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.refactor import USUAL_STEP, RefactorProposal, is_own_text, proposal, quote_of
from rubric_core.dialects.dialect import Dialect
from rubric_core.schema.fields import FieldType, Role
from rubric_core.syntax.edits import column_of, dash_of, insert_first_key
from rubric_core.syntax.indentation import shift_lines, shifted
from rubric_core.syntax.nodes import Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.spans import Edit
from rubric_core.views.criteria import CriterionView


def string_to_mapping(cursor: Cursor) -> RefactorProposal | None:
    """Write a criterion that is a string as a mapping, so that a weight or an id can be added to it."""
    edits = _as_mapping(cursor, cursor.criterion) if cursor.criterion is not None else ()
    return proposal(cursor, "Write the criterion as a mapping", edits)


def _as_mapping(cursor: Cursor, criterion: CriterionView, identifier: str = "") -> list[Edit]:
    """Return the edits that make a mapping of a string, with an id if one is given; none where there is no string."""
    node, view = criterion.node, cursor.criteria
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
    column = column_of(cursor.text, node.start)
    first = f"id: {identifier}{cursor.line_break}{' ' * column}" if identifier else ""
    return [
        Edit(node.start, node.start, f"{first}{text_key}: "),
        *shift_lines(cursor.text, node.start, node.end, column - column_of(cursor.text, criteria.start)),
    ]


def mapping_to_string(cursor: Cursor) -> RefactorProposal | None:
    """Write a criterion that is a mapping with nothing but a text as a string, in a list that takes strings."""
    criteria, criterion = cursor.criteria, cursor.criterion
    fields = criterion.fields if criterion is not None else None
    if criteria is None or criteria.field is None or criteria.is_single or fields is None or len(fields.pairs) != 1:
        return None
    pair, items = fields.pairs[0], criteria.field.items
    takes_strings, value = items is None or FieldType.STRING in items, pair.value
    if not takes_strings or pair.name not in cursor.dialect.text_keys or not isinstance(value, Scalar):
        return None
    if not all(map(is_own_text, (fields, pair.key, value))):
        return None
    edits = [Edit(fields.start, value.start, "")]
    if fields.flow:
        edits.append(Edit(value.end, fields.end, ""))
    return proposal(cursor, "Write the criterion as a string", edits)


def add_ids(cursor: Cursor) -> RefactorProposal | None:
    """Write the generated id of each criterion of a list that has none, so that it stays the same when the list grows.

    A string becomes a mapping. A criterion that is behind an alias, or that an alias may repeat, stays as it is.
    """
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
        return _as_mapping(cursor, criterion, criterion.identifier)
    own = [pair for pair in fields.pairs if pair.key.origin is None]
    has_anchor = fields.meta is not None and fields.meta.anchor
    if not own or fields.origin is not None or has_anchor or not is_own_text(own[0].key):
        return []
    return [insert_first_key(cursor.text, fields, "id", criterion.identifier)]


def strings_to_rubric(cursor: Cursor) -> RefactorProposal | None:
    """Write the strings of a list of assertions as the criteria of one assertion, which can have a name and gates.

        - Names it            becomes   - type: TYPE
        - Explains it                     weight: 2
                                          value:
                                            - Names it
                                            - Explains it

    The strings are one assertion that weighs their number already, so that nothing changes for a judge.
    """
    view, text = cursor.criteria, cursor.text
    target = _type_with_criteria(cursor.dialect)
    if view is None or view.field is not None or cursor.criterion is None or target is None:
        return None
    nodes = [criterion.node for criterion in view.criteria]
    listed = view.node
    if not isinstance(listed, Sequence) or listed.flow or not all(map(is_own_text, nodes)):
        return None
    dashes = [dash_of(text, node) for node in nodes]
    if any(dash < 0 or text[line_start(text, dash) : dash].strip() for dash in dashes):
        return None
    kind, key = target
    column, end = column_of(text, dashes[0]), cursor.line_break
    keys, items = " " * (column + USUAL_STEP), " " * (column + 2 * USUAL_STEP)
    written = [f"{items}- {shifted(text[node.start : line_end(text, node.end)], 2 * USUAL_STEP)}" for node in nodes]
    whole = f"- type: {kind}{end}{keys}weight: {len(nodes)}{end}{keys}{key}:{end}{end.join(written)}"
    edits = [Edit(dashes[0], line_end(text, nodes[0].end), whole)]
    for dash, node in zip(dashes[1:], nodes[1:], strict=True):
        # With the line break before it.
        start = line_start(text, dash)
        edits.append(Edit(start - len(end) if start else 0, line_end(text, node.end), ""))
    return proposal(cursor, f"Write the strings as the criteria of one `{kind}`", edits)


def _type_with_criteria(dialect: Dialect) -> tuple[str, str] | None:
    """Return the first type whose criteria may be strings, and the key of these."""
    for kind in dialect.types:
        for field in dialect.records[f"evaluator:{kind}"].by_role[Role.CRITERIA]:
            if field.items is not None and FieldType.STRING in field.items:
                return kind, field.name
    return None
