"""Judge and answer resolution: who judges and answers the cases of some eval files, once for a whole run."""

from __future__ import annotations

from collections.abc import Mapping

from rubric_core.config.config import Config
from rubric_core.grading.answers import Answer, AnswerSource
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.targets.targets import targets_by_file
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
        """Resolve the names. Raises CannotGrade where the target is not known."""
        self._judge = judge
        self._target = target
        self._targets = targets_by_file(configs, environment, judges)
        for targets in self._targets.values() if target else ():
            # A target that is not known is told before anybody is asked, and not as an error of each case.
            targets.provider_for(target or "")
        self._answers = {path: AnswerSource(path, given, targets, target) for path, targets in self._targets.items()}
        self.redactor = Redactor.together(targets.redactor for targets in self._targets.values())

    @property
    def source(self) -> Sources:
        """Return the sources themselves: earlier versions gave `grade_all` a part of them."""
        return self

    def judge_of(self, case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        """Return the judge for an evaluator of a case, or for its scorecard, which is None. Raises CannotGrade."""
        return self._targets[case.source].judge_for(self._judge, case, evaluator, target=self._target)

    async def answer_of(self, case: EvalCase) -> Answer:
        """Return the answer to grade. Raises CannotGrade where there is none, ProviderFailed where a target fails."""
        return await self._answers[case.source].answer(case)

    def known_answer(self, case: EvalCase) -> str | None:
        """Return the answer that no target needs to produce, or None."""
        return self._answers[case.source].known(case)

    def answer_key(self, case: EvalCase) -> str:
        """Return a text that decides the answer, so that an equal one would be produced again."""
        return self._answers[case.source].key(case)

    async def close(self) -> None:
        """Close all connections and end child processes."""
        for targets in self._targets.values():
            await targets.close()
