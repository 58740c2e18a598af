"""Results as JUnit XML."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_strategies import case_results
from sample_results import (
    ALL,
    BORDERLINE,
    CODE_JUDGED,
    ERROR,
    GATE_FAILED,
    PASSED,
    SCORECARD_ALONE,
    SCORECARD_IN_ERROR,
)

from rubric_core.grading.results import CaseResult
from rubric_core.report.formats import RESULT_FORMATS


def read(*results: CaseResult) -> Element:
    """Return the root of the document."""
    return fromstring(RESULT_FORMATS["junit"].render(results).encode())  # noqa: S314 - it is our own.


def only(result: CaseResult) -> Element:
    """Return the only test case."""
    found = read(result).find(".//testcase")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("result", "element", "type_", "message"),
    [
        (GATE_FAILED, "failure", "fail", "score 0.3333… (1/3); gate failed: names-port"),
        (BORDERLINE, "failure", "borderline", "score 0.6571… (23/35)"),
        (ERROR, "error", "error", ERROR.error),
        (SCORECARD_IN_ERROR, "error", "error", "scorecard: The judge left out the dimension `safety`."),
    ],
)
def test_whatever_is_no_pass_is_reported(result: CaseResult, element: str, type_: str, message: str) -> None:
    """Fail and borderline are failures, an error is an error, also that of a scorecard alone."""
    found = only(result).find(element)
    assert found is not None
    assert (found.get("type"), found.get("message")) == (type_, message)


def test_a_failure_goes_before_the_error_of_a_scorecard() -> None:
    """A test case has one outcome; the other is in its text."""
    both = replace(GATE_FAILED, scorecard=SCORECARD_IN_ERROR.scorecard)
    found = only(both).find("failure")
    assert found is not None
    assert found.get("message") == "score 0.3333… (1/3); gate failed: names-port"
    assert "The judge left out the dimension `safety`." in (found.text or "")


def test_a_partial_result_is_skipped_or_a_failure_and_never_passes() -> None:
    """A test case without an element would count as passed."""
    met, unmet = replace(PASSED, partial=True), replace(GATE_FAILED, partial=True)
    skipped, failed = only(met).find("skipped"), only(unmet).find("failure")
    assert skipped is not None
    assert skipped.get("message") == "score 1; partial: only names-port, says-how"
    assert failed is not None
    assert failed.get("type") == "partial"
    root = read(met, unmet)
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("2", "1", "1")


def test_a_scorecard_lists_everything_that_led_to_its_grade() -> None:
    """The composite before deductions, each flag and bonus with its amount and its explanation, and the grade."""
    case = only(SCORECARD_ALONE)
    properties = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert properties["scorecard.composite"] == "7.05"
    assert properties["scorecard.deduction.invented-flag"] == "-0.50"
    assert properties["scorecard.bonus.cites-manual"] == "+0.25"
    output = (case.findtext("system-out") or "").splitlines()
    assert output[:7] == [
        "scorecard database-advice: 6.80 C+ Adequate",
        "  Acceptable but clearly below professional standards.",
        "  composite: 7.05",
        "  invented-flag: -0.50; The answer shows invented-flag.",
        "  after deductions: 6.55",
        "  cites-manual: +0.25; The answer shows cites-manual.",
        "  final score: 6.80",
    ]


@pytest.mark.parametrize("result", [PASSED, SCORECARD_ALONE])
def test_a_pass_and_a_scorecard_alone_are_no_failures(result: CaseResult) -> None:
    """What was judged is in their output."""
    case = only(result)
    assert [child.tag for child in case] == ["properties", "system-out"]


def test_scores_are_properties() -> None:
    """Score, criteria, grade, judge and tokens, for tools that chart them."""
    properties = {each.get("name"): each.get("value") for each in only(BORDERLINE).iter("property")}
    assert properties["score"] == "0.65714285714285714"
    assert properties["score_exact"] == "23/35"
    assert properties["criterion.rubric.correctness"] == "7 of 10"
    assert properties["judge"] == "strict (openai, gpt-4o-mini)"
    graded = {
        each.get("name"): each.get("value") for each in only(replace(SCORECARD_ALONE, target="gpt")).iter("property")
    }
    assert (graded["scorecard.final_score"], graded["scorecard.grade"], graded["target"]) == ("6.80", "C+", "gpt")


def test_a_suite_is_a_file_and_counts_its_cases() -> None:
    """The cases of a file are together."""
    root = read(*ALL)
    suites = [(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors")) for suite in root]
    assert suites == [("evals/code.eval.yaml", "1", "1", "0"), ("evals/support.eval.yaml", "6", "2", "2")]
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("time")) == ("7", "3", "2", "5.000")
    assert [case.get("name") for case in root[0]] == ["syntax"]


def test_misses_of_a_command_are_reported() -> None:
    """Whoever reads the log of a build sees why."""
    text = "".join(only(CODE_JUDGED).itertext())
    assert "missed: It does not compile." in text


def test_an_empty_case_is_a_passing_one_without_output() -> None:
    """Nothing was judged, so there is nothing to say."""
    assert [child.tag for child in only(CaseResult("a"))] == ["properties"]


@given(st.lists(case_results(), max_size=3))
def test_every_text_gives_valid_xml(results: list[CaseResult]) -> None:
    """Control characters and halves of pairs have no place in XML; a parser accepts what is written."""
    cases = read(*results).findall(".//testcase")
    assert len(cases) == len(results)


def test_no_text_commands_a_terminal() -> None:
    """The same characters are spelt out as in the report of a check; accents, line breaks and emoji stay."""
    said = "é 👩\u200d💻\r\n\x9b2J\x1b[31m\u202e\ufffe\udce9\tend"
    case = only(replace(ERROR, eval_id=said, error=said))
    expected = "é 👩\u200d💻\n<U+009B>2J␛[31m<U+202E><U+FFFE>\\xe9\tend"
    found = case.find("error")
    assert found is not None
    assert (case.get("name"), found.get("message")) == (expected, expected)
