"""
## What it does
Finds a template that is not one: `{{` or a tag that is never closed, and a filter that nobody defines; and a variable
in single braces, in a prompt.

## Why is this bad?
In a prompt, what is not closed is sent as it stands. In an assertion, and with an unknown filter, every row of the test
ends with an error, after the calls have been made. `{name}` and `${name}` are sent as they stand.

## Example
```yaml
prompts: ["Translate {{ text"]
providers: [echo]
tests:
  - vars: {text: Hello}
    assert: [{type: is-json}]
```

Use instead:
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests:
  - vars: {text: Hello}
    assert: [{type: is-json}]
```
"""

import re
from collections.abc import Collection, Iterator

from rubric_core.rules.judged import Judged, judged_case, judged_defaults
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.suggest import closest
from rubric_core.syntax.nodes import Scalar, walk
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.files import FileView
from rubric_core.views.template_errors import FILTERS, TemplateError, template_errors

_SINGLE = lazily(r"(?<![{$\w])\$?\{(?P<name>[A-Za-z_]\w*)\}(?!\})")


def check(case: CaseView, context: Context) -> Problems:
    yield from _in_assertions(judged_case(case, context), context.suite.inherited.filters)


def check_file(file: FileView, context: Context) -> Problems:
    filters = context.suite.inherited.filters
    for each in judged_defaults(file, context):
        yield from _in_assertions(each, filters)
    for chunk, pair in (entry for entries in file.documents for entry in entries):
        if pair.name == "prompts":
            for node in walk(pair.value):
                if isinstance(node, Scalar):
                    yield from _in_prompt(node, filters, file.variables or frozenset(), chunk.text, chunk)


def _in_assertions(judged: Judged, filters: Collection[str] | None) -> Iterator[Problem]:
    for assertion in judged.assertions():
        value = assertion.node.get("value") if assertion.kind is not None else None
        for node in walk(value) if value is not None else ():
            if isinstance(node, Scalar):
                for error in template_errors(node.value, filters):
                    place = _place(node, error.start, error.end, judged.text)
                    yield RULE.at(place, f"{_message(error)}, so that every row fails.", chunk=judged.chunk)


def _in_prompt(
    node: Scalar, filters: Collection[str] | None, variables: Collection[str], text: str, chunk: object
) -> Iterator[Problem]:
    for error in template_errors(node.value, filters):
        place = _place(node, error.start, error.end, text)
        if error.kind == "unclosed" and error.word == "}}":
            message = f"{_message(error)}, so that it is sent as it stands."
            yield RULE.at(place, message, severity=Severity.WARNING, chunk=chunk)
        else:
            yield RULE.at(place, f"{_message(error)}, so that every row fails.", chunk=chunk)
    for found in _SINGLE.finditer(node.value):
        if found["name"] in variables:
            place = _place(node, found.start(), found.end(), text)
            message = f"`{found.group()}` is sent as it stands; write `{{{{ {found['name']} }}}}` for the variable."
            yield RULE.at(place, message, severity=Severity.HINT, chunk=chunk)


def _message(error: TemplateError) -> str:
    if error.kind == "unclosed":
        return f"This template is never closed; write `{error.word}` where it ends"
    meant = closest(error.word, sorted(FILTERS))
    advice = f"; did you mean `{meant}`? As it is" if meant is not None else "; it is not in `nunjucksFilters`"
    return f"There is no filter `{error.word}`{advice}"


def _place(node: Scalar, start: int, end: int, text: str) -> Scalar | Span:
    """Return where a stretch of a scalar's value stands in the text; the scalar itself where that cannot be told."""
    said = node.value[start:end]
    before = len(re.findall(re.escape(said), node.value[:start]))
    at = node.start if node.origin is None else -1
    for _ in range(before + 1):
        at = text.find(said, at, node.end) if at >= 0 else -1
        at = at + 1 if at >= 0 else -1
    return Span(at - 1, at - 1 + len(said)) if at > 0 else node


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB812", "broken-template", Severity.ERROR, Subject.CASE, check, also=_ALSO, needs="renders_values")
