"""Inlay hints: what the file means but does not say. Bands by their extent, shares of the weight, generated ids."""

from collections.abc import Collection, Generator, Iterator
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, ChunkView
from rubric_core.assist.grades import Grades, first_line, places_at, standing
from rubric_core.rules.messages import in_words
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import BlockScalar, Pair
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.views.amounts import counted, percent
from rubric_core.views.bands import Form
from rubric_core.views.criteria import CriteriaView, CriterionView, shares_of

_COLON = lazily(r"[ \t]*:")
_FEWEST_SIBLINGS = 2


class HintKind(Enum):
    """What a hint tells; each kind can be switched off."""

    EXTENT = "the scores that a key of a score map covers"
    SHARE = "a criterion's share of the weight"
    IDENTIFIER = "the id that a criterion without one gets"
    GRADE = "what the last grading said of a criterion"


class Hint(NamedTuple):
    """A few words shown at an offset as if they were part of the text, before or behind what they belong to.

    `detail` holds what the tooltip says beyond the label.
    """

    offset: int
    label: str
    kind: HintKind
    detail: str = ""
    is_before: bool = False

    @property
    def tooltip(self) -> str:
        """Return a sentence that says more than the label."""
        return _TOOLTIPS[self.kind].format(label=self.label, detail=self.detail)


_TOOLTIPS = {
    HintKind.EXTENT: "This band covers {label}: up to the next key minus 1, the last band up to 10.",
    HintKind.SHARE: "This criterion has {detail}.",
    HintKind.GRADE: "The last grading said: {label}. {detail}",
    HintKind.IDENTIFIER: "Results call this criterion `{label}`, by its place in the list; an `id` gives it a name.",
}


def hints(
    analysis: Analysis, span: Span, kinds: Collection[HintKind] = tuple(HintKind), grades: Grades = MappingProxyType({})
) -> Generator[None, None, list[Hint]]:
    """Return the hints of a stretch of the text, in its order. It lets others go first between two chunks.

    Only the chunks that the stretch touches are looked at, and each of them once as long as it does not change.
    """
    found: list[Hint] = []
    if not kinds or not analysis.is_ours():
        return found
    document = analysis.document
    index, start = 0, span.start
    while start <= span.end and index < len(document.chunks):
        if document.chunks[document.chunk_at(start)] not in analysis.facts.outlines:
            # Reading a chunk may join it with the next one, so that its place is looked up afterwards.
            analysis.attend(Span(start, start))
        index = document.chunk_at(start)
        chunk, base = document.chunks[index], document.start_of(index)
        if analysis.owns(chunk):
            wanted = (hint for hint in _hints.of(analysis, index) if hint.kind in kinds)
            found += [hint._replace(offset=hint.offset + base) for hint in wanted]
            if grades and HintKind.GRADE in kinds:
                found += _grades(analysis, index, base, grades)
        index, start = index + 1, base + len(chunk.text)
        yield
    return sorted((hint for hint in found if span.start <= hint.offset <= span.end), key=lambda hint: hint.offset)


def _hints_of_chunk(view: ChunkView) -> tuple[Hint, ...]:
    text = view.chunk.text
    cases = (case for case in view.cases() if case.node.origin is None)
    lists = [criteria for case in cases for criteria in case.all_criteria()]
    found: list[Hint] = []
    for criteria in (*lists, *view.suite_criteria()):
        # Behind an alias all criteria stand in one place, where nothing can be told apart.
        if criteria.pair.key.origin is None and criteria.node.origin is None:
            found += _identifiers(criteria, text)
            found += _shares(criteria)
            for criterion in criteria.criteria:
                found += _extents(criterion, text)
    return tuple(sorted(found, key=lambda hint: hint.offset))


_hints = ByTree(_hints_of_chunk)


def _grades(analysis: Analysis, index: int, base: int, grades: Grades) -> Iterator[Hint]:
    """Yield what was said of the criteria whose text is still the one that was graded."""
    text = analysis.document.chunks[index].text
    for place in places_at(analysis, index):
        grade = grades.get(place.case_id)
        for span, each in standing(place, grade) if grade is not None else ():
            yield Hint(first_line(span, text).end + base, each.said, HintKind.GRADE, each.reasoning)


def _identifiers(criteria: CriteriaView, text: str) -> Iterator[Hint]:
    for criterion in criteria.readable:
        pair = criterion.pair("id")
        if pair is not None and not is_blank(pair.value):
            continue
        label = criterion.identifier
        if pair is not None and pair.key.origin is None:
            # An `id:` with nothing behind it.
            yield Hint(_behind_colon(text, pair), label, HintKind.IDENTIFIER)
        else:
            yield Hint(criterion.node.start, label, HintKind.IDENTIFIER, is_before=True)


def _shares(criteria: CriteriaView) -> Iterator[Hint]:
    """Yield the share of each criterion, where somebody wrote a weight: without one all count the same, as expected."""
    has_weight = any(criterion.pair("weight") is not None for criterion in criteria.criteria)
    shares = shares_of(criteria) if has_weight else []
    for share in shares if len(shares) >= _FEWEST_SIBLINGS else ():
        offset, is_before = _place_of_share(share.criterion)
        yield Hint(offset, percent(share.part), HintKind.SHARE, counted(share.weight, share.total), is_before)


def _place_of_share(criterion: CriterionView) -> tuple[int, bool]:
    """Return where a share stands: behind the weight, else behind the id or the string, else before the criterion."""
    for name in ("weight", "id"):
        pair = criterion.pair(name)
        # What a merge key brings along stands elsewhere.
        if pair is not None and pair.key.origin is None and not is_blank(pair.value):
            return pair.value.end, False
    is_string = criterion.fields is None and not isinstance(criterion.node, BlockScalar)
    if is_string or criterion.node.origin is not None:
        return criterion.node.end, False
    return criterion.node.start, True


def _extents(criterion: CriterionView, text: str) -> Iterator[Hint]:
    """Yield the extent of each band of a map; none where a key cannot be read, since it may end the band before it."""
    bands = criterion.bands
    if bands is None or bands.form is not Form.MAP or not bands.is_readable or bands.node.origin is not None:
        return
    for band in bands.bands:
        extent = band.extent if band.lower is not None and LOWEST <= band.lower <= HIGHEST else None
        # A single score is what the key says itself.
        is_longer = extent is not None and extent[0] < extent[1]
        if extent is not None and is_longer and isinstance(band.whole, Pair) and band.whole.key.origin is None:
            yield Hint(_behind_colon(text, band.whole), in_words(*extent), HintKind.EXTENT)


def _behind_colon(text: str, pair: Pair) -> int:
    """Return the offset behind the colon of a pair, or behind its key where the colon is not on the same line."""
    colon = _COLON.match(text, pair.key.end)
    return colon.end() if colon is not None else pair.key.end
