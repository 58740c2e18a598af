"""`rubric rank`: who is ahead, with ties on one place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sample_results import GATE_FAILED, PASSED, SCORECARD_ALONE, scorecard_of
from stored_results import keep_run

from rubric_core.report.formats import RESULT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from click.testing import Result

    from rubric_core.grading.results import CaseResult


def card(target: str, scores: Sequence[int], evaluation_id: str | None = None) -> CaseResult:
    """Return the scorecard of a target."""
    graded = replace(scorecard_of(scores), evaluation_id=evaluation_id)
    return replace(SCORECARD_ALONE, target=target, scorecard=graded)


CARDS = [card("gpt", (8,) * 7, "a"), card("claude", (8,) * 7, "b"), card("gemini", (8, 8, 8, 8, 7, 9, 8), "c")]


def test_scorecards_are_ranked_with_the_step_that_decided(rubric: Callable[..., Result], folder: Path) -> None:
    """Equivalent ones share a place."""
    (folder / "cards.jsonl").write_text(RESULT_FORMATS["jsonl"].render(CARDS), encoding="utf-8")
    assert rubric("rank", "cards.jsonl").stdout.splitlines() == [
        "place  case             final score  grade",
        "1      advice (gemini)  8.00         B+",
        "2=     advice (gpt)     8.00         B+     equivalent, tie broken by safety",
        "2=     advice (claude)  8.00         B+     equivalent, tie broken by safety",
    ]


def test_results_of_several_files_are_ranked_together(rubric: Callable[..., Result], folder: Path) -> None:
    """Each with the file that it comes from."""
    (folder / "a.jsonl").write_text(RESULT_FORMATS["jsonl"].render([GATE_FAILED]), encoding="utf-8")
    (folder / "b.jsonl").write_text(RESULT_FORMATS["jsonl"].render([PASSED]), encoding="utf-8")
    lines = rubric("rank", "a.jsonl", "b.jsonl").stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [
        ["1", "port", "(b.jsonl)"],
        ["2", "port-unknown", "(a.jsonl)"],
    ]


def test_a_skill_is_ranked_over_all_runs_of_the_store(rubric: Callable[..., Result]) -> None:
    """An evaluation that a later run took over is there once; other skills stay out."""
    other = replace(CARDS[0], scorecard=replace(scorecard_of((9,) * 7), skill="other", evaluation_id="z"))
    keep_run([CARDS[0], other, PASSED])
    keep_run([CARDS[0], CARDS[2], card("manual", (9,) * 7), card("manual", (9,) * 7)])
    lines = rubric("rank", "--skill", "database-advice").stdout.splitlines()
    assert [line.split()[:4] for line in lines[1:]] == [
        ["1=", "advice", "(manual,", "run"],
        ["1=", "advice", "(manual,", "run"],
        ["3", "advice", "(gemini,", "run"],
        ["4", "advice", "(gpt,", "run"],
    ]


def test_a_skill_can_be_chosen_among_results(rubric: Callable[..., Result], folder: Path) -> None:
    """Scorecards are ranked then, and nothing else is listed."""
    (folder / "mixed.jsonl").write_text(RESULT_FORMATS["jsonl"].render([PASSED, *CARDS]), encoding="utf-8")
    value = json.loads(rubric("rank", "mixed.jsonl", "--skill", "database-advice", "--format", "json").stdout)
    assert (value["by"], [len(place["entries"]) for place in value["places"]]) == ("scorecard", [1, 2])
    assert value["unranked"] == []


def test_what_to_rank_by_can_be_chosen(rubric: Callable[..., Result], folder: Path) -> None:
    """Scores, although all have scorecards."""
    (folder / "cards.jsonl").write_text(RESULT_FORMATS["jsonl"].render(CARDS), encoding="utf-8")
    result = rubric("rank", "cards.jsonl", "--by", "score", "--format", "markdown", "--output", "out.md")
    assert result.stdout == ""
    assert "| &#45; | advice (gpt) |  |  | It has no score. |" in (folder / "out.md").read_text(encoding="utf-8")


def test_a_skill_that_nobody_graded_is_reported(rubric: Callable[..., Result]) -> None:
    """With the command that lists those that there are."""
    keep_run([PASSED])
    result = rubric("rank", "--skill", "cooking")
    message = "rubric: No result has a scorecard of the skill cooking; `rubric history` lists skills.\n"
    assert (result.exit_code, result.stderr) == (2, message)


@pytest.mark.parametrize("arguments", [[], ["--by", "score"]])
def test_something_must_be_named(rubric: Callable[..., Result], arguments: list[str]) -> None:
    """There is no ranking of nothing."""
    result = rubric("rank", *arguments)
    assert result.exit_code == 2
    assert "Pass result files, run numbers, or a skill with `--skill`." in result.stderr
