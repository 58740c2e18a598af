"""What stands under the cursor, read into the views that refactors work on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.outline import cases_of
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import read_evaluators

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.nodes import Node
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.text.spans import Edit
    from rubric_core.views.bands import Band, BandsView
    from rubric_core.views.criteria import CriteriaView, CriterionView

_IN_LISTS = frozenset({ChunkKind.ITEM, ChunkKind.LINE})


class RefactorPlace(NamedTuple):
    """A place in a document. All offsets and nodes count from the start of its chunk, which is at `base`.

    `bands` is there on the `score_ranges` key and inside of it; `band` only in one of the ranges.
    """

    analysis: Analysis
    chunk: Chunk
    base: int
    at: int
    case: CaseView | None = None
    criteria: CriteriaView | None = None
    criterion: CriterionView | None = None
    bands: BandsView | None = None
    band: Band | None = None

    @property
    def text(self) -> str:
        """Return the text that the nodes come from."""
        return self.chunk.text

    @property
    def root(self) -> Node | None:
        """Return the tree of the text."""
        return self.chunk.tree.root if self.chunk.tree is not None else None

    @property
    def line_break(self) -> str:
        """Return the line break of the file; a chunk of one line may have none to go by."""
        return next((end for end in ("\r\n", "\n", "\r") if end in self.chunk.text), "\n")

    def absolute(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return edits of the chunk as edits of the whole text, in the order of the text."""
        return tuple(sorted(edit.shifted(self.base) for edit in edits))

    def holds(self, span: Span, *, flow: bool) -> bool:
        """Tell whether the place is in a stretch; in block style what follows on its last line counts as well."""
        return span.start <= self.at <= (span.end if flow else line_end(self.text, span.end))


def place_at(analysis: Analysis, span: Span) -> RefactorPlace | None:
    """Return what stands where a span starts; None where it reaches over several cases or into broken text."""
    if not analysis.is_ours():
        return None
    document = analysis.document
    # Reading may join chunks, so that the place is looked up only afterwards.
    analysis.attend(Span(span.start, span.start))
    index = document.chunk_at(span.start)
    chunk, base = document.chunks[index], document.start_of(index)
    tree = document.tree(index)
    if tree.root is None or tree.problems or not analysis.owns(chunk):
        return None
    at = span.start - base
    if not 0 <= at <= span.end - base <= len(chunk.text):
        return None
    version = document.version(chunk)
    place = _with_case(RefactorPlace(analysis, chunk, base, _content(chunk.text, at)), tree.root, version)
    return _with_criteria(place, version)


def _content(text: str, at: int) -> int:
    """Move from the white space or the dash at the start of a line to what stands behind it."""
    start, end = line_start(text, at), line_end(text, at)
    before = len(text[start:end]) - len(text[start:end].lstrip(" -"))
    return max(at, start + before) if start + before < end else at


def _with_case(place: RefactorPlace, root: Node, version: YamlVersion) -> RefactorPlace:
    for case in cases_of(place.chunk, root)[1]:
        if isinstance(case, Mapping) and case.origin is None and place.holds(case.span, flow=case.flow):
            return place._replace(case=CaseView(case, version))
    return place


def _with_criteria(place: RefactorPlace, version: YamlVersion) -> RefactorPlace:
    for criteria in _all_criteria(place, version):
        if criteria.pair.key.origin is None and place.holds(criteria.pair.span, flow=criteria.owner.flow):
            return _with_criterion(place._replace(criteria=criteria), criteria)
    return place


def _all_criteria(place: RefactorPlace, version: YamlVersion) -> Iterator[CriteriaView]:
    """Give the lists of criteria of the case or, outside of the cases, of the suite's evaluators."""
    root = place.root
    if place.case is not None:
        yield from place.case.all_criteria()
    elif isinstance(root, Mapping) and place.chunk.kind not in _IN_LISTS:
        for evaluators in read_evaluators(root, version):
            yield from (each.criteria for each in evaluators.evaluators if each.criteria is not None)


def _with_criterion(place: RefactorPlace, criteria: CriteriaView) -> RefactorPlace:
    flow = getattr(criteria.node, "flow", False)
    for criterion in criteria.readable:
        if criterion.node.origin is None and place.holds(criterion.node.span, flow=flow):
            return _with_bands(place._replace(criterion=criterion), criterion)
    return place


def _with_bands(place: RefactorPlace, criterion: CriterionView) -> RefactorPlace:
    bands, fields = criterion.bands, criterion.fields
    if bands is None or fields is None or bands.pair.key.origin or bands.node.origin:
        return place
    if not place.holds(bands.pair.span, flow=fields.flow):
        return place
    flow = getattr(bands.node, "flow", False)
    within = (band for band in bands.bands if place.holds(band.whole.span, flow=flow))
    return place._replace(bands=bands, band=next(within, None))
