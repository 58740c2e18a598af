"""
## What it does
Finds what is wrong in `rubric.toml`, or under `[tool.rubric]` in `pyproject.toml`: text that is not TOML, a setting
that does not exist, a value of the wrong kind.

## Why is this bad?
A setting that cannot be read has no effect, so files are checked by other rules than you think.

## Example
```toml
selct = ["RB1"]
```

Use instead:
```toml
select = ["RB1"]
```

## Fix safety
The fix writes the word that was probably meant. That changes how files are checked, so the fix is unsafe.
"""

from collections.abc import Iterable

from rubric_core.rules.rule import Context, Problem, Rule, Severity, Subject


def check(_nothing: object, _context: Context) -> Iterable[Problem]:
    return ()


RULE = Rule("RB903", "invalid-configuration", Severity.ERROR, Subject.CONFIGURATION, check, fixes_are_safe=False)
