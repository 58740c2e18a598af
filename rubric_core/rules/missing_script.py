"""
## What it does
Finds a `code_judge` evaluator without a `script`.

## Why is this bad?
The script is what judges the answer. Without it there is nothing to run, and the case cannot be graded.

## Example
```yaml
evaluators:
  - name: compiles
    type: code_judge
    cwd: judges
```

Use instead:
```yaml
evaluators:
  - name: compiles
    type: code_judge
    script: [uv, run, python, -m, py_compile, "{{ answer_file }}"]
    cwd: judges
```

## Fix safety
The fix inserts a `script` that is still to be written, so it is unsafe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.places import place_of_missing
from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.rule import Rule, Subject
from rubric_core.syntax.edits import insert_key, replace_node
from rubric_core.syntax.nodes import Scalar, Sequence
from rubric_core.syntax.scalars import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Node, Pair
    from rubric_core.text.spans import Edit
    from rubric_core.views.evaluators import EvaluatorView

_PLACEHOLDER = "TODO: the command that judges, word by word"


def check(evaluator: EvaluatorView, context: Context) -> Iterator[Problem]:
    """Report a code judge that has no script or an empty one."""
    # A dialect that is not described yet may name its command otherwise.
    if evaluator.kind != "code_judge" or context.suite.dialect.records is None:
        return
    pair = evaluator.node.index.get("script")
    if pair is not None and not _is_empty(pair.value):
        return
    yield RULE.at(
        place_of_missing(evaluator.node, pair),
        "This `code_judge` has no `script`; give it the command that judges the answer.",
        fixes=lambda: _fixes(evaluator, pair, context.text),
    )


def _is_empty(script: Node) -> bool:
    """Tell whether there is no word in a script."""
    if isinstance(script, Sequence):
        return all(_is_empty(item) for item in script.items if isinstance(item, Scalar)) and not _has_others(script)
    return is_blank(script)


def _has_others(script: Sequence) -> bool:
    """Tell whether a list has items that can be no words; they are of the wrong type, and not missing."""
    return any(not isinstance(item, Scalar) for item in script.items)


def _fixes(evaluator: EvaluatorView, pair: Pair | None, text: str) -> list[Fix]:
    edit: Edit | None
    if pair is None:
        edit = insert_key(text, evaluator.node, "script", [_PLACEHOLDER], after=evaluator.type_pair)
    else:
        edit = replace_node(pair.value, f'["{_PLACEHOLDER}"]')
    return [Fix("Insert a `script`", (edit,))] if edit is not None else []


RULE = Rule("RB502", "missing-script", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
