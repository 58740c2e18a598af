"""
## What it does
Finds a key that earlier releases of AgentV had and that the release of this file's dialect does not have any more.

## Why is this bad?
Depending on the key, the upstream tool refuses the whole file, skips the test, drops the assertion, or ignores what
stands there. It mostly does so without a word, and its validation calls some of these files valid.

The severity is a warning where the key is still read.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assertions:
      - Names port 8080
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - Names port 8080
```

## Fix safety
The fix gives the key its new name, which means the same in this dialect, so it is safe. Where a new name alone is not
enough, the message says what to do and there is no fix.
"""

from functools import partial

from rubric_core.rules.messages import noun, rename_key_fix
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Effect, Record, Removed
from rubric_core.syntax.nodes import Mapping, Pair
from rubric_core.views.records import RecordView

EFFECTS = {
    Effect.READ: "it is still read",
    Effect.IGNORED: "it is not read",
    Effect.DROPPED: "the assertion is dropped",
    Effect.SKIPPED: "the test is not run",
    Effect.REFUSED: "the file cannot be loaded",
    Effect.PROSE: "it is not read",
    Effect.SCORES_0: "the assertion scores 0",
}
_OF_CRITERIA = {**EFFECTS, Effect.DROPPED: "the criterion is dropped"}


def check(view: RecordView, context: Context) -> Problems:
    for pair in view.removed:
        removed = view.record.removed[pair.name or ""]
        if removed.effect is Effect.PROSE and removed.instead not in view.mapping.index:
            # RB709 reports it.
            continue
        yield RULE.at(
            pair.key,
            removal_message(view.record, pair.name or "", removed, context.suite.dialect.tool),
            severity=Severity.WARNING if removed.effect is Effect.READ else None,
            fixes=partial(_fixes, view.mapping, view.record, pair, removed),
        )


def effect_in(record: Record, removed: Removed) -> str:
    """Return the effect of a removed key on its record, in words."""
    return (_OF_CRITERIA if record.name in {"criterion", "score-range"} else EFFECTS)[removed.effect]


def removal_message(record: Record, key: str, removed: Removed, tool: str) -> str:
    """Return the message about a removed key: its effect, and what to write instead."""
    what = f"`{key}` of {noun(record)} was removed in {tool} {removed.since}, so {effect_in(record, removed)}"
    if removed.effect is Effect.READ:
        what = f"`{key}` of {noun(record)} is deprecated since {tool} {removed.since}"
    return f"{what}; {removed.remedy}."


def _fixes(mapping: Mapping, record: Record, pair: Pair, removed: Removed) -> list[Fix]:
    if removed.instead is None or removed.advice is not None:
        return []
    field = record.get(removed.instead)
    is_there = field is not None and not mapping.index.keys().isdisjoint(field.keys)
    return [] if is_there else rename_key_fix(pair, removed.instead, safe=True)


RULE = Rule("RB701", "removed-key", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=True)
