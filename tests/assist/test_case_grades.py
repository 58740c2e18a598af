"""The results of the last grading, at their places in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from assistance import finished
from hypothesis import given
from hypothesis import strategies as st
from shown_grades import graded, opened
from yaml_texts import mangled

from rubric_core.assist.case_grades import (
    CaseGrade,
    CriterionKey,
    case_at,
    criterion_at,
    current_grades,
    describe_grades_at,
    first_line,
    place_of_case,
)
from rubric_core.assist.hints import HintKind, hints
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis

TEXT = """\
shared: &s
  - It is polite
evalcases:
  - id: a
    expected_outcome: b
    input: c
    rubrics:
      - It greets
      - id: tone
        expected_outcome: Friendly
    execution:
      evaluators:
        - {name: style, type: llm_judge, rubrics: [{id: short, expected_outcome: It is short}]}
        - {name: manners, type: llm_judge, rubrics: *s}
  - {id: b, expected_outcome: b, input: c, rubrics: [It greets]}
"""


def shown(analysis: Analysis, grade: CaseGrade) -> dict[str, str]:
    """Return the text under each criterion whose grade is still current."""
    place = place_of_case(analysis, grade.case_id)
    text = analysis.document.text
    found = current_grades(place, [grade]) if place is not None else []
    return {each.key.id: text[span.start : span.end].strip() for span, said in found for _, each in said}


def test_every_criterion_that_is_written_in_the_case_has_its_place() -> None:
    """What an alias repeats is written elsewhere, for others too."""
    place = place_of_case(opened(TEXT), "a")
    assert place is not None
    assert list(place.criteria) == [
        CriterionKey("rubric", "rubric-1"),
        CriterionKey("rubric", "tone"),
        CriterionKey("style", "short"),
    ]


@pytest.mark.parametrize(
    ("at", "inserted", "gone"),
    [
        ("It greets\n      - id", "Well: ", {"rubric-1"}),
        ("Friendly", "Very ", {"tone"}),
        ("evalcases", "# more\n", set()),
        ("  - {id: b", "  - {id: between, expected_outcome: b, input: c}\n", set()),
        ("expected_outcome: b\n    input", "note: x\n    ", set()),
        ("id: a", "{", {"rubric-1", "tone", "short"}),
    ],
)
def test_a_grade_is_valid_until_the_text_of_its_criterion_changes(at: str, inserted: str, gone: set[str]) -> None:
    """However much is typed elsewhere."""
    analysis = opened(TEXT)
    grade = graded(analysis)
    before = shown(analysis, grade)
    place = TEXT.index(at)
    analysis.edit([Edit(place, place, inserted)])
    analysis.refresh()
    assert shown(analysis, grade) == {name: text for name, text in before.items() if name not in gone}


@pytest.mark.parametrize(
    ("at", "case_id", "criterion"),
    [
        ("evalcases", None, None),
        ("id: a", "a", None),
        ("It greets\n", "a", "rubric-1"),
        ("Friendly", "a", "tone"),
        ("It is short", "a", "short"),
        ("id: b,", "b", None),
    ],
)
def test_the_case_and_the_criterion_at_a_place(at: str, case_id: str | None, criterion: str | None) -> None:
    """The one that the cursor is in."""
    offset = TEXT.index(at) + 1
    place = case_at(opened(TEXT), offset)
    assert (place.case_id if place is not None else None) == case_id
    found = criterion_at(place, offset) if place is not None else None
    assert (found.id if found is not None else None) == criterion


def test_words_about_a_case_and_about_its_criteria() -> None:
    """On the id the verdict, on a criterion what was said of it, elsewhere nothing."""
    analysis = opened(TEXT)
    grade = graded(analysis)._replace(error="It broke.", when="2026-11-16T09:25:00+00:00")
    place = place_of_case(analysis, "a")
    assert place is not None
    assert describe_grades_at(place, [grade], TEXT.index("id: a") + 4) == [
        "Last graded: fail 0, 2026-11-16 09:25.",
        "It broke.",
    ]
    assert describe_grades_at(place, [grade], TEXT.index("It greets")) == ["Last graded: not met.", "Why."]
    assert describe_grades_at(place, [grade], TEXT.index("input: c")) == []


def test_hints_are_at_the_end_of_the_first_line_of_a_criterion() -> None:
    """With the reason in the tooltip; those of the other case are not there."""
    analysis = opened(TEXT)
    found = finished(hints(analysis, Span(0, len(TEXT)), {HintKind.GRADE}, {"a": (graded(analysis),)}))
    assert [TEXT[: hint.offset].rpartition("\n")[2].strip() for hint in found] == [
        "- It greets",
        "- id: tone",
        "- {name: style, type: llm_judge, rubrics: [{id: short, expected_outcome: It is short}",
    ]
    assert found[0].tooltip == "Last judgement: not met. Why."


def test_a_finding_is_on_the_first_line_of_a_criterion() -> None:
    """A mark under all lines of a criterion would drown the text; without the line's end it does not look past it."""
    analysis = opened(TEXT.replace("id: tone", "id: tone  "))
    place = place_of_case(analysis, "a")
    assert place is not None
    text = analysis.document.text
    spans = [first_line(span, text) for span, _ in current_grades(place, [graded(analysis)])]
    assert [text[span.start : span.end] for span in spans] == [
        "It greets",
        "id: tone",
        "{id: short, expected_outcome: It is short}",
    ]


@given(mangled(), st.integers(0, 400))
def test_no_text_and_no_place_raises(text: str, offset: int) -> None:
    """Grades of any file fit any other, or nothing."""
    analysis = opened(text)
    case_at(analysis, min(offset, len(text)))
    grade = graded(opened(TEXT))
    place = place_of_case(analysis, "a")
    if place is not None:
        current_grades(place, [grade])
        describe_grades_at(place, [grade], offset)
