"""
## What it does
Finds two names of one field side by side, such as `description` next to `expected_outcome`, or two lists of cases in
one file.

## Why is this bad?
Only one of them is read: the field's own name goes before its aliases, unless it is blank. Whoever edits the other one
wonders why nothing changes.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    description: Names the port
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
```

## Fix safety
The fix removes the name that is not read. Its text is lost, so the fix is unsafe. Where the field itself is blank or
holds a placeholder such as `TODO`, the fix moves the text of the alias there instead. A list of messages is blank if
all of them are: the fix removes it, and `input` or `expected_output` stays. Where only some are blank there is no fix,
and none for two lists of cases: move the text or the cases by hand.
"""

from functools import partial

from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.rules.messages import removal
from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.fields import Field
from rubric_core.syntax.edits import remove_pair, rename_key
from rubric_core.syntax.nodes import Mapping, Pair
from rubric_core.views.files import FileView, PlacedPair
from rubric_core.views.records import RecordView
from rubric_core.views.texts import content_rank, has_gap


def check(view: RecordView, context: Context) -> Problems:
    if not view.aliased or view.record.name == "suite":
        return
    for field in dict.fromkeys(field for _, field in view.aliased):
        yield from _conflicts(view.mapping, field, context)


def _conflicts(mapping: Mapping, field: Field, context: Context) -> Problems:
    pairs = [pair for pair in mapping.pairs if pair.name in field.keys and mapping.index.get(pair.name) is pair]
    if len(pairs) < 2:  # noqa: PLR2004 - one name conflicts with nothing.
        return
    first = min(pairs, key=lambda pair: field.keys.index(pair.name or ""))
    for later in pairs[1:]:
        other = pairs[0] if later is first else first
        alias = other if later is first else later
        same = f"`{later.name}` and `{other.name}` are the same field"
        first_rank, alias_rank = content_rank(first.value), content_rank(alias.value)
        if alias_rank > first_rank:
            state = "is blank" if first_rank == 0 else "holds a placeholder"
            is_movable = not field.aliases.types
            advice = f"move the text of `{alias.name}` there" if is_movable else f"remove `{first.name}`"
            message = f"{same} and `{first.name}` {state}; {advice}."
            fixes = partial(_move if is_movable else _remove, context.text, mapping, first, alias)
        elif first_rank == alias_rank > 1 and has_gap(first.value):
            advice = f"is read, where a text is missing; move what `{alias.name}` says there"
            message, fixes = f"{same} and only `{first.name}` {advice}.", None
        else:
            message = f"{same} and only `{first.name}` is read; remove `{alias.name}`."
            fixes = partial(_remove, context.text, mapping, alias, first)
        yield RULE.at(later.key, message, related=[(other.key, "The other name of the field.")], fixes=fixes)


def _remove(text: str, mapping: Mapping, unread: Pair, _read: Pair) -> list[Fix | None]:
    return [removal(text, mapping, unread)]


def _move(text: str, mapping: Mapping, empty: Pair, alias: Pair) -> list[Fix | None]:
    """Rename the alias to the field, and remove the blank key."""
    if empty.name is None or alias.key.origin is not None:
        return []
    title = f"Move the text of `{alias.name}` to `{empty.name}`"
    return [Fix.of(title, remove_pair(text, mapping, empty), rename_key(alias, empty.name))]


def check_file(file: FileView, _context: Context) -> Problems:
    for entries in file.documents:
        lists: dict[str, PlacedPair] = {}
        for entry in entries:
            if entry.pair.name in CASE_LIST_NAMES:
                lists.setdefault(entry.pair.name, entry)
        ordered = list(lists.values())
        yield from (_second_list(ordered[0], later) for later in ordered[1:])


def _second_list(first: PlacedPair, later: PlacedPair) -> Problem:
    return RULE.at(
        later.pair.key,
        f"`{first.pair.name}` holds the cases of this file already; move the cases of `{later.pair.name}` there.",
        related=[(first.pair.key, "The other list of cases.", first.chunk)],
        chunk=later.chunk,
    )


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB007", "conflicting-alias", Severity.WARNING, Subject.RECORD, check, fixes_are_safe=False, also=_ALSO)
