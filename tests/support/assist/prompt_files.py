"""Moving a prompt of a judge to a file and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assistance import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.actions import refactors_in
from rubric_core.text.spans import Span, apply_edits

if TYPE_CHECKING:
    from rubric_core.assist.refactors.refactor import NewFile


class Done(NamedTuple):
    """What a refactor makes of a text."""

    text: str
    new_file: NewFile | None


NO_FILES = KnownProject(frozenset())


def done_by(marked: str, name: str, project: KnownProject = NO_FILES) -> Done | None:
    """Return what a refactor does at the cursor; None where it is not offered."""
    text, at = cut_cursor(marked)
    offered = next(refactors_in(analyse(text, path="a.eval.yaml", project=project), Span(at, at), name), None)
    edits = offered.edits() if offered is not None else None
    return Done(apply_edits(text, edits), offered.new_file) if offered is not None and edits is not None else None
