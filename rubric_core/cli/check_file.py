"""Check one file: read it, find its configuration, run the rules. A failure does not affect other files."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rubric_core.cli.inputs import ConfigRequest, Configurations
from rubric_core.config.config import Config, is_ours_by_name, severity_of
from rubric_core.dialects.eval_files import is_suite_name
from rubric_core.files.read import ReadText, Reason, Unreadable, read_text
from rubric_core.files.walk import NOT_AN_EVAL_FILE, is_worth_reading
from rubric_core.report.reports import FileReport
from rubric_core.rules.problem import Problem, Severity
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.analysis.explanations import NotChecked
    from rubric_core.cli.inputs import InputFile

Outcome = TypeVar("Outcome")

_LIMITS = frozenset({Reason.TOO_LARGE, Reason.LONG_LINE})
# The part of a file too large to read in which a key of a suite is searched for.
_HEAD_BYTES = 65_536


class CheckOutcome(NamedTuple):
    """The result of one file: a report, a failure, both if a rule failed, or a note on a named file of another kind."""

    report: FileReport | None = None
    failure: str | None = None
    note: str | None = None


class SkippedFileError(Exception):
    """Raised to skip a file: because of a failure, with a note on a named file, or without a message."""

    def __init__(self, failure: str | None = None, note: str | None = None) -> None:
        super().__init__()
        self.failure = failure
        self.note = note


def isolated(work: Callable[[], Outcome], skipped: Callable[[str | None, str | None], Outcome]) -> Outcome:
    """Do the work on one file; if it is skipped or fails, return `skipped` of the failure and the note."""
    try:
        return work()
    except SkippedFileError as reason:
        return skipped(reason.failure, reason.note)
    except Exception as error:
        if os.environ.get("RUBRIC_DEBUG"):
            raise
        message = f"Internal error: {type(error).__name__}: {error}."
        return skipped(f"{message} Set RUBRIC_DEBUG=1 to see the traceback, and report the bug.", None)


def without_report(failure: str | None, note: str | None) -> CheckOutcome:
    """Return the outcome of a file that was not checked."""
    return CheckOutcome(None, failure, note)


def lost_file(_source: InputFile) -> CheckOutcome:
    """Return the outcome of a file whose process died."""
    message = "The worker process of this file ended unexpectedly, possibly because it ran out of memory."
    return CheckOutcome(failure=f"{message} Try `--jobs 1`.")


@lru_cache(maxsize=1)
def configurations_for(request: ConfigRequest) -> Configurations:
    """Return the configurations of a run; a worker process gets the same request many times."""
    return Configurations(request)


def check_file(
    source: InputFile, request: ConfigRequest, *, with_fixes: bool = True, shared: bool = False
) -> CheckOutcome:
    """Read and check one file. A `shared` file may be checked with the help of a second process."""

    def check() -> CheckOutcome:
        config = configurations_for(request).for_folder(source.path.parent)
        read = read_text(source.path, config.limits)
        if isinstance(read, Unreadable):
            return _unreadable(source, config, read)
        return check_read(source, read, config, with_fixes=with_fixes, shared=shared)

    return isolated(check, without_report)


def check_read(
    source: InputFile, read: ReadText, config: Config, *, with_fixes: bool, shared: bool = False
) -> CheckOutcome:
    """Check a text that has been read. Raise SkippedFileError if it is not an eval file."""
    require_worth_checking(source, read.text, config)
    from rubric_core.analysis.check import check_text  # noqa: PLC0415 - a tree without eval files needs no rules.
    from rubric_core.cli.workers import in_background  # noqa: PLC0415 - the same.

    with failed_rules() as failed:
        checked = check_text(
            read.text,
            path=str(source.path),
            config=config,
            project=source.project(config),
            background=in_background if shared else None,
            try_fixes=with_fixes,
            is_named=source.named,
        )
        if checked.not_checked is not None:
            raise file_skipped(source, checked.not_checked)
        problems = tuple(portable(problem, with_fixes=with_fixes) for problem in checked.problems)
    # The text of a file without problems is not needed, and it would be sent between processes.
    report = FileReport(source.shown, read.text if problems else "", problems)
    return CheckOutcome(report, failed_rules_message(failed))


def read_source(source: InputFile, config: Config) -> ReadText:
    """Read a file. Raise SkippedFileError if that fails."""
    read = read_text(source.path, config.limits)
    if isinstance(read, Unreadable):
        raise SkippedFileError(read.message if _is_reported(source, config, read) else None)
    return read


def require_worth_checking(source: InputFile, text: str, config: Config) -> None:
    """Raise SkippedFileError if a file cannot be an eval file."""
    path = str(source.path)
    is_named_suite = source.named and is_suite_name(path)
    if not is_named_suite and not is_worth_reading(path, text, config, lambda: source.project(config).naming_suite):
        raise SkippedFileError(note=NOT_AN_EVAL_FILE if source.named else None)


def analysis_of(source: InputFile, text: str, config: Config) -> Analysis:
    """Return the analysis of a text, with its facts. Raise SkippedFileError if it is not an eval file."""
    from rubric_core.analysis.check import analyse  # noqa: PLC0415 - it imports all rules.
    from rubric_core.analysis.explanations import reason_not_checked  # noqa: PLC0415 - the same.

    require_worth_checking(source, text, config)
    project = source.project(config)
    analysis = analyse(text, path=str(source.path), config=config, project=project, is_named=source.named)
    analysis.refresh()
    if not analysis.is_ours():
        raise file_skipped(source, reason_not_checked(analysis))
    return analysis


def file_skipped(source: InputFile, not_checked: NotChecked) -> SkippedFileError:
    """Return the exception for a file that is not an eval file; without a message unless the user named the file."""
    if not source.named:
        return SkippedFileError()
    return SkippedFileError(not_checked.reason) if not_checked.is_refused else SkippedFileError(note=not_checked.reason)


@contextmanager
def failed_rules() -> Iterator[list[str]]:
    """Collect log messages about failed rules; with RUBRIC_DEBUG they are logged as usual, with the traceback."""
    from rubric_core.analysis.rule_runner import forget_failures  # noqa: PLC0415 - it imports all rules.

    messages: list[str] = []
    if os.environ.get("RUBRIC_DEBUG"):
        yield messages
        return
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    forget_failures()
    log = logging.getLogger("rubric")
    log.addHandler(handler)
    try:
        yield messages
    finally:
        log.removeHandler(handler)


def failed_rules_message(messages: list[str]) -> str | None:
    """Return the messages as one line, or None."""
    if not messages:
        return None
    return f"{'; '.join(messages)}. The other rules ran. Set RUBRIC_DEBUG=1 to see the traceback, and report the bug."


def _is_reported(source: InputFile, config: Config, read: Unreadable) -> bool:
    """Return whether to report an unreadable file: not if it was not named and need not be an eval file."""
    if read.reason is Reason.DENIED or source.named:
        return True
    # The file existed when its folder was listed, so it has been deleted since, which is fine.
    return read.reason is not Reason.MISSING and is_ours_by_name(config, str(source.path))


def _unreadable(source: InputFile, config: Config, read: Unreadable) -> CheckOutcome:
    """Return a problem for a file over a limit, a failure for another unreadable one, nothing for others' files."""
    is_reported = _is_reported(source, config, read)
    if read.reason not in _LIMITS:
        return CheckOutcome(failure=read.message if is_reported else None)
    if not (is_reported or _starts_like_an_eval_file(source)):
        return CheckOutcome()
    severity = severity_of(config, "RB008", "too-complex", Severity.ERROR, str(source.path))
    problem = Problem("RB008", "too-complex", severity or Severity.HINT, Span(0, 0), read.message)
    return CheckOutcome(FileReport(source.shown, "", (problem,) if severity else ()))


def _starts_like_an_eval_file(source: InputFile) -> bool:
    from rubric_core.dialects.eval_files import starts_like_a_suite  # noqa: PLC0415 - few files are as large.

    with source.path.open("rb") as stream:
        return starts_like_a_suite(stream.read(_HEAD_BYTES).decode(errors="replace"))


def portable(problem: Problem, *, with_fixes: bool) -> Problem:
    """Return a problem without references to its analysis, so that it can be sent to another process."""
    return problem._replace(
        related=tuple(near._replace(chunk=None) for near in problem.related),
        fixes=problem.fixes if with_fixes else None,
        chunk=None,
    )
