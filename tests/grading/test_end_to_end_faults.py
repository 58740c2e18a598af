"""Servers and commands that misbehave: every case has a result, nothing is waited for without end, nothing is left."""

from __future__ import annotations

import json
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from model_server import ModelServer
from projects import Project, case_in, ended, met, numbered_answers, numbered_cases, processes_with
from scripted_server import answer, raw
from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from model_server import Asked
    from scripted_server import Step

# Each of these starts real processes.
pytestmark = pytest.mark.slow

BUSY = answer({"error": {"message": "Slow down."}}, 429, retry_after="0")
BROKEN = answer({"error": {"message": "Oh no."}}, 500)
UNAVAILABLE = answer(b"<html>gateway</html>", 503)
CLOSED = raw(b"")
CUT = raw(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{")
GARBAGE = raw(b"\x00\xff not HTTP at all\r\n\r\n")
NO_JSON = answer(b"<html>login</html>")
REFUSED = answer({"error": {"message": "No such key."}}, 401)

TROUBLES: dict[str, tuple[Step, bool, str]] = {
    # What is said, whether it is tried again, and what the result says where it stays like that.
    "429 with Retry-After": (BUSY, True, "429"),
    "500": (BROKEN, True, "500"),
    "503 as a page": (UNAVAILABLE, True, "503"),
    "a closed connection": (CLOSED, True, "closed"),
    "a reply that is cut off": (CUT, True, ""),
    "no HTTP": (GARBAGE, False, ""),
    "no JSON": (NO_JSON, False, "JSON"),
    "401": (REFUSED, False, "401"),
}
NAMES = list(TROUBLES)
ONCE, ALWAYS = "once", "always"
CONCURRENCY = 8
RETRIES = 2

Troubled = tuple[dict[str, dict[str, object]], dict[str, int]]
"""The results, and how many requests there were for each case."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return an empty project."""
    return Project(tmp_path / "work")


# A kept connection that breaks when it is used again was perhaps broken before, so that it counts as no attempt. What
# follows is sent on a new one.
ON_KEPT_CONNECTIONS = frozenset({"a closed connection", "no HTTP"})


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Troubled:
    """Grade two cases for each trouble: it is over after the first request, and it stays."""
    project = Project(tmp_path_factory.mktemp("troubled") / "work")
    count = 2 * len(NAMES)
    project.write("all.eval.yaml", numbered_cases(count))
    project.write("all.answers.json", numbered_answers(count))
    requests: dict[str, int] = {}

    def respond(asked: Asked) -> str | Step:
        case = case_in(asked.prompt)
        requests[case] = requests.get(case, 0) + 1
        number = int(case.removeprefix("case-"))
        is_over = number < len(NAMES) and requests[case] > 1
        return met() if is_over else TROUBLES[NAMES[number % len(NAMES)]][0]

    with ModelServer(respond) as server:
        project.judged_by(server.base_url, max_retries=RETRIES)
        ran = project.grade("--format", "jsonl", "--concurrency", str(CONCURRENCY))
    assert ran.status == 2
    return ran.results, requests


def case_of(name: str, how: str) -> str:
    """Return the id of the case with a trouble."""
    return f"case-{NAMES.index(name) + (len(NAMES) if how == ALWAYS else 0):02}"


@pytest.mark.parametrize("name", NAMES)
def test_what_passes_is_tried_again(troubled: Troubled, name: str) -> None:
    """And what will not change is an error at once."""
    results, requests = troubled
    case = case_of(name, ONCE)
    found = results[case]["verdict"], requests[case]
    if TROUBLES[name][1]:
        assert found == ("pass", 2)
    else:
        assert found == (None, 1) or (name in ON_KEPT_CONNECTIONS and found == ("pass", 2))


@pytest.mark.parametrize("name", NAMES)
def test_what_stays_is_an_error(troubled: Troubled, name: str) -> None:
    """After the retries that were allowed, in words that say what happened."""
    results, requests = troubled
    case = case_of(name, ALWAYS)
    _, is_retried, words = TROUBLES[name]
    least = 1 + RETRIES if is_retried else 1
    assert least <= requests[case] <= least * (2 if name in ON_KEPT_CONNECTIONS else 1)
    assert (results[case]["score"], results[case]["verdict"]) == (None, None)
    assert words in str(results[case]["error"])
    assert str(results[case]["error"]).startswith("rubric: ")


def test_a_server_that_is_not_there_is_an_error(project: Project) -> None:
    """Of each case, with the address."""
    project.write("all.eval.yaml", numbered_cases(2))
    project.write("all.answers.json", numbered_answers(2))
    project.judged_by("http://127.0.0.1:9/v1", max_retries=1)
    ran = project.grade("--format", "jsonl")
    assert ran.status == 2
    assert all("127.0.0.1:9" in result["error"] for result in ran.results.values())


def test_a_server_that_never_answers_is_an_error_in_time(project: Project) -> None:
    """The time limit is that of the judge; the cases that were answered have their results."""
    project.write("all.eval.yaml", numbered_cases(3))
    project.write("all.answers.json", numbered_answers(3))
    with ModelServer(lambda asked: server.hang() if case_in(asked.prompt) == "case-01" else met()) as server:
        project.judged_by(server.base_url, timeout=1, max_retries=0)
        ran = project.grade("--format", "jsonl")
        server.wait_until(lambda each: each.closed_early == 1)
    assert [result["verdict"] for result in ran.results.values()] == ["pass", None, "pass"]
    assert "within 1 s." in ran.results["case-01"]["error"]


SLEEPER = """\
import os, signal, subprocess, sys, time
if sys.argv[2:] == ["stubborn"]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]])
if os.fork() == 0:
    time.sleep(600)
open("started-" + sys.argv[1], "w").close()
time.sleep(600)
"""


def sleeping_judge(project: Project, marker: str, *more: str, timeout: float = 300) -> None:
    """Let a command judge that starts children, and sleeps with them."""
    project.write("sleeper.py", SLEEPER)
    project.write("all.eval.yaml", numbered_cases(1))
    project.write("all.answers.json", numbered_answers(1))
    command = json.dumps([sys.executable, "sleeper.py", marker, *more])
    project.write(
        "rubric.toml",
        f'judge = "sleeper"\n[judges.sleeper]\nprovider = "command"\ncommand = {command}\ntimeout = {timeout}\n',
    )


def until(reached: Callable[[], bool]) -> None:
    """Wait until something is so; nobody tells when."""
    deadline = time.monotonic() + TIMEOUT
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def marker(tmp_path: Path) -> str:
    """Return words that are in the command line of this test's processes only."""
    return f"marker-{abs(hash(str(tmp_path)))}"


@pytest.mark.slow
def test_a_judge_that_takes_too_long_ends_with_all_its_children(project: Project, marker: str) -> None:
    """The case is an error that tells the limit."""
    sleeping_judge(project, marker, timeout=1.5)
    ran = project.grade("--format", "json")
    assert (ran.status, ran.json["verdict"]) == (2, None)
    assert "took longer than 1.5 seconds" in ran.json["error"]
    assert processes_with(marker) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "more"),
    [(signal.SIGINT, []), (signal.SIGTERM, []), (signal.SIGHUP, []), (signal.SIGINT, ["stubborn"])],
)
def test_stopping_ends_the_judge_with_all_its_children(
    project: Project, marker: str, how: signal.Signals, more: list[str]
) -> None:
    """Also those that will not be asked, and also where a person is impatient."""
    sleeping_judge(project, marker, *more)
    process = project.start("grade", "--format", "jsonl")
    until((project.folder / f"started-{marker}").exists)
    # The arguments of a process can be read only a moment after it was started.
    until(lambda: len(processes_with(marker)) == 3)
    process.send_signal(how)
    if more:
        time.sleep(0.2)
        process.send_signal(how)
    ran = ended(process)
    assert (ran.status, ran.stdout) == (130, "")
    assert "Stopped with 0 of 1 case graded; --resume continues from there." in ran.stderr
    assert processes_with(marker) == []


@pytest.mark.slow
def test_stopping_ends_a_code_judge_with_all_its_children(project: Project, marker: str) -> None:
    """It is a command like any other."""
    project.write("sleeper.py", SLEEPER)
    judge = f"evaluators: [{{name: runs, type: code_judge, script: [{sys.executable}, sleeper.py, {marker}]}}]"
    project.write("all.eval.yaml", numbered_cases(1, judge))
    project.write("all.answers.json", numbered_answers(1))
    process = project.start("grade")
    until((project.folder / f"started-{marker}").exists)
    process.send_signal(signal.SIGINT)
    assert ended(process).status == 130
    assert processes_with(marker) == []
