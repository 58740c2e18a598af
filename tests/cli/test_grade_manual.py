"""`rubric grade` at a real terminal: a person judges, goes back, stops and goes on; progress comes and goes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from model_server import ModelServer
from projects import Project, case_in, met, numbered_answers, numbered_cases

if sys.platform == "win32":
    pytest.skip("Windows has no terminals of this kind.", allow_module_level=True)

from pseudo_terminal import CONTROL_C, CONTROL_D, plain

if TYPE_CHECKING:
    from pathlib import Path

    from pseudo_terminal import PseudoTerminal

# Each of these starts real processes.
pytestmark = pytest.mark.slow

MIXED = """\
evalcases:
  - id: port
    expected_outcome: Names the port and why
    input: Which port does HTTPS use?
    rubrics:
      - {id: names-port, expected_outcome: Names port 443}
      - {id: depth, weight: 3, required_min_score: 5, score_ranges: {0: Says nothing of why, 5: Says why}}
    scorecard: {skill: ports, red_flags: [Names a wrong port], bonuses: [Names the document]}
  - id: whole
    expected_outcome: Says hello
    input: Say hello
"""
MET = "Is it met? y/n, ? for help > "
SCORE = "Which score? 0-10, ? for help > "
DIMENSION = "Which score? 1-10, ? for help > "
KEEP = "Enter to keep this, b to go back > "


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return an empty project."""
    return Project(tmp_path / "work")


@pytest.fixture
def mixed(project: Project) -> Project:
    """Return a project with a case that has everything, and one that has nothing."""
    project.write("all.eval.yaml", MIXED)
    project.write("all.answers.json", {"port": "443, for TLS.", "whole": "Hello."})
    return project


@pytest.fixture
def three(project: Project) -> Project:
    """Return a project with three cases of one criterion each."""
    project.write("all.eval.yaml", numbered_cases(3))
    project.write("all.answers.json", numbered_answers(3))
    return project


def judge(terminal: PseudoTerminal, line: str) -> None:
    """Judge a case of one criterion, and keep it."""
    terminal.answer(MET, line)
    terminal.answer(KEEP, "")


def test_a_person_judges_everything(mixed: Project) -> None:
    """With help, a misunderstanding, a change of mind and reasons; standard output has the report alone."""
    with mixed.at_terminal("grade", "--format", "jsonl") as terminal:
        first = terminal.expect(MET)
        for shown in ("port · rubric", "Which port does HTTPS use?", "443, for TLS.", "Names port 443", "1 of 2"):
            assert shown in first
        terminal.type("?\n")
        assert "Ctrl-C and Ctrl-D do the same" in terminal.expect(MET)
        terminal.type("perhaps\n")
        assert "Type y for yes or n for no" in terminal.expect(MET)
        terminal.type("n not at all\n")
        bands = terminal.expect(SCORE)
        assert "5-10  Says why" in bands
        assert "Gate: the case fails if the score is below 5." in bands
        terminal.type("11\n")
        assert "Type an integer from 0 to 10" in terminal.expect(SCORE)
        terminal.type("b\n")
        assert "Until now: no." in terminal.expect(MET)
        terminal.type("y it says 443\n")
        terminal.answer(SCORE, "6, for TLS is enough")
        assert "it says 443" in terminal.expect(KEEP)
        terminal.type("\n")
        for _ in range(7):
            terminal.answer(DIMENSION, "8")
        terminal.answer("Is it present? y/n, ? for help > ", "y port 80")
        terminal.answer("Is it earned? y/n, ? for help > ", "n")
        terminal.answer(KEEP, "")
        terminal.answer("Which score? 0-1, ? for help > ", "0.85")
        terminal.answer(KEEP, "")
        status, output = terminal.end()
    port, whole = map(json.loads, output.splitlines())
    assert status == 1
    assert (port["score"], port["verdict"], port["judge"]["kind"]) == (0.7, "borderline", "manual")
    assert [(each["id"], each["reasoning"]) for each in port["criteria"]] == [
        ("names-port", "it says 443"),
        ("depth", "for TLS is enough"),
    ]
    assert port["scorecard"]["final_score"] == 7.5
    assert port["scorecard"]["deductions"][0]["explanation"] == "port 80"
    assert (whole["score"], whole["verdict"]) == (0.85, "pass")


@pytest.mark.parametrize(
    "words", [pytest.param("q\n", marks=pytest.mark.slow), CONTROL_C, pytest.param(CONTROL_D, marks=pytest.mark.slow)]
)
def test_stopping_keeps_what_was_judged_and_resuming_asks_for_the_rest(three: Project, words: str) -> None:
    """By `q`, Ctrl-C or Ctrl-D."""
    with three.at_terminal("grade", "--format", "jsonl") as terminal:
        assert "case-00 · rubric" in terminal.expect(MET)
        terminal.type("y\n")
        terminal.answer(KEEP, "")
        assert "case-01 · rubric" in terminal.expect(MET)
        terminal.type(words)
        status, output = terminal.end()
    assert (status, [json.loads(line)["eval_id"] for line in output.splitlines()]) == (130, ["case-00"])
    assert "Stopped with 1 of 3 cases graded; --resume continues from there." in plain(terminal.shown)
    with three.at_terminal("grade", "--resume", "--format", "jsonl") as terminal:
        assert "case-01 · rubric" in terminal.expect(MET)
        terminal.type("n\n")
        terminal.answer(KEEP, "")
        judge(terminal, "y")
        status, output = terminal.end()
    assert status == 1
    assert [json.loads(line)["verdict"] for line in output.splitlines()] == ["pass", "fail", "pass"]
    assert "Plan: 3 cases; 1 result taken over, 2 questions for manual" in plain(terminal.shown)


@pytest.mark.slow
def test_a_skipped_case_is_an_error_and_the_others_go_on(three: Project) -> None:
    """It has no result, and the run says so."""
    with three.at_terminal("grade", "--format", "jsonl") as terminal:
        terminal.answer(MET, "s")
        judge(terminal, "y")
        judge(terminal, "y")
        status, output = terminal.end()
    first, second, third = map(json.loads, output.splitlines())
    assert (status, second["verdict"], third["verdict"]) == (2, "pass", "pass")
    assert "The case was skipped by the person who judges." in first["error"]


@pytest.mark.slow
def test_a_person_is_asked_again_unless_a_run_goes_on(three: Project) -> None:
    """Who starts anew wants to judge anew."""
    for verdict in ("y", "n"):
        with three.at_terminal("grade", "--case", "case-00", "--format", "json") as terminal:
            judge(terminal, verdict)
            _, output = terminal.end()
        assert json.loads(output)["verdict"] == {"y": "pass", "n": "fail"}[verdict]


@pytest.mark.slow
def test_the_agreement_of_a_model_with_the_person(three: Project) -> None:
    """Both judged the same answers; of three verdicts two are the same."""
    with three.at_terminal("grade") as terminal:
        for verdict in ("y", "n", "y"):
            judge(terminal, verdict)
        terminal.end()
    with ModelServer(lambda _: met()) as server:
        three.judged_by(server.base_url)
        assert three.grade().status == 0
    told = three.run("agreement", "--format", "json").json
    (model,) = told["judges"]
    assert model["judge"]["name"] == "mini"
    assert model["pairs"] == 3
    assert model["checklist"]["agreement"] == pytest.approx(2 / 3)


def test_progress_is_shown_on_a_terminal_and_taken_away(three: Project) -> None:
    """How many are done and what became of them; standard output stays clean."""
    with ModelServer(lambda asked: met() if case_in(asked.prompt) < "case-02" else "nonsense") as server:
        three.judged_by(server.base_url)
        with three.at_terminal("grade", "--format", "jsonl", "--concurrency", "1") as terminal:
            status, output = terminal.end()
    assert (status, len(output.splitlines())) == (2, 3)
    assert "3 of 3 cases: 2 pass, 0 borderline, 0 fail, 1 error; 185 tokens" in plain(terminal.shown)
    assert terminal.shown.endswith("\r\x1b[1A\x1b[2K")


def test_quiet_shows_no_progress(three: Project) -> None:
    """Not even the plan."""
    with ModelServer(lambda _: met()) as server:
        three.judged_by(server.base_url)
        with three.at_terminal("grade", "--quiet") as terminal:
            terminal.end()
    assert terminal.shown == ""


@pytest.mark.parametrize("options", [[], ["--no-cache"]])
def test_a_script_that_runs_again_does_not_ask_a_person_again(project: Project, options: list[str]) -> None:
    """What they judged is taken over; only the script, whose inputs are not all known, is run again."""
    project.write("run.sh", "echo x >> runs; exit 0\n")
    script = "evaluators: [{name: runs, type: code_judge, script: [sh, run.sh]}]"
    project.write("all.eval.yaml", numbered_cases(1, f"rubrics: [It is right], {script}"))
    project.write("all.answers.json", numbered_answers(1))
    with project.at_terminal("grade", "--format", "jsonl") as terminal:
        judge(terminal, "y")
        assert terminal.end()[0] == 0
    with project.at_terminal("grade", "--resume", "--format", "json", *options) as terminal:
        status, output = terminal.end()
    assert (status, json.loads(output)["verdict"]) == (0, "pass")
    assert (project.folder / "runs").read_text().split() == ["x", "x"]
