"""What the last grading said, at the places in the text that it spoke of.

A finding stands at its criterion for as long as the criterion's text is the one that was graded. Nothing here knows how
grading is done: whoever grades hands over what came of it.
"""

from __future__ import annotations

import collections.abc
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, ChunkView
from rubric_core.assist.cursor import cursor_at
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.spans import Span

PARTIAL = "partial"
"""The state of a case of which only some criteria were graded."""


class CriterionKey(NamedTuple):
    """How results name a criterion within its case."""

    evaluator: str
    id: str


class CriterionGrade(NamedTuple):
    """What a judge said of a criterion: in a few words, and with its reason. `text` is what was graded."""

    key: CriterionKey
    said: str
    is_met: bool
    gate_failed: bool
    reasoning: str
    text: str


class CaseGrade(NamedTuple):
    """What the last grading said of a case: one word, the score and the letter grade where there are any.

    The word is `partial` where the case was never graded as a whole.
    """

    case_id: str
    state: str
    score: str = ""
    grade: str = ""
    error: str = ""
    when: str = ""
    criteria: tuple[CriterionGrade, ...] = ()


Grades = collections.abc.Mapping[str, CaseGrade]
"""What was graded last in the file, by case id."""


class CriterionPlace(NamedTuple):
    """Where a criterion stands, and its text as it is written there."""

    span: Span
    text: str


class CasePlace(NamedTuple):
    """Where a case stands: its id, all of it, and its criteria by the names that results have for them.

    `has_criteria` tells whether it has any, also such as an alias repeats and that have no place of their own.
    """

    case_id: str
    id_span: Span
    span: Span
    criteria: collections.abc.Mapping[CriterionKey, CriterionPlace]
    has_criteria: bool = True

    def shifted(self, by: int) -> CasePlace:
        """Return the same case in a text that has `by` more code points in front."""
        moved = {key: each._replace(span=each.span.shifted(by)) for key, each in self.criteria.items()}
        return self._replace(id_span=self.id_span.shifted(by), span=self.span.shifted(by), criteria=moved)


def _places_in_chunk(view: ChunkView) -> tuple[CasePlace, ...]:
    """Return the cases of a chunk. What an alias repeats has no place of its own, and is left out."""
    found: list[CasePlace] = []
    text = view.chunk.text
    for case in view.cases():
        name = case.identifier
        if case.node.origin is not None or name is None:
            continue
        evaluators = case.evaluators[0].evaluators if case.evaluators else []
        lists = [(INLINE_NAME, case.criteria)]
        lists += [(each.name.value, each.criteria) for each in evaluators if each.name is not None]
        criteria = {
            CriterionKey(evaluator, each.identifier): CriterionPlace(
                each.node.span, text[each.node.start : each.node.end].rstrip()
            )
            for evaluator, criteria_view in lists
            if criteria_view is not None and criteria_view.pair.key.origin is None and criteria_view.node.origin is None
            for each in criteria_view.readable
            if each.node.origin is None
        }
        has_criteria = any(each.criteria for each in case.all_criteria())
        found.append(CasePlace(name.value, name.span, case.node.span, criteria, has_criteria))
    return tuple(found)


_places = ByTree(_places_in_chunk)


def places_at(analysis: Analysis, index: int) -> tuple[CasePlace, ...]:
    """Return the cases of a chunk, with spans that count from its start."""
    return _places.of(analysis, index)


def places_before(analysis: Analysis, chunk: Chunk, case_id: str) -> tuple[CasePlace, ...]:
    """Return the cases of a chunk that was part of the text once, as it was; `case_id` is one that is still there."""
    document = analysis.document
    if chunk in document.indices:
        return places_at(analysis, document.indices[chunk])
    for placed in analysis.facts.places_of_id(case_id)[:1]:
        tree, version = document.parse_as(chunk, placed.chunk), document.version(placed.chunk)
        return _places_in_chunk(ChunkView(chunk, tree, version, analysis.facts.dialect))
    return ()


def place_of_case(analysis: Analysis, case_id: str) -> CasePlace | None:
    """Return where a case stands in the whole text; None where no case that has been read has that id."""
    document = analysis.document
    for placed in analysis.facts.places_of_id(case_id):
        index = document.index_of(placed.chunk)
        for place in places_at(analysis, index):
            if place.case_id == case_id:
                return place.shifted(document.start_of(index))
    return None


def case_at(analysis: Analysis, offset: int) -> CasePlace | None:
    """Return the case that an offset stands in."""
    cursor = cursor_at(analysis, offset)
    if cursor is None:
        return None
    inside = (place for place in places_at(analysis, cursor.index) if place.span.start <= cursor.at)
    last = max(inside, key=lambda place: place.span.start, default=None)
    return None if last is None else last.shifted(cursor.base)


def criterion_at(place: CasePlace, offset: int) -> CriterionKey | None:
    """Return the criterion of a case that an offset stands in."""
    return next((key for key, each in place.criteria.items() if each.span.start <= offset <= each.span.end), None)


def standing(place: CasePlace, grade: CaseGrade) -> list[tuple[Span, CriterionGrade]]:
    """Return what was said of the criteria of a case that still have the text that was graded, and where they stand."""
    found = ((place.criteria.get(each.key), each) for each in grade.criteria)
    return [(now.span, each) for now, each in found if now is not None and now.text == each.text]


def with_criteria(known: CaseGrade | None, part: CaseGrade) -> CaseGrade:
    """Return what is known of a case, with what was said of some criteria since; the case itself is as it was."""
    known = known or CaseGrade(part.case_id, state=PARTIAL, when=part.when)
    criteria = {each.key: each for each in (*known.criteria, *part.criteria)}
    return known._replace(criteria=tuple(criteria.values()))


def in_short(grade: CaseGrade) -> str:
    """Return the verdict of a case with its score, its letter and its time: `fail 0.45, B, 2026-11-16 09:25`."""
    parts = [f"{grade.state} {grade.score}".strip(), grade.grade, grade.when[:16].replace("T", " ")]
    return ", ".join(part for part in parts if part)


def grade_words(place: CasePlace, grade: CaseGrade, offset: int) -> list[str]:
    """Return what the last grading said of the id or the criterion at an offset, as sentences; nothing elsewhere."""
    if place.id_span.start <= offset <= place.id_span.end:
        return [] if not grade.state else [f"Last graded: {in_short(grade)}.", *([grade.error] if grade.error else [])]
    for span, each in standing(place, grade):
        if span.start <= offset <= span.end:
            gate = " The gate failed." if each.gate_failed else ""
            return [f"Last graded: {each.said}.{gate}", *([each.reasoning] if each.reasoning else [])]
    return []


def first_line(span: Span, text: str) -> Span:
    """Return the first line of a criterion: where a finding stands, since all of its lines would drown the text."""
    line, _, _ = text[span.start : span.end].partition("\n")
    return Span(span.start, span.start + len(line.rstrip()))
