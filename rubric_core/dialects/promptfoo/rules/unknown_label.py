"""
## What it does
Finds the name of a prompt or a provider, in a test or a provider, that nothing in the configuration has.

## Why is this bad?
Promptfoo refuses a test that names a prompt or a provider which does not exist. Where a provider names a prompt that
does not exist, it runs no test at all and reports no failure.

## Example
```yaml
prompts:
  - {label: short, raw: "{{ text }}"}
providers: [echo]
tests:
  - vars: {text: Hello}
    prompts: [shrot]
    assert: [{type: is-json}]
```

Use instead:
```yaml
prompts:
  - {label: short, raw: "{{ text }}"}
providers: [echo]
tests:
  - vars: {text: Hello}
    prompts: [short]
    assert: [{type: is-json}]
```

## Fix safety
The fix writes the known name that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.dialects.eval_files import PROVIDERS
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.rules.messages import renaming, suggestion
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.views.cases import CaseView
from rubric_core.views.files import FileView

_PROMPTS, _PROVIDERS = "prompts", "providers"


def check(case: CaseView, context: Context) -> Problems:
    inherited = given_by_suite(context)
    yield from _unknown(case.node.get(_PROMPTS), inherited.prompt_labels, "prompt", None)
    yield from _unknown(case.node.get(_PROVIDERS), inherited.provider_labels, "provider", None)


def check_file(file: FileView, context: Context) -> Problems:
    labels = given_by_suite(context).prompt_labels
    for chunk, pair in file.under(*PROVIDERS):
        for item in pair.value.items if isinstance(pair.value, Sequence) else []:
            if isinstance(item, Mapping):
                yield from _unknown(item.get(_PROMPTS), labels, "prompt", chunk)


def _unknown(named: Node | None, known: frozenset[str] | None, what: str, chunk: object | None) -> Iterator[Problem]:
    for node in named.items if isinstance(named, Sequence) and known else []:
        if isinstance(node, Scalar) and known and not _is_known(node.value, known):
            ending, meant = suggestion(node.value, sorted(known))
            yield RULE.at(
                node,
                f"There is no {what} `{node.value}` here; {ending}",
                fixes=partial(renaming, node, meant),
                chunk=chunk,
            )


def _is_known(name: str, known: frozenset[str]) -> bool:
    """Return whether a name is one of the labels, or a prefix of several."""
    is_open = any(mark in name for mark in ("*", "{{", "://"))
    return is_open or any(label == name or label.startswith(f"{name}:") for label in known)


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB814", "unknown-label", Severity.ERROR, Subject.CASE, check, fixes_are_safe=False, also=_ALSO)
