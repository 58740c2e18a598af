"""Results of AgentV 4 and 5 in every format: members of sets, gates of assertions, and what AgentV would say."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from sample_results import PASSED

from rubric_core.grading.results import CaseResult, EvaluatorResult, Upstream
from rubric_core.report.families.compared import compare_results
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore

TONE = CriterionScore("tone", "checklist", Decimal(1), Fraction(0), satisfied=False, gate="failed", outcome="Friendly")
SET = EvaluatorResult(
    "release",
    "assert-set",
    Decimal(3),
    "graded",
    Fraction(1, 2),
    Verdict.FAIL,
    hits=("It has 12 words",),
    members=(
        EvaluatorResult("quality", "llm-rubric", Decimal(1), "graded", Fraction(0), Verdict.FAIL, (TONE,)),
        EvaluatorResult("short", "script", Decimal(1), "graded", Fraction(1), Verdict.PASS, hits=("It has 12 words",)),
        EvaluatorResult("path", "trajectory:step-count", Decimal(1), "not run", error="It is not run."),
    ),
    minimum=Decimal("0.80"),
)
CONTAINS = EvaluatorResult(
    "contains", "contains", Decimal(1), "graded", Fraction(1), Verdict.PASS, hits=("no apology",), negated=True
)
RESULT = CaseResult(
    "greet",
    file="greetings.eval.yaml",
    score=Fraction(0),
    verdict=Verdict.FAIL,
    evaluators=(SET, CONTAINS),
    upstream=Upstream(Decimal("0.7999999999999999"), Verdict.FAIL),
    dialect="agentv-5",
)
WORDS = "AgentV: 0.7999999999999999, fail"


@pytest.mark.parametrize("name", ["text", "markdown", "html", "junit"])
def test_every_format_for_people_shows_what_agentv_would_say(name: str) -> None:
    """Also of a case that passes here."""
    assert WORDS in RESULT_FORMATS[name].render([RESULT, PASSED])
    assert "AgentV:" not in RESULT_FORMATS[name].render([PASSED])


def test_a_case_that_passes_here_alone_says_so_in_its_line() -> None:
    """Whoever reads a list of passes sees it."""
    passed = CaseResult(
        "greet", score=Fraction(4, 5), verdict=Verdict.PASS, upstream=RESULT.upstream, dialect="agentv-4"
    )
    assert RESULT_FORMATS["text"].render([passed, PASSED]).splitlines()[0].endswith(WORDS)


def test_a_dialect_that_nobody_knows_is_no_trouble() -> None:
    """A later release may have written the file."""
    unknown = CaseResult("a", score=Fraction(1), verdict=Verdict.PASS, upstream=RESULT.upstream, dialect="agentv-9")
    assert WORDS in RESULT_FORMATS["text"].render([unknown])


@pytest.mark.parametrize("name", ["text", "markdown", "html", "junit"])
def test_the_members_of_a_set_follow_it(name: str) -> None:
    """With the name of the set before their own, and what each found, once."""
    report = RESULT_FORMATS[name].render([RESULT])
    places = [report.index(each) for each in ("release / quality", "release / short", "release / path")]
    assert places == sorted(places)
    assert report.count("It has 12 words") == (0 if name == "junit" else 1)
    assert "tone" in report


def test_the_gate_of_an_assertion_is_reported() -> None:
    """In the line of the case, and beside the assertion."""
    lines = RESULT_FORMATS["text"].render([RESULT]).splitlines()
    assert "gate failed: tone  below its minimum: release" in lines[0]
    assert "    assert-set · 0.5 · weight 3 (75 %) · gate failed, needs 0.8" in lines
    assert "    1 · weight 1 (25 %) · negated" in lines
    assert "    llm-rubric · 0 · weight 1 (50 %)" in lines


@pytest.mark.parametrize("name", ["text", "markdown", "html", "junit"])
def test_a_score_below_the_threshold_says_what_it_needs(name: str) -> None:
    """The threshold may be far away: in the suite, in `default_test` or on the command line."""
    low = CaseResult("greet", score=Fraction(4, 5), verdict=Verdict.FAIL, threshold=Decimal("0.85"), dialect="agentv-5")
    assert "needs 0.85" in RESULT_FORMATS[name].render([low])
    enough = CaseResult("greet", score=Fraction(9, 10), verdict=Verdict.FAIL, threshold=Decimal("0.85"))
    assert "needs 0.85" not in RESULT_FORMATS[name].render([enough])


def test_criteria_of_members_are_compared() -> None:
    """By their ids, like all others."""
    met = CriterionScore("tone", "checklist", Decimal(1), Fraction(1), satisfied=True)
    better = EvaluatorResult("quality", "llm-rubric", Decimal(1), "graded", Fraction(1), Verdict.PASS, (met,))
    after = CaseResult("greet", score=Fraction(1), verdict=Verdict.PASS, evaluators=(better,))
    (pair,) = compare_results(("before", "after"), [RESULT], [after]).pairs
    assert [name for name, *_ in pair.moves] == ["tone"]
