"""`rubric grade` that is stopped, killed, or run twice at once: nothing that was judged is lost or asked for again."""

from __future__ import annotations

import json
import signal
import sqlite3
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from model_server import ModelServer
from projects import Project, Ran, case_in, ended, met, numbered_answers, numbered_cases

if TYPE_CHECKING:
    from pathlib import Path

    from model_server import Asked
    from scripted_server import Step

# Each of these starts real processes.
pytestmark = pytest.mark.slow

CASES = 30
JUDGED = 10
CONCURRENCY = 4


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project with thirty cases and their answers."""
    project = Project(tmp_path / "work")
    project.write("all.eval.yaml", numbered_cases(CASES))
    project.write("all.answers.json", numbered_answers(CASES))
    return project


class Judging(ModelServer):
    """A judge that answers so many cases and hangs with all others, until it is told to go on."""

    def __init__(self, judged: int = JUDGED) -> None:
        super().__init__(self._said)
        self._left = judged

    def go_on(self) -> None:
        """Answer everything from now on."""
        self._left = CASES * CASES

    def _said(self, _asked: Asked) -> str | Step:
        self._left -= 1
        return met() if self._left >= 0 else self.hang()

    def until_stuck(self) -> None:
        """Wait until nothing more can happen: each result has been kept before its place asks again."""
        self.wait_until(lambda server: len(server.asked) == JUDGED + CONCURRENCY)


def results_in(project: Project) -> list[dict[str, Any]]:
    """Return all results in the store, in the order in which they were kept."""
    with closing(sqlite3.connect(project.folder / ".rubric" / "rubric.db")) as store:
        return [json.loads(text) for (text,) in store.execute("SELECT result FROM results ORDER BY number")]


def judgements_in(project: Project) -> int:
    """Return how many judgements are in the store."""
    with closing(sqlite3.connect(project.folder / ".rubric" / "rubric.db")) as store:
        count: int = store.execute("SELECT count(*) FROM judgements").fetchone()[0]
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return count


def stopped(project: Project, server: Judging, how: signal.Signals, *options: str) -> Ran:
    """Start a run, let some cases be judged, and end it."""
    process = project.start("grade", "--concurrency", str(CONCURRENCY), "--format", "jsonl", *options)
    server.until_stuck()
    process.send_signal(how)
    return ended(process)


def resumed(project: Project, server: Judging, *options: str) -> list[str]:
    """Go on with a run, and return the ids of the cases that were asked about."""
    before = len(server.asked)
    server.go_on()
    ran = project.grade("--resume", "--format", "jsonl", *options)
    assert (ran.status, len(ran.results)) == (0, CASES), ran.stderr
    assert list(ran.results) == sorted(ran.results)
    return sorted(case_in(asked.prompt) for asked in server.asked[before:])


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_stopping_keeps_and_reports_everything_that_was_judged(project: Project, how: signal.Signals) -> None:
    """The connections are closed, the status tells that it was stopped, and the rest is asked for later."""
    with Judging() as server:
        project.judged_by(server.base_url)
        ran = stopped(project, server, how)
        server.wait_until(lambda each: each.closed_early == CONCURRENCY)
        assert ran.status == 130
        assert ran.stderr.splitlines()[-1] == (
            f"Stopped with {JUDGED} of {CASES} cases graded; --resume continues from there."
        )
        judged = sorted(ran.results)
        assert len(judged) == JUDGED
        assert sorted(result["eval_id"] for result in results_in(project)) == judged
        asked = resumed(project, server)
    assert asked == sorted(set(numbered_answers(CASES)) - set(judged))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal.")
def test_what_is_ignored_stays_ignored(project: Project) -> None:
    """`nohup rubric grade` goes on when the terminal is closed."""
    nohup = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from rubric_core.cli.main import main; main()"
    with Judging() as server:
        project.judged_by(server.base_url, timeout=1)
        process = project.start("grade", "--concurrency", str(CONCURRENCY), "--format", "jsonl", code=nohup)
        server.until_stuck()
        process.send_signal(signal.SIGHUP)
        server.go_on()
        ran = ended(process)
    # The judge left four questions without a reply; all others were judged.
    assert [result["verdict"] for result in ran.results.values()].count("pass") == CASES - CONCURRENCY
    assert "Stopped" not in ran.stderr


def test_killing_loses_nothing_that_was_judged(project: Project) -> None:
    """There is no report, but the store is whole, and a later run asks only for the rest."""
    with Judging() as server:
        project.judged_by(server.base_url)
        ran = stopped(project, server, signal.SIGKILL)
        assert (ran.status, ran.stdout) == (-signal.SIGKILL, "")
        judged = [result["eval_id"] for result in results_in(project)]
        assert (len(judged), judgements_in(project)) == (JUDGED, JUDGED)
        asked = resumed(project, server)
    assert asked == sorted(set(numbered_answers(CASES)) - set(judged))


@pytest.mark.slow
def test_without_the_memory_resuming_still_takes_results_over(project: Project) -> None:
    """`--no-cache` asks again, but a result that is there is not asked for."""
    with Judging() as server:
        project.judged_by(server.base_url)
        stopped(project, server, signal.SIGINT)
        assert len(resumed(project, server, "--no-cache")) == CASES - JUDGED


@pytest.mark.slow
def test_a_case_that_was_judged_in_part_is_asked_for_the_rest(project: Project) -> None:
    """One judgement of three samples was there when the run was stopped, and stays."""
    project.write("all.eval.yaml", numbered_cases(1))
    with Judging(judged=1) as server:
        project.judged_by(server.base_url)
        process = project.start("grade", "--samples", "3", "--format", "jsonl")
        server.wait_until(lambda each: len(each.asked) == 3)
        while judgements_in(project) == 0:
            # Nobody tells when a judgement is kept.
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert ended(process).stdout == ""
        before = len(server.asked)
        server.go_on()
        ran = project.grade("--samples", "3", "--resume", "--format", "json")
        assert (ran.json["verdict"], ran.json["usage"]["calls"], ran.json["usage"]["remembered"]) == ("pass", 2, 1)
        assert len(server.asked) == before + 2


@pytest.mark.slow
def test_what_a_target_answered_is_not_asked_for_again(project: Project) -> None:
    """A result that is taken over needs no answer."""
    (project.folder / "all.answers.json").unlink()
    answered: list[str] = []

    def respond(asked: Asked) -> str | Step:
        if "BEGIN ANSWER" in asked.prompt:
            return met() if len(answered) <= JUDGED else server.hang()
        answered.append(case_in(asked.prompt))
        return "Done."

    with ModelServer(respond) as server:
        project.judged_by(server.base_url)
        config = (project.folder / "rubric.toml").read_text(encoding="utf-8")
        project.write("rubric.toml", config + config[config.index("[judges.mini]") :].replace("judges", "targets"))
        given = ("--target", "mini", "--format", "jsonl", "--concurrency", "1")
        process = project.start("grade", *given)
        server.wait_until(lambda _: len(answered) == JUDGED + 1)
        process.send_signal(signal.SIGINT)
        judged = sorted(ended(process).results)
        assert judged == [f"case-{number:02}" for number in range(JUDGED)]
        answered[JUDGED:] = []
        server.respond = lambda asked: met() if "BEGIN ANSWER" in asked.prompt else answered.append("") or "Done."
        ran = project.grade(*given, "--resume")
        assert (ran.status, len(ran.results)) == (0, CASES)
        assert len(answered) == CASES


@pytest.mark.slow
def test_two_runs_at_once_share_one_store(project: Project) -> None:
    """Each has its own results, all of them."""
    with Judging(judged=CASES * CASES) as server:
        project.judged_by(server.base_url)
        both = [project.start("grade", "--format", "jsonl", "--no-cache") for _ in range(2)]
        for process in both:
            ran = ended(process)
            assert (ran.status, len(ran.results)) == (0, CASES), ran.stderr
    assert len(results_in(project)) == 2 * CASES
    assert judgements_in(project) == 2 * CASES


class TestStoreThatFails:
    """A store that cannot be used is reported in one sentence, before anything is asked where that is possible."""

    def grade(self, project: Project, *options: str) -> tuple[Ran, int]:
        """Grade, and return how it went and how many questions were asked."""
        with Judging(judged=CASES * CASES) as server:
            project.judged_by(server.base_url)
            return project.grade("--format", "jsonl", *options), len(server.asked)

    def test_a_file_in_the_place_of_the_folder(self, project: Project) -> None:
        """Nothing is overwritten."""
        project.write(".rubric", "Mine.")
        ran, asked = self.grade(project)
        assert (ran.status, ran.stdout, asked) == (2, "", 0)
        assert "The store cannot be made in " in ran.stderr
        assert (project.folder / ".rubric").read_text(encoding="utf-8") == "Mine."

    @pytest.mark.skipif(sys.platform != "linux", reason="The folder that nobody can write is Linux's.")
    def test_a_folder_that_cannot_be_written(self, project: Project) -> None:
        """Not even by the administrator."""
        (project.folder / ".rubric").symlink_to("/proc/self")
        ran, asked = self.grade(project)
        assert (ran.status, ran.stdout, asked) == (2, "", 0)
        assert "make the folder writable" in ran.stderr

    @pytest.mark.slow
    def test_a_file_that_is_no_database(self, project: Project) -> None:
        """It stays as it is."""
        project.write(".rubric/rubric.db", "These are notes, and they are long enough to look like a page. " * 50)
        ran, asked = self.grade(project)
        assert (ran.status, ran.stdout, asked) == (2, "", 0)
        assert "is damaged (file is not a database): move it" in ran.stderr

    @pytest.mark.slow
    def test_a_store_of_a_later_version(self, project: Project) -> None:
        """It is not touched."""
        project.write(".rubric/rubric.db", "")
        with closing(sqlite3.connect(project.folder / ".rubric" / "rubric.db")) as store:
            store.execute("PRAGMA user_version = 99")
        ran, asked = self.grade(project)
        assert (ran.status, ran.stdout, asked) == (2, "", 0)
        assert "has version 99" in ran.stderr

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files.")
    def test_a_disk_that_becomes_full(self, project: Project) -> None:
        """The run ends with the reason; what was kept before is kept, and the next run goes on from there."""
        limited = (
            "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY)); "
            "from rubric_core.cli.main import main; main()"
        )
        with Judging(judged=CASES * CASES) as server:
            project.judged_by(server.base_url)
            process = project.start("grade", "--format", "jsonl", "--concurrency", "1", code=limited)
            ran = ended(process)
            assert (ran.status, ran.stdout) == (2, "")
            assert "Traceback" not in ran.stderr
            assert "What was kept before stays in it." in ran.stderr
            asked = [case_in(each.prompt) for each in server.asked]
            kept = [result["eval_id"] for result in results_in(project)]
            assert 0 < len(kept) < CASES
            assert kept == asked[: len(kept)]
            # One judgement at most could not be kept: the one that found the disk full.
            judgements = judgements_in(project)
            assert len(kept) <= judgements <= len(asked) <= judgements + 1
            assert resumed(project, server) == [f"case-{number:02}" for number in range(judgements, CASES)]
