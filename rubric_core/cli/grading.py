"""From what the command line asks for to graded cases: load, plan, run, keep, report."""

from __future__ import annotations

import asyncio
import shlex
import signal
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.cli.configuration import DEFAULT_CONFIG, ConfigRequest, Configurations
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED, OK, PROBLEMS, CouldNotRun
from rubric_core.cli.given_answers import given_answers
from rubric_core.cli.grading_progress import Progress
from rubric_core.cli.output import say, show_rendered
from rubric_core.cli.sources import shown_path
from rubric_core.cli.suites import chosen_cases, load_files, some_ids, unbuilt_cases
from rubric_core.grading.evaluators.rubrics import criterion_ids
from rubric_core.grading.failures import CannotGrade, PersonStopped
from rubric_core.grading.grade import unfit
from rubric_core.grading.memory import ChosenMemory
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.past import NO_PAST
from rubric_core.grading.placeholders import count_placeholders
from rubric_core.grading.plan import NOTHING_KNOWN, GradingPlan, Known, make_plan
from rubric_core.grading.run import DEFAULT_CONCURRENCY, grade_all
from rubric_core.grading.sources import Sources
from rubric_core.grading.store.store import Store
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.report.results.summary import low_grade, scorecard_error, state_of
from rubric_core.report.text import many
from rubric_core.rules.placeholder_text import RULE as PLACEHOLDER_TEXT
from rubric_core.rules.problem import Severity
from rubric_core.schema.suggest import closest
from rubric_core.signals import STOPPING_SIGNALS, cancel_on_signals
from rubric_core.terminal.columns import harmless
from rubric_core.text.lines import count_line_breaks

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from typing import Any

    from rubric_core.grading.memory import Memory
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import EvalCase

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class GradeRequest:
    """What the command line asks for."""

    paths: tuple[str, ...] = ()
    config: ConfigRequest = DEFAULT_CONFIG
    cases: tuple[str, ...] = ()
    judge: str | None = None
    target: str | None = None
    answer: Path | None = None
    answers: Path | None = None
    options: Options = DEFAULT_OPTIONS
    min_grade: str | None = None
    concurrency: int = DEFAULT_CONCURRENCY
    resume: bool = False
    remembers: bool = True
    dry_run: bool = False
    format: str = "text"
    output: Path | None = None
    quiet: bool = False


def grade_request(request: GradeRequest) -> int:
    """Grade what is asked for and report it; return the exit status."""
    refuse_lost_report(request.output)
    configurations = Configurations(request.config)
    files = load_files(request.paths, configurations)
    refuse_wrong_configuration(configurations)
    cases = with_criteria(chosen_cases(files, request.cases), request.options)
    lost = () if request.cases else unbuilt_cases(files)
    if not cases and not lost:
        # Nobody should take it for a success that nothing was graded.
        raise CouldNotRun(f"There is no case to grade in {', '.join(file.shown for file in files)}.")
    try:
        sources = Sources(
            {file.shown: file.config for file in files},
            judge=request.judge,
            target=request.target,
            given=given_answers(files, cases, request),
        )
        return _grade(request, cases, lost, sources)
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None


def refuse_wrong_configuration(configurations: Configurations) -> None:
    """Raise CouldNotRun where a setting cannot be read: without its minimum grade, everything would pass."""
    for loaded in configurations.loaded():
        errors = [problem for problem in loaded.problems if problem.severity is Severity.ERROR]
        if errors and loaded.path is not None:
            line = count_line_breaks(loaded.text[: errors[0].span.start]) + 1
            more = f" {len(errors) - 1} more; see `rubric check`." if errors[1:] else ""
            raise CouldNotRun(f"{shown_path(loaded.path)}:{line}: {errors[0].message}{more}")


def with_criteria(cases: Sequence[EvalCase], wanted: Options) -> tuple[EvalCase, ...]:
    """Return the cases that have one of the criteria that are asked for; all where none is.

    Raises CouldNotRun where no case has a criterion of that name.
    """
    if wanted.criteria is None:
        return tuple(cases)
    known = {name for case in cases for name in criterion_ids(case)}
    for name in sorted(wanted.criteria - known):
        instead = closest(name, known)
        hint = f"Did you mean {instead}?" if instead else "`rubric prompt` shows those of a case."
        raise CouldNotRun(f"There is no criterion {name} in the cases that are to be graded. {hint}")
    return tuple(case for case in cases if wanted.criteria & criterion_ids(case))


def refuse_lost_report(output: Path | None) -> None:
    """Raise CouldNotRun where a report could not be written, before anybody has waited for it."""
    if output is not None and not output.parent.is_dir():
        raise CouldNotRun(f"{output}: There is no folder {output.parent}; make it first.")


def _grade(request: GradeRequest, cases: Sequence[EvalCase], lost: Sequence[CaseResult], sources: Sources) -> int:
    folder = Store.at(Path.cwd())
    plan = _planned(request, cases, sources, folder)
    if request.dry_run or not request.quiet:
        say(plan_sentence(plan))
        if plan.unanswered:
            say("Pass answers with --answer or --answers, or record them in NAME.answers.json beside the eval file.")
        tell_warnings(cases)
        tell_placeholders(cases)
    if request.dry_run:
        return OK
    format_ = RESULT_FORMATS[request.format]
    total = len(cases) + len(lost)
    with Store.open(folder) as store:
        command = shlex.join(map(sources.redactor.redact, ["rubric", *sys.argv[1:]]))
        run = store.begin_run(command, None, total)
        # A person at the terminal is not to be written over.
        is_shown = not request.quiet and not plan.asks_person
        progress = Progress(total, shown=is_shown, unpaid=plan.unpaid + len(lost))
        finished = _Run(request, cases, lost, sources, store, plan, run, progress).grade() or progress.done == total
        store.end_run(run, finished=finished)
        results = store.settle_history(run)
        past = store.past_of(results) if format_.shows_past else NO_PAST
    minimums = _minimums(request, cases)
    show_rendered(format_, results, output=request.output, past=past, asked=total, minimums=minimums)
    if not finished:
        say(f"Stopped with {len(results):,} of {many(total, 'case')} graded; --resume goes on from there.")
        return INTERRUPTED
    low = below_minimum(results, minimums)
    if low and not request.quiet:
        say(low_grades_sentence(low))
    return max(status_of(results), PROBLEMS if low else OK)


def _minimums(request: GradeRequest, cases: Sequence[EvalCase]) -> dict[str, str]:
    """Return the lowest grade that is allowed in each file that has one: from the command line, else configured."""
    found = {case.source: request.min_grade or case.config.min_grade for case in cases}
    return {file: grade for file, grade in found.items() if grade is not None}


def _planned(request: GradeRequest, cases: Sequence[EvalCase], sources: Sources, folder: Path) -> GradingPlan:
    """Make the plan. It looks into the store, and makes none where there is none: it leaves nothing behind."""
    store = Store.open_existing(folder)
    with store or nullcontext():
        known = NOTHING_KNOWN if store is None else Known(_memory(request, store), _earlier(request, store))
        return make_plan(cases, sources.source, request.options, known)


def _memory(request: GradeRequest, store: Store) -> Memory:
    return ChosenMemory(store, recalls=request.remembers, recalls_persons=request.resume)


def _earlier(request: GradeRequest, store: Store) -> Callable[[str], CaseResult | None] | None:
    return store.finished if request.resume else None


@dataclass(frozen=True)
class _Run:
    """One run: its request, and where its cases come from and go to."""

    request: GradeRequest
    cases: Sequence[EvalCase]
    lost: Sequence[CaseResult]
    sources: Sources
    store: Store
    plan: GradingPlan
    id: int
    progress: Progress

    def grade(self) -> bool:
        """Grade all cases and keep every result at once; return whether nobody stopped it."""
        self.progress.begin()
        for place, result in enumerate(self.lost, start=len(self.cases)):
            self._keep(place, result)
        try:
            return until_stopped(self._grade())
        finally:
            self.progress.erase()

    async def _grade(self) -> None:
        try:
            await grade_all(
                self.cases,
                self.sources.source,
                self._keep,
                options=self.request.options,
                # A person judges one case after the other, in the order of the file.
                concurrency=1 if self.plan.asks_person else self.request.concurrency,
                memory=_memory(self.request, self.store),
                fingerprints=self.plan.fingerprints,
                earlier=_earlier(self.request, self.store),
            )
        finally:
            await self.sources.close()

    def _keep(self, place: int, result: CaseResult) -> None:
        self.store.keep_result(self.id, place, result)
        self.progress.add(result)


def until_stopped(work: Coroutine[Any, Any, None]) -> bool:
    """Run something to its end; return False where Ctrl-C, a termination signal or the person who judges ended it."""

    async def watched() -> bool:
        task = asyncio.ensure_future(work)
        # What is ignored stays ignored: `nohup rubric grade` goes on when the terminal is closed.
        cancel_on_signals(task, [each for each in STOPPING_SIGNALS if signal.getsignal(each) is not signal.SIG_IGN])
        try:
            await task
        except (asyncio.CancelledError, PersonStopped):
            return False
        return True

    try:
        return asyncio.run(watched())
    except KeyboardInterrupt:
        return False


def status_of(results: Sequence[CaseResult]) -> int:
    """Return the exit status: 2 where something could not be graded, 1 where a case did not pass.

    Of a partial result, 1 where a criterion that was asked for is not met.
    """
    states = [state_of(result) for result in results]
    if "error" in states or any(scorecard_error(result) for result in results):
        return COULD_NOT_RUN
    is_short = any(result.partial and result.unmet for result in results)
    return PROBLEMS if is_short or "fail" in states or "borderline" in states else OK


def below_minimum(results: Sequence[CaseResult], minimums: Mapping[str, str]) -> list[tuple[CaseResult, str, str]]:
    """Return the results whose scorecard is below the lowest grade of their file, each with its grade and that one."""
    graded = [(result, low_grade(result, minimums)) for result in results]
    return [(result, *low) for result, low in graded if low is not None]


def low_grades_sentence(low: Sequence[tuple[CaseResult, str, str]]) -> str:
    """Return which scorecards are below the lowest grade that is allowed."""
    told = [f"{harmless(result.eval_id)} has {grade} and needs {minimum}" for result, grade, minimum in low]
    more = f", and {len(told) - _MOST_NAMED:,} more" if len(told) > _MOST_NAMED else ""
    return f"{many(len(low), 'scorecard')} below the minimum grade: {', '.join(told[:_MOST_NAMED])}{more}."


def tell_warnings(cases: Sequence[EvalCase]) -> None:
    """Say that some cases may not ask for what their author meant: a misspelt key has no effect on a grade."""
    warned = [case for case in cases if any(each.severity is Severity.WARNING for each in case.problems)]
    if warned:
        files = shlex.join(dict.fromkeys(case.source for case in warned))
        say(f"There are warnings about {some_ids(warned)}; see `rubric check {files}`.")


def tell_placeholders(cases: Sequence[EvalCase]) -> None:
    """Say how many placeholders are taken for texts that are meant, because their rule is off."""
    found = [count for case in cases if unfit(case) is None and (count := count_placeholders(case))]
    if found:
        texts = f"{many(sum(found), 'placeholder text')} of {many(len(found), 'case')}"
        say(f"{PLACEHOLDER_TEXT.name} ({PLACEHOLDER_TEXT.code}) is off, so these are graded as written: {texts}.")


def plan_sentence(plan: GradingPlan) -> str:
    """Return what a run will do, in one line."""
    parts = [f"{many(plan.taken_over, 'result')} taken over"] if plan.taken_over else []
    parts += [f"{many(calls, 'question')} for {judge}" for judge, calls in sorted(plan.calls.items())]
    parts += [f"{plan.characters:,} characters of prompt"] if plan.calls else []
    parts += [f"{many(plan.remembered, 'judgement')} remembered"] if plan.remembered else []
    parts += [f"{many(plan.answers, 'answer')} from targets"] if plan.answers else []
    parts += [f"{many(plan.code_judges, 'code judge')} to run"] if plan.code_judges else []
    parts += [f"{many(plan.unfit, 'case')} with errors, not asked about"] if plan.unfit else []
    parts += [f"{many(plan.unanswered, 'case')} without an answer, not asked about"] if plan.unanswered else []
    return f"Plan: {many(plan.cases, 'case')}; {', '.join(parts) or 'nothing to ask'}."
