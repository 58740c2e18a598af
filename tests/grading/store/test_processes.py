"""Real processes: several share one store, and one may be killed at any moment."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from graded import a_judgement

from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Each of these starts real processes.
pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
WRITER = Path(__file__).with_name("writer.py")
MANY = 100_000

Start: TypeAlias = "Callable[[str, int], subprocess.Popen[str]]"


@pytest.fixture
def start(project: Path) -> Iterator[Start]:
    """Give a function that starts a writer and waits until it is ready; what still runs at the end is killed."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests/support/results")])
    with ExitStack() as started:

        def begin(name: str, count: int) -> subprocess.Popen[str]:
            running = subprocess.Popen(
                [sys.executable, str(WRITER), str(project / ".rubric"), name, str(count)],
                env={**os.environ, "PYTHONPATH": paths},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            started.enter_context(running)
            started.callback(running.kill)
            assert running.stdout is not None
            assert running.stdout.readline() == "ready\n"
            return running

        yield begin


def _go(running: subprocess.Popen[str]) -> None:
    assert running.stdin is not None
    running.stdin.write("\n")
    running.stdin.flush()


def _is_sound(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _reported(lines: list[str]) -> list[tuple[int, int]]:
    """Return the runs and places that were reported in whole lines."""
    return [(int(run), int(place)) for run, place in (line.split() for line in lines if line.endswith("\n"))]


def _assert_kept(store: Store, reported: list[tuple[int, int]]) -> None:
    for run in {run for run, _ in reported}:
        kept = {result.eval_id for result in store.results_of(run)}
        assert {f"case-{place}" for _, place in reported} <= kept


@pytest.mark.parametrize("lines", [0, 1, 7, 40, 150])
def test_killing_the_process_loses_nothing_that_was_reported(project: Path, start: Start, lines: int) -> None:
    """Not even the last one; the database is sound, and the next process goes on with it."""
    writer = start("killed", MANY)
    _go(writer)
    assert writer.stdout is not None
    told = [writer.stdout.readline() for _ in range(lines)]
    writer.kill()
    told += writer.stdout.readlines()
    writer.wait()
    reported = _reported(told)
    assert len(reported) >= lines
    with Store.open(project / ".rubric") as store:
        for _, place in reported:
            assert store.get(f"killed-{place}") == a_judgement(place, id=f"killed-{place}", key=f"killed-{place}")
        _assert_kept(store, reported)
        for run in store.runs():
            assert not run.finished
            # A result and its evaluation are kept together or not at all.
            assert run.kept == len(store.history_of("review", MANY))
            settled = store.settle_history(run.id)
            assert len(settled) == run.kept
        store.put(a_judgement(1))
    assert _is_sound(project / ".rubric" / "rubric.db")


def test_two_processes_share_one_store(project: Path, start: Start) -> None:
    """Both write at the same time, into one history, and neither waits in vain."""
    count = 80
    writers = [start(name, count) for name in ("left", "right")]
    for writer in writers:
        _go(writer)
    ends = [writer.communicate() for writer in writers]
    assert [(writer.returncode, errors) for writer, (_, errors) in zip(writers, ends, strict=True)] == [(0, "")] * 2
    with Store.open(project / ".rubric") as store:
        assert sorted((run.command, run.kept, run.finished) for run in store.runs()) == [
            ("left", count, True),
            ("right", count, True),
        ]
        for run in store.runs():
            results = store.results_of(run.id)
            assert [result.eval_id for result in results] == [f"case-{place}" for place in range(count)]
            assert {result.dataset for result in results} == {run.command}
            assert all(store.get(f"{run.command}-{place}") for place in range(count))
        assert len({each.id for each in store.history_of("review", MANY)}) == 2 * count
    assert _is_sound(project / ".rubric" / "rubric.db")


@pytest.mark.slow
def test_many_processes_make_one_store_at_once(project: Path, start: Start) -> None:
    """Each of them opens a store that is not there yet; one makes it, and all can use it."""
    names = [f"process-{number}" for number in range(8)]
    writers = [start(name, 2) for name in names]
    for writer in writers:
        _go(writer)
    ends = [writer.communicate() for writer in writers]
    assert [errors for _, errors in ends] == [""] * len(names)
    with Store.open(project / ".rubric") as store:
        assert sorted(run.command for run in store.runs()) == names
        assert all(run.finished for run in store.runs())
    assert _is_sound(project / ".rubric" / "rubric.db")


@pytest.mark.slow
@pytest.mark.parametrize("size", [60, 130, 300])
def test_a_disk_quota_is_a_full_disk_too(project: Path, start: Start, size: int) -> None:
    """A file that may not grow any further ends the run with a sentence; what was reported is there."""
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("Only Linux limits what another process may write.")
    writer = start("limited", MANY)
    resource.prlimit(writer.pid, resource.RLIMIT_FSIZE, (size * 1024, size * 1024))
    _go(writer)
    told, errors = writer.communicate()
    assert "CannotGrade: The store" in errors
    assert "cannot be written" in errors
    with Store.open(project / ".rubric") as store:
        _assert_kept(store, _reported(told.splitlines(keepends=True)))
    assert _is_sound(project / ".rubric" / "rubric.db")
