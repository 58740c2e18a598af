"""
## What it does
Finds a `code_judge` whose command checks files and names none: `py_compile`, `ruff check`, `mypy`, `eslint` or `tsc`
with nothing but options behind it.

## Why is this bad?
These commands do not read the answer from standard input. Without a file they check nothing, check the folder that they
run in, or end with a usage error, so the result says nothing about the answer. `{{ answer_file }}` stands for the file
with the answer.

## Example
```yaml
evaluators:
  - name: compiles
    type: code_judge
    script: uv run python -m py_compile
```

Use instead:
```yaml
evaluators:
  - name: compiles
    type: code_judge
    script: uv run python -m py_compile {{ answer_file }}
```

## Fix safety
The fix appends `{{ answer_file }}` to the command. It changes what is run, so it is unsafe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.rule import Rule, Subject
from rubric_core.syntax.edits import insert_lines_after, item_indent, replace_text
from rubric_core.syntax.nodes import BlockScalar, Scalar, Sequence, Style
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Node
    from rubric_core.views.evaluators import EvaluatorView

_PLACE = "{{ answer_file }}"
_COMMANDS: dict[str, tuple[str, ...]] = {
    "py_compile": ("py_compile",),
    "ruff": ("ruff", "check"),
    "mypy": ("mypy",),
    "eslint": ("eslint",),
    "tsc": ("tsc",),
}
"""The commands that want files, by their program or module."""

_RUNNER = lazily(
    r"-.*|(?:.*/)?(?:python[0-9.]*|py|env|node|uv|uvx|pipx|poetry|pdm|hatch|rye|npx|npm|pnpm|yarn|bun|bunx)(?:\.exe)?|run|exec|x|dlx"
)
"""Words that may stand before such a command: what starts it, and options of that."""


def check(evaluator: EvaluatorView, context: Context) -> Iterator[Problem]:
    """Report a script whose command names no file, at the script."""
    script = evaluator.node.get("script")
    if evaluator.kind != "code_judge" or script is None or context.suite.dialect.records is None:
        return
    command = command_without_file(script)
    if command is not None:
        yield RULE.at(
            script,
            f"`{command}` checks files, and this script names none; append `{_PLACE}` for the file with the answer.",
            fixes=lambda: _fixes(script, context.text, in_flow=evaluator.node.flow),
        )


def command_without_file(script: Node) -> str | None:
    """Return the command of a script that wants files and names none; None where there is no such command."""
    words = _words(script)
    start = next((at for at, word in enumerate(words) if not _RUNNER.fullmatch(word)), len(words))
    program = words[start].rpartition("/")[2] if start < len(words) else ""
    command = _COMMANDS.get(program)
    if command is None:
        return None
    end = start + len(command)
    has_files = any(not word.startswith("-") for word in words[end:])
    return " ".join(command) if [program, *words[start + 1 : end]] == list(command) and not has_files else None


def _words(script: Node) -> list[str]:
    """Return the words of a command; none where one of them is not a text."""
    if isinstance(script, Sequence):
        items = [item for item in script.items if isinstance(item, Scalar)]
        return [item.value for item in items] if len(items) == len(script.items) else []
    return [word.text for word in split_words(script.value)] if isinstance(script, Scalar) else []


def _fixes(script: Node, text: str, *, in_flow: bool) -> list[Fix]:
    edit = _edit_of_list(script, text) if isinstance(script, Sequence) else _edit_of_text(script, in_flow=in_flow)
    return [Fix(f"Append `{_PLACE}`", (edit,))] if edit is not None else []


def _edit_of_list(script: Sequence, text: str) -> Edit | None:
    last = script.items[-1]
    if last.origin is not None or isinstance(last, BlockScalar):
        return None
    if script.flow:
        return Edit(last.end, last.end, f', "{_PLACE}"')
    return insert_lines_after(text, last.end, [f'- "{_PLACE}"'], item_indent(text, script))


def _edit_of_text(script: Node, *, in_flow: bool) -> Edit | None:
    if not isinstance(script, Scalar) or isinstance(script, BlockScalar):
        return None
    if script.style is not Style.PLAIN:
        return Edit(script.end - 1, script.end - 1, f" {_PLACE}")
    if in_flow:
        return replace_text(script, f"{script.value} {_PLACE}", flow=True)
    return Edit(script.end, script.end, f" {_PLACE}")


RULE = Rule("RB507", "script-without-file", Severity.HINT, Subject.EVALUATOR, check, fixes_are_safe=False)
