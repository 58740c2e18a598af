"""The name under the cursor, its definition, and all references to it."""

from collections.abc import Generator, Mapping
from functools import cache
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import own_chunks, read_all
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.names.occurrences import (
    ITEMS,
    KEYS,
    SCORECARDS,
    WHOLE_FILE,
    Name,
    NameKind,
    names_called,
    names_in_chunk,
    nodes_at,
)
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import NOTES
from rubric_core.syntax import nodes
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_WORD = lazily(r"[\w-]+")
# Names that are local to the case, or to the suite's own evaluators.
_LOCAL_KINDS = frozenset({NameKind.CRITERION, NameKind.EVALUATOR})
# What a text has, whatever its dialect, in which names of the whole file are used.
_WORDS_BESIDE: Mapping[NameKind, tuple[tuple[str, ...], ...]] = {
    NameKind.SCORECARD: (("scorecard",),),
    NameKind.TARGET: (("target",), ("provider",)),
    NameKind.VARIABLE: (("{{",), ("{%",)),
}


class NameDefinition(NamedTuple):
    """Where a name is defined: the name, and all that belongs to the definition."""

    name_span: Span
    span: Span


def name_at(analysis: Analysis, offset: int) -> Name | None:
    """Return the name at an offset, if there is one."""
    cursor = cursor_at(analysis, offset)
    if cursor is None:
        return None
    # The copy of an alias is not written here; the alias itself is.
    names = [name for name in names_in_chunk(analysis, cursor.index) if name.origin is None]
    around = [name for name in names if name.whole.start <= cursor.at <= name.whole.end]
    # The variable in a metric that is a template.
    inner = min(around, key=lambda name: name.whole.end - name.whole.start, default=None)
    return inner.placed(cursor.index, cursor.base) if inner is not None else None


def definition_of(analysis: Analysis, name: Name) -> Generator[None, None, NameDefinition | None]:
    """Return where a name is defined in its file; most targets are defined in another one."""
    resolved = yield from settled(analysis, name)
    if resolved is None or resolved.kind is NameKind.TARGET:
        return own_provider(analysis, resolved.text) if resolved is not None else None
    if resolved.kind is NameKind.SCORECARD:
        section = analysis.document.chunks[resolved.chunk_index].section
        return _defined_by_suite(analysis, NameKind.SCORECARD, resolved.text, section)
    if resolved.kind is NameKind.CASE:
        return _first_case(analysis, resolved)
    uses = yield from references_to(analysis, resolved)
    # A variable of the same test goes before one of the suite.
    defined = (other for other in uses if other.defines)
    first = min(defined, key=lambda other: other.chunk_index != resolved.chunk_index, default=None)
    return NameDefinition(first.span, first.whole) if first is not None else None


def own_provider(analysis: Analysis, name: str) -> NameDefinition | None:
    """Return where the file itself gives a provider a label."""
    return _defined_by_suite(analysis, NameKind.TARGET, name)


def _defined_by_suite(analysis: Analysis, kind: NameKind, text: str, own_section: int = 0) -> NameDefinition | None:
    """Return where a suite defines a name; names count in the whole file, those of the own YAML document first."""
    document = analysis.document
    places = [*NOTES.of(analysis.facts.dialect).suite_names, SCORECARDS]
    paths = [place.path for place in places if place.kind is kind and place.defines]
    for section in sorted(range(len(document.versions)), key=lambda section: section != own_section):
        for chunk, entry in analysis.facts.entries_of(section):
            for node in (node for path in paths if path[0] == entry.name for node in nodes_at(entry.value, path[1:])):
                if node.value == text:
                    base = document.start_of(document.index_of(chunk))
                    pair = entry.value.index.get(text) if isinstance(entry.value, nodes.Mapping) else None
                    return NameDefinition(node.span.shifted(base), (pair or node).span.shifted(base))
    return None


def settled(analysis: Analysis, name: Name) -> Generator[None, None, Name | None]:
    """Read the whole file and return a name as it is then: chunks may have been joined, and the text may mean more."""
    yield from read_all(analysis)
    return name_at(analysis, name.span.start)


def _first_case(analysis: Analysis, name: Name) -> NameDefinition:
    for place in analysis.facts.places_of_id(name.text):
        base = analysis.document.start_of(analysis.document.index_of(place.chunk))
        span = place.node.span.shifted(base)
        return NameDefinition(span, span)
    # The id of a case that cannot be parsed is read from its text.
    return NameDefinition(name.span, name.whole)


def references_to(analysis: Analysis, name: Name) -> Generator[None, None, list[Name]]:
    """Return every place of the file that has a name, its definition included, in the order of the text."""
    resolved = yield from settled(analysis, name)
    if resolved is None:
        return []
    document, kind, text = analysis.document, resolved.kind, resolved.text
    if kind is NameKind.CASE:
        # Where ids are is among the facts of the file, so that only these cases are parsed.
        indices = {document.index_of(place.chunk) for place in analysis.facts.places_of_id(text)}
        dependent = (chunk for chunk in document.chunks if text in chunk.text and _has_keys_of(analysis, chunk, kind))
        indices |= {resolved.chunk_index, *map(document.index_of, dependent)}
        uses = [other for index in indices for other in names_called(analysis, index, kind, text)]
    elif kind in _LOCAL_KINDS and resolved.scope != WHOLE_FILE:
        others = names_called(analysis, resolved.chunk_index, kind, text)
        uses = [other for other in others if other.scope == resolved.scope and other.origin is None]
    else:
        uses = yield from names_in_file(analysis, kind, text)
    if kind is NameKind.EVALUATOR:
        # The copy of an alias has its name at the anchor.
        uses = [other for other in uses if other.origin is None]
    uses.sort(key=lambda other: other.span)
    return _same_anchor(analysis, uses, resolved) if kind is NameKind.ANCHOR else uses


def names_in_file(analysis: Analysis, kind: NameKind, text: str) -> Generator[None, None, list[Name]]:
    """Return all places of the file that have a name, for kinds of names that count in all of it."""
    uses: list[Name] = []
    for index, chunk in own_chunks(analysis):
        if might_hold(analysis, chunk, kind, text):
            uses += names_called(analysis, index, kind, text)
            yield
    return uses


def might_hold(analysis: Analysis, chunk: Chunk, kind: NameKind, text: str) -> bool:
    """Return whether a chunk may contain a name; a fast test, so that others need not be parsed."""
    if kind is NameKind.ANCHOR:
        return f"&{text}" in chunk.text or f"*{text}" in chunk.text
    if "*" not in chunk.text and not _has_keys_of(analysis, chunk, kind):
        return False
    # The longest word of a name is in the text as it is, unless quotes with escapes or an alias hide it.
    words = _WORD.findall(text)
    return not words or max(words, key=len) in chunk.text or "\\" in chunk.text or "*" in chunk.text


def _has_keys_of(analysis: Analysis, chunk: Chunk, kind: NameKind) -> bool:
    keys = _keys_of_names(analysis.facts.dialect, kind)
    return any(all(key in chunk.text for key in path) for path in keys)


@cache
def _keys_of_names(dialect: Dialect, kind: NameKind) -> tuple[tuple[str, ...], ...]:
    """Return the keys beside which names of a kind are: a chunk with such a name has all those of a tuple."""
    notes = NOTES.of(dialect)
    paths = [place.path for place in (*notes.suite_names, *notes.case_names) if place.kind is kind]
    if kind is NameKind.EVALUATOR:
        paths += [(notes.metric,), *notes.formulas]
    beside = {tuple(key for key in path if key not in {ITEMS, KEYS}) for path in paths}
    return (*_WORDS_BESIDE.get(kind, ()), *beside)


def _same_anchor(analysis: Analysis, uses: list[Name], name: Name) -> list[Name]:
    """Return an anchor with its aliases; one of the same name further down, or in another document, is another one."""
    chunks = analysis.document.chunks
    groups: list[list[Name]] = [[]]
    for other in uses:
        if chunks[other.chunk_index].section != chunks[name.chunk_index].section:
            continue
        if other.defines:
            groups.append([])
        groups[-1].append(other)
    return next((group for group in groups if any(other.span == name.span for other in group)), [name])
