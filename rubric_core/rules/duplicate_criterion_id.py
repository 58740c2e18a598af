"""
## What it does
Finds a criterion whose id another criterion of the same list has. A criterion without an id is called `rubric-N`,
N being its place in the list, so an id that is written like this can also meet a generated one.

## Why is this bad?
The judge answers by id. With one id for two criteria nobody can tell which of them an answer is about, and one of the
two results is lost.

## Example
```yaml
rubrics:
  - id: structure
    expected_outcome: Has a heading for each status code
  - id: structure
    expected_outcome: Ends with a summary table
```

Use instead:
```yaml
rubrics:
  - id: structure
    expected_outcome: Has a heading for each status code
  - id: structure-2
    expected_outcome: Ends with a summary table
```

## Fix safety
The fix puts the next free number behind the id. It is unsafe because recorded judgements and results refer to
criteria by their ids.
"""

from functools import partial

from rubric_core.rules.messages import first_word, one_edit
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Node, Scalar
from rubric_core.views.criteria import GENERATED_ID, CriteriaView
from rubric_core.views.texts import numbering


def check(criteria: CriteriaView, _context: Context) -> Problems:
    written = [node for criterion in criteria.readable if (node := criterion.id_node) is not None]
    names = {node.value for node in written}
    if len(names) == len(written) == len(criteria.readable):
        return
    has_generated = len(written) < len(criteria.readable) and any(name.startswith(GENERATED_ID) for name in names)
    if len(names) == len(written) and not has_generated:
        return
    generated = {criterion.identifier: criterion for criterion in criteria.readable if criterion.id_node is None}
    # Each gets a number of its own, so that all of them can be renamed at once.
    number = numbering(names.union(generated))
    first: dict[str, Scalar] = {}
    for node in written:
        name = node.value
        earlier = first.setdefault(name, node)
        if earlier is not node:
            message = f"Another criterion of this list has the id `{name}`; give this one an id of its own."
            related: tuple[Node, str] = (earlier, f"The first use of `{name}`.")
        elif name in generated:
            place = generated[name].number
            message = (
                f"`{name}` is also the id that criterion {place} of this list gets because it has none; "
                "give this one another id."
            )
            related = (first_word(generated[name].node), f"Without an id of its own this criterion is `{name}`.")
        else:
            continue
        new = number(name)
        fixes = partial(one_edit, f"Rename to `{new}`", replace_text, node, new)
        yield RULE.at(node, message, related=[related], fixes=fixes)


RULE = Rule("RB202", "duplicate-criterion-id", Severity.ERROR, Subject.KEYED, check, fixes_are_safe=False)
