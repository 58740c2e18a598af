"""
## What it does
Finds a template that is not one: `{{` or a tag that is never closed, a tag that does not exist, and a filter that
nobody defines; and a variable in single braces, in a prompt.

## Why is this bad?
In a prompt, what is not closed is sent as it stands. In an assertion, with an unknown filter, and where only the end of
a later template closes it, every row of the test ends with an error, after the calls have been made. `{name}` and
`${name}` are sent as they stand.

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

## Fix safety
The fix closes the template behind the variable or at the end of the text, writes the filter or tag that is nearest to
the unknown one, or writes two braces for one. Something else is sent then, so the fix is unsafe.
"""

import re
from collections.abc import Collection, Iterator
from functools import partial

from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, in_tests
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.nunjucks.markup import FILTERS, TAGS, TemplateError, template_errors
from rubric_core.rules.messages import one_edit, suggestion
from rubric_core.rules.rule import Context, Fixes, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import BlockScalar, Scalar, ScalarStyle, walk
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span
from rubric_core.views.files import FileView

_END = "}}"
_KNOWN = {"filter": (FILTERS, "add it to `nunjucksFilters`."), "tag": (TAGS, "correct it.")}
_QUOTED = frozenset({ScalarStyle.SINGLE, ScalarStyle.DOUBLE})
_SINGLE = lazily(r"(?<![{$\w])\$?\{(?P<name>[A-Za-z_]\w*)\}(?!\})")


def check_prompts(file: FileView, context: Context) -> Problems:
    for chunk, pair in file.under("prompts"):
        for node in walk(pair.value):
            if isinstance(node, Scalar):
                yield from _in_prompt(node, given_by_suite(context).filters, file.variables or frozenset(), chunk)


def check(judged: Judged, context: Context) -> Problems:
    filters = given_by_suite(context).filters
    for assertion in judged.assertions():
        value = assertion.node.get("value") if assertion.kind is not None else None
        for node in walk(value) if value is not None else ():
            if isinstance(node, Scalar):
                for error in template_errors(node.value, filters):
                    yield _problem(error, node, judged.text, judged.chunk, is_sent=False)


def _in_prompt(
    node: Scalar, filters: Collection[str] | None, variables: Collection[str], chunk: Chunk
) -> Iterator[Problem]:
    text = chunk.text
    for error in template_errors(node.value, filters):
        yield _problem(error, node, text, chunk, is_sent=error.kind == "unclosed" and error.word == _END)
    for braces in _SINGLE.finditer(node.value):
        if braces["name"] in variables:
            place = _place(node, braces.start(), braces.end(), text)
            meant = f"{{{{ {braces['name']} }}}}"
            message = f"`{braces.group()}` is sent as it stands; write `{meant}` for the variable."
            fixes = _writing("Change to", place, place.start, place.end, meant)
            yield RULE.at(place, message, severity=Severity.HINT, chunk=chunk, fixes=fixes)


def _problem(error: TemplateError, node: Scalar, text: str, chunk: object | None, *, is_sent: bool) -> Problem:
    place = _place(node, error.start, error.end, text)
    effect = "it is sent as it stands" if is_sent else "every row fails"
    if error.kind not in _KNOWN:
        message = f"This template is never closed, so that {effect}; write `{error.word}` where it ends."
        # A variable ends with its name, and an unclosed tag with the text.
        end = place.end if error.word == _END else node.end - (node.style in _QUOTED)
        is_known = not isinstance(node, BlockScalar) and (error.word != _END or error.end - error.start > len(_END))
        fixes = (
            _writing("Write", place, end, end, f" {_END}" if error.word == _END else error.word) if is_known else None
        )
    else:
        known, otherwise = _KNOWN[error.kind]
        advice, meant = suggestion(error.word, sorted(known), otherwise)
        message = f"There is no {error.kind} `{error.word}`, so that {effect}; {advice}"
        fixes = _writing("Change to", place, place.start, place.end, meant) if meant is not None else None
    severity = Severity.WARNING if is_sent else None
    return RULE.at(place, message, severity=severity, chunk=chunk, fixes=fixes)


def _writing(verb: str, place: Scalar | Span, start: int, end: int, written: str) -> Fixes | None:
    title = f"{verb} `{written.strip()}`"
    return partial(one_edit, title, Edit, start, end, written) if isinstance(place, Span) else None


def _place(node: Scalar, start: int, end: int, text: str) -> Scalar | Span:
    """Return the place of a part of a scalar's value in the text; the scalar itself if that is unknown."""
    said = node.value[start:end]
    before = len(re.findall(re.escape(said), node.value[:start]))
    at = node.start if node.origin is None else -1
    for _ in range(before + 1):
        at = text.find(said, at, node.end) if at >= 0 else -1
        at = at + 1 if at >= 0 else -1
    return Span(at - 1, at - 1 + len(said)) if at > 0 else node


_ALSO = ((Subject.FILE, in_defaults(check)), (Subject.FILE, check_prompts))
RULE = Rule("RB812", "broken-template", Severity.ERROR, Subject.CASE, in_tests(check), fixes_are_safe=False, also=_ALSO)
