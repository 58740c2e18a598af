"""The results of the last grading at their places in the text, as long as the text of a criterion is unchanged."""

from __future__ import annotations

import collections.abc
import itertools
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import cases_of, scenarios_of
from rubric_core.assist.by_chunk import ByTree, ChunkView
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.names.occurrences import nodes_at
from rubric_core.dialects.parts import EVALUATOR_LISTS
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.judging_parts import parts_of_case, parts_of_list
from rubric_core.views.test_names import has_ids, test_names

PARTIAL = "partial"
"""The state of a case of which only some criteria were graded."""


class CriterionKey(NamedTuple):
    """The identity of a criterion within its case, as in results."""

    evaluator: str
    id: str


class CriterionGrade(NamedTuple):
    """The judgement of a criterion: `said` is its short form, `text` the text that was graded."""

    key: CriterionKey
    said: str
    is_met: bool
    gate_failed: bool
    reasoning: str
    text: str


class CaseGrade(NamedTuple):
    """The last grade of a case: one word, the score and the letter grade if there are any.

    The word is `partial` if the case was never graded as a whole. `copy_of` is the id in the text, if that of the case
    is another one: prompts, lists and scenarios make several cases of one test.
    """

    case_id: str
    state: str
    score: str = ""
    grade: str = ""
    error: str = ""
    when: str = ""
    criteria: tuple[CriterionGrade, ...] = ()
    copy_of: str = ""

    @property
    def test_id(self) -> str:
        """Return the id in the text."""
        return self.copy_of or self.case_id


Grades = collections.abc.Mapping[str, tuple[CaseGrade, ...]]
"""What was graded last in the file, by the ids that the text has: a grade for each case that a test is."""


class CriterionPlace(NamedTuple):
    """Where a criterion is, and its text as it is written there."""

    span: Span
    text: str


class CasePlace(NamedTuple):
    """Where a case is: its id, all of it, and its criteria by the names that results have for them.

    Where tests have no ids, `case_id` is empty until `all_places` names them, and `id_span` is that of the description
    or of the first key. `has_criteria` states whether it has any, also such as an alias repeats and that have no place
    of their own.
    """

    case_id: str
    id_span: Span
    span: Span
    criteria: collections.abc.Mapping[CriterionKey, CriterionPlace]
    has_criteria: bool = True

    def shifted(self, by: int) -> CasePlace:
        """Return the same case in a text that has `by` more code points in front."""
        moved = {key: place._replace(span=place.span.shifted(by)) for key, place in self.criteria.items()}
        return self._replace(id_span=self.id_span.shifted(by), span=self.span.shifted(by), criteria=moved)


def _places_in_chunk(view: ChunkView) -> tuple[CasePlace, ...]:
    """Return the cases of a chunk. What an alias repeats has no place of its own, and is left out."""
    places: list[CasePlace] = []
    text = view.chunk.text
    for case in view.cases():
        name = case.identifier if has_ids(view.dialect) else _described(case)
        if case.node.origin is not None or name is None:
            continue
        criteria = {
            CriterionKey(evaluator, criterion.identifier): CriterionPlace(
                criterion.node.span, text[criterion.node.start : criterion.node.end].rstrip()
            )
            for evaluator, criteria_view in _named_criteria(case)
            if criteria_view.pair.key.origin is None and criteria_view.node.origin is None
            for criterion in criteria_view.readable
            if criterion.node.origin is None
        }
        has_criteria = any(view.criteria for view in case.all_criteria())
        case_id = name.value if has_ids(view.dialect) else ""
        places.append(CasePlace(case_id, name.span, case.node.span, criteria, has_criteria))
    return tuple(places)


def _described(case: CaseView) -> Scalar | None:
    """Return what a test without an id is shown at: its description, or its first key."""
    keys = (pair.key for pair in case.node.pairs if isinstance(pair.key, Scalar))
    return next(itertools.chain(nodes_at(case.node, ("description",)), keys), None)


def _listed_in_chunk(view: ChunkView) -> tuple[tuple[int, str | None] | None, ...]:
    """Return start and description of each test in the lists of a chunk; None for a file, which may have many."""
    chunk, root = view.chunk, view.tree.root
    lists = [scenario.get(key) for scenario in scenarios_of(chunk, root) for key in view.dialect.case_lists]
    in_scenarios = {case.span for tests in lists if isinstance(tests, Sequence) for case in tests.items}
    nodes = [node for node in cases_of(chunk, root)[1] if node.span not in in_scenarios]
    described = [node.get("description") if isinstance(node, Mapping) else None for node in nodes]
    return tuple(
        (node.span.start, text.value if isinstance(text, Scalar) else None)
        if not isinstance(node, Scalar) or is_blank(node)
        else None
        for node, text in zip(nodes, described, strict=True)
    )


_listed = ByTree(_listed_in_chunk)


def _named_criteria(case: CaseView) -> collections.abc.Iterator[tuple[str, CriteriaView]]:
    """Yield the lists of criteria of a case, each with the name that results have for its evaluator."""
    members = {id(member.composite.node): member for member in case.evaluators if member.composite is not None}
    waiting = parts_of_case(case)[::-1]
    lists, taken = EVALUATOR_LISTS.of(case.dialect), set[str]()
    while waiting:
        part = waiting.pop().what
        criteria = part if isinstance(part, CriteriaView) else part.criteria
        unnamed = name = INLINE_NAME
        if isinstance(part, EvaluatorView):
            unnamed = part.kind or ""
            name = unnamed if part.name is None else part.name.value
            if id(part.node) in members:
                # The members of a set are counted behind it.
                waiting += parts_of_list(members[id(part.node)], case.version)[::-1]
        name = lists.name(name, unnamed, taken)
        if criteria is not None:
            yield name, criteria


places_at = ByTree(_places_in_chunk).of
"""Return the cases of a chunk, with spans that count from its start."""


def places_before(analysis: Analysis, chunk: Chunk, case_id: str) -> tuple[CasePlace, ...]:
    """Return the cases of a chunk that was part of the text once, as it was; `case_id` is one that is still there."""
    document = analysis.document
    if chunk in document.indices:
        return places_at(analysis, document.indices[chunk])
    for placed in analysis.facts.places_of_id(case_id)[:1]:
        tree, version = document.parse_as(chunk, placed.chunk), document.version(placed.chunk)
        return _places_in_chunk(ChunkView(chunk, tree, version, analysis.facts.dialect))
    return ()


def all_places(analysis: Analysis) -> list[CasePlace]:
    """Return the cases of all that has been read of a text, with the names of tests that have no ids.

    What is behind a file with tests keeps an empty name, and so do the tests of scenarios.
    """
    document = analysis.document
    owned = [index for index, chunk in enumerate(document.chunks) if analysis.owns(chunk)]
    starts = {index: document.start_of(index) for index in owned}
    places = [place.shifted(starts[index]) for index in owned for place in places_at(analysis, index)]
    if has_ids(analysis.facts.dialect):
        return places
    listed = [row and (row[0] + starts[index], row[1]) for index in owned for row in _listed.of(analysis, index)]
    defined = list(itertools.takewhile(lambda row: row is not None, listed))
    tests = [row for row in defined if row is not None]
    names = dict(zip((start for start, _ in tests), test_names(("", text) for _, text in tests), strict=True))
    return [place._replace(case_id=names.get(place.span.start, "")) for place in places]


def place_of_case(analysis: Analysis, case_id: str) -> CasePlace | None:
    """Return where a case is in the whole text; None where no case that has been read has that id."""
    if not has_ids(analysis.facts.dialect):
        return next((place for place in all_places(analysis) if place.case_id == case_id), None)
    document = analysis.document
    for placed in analysis.facts.places_of_id(case_id):
        index = document.index_of(placed.chunk)
        for place in places_at(analysis, index):
            if place.case_id == case_id:
                return place.shifted(document.start_of(index))
    return None


def case_at(analysis: Analysis, offset: int) -> CasePlace | None:
    """Return the case at an offset."""
    cursor = cursor_at(analysis, offset)
    if cursor is None:
        return None
    inside = (place for place in places_at(analysis, cursor.index) if place.span.start <= cursor.at)
    last = max(inside, key=lambda place: place.span.start, default=None)
    if last is None or has_ids(analysis.facts.dialect):
        return None if last is None else last.shifted(cursor.base)
    start = last.span.start + cursor.base
    return next((place for place in all_places(analysis) if place.span.start == start), None)


def criterion_at(place: CasePlace, offset: int) -> CriterionKey | None:
    """Return the criterion of a case at an offset."""
    return next((key for key, row in place.criteria.items() if row.span.start <= offset <= row.span.end), None)


class CurrentGrade(NamedTuple):
    """The judgements of a criterion whose text has not changed since it was graded, by case, and its span."""

    span: Span
    grades: tuple[tuple[CaseGrade, CriterionGrade], ...]

    @property
    def label(self) -> str:
        """Return the short form of the judgement; where several cases differ, that of each."""
        return " / ".join(dict.fromkeys(judged.said for _, judged in self.grades))

    @property
    def sentences(self) -> list[str]:
        """Return the reasons, each with its case where there are several."""
        if len(self.grades) == 1:
            return [judged.reasoning for _, judged in self.grades if judged.reasoning]
        return [f"{grade.case_id}: {judged.said}. {judged.reasoning}".rstrip() for grade, judged in self.grades]


def current_grades(place: CasePlace, grades: collections.abc.Sequence[CaseGrade]) -> list[CurrentGrade]:
    """Return the judgements of the criteria whose text has not changed since they were graded."""
    by_span: dict[Span, list[tuple[CaseGrade, CriterionGrade]]] = {}
    for grade in grades:
        for criterion in grade.criteria:
            now = place.criteria.get(criterion.key)
            if now is not None and now.text == criterion.text:
                by_span.setdefault(now.span, []).append((grade, criterion))
    return [CurrentGrade(span, tuple(judged)) for span, judged in by_span.items()]


def with_criteria(previous: CaseGrade | None, part: CaseGrade) -> CaseGrade:
    """Return the grade of a case, updated with newer judgements of some of its criteria."""
    previous = previous or CaseGrade(part.case_id, state=PARTIAL, when=part.when)
    criteria = {criterion.key: criterion for criterion in (*previous.criteria, *part.criteria)}
    return previous._replace(criteria=tuple(criteria.values()))


def in_short(grades: collections.abc.Sequence[CaseGrade]) -> str:
    """Return the verdict of a case with its score, its letter and its time: `fail 0.45, B, 2026-11-16 09:25`.

    Of several cases, return how many pass: `2 of 3 pass, 2026-11-16 09:25`. It is empty where none was graded.
    """
    graded = [grade for grade in grades if grade.state]
    if not graded:
        return ""
    when = max(grade.when for grade in graded)[:16].replace("T", " ")
    if len(graded) == 1:
        parts = [f"{graded[0].state} {graded[0].score}".strip(), graded[0].grade, when]
    else:
        parts = [f"{sum(grade.state == 'pass' for grade in graded)} of {len(graded)} pass", when]
    return ", ".join(part for part in parts if part)


def describe_grades_at(place: CasePlace, grades: collections.abc.Sequence[CaseGrade], offset: int) -> list[str]:
    """Return sentences about the last grade of the id or the criterion at an offset; none elsewhere."""
    if place.id_span.start <= offset <= place.id_span.end:
        paragraphs: list[str] = []
        for grade in (grade for grade in grades if grade.state):
            which = f" {grade.case_id}" if len(grades) > 1 else ""
            paragraphs += [f"Last graded{which}: {in_short([grade])}.", *([grade.error] if grade.error else [])]
        return paragraphs
    for judged in current_grades(place, grades):
        if judged.span.start <= offset <= judged.span.end:
            gate = " The gate failed." if any(grade.gate_failed for _, grade in judged.grades) else ""
            return [f"Last graded: {judged.label}.{gate}", *judged.sentences]
    return []


def first_line(span: Span, text: str) -> Span:
    """Return the first line of a criterion: where a finding is, since all of its lines would drown the text."""
    line, _, _ = text[span.start : span.end].partition("\n")
    return Span(span.start, span.start + len(line.rstrip()))
