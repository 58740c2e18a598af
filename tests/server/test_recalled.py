"""Verdicts that outlive the server: what the store knows is shown above the cases again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from grading_session import BAD, CLIENT, GOOD, PLAIN, TEXT, Session

from rubric_core.grading.store.store import Store
from rubric_core.grading.workspace import DATABASE, find_folder
from rubric_server.grading import stored_grades

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.results import CaseResult

REFRESHING = {**CLIENT, "workspace": {"applyEdit": True, "codeLens": {"refreshSupport": True}}}
REFRESH = "workspace/codeLens/refresh"


def verdicts(session: Session) -> dict[str, str]:
    """Return the verdict that is above each case, without its time."""
    found = session.client.request("textDocument/codeLens", {"textDocument": {"uri": session.uri}})
    shown = [lens["command"] for lens in found if lens["command"]["command"] == "rubric.showReport"]
    return {each["arguments"][0]["caseId"]: each["title"].partition(",")[0] for each in shown}


@pytest.fixture
def graded(tmp_path: Path) -> Session:
    """Return an editor in which both cases were graded, and closed."""
    session = Session(tmp_path)
    session.run(
        "gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge=session.replay({"short": BAD, "plain": PLAIN})
    )
    return session


def test_verdicts_are_there_after_a_restart(graded: Session) -> None:
    """They are read while the user reads; the client is asked to look again. Nothing is claimed of criteria."""
    session = Session(graded.file.parent, REFRESHING)
    assert verdicts(session) == {}
    session.client.wait_for(REFRESH)
    assert verdicts(session) == {"short": "fail 0.6", "plain": "fail 0"}
    assert session.found() == []
    assert len(session.client.of(REFRESH)) == 1


@pytest.mark.parametrize("way", ["lenses", "watched", "opened again"])
def test_what_was_graded_elsewhere_is_seen(graded: Session, way: str) -> None:
    """The newest counts, whoever graded: when the editor tells of the store, and when lenses are looked at again."""
    other = Session(graded.file.parent)
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
    session = Session(graded.file.parent, REFRESHING)
    verdicts(session)
    session.client.wait_for(REFRESH)
    assert verdicts(session)["short"] == "pass 0.9"
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": BAD}))
    if way == "watched":
        database = find_folder(graded.file.parent) / DATABASE
        session.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": database.as_uri(), "type": 2}]})
    elif way == "opened again":
        session.client.notify("textDocument/didClose", {"textDocument": {"uri": session.uri}})
        session.client.open(TEXT, session.uri)
    if way != "watched":
        verdicts(session)
    session.client.wait_for(REFRESH, 2)
    assert verdicts(session)["short"] == "fail 0.6"


def test_a_store_that_stays_as_it_is_is_read_once(graded: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading changes nothing in it, so it is not taken for a change."""
    session = Session(graded.file.parent, REFRESHING)
    verdicts(session)
    session.client.wait_for(REFRESH)
    began: list[str] = []
    monkeypatch.setattr(
        "rubric_server.grading.stored_grades.threading.Thread.start", lambda thread: began.append(thread.name)
    )
    for _ in range(3):
        assert verdicts(session) == {"short": "fail 0.6", "plain": "fail 0"}
    assert began == []


def test_a_store_that_is_made_later_is_found(tmp_path: Path) -> None:
    """There may be none when a file is opened."""
    session = Session(tmp_path, REFRESHING)
    assert verdicts(session) == {}
    session.client.until(lambda: session.client.server.grades.loaded_stores[session.uri])
    other = Session(tmp_path)
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
    verdicts(session)
    session.client.wait_for(REFRESH)
    assert verdicts(session) == {"short": "pass 0.9"}


def test_what_the_store_knows_does_not_replace_what_was_graded_here(graded: Session) -> None:
    """The same result, with all that is known of its criteria."""
    assert verdicts(graded)
    graded.client.notify("textDocument/didClose", {"textDocument": {"uri": graded.uri}})
    graded.client.open(TEXT, graded.uri)
    assert [each["code"] for each in graded.found()] == ["gate-failed", "gate-failed"]


def test_what_was_graded_elsewhere_takes_findings_away(graded: Session) -> None:
    """What is at the criteria is of the last grading, as the verdict is."""
    assert [each["code"] for each in graded.found()] == ["gate-failed", "gate-failed"]
    verdicts(graded)
    other = Session(graded.file.parent)
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
    graded.client.until(lambda: verdicts(graded)["short"] == "pass 0.9" or None)
    assert [each["message"].partition(":")[0] for each in graded.found()] == ["rubric-1"]


def test_a_verdict_that_comes_later_leaves_what_was_said_of_a_criterion(graded: Session) -> None:
    """A criterion may be graded before the store was ever read, in an editor without lenses."""
    session = Session(graded.file.parent)
    judge = session.replay({"short": BAD})
    session.run("gradeCriterion", caseId="short", criterionId="tone", answer="Hi", judge=judge)
    assert [each["code"] for each in session.found()] == ["gate-failed"]
    session.client.until(lambda: verdicts(session).get("short") == "fail 0.6" or None)
    session.client.change({"text": TEXT + "# More\n"}, 2, session.uri)
    assert [each["code"] for each in session.found()] == ["gate-failed"]


def test_a_run_that_ends_while_a_person_judges_is_seen(graded: Session) -> None:
    """Once they are done: until then the store changes with every result that is known already."""
    session = Session(graded.file.parent, REFRESHING)
    session.client.until(lambda: verdicts(session) or None)
    number = session.begin("gradeCase", caseId="plain", answer="Hi", judge="manual")
    session.client.wait_for("rubric/judge")
    other = Session(graded.file.parent)
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
    assert verdicts(session)["short"] == "fail 0.6"
    session.client.reply("rubric/judge", {"stopped": True})
    session.client.awaited(number)
    session.client.until(lambda: verdicts(session)["short"] == "pass 0.9" or None)


def test_a_run_that_ends_while_another_editor_has_the_store_open_is_seen(graded: Session) -> None:
    """The database stays as it is until then; what is new is in its log."""
    session = Session(graded.file.parent, REFRESHING)
    session.client.until(lambda: verdicts(session) or None)
    with Store.open(find_folder(graded.file.parent)) as store:
        assert store.runs()
        other = Session(graded.file.parent)
        other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
        session.client.until(lambda: verdicts(session)["short"] == "pass 0.9" or None)


def test_a_store_that_changes_while_it_is_read_is_read_again(graded: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the editor told of it in between is not forgotten."""
    read, go_on, reads = stored_grades._last_results, threading.Event(), []  # noqa: SLF001 - it is held up there.

    def slowly(path: str, database: Path) -> tuple[CaseResult, ...]:
        found = read(path, database)
        reads.append(found)
        assert go_on.wait(60)
        return found

    monkeypatch.setattr(stored_grades, "_last_results", slowly)
    session = Session(graded.file.parent, REFRESHING)
    verdicts(session)
    session.client.until(lambda: reads or None)
    other = Session(graded.file.parent)
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
    database = find_folder(graded.file.parent) / DATABASE
    session.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": database.as_uri(), "type": 2}]})
    go_on.set()
    session.client.wait_for(REFRESH, 2)
    assert verdicts(session)["short"] == "pass 0.9"


def test_a_store_that_fails_in_an_unforeseen_way_is_read_when_it_changes(
    graded: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is in the log, and the editor goes on."""
    session = Session(graded.file.parent, REFRESHING)
    with monkeypatch.context() as failing:
        failing.setattr(stored_grades, "_last_results", lambda *_: 1 / 0)
        verdicts(session)
        session.client.until(lambda: session.client.server.grades.loaded_stores[session.uri])
    assert "could not be read" in caplog.text
    other = Session(graded.file.parent)
    other.run("gradeCase", caseId="short", answer="Hi", judge=other.replay({"short": GOOD}))
    session.client.until(lambda: verdicts(session).get("short") == "pass 0.9" or None)


def test_a_project_inside_of_the_open_folder_has_its_own_store(tmp_path: Path) -> None:
    """It is the one that the command line uses there."""
    inner = tmp_path / "pkg"
    inner.mkdir()
    (tmp_path / ".git").mkdir()
    Session(inner).run("gradeCase", caseId="short", answer="Hi", judge=Session(inner).replay({"short": GOOD}))
    session = Session(inner, REFRESHING, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "all"}])
    session.client.until(lambda: verdicts(session) or None)
    assert verdicts(session) == {"short": "pass 0.9"}
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": BAD}))
    assert sorted(tmp_path.rglob("rubric.db")) == [inner / ".rubric" / "rubric.db"]


def test_a_folder_without_any_mark_has_the_store_where_it_was_opened(tmp_path: Path) -> None:
    """Not one beside each of its files."""
    inner = tmp_path / "evals"
    inner.mkdir()
    session = Session(inner, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "all"}])
    (inner / "rubric.toml").unlink()
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))
    assert sorted(tmp_path.rglob("rubric.db")) == [tmp_path / ".rubric" / "rubric.db"]


def test_one_criterion_says_nothing_of_its_case(graded: Session) -> None:
    """The verdict stays that of the last whole grading, here and after a restart."""
    judge = graded.replay({"short": GOOD})
    graded.run("gradeCriterion", caseId="short", criterionId="tone", answer="Hi", judge=judge)
    assert verdicts(graded)["short"] == "fail 0.6"
    assert [each["message"].partition(":")[0] for each in graded.found()] == ["rubric-1"]
    session = Session(graded.file.parent, REFRESHING)
    verdicts(session)
    session.client.wait_for(REFRESH)
    assert verdicts(session)["short"] == "fail 0.6"


def test_one_criterion_alone_is_no_verdict(tmp_path: Path) -> None:
    """A case that was never graded as a whole has none, and its lens says so."""
    session = Session(tmp_path)
    judge = session.replay({"short": BAD})
    session.run("gradeCriterion", caseId="short", criterionId="tone", answer="Hi", judge=judge)
    assert verdicts(session) == {"short": "partial"}
    assert [each["code"] for each in session.found()] == ["gate-failed"]


def test_the_store_of_an_untrusted_workspace_is_left_alone(graded: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else may have written it."""
    began: list[str] = []
    monkeypatch.setattr(
        "rubric_server.grading.stored_grades.threading.Thread.start", lambda thread: began.append(thread.name)
    )
    session = Session(graded.file.parent, REFRESHING, initializationOptions={"trusted": False})
    assert verdicts(session) == {}
    assert began == []
    session.client.notify("rubric/didChangeTrust", {"trusted": True})
    assert len(session.client.of(REFRESH)) == 1
    verdicts(session)
    assert began == ["stored-grades"]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_store_that_cannot_be_read_is_passed_over(tmp_path: Path, content: bytes) -> None:
    """Whoever grades is notified; whoever edits is not."""
    (tmp_path / ".rubric").mkdir()
    (tmp_path / ".rubric" / "rubric.db").write_bytes(content)
    session = Session(tmp_path, REFRESHING)
    assert verdicts(session) == {}
    assert verdicts(session) == {}
    assert session.client.of(REFRESH) == []
