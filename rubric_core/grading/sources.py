"""Where the answers and the judges of some eval files come from: one place for a run, however many files it has."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from rubric_core.grading.answers import answer_for, answer_key, known_answer
from rubric_core.grading.recorded_answers import RecordedAnswers
from rubric_core.grading.run import RunInputs
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.targets.by_folder import TargetsByFolder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.config.config import Config
    from rubric_core.grading.answers import Answer
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase


class Sources:
    """The targets, judges and answers of all files of a run. Every judge is made once and shared.

    `configs` has the configuration of each file, by the path under which its cases know it. `judge` and `target` are
    the names that were asked for, `given` the answers by case id, and `judges` those that are made already, by name.
    """

    def __init__(  # noqa: PLR0913 - the choices of a run, each by its name.
        self,
        configs: Mapping[str, Config],
        *,
        judge: str | None = None,
        target: str | None = None,
        given: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        judges: Mapping[str, Judge] | None = None,
    ) -> None:
        """Find out what the names stand for. Raises CannotGrade where the target is not known."""
        self._judge = judge
        self._target = target
        self._given = given or {}
        known = os.environ if environment is None else environment
        self._by_folder = TargetsByFolder(known, judges, config_of=configs.__getitem__)
        self._targets = {path: self._by_folder.of(path) for path in configs}
        for targets in self._targets.values() if target else ():
            # A target that is not known is told before anybody is asked, and not as an error of each case.
            targets.provider_for(target or "")
        # Whoever names a target wants its answer now, and none that was recorded earlier.
        self._recorded = {path: RecordedAnswers("" if target else path) for path in configs}

    @cached_property
    def source(self) -> RunInputs:
        """Return what a run takes from here."""
        return RunInputs(self._judge_of, self._answer_of, self._known_answer, self._answer_key, self.redactor)

    @cached_property
    def redactor(self) -> Redactor:
        """Return what takes the secrets of all files out of a text."""
        return Redactor.together(targets.redactor for targets in self._targets.values())

    async def close(self) -> None:
        """Let go of all connections and processes."""
        await self._by_folder.close()

    def _judge_of(self, case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        return self._targets[case.source].judge_for(self._judge, case, evaluator, target=self._target)

    async def _answer_of(self, case: EvalCase) -> Answer:
        return await answer_for(
            case,
            given=self._given,
            recorded=self._recorded[case.source],
            targets=self._targets[case.source],
            target=self._target,
        )

    def _known_answer(self, case: EvalCase) -> str | None:
        known = known_answer(case, given=self._given, recorded=self._recorded[case.source])
        return None if known is None else known.text

    def _answer_key(self, case: EvalCase) -> str:
        return answer_key(
            case,
            given=self._given,
            recorded=self._recorded[case.source],
            targets=self._targets[case.source],
            target=self._target,
        )
