"""Generate rubrics: let judges propose criteria for many cases at once, and insert them into each file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from rubric_core.config.config import Config
from rubric_core.files.project import DiskProject
from rubric_core.grading.ask import JudgementCache, RunSettings, ask
from rubric_core.grading.failures import CannotGrade, GradingFailed
from rubric_core.grading.generation.proposals import read_proposal
from rubric_core.grading.generation.survey import Candidate, Skipped, Survey, survey
from rubric_core.grading.generation.verified_insertion import Generated, insert_proposals
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.judges.model import ModelJudge
from rubric_core.grading.prompts.proposal import proposal_question
from rubric_core.grading.run import DEFAULT_CONCURRENCY, for_each
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.targets.targets import MANUAL, Targets
from rubric_core.model.criteria import Criterion
from rubric_core.model.suite import EvalCase


@dataclass(frozen=True, slots=True)
class GenerationFile:
    """An eval file with its cases that lack rubrics, and the targets that may propose them."""

    path: str
    config: Config
    targets: Targets
    project: DiskProject
    survey: Survey

    @classmethod
    def read(cls, text: str, path: str, config: Config, targets: Targets, *, is_named: bool = False) -> GenerationFile:
        """Find the cases without rubrics in a text. Raises CannotGrade if it is not an eval file."""
        project = DiskProject(path, config)
        return cls(path, config, targets, project, survey(text, path, config, project, is_named=is_named))

    def only(self, ids: Collection[str]) -> GenerationFile:
        """Return the file with only some of its cases."""
        candidates = tuple(candidate for candidate in self.survey.candidates if candidate.case.id in ids)
        skipped = tuple(case for case in self.survey.skipped if case.case_id in ids)
        return replace(self, survey=replace(self.survey, candidates=candidates, skipped=skipped))


class ProposalTask(NamedTuple):
    """A case that lacks rubrics, and the judge that is asked for them."""

    file: GenerationFile
    candidate: Candidate
    judge: Judge


def proposal_tasks(
    files: Sequence[GenerationFile], judge: str | None, target: str | None, *, no_model: str
) -> list[ProposalTask]:
    """Choose the judge of each case. Raises CannotGrade with `no_model` where only a person could be asked."""
    return [
        ProposalTask(file, candidate, _judge_of(file.targets, candidate.case, judge, target, no_model))
        for file in files
        for candidate in file.survey.candidates
    ]


def _judge_of(targets: Targets, case: EvalCase, judge: str | None, target: str | None, no_model: str) -> Judge:
    if target:
        return ModelJudge(target, targets.provider_for(target))
    if (judge or targets.judge_name(case)) != MANUAL:
        return targets.judge_for(judge, case)
    default = targets.default_judge() if judge is None else None
    if default is None:
        raise CannotGrade(no_model)
    return default


async def generate(  # noqa: PLR0913 - the choices of a run, each by its name.
    files: Sequence[GenerationFile],
    tasks: Sequence[ProposalTask],
    finish: Callable[[GenerationFile, Generated, tuple[Skipped, ...]], None],
    *,
    ranges: bool,
    concurrency: int = DEFAULT_CONCURRENCY,
    memory: JudgementCache | None = None,
    on_proposal: Callable[[], None] = lambda: None,
) -> None:
    """Ask for the criteria of all cases; call `finish` with each file as soon as its last case is answered.

    It gets the edits, and the cases for which the judge failed. All targets are closed at the end.
    """
    proposals: dict[str, dict[str, tuple[Criterion, ...]]] = {file.path: {} for file in files}
    failed: dict[str, list[Skipped]] = {file.path: [] for file in files}
    redactor = Redactor.together(file.targets.redactor for file in files)

    def finish_if_complete(file: GenerationFile) -> None:
        own, failures = proposals[file.path], failed[file.path]
        if len(own) + len(failures) == len(file.survey.candidates):
            finish(file, insert_proposals(file.survey, own, file.config, file.project), tuple(failures))

    async def propose_one(_place: int, task: ProposalTask) -> None:
        file, candidate, judge = task
        case = candidate.case
        try:
            proposals[file.path][case.id] = await propose(case, judge, ranges, memory, redactor)
        except GradingFailed as failure:
            failed[file.path].append(Skipped(case.id, candidate.offset, redactor.redact(failure.reason)))
        on_proposal()
        finish_if_complete(file)

    for file in (file for file in files if not file.survey.candidates):
        finish_if_complete(file)
    try:
        await for_each(tasks, propose_one, concurrency)
    finally:
        for file in files:
            await file.targets.close()


async def propose(
    case: EvalCase,
    judge: Judge,
    ranges: bool = False,  # noqa: FBT001, FBT002 - see `generate`.
    memory: JudgementCache | None = None,
    redactor: Redactor = NO_SECRETS,
) -> tuple[Criterion, ...]:
    """Ask for the criteria of one case. They go into a file, so no secret may be in them. Raises GradingFailed."""
    question = proposal_question(case, ranges=ranges)
    read = partial(read_proposal, ranges=ranges)
    settings = RunSettings(cache=memory, redactor=redactor)
    return (await ask(question, judge, read, settings, file=case.source)).value
