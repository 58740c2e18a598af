"""The name under the cursor, where it is defined, and all that refers to it."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.names.occurrences import NameKind, Occurrence, occurrences_of
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_WORD = lazily(r"[\w-]+")
# Names that mean nothing outside of the case, or of the suite's own evaluators.
_LOCAL_KINDS = frozenset({NameKind.CRITERION, NameKind.EVALUATOR})
# The keys below which names of the whole file are used.
_KEYS = {NameKind.SCORECARD: "scorecard", NameKind.TARGET: "target"}


class Name(NamedTuple):
    """An occurrence in its document: the chunk that it stands in, and where that chunk starts."""

    occurrence: Occurrence
    chunk_index: int
    base: int

    @property
    def kind(self) -> NameKind:
        """Return what the name is given to."""
        return self.occurrence.kind

    @property
    def text(self) -> str:
        """Return the name itself."""
        return self.occurrence.name

    @property
    def span(self) -> Span:
        """Return where the name stands in the whole text, without quotes."""
        return self.occurrence.span.shifted(self.base)

    @property
    def defines(self) -> bool:
        """Return whether this place is the definition."""
        return self.occurrence.defines


class NameDefinition(NamedTuple):
    """Where a name is defined: the name, and all that belongs to the definition."""

    name_span: Span
    span: Span


def name_at(analysis: Analysis, offset: int) -> Name | None:
    """Return the name at an offset, if there is one."""
    cursor = cursor_at(analysis, offset)
    if cursor is None:
        return None
    for occurrence in occurrences_of(analysis.document, cursor.index):
        # What an alias brings is not written here; the alias itself is.
        if occurrence.origin is None and occurrence.whole.start <= cursor.at <= occurrence.whole.end:
            return Name(occurrence, cursor.index, cursor.base)
    return None


def definition_of(analysis: Analysis, name: Name) -> Generator[None, None, NameDefinition | None]:
    """Return where a name is defined in its file; a target is defined in another one."""
    known = yield from settled(analysis, name)
    if known is None or known.kind is NameKind.TARGET:
        return None
    if known.kind is NameKind.SCORECARD:
        return _scorecard(analysis, known)
    if known.kind is NameKind.CASE:
        return _first_case(analysis, known)
    found = yield from references_to(analysis, known)
    return next((_definition(other) for other in found if other.defines), None)


def settled(analysis: Analysis, name: Name) -> Generator[None, None, Name | None]:
    """Read the whole file and return a name as it is then: chunks may have been joined, and the text may mean more."""
    yield from read_all(analysis)
    return name_at(analysis, name.span.start)


def _definition(name: Name) -> NameDefinition:
    return NameDefinition(name.span, name.occurrence.whole.shifted(name.base))


def _first_case(analysis: Analysis, name: Name) -> NameDefinition:
    for place in analysis.facts.places_of_id(name.text):
        base = analysis.document.start_of(analysis.document.index_of(place.chunk))
        span = place.node.span.shifted(base)
        return NameDefinition(span, span)
    # The id of a case that cannot be read is known by a look at its text only.
    return _definition(name)


def _scorecard(analysis: Analysis, name: Name) -> NameDefinition | None:
    document = analysis.document
    own = document.chunks[name.chunk_index].section
    # Names count in the whole file; those of the same YAML document come first.
    for section in sorted(range(len(document.versions)), key=lambda section: section != own):
        for chunk, entry in analysis.facts.entries_of(section):
            if entry.name != "scorecards" or not isinstance(entry.value, Mapping):
                continue
            pair = entry.value.index.get(name.text)
            if pair is not None:
                base = document.start_of(document.index_of(chunk))
                return NameDefinition(pair.key.span.shifted(base), pair.span.shifted(base))
    return None


def references_to(analysis: Analysis, name: Name) -> Generator[None, None, list[Name]]:
    """Return every place of the file that has a name, its definition included, in the order of the text."""
    known = yield from settled(analysis, name)
    if known is None:
        return []
    name = known
    if name.kind is NameKind.CASE:
        return _same_case_ids(analysis, name)
    if name.kind in _LOCAL_KINDS:
        return _in_chunk(analysis, name)
    found = yield from names_called(analysis, name.kind, name.text)
    return _same_anchor(analysis, found, name) if name.kind is NameKind.ANCHOR else found


def names_called(analysis: Analysis, kind: NameKind, text: str) -> Generator[None, None, list[Name]]:
    """Return all names of a kind that the whole file knows, in the order of the text."""
    found: list[Name] = []
    document = analysis.document
    index = 0
    while index < len(document.chunks):
        chunk = document.chunks[index]
        if analysis.owns(chunk) and might_hold(chunk, kind, text):
            found += [name for name in _names(analysis, index) if name.kind is kind and name.text == text]
            yield
        index += 1
    return sorted(found, key=lambda name: name.span)


def might_hold(chunk: Chunk, kind: NameKind, text: str) -> bool:
    """Tell cheaply that a chunk cannot have a name, so that it need not be parsed."""
    if kind is NameKind.ANCHOR:
        return f"&{text}" in chunk.text or f"*{text}" in chunk.text
    if _KEYS[kind] not in chunk.text and "*" not in chunk.text:
        return False
    # The longest word of a name stands in the text as it is, unless quotes with escapes or an alias hide it.
    words = _WORD.findall(text)
    return not words or max(words, key=len) in chunk.text or "\\" in chunk.text or "*" in chunk.text


def _names(analysis: Analysis, index: int) -> Iterator[Name]:
    document = analysis.document
    base = document.start_of(index)
    return (Name(occurrence, index, base) for occurrence in occurrences_of(document, index))


def _in_chunk(analysis: Analysis, name: Name) -> list[Name]:
    """Return the occurrences of a name that means nothing outside of its list."""
    scope = name.occurrence.scope
    found = [
        other
        for other in _names(analysis, name.chunk_index)
        if (other.kind, other.text, other.occurrence.scope) == (name.kind, name.text, scope)
        and other.occurrence.origin is None
    ]
    return sorted(found, key=lambda other: other.span)


def _same_case_ids(analysis: Analysis, name: Name) -> list[Name]:
    """Return the cases with an id, from the index of the file: nothing is parsed but the cases themselves."""
    index_of = analysis.document.index_of
    indices = [index_of(place.chunk) for place in analysis.facts.places_of_id(name.text)]
    found = [
        other
        for index in sorted({name.chunk_index, *indices})
        for other in _names(analysis, index)
        if other.kind is NameKind.CASE and other.text == name.text
    ]
    return sorted(found, key=lambda other: other.span)


def _same_anchor(analysis: Analysis, found: list[Name], name: Name) -> list[Name]:
    """Return the anchor that a name belongs to with its aliases.

    An anchor of the same name further down, or in another YAML document, is another one.
    """
    chunks = analysis.document.chunks
    groups: list[list[Name]] = [[]]
    for other in found:
        if chunks[other.chunk_index].section != chunks[name.chunk_index].section:
            continue
        if other.defines:
            groups.append([])
        groups[-1].append(other)
    return next((group for group in groups if any(other.span == name.span for other in group)), [name])
