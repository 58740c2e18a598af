"""
## What it does
Finds `{{ ... }}`, `{% ... %}` and `{# ... #}` in the texts of a test with `vars` where no variable has that name, or
where the text is not a template at all.

## Why is this bad?
As soon as a test has variables, all of its texts are templates. An unknown name is replaced by nothing, so the model
or the judge gets a text with a hole in it; a piece that is no template keeps the whole file from loading. That holds
for the values of variables too, if a prompt uses them, and for `{{ output }}` in the prompt of a judge: it is empty
before the judge sees the answer. Such a prompt works in a file.

The variables of a test are its own, those of `default_test`, and those of its scenario. In `prompts` of the suite a
name is reported where no test at all has such a variable.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: greeting
    vars: {input: Which placeholder holds the name?}
    assert:
      - Says that it is {{ user }}
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: greeting
    vars: {input: Which placeholder holds the name?}
    assert:
      - Says that it is {% raw %}{{ user }}{% endraw %}
```

## Fix safety
The fix wraps the text in `{% raw %}`, so that it is kept as it is. If a variable was meant, its name is wrong or its
value is missing, so the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.dialects.agentv_5.suite import given_by_suite
from rubric_core.nunjucks.markup import has_templates
from rubric_core.rules.messages import one_edit, place_in
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Mapping, Scalar, walk
from rubric_core.text.spans import Edit
from rubric_core.views.cases import CaseView
from rubric_core.views.files import FileView
from rubric_core.views.templates import JUDGE_VARIABLES, LostPiece, lost_pieces, names_of

_LONGEST_QUOTE = 40


def check(case: CaseView, context: Context) -> Problems:
    inherited, own = given_by_suite(context), case.node.get("vars")
    if not inherited.is_known or not has_templates(context.text):
        return
    if not isinstance(own, Mapping) and (own is not None or not inherited.vars):
        # Without variables nothing is rendered; those in another file are unknown.
        return
    names = inherited.vars | names_of(own)
    if not lost_pieces(context.text, names):
        # Searching the whole text once is faster.
        return
    for text in _texts(case, own, inherited.prompt_names):
        yield from _lost(text, names, context.text)


def _texts(case: CaseView, own: object, used: frozenset[str]) -> Iterator[Scalar]:
    """Yield the texts of a test that are rendered, including variables that a prompt uses."""
    places = [case.node.index.get(key) for key in case.dialect.table.rendered_keys]
    if isinstance(own, Mapping):
        places += [pair for name, pair in own.index.items() if name in used]
    for pair in places:
        if pair is not None:
            yield from (node for node in walk(pair.value) if isinstance(node, Scalar))


def check_file(file: FileView, _context: Context) -> Problems:
    if not file.variables:
        return
    for chunk, pair in file.under("prompts"):
        for node in walk(pair.value) if has_templates(chunk.text) else ():
            if isinstance(node, Scalar):
                # A prompt is rendered twice, so `raw` does not protect its content.
                yield from _lost(node, file.variables, chunk.text, chunk)


def _lost(text: Scalar, names: frozenset[str], source: str, chunk: object | None = None) -> Iterator[Problem]:
    after = 0
    for piece in lost_pieces(text.value, names):
        lost = text.value[piece.start : piece.end]
        place = place_in(text, lost, source, after)
        after = place.end if place is not None else after
        yield RULE.at(
            place or text,
            _message(lost, piece, is_prompt=chunk is not None),
            fixes=partial(one_edit, "Wrap in `{% raw %}`", Edit, *place, f"{{% raw %}}{lost}{{% endraw %}}")
            if place is not None and chunk is None
            else None,
            chunk=chunk,
            severity=Severity.ERROR if piece.is_invalid else None,
        )


def _message(lost: str, piece: LostPiece, *, is_prompt: bool) -> str:
    written = " ".join(lost.split())
    quoted = f"`{written}`" if len(written) <= _LONGEST_QUOTE else f"`{written[:_LONGEST_QUOTE]}...`"
    wrap = "put it into a variable, wrapped in `{% raw %}`" if is_prompt else "wrap it in `{% raw %}`"
    if piece.is_invalid:
        return f"{quoted} is not a valid template, so the file cannot be loaded; {wrap}."
    if piece.name is None:
        return f"{quoted} is a comment of the template and is removed from the text; {wrap}."
    if is_prompt:
        return f"{quoted} becomes empty because no test has a variable `{piece.name}`; add it to `vars`."
    if piece.name in JUDGE_VARIABLES:
        return f"{quoted} becomes empty before the judge sees it; {wrap}, or use a prompt file."
    advice = f"add `{piece.name}` to `vars`, or {wrap}"
    return f"{quoted} becomes empty because the test has no variable `{piece.name}`; {advice}."


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB707", "template-eats-text", Severity.WARNING, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
