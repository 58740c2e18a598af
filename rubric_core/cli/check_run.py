"""Check many files: find them, check them in several processes, collect and show the reports, or their dialects."""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from rubric_core.cli.check_file import (
    CheckOutcome,
    analysis_of,
    check_file,
    check_read,
    configurations_for,
    isolated,
    lost_file,
    read_source,
    without_report,
)
from rubric_core.cli.inputs import ConfigRequest, InputFile, find_inputs, shown_path, stdin_source
from rubric_core.cli.output import STOPPING_SIGNALS, ProgressLine, print_text
from rubric_core.cli.parallel import can_fork, processes_for, processors, run_all
from rubric_core.files.read import Unreadable, read_stream
from rubric_core.report.reports import FileReport
from rubric_core.terminal.display import harmless
from rubric_core.text.lines import count_line_breaks
from rubric_core.text.writing import some_of

# Progress is shown from this number of files on; fewer are checked too fast to read it.
_FEW = 20
_MOST_NAMED = 3

# The path as shown of a file that could not be checked, or "", and why.
Failure = tuple[str, str]


class CheckPlan(NamedTuple):
    """What to check and how."""

    paths: tuple[str, ...] = ()
    config: ConfigRequest = ConfigRequest()
    with_fixes: bool = True
    jobs: int | None = None
    quiet: bool = False
    skip_unknown: bool = False


class CheckRun(NamedTuple):
    """A check in progress.

    `reports` are the problems of configuration files, `failures` the paths that do not exist.
    `outcomes` yields the index and the outcome of each source when it is known, and None before for one that is late.
    """

    reports: tuple[FileReport, ...] = ()
    failures: tuple[Failure, ...] = ()
    sources: tuple[InputFile, ...] = ()
    outcomes: Iterable[tuple[int, CheckOutcome | None]] = ()


def start_check(plan: CheckPlan) -> CheckRun:
    """Check everything that the plan names."""
    sources, messages = find_inputs(plan.paths, configurations_for(plan.config), skip_unknown=plan.skip_unknown)
    failures = tuple(("", message) for message in messages)
    return CheckRun(configuration_reports(plan, sources), failures, sources, check_sources(plan, sources))


def configuration_reports(plan: CheckPlan, sources: Sequence[InputFile]) -> tuple[FileReport, ...]:
    """Return the problems of the configuration files that apply to these files."""
    configurations = configurations_for(plan.config)
    for folder in {source.path.parent: None for source in sources}:
        configurations.for_folder(folder)
    return tuple(
        FileReport(shown_path(loaded.path), loaded.text, loaded.problems)
        for loaded in configurations.loaded()
        if loaded.problems and loaded.path is not None
    )


def check_sources(plan: CheckPlan, sources: Sequence[InputFile]) -> Iterator[tuple[int, CheckOutcome | None]]:
    """Check files, in several processes if that is faster."""
    processes = processes_for([source.size for source in sources], plan.jobs)
    shared = len(sources) == 1 and can_fork() and processors(plan.jobs) > 1
    check = partial(check_file, request=plan.config, with_fixes=plan.with_fixes, shared=shared)
    if processes > 1:
        # Import before forking, so that workers need not.
        import rubric_core.analysis.check  # noqa: F401, PLC0415 - only for that.
    return run_all(check, lost_file, sources, processes)


def check_stdin(plan: CheckPlan, name: str | None) -> CheckRun:
    """Check the text on standard input."""
    source = stdin_source(name, skip_unknown=plan.skip_unknown)
    reports = configuration_reports(plan, [source])
    config = configurations_for(plan.config).for_folder(source.path.parent)
    read = read_stream(sys.stdin.buffer, config.limits)
    if isinstance(read, Unreadable):
        outcome = CheckOutcome(failure=read.message)
    else:
        check = partial(check_read, source, read, config, with_fixes=plan.with_fixes)
        outcome = isolated(check, without_report)
    return CheckRun(reports, (), (source,), [(0, outcome)])


class CheckResult(NamedTuple):
    """The result of a check in the order of the paths. `notes` are about named files that are not eval files."""

    reports: tuple[FileReport, ...] = ()
    failures: tuple[Failure, ...] = ()
    is_stopped: bool = False
    notes: tuple[Failure, ...] = ()


def collect(run: CheckRun, show: Callable[[FileReport], None], *, quiet: bool) -> CheckResult:
    """Wait for all files, or until the user interrupts; each report is shown as soon as it is its turn."""
    sources = run.sources
    checked: dict[int, CheckOutcome] = {}
    late: set[int] = set()
    shown: set[int] = set()
    line = ProgressLine(len(sources), shown=not quiet and len(sources) >= _FEW)

    def show_outcomes(indices: Iterable[int]) -> None:
        for index in indices:
            shown.add(index)
            report = checked[index].report
            if report is not None and report.problems:
                line.erase()
                show(report)

    for report in run.reports:
        show(report)
    is_stopped = False
    try:
        with _interrupted_by_signals():
            for indices in in_turn(run.outcomes, checked, late):
                show_outcomes(indices)
                line.show(len(checked), _progress(len(checked), len(sources), [sources[index].shown for index in late]))
    except KeyboardInterrupt:
        is_stopped = True
        show_outcomes(sorted(checked.keys() - shown))
    finally:
        line.erase()
    outcomes = [(sources[index].shown, checked[index]) for index in sorted(checked)]
    unchecked = [source.shown for index, source in enumerate(sources) if index not in checked]
    return CheckResult(
        (*run.reports, *(outcome.report for _, outcome in outcomes if outcome.report is not None)),
        (
            *run.failures,
            *((shown, outcome.failure) for shown, outcome in outcomes if outcome.failure is not None),
            *([("", _interruption(unchecked, len(sources)))] if unchecked else []),
        ),
        is_stopped,
        tuple((shown, outcome.note) for shown, outcome in outcomes if outcome.note is not None),
    )


def in_turn(
    outcomes: Iterable[tuple[int, CheckOutcome | None]], checked: dict[int, CheckOutcome], late: set[int]
) -> Iterator[list[int]]:
    """Yield, for each event, the indices whose turn has come: in order, without waiting for those that are late.

    `checked` and `late` are updated at each step, so that a caller that stops early has every result so far.
    """
    position = 0
    for index, outcome in outcomes:
        if outcome is None:
            late.add(index)
        else:
            checked[index] = outcome
            late.discard(index)
        turn = [index] if outcome is not None and index < position else []
        while position in checked or position in late:
            turn += [position] if position in checked else []
            position += 1
        yield turn


def _progress(done: int, total: int, late: Sequence[str]) -> str:
    words = f"Checked {done:,} of {total:,} files"
    return f"{words}; still checking {some_of(late, _MOST_NAMED)}" if late else words


def _interruption(unchecked: Sequence[str], total: int) -> str:
    verb = "was" if len(unchecked) == 1 else "were"
    return f"Stopped before {len(unchecked):,} of {total:,} files {verb} checked: {some_of(unchecked, _MOST_NAMED)}."


@contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt for each signal that ends a process; an ignored signal stays ignored."""
    changed = [number for number in STOPPING_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def explain_dialects(plan: CheckPlan) -> CheckResult:
    """Print the dialect of each eval file, with the reason; return the failures and the notes."""
    sources, messages = find_inputs(plan.paths, configurations_for(plan.config), skip_unknown=plan.skip_unknown)
    outcomes = [(source.shown, isolated(partial(_explain, source, plan.config), without_report)) for source in sources]
    failures = [(shown, outcome.failure) for shown, outcome in outcomes if outcome.failure is not None]
    notes = tuple((shown, outcome.note) for shown, outcome in outcomes if outcome.note is not None)
    return CheckResult(failures=(*(("", message) for message in messages), *failures), notes=notes)


def _explain(source: InputFile, request: ConfigRequest) -> CheckOutcome:
    from rubric_core.analysis.explanations import explain_dialect  # noqa: PLC0415 - most runs check.

    config = configurations_for(request).for_folder(source.path.parent)
    text = read_source(source, config).text
    dialect, why, offset = explain_dialect(analysis_of(source, text, config))
    line = "" if offset is None else f", line {count_line_breaks(text[:offset]) + 1}"
    print_text(f"{harmless(source.shown)}: {dialect.name} {why}{line}\n")
    return CheckOutcome()
