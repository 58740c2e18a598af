"""
## What it does
Finds `rubrics` with nothing in it.

## Why is this bad?
A list without criteria judges nothing, so the case looks graded and is not. A case that needs no criteria has no
`rubrics` at all.

## Example
```yaml
rubrics: []
```

Use instead:
```yaml
rubrics:
  - Names port 8080
```

## Fix safety
One fix inserts a criterion whose text starts with `TODO: `, the other one that repeats what the case expects. Both are
unsafe: the text is yours to write, and one criterion for all that is expected is a start, not a rubric.
"""

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import CRITERION_PLACEHOLDER
from rubric_core.syntax.edits import column_of, insert_lines_after, render, render_text, replace_node
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank, is_null
from rubric_core.text.spans import Edit
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.texts import first_filled, is_placeholder

_USUAL_STEP = 2


def check(criteria: CriteriaView, context: Context) -> Problems:
    node = criteria.node
    is_nothing = is_null(node)
    if not is_nothing and (not isinstance(node, Sequence) or node.items):
        return
    yield RULE.at(
        criteria.pair.key if is_nothing else node,
        f"`{criteria.pair.name}` has no criteria, so it judges nothing; add one, or remove the key.",
        fixes=lambda: _fixes(context.text, criteria),
    )


def _fixes(text: str, criteria: CriteriaView) -> list[Fix]:
    fixes = [Fix("Insert a criterion to fill in", _insertion(text, criteria, CRITERION_PLACEHOLDER))]
    # Only a case has an expected outcome.
    outcome = first_filled(criteria.owner, criteria.dialect.case_text_keys)
    said = outcome.value if outcome is not None else None
    expected = " ".join(said.value.split()) if isinstance(said, Scalar) and not is_blank(said) else ""
    if expected and not is_placeholder(expected):
        edits = _insertion(text, criteria, expected)
        fixes.append(Fix("Make a criterion of what the case expects", edits))
    return fixes


def _insertion(text: str, criteria: CriteriaView, criterion: str) -> tuple[Edit, ...]:
    """Insert a list with one criterion, in the style of the text around it."""
    node, key = criteria.node, criteria.pair.key
    if criteria.owner.flow:
        return (replace_node(node, render([criterion], as_json=True)),)
    indent = " " * (column_of(text, key.start) + _step(text, criteria.owner))
    new_line = insert_lines_after(text, max(node.end, key.end), [f"- {render_text(criterion)}"], indent)
    if node.end == node.start:
        return (new_line,)
    # An explicit `null` is removed, with the white space before it.
    start = node.start - len(text[: node.start]) + len(text[: node.start].rstrip(" "))
    return (Edit(start, node.end, ""), new_line)


def _step(text: str, owner: Mapping) -> int:
    """Return the indentation of lists below their keys: 0 if dashes are flush with keys."""
    for pair in owner.pairs:
        value = pair.value
        if isinstance(value, Sequence) and not value.flow and not value.origin and not pair.key.origin:
            return column_of(text, value.start) - column_of(text, pair.key.start)
    return _USUAL_STEP


RULE = Rule("RB209", "no-criteria", Severity.WARNING, Subject.WORDLESS, check, fixes_are_safe=False)
