"""The store of a project: what was judged, what came of it, and the history of its skills."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rubric_core.grading.past import MOST_CHARTED, CaseKey, Past
from rubric_core.grading.store import evaluations, judgements, pairs, results, runs
from rubric_core.grading.store.connection import connect
from rubric_core.grading.store.folder import DATABASE, find_folder, prepare_database
from rubric_core.grading.store.transactions import telling, writing
from rubric_core.scoring.history import history_report

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from rubric_core.grading.judges.judge import JudgeIdentity
    from rubric_core.grading.memory import Judgement
    from rubric_core.grading.results import CaseResult
    from rubric_core.grading.store.evaluations import Evaluation, Skill
    from rubric_core.grading.store.pairs import PairedJudgement
    from rubric_core.grading.store.runs import Run


class Store:
    """A store that is open. It belongs to the thread that opened it; several processes may share what is on the disk.

    Everything is on the disk when the call that keeps it returns. Every method raises CannotGrade where the database
    fails; what was kept before stays kept. Files are known by their path in the project, so that a project can move.
    """

    def __init__(self, connection: sqlite3.Connection, database: Path) -> None:
        self.database = database
        self._project = os.path.join(database.parent.parent, "")  # noqa: PTH118 - with the separator at its end.
        self._connection = connection

    @staticmethod
    def at(start: Path) -> Path:
        """Return the folder of the store for a place in a project; it need not exist yet."""
        return find_folder(start)

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open the store in a folder, and make it where there is none. Raises CannotGrade."""
        database = prepare_database(folder)
        with telling(database):
            return cls(connect(database), database)

    @classmethod
    def open_existing(cls, folder: Path) -> Store | None:
        """Open the store in a folder, or return None where there is none: looking makes nothing. Raises CannotGrade."""
        return cls.open(folder) if (folder / DATABASE).exists() else None

    def close(self) -> None:
        """Close the database."""
        with telling(self.database):
            self._connection.close()

    def __enter__(self) -> Store:  # noqa: PYI034 - `Self` is not in the library of Python 3.10.
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def recall(self, key: str) -> Judgement | None:
        """Return the newest judgement that was kept under a key."""
        with telling(self.database):
            return judgements.recall(self._connection, key)

    def keep(self, judgement: Judgement) -> None:
        """Keep a judgement at once; one with a known id is kept once."""
        with telling(self.database):
            judgements.keep(self._connection, judgement, self._name_of(judgement.file))

    def begin_run(self, command: str, judge: JudgeIdentity | None, total: int) -> int:
        """Enter a run of `total` cases and return its id. `command` is how the user asked for it."""
        with telling(self.database):
            return runs.begin(self._connection, command, judge, total)

    def keep_result(self, run: int, place: int, result: CaseResult) -> CaseResult:
        """Keep the result of a place in a run at once, and its evaluation in the history of its skill; return it.

        It is not compared with history yet: while cases are judged at the same time, earlier ones may be missing. A
        scorecard without a skill gets the key under which its history is kept.
        """
        file = self._name_of(result.file)
        result = evaluations.with_skill(result, file)
        with self._writing():
            results.keep(self._connection, run, place, file, result)
            evaluations.enter(self._connection, run, place, file, result)
        return result

    def end_run(self, run: int, *, finished: bool) -> None:
        """Enter that a run has ended, and whether it did all that it was asked to."""
        with telling(self.database):
            runs.end(self._connection, run, finished=finished)

    def runs(self) -> tuple[Run, ...]:
        """Return all runs, the newest first."""
        with telling(self.database):
            return runs.newest_first(self._connection)

    def latest_run(self, files: Iterable[str] = (), case_id: str | None = None) -> Run | None:
        """Return the newest run that has a result: of one of these files and of this case, where they are named."""
        with telling(self.database):
            return runs.latest(self._connection, {self._name_of(file) for file in files}, case_id)

    def results_of(self, run: int) -> tuple[CaseResult, ...]:
        """Return the results of a run in the order of their places."""
        with telling(self.database):
            return tuple(results.of_run(self._connection, run).values())

    def last_results(self, file: str) -> tuple[CaseResult, ...]:
        """Return the newest result of each case of a file."""
        with telling(self.database):
            return results.last_of_file(self._connection, self._name_of(file))

    def finished(self, fingerprint: str) -> CaseResult | None:
        """Return the newest result with a fingerprint, unless there is none without an error."""
        with telling(self.database):
            return results.finished(self._connection, fingerprint)

    def settle_history(self, run: int) -> tuple[CaseResult, ...]:
        """Compare each result of a run with the evaluations before it, and return all in the order of their places.

        It is to be called when all results are kept; calling it again changes nothing. A run that was killed can be
        settled later.
        """
        with self._writing():
            kept = results.of_run(self._connection, run)
            settled = {place: self._compared(run, place, result) for place, result in kept.items()}
            for place, result in settled.items():
                if result != kept[place]:
                    results.replace(self._connection, run, place, result)
        return tuple(settled.values())

    def history_of(self, skill: str, most: int) -> tuple[Evaluation, ...]:
        """Return the last evaluations of a skill, the oldest first."""
        with telling(self.database):
            return evaluations.last_of(self._connection, skill, most)

    def past_of(self, shown: Sequence[CaseResult]) -> Past:
        """Return the last evaluations of the skills and the last scores of the cases that results name."""
        names = {each.file: self._name_of(each.file) for each in shown}
        skills = dict.fromkeys(each.scorecard.skill for each in shown if each.scorecard is not None)
        with telling(self.database):
            scores = results.past_scores(self._connection, set(names.values()), MOST_CHARTED)
            evaluated = {skill: evaluations.last_of(self._connection, skill, MOST_CHARTED) for skill in skills}
        keys = [CaseKey(each.file, each.eval_id) for each in shown]
        return Past(evaluated, {key: scores.get((names[key.file], key.case_id), ()) for key in keys})

    def skills(self) -> tuple[Skill, ...]:
        """Return all skills that have a history, by name."""
        with telling(self.database):
            return evaluations.skills(self._connection)

    def paired_judgements(self, paths: Iterable[str] = ()) -> tuple[PairedJudgement, ...]:
        """Return what a person and another judge said of the same criterion in the same answer, judge by judge.

        Only those of the named files and folders, where any are named.
        """
        with telling(self.database):
            found = pairs.paired(self._connection)
        wanted = [os.path.abspath(path) for path in paths]  # noqa: PTH100 - `Path.absolute` keeps `..`.
        return tuple(pair for pair in found if not wanted or self._is_within(pair.subject.file, wanted))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with telling(self.database), writing(self._connection):
            yield

    def _compared(self, run: int, place: int, result: CaseResult) -> CaseResult:
        """Return a result with its scorecard compared with the ones before it."""
        scorecard = result.scorecard
        if scorecard is None or scorecard.score is None:
            return result
        earlier = evaluations.before(self._connection, scorecard.skill, (run, place), scorecard.evaluation_id)
        current = {dimension.name: dimension.score for dimension in scorecard.score.dimensions}
        history = history_report(scorecard.skill, current, [each.dimensions for each in earlier])
        return replace(result, scorecard=replace(scorecard, history=history))

    def _name_of(self, file: str) -> str:
        """Return the name of a file in the store: its path in the project, else its whole path."""
        if not file:
            return ""
        path = os.path.abspath(file)  # noqa: PTH100 - `Path.absolute` keeps `..`, `resolve` follows links.
        return path.removeprefix(self._project).replace(os.sep, "/")

    def _is_within(self, name: str, paths: Iterable[str]) -> bool:
        """Tell whether a file of the store is one of these files, or lies in one of these folders."""
        file = self.database.parent.parent / name
        return any(file.is_relative_to(path) for path in paths)
