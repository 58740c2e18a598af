"""`rubric check --explain-dialect`: of which dialect each file is, and why."""

from collections.abc import Sequence
from functools import partial

from rubric_core.analysis.explanations import explain_dialect
from rubric_core.cli.check_file import (
    CheckOutcome,
    analysis_of,
    configurations_for,
    isolated,
    read_source,
    without_report,
)
from rubric_core.cli.inputs import ConfigRequest, InputFile, find_inputs
from rubric_core.cli.output import COULD_NOT_RUN, OK, print_text, say_failure
from rubric_core.terminal.display import harmless
from rubric_core.text.lines import count_line_breaks


def explain_dialects(paths: Sequence[str], request: ConfigRequest, *, skip_unknown: bool, quiet: bool) -> int:
    """Print one line for each eval file; return the exit status."""
    sources, failures = find_inputs(paths, configurations_for(request), skip_unknown=skip_unknown)
    outcomes = [(source.shown, isolated(partial(_explain, source, request), without_report)) for source in sources]
    for shown, outcome in outcomes:
        if outcome.note is not None and not quiet:
            say_failure(shown, outcome.note)
    failed = [("", message) for message in failures]
    failed += [(shown, outcome.failure) for shown, outcome in outcomes if outcome.failure is not None]
    for shown, message in failed:
        say_failure(shown, message)
    return COULD_NOT_RUN if failed else OK


def _explain(source: InputFile, request: ConfigRequest) -> CheckOutcome:
    config = configurations_for(request).for_folder(source.path.parent)
    text = read_source(source, config).text
    dialect, why, offset = explain_dialect(analysis_of(source, text, config))
    line = "" if offset is None else f", line {count_line_breaks(text[:offset]) + 1}"
    print_text(f"{harmless(source.shown)}: {dialect.name} {why}{line}\n")
    return CheckOutcome()
