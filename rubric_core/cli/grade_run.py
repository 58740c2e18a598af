"""The work of `rubric grade`: load, plan, run, report."""

import asyncio
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing, nullcontext, suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from rubric_core.cli.inputs import STDIN, ConfigRequest, Configurations, shown_path
from rubric_core.cli.output import (
    COULD_NOT_RUN,
    INTERRUPTED,
    OK,
    PROBLEMS,
    STOPPING_SIGNALS,
    CouldNotRun,
    ProgressLine,
    say,
    show_rendered,
    suggestion,
)
from rubric_core.cli.suites import LoadedFile, cases_of, chosen_cases, load_files, some_ids, unbuilt_cases
from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.answers import Answer
from rubric_core.grading.failures import CannotGrade, PersonStopped
from rubric_core.grading.grader import grader_of
from rubric_core.grading.options import Options
from rubric_core.grading.questions import criterion_ids, reason_not_gradable
from rubric_core.grading.results import NO_HISTORY, CaseResult
from rubric_core.grading.run import DEFAULT_CONCURRENCY
from rubric_core.grading.service import GradingPlan, GradingService
from rubric_core.grading.sources import Sources, read_answer, read_answers
from rubric_core.grading.store.store import Store
from rubric_core.grading.usage import NOTHING_SPENT
from rubric_core.model.criteria import ScoreRangeCriterion
from rubric_core.model.evaluators import LlmJudge, with_members
from rubric_core.model.suite import EvalCase
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.report.results.wording import STATES, low_grade, scorecard_error, state_of
from rubric_core.rules.duplicate_case_id import RULE as DUPLICATE_CASE_ID
from rubric_core.rules.placeholder_text import RULE as PLACEHOLDER_TEXT
from rubric_core.rules.problem import Severity
from rubric_core.terminal.display import harmless
from rubric_core.text.lines import count_line_breaks
from rubric_core.text.writing import plural, some_of
from rubric_core.views.texts import is_placeholder, is_placeholder_message_text

# The states whose count the progress line shows even if it is 0.
_ALWAYS_COUNTED = frozenset({"pass", "borderline", "fail", "error"})
_MINUTE = 60
_HOUR = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRequest:
    """The values of the options, under their names."""

    paths: tuple[str, ...]
    cases: tuple[str, ...]
    criteria: tuple[str, ...]
    judge: str | None
    target: str | None
    answer: Path | None
    answers: Path | None
    samples: int
    per_criterion: bool
    threshold: Decimal | None
    concurrency: int | None
    min_grade: str | None
    resume: bool
    no_cache: bool
    dry_run: bool
    format_: str
    output: Path | None
    config_file: Path | None
    no_config: bool
    quiet: bool


def grade_request(request: GradeRequest) -> int:
    """Grade the requested cases and report the results; return the exit status."""
    if request.output is not None and not (folder := request.output.parent).is_dir():
        # Check now, so that the report can be written after the grading.
        raise CouldNotRun(f"{request.output}: There is no folder {folder}; create it first.")
    configurations = Configurations(ConfigRequest(file=request.config_file, isolated=request.no_config))
    files = load_files(request.paths, configurations)
    require_valid_configuration(configurations)
    criteria = frozenset(request.criteria) if request.criteria else None
    cases = with_criteria(chosen_cases(cases_of(files), request.cases), criteria)
    lost = () if request.cases else unbuilt_cases(files)
    if not cases and not lost:
        # A run without cases must not look like a success.
        raise CouldNotRun(f"There is no case to grade in {', '.join(file.shown for file in files)}.")
    try:
        sources = Sources(
            {file.shown: file.config for file in files},
            judge=request.judge,
            target=request.target,
            given=given_answers(files, cases, request),
        )
        options = Options(
            samples=request.samples,
            per_criterion=request.per_criterion,
            criteria=criteria,
            threshold=request.threshold,
        )
        require_thresholds(cases, request)
        return _grade(
            request,
            GradingService(cases, sources, options, lost=lost, resume=request.resume, use_cache=not request.no_cache),
        )
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None


def require_thresholds(cases: Sequence[EvalCase], request: GradeRequest) -> None:
    """Report the cases that a threshold has no effect on. Raises UsageError if those are all cases."""
    fixed = [case for case in cases if not BY_NAME[case.dialect].table.thresholds]
    if request.threshold is None or not fixed:
        return
    fixed_titles = " and ".join(dict.fromkeys(BY_NAME[case.dialect].title for case in fixed))
    why = f"{fixed_titles}, which has fixed thresholds: a case passes from 0.8 on, and is borderline from 0.6 on"
    if len(fixed) == len(cases):
        raise click.UsageError(f"`--threshold` has no effect on {why}.")
    if not request.quiet:
        say(f"--threshold has no effect on {plural(len(fixed), 'case')} of {why}.")


def require_valid_configuration(configurations: Configurations) -> None:
    """Raise CouldNotRun if a setting cannot be read: without its minimum grade, everything would pass."""
    for loaded in configurations.loaded():
        errors = [problem for problem in loaded.problems if problem.severity is Severity.ERROR]
        if errors and loaded.path is not None:
            line = count_line_breaks(loaded.text[: errors[0].span.start]) + 1
            more = f" {len(errors) - 1} more; see `rubric check`." if errors[1:] else ""
            raise CouldNotRun(f"{shown_path(loaded.path)}:{line}: {errors[0].message}{more}")


def with_criteria(cases: Sequence[EvalCase], requested: frozenset[str] | None) -> tuple[EvalCase, ...]:
    """Return the cases with a requested criterion; all if none is requested. Raise CouldNotRun for an unknown name."""
    if requested is None:
        return tuple(cases)
    available = {name for case in cases for name in criterion_ids(case)}
    for name in sorted(requested - available):
        hint = suggestion(name, available, "`rubric prompt` shows those of a case.", mark="")
        raise CouldNotRun(f"There is no criterion {name} in the cases that are to be graded. {hint}")
    return tuple(case for case in cases if requested & criterion_ids(case))


def given_answers(
    files: Sequence[LoadedFile], cases: Sequence[EvalCase], request: GradeRequest
) -> Mapping[str, str | Answer]:
    """Return the answers of the command line by case id. Raises CannotGrade if they cannot be read."""
    if request.answer is not None and request.answers is not None:
        raise click.UsageError("`--answer` and `--answers` cannot be combined.")
    if (request.answer is not None or request.answers is not None) and not cases:
        for result in unbuilt_cases(files):
            raise CannotGrade(f"{result.file}: No case can be read, so there is nothing to answer. {result.error}")
    if request.answer is not None:
        if len(cases) != 1:
            raise click.UsageError(_why_not_one(cases))
        return {cases[0].id: _stdin() if str(request.answer) == STDIN else read_answer(request.answer)}
    if request.answers is None:
        return {}
    given, warning = read_answers(request.answers, {case.id for case in cases_of(files)})
    if warning is not None and not request.quiet:
        say(f"rubric: {warning}")
    return given


def _why_not_one(cases: Sequence[EvalCase]) -> str:
    problems = [problem for case in cases for problem in case.problems]
    messages = [problem.message for problem in problems if problem.code == DUPLICATE_CASE_ID.code]
    if messages and len({case.id for case in cases}) == 1:
        return f"`--answer` is for one case. {messages[0]}"
    return f"`--answer` is for one case, but {len(cases)} are chosen; name one by --case."


def _stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CannotGrade(f"The answer on standard input is not UTF-8: byte {error.start} does not fit.") from None


def _grade(request: GradeRequest, service: GradingService) -> int:
    folder, cases, total = Store.at(Path.cwd()), service.cases, service.total
    # The plan creates no store.
    existing = Store.open_existing(folder)
    with existing or nullcontext():
        plan = service.plan(existing)
    if request.dry_run or not request.quiet:
        say(plan_sentence(plan))
        if plan.unanswered:
            say("Pass answers with --answer or --answers, or record them in NAME.answers.json beside the eval file.")
        say_warnings(cases)
        say_placeholders(cases)
    if request.dry_run:
        return OK
    with Store.open(folder) as store:
        service.begin(store, shlex.join(map(service.sources.redactor.redact, ["rubric", *sys.argv[1:]])))
        # Progress must not overwrite the questions to a person.
        is_shown = not request.quiet and not plan.asks_person
        with Progress(total, shown=is_shown, unpaid=plan.without_calls + total - len(cases)) as progress:
            run = service.run(plan, request.concurrency or DEFAULT_CONCURRENCY)
            finished = until_stopped(progress.count(run)) or service.is_complete
        results = service.end(stopped=not finished)
        format_ = RESULT_FORMATS[request.format_]
        history = store.result_history(results) if format_.shows_history else NO_HISTORY
    grades = {case.source: request.min_grade or case.config.min_grade for case in cases}
    minimums = {file: grade for file, grade in grades.items() if grade is not None}
    show_rendered(format_, results, output=request.output, history=history, asked=total, minimums=minimums)
    if not finished:
        say(f"Stopped with {len(results):,} of {plural(total, 'case')} graded; --resume continues from there.")
        return INTERRUPTED
    has_low_grades = say_low_grades(results, minimums, quiet=request.quiet)
    return max(status_of(results), PROBLEMS if has_low_grades else OK)


class Progress:
    """Counts results, and shows the counts on a terminal.

    `unpaid` results take no time, because no judge is asked; the time of the others gives the estimate of the rest.
    """

    def __init__(self, total: int, *, shown: bool, unpaid: int = 0) -> None:
        self.total = total
        self.counts: Counter[str] = Counter()
        self.usage = NOTHING_SPENT
        self._unpaid = unpaid
        self._line = ProgressLine(total, shown=shown)
        self._start_time = time.monotonic()

    @property
    def done(self) -> int:
        """Return how many cases have a result."""
        return self.counts.total()

    def __enter__(self) -> "Progress":  # noqa: PYI034 - `Self` is not in the library of Python 3.10.
        self._show()
        return self

    def __exit__(self, *_error: object) -> None:
        self._line.erase()

    async def count(self, run: AsyncGenerator[CaseResult, None]) -> None:
        """Count the results of a run as they come."""
        async with aclosing(run) as results:
            async for result in results:
                self.add(result)

    def add(self, result: CaseResult) -> None:
        """Count one result."""
        self.counts[state_of(result)] += 1
        self.usage += result.usage
        self._show()

    def line(self, elapsed: float) -> str:
        """Return the counts, the tokens and the time that is left, as one line."""
        counts = [f"{self.counts[state]} {state}" for state in STATES if self.counts[state] or state in _ALWAYS_COUNTED]
        tokens = self.usage.input_tokens + self.usage.output_tokens
        parts = [f"{self.done} of {self.total} cases: {', '.join(counts)}", f"{tokens:,} tokens"]
        paid = self.done - self._unpaid
        if paid > 0 and self.done < self.total:
            parts.append(f"{_span(elapsed / paid * (self.total - self.done))} left")
        return "; ".join(parts)

    def _show(self) -> None:
        self._line.show(self.done, self.line(time.monotonic() - self._start_time))


def _span(time_left: float) -> str:
    seconds = round(time_left)
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min {seconds % _MINUTE} s"
    return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min"


def until_stopped(work: Coroutine[Any, Any, None]) -> bool:
    """Run work to its end; return False if Ctrl-C, a termination signal or the person who judges stopped it."""

    async def watched() -> bool:
        task = asyncio.ensure_future(work)
        for number in STOPPING_SIGNALS:
            # An ignored signal stays ignored: `nohup rubric grade` goes on when the terminal is closed. Windows has no
            # handlers of this kind; there Ctrl-C raises KeyboardInterrupt, which cancels too.
            if signal.getsignal(number) is not signal.SIG_IGN:
                with suppress(NotImplementedError):
                    asyncio.get_running_loop().add_signal_handler(number, task.cancel)
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
    """Return the exit status: 2 for an error, 1 if a case did not pass or a requested criterion is not met."""
    states = [state_of(result) for result in results]
    if "error" in states or any(scorecard_error(result) for result in results):
        return COULD_NOT_RUN
    is_short = any(result.partial and result.unmet for result in results)
    return PROBLEMS if is_short or "fail" in states or "borderline" in states else OK


def say_low_grades(results: Sequence[CaseResult], minimums: Mapping[str, str], *, quiet: bool) -> bool:
    """Report the scorecards below the minimum grade of their file; return whether there are any."""
    graded = [(result.eval_id, low_grade(result, minimums)) for result in results]
    low = [f"{harmless(case)} has {row.grade} and needs {row.minimum}" for case, row in graded if row is not None]
    if low and not quiet:
        say(f"{plural(len(low), 'scorecard')} below the minimum grade: {some_of(low)}.")
    return bool(low)


def say_warnings(cases: Sequence[EvalCase]) -> None:
    """Report cases with warnings: a misspelt key has no effect on a grade."""
    warned = [case for case in cases if any(problem.severity is Severity.WARNING for problem in case.problems)]
    if warned:
        files = shlex.join(dict.fromkeys(case.source for case in warned))
        say(f"There are warnings about {some_ids(warned)}; see `rubric check {files}`.")


def say_placeholders(cases: Sequence[EvalCase]) -> None:
    """Report how many placeholders are treated as ordinary texts, because their rule is off."""
    counts = [count for case in cases if reason_not_gradable(case) is None and (count := _count_placeholders(case))]
    if counts:
        texts = f"{plural(sum(counts), 'placeholder text')} of {plural(len(counts), 'case')}"
        say(f"{PLACEHOLDER_TEXT.name} ({PLACEHOLDER_TEXT.code}) is off, so these are graded as written: {texts}.")


def _count_placeholders(case: EvalCase) -> int:
    texts = (part.value for message in (*case.input_messages, *case.expected_messages) for part in message.parts)
    return sum(map(is_placeholder, _texts(case))) + sum(map(is_placeholder_message_text, texts))


def _texts(case: EvalCase) -> Iterator[str]:
    """Yield the expected outcomes of a case, its criteria, their score ranges, and its red flags and bonuses."""
    yield case.expected_outcome
    for evaluator in with_members(case.evaluators, grader_of(case).sets):
        for criterion in evaluator.criteria if isinstance(evaluator, LlmJudge) else ():
            yield criterion.expected_outcome or ""
            if isinstance(criterion, ScoreRangeCriterion):
                yield from (score_range.expected_outcome for score_range in criterion.score_ranges)
    if case.scorecard is not None:
        yield from (flag.expected_outcome for flag in case.scorecard.red_flags)
        yield from (bonus.expected_outcome for bonus in case.scorecard.bonuses)


def plan_sentence(plan: GradingPlan) -> str:
    """Return the plan of a run in one line."""
    parts = [f"{plural(plan.taken_over, 'result')} taken over"] if plan.taken_over else []
    parts += [f"{plural(calls, 'question')} for {judge}" for judge, calls in sorted(plan.calls.items())]
    parts += [f"{plan.characters:,} characters of prompt"] if plan.calls else []
    parts += [f"{plural(plan.cached, 'judgement')} cached"] if plan.cached else []
    parts += [f"{plural(plan.answers, 'answer')} from targets"] if plan.answers else []
    parts += [f"{plural(plan.code_judges, 'code judge')} to run"] if plan.code_judges else []
    parts += [f"{plural(plan.not_gradable, 'case')} with errors, not asked about"] if plan.not_gradable else []
    parts += [f"{plural(plan.unanswered, 'case')} without an answer, not asked about"] if plan.unanswered else []
    return f"Plan: {plural(plan.cases, 'case')}; {', '.join(parts) or 'nothing to ask'}."
