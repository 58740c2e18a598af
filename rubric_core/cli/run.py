"""A whole check: find the files and check them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.cli.background import can_fork
from rubric_core.cli.checking import (
    CheckOutcome,
    Task,
    check_read,
    check_task,
    configurations_for,
    isolated,
    lost_task,
)
from rubric_core.cli.configuration import ConfigRequest, config_report
from rubric_core.cli.parallel import processes_for, processors, run_all
from rubric_core.cli.sources import gather, shown_path, stdin_source
from rubric_core.files.read import Unreadable, read_stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rubric_core.cli.sources import InputFile
    from rubric_core.report.reports import FileReport


class FileFailure(NamedTuple):
    """A file that could not be checked, and why."""

    shown: str
    message: str


class CheckPlan(NamedTuple):
    """What to check and how."""

    paths: tuple[str, ...] = ()
    config: ConfigRequest = ConfigRequest()
    with_fixes: bool = True
    jobs: int | None = None
    quiet: bool = False


class Examination(NamedTuple):
    """A check under way.

    `reports` are those of configuration files with which something is wrong, `failures` are paths that lead nowhere.
    `outcomes` gives the index and the outcome of each source when it is known, and None before for one that takes long.
    """

    reports: tuple[FileReport, ...] = ()
    failures: tuple[FileFailure, ...] = ()
    sources: tuple[InputFile, ...] = ()
    outcomes: Iterable[tuple[int, CheckOutcome | None]] = ()


def examine(plan: CheckPlan) -> Examination:
    """Check everything that the plan names."""
    gathered = gather(plan.paths, configurations_for(plan.config))
    failures = tuple(FileFailure("", message) for message in gathered.failures)
    return Examination(
        configuration_reports(plan, gathered.sources), failures, gathered.sources, check_sources(plan, gathered.sources)
    )


def configuration_reports(plan: CheckPlan, sources: Sequence[InputFile]) -> tuple[FileReport, ...]:
    """Return what is wrong with the configuration files that count for these files."""
    configurations = configurations_for(plan.config)
    for folder in {source.path.parent: None for source in sources}:
        configurations.for_folder(folder)
    return tuple(
        config_report(loaded, shown_path(loaded.path))
        for loaded in configurations.loaded()
        if loaded.problems and loaded.path is not None
    )


def check_sources(plan: CheckPlan, sources: Sequence[InputFile]) -> Iterator[tuple[int, CheckOutcome | None]]:
    """Check files, in several processes where that pays."""
    processes = processes_for([source.size for source in sources], plan.jobs)
    shared = len(sources) == 1 and can_fork() and processors(plan.jobs) > 1
    tasks = [Task(source, plan.config, plan.with_fixes, shared) for source in sources]
    if processes > 1:
        # What is imported before the processes part is imported once.
        import rubric_core.analysis.check  # noqa: F401, PLC0415 - only for that.
    return run_all(check_task, lost_task, tasks, processes)


def examine_stdin(plan: CheckPlan, name: str | None) -> Examination:
    """Check the text on standard input."""
    source = stdin_source(name)
    reports = configuration_reports(plan, [source])
    config = configurations_for(plan.config).for_folder(source.path.parent)
    read = read_stream(sys.stdin.buffer, config.limits)
    if isinstance(read, Unreadable):
        outcome = CheckOutcome(failure=read.message)
    else:
        outcome = isolated(lambda: check_read(source, read, config, with_fixes=plan.with_fixes))
    return Examination(reports, (), (source,), [(0, outcome)])
