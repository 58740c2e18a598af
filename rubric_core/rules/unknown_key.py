"""
## What it does
Finds a key that is not allowed where it is.

## Why is this bad?
Nobody reads such a key. A misspelt `required_min_score` gates nothing, and a misspelt `rubrics` leaves its case
ungraded without a word. `score_rubric` in place of `score_ranges`, also spelt `score_rubrics` or `scoreRubric`, is an
error: without its ranges the criterion is judged as met or not.

Keys of your own go under `metadata`. A top-level key that only holds an anchor for use elsewhere is fine, and so is
every key in the configuration of a `code_judge`.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weigth: 2
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 2
```

## Fix safety
The fix renames the key to the known one that it resembles. From then on its value is read, which changes what the
file means, so the fix is unsafe.
"""

from collections.abc import Iterator
from functools import partial

from rubric_core.dialects.eval_files import PROVIDERS, SUITE_KEYS
from rubric_core.rules.messages import noun, rename_key_fix
from rubric_core.rules.removed_key import EFFECTS
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Effect, Record
from rubric_core.schema.scales import REFERENCE
from rubric_core.schema.suggest import closest
from rubric_core.syntax.nodes import Mapping, Pair, Sequence, walk
from rubric_core.views.files import FileView
from rubric_core.views.records import RecordView

# Keys that people put one level too high, and where they belong.
_ELSEWHERE: dict[tuple[str, str | None], str] = {
    ("suite", "evaluators"): "under `execution`",
    ("suite", "rubrics"): "into each case",
    ("suite", "scorecard"): "into each case",
    ("case", "target"): "under `execution`",
    ("case", "score_ranges"): "into a criterion of `rubrics`",
    ("case", "weights"): "under `scorecard`",
    ("case", "red_flags"): "under `scorecard`",
    ("case", "bonuses"): "under `scorecard`",
    ("case", "score_rubric"): "into a criterion of `rubrics`, as `score_ranges`",
    ("execution", "rubrics"): "next to `execution`, or into an evaluator",
}
_PROVIDER = "provider"
# Wrong keys of published texts that are no misspellings, and the right ones.
_OTHER_NAMES: dict[tuple[str, str | None], str] = {("criterion", "score_rubric"): "score_ranges"}
# Without the values of these keys a criterion is judged in another way, so they are errors.
_ERRORS = frozenset({"score_rubric"})
# Other spellings of such a key, without case, underscores and hyphens.
_SPELLINGS = {"scorerubric": "score_rubric", "scorerubrics": "score_rubric"}


def check(view: RecordView, _context: Context) -> Problems:
    # A dimension that does not exist is RB602.
    if not view.unknown or view.record.name in {"suite", "weights"}:
        return
    names = frozenset(view.mapping.index)
    for pair in view.unknown:
        yield _unknown(view.record, pair, names, None)


def check_file(file: FileView, context: Context) -> Problems:
    suite = file.dialect.suite
    for entries in file.documents:
        names = frozenset(entry.pair.name for entry in entries if entry.pair.name is not None)
        for chunk, pair in entries:
            if pair.name in PROVIDERS and _PROVIDER in file.dialect.records:
                yield from _in_provider(pair, file.dialect.records[_PROVIDER], chunk)
            is_known = (
                pair.name in suite.by_key or pair.name in suite.removed or pair.name in suite.other_keys.misplaced
            )
            if not is_known and not _is_own(suite, pair, context):
                # Without any list of cases the file cannot be loaded.
                is_list = _meant(suite, pair.name) in file.dialect.case_lists and SUITE_KEYS.isdisjoint(names)
                yield _unknown(suite, pair, names, chunk, is_error=is_list)


def _in_provider(pair: Pair, record: Record, chunk: object) -> Iterator[Problem]:
    """Yield misspelt keys of a provider that is a mapping from its id to its other keys."""
    for item in pair.value.items if isinstance(pair.value, Sequence) else ():
        if not isinstance(item, Mapping) or len(item.pairs) != 1 or record.condition.holds(item.index):
            continue
        settings = item.pairs[0].value
        if not isinstance(settings, Mapping):
            continue
        for setting in settings.pairs:
            if setting.name not in record.by_key and _meant(record, setting.name) is not None:
                yield _unknown(record, setting, frozenset(settings.index), chunk)


def _unknown(
    record: Record, pair: Pair, names: frozenset[str], chunk: object | None, *, is_error: bool = False
) -> Problem:
    meant = _meant(record, pair.name)
    # A field that is present under any of its names must not be suggested.
    is_free = meant is not None and names.isdisjoint(record.by_key[meant].keys)
    return RULE.at(
        pair.key,
        _message(record, pair.name, meant, is_free=is_free),
        fixes=partial(rename_key_fix, pair, meant) if meant is not None and is_free else None,
        severity=Severity.ERROR if is_error or _is_error(record, pair.name, meant) else None,
        chunk=chunk,
    )


def _is_error(record: Record, name: str | None, meant: str | None) -> bool:
    if record.other_keys.misspelt == "error" and meant is not None:
        return True
    return _published(name) in _ERRORS or record.other_keys.effect is not Effect.IGNORED


def _is_own(suite: Record, pair: Pair, context: Context) -> bool:
    """Return whether a top-level key is the author's own, or is the target of a reference or an alias."""
    used = context.suite.used_anchors
    if pair.name is not None and (suite.other_keys.allow(pair.name) or f"{REFERENCE}{pair.name}" in used):
        return True
    return bool(used) and any(node.meta is not None and node.meta.anchor in used for node in walk(pair.value))


def _published(name: str | None) -> str | None:
    """Return a key as it is spelt in published texts."""
    return _SPELLINGS.get(name.casefold().replace("_", "").replace("-", ""), name) if name is not None else None


def _meant(record: Record, name: str | None) -> str | None:
    """Return the key of the record that a name most likely means, except deprecated ones."""
    place = (record.name, _published(name))
    if name is None or (place in _ELSEWHERE and record.other_keys.misspelt != "error"):
        return None
    meant = record.other_keys.meant.get(name) or _OTHER_NAMES.get(place)
    return meant or closest(name, (key for key in record.by_key if key not in record.deprecated))


def _message(record: Record, name: str | None, meant: str | None, *, is_free: bool) -> str:
    if name is None:
        return f"A list or a mapping cannot be a key of {noun(record)}; use plain text as the key."
    what = f"`{name}` is not a key of {noun(record)}"
    place = _ELSEWHERE.get((record.name, _published(name)))
    if place is not None and record.other_keys.misspelt != "error":
        return f"{what}; it belongs {place}."
    if meant is None:
        own = "remove it, or keep it under `metadata`" if "metadata" in record.by_key else "remove it"
        return f"{what}, so {EFFECTS[record.other_keys.effect]}; {own}."
    return f"{what}; did you mean `{meant}`?" if is_free else f"{what}; remove it, `{meant}` is there already."


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB003", "unknown-key", Severity.WARNING, Subject.RECORD, check, fixes_are_safe=False, also=_ALSO)
