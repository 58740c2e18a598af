"""
## What it does
Finds a suite whose `name` has other characters than lower-case letters, digits and hyphens, or more than 64 of them.

## Why is this bad?
AgentV cannot load such a suite, so none of its tests is run. Its `validate` only warns.

## Example
```yaml
name: Server Questions
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - Names port 8080
```

Use instead:
```yaml
name: server-questions
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - Names port 8080
```

## Fix safety
The fix writes the name in lower case with hyphens. Results have the new name, so the fix is unsafe.
"""

import re
from functools import partial

from rubric_core.rules.messages import renaming
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import is_text
from rubric_core.text.patterns import lazily
from rubric_core.views.files import FileView

_OTHERS = lazily(r"[^a-z0-9]+")
_LONGEST = 64


def check(file: FileView, context: Context) -> Problems:
    for chunk, pair in file.entries():
        field = file.dialect.suite.get(pair.name or "")
        value = pair.value
        if field is None or field.limits.pattern is None or not isinstance(value, Scalar):
            continue
        if is_text(value, context.version) and not re.fullmatch(field.limits.pattern, value.value):
            name = _OTHERS.sub("-", value.value.lower()).strip("-")[:_LONGEST].rstrip("-")
            yield RULE.at(
                value if value.end > value.start else pair.key,
                _message(value.value, name),
                fixes=partial(renaming, value, name or None),
                chunk=chunk,
            )


def _message(written: str, name: str) -> str:
    if len(written) > _LONGEST:
        what = f"The name has {len(written)} characters and may have {_LONGEST}"
    else:
        what = "A name may only have lower-case letters, digits and hyphens" if written else "The name is empty"
    return f"{what}, so the file cannot be loaded; write {f'`{name}`' if name else 'a name such as `my-suite`'}."


RULE = Rule("RB716", "invalid-name", Severity.ERROR, Subject.FILE, check, fixes_are_safe=False)
