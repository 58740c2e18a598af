"""Explanations for users: why a file has its dialect, and why a file is not checked."""

from collections.abc import Sequence
from operator import itemgetter
from pathlib import PurePath
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import cases_of
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import FOREIGN_KEYS, is_suite_name, related_dialect
from rubric_core.dialects.recognition import DialectMark, deciding_marks, find_mark
from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT, WHOLE_FILE_DIALECTS
from rubric_core.files.walk import NOT_AN_EVAL_FILE


class NotChecked(NamedTuple):
    """Why a file is not checked. `is_refused`: it looks like an eval file, so this is an error."""

    reason: str = NOT_AN_EVAL_FILE
    is_refused: bool = False


def reason_not_checked(analysis: Analysis) -> NotChecked:
    """Return why an analysed file, which is not an eval file, is not checked."""
    path, facts = analysis.path, analysis.facts
    key, dialect = facts.foreign_key, related_dialect(path)
    if dialect is not None and dialect.marks.whole is not None:
        noun, mark = dialect.marks.whole.noun, f"it is called {PurePath(path).name}"
    elif key is not None:
        noun, mark = FOREIGN_KEYS[key], f"it has the key `{key}`"
        dialect = next((other for other, marks in WHOLE_FILE_DIALECTS if key in marks.other_keys), None)
    else:
        return NotChecked()
    is_refused = facts.has_suite_key or is_suite_name(path)
    comment = f"; a comment `# rubric: dialect={dialect.name}` at its top has it checked" if dialect is not None else ""
    return NotChecked(f"This is not an eval file but {noun} ({mark}), so it was not checked{comment}.", is_refused)


class DialectReason(NamedTuple):
    """The dialect of a file, and why; `offset` is the place of the reason, None if it is not in the file."""

    dialect: Dialect
    why: str
    offset: int | None = None


def explain_dialect(analysis: Analysis) -> DialectReason:
    """Return why a file has its dialect."""
    analysis.read_top_entries_first()
    facts, document = analysis.facts, analysis.document
    if facts.pin is not None:
        chunk, pin = facts.pin
        start = document.start_of(document.index_of(chunk)) + pin.span.start
        return DialectReason(facts.dialect, f"because of the comment `# rubric: dialect={pin.dialect}`", start)
    if facts.whole is not None:
        keys = [_first_key(analysis, words) for words in facts.whole.keys]
        return DialectReason(facts.dialect, facts.whole.why or _because_of(keys), keys[0][1] if keys else None)
    if analysis.config.dialect in BY_NAME:
        return DialectReason(facts.dialect, "because of the setting `dialect`")
    suite = analysis.project.naming_suite if facts.has_only_cases else None
    if suite is not None:
        return DialectReason(facts.dialect, f"because of the suite {suite.path}, which names this file")
    return _explain_marks(analysis)


def _explain_marks(analysis: Analysis) -> DialectReason:
    """Return the words of a file that identify its dialect, as a reason."""
    facts = analysis.facts
    marks = deciding_marks(facts.marks)
    is_weak = bool(marks) and marks[0].is_weak
    if is_weak and analysis.project.dialect in BY_NAME:
        return DialectReason(
            facts.dialect, f"because of the targets or providers file in `{DEFAULT_DIALECT.marks.names.folder}`"
        )
    mark, offset = _first_place(analysis, frozenset(marks))
    if mark is None:
        return DialectReason(facts.dialect, "by default, because nothing indicates another dialect")
    more = ", the only indication" if is_weak else ""
    return DialectReason(facts.dialect, f"because of {mark.description}{more}", offset)


def _because_of(keys: Sequence[tuple[str, int]]) -> str:
    """Return a reason that names the keys."""
    *others, last = (f"`{name}`" for name, _ in keys)
    return f"because of the keys {', '.join(others)} and {last} together" if others else f"because of the key {last}"


def _first_key(analysis: Analysis, words: frozenset[str]) -> tuple[str, int]:
    """Return the first top-level key among some that the file has, and where it is."""
    document, by_chunk = analysis.document, analysis.facts.by_chunk
    read = ((index, by_chunk[chunk]) for index, chunk in enumerate(document.chunks) if chunk in by_chunk)
    keys = ((pair, document.start_of(index)) for index, facts in read for pair in facts.entries)
    return next((pair.name, base + pair.key.start) for pair, base in keys if pair.name in words)


def _first_place(analysis: Analysis, marks: frozenset[DialectMark]) -> tuple[DialectMark | None, int | None]:
    """Return the first of the marks in the text, and where it is."""
    document, by_chunk = analysis.document, analysis.facts.by_chunk
    for index, chunk in enumerate(document.chunks if marks else ()):
        own = [mark for mark in by_chunk[chunk].marks if mark in marks] if chunk in by_chunk else []
        if own:
            cases = cases_of(chunk, document.tree(index).root)[1]
            nodes = ((find_mark(mark, by_chunk[chunk].entries, cases), mark) for mark in own)
            placed = [(node.start, mark) for node, mark in nodes if node is not None]
            start, first = min(placed, key=itemgetter(0)) if placed else (0, own[0])
            return first, document.start_of(index) + start
    return None, None
