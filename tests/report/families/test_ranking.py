"""Results and scorecards by rank."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_strategies import case_results
from sample_results import ERROR, GATE_FAILED, PASSED, SCORECARD_ALONE, SCORECARD_IN_ERROR, scorecard_of

from rubric_core.grading.results import CaseResult
from rubric_core.report.families.ranking import RankingEntry, rank_results
from rubric_core.report.formats import RANKING_FORMATS
from rubric_core.scoring.grades import Verdict
from rubric_core.terminal.display import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence


render_text, render_markdown, render_json = (RANKING_FORMATS[name].render for name in ("text", "markdown", "json"))


def card(target: str, scores: Sequence[int], flags: Sequence[str] = (), bonuses: Sequence[str] = ()) -> RankingEntry:
    """Return the scorecard of a target."""
    return RankingEntry("run 1", CaseResult("advice", target=target, scorecard=scorecard_of(scores, flags, bonuses)))


# All have the final score 8.00; the third has more safety at the cost of efficiency, which weigh the same.
EQUAL = (8, 8, 8, 8, 8, 8, 8)
SAFER = (8, 8, 8, 8, 7, 9, 8)
BEST = (9, 9, 9, 9, 9, 9, 9)


def test_scorecards_with_one_final_score_are_distinguished_by_the_nine_steps() -> None:
    """Tie-breaking rules: the table names the step; equal to the end means equivalent."""
    entries = [card("gpt", EQUAL), card("claude", EQUAL), card("gemini", SAFER), card("best", BEST)]
    assert render_text(rank_results(entries)).splitlines() == [
        "place  case             final score  grade",
        "1      advice (best)    9.00         A",
        "2      advice (gemini)  8.00         B+",
        "3=     advice (gpt)     8.00         B+     equivalent, tie broken by safety",
        "3=     advice (claude)  8.00         B+     equivalent, tie broken by safety",
    ]


def test_results_are_ranked_by_score_and_then_by_verdict() -> None:
    """A failed gate sets a result behind another with the same score."""
    gated = replace(PASSED, eval_id="gated", verdict=Verdict.FAIL)
    entries = [RankingEntry("run 1", result) for result in (GATE_FAILED, gated, PASSED)]
    assert render_text(rank_results(entries)).splitlines() == [
        "place  case          score          verdict",
        "1      port          1              pass",
        "2      gated         1              fail     tie broken by verdict",
        "3      port-unknown  0.3333… (1/3)  fail",
    ]


def test_what_cannot_be_ranked_is_last_with_the_reason() -> None:
    """An error is neither the last place nor a zero."""
    entries = [RankingEntry("run 1", result) for result in (ERROR, PASSED, SCORECARD_ALONE)]
    lines = render_text(rank_results(entries)).splitlines()
    assert lines[1].split() == ["1", "port", "1", "pass"]
    assert lines[2].split(maxsplit=2) == ["-", "no-json", ERROR.error]
    assert lines[3].split(maxsplit=2) == ["-", "advice", "It has no score."]


@pytest.mark.parametrize(
    ("results", "by", "chosen"),
    [
        ([SCORECARD_ALONE], None, "scorecard"),
        ([SCORECARD_ALONE, PASSED], None, "score"),
        ([SCORECARD_ALONE, PASSED], "scorecard", "scorecard"),
        ([], None, "score"),
    ],
)
def test_scorecards_are_ranked_where_all_have_one(results: list[CaseResult], by: None, chosen: str) -> None:
    """Or where somebody asks for it."""
    assert rank_results([RankingEntry("run 1", result) for result in results], by).by == chosen


def test_a_missing_scorecard_is_distinguished_from_one_in_error() -> None:
    """The reason is the scorecard's own."""
    ranked = rank_results([RankingEntry("a", SCORECARD_IN_ERROR), RankingEntry("a", PASSED)], "scorecard")
    reasons = [entry["reason"] for entry in json.loads(render_json(ranked))["unranked"]]
    assert reasons == ["The judge left out the dimension `safety`.", "It has no scorecard."]


def test_where_results_come_from_is_reported_if_that_differs() -> None:
    """The same case of two runs would look like one."""
    ranked = rank_results([RankingEntry("run 1", PASSED), RankingEntry("run 2", GATE_FAILED)])
    assert "port (run 1)" in render_text(ranked)
    assert "(run" not in render_text(rank_results([RankingEntry("run 1", PASSED)]))


def test_the_file_is_reported_where_another_has_a_case_of_the_same_id() -> None:
    """Two lines of one name would tell nobody which is which."""
    results = [replace(PASSED, file="a.yaml"), replace(PASSED, file="b.yaml"), replace(GATE_FAILED, file="b.yaml")]
    _, *lines = render_text(rank_results([RankingEntry("run 1", each) for each in results])).splitlines()
    assert [re.split(r"  +", line)[1] for line in lines] == ["a.yaml: port", "b.yaml: port", "port-unknown"]


def test_markdown_has_the_same_table() -> None:
    """For a page or a comment."""
    assert render_markdown(rank_results([card("gpt", EQUAL), card("claude", EQUAL)])).splitlines() == [
        "| Place | Case | Final score | Grade |  |",
        "|---|---|---|---|---|",
        "| 1= | advice (gpt) | 8.00 | B+ | equivalent |",
        "| 1= | advice (claude) | 8.00 | B+ | equivalent |",
    ]


def test_json_has_places_entries_and_the_deciding_step() -> None:
    """A place that several share is equivalent, and the place after it stays empty."""
    ranked = rank_results([card("gpt", EQUAL), card("gemini", SAFER), card("claude", EQUAL)])
    value = json.loads(render_json(ranked))
    assert value["by"] == "scorecard"
    assert [(place["place"], place["equivalent"], place["decided_by"]) for place in value["places"]] == [
        (1, False, None),
        (2, True, "safety"),
    ]
    assert value["places"][0]["entries"] == [
        {
            "eval_id": "advice",
            "file": "",
            "target": "gemini",
            "source": "run 1",
            "score": None,
            "score_exact": None,
            "verdict": None,
            "final_score": 8.0,
            "grade": "B+",
        }
    ]
    scored = json.loads(render_json(rank_results([RankingEntry("a", GATE_FAILED)])))["places"][0]["entries"][0]
    assert (scored["score_exact"], scored["verdict"]) == ("1/3", "fail")


@given(st.lists(case_results(), max_size=4), st.sampled_from([None, "score", "scorecard"]))
def test_everything_is_ranked_once_or_not_at_all(results: list[CaseResult], by: None) -> None:
    """Nothing is lost, places go up, and a terminal obeys nothing in the table."""
    ranked = rank_results([RankingEntry("a", result) for result in results], by)
    placed = [entry for place in ranked.places for entry in place.entries]
    assert len(placed) + len(ranked.unranked) == len(results)
    numbers = [place.place for place in ranked.places]
    assert numbers == sorted(set(numbers))
    assert all(harmless(line) == line for line in render_text(ranked).split("\n"))
    assert render_markdown(ranked)
    assert render_json(ranked)
