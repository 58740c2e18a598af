"""From what the command line asks for to files with rubrics: look, plan, ask, insert, write, tell."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.cli.check_file import is_worth_telling
from rubric_core.cli.configuration import DEFAULT_CONFIG, ConfigRequest, Configurations
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED, OK, CouldNotRun
from rubric_core.cli.generated_output import GenerationOutcome, status_of, summary, tell
from rubric_core.cli.grading import until_stopped
from rubric_core.cli.output import say
from rubric_core.cli.progress import ProgressLine
from rubric_core.cli.sources import gather
from rubric_core.cli.suites import LoadedFile, chosen_cases
from rubric_core.files.look import DiskSurroundings
from rubric_core.files.read import ReadText, Unreadable, read_text
from rubric_core.files.walk import may_be_ours
from rubric_core.files.write import CHANGED, remove_leftovers, write_text
from rubric_core.grading.ask import memory_key
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.generation.generate import Generated, insert_proposals
from rubric_core.grading.generation.propose import propose_all
from rubric_core.grading.generation.survey import Skipped, Survey, survey
from rubric_core.grading.judges.editor import EditorJudge
from rubric_core.grading.judges.model import ModelJudge
from rubric_core.grading.memory import ChosenMemory
from rubric_core.grading.prompts.proposal import proposal_question
from rubric_core.grading.run import DEFAULT_CONCURRENCY
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import MANUAL, Targets
from rubric_core.report.text import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.cli.sources import InputFile
    from rubric_core.config.config import Config
    from rubric_core.grading.generation.propose import Proposed
    from rubric_core.grading.generation.survey import Candidate
    from rubric_core.grading.judges.judge import Judge, Question
    from rubric_core.grading.memory import Memory
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import EvalCase

_NO_PERSON = (
    "No model is configured to propose criteria. Pass --judge or --target, set `judge` in rubric.toml, or define a "
    "target called default."
)
_CHANGED = "The file was changed while criteria were proposed, so it was left as it is; run the command again."


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What the command line asks for."""

    paths: tuple[str, ...] = ()
    config: ConfigRequest = DEFAULT_CONFIG
    cases: tuple[str, ...] = ()
    target: str | None = None
    judge: str | None = None
    ranges: bool = False
    diff: bool = False
    dry_run: bool = False
    concurrency: int = DEFAULT_CONCURRENCY
    remembers: bool = True
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class _File:
    """An eval file as it was read, with the cases in it that want rubrics."""

    source: InputFile
    read: ReadText
    config: Config
    surroundings: DiskSurroundings
    found: Survey

    @property
    def loaded(self) -> LoadedFile:
        """Return the file as other commands know it."""
        return LoadedFile(self.source.path, self.source.shown, self.config, self.found.reading.suites)

    def only(self, cases: Sequence[EvalCase]) -> _File:
        """Return the file with only these of its cases in view."""
        ids = {case.id for case in cases}
        return replace(
            self,
            found=replace(
                self.found,
                candidates=tuple(each for each in self.found.candidates if each.case.id in ids),
                skipped=tuple(each for each in self.found.skipped if each.case_id in ids),
            ),
        )


def generate_request(request: GenerateRequest) -> int:
    """Generate what is asked for and tell what came of it; return the exit status."""
    configurations = Configurations(request.config)
    files, failures = _look(request.paths, configurations)
    if request.cases:
        chosen = chosen_cases([file.loaded for file in files], request.cases)
        files = [file.only(chosen) for file in files]
    try:
        return _Generation(request, files, failures).run()
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None


def _look(paths: Sequence[str], configurations: Configurations) -> tuple[list[_File], list[GenerationOutcome]]:
    """Read the eval files of the paths. One that is named and cannot be used is a failure, any other is passed over."""
    gathered = gather(paths, configurations)
    failures = [GenerationOutcome("", failure=message) for message in gathered.failures]
    looked_at = [_look_at(source, configurations.for_folder(source.path.parent)) for source in gathered.sources]
    files = [each for each in looked_at if isinstance(each, _File)]
    failures += (each for each in looked_at if isinstance(each, GenerationOutcome))
    if not files and not failures:
        raise CouldNotRun(f"There is no eval file in {', '.join(paths) or 'the current folder'}.")
    return files, failures


def _look_at(source: InputFile, config: Config) -> _File | GenerationOutcome | None:
    path = str(source.path)
    read = read_text(path, config.limits)
    if isinstance(read, Unreadable):
        return GenerationOutcome(source.shown, failure=read.message) if is_worth_telling(source, config, read) else None
    if not (source.named or may_be_ours(path, read.text, config)):
        return None
    surroundings = DiskSurroundings(path, config)
    try:
        return _File(source, read, config, surroundings, survey(read.text, path, config, surroundings))
    except CannotGrade as failure:
        return GenerationOutcome(source.shown, failure=failure.reason) if source.named else None


class _Generation:
    """One run: who is asked, what is proposed, and what became of each file."""

    def __init__(self, request: GenerateRequest, files: Sequence[_File], failures: Sequence[GenerationOutcome]) -> None:
        self.request = request
        self.files = files
        self.outcomes = list(failures)
        self.wanted: list[tuple[_File, Candidate]] = [
            (file, candidate) for file in files for candidate in file.found.candidates
        ]
        shared: dict[str, Judge] = {MANUAL: EditorJudge(_ask_nobody, name=MANUAL)}
        self.targets = {
            str(file.source.path): Targets.for_file(file.source.path, file.config, judges=shared) for file in files
        }
        self.judges = {id(candidate.case): self._judge_of(candidate.case) for _, candidate in self.wanted}
        self.proposals: dict[str, dict[str, tuple[Criterion, ...]]] = {}
        self.failed: dict[str, list[Skipped]] = {}
        self.done = 0
        self.progress = ProgressLine(len(self.wanted), shown=not request.quiet)

    def run(self) -> int:
        """Do everything; return the exit status."""
        if any(judge.identity.name == MANUAL for judge in self.judges.values()):
            raise CannotGrade(_NO_PERSON)
        # A recording is not remembered, and a plan leaves nothing behind: neither makes a store where there is none.
        folder = Store.at(Path.cwd())
        store = None
        if any(judge.memory_key is not None for judge in self.judges.values()):
            store = Store.open_existing(folder) if self.request.dry_run else Store.open(folder)
        with store or nullcontext():
            memory = None if store is None else self._memory(store)
            if self.request.dry_run or not self.request.quiet:
                say(self._plan(memory))
            if self.request.dry_run:
                return self._tell_plan()
            finished = until_stopped(self._ask(memory))
        return self._tell(finished=finished)

    async def _ask(self, memory: Memory | None) -> None:
        if not self.request.diff:
            remove_leftovers(file.source.path for file in self.files)
        for file in self.files:
            self._finish_if_complete(file)
        try:
            await propose_all(
                [candidate.case for _, candidate in self.wanted],
                lambda case: self.judges[id(case)],
                self._take,
                ranges=self.request.ranges,
                concurrency=self.request.concurrency,
                memory=memory,
                redactor=Redactor.together(targets.redactor for targets in self.targets.values()),
            )
        finally:
            self.progress.erase()
            for targets in self.targets.values():
                await targets.close()

    def _judge_of(self, case: EvalCase) -> Judge:
        targets = self.targets[case.source]
        if self.request.target:
            return ModelJudge(self.request.target, targets.provider_for(self.request.target))
        judge = targets.judge_for(self.request.judge, case)
        if judge.identity.name == MANUAL and self.request.judge is None:
            return targets.default_judge() or judge
        return judge

    def _memory(self, store: Store) -> Memory:
        return ChosenMemory(store, recalls=self.request.remembers)

    def _plan(self, memory: Memory | None) -> str:
        """Return in one line what will be asked."""
        asked: Counter[str] = Counter()
        remembered = characters = 0
        for _, candidate in self.wanted:
            judge = self.judges[id(candidate.case)]
            question = proposal_question(candidate.case, ranges=self.request.ranges)
            key = memory_key(question, judge)
            if memory is not None and key is not None and memory.recall(key) is not None:
                remembered += 1
            else:
                asked[judge.identity.name] += 1
                characters += len(question.prompt.system) + len(question.prompt.user)
        parts = [f"{many(calls, 'question')} for {judge}" for judge, calls in sorted(asked.items())]
        parts += [f"{characters:,} characters of prompt"] if asked else []
        parts += [f"{many(remembered, 'proposal')} remembered"] if remembered else []
        return f"Plan: {many(len(self.wanted), 'case')} without rubrics; {', '.join(parts) or 'nothing to ask'}."

    def _take(self, place: int, proposed: Proposed) -> None:
        """Take in what was proposed for a case; the last case of a file completes it."""
        file, candidate = self.wanted[place]
        if proposed.failure is None:
            self.proposals.setdefault(file.source.shown, {})[candidate.case.id] = proposed.criteria
        else:
            failed = Skipped(candidate.case.id, candidate.offset, proposed.failure)
            self.failed.setdefault(file.source.shown, []).append(failed)
        self.done += 1
        self.progress.show(self.done, f"{self.done} of {many(len(self.wanted), 'case')} proposed")
        self._finish_if_complete(file)

    def _finish_if_complete(self, file: _File) -> None:
        shown = file.source.shown
        proposals, failed = self.proposals.get(shown, {}), self.failed.get(shown, [])
        if len(proposals) + len(failed) < len(file.found.candidates):
            return
        generated = insert_proposals(file.found, proposals, file.config, file.surroundings)
        failure = None if self.request.diff or not generated.edits else _write(file, generated)
        self.outcomes.append(
            GenerationOutcome(
                shown,
                file.read.text,
                generated,
                skipped=(*file.found.skipped, *generated.skipped),
                failed=tuple(failed),
                failure=failure,
            )
        )

    def _tell_plan(self) -> int:
        self.outcomes += (
            GenerationOutcome(
                file.source.shown, file.read.text, planned=file.found.candidates, skipped=file.found.skipped
            )
            for file in self.files
        )
        tell(self.outcomes, quiet=self.request.quiet)
        return COULD_NOT_RUN if any(each.failure is not None for each in self.outcomes) else OK

    def _tell(self, *, finished: bool) -> int:
        """Tell what became of the files in their order, whichever was complete first."""
        places = {file.source.shown: number for number, file in enumerate(self.files)}
        outcomes = sorted(self.outcomes, key=lambda each: places.get(each.shown, -1))
        diff, quiet = self.request.diff, self.request.quiet
        tell(outcomes, diff=diff, quiet=quiet)
        if not finished:
            say(f"Stopped with {self.done} of {many(len(self.wanted), 'case')} proposed; run it again to go on.")
            return INTERRUPTED
        if not quiet:
            say(summary(outcomes, diff=diff))
        return status_of(outcomes, diff=diff)


async def _ask_nobody(_question: Question) -> str:
    raise CannotGrade(_NO_PERSON)


def _write(file: _File, generated: Generated) -> str | None:
    """Write a file, unless somebody else did since it was read. Gives what went wrong, or None."""
    unwritable = write_text(file.source.path, generated.text, file.read.encoding, before=file.read.text)
    if unwritable is None:
        return None
    return _CHANGED if unwritable.message == CHANGED else unwritable.message
