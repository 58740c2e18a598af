"""
## What it does
Finds a provider of the configuration, of a test or of a rubric whose kind promptfoo does not have: the word before the
first colon of its id. It also finds one that has other keys of a provider and no `id`.

## Why is this bad?
Promptfoo ends with an error before it runs a test, or each row that such a provider judges is an error.

Files, programs and ids that have a template or an environment variable are left alone.

## Example
```yaml
prompts: ["Translate {{ text }}"]
providers: ["opanai:gpt-5"]
tests:
  - vars: {text: Hello}
    assert: [{type: is-json}]
```

Use instead:
```yaml
prompts: ["Translate {{ text }}"]
providers: ["openai:gpt-5"]
tests:
  - vars: {text: Hello}
    assert: [{type: is-json}]
```

## Fix safety
The fix writes the kind that is nearest to the unknown one. It is a guess, so the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.dialects.eval_files import PROVIDERS as PROVIDER_KEYS
from rubric_core.dialects.promptfoo.rules.judged import Judged, in_defaults, in_tests
from rubric_core.dialects.promptfoo.suite import given_by_suite
from rubric_core.dialects.promptfoo.types import PROVIDERS
from rubric_core.rules.messages import first_key, renaming, suggestion
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Record
from rubric_core.schema.suggest import closest
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.text.patterns import lazily
from rubric_core.views.files import FileView

_ID = "id"
_PROVIDER = "provider"
_NOT_LOADED, _ROW_FAILS = "the file cannot be loaded", "each row that it judges is an error"
_KIND = lazily(r"[A-Za-z][\w-]*(?=:|\Z)")
_TEMPLATES = ("{{", "$")


def check(file: FileView, _context: Context) -> Problems:
    record = file.dialect.records[_PROVIDER]
    for chunk, pair in file.under(*PROVIDER_KEYS):
        yield from _without_id(pair.value, record, chunk)
        for node in _ids(pair.value, record):
            yield from _unknown(node, _NOT_LOADED, chunk)


def check_judged(judged: Judged, context: Context) -> Problems:
    """Yield the unknown providers of a test and of its rubrics; other assertions have none."""
    labels = given_by_suite(context).provider_labels
    rubrics = judged.rubrics()
    is_judged = judged.is_default or judged.gets_more or bool(rubrics)
    places: list[tuple[Node | None, str]] = [(assertion.node, _ROW_FAILS) for assertion in rubrics]
    places += [(judged.node, _NOT_LOADED), (judged.node.get("options") if is_judged else None, _ROW_FAILS)]
    for owner, effect in places if labels is not None else ():
        judge = owner.get(_PROVIDER) if isinstance(owner, Mapping) else None
        ids = [judge.get(key) for key in (_ID, "text")] if isinstance(judge, Mapping) else [judge]
        for node in ids:
            if isinstance(node, Scalar) and node.value not in (labels or ()):
                yield from _unknown(node, effect, judged.chunk)


def _unknown(node: Scalar, effect: str, chunk: object | None) -> Iterator[Problem]:
    kind = _KIND.match(node.value)
    if kind is None or kind.group() in PROVIDERS or any(mark in node.value for mark in _TEMPLATES):
        return
    advice, meant = suggestion(kind.group(), sorted(PROVIDERS), "correct it.")
    yield RULE.at(
        node,
        f"There is no provider `{kind.group()}`, so {effect}; {advice}",
        fixes=partial(renaming, node, meant + node.value[kind.end() :]) if meant is not None else None,
        chunk=chunk,
    )


def _without_id(value: Node, record: Record, chunk: object) -> Iterator[Problem]:
    """Yield the mappings with keys of a provider and without an id."""
    for item in value.items if isinstance(value, Sequence) else ():
        if isinstance(item, Mapping) and _lacks_id(item, record):
            others = (pair for pair in item.pairs if pair.name not in record.by_key)
            meant = next((pair.key for pair in others if closest(pair.name or "", (_ID,)) is not None), None)
            advice = f"did you mean `{_ID}`?" if meant is not None else "add it."
            yield RULE.at(
                meant or first_key(item),
                f"A provider needs `{_ID}`, or the file cannot be loaded; {advice}",
                fixes=partial(renaming, meant, _ID) if isinstance(meant, Scalar) else None,
                chunk=chunk,
            )


def _lacks_id(item: Mapping, record: Record) -> bool:
    is_provider = record.condition.without.isdisjoint(item.index) and not record.by_key.keys().isdisjoint(item.index)
    return is_provider and _ID not in item.index


def _ids(value: Node, record: Record) -> Iterator[Scalar]:
    for item in value.items if isinstance(value, Sequence) else [value]:
        node: Node | None = item
        if isinstance(item, Mapping):
            # RB003 reports other keys beside an id, which has another meaning then.
            has_other_keys = _ID in item.index and not item.index.keys() <= record.by_key.keys()
            # In a mapping without `id`, the only key is the id.
            key = item.pairs[0].key if len(item.pairs) == 1 else None
            node = None if has_other_keys or _lacks_id(item, record) else item.get(_ID) or key
        if isinstance(node, Scalar):
            yield node


_ALSO = ((Subject.FILE, in_defaults(check_judged)), (Subject.CASE, in_tests(check_judged)))
RULE = Rule("RB821", "unknown-provider", Severity.ERROR, Subject.FILE, check, fixes_are_safe=False, also=_ALSO)
