"""
## What it does
Finds a key that stands twice in one mapping.

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

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.rule import Rule, Subject
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import remove_entry, remove_pair
from rubric_core.syntax.nodes import Mapping
from rubric_core.views.texts import content_rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Pair
    from rubric_core.text.spans import Edit
    from rubric_core.views.files import FileView, PlacedPair
    from rubric_core.views.records import RecordView


def check(view: RecordView, context: Context) -> Iterator[Problem]:
    """Report each repeated key at its later place; the keys of the suite are compared across the whole file."""
    if view.record.name == "suite":
        return
    mapping = view.mapping
    for pair in mapping.duplicates:
        # A repeated key behind an alias is reported once, where its text stands.
        if pair.key.origin is None and pair.name is not None:
            yield RULE.at(
                pair.key,
                _message(pair.name),
                related=[(mapping.index[pair.name].key, "The first one, whose value counts.")],
                fixes=partial(_remove_pair, context.text, mapping, _lesser(mapping.index[pair.name], pair)),
            )


def check_file(file: FileView, _context: Context) -> Iterator[Problem]:
    """Report each repeated key of a YAML document's top level."""
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
    """Return the pair that can go: the later one, unless the first says nothing and the later one does."""
    return first if content_rank(later.value) > content_rank(first.value) else later


def _remove_entry(entry: PlacedPair) -> list[Fix]:
    """Remove a top-level entry; a list of cases is cut into many chunks, so it has to be removed by hand."""
    chunk, pair = entry
    root = chunk.tree.root if chunk.tree is not None else None
    if not isinstance(root, Mapping) or chunk.kind not in {ChunkKind.ENTRY, ChunkKind.WHOLE}:
        return []
    if len(root.pairs) > 1:
        return _remove_pair(chunk.text, root, pair)
    return _fixes(pair, remove_entry(chunk.text, pair))


def _remove_pair(text: str, mapping: Mapping, pair: Pair) -> list[Fix]:
    is_first = mapping.index.get(pair.name or "") is pair
    return _fixes(pair, remove_pair(text, mapping, pair), "Remove the empty" if is_first else "Remove this")


def _fixes(pair: Pair, edit: Edit | None, title: str = "Remove this") -> list[Fix]:
    return [Fix(f"{title} `{pair.name}`", (edit,))] if edit is not None else []


def _message(name: str) -> str:
    return f"The key `{name}` stands here twice and only the first value counts; remove one of them."


RULE = Rule("RB002", "duplicate-key", Severity.ERROR, Subject.RECORD, check, fixes_are_safe=False)
RULES = (RULE, Rule(RULE.code, RULE.name, RULE.severity, Subject.FILE, check_file, fixes_are_safe=False))
