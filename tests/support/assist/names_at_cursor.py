"""Names under a cursor: renamed, found and defined."""

from __future__ import annotations

from assistance import cut_cursor, finished

from rubric_core.analysis.check import analyse
from rubric_core.assist.names.lookup import definition_of, name_at
from rubric_core.assist.names.rename import renamable_at, rename
from rubric_core.text.spans import apply_edits

PATH = "a.eval.yaml"


def rename_to(marked: str, new: str) -> str:
    """Return a text after the rename of the name under its cursor."""
    text, at = cut_cursor(marked)
    analysis = analyse(text, path=PATH)
    name = renamable_at(analysis, at)
    assert name is not None
    return apply_edits(text, finished(rename(analysis, name, new)))


def line_of_definition(marked: str) -> str:
    """Return the line that defines the name under the cursor."""
    text, at = cut_cursor(marked)
    analysis = analyse(text, path=PATH)
    name = name_at(analysis, at)
    assert name is not None
    found = finished(definition_of(analysis, name))
    assert found is not None
    start = text.rfind("\n", 0, found.span.start) + 1
    return text[start : text.index("\n", start)].strip()
