"""
## What it does
Finds a regular expression that JavaScript cannot read, and flags that it does not have.

## Why is this bad?
AgentV makes the expression when it judges an answer. Where that fails the assertion scores 0, whatever the answer is.
Expressions of Python differ in some places: `(?i)` at the start is the flag `i` in JavaScript, and a named group is
`(?<name>...)` and not `(?P<name>...)`.

## Example
```yaml
tests:
  - id: port
    input: Which port?
    criteria: Names the port
    assertions:
      - type: regex
        value: (?i)port 80[80
```

Use instead:
```yaml
tests:
  - id: port
    input: Which port?
    criteria: Names the port
    assertions:
      - type: regex
        value: port 80[80]
        flags: i
```

## Fix safety
The fixes move flags in front of the expression to its `flags`, write a named group as JavaScript does, and remove
flags that it does not have. The assertion scored 0 before, so the fixes are unsafe.
"""

from functools import partial

from rubric_core.javascript_regex import FLAGS, flags_problem, pattern_problem
from rubric_core.nunjucks.markup import has_templates
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Field, Role
from rubric_core.syntax.edits import insert_key, replace_text
from rubric_core.syntax.nodes import Scalar
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.patterns import lazily
from rubric_core.views.evaluators import EvaluatorView

_PYTHON_FLAGS = lazily(r"\(\?([aiLmsux]+)\)")
_PYTHON_NAME = "(?P<"


def check(evaluator: EvaluatorView, context: Context) -> Problems:
    if evaluator.kind is None:
        return
    for field in evaluator.record.by_role[Role.EXPRESSION]:
        pattern = evaluator.node.get(field.name)
        (flags_key,) = evaluator.record.keys_of(Role.FLAGS)
        flags = evaluator.node.get(flags_key)
        written = flags.value if isinstance(flags, Scalar) and not is_blank(flags) else ""
        wrong = flags_problem(written)
        if wrong is not None and isinstance(flags, Scalar) and not has_templates(written):
            yield RULE.at(
                flags,
                f"`{written}` are no flags of a regular expression in JavaScript, because {wrong}; the assertion "
                f"scores 0 until this is corrected.",
                fixes=partial(_correct_flags, flags, written),
            )
        if not isinstance(pattern, Scalar) or is_blank(pattern) or has_templates(pattern.value):
            continue
        wrong = pattern_problem(pattern.value, written)
        if wrong is not None:
            yield RULE.at(
                pattern,
                f"JavaScript cannot read this regular expression, because {wrong}; the assertion scores 0 until this "
                f"is corrected.",
                fixes=partial(_correct_pattern, evaluator, field, pattern, written, context.text),
            )


def _correct_flags(flags: Scalar, written: str) -> list[Fix]:
    known = "".join(dict.fromkeys(flag for flag in written if flag in FLAGS))
    if not known or flags_problem(known) is not None:
        return []
    return [Fix(f"Change to `{known}`", (replace_text(flags, known),))]


def _correct_pattern(
    evaluator: EvaluatorView, field: Field, pattern: Scalar, written: str, text: str
) -> list[Fix | None]:
    """Replace Python's syntax by JavaScript's, if that makes the pattern valid."""
    source = pattern.value.replace(_PYTHON_NAME, "(?<")
    moved = _PYTHON_FLAGS.match(source)
    source = source[moved.end() :] if moved else source
    flags = "".join(flag for flag in moved.group(1) if flag in FLAGS) if moved else ""
    if source == pattern.value or pattern_problem(source, written or flags) is not None or not source:
        return []
    edits = [replace_text(pattern, source)]
    if flags:
        (key,) = evaluator.record.keys_of(Role.FLAGS)
        inserted = insert_key(text, evaluator.node, key, flags, after=evaluator.node.index[field.name])
        if key in evaluator.node.index or inserted is None:
            return []
        edits.append(inserted)
    return [Fix("Write it as JavaScript does", tuple(edits))]


RULE = Rule("RB721", "invalid-regex", Severity.ERROR, Subject.EVALUATOR, check, fixes_are_safe=False)
