"""
## What it does
Finds an empty list of assertions, in a test or in a set, and an empty list of tests.

## Why is this bad?
Promptfoo runs a test without assertions and lets it pass with the score 1. An empty list of tests makes one run with no
variables, which passes too.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert: []
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: contains
        value: "8080"
```
"""

from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, in_tests
from rubric_core.dialects.promptfoo.rules.ungraded_test import PASSES
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.views.files import FileView
from rubric_core.views.records import is_empty_list


def check_tests(file: FileView, _context: Context) -> Problems:
    for chunk, pair in file.under(*file.dialect.case_lists) if not file.case_count else ():
        value = pair.value
        if is_null(value) or (isinstance(value, Sequence) and not value.items and value.flow):
            message = "This list has no test, so one run without variables passes; add tests, or remove it."
            yield RULE.at(pair.key, message, chunk=chunk)


def check(judged: Judged, _context: Context) -> Problems:
    for view in judged.lists:
        value = view.pair.value
        is_shared = judged.is_default and view.composite is None
        # An empty list is harmless in the default test, but null is refused.
        if not (is_null(value) or (is_empty_list(value) and not is_shared)):
            continue
        effect = "the set scores 0" if view.composite is not None else PASSES
        effect = "`validate` refuses it" if is_shared else effect
        message = f"This list has no assertion, so {effect}; add one, or remove it."
        yield RULE.at(view.pair.key, message, chunk=judged.chunk)


_ALSO = ((Subject.FILE, in_defaults(check)), (Subject.FILE, check_tests))
RULE = Rule("RB802", "empty-assertions", Severity.WARNING, Subject.CASE, in_tests(check), also=_ALSO)
