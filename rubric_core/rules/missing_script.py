"""
## What it does
Finds a `code_judge` evaluator without a `script`, and a `prompt` that is a mapping without one.

## Why is this bad?
The script is what judges the answer, or what prints the prompt. Without it there is nothing to run, and the case
cannot be graded.

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
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Node, Pair
    from rubric_core.text.spans import Edit
    from rubric_core.views.evaluators import EvaluatorView

_JUDGING = "TODO: the command that judges, word by word"
_PRINTING = "TODO: the command that prints the prompt, word by word"


def check(evaluator: EvaluatorView, context: Context) -> Iterator[Problem]:
    """Report a code judge, or the prompt of a judge, that has no script or an empty one."""
    # A dialect that is not described yet may name its command otherwise.
    if context.suite.dialect.records is None:
        return
    prompt = evaluator.node.index.get("prompt")
    if evaluator.kind == "code_judge":
        message = "This `code_judge` has no `script`; give it the command that judges the answer."
        yield from _check(evaluator.node, None, message, _JUDGING, context.text)
    elif evaluator.kind in {"llm_judge", "rubric"} and prompt is not None and isinstance(prompt.value, Mapping):
        message = "This `prompt` has no `script`; give it the command that prints the prompt, or write its text."
        yield from _check(prompt.value, prompt.key, message, _PRINTING, context.text)


def _check(owner: Mapping, key: Node | None, message: str, placeholder: str, text: str) -> Iterator[Problem]:
    """Report a mapping without a script, at its key where it has one."""
    pair = owner.index.get("script")
    if pair is None or _is_empty(pair.value):
        place = key if pair is None and key is not None else place_of_missing(owner, pair)
        yield RULE.at(place, message, fixes=lambda: _fixes(owner, pair, placeholder, text))


def _is_empty(script: Node) -> bool:
    """Tell whether there is no word in a script."""
    if isinstance(script, Sequence):
        return all(_is_empty(item) for item in script.items if isinstance(item, Scalar)) and not _has_others(script)
    return is_blank(script)


def _has_others(script: Sequence) -> bool:
    """Tell whether a list has items that can be no words; they are of the wrong type, and not missing."""
    return any(not isinstance(item, Scalar) for item in script.items)


def _fixes(owner: Mapping, pair: Pair | None, placeholder: str, text: str) -> list[Fix]:
    edit: Edit | None
    if pair is None:
        edit = insert_key(text, owner, "script", [placeholder], after=owner.index.get("type"))
    else:
        edit = replace_node(pair.value, f'["{placeholder}"]')
    return [Fix("Insert a `script`", (edit,))] if edit is not None else []


RULE = Rule("RB502", "missing-script", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
