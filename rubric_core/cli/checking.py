"""Checking one file: read it, find its configuration, ask the rules. A failure stays with its file."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.cli.background import in_background
from rubric_core.cli.configuration import Configurations
from rubric_core.config.config import is_ours_by_name, severity_of
from rubric_core.files.look import DiskSurroundings
from rubric_core.files.read import ReadText, Reason, Unreadable, read_text
from rubric_core.files.walk import may_be_ours
from rubric_core.report.reports import FileReport
from rubric_core.rules.problem import Problem, Severity
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.cli.configuration import ConfigRequest
    from rubric_core.cli.sources import InputFile
    from rubric_core.config.config import Config

_LIMITS = frozenset({Reason.TOO_LARGE, Reason.LONG_LINE})
# What the start of a file too large to read must hold to be taken for an eval file.
_CASE_LIST = re.compile(rb"^[\"']?(?:evalcases|eval_cases|cases|tests)[\"']?[ \t]*:", re.MULTILINE)
_CASE_FIELD = re.compile(rb"^[ \t-]*[\"']?(?:rubrics|input_messages|expected_outcome)[\"']?[ \t]*:", re.MULTILINE)
_HEAD_BYTES = 65_536


class Task(NamedTuple):
    """One file to check, with or without the fixes of its problems, which take time to make."""

    source: InputFile
    request: ConfigRequest
    with_fixes: bool = True
    # Whether a second process may help with a large file.
    shared: bool = False


class CheckOutcome(NamedTuple):
    """What became of one file: a report, a failure, both where a rule failed, neither where the file is not ours."""

    report: FileReport | None = None
    failure: str | None = None


def check_task(task: Task) -> CheckOutcome:
    """Check one file; whatever goes wrong inside is a message about this file."""
    configurations = configurations_for(task.request)
    return isolated(lambda: check_source(task.source, configurations, with_fixes=task.with_fixes, shared=task.shared))


def isolated(work: Callable[[], CheckOutcome]) -> CheckOutcome:
    """Do the work on one file, so that an error of ours costs this file only and is told in one line."""
    try:
        return work()
    except Exception as error:
        if os.environ.get("RUBRIC_DEBUG"):
            raise
        return CheckOutcome(failure=internal_failure(error))


def lost_task(_task: Task) -> CheckOutcome:
    """Return the outcome of a file whose process died."""
    return CheckOutcome(failure="The process that checked this file died, perhaps for want of memory; try `--jobs 1`.")


def internal_failure(error: Exception) -> str:
    """Return one line about an error of ours."""
    kind = type(error).__name__
    return f"The check failed inside with {kind}: {error}. RUBRIC_DEBUG=1 shows where; please report it."


@lru_cache(maxsize=1)
def configurations_for(request: ConfigRequest) -> Configurations:
    """Return the configurations of a run; a worker process gets the same request many times."""
    return Configurations(request)


def check_source(
    source: InputFile, configurations: Configurations, *, with_fixes: bool, shared: bool = False
) -> CheckOutcome:
    """Read and check one file."""
    config = configurations.for_folder(source.path.parent)
    read = read_text(source.path, config.limits)
    if isinstance(read, Unreadable):
        return _unreadable(source, config, read)
    return check_read(source, read, config, with_fixes=with_fixes, shared=shared)


def check_read(
    source: InputFile, read: ReadText, config: Config, *, with_fixes: bool, shared: bool = False
) -> CheckOutcome:
    """Check a text that has been read."""
    path = str(source.path)
    if not may_be_ours(path, read.text, config):
        return CheckOutcome()
    from rubric_core.analysis.check import check_text  # noqa: PLC0415 - a tree without eval files needs no rules.
    from rubric_core.cli.rule_log import failed_rules, told  # noqa: PLC0415 - the same.

    with failed_rules() as failed:
        checked = check_text(
            read.text,
            path=path,
            config=config,
            surroundings=DiskSurroundings(path, config),
            background=in_background if shared else None,
            try_fixes=with_fixes,
        )
        if not checked.ours:
            return CheckOutcome()
        problems = tuple(portable(problem, with_fixes=with_fixes) for problem in checked.problems)
    # Nobody looks at the text of a file without problems, and it would travel between processes.
    return CheckOutcome(FileReport(source.shown, read.text if problems else "", problems), told(failed))


def is_worth_telling(source: InputFile, config: Config, read: Unreadable) -> bool:
    """Tell whether it matters that a file cannot be read: not if nobody named it and it need not be ours."""
    if read.reason is Reason.DENIED or source.named:
        return True
    # A file that is gone was there when its folder was listed; whoever deleted it knows.
    return read.reason is not Reason.MISSING and is_ours_by_name(config, str(source.path))


def _unreadable(source: InputFile, config: Config, read: Unreadable) -> CheckOutcome:
    """Decide what an unreadable file is: a problem, a failure, or just not ours."""
    is_over_limit = read.reason in _LIMITS
    if is_worth_telling(source, config, read) or (is_over_limit and _looks_ours(source)):
        return _over_limit(source, config, read) if is_over_limit else CheckOutcome(failure=read.message)
    return CheckOutcome()


def _over_limit(source: InputFile, config: Config, read: Unreadable) -> CheckOutcome:
    level = severity_of(config, "RB008", "too-complex", Severity.ERROR, str(source.path))
    problem = Problem("RB008", "too-complex", level or Severity.HINT, Span(0, 0), read.message)
    return CheckOutcome(FileReport(source.shown, "", (problem,) if level else ()))


def _looks_ours(source: InputFile) -> bool:
    with source.path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    return bool(_CASE_LIST.search(head) and _CASE_FIELD.search(head))


def portable(problem: Problem, *, with_fixes: bool) -> Problem:
    """Return a problem without what belongs to its analysis, so that it can go to another process."""
    return replace(
        problem,
        related=tuple(replace(near, chunk=None) for near in problem.related),
        fixes=problem.fixes if with_fixes else None,
        chunk=None,
    )
