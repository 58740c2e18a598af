"""The results of the last grading, at their places in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps import finished
from yaml_texts import mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.case_grades import (
    CaseGrade,
    CriterionGrade,
    CriterionKey,
    case_at,
    criterion_at,
    current_grades,
    describe_grades_at,
    first_line,
    in_short,
    place_of_case,
)
from rubric_core.assist.hints import HintKind, hints
from rubric_core.model.evaluators import LlmJudge, with_members
from rubric_core.model.load import load_text
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


def opened(text: str = TEXT) -> Analysis:
    """Return a file that has been read."""
    analysis = analyse(text, path="a.eval.yaml")
    analysis.refresh()
    return analysis


def graded(analysis: Analysis, case_id: str = "a") -> CaseGrade:
    """Return a grade of a case as it stands now, in which nothing was met."""
    place = place_of_case(analysis, case_id)
    assert place is not None
    criteria = [
        CriterionGrade(key, "not met", is_met=False, gate_failed=False, reasoning="Why.", text=each.text)
        for key, each in place.criteria.items()
    ]
    return CaseGrade(case_id, "fail", "0", criteria=tuple(criteria))


def shown(analysis: Analysis, grade: CaseGrade) -> dict[str, str]:
    """Return the text under each criterion whose grade still stands."""
    place = place_of_case(analysis, grade.case_id)
    text = analysis.document.text
    found = current_grades(place, [grade]) if place is not None else []
    return {each.key.id: text[span.start : span.end].strip() for span, said in found for _, each in said}


def test_every_criterion_that_is_written_in_the_case_has_its_place() -> None:
    """What an alias repeats is written elsewhere, for others too."""
    place = place_of_case(opened(), "a")
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
def test_a_grade_stands_until_the_text_of_its_criterion_changes(at: str, inserted: str, gone: set[str]) -> None:
    """However much is typed elsewhere."""
    analysis = opened()
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
    """The one that the cursor stands in."""
    offset = TEXT.index(at) + 1
    place = case_at(opened(), offset)
    assert (place.case_id if place is not None else None) == case_id
    found = criterion_at(place, offset) if place is not None else None
    assert (found.id if found is not None else None) == criterion


def test_words_about_a_case_and_about_its_criteria() -> None:
    """On the id the verdict, on a criterion what was said of it, elsewhere nothing."""
    analysis = opened()
    grade = graded(analysis)._replace(error="It broke.", when="2026-11-16T09:25:00+00:00")
    place = place_of_case(analysis, "a")
    assert place is not None
    assert describe_grades_at(place, [grade], TEXT.index("id: a") + 4) == [
        "Last graded: fail 0, 2026-11-16 09:25.",
        "It broke.",
    ]
    assert describe_grades_at(place, [grade], TEXT.index("It greets")) == ["Last graded: not met.", "Why."]
    assert describe_grades_at(place, [grade], TEXT.index("input: c")) == []


def test_hints_stand_at_the_end_of_the_first_line_of_a_criterion() -> None:
    """With the reason in the tooltip; those of the other case are not there."""
    analysis = opened()
    found = finished(hints(analysis, Span(0, len(TEXT)), {HintKind.GRADE}, {"a": (graded(analysis),)}))
    assert [TEXT[: hint.offset].rpartition("\n")[2].strip() for hint in found] == [
        "- It greets",
        "- id: tone",
        "- {name: style, type: llm_judge, rubrics: [{id: short, expected_outcome: It is short}",
    ]
    assert found[0].tooltip == "Last judgement: not met. Why."


def test_a_finding_stands_on_the_first_line_of_a_criterion() -> None:
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


LATER = """\
prompts: ["{{ q }}", "Briefly: {{ q }}"]
tests:
  - id: a
    vars: {q: b}
    assert:
      - It greets
      - type: llm-rubric
        value: [{id: tone, outcome: Friendly}]
      - {type: contains, value: x}
      - It is short
      - type: llm-rubric
        value:
          - id: long
            outcome: Long
      - {type: llm-rubric, metric: style, value: [{outcome: Plain}]}
      - {type: llm-rubric, metric: style, value: [{id: other, outcome: Other}]}
      - type: assert-set
        assert:
          - Polite
          - {type: llm-rubric, value: [{id: inner, outcome: Inner}]}
          - {type: assert-set, assert: [{type: llm-rubric, metric: deep, value: [{outcome: Deep}]}]}
      - {type: llm-rubric, value: [{id: last, outcome: Last}]}
"""


def test_criteria_of_assertions_have_the_names_that_results_have() -> None:
    """The strings of a list are one rubric; what nobody named has the name of its type, and a number if there are more.

    The model of the case has the same names.
    """
    place = place_of_case(opened(LATER), "a")
    assert place is not None
    assert list(place.criteria) == [
        CriterionKey("rubric", "rubric-1"),
        CriterionKey("rubric", "rubric-2"),
        CriterionKey("llm-rubric", "tone"),
        CriterionKey("llm-rubric-2", "long"),
        CriterionKey("style", "rubric-1"),
        CriterionKey("style", "other"),
        CriterionKey("rubric-2", "rubric-1"),
        CriterionKey("llm-rubric-3", "inner"),
        CriterionKey("deep", "rubric-1"),
        CriterionKey("llm-rubric-4", "last"),
    ]
    (suite,) = load_text(LATER, "a.eval.yaml")
    judges = [each for each in with_members(suite.cases[0].evaluators, {"assert-set"}) if isinstance(each, LlmJudge)]
    assert list(place.criteria) == [CriterionKey(each.name, one.id) for each in judges for one in each.criteria or ()]


def test_a_test_that_is_several_cases_tells_all_of_them() -> None:
    """Where they differ, both are said, and each reason has its case."""
    analysis = opened(LATER)
    place = place_of_case(analysis, "a")
    assert place is not None
    second = graded(analysis)._replace(case_id="a-2", copy_of="a")
    good = tuple(each._replace(said="met", is_met=True, reasoning="") for each in second.criteria)
    grades = [graded(analysis)._replace(case_id="a-1", copy_of="a"), second._replace(state="pass", criteria=good)]
    assert describe_grades_at(place, grades, LATER.index("id: a") + 4) == [
        "Last graded a-1: fail 0.",
        "Last graded a-2: pass 0.",
    ]
    said = ["a-1: not met. Why.", "a-2: met."]
    assert describe_grades_at(place, grades, LATER.index("It greets")) == ["Last graded: not met / met.", *said]
    assert in_short(grades) == "1 of 2 pass"
    found = finished(hints(analysis, Span(0, len(LATER)), {HintKind.GRADE}, {"a": tuple(grades)}))
    assert (found[0].label, found[0].detail) == ("not met / met", " ".join(said))


@given(mangled(), st.integers(0, 400))
def test_no_text_and_no_place_raises(text: str, offset: int) -> None:
    """Grades of any file fit any other, or nothing."""
    analysis = opened(text)
    case_at(analysis, min(offset, len(text)))
    grade = graded(opened())
    place = place_of_case(analysis, "a")
    if place is not None:
        current_grades(place, [grade])
        describe_grades_at(place, [grade], offset)
