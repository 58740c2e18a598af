"""The tests of a file as they are graded: one entry for each case, with the place of the test that it is made of."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import own_chunks, read_all
from rubric_core.assist.case_grades import CasePlace, places_at
from rubric_core.model.suite import Suite
from rubric_core.text.spans import Span


class ListedTest(NamedTuple):
    """A case: its id, that of its test, and the spans of both; a case of another file is at the name of that file."""

    case_id: str
    test_id: str
    span: Span
    id_span: Span


def places_of_tests(analysis: Analysis) -> Generator[None, None, list[CasePlace]]:
    """Return the places of the tests of an open file, in the order of the text."""
    if not (yield from read_all(analysis)):
        return []
    places: list[CasePlace] = []
    for index, _ in own_chunks(analysis):
        start = analysis.document.start_of(index)
        places += [place.shifted(start) for place in places_at(analysis, index)]
        yield
    return places


def is_expanded(analysis: Analysis) -> bool:
    """Return whether the cases of a file may be others than the tests that are in it."""
    in_other_files = any(outline.vars is None for outline in analysis.facts.by_chunk.values())
    # A test is run with each prompt, and with each value of a list in its variables.
    return in_other_files or "prompt" in analysis.facts.dialect.records


def listed_places(places: Iterable[CasePlace]) -> list[ListedTest]:
    """Return the tests of a file whose cases are the tests that are in it; of equal ids the first counts."""
    first: dict[str, ListedTest] = {}
    for place in places:
        first.setdefault(place.case_id, ListedTest(place.case_id, place.case_id, place.span, place.id_span))
    return list(first.values())


def listed_cases(suites: Iterable[Suite], places: Iterable[CasePlace]) -> list[ListedTest]:
    """Return the cases of a file in the order in which they are graded; of equal ids the first counts."""
    id_spans = {place.span.start: place.id_span for place in places}
    first: dict[str, ListedTest] = {}
    for suite in suites:
        for index, case in enumerate(suite.cases):
            span = suite.span_of("cases", index) or Span(0, 0)
            listed = ListedTest(case.id, case.test_id, span, id_spans.get(span.start, span))
            first.setdefault(case.id, listed)
    return list(first.values())
