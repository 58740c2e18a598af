"""Code actions: the fixes of the problems under the cursor, and all safe fixes of the file at once."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.analysis.check import fix_text
from rubric_core.text.lines import split_lines
from rubric_core.text.spans import Edit
from rubric_server.convert import SOURCE, diagnostic_of, range_of, span_of, workspace_edit_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.rules.problem import Fix, Problem
    from rubric_server.app import RubricServer
    from rubric_server.documents import OpenDocument
    from rubric_server.protocol import CodeActionParams, Json, Range

QUICK_FIX = "quickfix"
FIX_ALL = f"source.fixAll.{SOURCE}"


def code_action(server: RubricServer, params: CodeActionParams) -> list[Json]:
    """Return the fixes for a range. Fix-all looks at the whole file, so it must be asked for by its kind."""
    document = server.documents.get(params["textDocument"]["uri"])
    if document is None or not server.client.action_literals:
        return []
    only = params["context"].get("only")
    actions: list[Json] = []
    if only is None or _is_wanted(QUICK_FIX, only):
        actions += _quick_fixes(server, document, params["range"])
    if only is not None and _is_wanted(FIX_ALL, only):
        actions += _fix_all(server, document)
    return actions


def _is_wanted(kind: str, only: Sequence[str]) -> bool:
    """Tell whether a kind is asked for, by its own name or by one that stands above it."""
    return any(f"{kind}.".startswith(f"{wanted}.") for wanted in only)


def _quick_fixes(server: RubricServer, document: OpenDocument, wanted: Range) -> Iterator[Json]:
    span = span_of(document.text, wanted, server.client.encoding)
    for problem in document.problems():
        if problem.fixes is not None and problem.span.start <= span.end and span.start <= problem.span.end:
            fixes = problem.fixes()
            for fix in fixes:
                preferred = fix.safe and len(fixes) == 1
                yield _quick_fix(server, document, problem, fix, preferred=preferred)


def _quick_fix(server: RubricServer, document: OpenDocument, problem: Problem, fix: Fix, *, preferred: bool) -> Json:
    ranges = partial(range_of, document.text, encoding=server.client.encoding)
    return {
        "title": fix.title,
        "kind": QUICK_FIX,
        "diagnostics": [diagnostic_of(problem, document.uri, ranges, server.client)],
        "isPreferred": preferred,
        "edit": workspace_edit_of(document, fix.edits, server.client),
    }


def _fix_all(server: RubricServer, document: OpenDocument) -> Iterator[Json]:
    """Give one action with all safe fixes, or nothing where there is nothing to do."""
    if not document.problems():
        return
    text = document.text.text
    fixed = fix_text(text, path=document.path, config=document.config, surroundings=document.surroundings)
    edits = list(_line_edits(text, fixed.text))
    if edits:
        yield {
            "title": "Fix all that can be fixed safely",
            "kind": FIX_ALL,
            "edit": workspace_edit_of(document, edits, server.client),
        }


def _line_edits(before: str, after: str) -> Iterator[Edit]:
    """Give the edits that lead from one text to another, line by line, so that cursors elsewhere stay in place."""
    old, new = split_lines(before), split_lines(after)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for tag, first, last, new_first, new_last in SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            yield Edit(starts[first], starts[last], "".join(new[new_first:new_last]))
