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

from rubric_core.rules.judged import Judged, judged_case, judged_defaults
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.views.cases import CaseView
from rubric_core.views.files import FileView


def check(case: CaseView, context: Context) -> Problems:
    yield from _empty_lists(judged_case(case, context))


def check_file(file: FileView, context: Context) -> Problems:
    for each in judged_defaults(file, context):
        yield from _empty_lists(each)
    for chunk, pair in (entry for entries in file.documents for entry in entries):
        value = pair.value
        is_list = pair.name in file.dialect.case_lists and not file.case_count
        if is_list and (is_null(value) or (isinstance(value, Sequence) and not value.items and value.flow)):
            message = "This list has no test, so one run without variables passes; add tests, or remove it."
            yield RULE.at(pair.key, message, chunk=chunk)


def _empty_lists(judged: Judged) -> Problems:
    for each in judged.lists:
        value = each.pair.value
        is_empty = is_null(value) or (isinstance(value, Sequence) and not value.items)
        is_shared = judged.is_default and each.composite is None
        # An empty list that every test starts from does no harm, but nothing in its place is refused.
        if not is_empty or (is_shared and not is_null(value)):
            continue
        effect = "the set scores 0" if each.composite is not None else judged.dialect.ungraded
        effect = "`validate` refuses it" if is_shared else effect
        message = f"This list has no assertion, so {effect}; add one, or remove it."
        yield RULE.at(each.pair.key, message, chunk=judged.chunk)


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB802", "empty-assertions", Severity.WARNING, Subject.CASE, check, also=_ALSO, needs="allows_ungraded")
