"""
## What it does
Finds a key that appears twice in one mapping.

## Why is this bad?
YAML forbids it, and readers disagree on what it means: some take the first value, some the last, some refuse the
file. Here the first value counts and the later one has no effect.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 1
    weight: 3
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    weight: 3
```

## Fix safety
The fix removes the later key with its value, or the first one where only the later one says something. Other readers
may have used that value, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import remove_entry, remove_pair
from rubric_core.syntax.nodes import Mapping, Pair
from rubric_core.views.files import FileView, PlacedPair
from rubric_core.views.records import RecordView
from rubric_core.views.texts import content_rank


def check(view: RecordView, context: Context) -> Problems:
    if view.record.name == "suite":
        return
    mapping = view.mapping
    for pair in mapping.duplicates:
        # A repeated key behind an alias is reported once, at its text.
        if pair.key.origin is None and pair.name is not None:
            yield RULE.at(
                pair.key,
                _message(pair.name),
                related=[(mapping.index[pair.name].key, "The first one, whose value counts.")],
                fixes=partial(_remove_pair, context.text, mapping, _lesser(mapping.index[pair.name], pair)),
            )


def check_file(file: FileView, _context: Context) -> Problems:
    for entries in file.documents:
        first: dict[str, PlacedPair] = {}
        for entry in entries:
            name = entry.pair.name
            if name is None or entry.pair.key.origin is not None or first.setdefault(name, entry) is entry:
                continue
            yield RULE.at(
                entry.pair.key,
                _message(name),
                related=[(first[name].pair.key, "The first one, whose value counts.", first[name].chunk)],
                fixes=partial(_remove_entry, entry) if _lesser(first[name].pair, entry.pair) is entry.pair else None,
                chunk=entry.chunk,
            )


def _lesser(first: Pair, later: Pair) -> Pair:
    """Return the pair that can go: the later one, unless only the first one is blank."""
    return first if content_rank(later.value) > content_rank(first.value) else later


def _remove_entry(entry: PlacedPair) -> list[Fix | None]:
    """Remove a top-level entry; a list of cases is cut into many chunks, so it has to be removed by hand."""
    chunk, pair = entry
    root = chunk.tree.root if chunk.tree is not None else None
    if not isinstance(root, Mapping) or chunk.kind not in {ChunkKind.ENTRY, ChunkKind.WHOLE}:
        return []
    if len(root.pairs) > 1:
        return _remove_pair(chunk.text, root, pair)
    return [Fix.of(f"Remove this `{pair.name}`", remove_entry(chunk.text, pair))]


def _remove_pair(text: str, mapping: Mapping, pair: Pair) -> list[Fix | None]:
    which = "the empty" if mapping.index.get(pair.name or "") is pair else "this"
    return [Fix.of(f"Remove {which} `{pair.name}`", remove_pair(text, mapping, pair))]


def _message(name: str) -> str:
    return f"The key `{name}` appears twice here and only the first value counts; remove one of them."


_ALSO = ((Subject.FILE, check_file),)
RULE = Rule("RB002", "duplicate-key", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=False, also=_ALSO)
