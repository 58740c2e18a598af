"""Write the strings of a list of assertions as the criteria of one assertion, which can have a name and gates.

    - Names it            becomes   - type: llm-rubric
    - Explains it                     weight: 2
                                      value:
                                        - Names it
                                        - Explains it

The strings are one assertion that weighs their number already, so that nothing changes for a judge.
"""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import USUAL_STEP, is_own_text
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.dialects.dialect import Dialect
from rubric_core.schema.fields import FieldType, Role
from rubric_core.syntax.edits import column_of, dash_of
from rubric_core.syntax.indentation import shifted
from rubric_core.syntax.nodes import Sequence
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.spans import Edit


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on a string among assertions, in block style."""
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


REFACTOR = Refactor("strings-to-rubric", propose)
