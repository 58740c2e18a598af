"""A whole check: find the files, check them, and collect reports and failures in order."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.cli.background import can_fork
from rubric_core.cli.checking import (
    Outcome,
    Task,
    check_read,
    check_task,
    configurations_for,
    isolated,
    lost_task,
)
from rubric_core.cli.configuration import ConfigRequest, config_report
from rubric_core.cli.parallel import processes_for, processors, run_in_order
from rubric_core.cli.progress import counted
from rubric_core.cli.sources import gather, shown_path, stdin_source
from rubric_core.files.read import Unreadable, read_stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rubric_core.cli.configuration import Configurations
    from rubric_core.cli.sources import Source
    from rubric_core.report.reports import FileReport


class Failure(NamedTuple):
    """A file that could not be checked, and why."""

    shown: str
    message: str


class Plan(NamedTuple):
    """What to check and how."""

    paths: tuple[str, ...] = ()
    config: ConfigRequest = ConfigRequest()
    with_fixes: bool = True
    jobs: int | None = None
    quiet: bool = False


class Examined(NamedTuple):
    """The result of a check. Configuration files are among the reports only where something is wrong with them."""

    reports: tuple[FileReport, ...] = ()
    failures: tuple[Failure, ...] = ()


def examine(plan: Plan) -> Examined:
    """Check everything that the plan names."""
    configurations = configurations_for(plan.config)
    gathered = gather(plan.paths, configurations)
    outcomes = check_sources(plan, gathered.sources)
    failures = [Failure("", message) for message in gathered.failures]
    return collect(configurations, zip(gathered.sources, outcomes, strict=True), failures)


def check_sources(plan: Plan, sources: Sequence[Source]) -> list[Outcome]:
    """Check files, in several processes where that pays."""
    processes = processes_for([source.size for source in sources], plan.jobs)
    shared = processes == 1 and can_fork() and processors(plan.jobs) > 1
    tasks = [Task(source, plan.config, plan.with_fixes, shared) for source in sources]
    results = run_in_order(check_task, lost_task, tasks, processes)
    if processes > 1:
        # What is imported before the processes part is imported once.
        import rubric_core.analysis.check  # noqa: F401, PLC0415 - only for that.

        # The workers have configurations of their own; here they are needed for what is wrong with them.
        configurations = configurations_for(plan.config)
        for folder in {source.path.parent for source in sources}:
            configurations.for_folder(folder)
    return list(counted(results, len(tasks), quiet=plan.quiet))


def collect(
    configurations: Configurations, outcomes: Iterable[tuple[Source, Outcome]], failures: Sequence[Failure] = ()
) -> Examined:
    """Put reports and failures together, the configuration first."""
    found = list(outcomes)
    reports = [
        config_report(loaded, shown_path(loaded.path))
        for loaded in configurations.loaded()
        if loaded.problems and loaded.path is not None
    ]
    reports += [outcome.report for _, outcome in found if outcome.report is not None]
    failed = [Failure(source.shown, outcome.failure) for source, outcome in found if outcome.failure is not None]
    return Examined(tuple(reports), (*failures, *failed))


def examine_stdin(plan: Plan, name: str | None) -> Examined:
    """Check the text on standard input."""
    configurations = configurations_for(plan.config)
    source = stdin_source(name)
    config = configurations.for_folder(source.path.parent)
    read = read_stream(sys.stdin.buffer, config.limits)
    if isinstance(read, Unreadable):
        return collect(configurations, [(source, Outcome(failure=read.message))])
    return collect(
        configurations, [(source, isolated(lambda: check_read(source, read, config, with_fixes=plan.with_fixes)))]
    )
