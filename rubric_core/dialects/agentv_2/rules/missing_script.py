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

from rubric_core.rules.messages import place_of_missing
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import insert_key, replace_node
from rubric_core.syntax.nodes import Mapping, Node, Pair, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.evaluators import EvaluatorView

_JUDGING = "TODO: the command that judges, word by word"
_PRINTING = "TODO: the command that prints the prompt, word by word"


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    prompt = evaluator.node.index.get("prompt")
    if evaluator.kind == "code_judge":
        message = "This `code_judge` has no `script`; give it the command that judges the answer."
        yield from _check(evaluator.node, None, message, _JUDGING, context.text)
    elif evaluator.kind in {"llm_judge", "rubric"} and prompt is not None and isinstance(prompt.value, Mapping):
        message = "This `prompt` has no `script`; give it the command that prints the prompt, or write its text."
        yield from _check(prompt.value, prompt.key, message, _PRINTING, context.text)


def _check(owner: Mapping, key: Node | None, message: str, placeholder: str, text: str) -> Problems:
    """Report a mapping without a script, at the key of the script if there is one."""
    pair = owner.index.get("script")
    if pair is None or _is_empty(pair.value):
        place = key if pair is None and key is not None else place_of_missing(owner, pair)
        yield RULE.at(place, message, fixes=lambda: _fixes(owner, pair, placeholder, text))


def _is_empty(script: Node) -> bool:
    """Return whether a script has no words; items that cannot be words are of the wrong type, not missing."""
    return all(map(is_blank, script.items)) if isinstance(script, Sequence) else is_blank(script)


def _fixes(owner: Mapping, pair: Pair | None, placeholder: str, text: str) -> list[Fix | None]:
    if pair is not None:
        return [Fix("Insert a `script`", (replace_node(pair.value, f'["{placeholder}"]'),))]
    return [
        Fix.of("Insert a `script`", insert_key(text, owner, "script", [placeholder], after=owner.index.get("type")))
    ]


RULE = Rule("RB502", "missing-script", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
