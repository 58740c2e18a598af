"""
## What it does
Finds a key that promptfoo reads elsewhere: `assert`, `vars` or `threshold` at the top of the file, which belong under
`defaultTest`, `assert` under `vars`, and all three under `options`, which belong next to them. In a file of tests that
a configuration names it finds `tests` around the list.

## Why is this bad?
Promptfoo ignores a key at the top that it does not know, takes `assert` under `vars` for a variable and passes over it
under `options`. The tests run without these assertions and pass. A file of tests that is no list is refused.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars:
      question: Which port?
      assert:
        - type: contains
          value: "8080"
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars:
      question: Which port?
    assert:
      - type: contains
        value: "8080"
```

## Fix safety
The fix moves the key to where it belongs, if nothing of that name is there. From then on it counts, so the fix is
unsafe.
"""

import re
from functools import partial

from rubric_core.rules.messages import noun
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.nodes import Mapping, Pair, Sequence
from rubric_core.syntax.scalars import YamlVersion, as_number
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.files import FileView
from rubric_core.views.records import RecordView

_PARENT = ".."
_OWNER_LINE = lazily(r"(?P<indent>[ ]*(?:-[ ]+)*)[\"']?[\w-]+[\"']?[ ]*:[ ]*(?:#[^\n]*)?$")
_STEP = 2


def check(view: RecordView, context: Context) -> Problems:
    for pair in view.misplaced:
        if view.record.other_keys.misplaced[pair.name or ""] == _PARENT and _is_meant(pair, context.version):
            yield RULE.at(
                pair.key,
                f"`{pair.name}` stands in {noun(view.record)}, where it is not read; move it next to it.",
                fixes=partial(_unindent, view.mapping, pair, context.text),
            )


def check_file(file: FileView, _context: Context) -> Problems:
    suite = file.dialect.suite
    if file.is_named:
        for chunk, pair in file.under(*file.dialect.case_lists):
            message = f"A file of tests is refused with `{pair.name}` around its list; remove the key."
            yield RULE.at(pair.key, message, chunk=chunk)
    for entries in file.documents:
        names = {entry.pair.name for entry in entries}
        for chunk, pair in entries:
            place = suite.other_keys.misplaced.get(pair.name or "")
            if place is not None:
                yield RULE.at(
                    pair.key,
                    f"`{pair.name}` is not a key of {noun(suite)}, so it is not read; it belongs under `{place}`.",
                    fixes=partial(_indent, place, pair, chunk.text) if place not in names else None,
                    chunk=chunk,
                )


def _is_meant(pair: Pair, version: YamlVersion) -> bool:
    """Return whether a value has the shape for this key elsewhere; a variable or a setting may have any name."""
    if pair.name == "threshold":
        return as_number(pair.value, version) is not None
    if pair.name == "vars":
        return isinstance(pair.value, Mapping)
    items = pair.value.items if isinstance(pair.value, Sequence) else []
    return any(isinstance(item, Mapping) and "type" in item.index for item in items)


def _lines_of(pair: Pair, text: str) -> tuple[int, int]:
    """Return where the lines of a key and its value start and end."""
    start = text.rfind("\n", 0, pair.key.start) + 1
    end = text.find("\n", max(pair.value.end - 1, pair.key.end))
    return start, len(text) if end < 0 else end + 1


def _indent(place: str, pair: Pair, text: str) -> list[Fix]:
    """Move the key below a new one."""
    start, end = _lines_of(pair, text)
    if pair.key.origin is not None or start != pair.key.start:
        return []
    moved = re.sub(r"^(?=[^\r\n])", " " * _STEP, text[start:end], flags=re.MULTILINE)
    line_break = "\r\n" if "\r\n" in text else "\n"
    return [Fix(f"Move under `{place}`", (Edit(start, end, f"{place}:{line_break}{moved}"),))]


def _unindent(mapping: Mapping, pair: Pair, text: str) -> list[Fix]:
    """Move the key behind its mapping, to the column of the mapping's own key."""
    start, end = _lines_of(pair, text)
    own = [other for other in mapping.pairs if other.key.origin is None]
    first = text.rfind("\n", 0, min(other.key.start for other in own)) + 1 if own else 0
    owner = _OWNER_LINE.match(text[text.rfind("\n", 0, first - 1) + 1 : first].rstrip("\r\n")) if first else None
    if mapping.flow or pair.key.origin is not None or owner is None or text[start : pair.key.start].strip():
        return []
    step = column_of(text, pair.key.start) - len(owner["indent"])
    if step <= 0 or len(own) == 1:
        return []
    moved = re.sub(rf"^[ ]{{{step}}}", "", text[start:end], flags=re.MULTILINE)
    title = f"Move `{pair.name}` next to it"
    last = max(_lines_of(other, text)[1] for other in own)
    if end == last:
        return [Fix(title, (Edit(start, end, moved),))]
    return [Fix(title, (Edit(start, end, ""), Edit(last, last, moved)))]


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB801", "misplaced-key", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=False, also=_ALSO)
