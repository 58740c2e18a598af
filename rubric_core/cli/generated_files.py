"""The files of `rubric generate`: read, plan, let judges propose criteria, write, and report."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_core.cli.check_file import is_worth_telling
from rubric_core.cli.configuration import ConfigRequest, Configurations
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED, OK, PROBLEMS, CouldNotRun
from rubric_core.cli.grade_run import until_stopped
from rubric_core.cli.output import page_for, print_exact, print_text, say, say_failure
from rubric_core.cli.progress import ProgressLine
from rubric_core.cli.sources import gather
from rubric_core.cli.suites import LoadedFile, chosen_cases
from rubric_core.files.read import Unreadable, read_text
from rubric_core.files.walk import may_be_ours
from rubric_core.files.write import CHANGED, remove_leftovers, write_text
from rubric_core.grading.ask import memory_key
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.generation.service import GenerationFile, generate, proposal_tasks
from rubric_core.grading.judgement_cache import SelectiveCache
from rubric_core.grading.prompts.proposal import proposal_question
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import Targets
from rubric_core.report.diff import render_diff
from rubric_core.report.text import many, part_of
from rubric_core.terminal.columns import harmless
from rubric_core.text.lines import count_line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rubric_core.cli.sources import InputFile
    from rubric_core.config.config import Config
    from rubric_core.files.read import ReadText
    from rubric_core.grading.generation.service import ProposalTask
    from rubric_core.grading.generation.survey import Candidate, Skipped
    from rubric_core.grading.generation.verified_insertion import Generated, GeneratedCase
    from rubric_core.grading.judgement_cache import JudgementCache

_NO_MODEL = (
    "No model is configured to propose criteria. Pass --judge or --target, set `judge` in rubric.toml, or define a "
    "target called default."
)
_CHANGED = "The file was changed while criteria were proposed, so it was left as it is; run the command again."


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What the command line asks for."""

    paths: tuple[str, ...]
    config: ConfigRequest
    cases: tuple[str, ...]
    target: str | None
    judge: str | None
    ranges: bool
    diff: bool
    dry_run: bool
    concurrency: int
    remembers: bool
    quiet: bool


@dataclass(frozen=True, slots=True)
class _InputFile:
    source: InputFile
    read: ReadText
    file: GenerationFile


@dataclass(frozen=True, slots=True)
class GenerationOutcome:
    """What became of one file.

    `planned` are the cases that would be asked about. `skipped` cases cannot get criteria, for `failed` ones the
    judge gave none; `failure` is what went wrong with the whole file.
    """

    shown: str
    text: str = ""
    generated: Generated | None = None
    planned: tuple[Candidate, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failed: tuple[Skipped, ...] = ()
    failure: str | None = None

    @property
    def written(self) -> tuple[GeneratedCase, ...]:
        """Return the cases that got criteria."""
        return self.generated.written if self.generated is not None and self.failure is None else ()


def generate_request(request: GenerateRequest) -> int:
    """Generate what is asked for and report it; return the exit status."""
    inputs, outcomes = _read_files(request.paths, Configurations(request.config))
    files = [each.file for each in inputs]
    if request.cases:
        loaded = [
            LoadedFile(each.source.path, each.source.shown, each.file.config, each.file.found.reading.suites)
            for each in inputs
        ]
        ids = {case.id for case in chosen_cases(loaded, request.cases)}
        files = [file.only(ids) for file in files]
    try:
        tasks = proposal_tasks(files, request.judge, request.target, no_model=_NO_MODEL)
        # A recording is not remembered, and a plan leaves nothing behind: neither makes a store where there is none.
        store = None
        if any(task.judge.memory_key is not None for task in tasks):
            store = (Store.open_existing if request.dry_run else Store.open)(Store.at(Path.cwd()))
        with store or nullcontext():
            memory = None if store is None else SelectiveCache(store, reuses_models=request.remembers)
            if request.dry_run or not request.quiet:
                say(_plan(tasks, memory, ranges=request.ranges))
            return _Generation(request, inputs, files, tasks, outcomes).run(memory)
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None


def _read_files(
    paths: Sequence[str], configurations: Configurations
) -> tuple[list[_InputFile], list[GenerationOutcome]]:
    """Read the eval files of the paths. One that is named and cannot be used is a failure, any other is passed over."""
    gathered = gather(paths, configurations)
    failures = [GenerationOutcome("", failure=message) for message in gathered.failures]
    read = [_read_file(source, configurations.for_folder(source.path.parent)) for source in gathered.sources]
    files = [each for each in read if isinstance(each, _InputFile)]
    failures += (each for each in read if isinstance(each, GenerationOutcome))
    if not files and not failures:
        raise CouldNotRun(f"There is no eval file in {', '.join(paths) or 'the current folder'}.")
    return files, failures


def _read_file(source: InputFile, config: Config) -> _InputFile | GenerationOutcome | None:
    path = str(source.path)
    read = read_text(path, config.limits)
    if isinstance(read, Unreadable):
        return GenerationOutcome(source.shown, failure=read.message) if is_worth_telling(source, config, read) else None
    if not (source.named or may_be_ours(path, read.text, config)):
        return None
    try:
        return _InputFile(source, read, GenerationFile.read(read.text, path, config, Targets.for_file(path, config)))
    except CannotGrade as failure:
        return GenerationOutcome(source.shown, failure=failure.reason) if source.named else None


def _plan(tasks: Sequence[ProposalTask], memory: JudgementCache | None, *, ranges: bool) -> str:
    """Return in one line what will be asked."""
    asked: Counter[str] = Counter()
    remembered = characters = 0
    for _, candidate, judge in tasks:
        question = proposal_question(candidate.case, ranges=ranges)
        key = memory_key(question, judge)
        if memory is not None and key is not None and memory.recall(key) is not None:
            remembered += 1
        else:
            asked[judge.identity.name] += 1
            characters += len(question.prompt.system) + len(question.prompt.user)
    parts = [f"{many(calls, 'question')} for {judge}" for judge, calls in sorted(asked.items())]
    parts += [f"{characters:,} characters of prompt"] if asked else []
    parts += [f"{many(remembered, 'proposal')} remembered"] if remembered else []
    return f"Plan: {many(len(tasks), 'case')} without rubrics; {', '.join(parts) or 'nothing to ask'}."


class _Generation:
    """One run, and what became of each file."""

    def __init__(
        self,
        request: GenerateRequest,
        inputs: Sequence[_InputFile],
        files: Sequence[GenerationFile],
        tasks: Sequence[ProposalTask],
        outcomes: list[GenerationOutcome],
    ) -> None:
        self._request = request
        self._inputs = {each.file.path: each for each in inputs}
        self._files = files
        self._tasks = tasks
        self._outcomes = outcomes
        self._done = 0
        self._progress = ProgressLine(len(tasks), shown=not request.quiet)

    def run(self, memory: JudgementCache | None) -> int:
        """Generate and report; return the exit status."""
        quiet, diff = self._request.quiet, self._request.diff
        if self._request.dry_run:
            self._outcomes += (self._outcome(file, planned=file.found.candidates) for file in self._files)
            tell(self._outcomes, quiet=quiet)
            return COULD_NOT_RUN if any(each.failure is not None for each in self._outcomes) else OK
        finished = until_stopped(self._generate(memory))
        # Report the files in their order, whichever was complete first.
        places = {each.source.shown: number for number, each in enumerate(self._inputs.values())}
        self._outcomes.sort(key=lambda each: places.get(each.shown, -1))
        tell(self._outcomes, diff=diff, quiet=quiet)
        if not finished:
            say(f"Stopped with {self._done} of {many(len(self._tasks), 'case')} proposed; run it again to go on.")
            return INTERRUPTED
        if not quiet:
            say(summary(self._outcomes, diff=diff))
        return status_of(self._outcomes, diff=diff)

    async def _generate(self, memory: JudgementCache | None) -> None:
        request = self._request
        if not request.diff:
            remove_leftovers(each.source.path for each in self._inputs.values())
        try:
            await generate(
                self._files,
                self._tasks,
                self._finish,
                ranges=request.ranges,
                concurrency=request.concurrency,
                memory=memory,
                on_proposal=self._show_progress,
            )
        finally:
            self._progress.erase()

    def _show_progress(self) -> None:
        self._done += 1
        self._progress.show(self._done, f"{self._done} of {many(len(self._tasks), 'case')} proposed")

    def _finish(self, file: GenerationFile, generated: Generated, failed: tuple[Skipped, ...]) -> None:
        """Write a file, unless somebody else did since it was read."""
        failure = None
        if generated.edits and not self._request.diff:
            read = self._inputs[file.path].read
            unwritable = write_text(Path(file.path), generated.text, read.encoding, before=read.text)
            failure = unwritable and (_CHANGED if unwritable.message == CHANGED else unwritable.message)
        self._outcomes.append(self._outcome(file, generated=generated, failed=failed, failure=failure))

    def _outcome(self, file: GenerationFile, **outcome: Any) -> GenerationOutcome:
        generated = outcome.get("generated")
        skipped = (*file.found.skipped, *(generated.skipped if generated else ()))
        shown = self._inputs[file.path].source.shown
        return GenerationOutcome(shown, file.found.reading.text, skipped=skipped, **outcome)


def status_of(outcomes: Sequence[GenerationOutcome], *, diff: bool) -> int:
    """Return the exit status: 2 where something failed, 1 where a case is left without rubrics or a diff shows some."""
    if any(each.failure is not None or each.failed for each in outcomes):
        return COULD_NOT_RUN
    return PROBLEMS if any(each.written if diff else each.skipped for each in outcomes) else OK


def tell(outcomes: Sequence[GenerationOutcome], *, diff: bool = False, quiet: bool = False) -> None:
    """Write what was generated to standard output, and what was not to standard error."""
    for outcome in outcomes:
        if diff:
            _show_diff(outcome)
        else:
            print_text("".join(_lines(outcome)))
    for outcome in outcomes:
        _say_what_is_missing(outcome, quiet=quiet)


def summary(outcomes: Sequence[GenerationOutcome], *, diff: bool) -> str:
    """Return in one or two sentences what was done."""
    files = [outcome for outcome in outcomes if outcome.generated is not None]
    written = [each for outcome in outcomes for each in outcome.written]
    remains = list(_remains(outcomes))
    if not written and not remains:
        return f"Nothing to write: every case that was looked at in {many(len(files), 'file')} has rubrics."
    touched = sum(bool(outcome.written) for outcome in outcomes)
    verb = "Would write" if diff else "Wrote"
    what = f"{verb} {sum(each.criteria for each in written):,} criteria for {many(len(written), 'case')}"
    where = part_of(touched if written else len(files), len(files))
    hints = sum(each.hints for each in written)
    advice = f" The criteria give {many(hints, 'hint')}, which `rubric check` shows." if hints else ""
    return f"{'; '.join([f'{what} in {where}' if written else f'No criteria in {where}', *remains])}.{advice}"


def _show_diff(outcome: GenerationOutcome) -> None:
    if outcome.generated is not None and outcome.generated.edits:
        print_exact(render_diff(outcome.shown, outcome.text, outcome.generated.text, page_for(sys.stdout).paint))


def _lines(outcome: GenerationOutcome) -> Iterator[str]:
    told = [(each.case_id, _counts(each)) for each in outcome.written]
    told += [(each.case.id, "would be asked about") for each in outcome.planned]
    if told:
        yield f"{harmless(outcome.shown)}\n"
    yield from (f"  {harmless(case_id)}: {what}\n" for case_id, what in told)


def _counts(written: GeneratedCase) -> str:
    hints = f", {many(written.hints, 'hint')}" if written.hints else ""
    return f"{written.criteria} criteria{hints}"


def _say_what_is_missing(outcome: GenerationOutcome, *, quiet: bool) -> None:
    for each in outcome.failed:
        say_failure(_place(outcome, each), f"{_case(each)}{each.reason}")
    if outcome.failure is not None:
        say_failure(outcome.shown, outcome.failure)
    for each in () if quiet else outcome.skipped:
        say_failure(_place(outcome, each), f"{_case(each)}Skipped. {each.reason}")


def _place(outcome: GenerationOutcome, case: Skipped) -> str:
    return f"{outcome.shown}:{count_line_breaks(outcome.text[: case.offset]) + 1}"


def _case(case: Skipped) -> str:
    return f"{case.case_id}: " if case.case_id else ""


def _remains(outcomes: Iterable[GenerationOutcome]) -> Iterator[str]:
    skipped = sum(len(outcome.skipped) for outcome in outcomes)
    failed = sum(len(outcome.failed) for outcome in outcomes)
    if skipped:
        yield f"{many(skipped, 'case')} skipped"
    if failed:
        yield f"{many(failed, 'case')} failed"
