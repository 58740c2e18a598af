"""Versions of the database: old ones are brought up to date, newer ones are left alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from graded import MODEL, a_judgement, a_result, a_scorecard

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.result_json import json_line
from rubric_core.grading.results import ScorecardResult
from rubric_core.grading.store import database
from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rubric_core.grading.results import CaseResult

# A database as version 1 made it, written down so that nobody can change what it was.
_VERSION_1 = """
CREATE TABLE judgements (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, key TEXT, kind TEXT NOT NULL, file TEXT NOT NULL,
    case_id TEXT NOT NULL, evaluator TEXT NOT NULL, judge_name TEXT NOT NULL, judge_kind TEXT NOT NULL,
    judge_model TEXT, prompt_hash TEXT NOT NULL, answer_hash TEXT NOT NULL, text TEXT NOT NULL,
    sample INTEGER NOT NULL
);
CREATE INDEX judgements_by_key ON judgements (key) WHERE key IS NOT NULL;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, command TEXT NOT NULL, judge_name TEXT, judge_kind TEXT, judge_model TEXT,
    total INTEGER NOT NULL, began TEXT NOT NULL, ended TEXT, finished INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE results (
    number INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), place INTEGER NOT NULL,
    file TEXT NOT NULL, case_id TEXT NOT NULL, fingerprint TEXT NOT NULL, has_error INTEGER NOT NULL,
    result TEXT NOT NULL, UNIQUE (run, place)
);
CREATE INDEX results_by_fingerprint ON results (fingerprint) WHERE NOT has_error;
INSERT INTO judgements VALUES (
    1, 'judgement-1', 'key-1', 'rubric', 'suite.eval.yaml', 'case-1', 'rubric', 'mini', 'openai', 'mini-1',
    'prompt-1', 'answer-1',
    '{"checks": [{"id": "port", "satisfied": true, "reasoning": "It names the port."}]}', 0
);
INSERT INTO runs VALUES (1, 'rubric grade a.yaml', 'mini', 'openai', 'mini-1', 4, '2025-11-16T08:00:00.000Z', NULL, 0);
INSERT INTO runs VALUES (2, 'rubric grade b.yaml', NULL, NULL, NULL, 1, '2025-11-16T09:00:00.000Z', NULL, 1);
PRAGMA user_version = 1;
"""

_OLD_RESULTS = (
    (1, 0, a_result(0, scorecard=a_scorecard("first", 8, correctness=3))),
    (1, 1, a_result(1, scorecard=a_scorecard("part"), partial=True)),
    (1, 2, a_result(2, scorecard=ScorecardResult("review", error="No reply."))),
    (1, 3, a_result(3)),
    (2, 0, a_result(4, scorecard=a_scorecard("first", 8, correctness=3))),
    (2, 1, a_result(5, scorecard=a_scorecard("second", 10))),
)


def _old_database(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder / "rubric.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_VERSION_1)
        for number, (run, place, result) in enumerate(_OLD_RESULTS):
            connection.execute(
                "INSERT INTO results VALUES (?, ?, ?, 'suite.eval.yaml', ?, ?, ?, ?)",
                (number, run, place, result.eval_id, result.fingerprint, result.error is not None, json_line(result)),
            )
    return path


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _structure(path: Path) -> set[tuple[str, str]]:
    """Return the tables and indexes with the words of their definitions."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {(name, " ".join(sql.replace("(", " ( ").replace(")", " ) ").split())) for name, sql in rows}


def test_a_new_store_has_the_newest_version(store: Store) -> None:
    """It takes the same steps as an old one."""
    assert _version(store.database) == len(database.MIGRATIONS) == 3


def test_version_1_becomes_the_newest(project: Path) -> None:
    """Everything is still there, and history starts with what was graded before."""
    path = _old_database(project / ".rubric")
    assert _version(path) == 1
    with Store.open(project / ".rubric") as store:
        assert store.get("key-1") == a_judgement(1)
        assert [run.command for run in store.runs()] == ["rubric grade b.yaml", "rubric grade a.yaml"]
        assert [run.judge for run in store.runs()] == [None, MODEL]
        assert store.results_of(1) == tuple(result for run, _, result in _OLD_RESULTS if run == 1)
        first, second = store.history_of("review", 10)
        assert (first.id, first.run, first.place, first.case_id, first.judge) == ("first", 1, 0, "case-0", MODEL)
        assert (first.composite, first.final_score, first.grade) == (Decimal("6.75"), Decimal("6.75"), "C+")
        assert (first.dimensions["correctness"], first.dimensions["safety"]) == (3, 8)
        assert first.timestamp == "2025-11-16T08:00:00Z"
        assert (second.id, str(second.composite), second.grade) == ("second", "10.00", "A+")
        assert _version(path) == 3


def _version_2(folder: Path, results: Iterable[CaseResult]) -> Path:
    """Make a store as version 2 kept it: without a skill, the id of the case was the key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:2])
        with Store.open(folder) as store:
            for result in results:
                run = store.begin_run("rubric grade .", None, 1)
                store.keep_result(run, 0, result)
                store.settle_history(run)
    return folder / "rubric.db"


def test_version_2_becomes_version_3(project: Path) -> None:
    """Cases of different files that share an id get a history each, by the file and the id of each row."""
    path = _version_2(
        project / ".rubric",
        [
            a_result(1, file="a.eval.yaml", scorecard=a_scorecard("first", 9, "case-1"), score=Fraction(1, 3)),
            a_result(1, file="more/b.eval.yaml", scorecard=a_scorecard("other", 2, "case-1")),
            # The same judgement, of an equal case: it was one evaluation of both.
            a_result(1, file="more/b.eval.yaml", scorecard=a_scorecard("first", 9, "case-1")),
            a_result(1, file="a.eval.yaml", scorecard=a_scorecard("named", 7, "review")),
            a_result(2, file="", scorecard=a_scorecard("nowhere", 7, "case-2")),
            a_result(3, file="a.eval.yaml"),
        ],
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE results SET result = '{' WHERE run = 6")
    assert _version(path) == 2
    with Store.open(project / ".rubric") as store:
        kept = {each.name: [one.id for one in store.history_of(each.name, 10)] for each in store.skills()}
        assert kept == {
            "a.eval.yaml:case-1": ["first"],
            "more/b.eval.yaml:case-1": ["other", "first"],
            "review": ["named"],
            "case-2": ["nowhere"],
        }
        (first,) = store.results_of(1)
        assert first.scorecard is not None
        assert first.scorecard.history is not None
        assert first.scorecard.skill == first.scorecard.history.skill == "a.eval.yaml:case-1"
        assert (first.score, first.scorecard.score) == (Fraction(1, 3), a_scorecard("first", 9).score)
        assert _version(path) == 3


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("scorecard: {skill: case-1}", {"case-1", "b.eval.yaml:case-1"}),
        ("scorecard: shared", {"case-1", "b.eval.yaml:case-1"}),
        ("scorecard: {}", {"a.eval.yaml:case-1", "b.eval.yaml:case-1"}),
        (None, {"a.eval.yaml:case-1", "b.eval.yaml:case-1"}),
        ("[", {"a.eval.yaml:case-1", "b.eval.yaml:case-1"}),
    ],
)
def test_a_skill_that_the_file_names_is_kept(project: Path, text: str | None, skills: set[str]) -> None:
    """Also where it is equal to the id of the case, so that its history goes on; rows do not tell, so the file does."""
    if text is not None:
        head = "scorecards: {shared: {skill: case-1}}\nevalcases:\n  - id: case-1\n    expected_outcome: x\n    "
        (project / "a.eval.yaml").write_text(head + text + "\n", encoding="utf-8")
    files = ("a.eval.yaml", "b.eval.yaml")
    scored = [a_result(1, file=file, scorecard=a_scorecard(file, 9, "case-1")) for file in files]
    _version_2(project / ".rubric", scored)
    with Store.open(project / ".rubric") as store:
        assert {each.name for each in store.skills()} == skills
        (first,) = store.results_of(1)
        assert first.scorecard is not None
        assert first.scorecard.skill in skills


def test_a_migrated_database_has_the_tables_of_a_new_one(project: Path) -> None:
    """And the same entries as if the old results were kept now."""
    old = _old_database(project / "old")
    with Store.open(project / "old") as migrated, Store.open(project / "new") as new:
        for _ in range(2):
            new.begin_run("rubric grade .", None, 4)
        for run, place, result in _OLD_RESULTS:
            new.keep_result(run, place, result)
        assert migrated.history_of("review", 10) == new.history_of("review", 10)
        assert _structure(old) == _structure(new.database)


def test_a_newer_version_is_refused_and_left_alone(project: Path) -> None:
    """The message names both versions and what to do."""
    path = _old_database(project / ".rubric")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 7")
    before = path.read_bytes()
    with pytest.raises(CannotGrade) as raised:
        Store.open(project / ".rubric")
    assert raised.value.reason == (
        f"The store {path} has version 7, and this program supports versions up to 3: "
        "update rubric-lsp, or move the file away to start a new store."
    )
    assert path.read_bytes() == before


def test_a_step_that_fails_leaves_the_version_before_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a step is never there."""
    path = _old_database(project / ".rubric")
    broken = (*database.MIGRATIONS[1], "CREATE TABLE judgements (id)")
    monkeypatch.setattr(database, "MIGRATIONS", (database.MIGRATIONS[0], broken))
    with pytest.raises(CannotGrade, match="table judgements already exists"):
        Store.open(project / ".rubric")
    assert _version(path) == 1
    assert "evaluations" not in {name for name, _ in _structure(path)}


def test_a_step_that_another_process_has_taken_is_not_taken_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version is looked at again once nobody else can write."""
    path = _old_database(project / ".rubric")
    writing = database.transaction

    def after_another(connection: sqlite3.Connection) -> object:
        monkeypatch.setattr(database, "transaction", writing)
        Store.open(project / ".rubric").close()
        return writing(connection)

    monkeypatch.setattr(database, "transaction", after_another)
    with Store.open(project / ".rubric") as store:
        assert len(store.history_of("review", 10)) == 2
    assert _version(path) == len(database.MIGRATIONS)
