"""What the tests of refactors share: a suite around a few lines, and the text after a refactor at the cursor `$0`."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

from assistance import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.assist.actions import refactors_in
from rubric_core.syntax.nodes import walk
from rubric_core.text.spans import Span, apply_edits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.assist.actions import OfferedRefactor

PATH = "suite.eval.yaml"
CASE = """\
evalcases:
  - id: open-port
    expected_outcome: Names the port
    input: Which port?
"""


def criteria(lines: str) -> str:
    """Return a suite with one case that has some criteria; the lines start with a dash in column 0."""
    return f"{CASE}    rubrics:\n{indent(lines, '      ')}"


def ranges(lines: str) -> str:
    """Return a suite whose only criterion has some score ranges; the lines start in column 0."""
    return criteria("- id: quality\n  expected_outcome: Explains the choice\n  score_ranges:\n" + indent(lines, "    "))


def titles_at(marked: str, path: str = PATH) -> list[str]:
    """Return what is offered at the cursor and keeps its promise."""
    text, at = cut_cursor(marked)
    offered = refactors_in(analyse(text, path=path), Span(at, at))
    return [each.title for each in offered if each.edits() is not None]


def refactored(marked: str, name: str, path: str = PATH) -> str | None:
    """Return the text after a refactor at the cursor; None where it is not offered."""
    text, at = cut_cursor(marked)
    offered = next(refactors_in(analyse(text, path=path), Span(at, at), name), None)
    edits = offered.edits() if offered is not None else None
    return apply_edits(text, edits) if edits is not None else None


def all_offered(analysis: Analysis) -> Iterator[OfferedRefactor]:
    """Give each refactor that is offered at the start of some node of a text, once."""
    seen: set[tuple[object, ...]] = set()
    for at in sorted(set(_starts(analysis))):
        for offered in refactors_in(analysis, Span(at, at)):
            key = (offered.refactor.name, offered.proposal)
            if key not in seen:
                seen.add(key)
                yield offered


def _starts(analysis: Analysis) -> Iterator[int]:
    document = analysis.document
    document.settle()
    for index in range(len(document.chunks)):
        root = document.tree(index).root
        if root is not None:
            yield from (document.start_of(index) + node.start for node in walk(root) if node.origin is None)
