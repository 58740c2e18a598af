"""
## What it does
Finds a variable whose value is an empty list or a list of strings.

## Why is this bad?
A list of strings makes as many tests as it has items, all with the same id. Prompts are rendered before that, so each
of these tests is asked with the whole list, and only the assertions see one item. A prompt that is nothing but the
variable is no text then, and none of the tests is run. An empty list makes no test at all, without a message.

A list of mappings is one value, and so is a list inside of a mapping.

## Example
```yaml
prompts: ["Translate into these languages: {{ languages }}"]
tests:
  - id: translation
    vars:
      languages: [German, French]
    assert:
      - Is written in both languages
```

Use instead:
```yaml
prompts: ["Translate into these languages: {{ languages }}"]
tests:
  - id: translation
    vars:
      languages: German, French
    assert:
      - Is written in both languages
```

## Fix safety
The fix for a list in brackets writes its items as one text, as prompts show them. An empty list is removed. Neither
can know what was meant, so both are unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.rules.messages import removal
from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import render_text, replace_node
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion, is_text
from rubric_core.views.cases import CaseView
from rubric_core.views.files import FileView


def check(case: CaseView, context: Context) -> Problems:
    yield from _lists(case.node, context.text, case.version, None)


def check_file(file: FileView, context: Context) -> Problems:
    for chunk, pair in file.under("default_test"):
        yield from _lists(pair.value, chunk.text, context.version, chunk)


def _lists(node: Node, text: str, version: YamlVersion, chunk: object | None) -> Iterator[Problem]:
    variables = node.get("vars") if isinstance(node, Mapping) else None
    if not isinstance(variables, Mapping):
        return
    for pair in variables.pairs:
        items = pair.value.items if isinstance(pair.value, Sequence) else None
        if items is None or (items and not is_text(items[0], version)):
            continue
        yield RULE.at(
            pair.key,
            _message(pair, len(items), is_default=chunk is not None),
            fixes=partial(_fixes, text, variables, pair, items),
            chunk=chunk,
        )


def _message(pair: Pair, count: int, *, is_default: bool) -> str:
    if not count:
        what = "every test" if is_default else "the test"
        return f"`{pair.name}` is an empty list, which removes {what} without a message; remove it."
    copies = f"{count} tests with the same id" if count > 1 else "a test for its one item"
    what = f"`{pair.name}` is a list of strings, which makes {copies} whose prompts all have the whole list"
    return f"{what}; write one text, or a test for each."


def _fixes(text: str, variables: Mapping, pair: Pair, items: list[Node]) -> list[Fix | None]:
    if not items:
        return [removal(text, variables, pair)]
    value = pair.value
    is_simple = isinstance(value, Sequence) and value.flow and "#" not in text[value.start : value.end]
    texts = [item.value for item in items if isinstance(item, Scalar)]
    if not is_simple or len(texts) != len(items):
        return []
    joined = render_text(", ".join(texts), flow=variables.flow)
    return [Fix("Write as one text", (replace_node(value, joined),))]


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB708", "list-var", Severity.WARNING, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
