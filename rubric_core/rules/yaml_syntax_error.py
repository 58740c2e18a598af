"""
## What it does
Finds text that is not YAML, or, in a `.jsonl` file, a line that is not JSON.

## Why is this bad?
Whoever loads the file stops here, so none of its cases is graded. We go on: every case whose own text is sound is
checked as usual.

## Example
```yaml
evalcases:
  - id: port
    expected_outcome: "Names the port
    input_messages:
      - role: user
        content: Which port?
```

Use instead:
```yaml
evalcases:
  - id: port
    expected_outcome: "Names the port"
    input_messages:
      - role: user
        content: Which port?
```
"""

from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import SyntaxProblem


def check(problem: SyntaxProblem, _context: Context) -> Problems:
    if problem.code == RULE.code:
        yield RULE.at(problem.span, problem.message)


RULE = Rule("RB001", "yaml-syntax-error", Severity.ERROR, Subject.SYNTAX, check)
