"""
## What it does
Finds a criterion whose text another criterion of the same list has, apart from case, white space and the punctuation
around it. A criterion with score ranges is compared only with others that have them. In promptfoo the texts of the
assertions of a test are compared, such as those of `llm-rubric`, with others of their type.

## Why is this bad?
The same thing is judged twice and counts twice. Mostly it is a copy whose text was meant to be changed.

## Example
```yaml
rubrics:
  - Names port 8080
  - Explains what the port is for
  - names port 8080.
```

Use instead:
```yaml
rubrics:
  - Names port 8080
  - Explains what the port is for
```

## Fix safety
The fix removes the copy. This changes the weight of the rest, and the generated ids of the criteria below it, so it is
unsafe.
"""

from functools import partial

from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import remove_item
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.criteria import CriteriaView, Mode
from rubric_core.views.texts import normalised

MESSAGE = "This criterion repeats an earlier one, so the same thing counts twice; remove it, or change its text."
TITLE = "Remove the copy"


def check(criteria: CriteriaView, context: Context) -> Problems:
    # Placeholders are the same text by chance.
    texts = [
        (criterion, criterion.outcome)
        for criterion in criteria.readable
        if criterion.outcome is not None and not criterion.is_placeholder
    ]
    first_words = {criterion.first_word for criterion, _ in texts}
    if len(first_words) == len(texts) and "" not in first_words:
        return
    first: dict[tuple[Mode, str], Scalar] = {}
    for criterion, outcome in texts:
        earlier = first.setdefault((criterion.mode, normalised(outcome.value)), outcome)
        if earlier is not outcome:
            yield RULE.at(
                outcome,
                MESSAGE,
                related=[(earlier, "The same text is here.")],
                fixes=partial(one_edit, TITLE, remove_item, context.text, criteria.node, criterion.node),
            )


RULE = Rule("RB208", "repeated-criterion", Severity.WARNING, Subject.CRITERIA, check, fixes_are_safe=False)
