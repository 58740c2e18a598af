"""
## What it does
Finds a filter of templates whose file is written as `file://` and its path.

## Why is this bad?
Elsewhere promptfoo reads files that way, but a filter is a path alone. With `file://` it is not found, and every row
that uses the filter ends with an error.

## Example
```yaml
prompts: ["{{ text | shout }}"]
providers: [echo]
nunjucksFilters:
  shout: file://shout.js
tests:
  - vars: {text: Hello}
    assert: [{type: is-json}]
```

Use instead:
```yaml
prompts: ["{{ text | shout }}"]
providers: [echo]
nunjucksFilters:
  shout: shout.js
tests:
  - vars: {text: Hello}
    assert: [{type: is-json}]
```

## Fix safety
The fix drops `file://`. The filter is found then, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.views.files import FileView


def check(file: FileView, _context: Context) -> Problems:
    for chunk, pair in file.under("nunjucksFilters"):
        for node in [entry.value for entry in pair.value.pairs] if isinstance(pair.value, Mapping) else []:
            if isinstance(node, Scalar) and node.value.startswith(FILE_URL):
                message = f"A filter is found by its path alone; write it without `{FILE_URL}`."
                path = node.value.removeprefix(FILE_URL)
                fixes = partial(one_edit, f"Drop `{FILE_URL}`", replace_text, node, path)
                yield RULE.at(node, message, fixes=fixes, chunk=chunk)


RULE = Rule("RB817", "filter-url", Severity.WARNING, Subject.FILE, check, fixes_are_safe=False)
