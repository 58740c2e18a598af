"""`rubric grade --criterion`: a partial result is never taken for the result of the case."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sample_results import GATE_FAILED
from stored_results import keep_run

from rubric_core.grading.result_json import from_json, to_json
from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Rubric = Callable[..., Result]

EVALS = """\
evalcases:
  - id: port
    expected_outcome: The port is named
    input: Which port?
    rubrics:
      - {id: names-port, expected_outcome: Names the port, weight: 3}
      - {id: short, expected_outcome: Is short, required: false}
      - id: style
        required_min_score: 5
        score_ranges: {0: Poor, 5: Fair, 10: Good}
      - id: tone
        score_ranges: {0: Poor, 5: Fair, 10: Good}
"""
SCORES = {"names-port": False, "short": True, "style": 5, "tone": 7}


@pytest.fixture
def port(folder: Path) -> Path:
    """Return an eval file with one case that fails, and its answer."""
    path = folder / "port.eval.yaml"
    path.write_text(EVALS, encoding="utf-8")
    (folder / "port.answers.json").write_text('{"port": "80"}', encoding="utf-8")
    return path


def _said(*names: str) -> dict[str, Any]:
    entries = [(name, SCORES[name]) for name in names]
    return {"checks": [{"id": name, "satisfied" if type(to) is bool else "score": to} for name, to in entries]}


def _grade(rubric: Rubric, folder: Path, *criteria: str, form: str = "text") -> Result:
    """Grade some criteria, all where none is named."""
    names = criteria or tuple(SCORES)
    (folder / "part.json").write_text(json.dumps({"port": _said(*names)}), encoding="utf-8")
    asked = [word for name in criteria for word in ("--criterion", name)]
    return rubric("grade", "port.eval.yaml", "--judge", "replay:part.json", *asked, "--format", form, "--quiet")


@pytest.mark.usefixtures("port")
@pytest.mark.parametrize(
    ("criteria", "status"),
    [
        (("short",), 0),
        (("names-port",), 1),
        (("short", "names-port"), 1),
        (("style",), 0),
        (("tone",), 1),
        ((), 1),
    ],
)
def test_the_status_shows_whether_what_was_asked_is_met(
    rubric: Rubric, folder: Path, criteria: tuple[str, ...], status: int
) -> None:
    """A score reaches its gate, or the pass mark where it has none: 5 of 10 does the first, 7 not the second."""
    assert _grade(rubric, folder, *criteria).exit_code == status


@pytest.mark.usefixtures("port")
def test_a_case_that_is_graded_in_part_has_no_verdict(rubric: Rubric, folder: Path) -> None:
    """It is not counted as passed either, whatever the score of the criterion."""
    told = json.loads(_grade(rubric, folder, "short", form="json").stdout)
    assert (told["score"], told["verdict"], told["partial"]) == (1, None, True)
    assert [each["verdict"] for each in told["evaluator_results"]] == [None]
    result = _grade(rubric, folder, "short")
    assert result.stdout.splitlines()[0] == "partial  port  1  port.eval.yaml  partial: only short"
    assert result.stdout.splitlines()[-1] == "1 case: 1 partial."


@pytest.mark.usefixtures("port")
@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "junit"])
def test_every_format_says_partial(rubric: Rubric, folder: Path, form: str) -> None:
    """No format says that the case passed."""
    shown = _grade(rubric, folder, "short", form=form).stdout
    assert "partial" in shown
    assert "1 pass" not in shown


@pytest.mark.usefixtures("port")
def test_a_partial_result_is_not_compared_with_a_whole_one(rubric: Rubric, folder: Path) -> None:
    """The whole one failed and the part is met: nothing got better."""
    _grade(rubric, folder)
    _grade(rubric, folder, "short")
    shown = rubric("compare", "previous", "latest").stdout
    assert "better" not in shown
    assert "Partial, not compared: 1\n  port  partial in run 2\n" in shown
    assert "Only in" not in shown
    assert json.loads(rubric("compare", "2", "1", "--format", "json").stdout)["cases"] == []


@pytest.mark.usefixtures("port")
def test_a_partial_result_has_no_place(rubric: Rubric, folder: Path) -> None:
    """It is below the ranking, with the reason."""
    _grade(rubric, folder)
    _grade(rubric, folder, "short")
    ranked = json.loads(rubric("rank", "1", "2", "--format", "json").stdout)
    assert [len(place["entries"]) for place in ranked["places"]] == [1]
    assert [each["reason"] for each in ranked["unranked"]] == ["It is partial: only some criteria were graded."]


def test_a_verdict_that_an_earlier_version_wrote_is_not_read() -> None:
    """Stores and files have partial results with a verdict, which is dropped."""
    written = {**to_json(GATE_FAILED), "partial": True}
    assert written["verdict"] == "fail"
    read = from_json(written)
    assert (read.partial, read.verdict, read.score) == (True, None, GATE_FAILED.score)
    assert from_json(to_json(read)) == read


def test_resuming_a_whole_grading_takes_over_no_part(folder: Path, rubric: Rubric) -> None:
    """The part has another fingerprint, so that the whole case is asked about."""
    (folder / "port.eval.yaml").write_text(EVALS, encoding="utf-8")
    (folder / "port.answers.json").write_text('{"port": "80"}', encoding="utf-8")
    (folder / "short.json").write_text(json.dumps(_said("short")), encoding="utf-8")
    (folder / "whole.json").write_text(json.dumps(_said(*SCORES)), encoding="utf-8")
    judge = '[judges.cat]\nprovider = "command"\ncommand = ["cat", "{}"]\n'
    (folder / "rubric.toml").write_text(judge.format(folder / "short.json"), encoding="utf-8")
    part = rubric("grade", "port.eval.yaml", "--judge", "cat", "--criterion", "short", "--format", "jsonl")
    assert json.loads(part.stdout)["partial"] is True
    (folder / "rubric.toml").write_text(judge.format(folder / "whole.json"), encoding="utf-8")
    whole = rubric("grade", "port.eval.yaml", "--judge", "cat", "--resume", "--format", "jsonl")
    assert (json.loads(whole.stdout)["partial"], json.loads(whole.stdout)["verdict"]) == (False, "fail")


def test_the_history_of_a_case_has_no_part(folder: Path) -> None:
    """The last result of a case, and the chart of its scores, are of whole gradings."""
    part = from_json({**to_json(GATE_FAILED), "partial": True})
    keep_run([GATE_FAILED])
    keep_run([part])
    with Store.open(Store.at(folder)) as store:
        assert [each.partial for each in store.last_results(GATE_FAILED.file)] == [False]
        assert [len(scores) for scores in store.result_history([part]).cases.values()] == [1]
