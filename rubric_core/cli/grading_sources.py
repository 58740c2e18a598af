"""Where the answers and the judges of the cases on the command line come from."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING

import click

from rubric_core.cli.output import say
from rubric_core.cli.sources import STDIN
from rubric_core.grading.answers import answer_for, answer_key, known_answer
from rubric_core.grading.memory import ChosenMemory
from rubric_core.grading.recorded_answers import RecordedAnswers, read_answer, read_answers
from rubric_core.grading.run import Source
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.targets.by_folder import TargetsByFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.cli.grading import Request
    from rubric_core.cli.suites import LoadedFile
    from rubric_core.grading.answers import Answer
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.memory import Memory
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase


class Sources:
    """The targets, judges and answers of all files of a run. Every judge is made once and shared."""

    def __init__(self, files: Sequence[LoadedFile], cases: Sequence[EvalCase], request: Request) -> None:
        """Read the answers that are given. Raises CannotGrade where they cannot be used."""
        self._request = request
        self._given = given_answers(files, cases, request)
        configs = {file.shown: file.config for file in files}
        self._by_folder = TargetsByFolder(os.environ, config_of=configs.__getitem__)
        self._targets = {file.shown: self._by_folder.of(file.shown) for file in files}
        self._recorded = {file.shown: RecordedAnswers(file.shown) for file in files}

    @cached_property
    def source(self) -> Source:
        """Return what a run takes from here."""
        return Source(self._judge_of, self._answer_of, self._known_answer, self._answer_key, self.redactor)

    @cached_property
    def redactor(self) -> Redactor:
        """Return what takes the secrets of all files out of a text."""
        return Redactor.together([targets.redactor for targets in self._targets.values()])

    def memory(self, memory: Memory) -> Memory:
        """Return what the request wants of a memory."""
        return ChosenMemory(memory, recalls=self._request.remembers, recalls_persons=self._request.resume)

    async def close(self) -> None:
        """Let go of all connections and processes."""
        await self._by_folder.close()

    def _judge_of(self, case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        targets = self._targets[case.source]
        return targets.judge_for(self._request.judge, case, evaluator, target=self._request.target)

    async def _answer_of(self, case: EvalCase) -> Answer:
        return await answer_for(
            case,
            given=self._given,
            recorded=self._recordings(case),
            targets=self._targets[case.source],
            target=self._request.target,
        )

    def _known_answer(self, case: EvalCase) -> str | None:
        known = known_answer(case, given=self._given, recorded=self._recordings(case))
        return None if known is None else known.text

    def _answer_key(self, case: EvalCase) -> str:
        return answer_key(
            case,
            given=self._given,
            recorded=self._recordings(case),
            targets=self._targets[case.source],
            target=self._request.target,
        )

    def _recordings(self, case: EvalCase) -> RecordedAnswers:
        # Whoever names a target wants its answer now, and none that was recorded earlier.
        return RecordedAnswers("") if self._request.target else self._recorded[case.source]


def given_answers(files: Sequence[LoadedFile], cases: Sequence[EvalCase], request: Request) -> Mapping[str, str]:
    """Return the answers that the command line gives, by case id. Raises CannotGrade where they cannot be read."""
    if request.answer is not None and request.answers is not None:
        raise click.UsageError("`--answer` and `--answers` exclude each other.")
    if request.answer is not None:
        if len(cases) != 1:
            raise click.UsageError(f"`--answer` is for one case, but {len(cases)} are chosen; name one by --case.")
        return {cases[0].id: _stdin() if str(request.answer) == STDIN else read_answer(request.answer)}
    if request.answers is None:
        return {}
    given = read_answers(request.answers, {case.id for file in files for case in file.cases})
    for warning in given.warnings:
        say(f"rubric: {warning}")
    return given.answers


def _stdin() -> str:
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace")
