"""
## What it does
Finds a file that goes over a limit: 64 MB in all, 16 MB in one line, 100 levels of nesting, 100,000 cases, or aliases
that repeat too many nodes: more than 10 for each character of the file, or more than 20,000 and one for each two
characters. 10,000 are always allowed. Then no alias of a list, a mapping or a long text is followed. The message says
which limit it is. `[limits]` in the configuration changes them.

## Why is this bad?
A text that grows when it is read can take all memory of the machine that reads it. What is over a limit is not
checked, so problems in it stay unseen.

## Example
```yaml
a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
metadata: *f
```

Use instead:
```yaml
a: &a [x, x, x, x, x, x, x, x, x, x]
metadata: *a
```
"""

from rubric_core.rules.messages import first_word
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import SyntaxProblem
from rubric_core.views.files import FileView


def check(problem: SyntaxProblem, _context: Context) -> Problems:
    if problem.code == RULE.code:
        yield RULE.at(problem.span, problem.message)


def check_file(file: FileView, context: Context) -> Problems:
    over = file.case_over_limit
    if over is not None:
        yield RULE.at(
            first_word(over.node),
            f"The file has {file.case_count:,} cases and the limit is {context.limits.cases:,}; "
            "split it into several files.",
            chunk=over.chunk,
        )


RULE = Rule("RB008", "too-complex", Severity.ERROR, Subject.SYNTAX, check, also=((Subject.FILE, check_file),))
