"""
## What it does
Finds a case whose id another case of the file has.

## Why is this bad?
Results, recorded answers and comparisons find a case by its id. Of two cases with one id, one hides the other.

## Example
```yaml
evalcases:
  - id: greeting
    expected_outcome: Greets the user by name
    input: I am Ada
  - id: greeting
    expected_outcome: Greets the user in French
    input: Bonjour
```

Use instead:
```yaml
evalcases:
  - id: greeting
    expected_outcome: Greets the user by name
    input: I am Ada
  - id: greeting-2
    expected_outcome: Greets the user in French
    input: Bonjour
```

## Fix safety
The fix puts the next free number behind the id. It is unsafe because recorded answers and results refer to cases by
their ids.
"""

from functools import partial

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.files import FileView
from rubric_core.views.texts import numbered


def check(file: FileView, _context: Context) -> Problems:
    for name, (first, *others) in file.repeated_ids.items():
        for chunk, node in others:
            yield RULE.at(
                node,
                f"Another case of this file has the id `{name}`; give this one an id of its own.",
                related=[(first.node, f"The first use of `{name}`.", first.chunk)],
                fixes=partial(_fixes, file, node),
                chunk=chunk,
            )._replace(
                message_with_lines=f"Two cases are called {name} (lines {{lines}}); give one of them another id."
            )


def _fixes(file: FileView, node: Scalar) -> list[Fix]:
    new = numbered(node.value, file.ids)
    return [Fix(f"Rename to `{new}`", (replace_text(node, new),))]


RULE = Rule("RB203", "duplicate-case-id", Severity.ERROR, Subject.FILE, check, fixes_are_safe=False)
