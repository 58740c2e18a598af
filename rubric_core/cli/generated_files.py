"""The work of `rubric generate`: read files, plan, let judges propose criteria, write, and report."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from rubric_core.cli.check_file import SkippedFileError, read_source
from rubric_core.cli.grade_run import until_stopped
from rubric_core.cli.inputs import ConfigRequest, Configurations, InputFile, find_inputs
from rubric_core.cli.output import (
    COULD_NOT_RUN,
    INTERRUPTED,
    OK,
    PROBLEMS,
    CouldNotRun,
    ProgressLine,
    print_diff,
    print_text,
    say,
    say_failure,
)
from rubric_core.cli.suites import chosen_cases
from rubric_core.config.config import Config
from rubric_core.files.read import ReadText
from rubric_core.files.walk import may_be_ours
from rubric_core.files.write import CHANGED, remove_leftovers, write_text
from rubric_core.grading.ask import JudgementCache, SelectiveCache, memory_key
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.generation.service import GenerationFile, ProposalTask, generate, proposal_tasks
from rubric_core.grading.generation.survey import Skipped
from rubric_core.grading.generation.verified_insertion import Generated, GeneratedCase
from rubric_core.grading.prompts.proposal import proposal_question
from rubric_core.grading.run import DEFAULT_CONCURRENCY
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import Targets
from rubric_core.report.text import part_of
from rubric_core.terminal.display import harmless
from rubric_core.text.lines import count_line_breaks
from rubric_core.text.writing import plural

_NO_MODEL = (
    "No model is configured to propose criteria. Pass --judge or --target, set `judge` in rubric.toml, or define a "
    "target called default."
)
_CHANGED = "The file was changed while criteria were proposed, so it was left as it is; run the command again."


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateRequest:
    """The values of the options, under their names."""

    paths: tuple[str, ...]
    cases: tuple[str, ...]
    target: str | None
    judge: str | None
    ranges: bool
    diff: bool
    dry_run: bool
    concurrency: int | None
    no_cache: bool
    config_file: Path | None
    no_config: bool
    quiet: bool


@dataclass(slots=True)
class FileOutcome:
    """A file and its result.

    `skipped` cases cannot get criteria, for `failed` ones the judge gave none; `failure` is an error of the whole
    file. `generated` is None until all its cases are answered.
    """

    shown: str
    failure: str | None = None
    read: ReadText | None = None
    file: GenerationFile | None = None
    generated: Generated | None = None
    failed: tuple[Skipped, ...] = ()

    @property
    def text(self) -> str:
        """Return the text as it was read."""
        return self.read.text if self.read is not None else ""

    @property
    def written(self) -> tuple[GeneratedCase, ...]:
        """Return the cases that got criteria."""
        return self.generated.written if self.generated is not None and self.failure is None else ()

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Return the cases that get no criteria."""
        surveyed = self.file.survey.skipped if self.file is not None else ()
        return (*surveyed, *(self.generated.skipped if self.generated is not None else ()))


def generate_request(request: GenerateRequest) -> int:
    """Generate the criteria and report them; return the exit status."""
    configurations = Configurations(ConfigRequest(file=request.config_file, isolated=request.no_config))
    outcomes = _read_files(request.paths, configurations)
    if request.cases:
        suites = (suite for row in outcomes if row.file is not None for suite in row.file.survey.reading.suites)
        ids = {case.id for case in chosen_cases([case for suite in suites for case in suite.cases], request.cases)}
        for outcome in outcomes:
            outcome.file = None if outcome.file is None else outcome.file.only(ids)
    files = [outcome.file for outcome in outcomes if outcome.file is not None]
    try:
        tasks = proposal_tasks(files, request.judge, request.target, no_model=_NO_MODEL)
        # A recording is not cached, so it needs no store, and a plan creates none.
        store = None
        if any(task.judge.memory_key is not None for task in tasks):
            store = (Store.open_existing if request.dry_run else Store.open)(Store.at(Path.cwd()))
        with store or nullcontext():
            memory = None if store is None else SelectiveCache(store, reuses_models=not request.no_cache)
            if request.dry_run or not request.quiet:
                say(_plan(tasks, memory, ranges=request.ranges))
            if request.dry_run:
                print_outcomes(outcomes, quiet=request.quiet)
                return COULD_NOT_RUN if any(outcome.failure is not None for outcome in outcomes) else OK
            return _generate(request, outcomes, tasks, memory)
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None


def _read_files(paths: Sequence[str], configurations: Configurations) -> list[FileOutcome]:
    """Read the eval files of the paths. A named file that cannot be used is a failure, others are skipped."""
    sources, failures = find_inputs(paths, configurations)
    read = [_read_file(source, configurations.for_folder(source.path.parent)) for source in sources]
    outcomes = [FileOutcome("", message) for message in failures] + [outcome for outcome in read if outcome is not None]
    if not outcomes:
        raise CouldNotRun(f"No eval files found in {', '.join(paths) or 'the current folder'}.")
    return sorted(outcomes, key=lambda outcome: outcome.failure is None)


def _read_file(source: InputFile, config: Config) -> FileOutcome | None:
    path = str(source.path)
    try:
        read = read_source(source, config)
    except SkippedFileError as reason:
        return FileOutcome(source.shown, reason.failure) if reason.failure is not None else None
    if not (source.named or may_be_ours(path, read.text, config)):
        return None
    try:
        file = GenerationFile.read(read.text, path, config, Targets(path, config), is_named=source.named)
    except CannotGrade as failure:
        return FileOutcome(source.shown, failure.reason) if source.named else None
    return FileOutcome(source.shown, read=read, file=file)


def _plan(tasks: Sequence[ProposalTask], memory: JudgementCache | None, *, ranges: bool) -> str:
    asked: Counter[str] = Counter()
    cached = characters = 0
    for _, candidate, judge in tasks:
        question = proposal_question(candidate.case, ranges=ranges)
        key = memory_key(question, judge)
        if memory is not None and key is not None and memory.get(key) is not None:
            cached += 1
        else:
            asked[judge.identity.name] += 1
            characters += len(question.prompt.system) + len(question.prompt.user)
    parts = [f"{plural(calls, 'question')} for {judge}" for judge, calls in sorted(asked.items())]
    parts += [f"{characters:,} characters of prompt"] if asked else []
    parts += [f"{plural(cached, 'proposal')} cached"] if cached else []
    return f"Plan: {plural(len(tasks), 'case')} without rubrics; {', '.join(parts) or 'nothing to ask'}."


def _generate(
    request: GenerateRequest,
    outcomes: Sequence[FileOutcome],
    tasks: Sequence[ProposalTask],
    memory: JudgementCache | None,
) -> int:
    """Let the judges propose criteria, write and report them; return the exit status."""
    by_path = {outcome.file.path: outcome for outcome in outcomes if outcome.file is not None}
    progress = ProgressLine(len(tasks), shown=not request.quiet)
    done = 0

    def show_progress() -> None:
        nonlocal done
        done += 1
        progress.show(done, f"{done} of {plural(len(tasks), 'case')} proposed")

    def finish(file: GenerationFile, generated: Generated, failed: tuple[Skipped, ...]) -> None:
        outcome = by_path[file.path]
        outcome.generated, outcome.failed = generated, failed
        if generated.edits and outcome.read is not None and not request.diff:
            unwritable = write_text(Path(file.path), generated.text, outcome.read.encoding, before=outcome.text)
            if unwritable is not None:
                outcome.failure = _CHANGED if unwritable.message == CHANGED else unwritable.message

    if not request.diff:
        remove_leftovers(map(Path, by_path))
    work = generate(
        [outcome.file for outcome in by_path.values() if outcome.file is not None],
        tasks,
        finish,
        ranges=request.ranges,
        concurrency=request.concurrency or DEFAULT_CONCURRENCY,
        memory=memory,
        on_proposal=show_progress,
    )
    try:
        finished = until_stopped(work)
    finally:
        progress.erase()
    outcomes = [outcome for outcome in outcomes if outcome.file is None or outcome.generated is not None]
    print_outcomes(outcomes, diff=request.diff, quiet=request.quiet)
    if not finished:
        say(f"Stopped with {done} of {plural(len(tasks), 'case')} proposed; run the command again to continue.")
        return INTERRUPTED
    if not request.quiet:
        say(summary(outcomes, diff=request.diff))
    return status_of(outcomes, diff=request.diff)


def status_of(outcomes: Sequence[FileOutcome], *, diff: bool) -> int:
    """Return the exit status: 2 after a failure, 1 if a case has no rubrics still or a diff shows some."""
    if any(outcome.failure is not None or outcome.failed for outcome in outcomes):
        return COULD_NOT_RUN
    return PROBLEMS if any(outcome.written if diff else outcome.skipped for outcome in outcomes) else OK


def print_outcomes(outcomes: Sequence[FileOutcome], *, diff: bool = False, quiet: bool = False) -> None:
    """Write the generated cases to standard output, and the failed and skipped ones to standard error."""
    for outcome in outcomes:
        if not diff:
            print_text("".join(_lines(outcome)))
        elif outcome.generated is not None and outcome.generated.edits:
            print_diff(outcome.shown, outcome.text, outcome.generated.text)
    for outcome in outcomes:
        for case in outcome.failed:
            _say_about(outcome, case, case.reason)
        if outcome.failure is not None:
            say_failure(outcome.shown, outcome.failure)
        for case in () if quiet else outcome.skipped:
            _say_about(outcome, case, f"Skipped. {case.reason}")


def summary(outcomes: Sequence[FileOutcome], *, diff: bool) -> str:
    """Return a summary of one or two sentences."""
    files = [outcome for outcome in outcomes if outcome.generated is not None]
    written = [case for outcome in outcomes for case in outcome.written]
    counts = {
        "skipped": sum(len(outcome.skipped) for outcome in outcomes),
        "failed": sum(len(outcome.failed) for outcome in outcomes),
    }
    remains = [f"{plural(count, 'case')} {state}" for state, count in counts.items() if count]
    if not written and not remains:
        return f"Nothing to write: every selected case in {plural(len(files), 'file')} has rubrics."
    touched = sum(bool(outcome.written) for outcome in outcomes)
    verb = "Would write" if diff else "Wrote"
    what = f"{verb} {sum(case.criteria for case in written):,} criteria for {plural(len(written), 'case')}"
    where = part_of(touched if written else len(files), len(files))
    hints = sum(case.hints for case in written)
    advice = f" The criteria give {plural(hints, 'hint')}, which `rubric check` shows." if hints else ""
    return f"{'; '.join([f'{what} in {where}' if written else f'No criteria in {where}', *remains])}.{advice}"


def _lines(outcome: FileOutcome) -> Iterator[str]:
    hints = {case: f", {plural(case.hints, 'hint')}" if case.hints else "" for case in outcome.written}
    rows = [(case.case_id, f"{case.criteria} criteria{hints[case]}") for case in outcome.written]
    if outcome.generated is None and outcome.file is not None:
        rows = [(candidate.case.id, "would be asked about") for candidate in outcome.file.survey.candidates]
    if rows:
        yield f"{harmless(outcome.shown)}\n"
    yield from (f"  {harmless(case_id)}: {what}\n" for case_id, what in rows)


def _say_about(outcome: FileOutcome, case: Skipped, message: str) -> None:
    line = count_line_breaks(outcome.text[: case.offset]) + 1
    say_failure(f"{outcome.shown}:{line}", f"{case.case_id}: {message}" if case.case_id else message)
