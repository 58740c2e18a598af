"""
## What it does
Says once for a file that it is written in a later dialect of the format, which has other keys: `assert`, `assertions`,
`prompts`, `providers`, `vars` or `default_test`.

## Why is this bad?
It is not. But the keys of that dialect are not described here, so unknown keys and missing fields are not reported in
the file. Score ranges are checked wherever they stand.

## Example
```yaml
evalcases:
  - id: port
    expected_outcome: Names port 8080
    input_messages:
      - role: user
        content: Which port?
    assertions:
      - type: llm-rubric
        value: Names port 8080
```

Use instead:
```yaml
evalcases:
  - id: port
    expected_outcome: Names port 8080
    input_messages:
      - role: user
        content: Which port?
    rubrics:
      - Names port 8080
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.views.files import FileView


def check(file: FileView, _context: Context) -> Problems:
    mark = file.dialect_mark
    if mark is not None:
        yield RULE.at(
            mark.pair.key,
            f"`{mark.pair.name}` is of {file.dialect.title}, whose own keys are not checked; "
            "unknown and missing keys are not reported in this file.",
            chunk=mark.chunk,
        )


RULE = Rule("RB009", "later-dialect", Severity.HINT, Subject.FILE, check)
