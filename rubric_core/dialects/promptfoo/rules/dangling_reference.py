"""
## What it does
Finds a `$ref` to a part of the configuration that is not there.

## Why is this bad?
Promptfoo ends with an error before it runs a test.

Only references within the file are looked at, those that start with `#/`. What stands in the settings of providers and
under `redteam` is left alone, and so are references into the list of tests.

## Example
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
assertionTemplates:
  short: {type: word-count, value: {max: 20}}
tests:
  - vars: {text: Hello}
    assert:
      - $ref: "#/assertionTemplates/shrot"
```

Use instead:
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
assertionTemplates:
  short: {type: word-count, value: {max: 20}}
tests:
  - vars: {text: Hello}
    assert:
      - $ref: "#/assertionTemplates/short"
```

## Fix safety
The fix writes the known name that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from collections.abc import Collection
from functools import partial
from typing import NamedTuple

from rubric_core.dialects.promptfoo.assertions import REFERENCE_KEY
from rubric_core.rules.messages import renaming, suggestion
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.views.files import FileView

_START = "#/"


class _Lost(NamedTuple):
    """A reference without a target: the unknown part of its path, and the names that exist there."""

    parts: list[str]
    depth: int
    known: Collection[str]


def check(file: FileView, _context: Context) -> Problems:
    if not file.references:
        return
    top = {pair.name: pair.value for _, pair in file.entries() if pair.name is not None}
    for chunk, node in file.references:
        lost = _lost(node.value, top, file.dialect.case_lists)
        if lost is None:
            continue
        ending, meant = suggestion(lost.parts[lost.depth], sorted(lost.known)) if lost.known else ("correct it.", None)
        parts = [*lost.parts[: lost.depth], meant or "", *lost.parts[lost.depth + 1 :]]
        yield RULE.at(
            node,
            f"`{node.value}` leads to nothing, since `{lost.parts[lost.depth]}` is not there; {ending}",
            fixes=partial(renaming, node, _START + "/".join(parts) if meant is not None else None),
            chunk=chunk,
        )


def _lost(pointer: str, top: dict[str, Node], case_lists: tuple[str, ...]) -> _Lost | None:
    parts = pointer.removeprefix(_START).split("/")
    is_plain = pointer.startswith(_START) and "%" not in pointer and "~" not in pointer
    if not is_plain or parts[0] in case_lists:
        return None
    if parts[0] not in top:
        return _Lost(parts, 0, top)
    node = top[parts[0]]
    for index, part in enumerate(parts[1:], start=1):
        if isinstance(node, Mapping):
            if part not in node.index:
                return None if REFERENCE_KEY in node.index else _Lost(parts, index, node.index)
            node = node.index[part].value
        elif isinstance(node, Sequence):
            if not part.isdecimal() or int(part) >= len(node.items):
                return _Lost(parts, index, ())
            node = node.items[int(part)]
        else:
            # The items of a top-level list are read one by one, so its key has no value.
            may_be_list = index == 1 and is_null(node) and part.isdecimal()
            return None if may_be_list else _Lost(parts, index, ())
    return None


RULE = Rule("RB820", "dangling-reference", Severity.ERROR, Subject.FILE, check, fixes_are_safe=False)
