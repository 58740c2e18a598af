"""A database that fails: the message says what to do, and what was kept stays kept."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from graded import MODEL, a_judgement, a_result, a_scorecard

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.store import database
from rubric_core.grading.store.database import transaction
from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

KEPT = "What was kept before stays in it."


def _damage_header(path: Path) -> None:
    path.write_bytes(b"Not a database, but somebody's notes." + path.read_bytes()[37:])


def _damage_pages(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * (path.stat().st_size - 4096))


@pytest.mark.parametrize("damage", [_damage_header, _damage_pages])
def test_a_damaged_database_is_left_as_it_is(project: Path, damage: Callable[[Path], None]) -> None:
    """The user is told to move it away; that is all it takes to go on."""
    with Store.open(project / ".rubric") as store:
        run = store.begin_run("rubric grade .", MODEL, 1)
        store.keep_result(run, 0, a_result(0))
        path = store.database
    damage(path)
    damaged = path.read_bytes()
    with pytest.raises(CannotGrade) as raised, Store.open(project / ".rubric") as store:
        store.results_of(run)
    assert f"The store {path} is damaged (" in raised.value.reason
    assert "away, and a new one is made" in raised.value.reason
    assert path.read_bytes() == damaged
    path.rename(project / "damaged.db")
    with Store.open(project / ".rubric") as store:
        assert store.runs() == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"eval_id": 7}'])
def test_a_result_that_is_none_is_damage(project: Path, text: str) -> None:
    """Whoever has written it, it was not this program."""
    run = _kept(project)
    with closing(_connected(project / ".rubric" / "rubric.db")) as other:
        other.execute("UPDATE results SET result = ?", (text,))
    with Store.open(project / ".rubric") as store:
        for read in (lambda: store.results_of(run), lambda: store.finished("fingerprint-0")):
            with pytest.raises(CannotGrade, match=r"is damaged \(malformed result, .+\): move it"):
                read()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("dimensions", value) for value in ("{", "[]", '{"safety": "9"}', '{"safety": 9.5}', b"\xff")),
        *(("composite", value) for value in ("nine", "NaN", "")),
        ("final_score", b"9"),
    ],
)
def test_an_evaluation_that_is_none_is_damage(project: Path, column: str, value: str | bytes) -> None:
    """Whoever has written it, it was not this program."""
    _kept(project)
    with closing(_connected(project / ".rubric" / "rubric.db")) as other:
        other.execute(f"UPDATE evaluations SET {column} = ?", (value,))  # noqa: S608 - a name from the table above.
    with Store.open(project / ".rubric") as store:
        for read in (lambda: store.history_of("review", 10), store.skills):
            with pytest.raises(CannotGrade, match=r"is damaged \(malformed evaluation, .+\): move it"):
                read()


WRITES: dict[str, Callable[[Store, int], object]] = {
    "put": lambda store, _: store.put(a_judgement(2)),
    "begin_run": lambda store, _: store.begin_run("rubric grade .", MODEL, 1),
    "keep_result": lambda store, run: store.keep_result(run, 1, a_result(1, scorecard=a_scorecard("new"))),
    "settle_history": lambda store, run: store.settle_history(run),
    "end_run": lambda store, run: store.end_run(run, finished=True),
}


def _kept(project: Path) -> int:
    """Keep something of everything, and return the run."""
    with Store.open(project / ".rubric") as store:
        run = store.begin_run("rubric grade .", MODEL, 1)
        store.put(a_judgement(1))
        store.keep_result(run, 0, a_result(0, scorecard=a_scorecard("first")))
    return run


def _opened_with(project: Path, pragma: str) -> Store:
    """Open the store with a connection that lacks something."""
    path = project / ".rubric" / "rubric.db"
    opened = database.connect(path)
    opened.execute(pragma)
    return Store(opened, path)


def _assert_nothing_changed(project: Path, run: int) -> None:
    with Store.open(project / ".rubric") as store:
        assert store.results_of(run) == (a_result(0, scorecard=a_scorecard("first")),)
        assert [each.id for each in store.history_of("review", 10)] == ["first"]
        assert (store.get("key-1"), store.get("key-2")) == (a_judgement(1), None)
        assert [each.ended for each in store.runs()] == [None]


@pytest.mark.parametrize("write", WRITES)
def test_a_database_that_cannot_be_written_says_so(project: Path, write: str) -> None:
    """And can still be read."""
    run = _kept(project)
    with _opened_with(project, "PRAGMA query_only = ON") as store:
        with pytest.raises(CannotGrade) as raised:
            WRITES[write](store, run)
        assert store.get("key-1") == a_judgement(1)
    assert raised.value.reason == (
        f"The store {store.database} cannot be written (attempt to write a readonly database): "
        f"make its folder, every file in that and the disk writable, and try again. {KEPT}"
    )
    _assert_nothing_changed(project, run)


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="The administrator may write everything.")
def test_a_read_only_file_says_so(project: Path) -> None:
    """As the system knows it."""
    _kept(project)
    (project / ".rubric" / "rubric.db").chmod(0o400)
    with pytest.raises(CannotGrade, match="cannot be written"), Store.open(project / ".rubric") as opened:
        opened.put(a_judgement(2))


@pytest.mark.parametrize("write", ["put", "keep_result"])
def test_a_full_disk_says_so(project: Path, write: str) -> None:
    """What did not fit is not there in part either."""
    run = _kept(project)
    large = "x" * 10_000
    kept = {
        "put": lambda store: store.put(a_judgement(2, text=large)),
        "keep_result": lambda store: store.keep_result(
            run, 1, a_result(1, candidate_answer=large, scorecard=a_scorecard("new"))
        ),
    }
    # The disk has room for what is there already.
    with _opened_with(project, "PRAGMA max_page_count = 1") as store, pytest.raises(CannotGrade) as raised:
        kept[write](store)
    assert raised.value.reason == (
        f"The store {store.database} cannot be written because the disk is full: make room, and try again. {KEPT}"
    )
    _assert_nothing_changed(project, run)


def test_something_else_in_the_place_of_the_database(project: Path) -> None:
    """A folder, for instance."""
    (project / ".rubric" / "rubric.db").mkdir(parents=True)
    with pytest.raises(CannotGrade, match=r"rubric\.db cannot be opened \(unable to open database file\): make it"):
        Store.open(project / ".rubric")


def test_the_database_of_somebody_else(project: Path) -> None:
    """Nothing is added to it."""
    (project / ".rubric").mkdir()
    path = project / ".rubric" / "rubric.db"
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE judgements (mine)")
    with pytest.raises(CannotGrade, match=r"cannot be used \(table judgements already exists\): move it away"):
        Store.open(project / ".rubric")
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nobody."""
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("write", WRITES)
def test_another_process_that_never_ends_its_writing(project: Path, write: str) -> None:
    """There is an end to waiting, and a sentence."""
    run = _kept(project)
    with Store.open(project / ".rubric") as store, closing(_connected(store.database)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CannotGrade) as raised:
            WRITES[write](store, run)
        assert store.get("key-1") == a_judgement(1)
        other.execute("ROLLBACK")
    assert raised.value.reason == (
        f"The store {store.database} has been in use by another process for 10 seconds: end it or wait, and try again. "
        f"{KEPT}"
    )
    _assert_nothing_changed(project, run)


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


@pytest.fixture
def reader(project: Path) -> Iterator[sqlite3.Connection]:
    """Be in the middle of reading a database that has no log ahead of it yet."""
    (project / ".rubric").mkdir()
    with closing(_connected(project / ".rubric" / "rubric.db")) as other:
        other.execute("CREATE TABLE notes (text)")
        other.execute("BEGIN")
        other.execute("SELECT * FROM notes")
        yield other


@pytest.mark.usefixtures("impatient", "reader")
def test_waiting_for_a_new_database_has_an_end(project: Path) -> None:
    """Changing to the log takes a moment in which nobody reads."""
    with pytest.raises(CannotGrade, match="has been in use by another process"):
        Store.open(project / ".rubric")


def test_a_new_database_is_there_once_the_other_is_done(
    project: Path, reader: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting for it is done in small steps."""
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.1)
    monkeypatch.setattr(database.time, "sleep", lambda _: reader.execute("COMMIT"))
    with Store.open(project / ".rubric") as store:
        assert store.runs() == ()


def test_what_sqlite_has_taken_back_itself_is_not_taken_back_again(store: Store) -> None:
    """After some faults of the disk there is no transaction any more."""

    def fail(other: sqlite3.Connection) -> None:
        other.execute("ROLLBACK")
        raise OSError("the disk")

    with closing(_connected(store.database)) as other, pytest.raises(OSError, match="the disk"), transaction(other):
        fail(other)


def test_a_mistake_of_ours_is_no_fault_of_the_database(store: Store) -> None:
    """A result of a run that was never begun is a programming error, and looks like one."""
    with pytest.raises(sqlite3.IntegrityError):
        store.keep_result(77, 0, a_result(0))


def test_being_stopped_in_the_middle_of_a_write_takes_it_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come at any moment; the store can be used after it."""
    run = store.begin_run("rubric grade .", MODEL, 1)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("rubric_core.grading.store.store._evaluation_row", stop)
        with pytest.raises(KeyboardInterrupt):
            store.keep_result(run, 0, a_result(0))
    assert store.results_of(run) == ()
    store.keep_result(run, 0, a_result(0))
    assert store.results_of(run) == (a_result(0),)
