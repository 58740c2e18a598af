r"""
## What it does
Finds a regular expression that is not valid, and one between slashes, as JavaScript code has it.

## Why is this bad?
Promptfoo takes the slashes for a part of the expression, so that hardly any output matches. With an expression that is
not valid the assertion fails for every output, after all calls have been made.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: regex
        value: /80\d\d/
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    assert:
      - type: regex
        value: 80\d\d
```

## Fix safety
The fix drops the slashes and the letters behind them. Other outputs match then, so the fix is unsafe.
"""

from functools import partial

from rubric_core.javascript_regex import pattern_problem
from rubric_core.nunjucks.markup import has_templates
from rubric_core.rules.messages import one_edit
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.patterns import lazily
from rubric_core.views.evaluators import EvaluatorView

_TYPES = frozenset({"regex", "not-regex"})
_LITERAL = lazily(r"/(?P<expression>(?:[^/\\\n]|\\.)+)/(?P<flags>[dgimsuvy]*)\Z")
_LONGEST = 500


def check(evaluator: EvaluatorView, _context: Context) -> Problems:
    node = evaluator.node.get("value")
    if evaluator.kind not in _TYPES or not isinstance(node, Scalar):
        return
    written = node.value
    if has_templates(written) or written.startswith(FILE_URL) or len(written) > _LONGEST:
        return
    literal = _LITERAL.match(written)
    if literal is not None:
        yield RULE.at(
            node,
            "The slashes are a part of this expression, so that hardly any output matches; drop them.",
            severity=Severity.WARNING,
            fixes=partial(one_edit, "Drop the slashes", replace_text, node, literal["expression"].replace("\\/", "/")),
        )
        return
    wrong = pattern_problem(written)
    if wrong is not None:
        yield RULE.at(
            node,
            f"JavaScript cannot read this regular expression, because {wrong}; every output fails until this is "
            f"corrected.",
        )


RULE = Rule("RB805", "unmatchable-regex", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
