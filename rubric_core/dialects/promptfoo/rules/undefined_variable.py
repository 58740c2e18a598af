"""
## What it does
Finds a variable in a prompt, in the configuration or in a file, that no test defines, or only some of them, and one
in the value of an assertion that the test does not define.

## Why is this bad?
Promptfoo puts nothing in its place, without a message. The prompt has a hole, and an assertion that looks for an empty
text passes with any output, or fails with each. `{{ prompt }}` and `{{ output }}` are empty in the value of an
assertion too.

Nothing is said where other variables may be there: where tests or variables stand in another file, where code makes
some (`transformVars`, `extensions`), and in configurations of a red team.

## Example
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests:
  - vars: {text: Hello, word: Bonjour}
    assert:
      - type: contains
        value: "{{ wrd }}"
```

Use instead:
```yaml
prompts: ["Translate {{ text }}"]
providers: [echo]
tests:
  - vars: {text: Hello, word: Bonjour}
    assert:
      - type: contains
        value: "{{ word }}"
```

## Fix safety
The fix writes the variable that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from rubric_core.dialects.promptfoo.assertions import REFERENCE_KEY
from rubric_core.dialects.promptfoo.file_paths import files_of_prompts, text_of_prompt
from rubric_core.dialects.promptfoo.rules.judged import DEFAULT_TEST, Judged, judged_case, judged_defaults
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.rules.messages import is_misnamed, one_edit, place_in, suggestion
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Role
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.text.spans import Edit, Span
from rubric_core.views.cases import CaseView
from rubric_core.views.files import FileView
from rubric_core.views.templates import lost_pieces, may_have_templates, names_of

# Names that a prompt has besides variables.
_OF_PROMPTS = frozenset({"_conversation", "__outputId", "sessionId"})
_MAKES_VARS = "transformVars"


class _Rendered(NamedTuple):
    """A text that is rendered: a node and the chunk around it, or the contents of the file that the node names."""

    node: Scalar
    source: str
    path: str = ""
    contents: str = ""

    def lost(self, names: frozenset[str]) -> Iterator[tuple[str, str, Span | None]]:
        """Yield each variable that is not among the names, the lost part in words, and its place."""
        text = self.contents if self.path else self.node.value
        after, seen = 0, set[str]()
        for piece in lost_pieces(text, names):
            lost = text[piece.start : piece.end]
            place = place_in(self.node, lost, self.source, after) if not self.path else None
            after = place.end if place is not None else after
            name = piece.name if not piece.is_invalid and lost.startswith("{{") else None
            # All of a file is reported at one place.
            if name is None or (self.path and name in seen):
                continue
            seen.add(name)
            of = f" of `{self.path}`" if self.path else ""
            yield name, f"`{' '.join(lost.split())}`{of}", place


def check(case: CaseView, context: Context) -> Problems:
    inherited, own = given_by_suite(context), case.node.get("vars")
    judged = judged_case(case, context)
    is_known = inherited.is_known and not inherited.may_add_vars and judged.option(_MAKES_VARS) is None
    if not is_known or (own is not None and not isinstance(own, Mapping)) or not may_have_templates(context.text):
        return
    if own is None and is_misnamed("vars", case.dialect.case, case.node):
        # RB003 reports the key.
        return
    names = inherited.vars | names_of(own)
    if REFERENCE_KEY not in names:
        yield from _in_assertions(judged, names)


def check_prompts(file: FileView, context: Context) -> Problems:
    inherited, variables = given_by_suite(context), file.variables or frozenset()
    if inherited.may_add_vars:
        return
    for judged in judged_defaults(file, context):
        yield from _in_assertions(judged, variables)
    for chunk, pair in file.under("prompts"):
        for prompt in _prompts(pair.value, chunk, context):
            where = "in the prompt, since no test has it"
            yield from _undefined(prompt, variables | _OF_PROMPTS, where, Severity.WARNING, chunk)
            yield from _partly_undefined(prompt, file, inherited.vars, chunk)


def _prompts(value: Node, chunk: Chunk, context: Context) -> Iterator[_Rendered]:
    """Yield the prompts, in the chunk or in files."""
    for item in value.items if isinstance(value, Sequence) else [value]:
        text = item.get("raw") if isinstance(item, Mapping) else item
        if isinstance(text, Scalar):
            yield _Rendered(text, chunk.text)
    for file in files_of_prompts(value):
        if file.path in context.texts:
            yield _Rendered(file.node, chunk.text, file.path, text_of_prompt(file.path, context.texts[file.path]))


def _partly_undefined(prompt: _Rendered, file: FileView, inherited: frozenset[str], chunk: Chunk) -> Iterator[Problem]:
    """Yield a hint for each variable of a prompt that some tests have and others do not."""
    counts = file.cases_by_variable
    if counts is None:
        return
    complete = {name for name, count in counts.items() if count >= file.case_count}
    for name, lost, place in prompt.lost(inherited | complete | _OF_PROMPTS):
        count = counts.get(name, 0)
        if count:
            tests = f"{file.case_count - count} of {file.case_count} tests"
            yield RULE.at(
                place or prompt.node,
                f"{lost} becomes empty in the prompt of {tests}, which do not have it; add it to these, or to "
                f"`{DEFAULT_TEST}`.",
                severity=Severity.HINT,
                chunk=chunk,
            )


def _in_assertions(judged: Judged, names: frozenset[str]) -> Iterator[Problem]:
    for assertion in judged.assertions():
        value = assertion.node.get("value") if assertion.kind is not None else None
        # The rest of a rubric may be enough for a judge.
        severity = Severity.WARNING if assertion.record.by_role[Role.CRITERIA] else Severity.ERROR
        where = f"in a `{assertion.kind}`"
        # Texts directly in a list are rendered, nested ones are not.
        items = value.items if isinstance(value, Sequence) else [value]
        for text in (item for item in items if isinstance(item, Scalar)):
            yield from _undefined(_Rendered(text, judged.text), names, where, severity, judged.chunk)


def _undefined(
    text: _Rendered, names: frozenset[str], where: str, severity: Severity, chunk: object | None
) -> Iterator[Problem]:
    for name, lost, place in text.lost(names):
        advice, meant = suggestion(name, sorted(names), f"add `{name}` to `vars`.")
        at = text.source.index(name, place.start) if place is not None else 0
        fixes = partial(one_edit, f"Change to `{meant}`", Edit, at, at + len(name), meant)
        yield RULE.at(
            place or text.node,
            f"{lost} becomes empty {where}; {advice}",
            fixes=fixes if place is not None and meant is not None else None,
            severity=severity,
            chunk=chunk,
        )


_ALSO = ((Subject.PROMPTS, check_prompts),)
RULE = Rule("RB811", "undefined-variable", Severity.ERROR, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
