"""Results for people at a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

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
    scorecard_of,
)

from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.report.results.text import STYLES
from rubric_core.report.results.wording import partial_words
from rubric_core.terminal.display import Page, harmless

if TYPE_CHECKING:
    from rubric_core.grading.results import CaseResult


def shown(*results: CaseResult, width: int = 100) -> list[str]:
    """Return the lines of the report without colours."""
    return RESULT_FORMATS["text"].render(results, page=Page(width)).splitlines()


def test_a_passing_case_among_others_takes_one_line() -> None:
    """Whoever graded 200 cases looks for those that failed."""
    lines = shown(PASSED, replace(PASSED, eval_id="port-again"))
    assert lines == [
        "pass  port        1  evals/support.eval.yaml",
        "pass  port-again  1  evals/support.eval.yaml",
        "",
        "2 cases: 2 pass; mean score 1; 2 calls; 1,624 tokens in, 192 out.",
    ]


def test_a_line_that_says_pass_names_what_was_not_run() -> None:
    """Nobody takes a case for checked by an evaluator that took no part."""
    fast = next(each for each in BORDERLINE.evaluators if each.status == "not run")
    passed = replace(PASSED, evaluators=(*PASSED.evaluators, fast))
    assert shown(passed, PASSED)[0] == "pass  port  1  evals/support.eval.yaml  not run: fast"


def test_a_case_alone_is_shown_whole() -> None:
    """Whoever graded one case wants to know why it passed."""
    assert shown(PASSED) == [
        "pass  port  1  evals/support.eval.yaml",
        "    | PostgreSQL listens on port 5432.",
        "  rubric  pass",
        "    llm_judge · 1 · judge strict (openai, gpt-4o-mini) · prompt 9f2c41d7a0b3",
        "    ██████████  names-port  met       weight 2 (66.7 %)  gate passed",
        "                Names the port 5432",
        "                The answer names port 5432.",
        "    ██████████  says-how    met       weight 1 (33.3 %)",
        "                Says how to change it",
        "                It points to postgresql.conf.",
        "",
        "1 case: 1 pass; 1 call; 812 tokens in, 96 out.",
    ]


def test_a_failed_gate_is_in_the_first_line() -> None:
    """The reason is seen before the details."""
    lines = shown(PASSED, GATE_FAILED)
    assert lines[1] == "fail  port-unknown  0.3333… (1/3)  evals/support.eval.yaml  gate failed: names-port"
    assert "    ░░░░░░░░░░  names-port  not met   weight 2 (66.7 %)  gate failed" in lines


def test_a_score_is_shown_with_the_text_of_its_band_and_what_the_gate_needs() -> None:
    """Bars, bands, weights, gates, samples, and evaluators that were not run."""
    lines = shown(BORDERLINE)
    assert "    ███████░░░  correctness     7 of 10   weight 2 (57.1 %)  gate passed, needs 7" in lines
    assert "                Functionally correct with minor issues" in lines
    assert lines[-5:-2] == ["  fast  not run", "    latency", "    Evaluators of type `latency` are not run."]


def test_the_error_of_a_case_is_reported_once() -> None:
    """It has neither a score nor a second telling below its evaluator."""
    lines = shown(ERROR)
    assert lines[0] == "error  no-json    evals/support.eval.yaml"
    assert sum("names-port` is missing" in line for line in lines) == 1


def test_the_misses_of_a_command_are_listed() -> None:
    """What has no criteria has hits and misses."""
    lines = shown(CODE_JUDGED)
    assert lines[4:7] == ["    + It is Python.", "    - It does not compile.", "    - It has no docstring."]


def test_a_scorecard_is_shown_with_every_step_to_its_grade() -> None:
    """The composite before deductions, each flag with its explanation, bonuses, the grade and what history flags."""
    lines = shown(SCORECARD_ALONE)
    assert lines[0] == "no verdict  advice    evals/support.eval.yaml  grade C+"
    assert "  scorecard database-advice  C+  6.80  Adequate" in lines
    assert "    ███░░░░░░░  safety          3  weight 0.1 (10 %)" in lines
    start = lines.index("          7.05  composite")
    assert lines[start : start + 9] == [
        "          7.05  composite",
        "         -0.50  invented-flag",
        "                The answer shows invented-flag.",
        "          6.55  after deductions",
        "         +0.25  cites-manual",
        "                The answer shows cites-manual.",
        "          6.80  final score",
        "    Sound advice with one gap.",
        "    Review safety: 3 is 6.00 away from the mean 9.00 of 4 earlier evaluations, with a standard",
    ]


def test_a_passing_case_with_a_scorecard_in_error_is_shown_whole() -> None:
    """The command ends with status 2, and this is why."""
    lines = shown(PASSED, SCORECARD_IN_ERROR)
    assert "  scorecard database-advice  error" in lines
    assert "    The judge left out the dimension `safety`." in lines


def test_a_partial_result_says_so() -> None:
    """Some criteria were left out on request, so there is no verdict; those that were judged are named."""
    line = shown(replace(PASSED, partial=True))[0]
    assert line == "partial  port  1  evals/support.eval.yaml  partial: only names-port, says-how"
    assert (
        partial_words(replace(GATE_FAILED, partial=True)) == "partial: only names-port, says-how, not met: names-port"
    )


def test_a_scorecard_in_line_with_its_past_is_not_flagged() -> None:
    """The sentence is there all the same."""
    lines = shown(replace(SCORECARD_ALONE, scorecard=scorecard_of((8, 8, 8, 7, 7, 9, 8))))
    assert "    In line with 4 earlier evaluations of database-advice." in lines


def test_a_long_answer_is_cut_after_a_few_lines() -> None:
    """The rest is counted."""
    lines = shown(replace(PASSED, candidate_answer="\n".join(f"line {number}" for number in range(10))))
    assert lines[1:6] == [
        *(f"    | line {number}" for number in range(4)),
        "    | ... 6 lines more of the answer",
    ]


def test_nothing_graded_is_said() -> None:
    """An empty list of results is no empty report."""
    assert shown() == ["No cases."]


def test_verdicts_have_colours() -> None:
    """A style for each state that there is."""
    painted = RESULT_FORMATS["text"].render(ALL, page=Page(has_colours=True))
    assert "\x1b[1;32mpass      \x1b[0m" in painted
    assert "\x1b[1;31mfail      \x1b[0m" in painted
    assert set(STYLES) == {"pass", "borderline", "fail", "error", "partial", "no verdict"}


@given(st.lists(case_results(), max_size=3))
def test_nothing_that_a_terminal_would_obey_gets_through(results: list[CaseResult]) -> None:
    """Answers, reasoning, ids and errors may hold anything."""
    text = RESULT_FORMATS["text"].render(results)
    assert all(harmless(line) == line for line in text.split("\n"))
