"""Two gradings side by side."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_strategies import case_results
from sample_results import (
    BORDERLINE,
    ERROR,
    GATE_FAILED,
    PASSED,
    REVIEW,
    SCORECARD_ALONE,
    case_of,
    rubric_evaluator,
    scorecard_of,
)

from rubric_core.grading.results import CaseResult
from rubric_core.report.families.compared import ComparedResults, compare_results
from rubric_core.report.families.comparison import headline
from rubric_core.report.formats import COMPARISON_FORMATS
from rubric_core.scoring.grades import verdict_of
from rubric_core.scoring.rubrics import Check
from rubric_core.terminal.display import harmless

render_text, render_markdown, render_json = (COMPARISON_FORMATS[name].render for name in ("text", "markdown", "json"))
NAMES = ("old.jsonl", "new.jsonl")


def scored(eval_id: str, score: Fraction) -> CaseResult:
    """Return a case with a score and the verdict that it has."""
    return CaseResult(eval_id, score=score, verdict=verdict_of(score, gates_hold=True))


def reviewed(correctness: int, style: int) -> CaseResult:
    """Return the review with these scores."""
    checks = [
        Check("correctness", score=correctness),
        Check("style", score=style),
        Check("mentions-tests", satisfied=False),
    ]
    return case_of("review", rubric_evaluator(REVIEW, checks))


BEFORE = [
    PASSED,
    GATE_FAILED,
    reviewed(7, 9),
    ERROR,
    SCORECARD_ALONE,
    replace(PASSED, eval_id="lost"),
    replace(PASSED, eval_id="gone"),
]
AFTER = [
    replace(GATE_FAILED, eval_id="port"),
    replace(PASSED, eval_id="port-unknown"),
    reviewed(8, 8),
    replace(PASSED, eval_id="no-json"),
    replace(SCORECARD_ALONE, scorecard=scorecard_of((9,) * 7)),
    replace(ERROR, eval_id="lost"),
    replace(PASSED, eval_id="new"),
]
COMPARED = compare_results(NAMES, BEFORE, AFTER)


def test_verdicts_that_flipped_are_reported_each_way() -> None:
    """A verdict that became an error got worse, because nobody knows any more."""
    assert [pair.name for pair in COMPARED.regressions] == ["port", "lost"]
    assert [pair.name for pair in COMPARED.improvements] == ["port-unknown"]
    assert [pair.name for pair in COMPARED.errors] == ["no-json", "lost"]


def test_a_case_that_is_no_longer_in_error_is_no_improvement() -> None:
    """There was no verdict before that could be better now."""
    assert "no-json" not in [pair.name for pair in COMPARED.improvements]


def test_cases_of_one_grading_only_are_named() -> None:
    """They take no part in the comparison."""
    assert COMPARED.comparison.only_before == ("gone",)
    assert COMPARED.comparison.only_after == ("new",)


def test_the_text_shows_everything_that_changed() -> None:
    """The answer first, then the worst."""
    assert render_text(COMPARED).splitlines() == [
        "before  old.jsonl",
        "after   new.jsonl",
        "",
        "No clear change: the mean score rose by 0.009524 (95 % interval -1 to +1, 3 cases).",
        "",
        "Verdicts that got worse: 2",
        "  port  pass → fail, 1 → 0.3333… (1/3) (-0.6667)",
        "        names-port: met → not met (gate failed)",
        "  lost  pass → error, 1 → no score",
        "",
        "Verdicts that got better: 1",
        "  port-unknown  fail → pass, 0.3333… (1/3) → 1 (+0.6667)",
        "                names-port: not met → met (gate passed)",
        "",
        "Other scores: 1",
        "  review  0.6571… (23/35) → 0.6857… (24/35) (+0.0286)",
        "",
        "Criteria, mean over their cases: 2",
        "  style        0.9 → 0.8 (-0.1) 1 case",
        "  correctness  0.7 → 0.8 (+0.1) 1 case",
        "",
        "Scorecards: 1",
        "  advice  6.80 C+ → 9.00 A (+2.2)",
        "",
        "Errors: 2",
        f"  no-json  in error in old.jsonl: {ERROR.error}",
        f"  lost     in error in new.jsonl: {ERROR.error}",
        "",
        "Only in old.jsonl: 1",
        "  gone",
        "",
        "Only in new.jsonl: 1",
        "  new",
    ]


def test_the_markdown_has_the_same_in_tables() -> None:
    """For a comment on a pull request."""
    lines = render_markdown(COMPARED).splitlines()
    assert lines[2] == "**No clear change: the mean score rose by 0.009524 (95 % interval -1 to +1, 3 cases).**"
    assert "| port | pass → fail | 1 → 0.3333… (1/3) (-0.6667) | names-port: met → not met (gate failed) |" in lines
    assert "| style | 0.9 → 0.8 (-0.1) | 1 case |" in lines
    assert "| advice | 6.80 C+ → 9.00 A (+2.2) |" in lines


def test_the_json_has_exact_numbers_and_cuts_nothing() -> None:
    """Every case of both gradings, with what changed inside."""
    value = json.loads(render_json(COMPARED))
    assert value["mean_change"]["direction"] == "unclear"
    assert (value["regressions"], value["improvements"]) == (["port", "lost"], ["port-unknown"])
    port = value["cases"][0]
    assert (port["change_exact"], port["flip"], port["regression"]) == ("-2/3", "worse", True)
    assert port["criteria"] == [
        {
            "id": "names-port",
            "before": {"satisfied": True, "gate": "passed"},
            "after": {"satisfied": False, "gate": "failed"},
        }
    ]
    review = value["cases"][2]
    assert review["criteria"][0]["after"] == {"score": 8, "gate": "passed"}
    lost = value["cases"][5]
    assert (lost["change"], lost["after"]["error"]) == (None, ERROR.error)
    assert value["criteria"][0] == {
        "id": "names-port",
        "cases": 2,
        "before": 0.5,
        "after": 0.5,
        "change": 0,
        "change_exact": "0",
    }
    assert value["scorecards"][0]["change"] == 2.2


def compared(*pairs: tuple[Fraction, Fraction]) -> ComparedResults:
    """Return the comparison of cases with these scores."""
    names = [str(number) for number in range(len(pairs))]
    before = [scored(name, first) for name, (first, _) in zip(names, pairs, strict=True)]
    after = [scored(name, second) for name, (_, second) in zip(names, pairs, strict=True)]
    return compare_results(NAMES, before, after)


TENTHS = [Fraction(number, 10) for number in range(11)]


@pytest.mark.parametrize(
    ("pairs", "answer"),
    [
        ([], "Too few cases: 0 cases with a score in both, but an interval needs 2."),
        (
            [(TENTHS[1], TENTHS[9])],
            "Too few cases: 1 case with a score in both, but an interval needs 2.",
        ),
        ([(TENTHS[5], TENTHS[5])] * 3, "No change: all 3 cases have the same scores as before."),
        (
            [(TENTHS[5], TENTHS[7])] * 3,
            "Yes, it got better: the mean score rose by 0.2 (95 % interval +0.2 to +0.2, 3 cases).",
        ),
        (
            [(TENTHS[7], TENTHS[5])] * 3,
            "No, it got worse: the mean score fell by 0.2 (95 % interval -0.2 to -0.2, 3 cases).",
        ),
        (
            [(TENTHS[7], TENTHS[5]), (TENTHS[5], TENTHS[7])],
            "No clear change: the mean score stayed the same (95 % interval -1 to +1, 2 cases).",
        ),
    ],
)
def test_the_answer_is_one_sentence(pairs: list[tuple[Fraction, Fraction]], answer: str) -> None:
    """Did the change help, by how much, and how sure is that?"""
    assert headline(compared(*pairs)) == answer


def test_a_mean_that_stays_while_scores_vary_is_reported() -> None:
    """One rose and one fell."""
    assert "the mean score stayed the same" in headline(compared((TENTHS[7], TENTHS[5]), (TENTHS[5], TENTHS[7])))


def test_no_flip_is_said_too() -> None:
    """Whoever looks for flips finds an answer."""
    assert "No verdict changed." in render_text(compared((TENTHS[9], TENTHS[10])))
    assert "No verdict changed." not in render_text(compared())


def test_ids_that_files_share_are_distinguished_by_the_files() -> None:
    """Ids are unique in a file, not in a project; an id that is unique stays as it is."""
    first, second = replace(PASSED, file="a.yaml"), replace(PASSED, file="b.yaml")
    other = replace(GATE_FAILED, eval_id="port", file="b.yaml")
    both = compare_results(NAMES, [first, second, ERROR], [first, other, replace(ERROR, file="moved.yaml")])
    assert [pair.name for pair in both.pairs] == ["a.yaml: port", "b.yaml: port", "no-json"]
    assert [pair.name for pair in both.regressions] == ["b.yaml: port"]


def test_cases_of_one_file_are_distinguished_by_the_target() -> None:
    """A case may be graded for several targets in one run."""
    first, second = replace(PASSED, target="gpt"), replace(PASSED, target="claude")
    both = compare_results(NAMES, [first, second], [second, first])
    assert [pair.name for pair in both.pairs] == [
        "evals/support.eval.yaml: port (gpt)",
        "evals/support.eval.yaml: port (claude)",
    ]
    assert all(pair.before == pair.after for pair in both.pairs)


def test_cases_that_nothing_distinguishes_are_matched_in_their_order() -> None:
    """Two cases of a broken file may have the same id; that must not hide all the others."""
    after = [PASSED, replace(GATE_FAILED, eval_id="port"), GATE_FAILED]
    both = compare_results(NAMES, [PASSED, PASSED, GATE_FAILED], after)
    assert [pair.name for pair in both.regressions] == ["evals/support.eval.yaml: port #2"]
    assert len(both.pairs) == 3


def test_criteria_that_evaluators_share_are_distinguished() -> None:
    """Two evaluators may have a criterion of the same id."""
    evaluator = PASSED.evaluators[0]
    two = replace(PASSED, evaluators=(evaluator, replace(evaluator, name="second")))
    names = [change.criterion for change in compare_results(NAMES, [two], [two]).comparison.criteria]
    assert names == ["rubric: names-port", "rubric: says-how", "second: names-port", "second: says-how"]


def test_a_gate_that_went_away_is_reported() -> None:
    """The criterion is judged as before, and yet something changed."""
    first, *others = PASSED.evaluators[0].criteria
    free = replace(
        PASSED.evaluators[0], criteria=(replace(first, gate=None, value=Fraction(0), satisfied=False), *others)
    )
    worse = replace(GATE_FAILED, eval_id="port", evaluators=(free,))
    assert "names-port: met → not met (no gate any more)" in render_text(compare_results(NAMES, [PASSED], [worse]))


def test_a_flip_names_every_criterion_that_moved() -> None:
    """Also one that gates nothing, or whose gate stays as it is."""
    lines = render_text(compare_results(NAMES, [reviewed(7, 9)], [reviewed(10, 10)])).splitlines()
    assert [line.strip() for line in lines[6:9]] == [
        "review  borderline → pass, 0.6571… (23/35) → 0.8571… (6/7) (+0.2)",
        "correctness: 7 of 10 → 10 of 10",
        "style: 9 of 10 → 10 of 10",
    ]


def test_long_lists_are_cut_with_their_number() -> None:
    """The text shows twenty, Markdown fifty, JSON all."""
    many = compared(*[(TENTHS[9], TENTHS[1])] * 60)
    assert "  ... and 40 more (`--format json` has all)" in render_text(many).splitlines()
    assert "10 rows more, which would make this too long." in render_markdown(many)
    assert len(json.loads(render_json(many))["regressions"]) == 60


@given(st.lists(case_results(), max_size=3), st.lists(case_results(), max_size=3))
def test_every_two_gradings_can_be_compared(before: list[CaseResult], after: list[CaseResult]) -> None:
    """Whatever they hold, each format is written, and a terminal obeys nothing in it."""
    both = compare_results(NAMES, before, after)
    assert all(harmless(line) == line for line in render_text(both).split("\n"))
    assert json.loads(render_json(both))["only_after"] == list(both.comparison.only_after)
    assert render_markdown(both).startswith("## Rubric comparison\n")


def test_a_comparison_with_itself_changes_nothing() -> None:
    """No flips, no moves, no interval but zero."""
    same = compare_results(NAMES, [PASSED, BORDERLINE, ERROR], [PASSED, BORDERLINE, ERROR])
    assert [*same.regressions, *same.improvements, *same.moved, *same.scorecards] == []
    assert headline(same) == "No change: all 2 cases have the same scores as before."
