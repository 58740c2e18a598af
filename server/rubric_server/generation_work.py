"""Proposing criteria for the editor: what happens at the desk."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rubric_core.files.look import DiskSurroundings
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.generation.generate import insert_proposals
from rubric_core.grading.generation.propose import propose_all
from rubric_core.grading.generation.survey import Skipped, survey
from rubric_core.grading.judges.model import ModelJudge
from rubric_core.grading.memory import PERSON, ChosenMemory
from rubric_core.grading.run import DEFAULT_CONCURRENCY
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import Targets
from rubric_server.client_judge import ClientJudge

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.config.config import Config
    from rubric_core.grading.generation.generate import Generated
    from rubric_core.grading.generation.propose import Proposed
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import EvalCase
    from rubric_server.talk import Talk

_EDITOR = "editor"


@dataclass(frozen=True, slots=True)
class Generation:
    """What is to be generated: for one case of a text, or for all that have no rubrics."""

    text: str
    path: str
    config: Config
    project: Path
    wanted: str | None = None
    judge: str | None = None
    target: str | None = None
    ranges: bool = False

    async def run(self, talk: Talk) -> Generated:
        """Let a judge propose criteria and find where they go. Raises CannotGrade where nobody can propose any."""
        surroundings = DiskSurroundings(self.path, self.config)
        found = survey(self.text, self.path, self.config, surroundings)
        if self.wanted is not None:
            found = replace(
                found,
                candidates=tuple(each for each in found.candidates if each.case.id == self.wanted),
                skipped=tuple(each for each in found.skipped if each.case_id == self.wanted),
            )
        missing = Targets.for_file(self.path, self.config).missing_variables
        environment = {**os.environ, **await talk.secrets(missing)}
        editor: dict[str, Judge] = {_EDITOR: ClientJudge(_EDITOR, talk, self.path)} if _EDITOR in talk.judges else {}
        targets = Targets.for_file(self.path, self.config, environment, judges=editor)
        cases = [each.case for each in found.candidates]
        criteria: dict[str, tuple[Criterion, ...]] = {}
        failed: list[Skipped] = []

        def take(place: int, proposed: Proposed) -> None:
            if proposed.failure is None:
                criteria[cases[place].id] = proposed.criteria
            else:
                failed.append(Skipped(cases[place].id, found.candidates[place].offset, proposed.failure))

        try:
            with Store.open(Store.at(self.project)) as store:
                await propose_all(
                    cases,
                    lambda case: self._judge_of(targets, case),
                    take,
                    ranges=self.ranges,
                    concurrency=DEFAULT_CONCURRENCY,
                    memory=ChosenMemory(store),
                    redactor=targets.redactor,
                )
        finally:
            await targets.close()
        generated = insert_proposals(found, criteria, self.config, surroundings)
        return replace(generated, skipped=(*found.skipped, *failed, *generated.skipped))

    def _judge_of(self, targets: Targets, case: EvalCase) -> Judge:
        if self.target is not None:
            return ModelJudge(self.target, targets.provider_for(self.target))
        name = self.judge or (_EDITOR if self.config.judge is None and _EDITOR in targets.ready else None)
        if (name or self.config.judge or PERSON) == PERSON:
            default = targets.default_judge() if name is None else None
            if default is None:
                raise CannotGrade("A person cannot propose criteria here; choose a model as judge, or name a target.")
            return default
        return targets.judge_for(name, case)
