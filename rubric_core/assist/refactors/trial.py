"""Trying a refactor before it is offered: it must leave YAML, keep comments and meaning, and add no error."""

from collections import Counter
from collections.abc import Iterable

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.check import analyse
from rubric_core.analysis.verified import Trials, comments_of, errors_of
from rubric_core.assist.by_chunk import ChunkView
from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, meaning_of
from rubric_core.assist.refactors.scorecards import named_scorecards, suite_entry
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.spans import Edit, apply_edits


def is_kept(cursor: Cursor, refactor: Refactor, proposal: RefactorProposal) -> bool:
    """Return whether a refactor keeps its promises."""
    if not cursor.is_current:
        # Looking for the suite's entries has joined the case with another chunk.
        return False
    check = _is_kept_in_suite if refactor.reaches_suite else _is_kept_in_chunk
    return check(cursor, refactor, proposal)


def _is_kept_in_chunk(cursor: Cursor, refactor: Refactor, proposal: RefactorProposal) -> bool:
    analysis, chunk = cursor.analysis, cursor.chunk
    trial = Trials(analysis, chunk).attempt([edit.shifted(-cursor.base) for edit in proposal.edits])
    if trial is None:
        return False
    before, after = (_views(analysis, [side]) for side in (chunk, trial.chunk))
    return refactor.keeps(meaning_of(before), meaning_of(after))


def _is_kept_in_suite(cursor: Cursor, refactor: Refactor, proposal: RefactorProposal) -> bool:
    """Try it on a small suite: the entries that it touches, the key of the case list, and the case."""
    document = cursor.document
    entries = (named_scorecards(cursor), suite_entry(cursor, CASE_LIST_NAMES))
    touched = {cursor.chunk, *(entry.chunk for entry in entries if entry is not None)}
    text = ""
    edits: dict[Edit, Edit] = {}
    for index in sorted(map(document.index_of, touched)):
        start, chunk = document.start_of(index), document.chunks[index]
        for edit in proposal.edits:
            if start <= edit.start and edit.end <= start + len(chunk.text):
                edits.setdefault(edit, edit.shifted(len(text) - start))
        text += chunk.text
    if len(edits) < len(proposal.edits):
        return False
    analysis = cursor.analysis
    path = analysis.path or "suite.eval.yaml"
    texts = (text, apply_edits(text, edits.values()))
    before, after = (analyse(side, path=path, config=analysis.config) for side in texts)
    for suite in (before, after):
        suite.document.settle()
    if any(chunk.tree is None or chunk.tree.problems for chunk in after.document.chunks):
        return False
    if errors_of(after.problems()) - errors_of(before.problems()) or _comments(before) - _comments(after):
        return False
    for suite in (before, after):
        suite.document.settle()
    return refactor.keeps(*(meaning_of(_views(suite, suite.document.chunks)) for suite in (before, after)))


def _comments(suite: Analysis) -> Counter[str]:
    return sum(map(comments_of, suite.document.chunks), Counter())


def _views(suite: Analysis, chunks: Iterable[Chunk]) -> list[ChunkView]:
    document, dialect = suite.document, suite.facts.dialect
    given = ((chunk, chunk.tree) for chunk in chunks)
    return [ChunkView(chunk, tree, document.version(chunk), dialect) for chunk, tree in given if tree is not None]
