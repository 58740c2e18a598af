"""
## What it does
Finds two evaluators of one list that have the same name. The criteria under a case's own `rubrics` make one more
evaluator, which is called `rubric`: an evaluator of that name in the list beside them is a duplicate, too.

## Why is this bad?
Results are kept by name. With two evaluators of one name nobody can tell which of them gave a score.

The suite's evaluators are used by cases with and without `rubrics`, so there the name `rubric` is left alone. So it is
among the members of a composite, which has results of its own.

## Example
```yaml
evaluators:
  - {name: judge, type: llm_judge, prompt: Judge the tone of the answer}
  - {name: judge, type: llm_judge, prompt: Judge the length of the answer}
```

Use instead:
```yaml
evaluators:
  - {name: tone, type: llm_judge, prompt: Judge the tone of the answer}
  - {name: length, type: llm_judge, prompt: Judge the length of the answer}
```

## Fix safety
The fix puts a number behind the later name. Other places may use that name, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import one_edit, replace_name
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.nodes import Pair, Scalar
from rubric_core.views.evaluators import EvaluatorsView
from rubric_core.views.texts import numbering


def check(evaluators: EvaluatorsView, _context: Context) -> Problems:
    named = [(evaluator, name) for evaluator in evaluators.evaluators if (name := evaluator.name) is not None]
    names = {name.value.strip() for _, name in named}
    if len(names) == len(named) and (evaluators.inline is None or INLINE_NAME not in names):
        return
    # Each gets a number of its own, so that all of them can be renamed at once.
    number = numbering(names)
    first: dict[str, Scalar | Pair] = {INLINE_NAME: evaluators.inline} if evaluators.inline is not None else {}
    for evaluator, name in named:
        text = name.value.strip()
        earlier = first.setdefault(text, name)
        # Only the type is reported of an evaluator of an unknown type.
        if earlier is not name and evaluator.is_checked:
            yield _problem(evaluators, name, earlier, number(text))


def _problem(evaluators: EvaluatorsView, name: Scalar, earlier: Scalar | Pair, new: str) -> Problem:
    text = name.value.strip()
    fixes = partial(one_edit, f"Rename to `{new}`", replace_name, name, new)
    if earlier is evaluators.inline:
        message = f"The case's own `rubrics` are an evaluator called `{text}` already; give this one another name."
        why = "These criteria make an evaluator of that name."
        # The whole list of criteria would be a long place to point at.
        return RULE.at(name, message, related=[(evaluators.inline.key, why)], fixes=fixes)
    message = f"Another evaluator of this list is called `{text}` already; give this one another name."
    return RULE.at(name, message, related=[(earlier, "The first of that name.")], fixes=fixes)


RULE = Rule("RB504", "duplicate-evaluator-name", Severity.WARNING, Subject.EVALUATORS, check, fixes_are_safe=False)
