"""Working on many files."""

from __future__ import annotations

import os
import pickle
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.cli import parallel, workers
from rubric_core.cli.check_file import CheckOutcome, check_file, lost_file
from rubric_core.cli.inputs import ConfigRequest, InputFile
from rubric_core.cli.parallel import WORTH_A_POOL, can_fork, processes_for, run_all
from rubric_core.files.walk import NOT_AN_EVAL_FILE
from rubric_core.report.reports import fixes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Functions that go to another process must be importable there, which a test file is not.
ABSOLUTE = abs
DIE = os._exit


@pytest.mark.parametrize(
    ("sizes", "jobs", "expected"),
    [
        ([], 4, 1),
        ([100], 4, 1),
        ([100, 100], 4, 1),
        ([WORTH_A_POOL], 4, 1),
        ([WORTH_A_POOL, 1], 4, 2),
        ([WORTH_A_POOL * 100, 1, 1], 8, 3),
        ([WORTH_A_POOL * 10] * 100, 1, 1),
        ([WORTH_A_POOL * 10] * 100, 6, 6),
    ],
)
def test_processes_are_started_only_where_they_pay(sizes: list[int], jobs: int, expected: int) -> None:
    """Small runs stay in one process, and nobody gets more than allowed or than there are files."""
    assert processes_for(sizes, jobs) == expected


def test_without_a_number_there_is_a_process_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that this process may use, where the system tells."""
    sizes = [WORTH_A_POOL] * 1000
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {1, 2, 3}, raising=False)
    assert processes_for(sizes, None) == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert processes_for(sizes, None) == 5


@pytest.fixture(params=[True, False], ids=["copies", "pool"])
def _with_and_without_fork(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test in copies of this process, and in a pool as where there are none."""
    if request.param and not can_fork():
        pytest.skip("This system cannot copy a process.")
    monkeypatch.setattr(parallel, "can_fork", lambda: request.param)


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.usefixtures("_with_and_without_fork")
def test_each_item_has_its_result(processes: int) -> None:
    """Whichever is done first."""
    items = [-3, 2, -1, 0]
    assert dict(run_all(ABSOLUTE, ABSOLUTE, items, processes)) == {0: 3, 1: 2, 2: 1, 3: 0}


@pytest.mark.usefixtures("_with_and_without_fork")
def test_a_process_that_dies_costs_a_sentence_not_the_run() -> None:
    """Whoever is out of memory still gets an answer for each file."""
    assert dict(run_all(DIE, str, [1, 2, 3], 2)) == {0: "1", 1: "2", 2: "3"}


def test_a_pool_that_breaks_before_all_items_are_submitted_loses_only_those(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker may die while the later items are still being submitted."""
    monkeypatch.setattr(parallel, "can_fork", lambda: False)
    submit = ProcessPoolExecutor.submit

    def submit_until_broken(pool: ProcessPoolExecutor, work: Any, item: int) -> Any:
        if item == 3:
            raise BrokenProcessPool
        return submit(pool, work, item)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit_until_broken)
    assert dict(run_all(ABSOLUTE, str, [-1, 2, 3], 2)) == {0: 1, 1: 2, 2: "3"}


@pytest.mark.skipif(not can_fork(), reason="This system cannot copy a process.")
def test_without_a_further_process_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full process table costs time, not the check."""
    monkeypatch.setattr(os, "fork", lambda: (_ for _ in ()).throw(OSError("no more processes")))
    assert list(run_all(ABSOLUTE, ABSOLUTE, [-3, 2], 2)) == [(0, 3), (1, 2)]


@pytest.mark.skipif(not can_fork(), reason="This system cannot copy a process.")
def test_no_process_is_left_when_nobody_waits_for_the_rest() -> None:
    """Neither one that works nor one that waits for work."""
    before = _children()
    results = run_all(time.sleep, lambda _item: None, [0, 600, 600], 2)
    assert next(results) == (0, None)
    results.close()  # type: ignore[attr-defined]
    assert _children() <= before


def _children() -> set[str]:
    """Return the processes of this one; other tests may have left some."""
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text("ascii").split())


def test_a_lost_file_is_a_failure(folder: Path) -> None:
    """The sentence says what to try."""
    outcome = lost_file(InputFile(folder / "a.yaml", "a.yaml", True, 0))
    assert "--jobs 1" in (outcome.failure or "")


@pytest.mark.parametrize("with_fixes", [True, False])
def test_an_outcome_can_go_to_another_process(folder: Path, texts: Any, with_fixes: bool) -> None:  # noqa: FBT001 - a column.
    """With its fixes only where they will be shown."""
    path = folder / "a.yaml"
    path.write_text(texts.inverted)
    request = ConfigRequest(select=frozenset({"RB104"}))
    check = partial(check_file, InputFile(path, "a.yaml", True, 0), request, with_fixes=with_fixes)
    outcome: CheckOutcome = pickle.loads(pickle.dumps(check()))  # noqa: S301 - our own bytes.
    assert outcome.report is not None
    assert outcome.report.text == texts.inverted
    (problem,) = outcome.report.problems
    assert bool(fixes_of(problem)) is with_fixes
    path.write_text(texts.good)
    assert check().report is not None
    path.write_text(texts.other)
    assert check() == CheckOutcome(note=NOT_AN_EVAL_FILE)


def test_a_worker_ends_at_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a traceback: the system's own handling, not Python's."""
    import signal  # noqa: PLC0415 - needed by this test only.

    asked: list[tuple[Any, Any]] = []
    collected: list[bool] = []
    monkeypatch.setattr(parallel, "collect_seldom", lambda: collected.append(True))
    monkeypatch.setattr(signal, "signal", lambda *arguments: asked.append(arguments))
    parallel._start_worker()  # noqa: SLF001 - it runs in workers, where no test can look.
    assert asked == [(signal.SIGINT, signal.SIG_DFL)]
    assert collected == [True]


def _interrupted_after(function: Callable[..., Any], times: int) -> Callable[..., Any]:
    """Return the function, which is followed by Ctrl-C when it is called for the last of so many times."""
    left = [times]

    def interrupted(*arguments: Any) -> Any:
        result = function(*arguments)
        left[0] -= 1
        if left[0] == 0:
            signal.raise_signal(signal.SIGINT)
        return result

    return interrupted


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Let SIGINT interrupt, which it does not where the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not can_fork(), reason="This system cannot copy a process.")
@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize(
    ("module", "name", "times"),
    [
        (workers, "_start", 1),
        (workers, "_start", 2),
        (workers.Worker, "take", 1),
        (workers.Worker, "take", 3),
        (workers.Worker, "end", 1),
        (workers.pickle, "load", 1),
    ],
    ids=["first start", "second start", "first order", "order to an idle process", "end", "reply"],
)
def test_no_process_is_left_behind_wherever_the_interrupt_comes(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, times: int
) -> None:
    """A process that is left works on and keeps the output open, so that whoever reads it waits."""
    processes: list[int] = []
    fork = os.fork

    def noted() -> int:
        processes.append(fork())
        return processes[-1]

    monkeypatch.setattr(os, "fork", noted)
    monkeypatch.setattr(module, name, _interrupted_after(getattr(module, name), times))
    with pytest.raises(KeyboardInterrupt):
        for _ in workers.run_in_workers(_die_at_one, abs, [3, 2, 1, 0], 2):
            pass
    assert processes
    for process in processes:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


def _die_at_one(number: int) -> int:
    return DIE(9) if number == 1 else abs(number)
