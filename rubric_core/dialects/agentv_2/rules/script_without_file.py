"""
## What it does
Finds a `code_judge` whose command checks files and names none: `py_compile`, `ruff check`, `mypy`, `eslint` or `tsc`
with nothing but options and their values behind it. It also finds another spelling of `{{ answer_file }}`, such as
`{{ ANSWER_FILE }}`, as a warning.

## Why is this bad?
These commands do not read the answer from standard input. Without a file they check nothing, check the folder that they
run in, or end with a usage error, so the result says nothing about the answer. `{{ answer_file }}` stands for the file
with the answer, `answer.txt`. `tsc` and `eslint` read no file of that name: one refuses it and the other ignores it, so
that every answer gets the same score. Copy it for them, as in
`[sh, -c, 'cp "$RUBRIC_ANSWER_FILE" answer.ts && npx tsc --noEmit answer.ts']`. Another spelling is given to the command
as it is.

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
The fix appends `{{ answer_file }}` to the command, or puts it in place of another spelling. It changes what is run, so
it is unsafe. There is no fix for `tsc` and `eslint`.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from rubric_core.rules.messages import one_edit, place_in
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.suggest import closest
from rubric_core.syntax.edits import insert_lines_after, item_indent, replace_text
from rubric_core.syntax.nodes import BlockScalar, Node, Scalar, ScalarStyle, Sequence
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.references import split_words

_PLACE = "{{ answer_file }}"


class _Command(NamedTuple):
    """A command that needs files: its words, and whether it reads a file whatever its extension.

    `valued` has the options whose value is the next word, except those that name files, such as `--project`.
    """

    words: tuple[str, ...]
    valued: str = ""
    reads_any_file: bool = True


_COMMANDS: dict[str, _Command] = {
    "py_compile": _Command(("py_compile",)),
    "ruff": _Command(
        ("ruff", "check"),
        "--cache-dir --color --config --dummy-variable-rgx --exclude --extend-exclude --extend-fixable"
        " --extend-ignore --extend-per-file-ignores --extend-select --extension --fixable --ignore --line-length -o"
        " --output-file --output-format --per-file-ignores --select --target-version --unfixable",
    ),
    "mypy": _Command(
        ("mypy",),
        "--always-false --always-true --cache-dir --config-file --custom-typeshed-dir --disable-error-code"
        " --enable-error-code --exclude --follow-imports --html-report --junit-xml -O --output --platform"
        " --python-executable --python-version --txt-report --xml-report",
    ),
    "eslint": _Command(
        ("eslint",),
        "-c --cache-file --cache-location --cache-strategy --config --env --ext -f --fix-type --flag --format"
        " --global --ignore-path --ignore-pattern --max-warnings -o --output-file --parser --parser-options"
        " --plugin --report-unused-disable-directives-severity --resolve-plugins-relative-to --rule --rulesdir",
        reads_any_file=False,
    ),
    "tsc": _Command(
        ("tsc",),
        "--baseUrl --declarationDir --jsx --lib --locale -m --module --moduleDetection --moduleResolution --outDir"
        " --outFile --rootDir --rootDirs -t --target --tsBuildInfoFile --typeRoots --types",
        reads_any_file=False,
    ),
}
"""The commands that want files, by their program or module."""

_RUNNER = lazily(
    r"-.*|(?:.*/)?(?:python[0-9.]*|py|env|node|uv|uvx|pipx|poetry|pdm|hatch|rye|npx|npm|pnpm|yarn|bun|bunx)(?:\.exe)?|run|exec|x|dlx"
)
"""Words that may come before such a command: what starts it, and options of that."""

_ANSWER_FILE = lazily(r"\{\{[ \t]*answer_file[ \t]*\}\}")
_ANY_PLACE = lazily(r"\{\{\s*([A-Za-z][\w .-]{0,30}?)\s*\}\}")


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    script = evaluator.node.get("script") if evaluator.kind == "code_judge" else None
    if script is None:
        return
    misspelt = [(node, place) for node in _texts(script) for place in _misspelt_places(node)]
    for node, place in misspelt:
        span = place_in(node, place, context.text)
        fixes = partial(one_edit, f"Replace `{place}` with `{_PLACE}`", Edit, *span, _PLACE) if span else None
        yield RULE.at(
            node,
            f"`{place}` is not a placeholder and is passed to the command as it is; did you mean `{_PLACE}`?",
            fixes=fixes,
            severity=Severity.WARNING,
        )
    if not misspelt:
        yield from _without_file(script, context, in_flow=evaluator.node.flow)


def _without_file(script: Node, context: Context, *, in_flow: bool) -> Problems:
    words = _words(script)
    start = next((at for at, word in enumerate(words) if not _RUNNER.fullmatch(word)), len(words))
    program = words[start].rpartition("/")[2] if start < len(words) else ""
    command = _COMMANDS.get(program)
    if command is None:
        return
    given = (program, *_without_options(words[start + 1 :], command.valued.split()))
    name, size = " ".join(command.words), len(command.words)
    if given[:size] != command.words:
        return
    extension = f"with an extension that `{name}` reads"
    if not command.reads_any_file and _ANSWER_FILE.fullmatch(" ".join(given[size:])):
        message = f"`{name}` does not read `answer.txt`, for which `{_PLACE}` stands; copy it to a file {extension}."
        yield RULE.at(script, message)
    elif len(given) == size:
        advice = f"append `{_PLACE}` for the file with the answer"
        if not command.reads_any_file:
            advice = f"copy `answer.txt`, the file with the answer, to one {extension}"
        fixes = partial(one_edit, f"Append `{_PLACE}`", _appended, script, context.text, in_flow)
        yield RULE.at(
            script,
            f"`{name}` checks files, and this script names none; {advice}.",
            fixes=fixes if command.reads_any_file else None,
        )


def _without_options(words: list[str], valued: list[str]) -> Iterator[str]:
    """Yield the words that are neither options nor their values."""
    for before, word in zip(["", *words], words, strict=False):
        if not word.startswith("-") and before not in valued:
            yield word


def _misspelt_places(node: Scalar) -> list[str]:
    """Return the misspelt placeholders for the answer's file."""
    places = _ANY_PLACE.finditer(node.value) if "{{" in node.value else ()
    return [
        place[0] for place in places if not _ANSWER_FILE.fullmatch(place[0]) and closest(place[1], ("answer_file",))
    ]


def _texts(script: Node) -> list[Scalar]:
    return [node for node in (script.items if isinstance(script, Sequence) else [script]) if isinstance(node, Scalar)]


def _words(script: Node) -> list[str]:
    """Return the words of a command; none if one of them is not a text."""
    if isinstance(script, Sequence):
        items = _texts(script)
        return [item.value for item in items] if len(items) == len(script.items) else []
    return [word.text for word in split_words(script.value)] if isinstance(script, Scalar) else []


def _appended(script: Node, text: str, in_flow: bool) -> Edit | None:  # noqa: FBT001 - see `one_edit`.
    if not isinstance(script, Sequence):
        return _appended_to_text(script, in_flow=in_flow)
    last = script.items[-1]
    if last.origin is not None or isinstance(last, BlockScalar):
        return None
    if script.flow:
        return Edit(last.end, last.end, f', "{_PLACE}"')
    return insert_lines_after(text, last.end, [f'- "{_PLACE}"'], item_indent(text, script))


def _appended_to_text(script: Node, *, in_flow: bool) -> Edit | None:
    if not isinstance(script, Scalar) or isinstance(script, BlockScalar):
        return None
    if script.style is not ScalarStyle.PLAIN:
        return Edit(script.end - 1, script.end - 1, f" {_PLACE}")
    if in_flow:
        return replace_text(script, f"{script.value} {_PLACE}", flow=True)
    return Edit(script.end, script.end, f" {_PLACE}")


RULE = Rule("RB507", "script-without-file", Severity.HINT, Subject.EVALUATOR, check, fixes_are_safe=False)
