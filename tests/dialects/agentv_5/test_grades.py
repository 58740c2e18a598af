"""Grades in the editor of a test of AgentV 5 that is several cases."""

from __future__ import annotations

from assistance import finished
from shown_grades import graded, opened

from rubric_core.assist.case_grades import (
    CriterionKey,
    describe_grades_at,
    in_short,
    place_of_case,
)
from rubric_core.assist.hints import HintKind, hints
from rubric_core.model.evaluators import LlmJudge, with_members
from rubric_core.model.load import load_text
from rubric_core.text.spans import Span

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


def test_a_test_that_is_several_cases_shows_all_of_them() -> None:
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
