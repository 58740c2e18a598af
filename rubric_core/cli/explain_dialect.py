"""`rubric check --explain-dialect`: of which dialect each file is, and why."""

from collections.abc import Sequence

from rubric_core.analysis.check import analyse
from rubric_core.analysis.explanations import NotChecked, explain_dialect, reason_not_checked
from rubric_core.cli.check_file import (
    CheckOutcome,
    configurations_for,
    failure_and_note,
    is_worth_checking,
    isolated,
    should_be_reported,
)
from rubric_core.cli.inputs import ConfigRequest, InputFile, find_inputs
from rubric_core.cli.output import COULD_NOT_RUN, OK, print_text, say_failure
from rubric_core.files.read import Unreadable, read_text
from rubric_core.terminal.display import harmless
from rubric_core.text.lines import count_line_breaks


def explain_dialects(paths: Sequence[str], request: ConfigRequest, *, skip_unknown: bool, quiet: bool) -> int:
    """Print one line for each eval file; return the exit status."""
    sources, failures = find_inputs(paths, configurations_for(request), skip_unknown=skip_unknown)
    outcomes = [(source.shown, _explain(source, request)) for source in sources]
    for shown, outcome in outcomes:
        if outcome.note is not None and not quiet:
            say_failure(shown, outcome.note)
    failed = [("", message) for message in failures]
    failed += [(shown, outcome.failure) for shown, outcome in outcomes if outcome.failure is not None]
    for shown, message in failed:
        say_failure(shown, message)
    return COULD_NOT_RUN if failed else OK


def _explain(source: InputFile, request: ConfigRequest) -> CheckOutcome:
    return isolated(lambda: _explain_file(source, request), CheckOutcome.failed)


def _explain_file(source: InputFile, request: ConfigRequest) -> CheckOutcome:
    path = str(source.path)
    config = configurations_for(request).for_folder(source.path.parent)
    read = read_text(source.path, config.limits)
    if isinstance(read, Unreadable):
        return CheckOutcome(failure=read.message if should_be_reported(source, config, read) else None)
    if not is_worth_checking(source, read.text, config):
        return CheckOutcome(None, *failure_and_note(source, NotChecked()))
    project = source.project(config)
    analysis = analyse(read.text, path=path, config=config, project=project, is_named=source.named)
    analysis.refresh()
    if not analysis.is_ours():
        return CheckOutcome(None, *failure_and_note(source, reason_not_checked(analysis)))
    dialect, why, offset = explain_dialect(analysis)
    line = "" if offset is None else f", line {count_line_breaks(read.text[:offset]) + 1}"
    print_text(f"{harmless(source.shown)}: {dialect.name} {why}{line}\n")
    return CheckOutcome()
