"""`rubric check --watch`: check changed files again, until interrupted."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rubric_core.cli.check_file import CheckOutcome, configurations_for
from rubric_core.cli.check_run import CheckPlan, CheckRun, Failure, check_sources, configuration_reports
from rubric_core.cli.inputs import InputFile, find_inputs
from rubric_core.cli.output import INTERRUPTED, OK, say, stdout_is_terminal
from rubric_core.files.configuration import find_config

_INTERVAL = 0.5
_CLEAR_SCREEN = "\x1b[2J\x1b[3J\x1b[H"

# The time and the size of a file, which change when it is written; None if the file is gone.
Stamp = tuple[int, int] | None


class _Round(NamedTuple):
    sources: tuple[InputFile, ...]
    stamps: dict[Path, Stamp]
    configs: dict[Path, Stamp]
    failures: tuple[Failure, ...]


def watch_files(
    plan: CheckPlan, conclude: Callable[[CheckRun], int], pause: Callable[[float], None] = time.sleep
) -> int:
    """Check and show after each change, until interrupted; return the status of the last check."""
    status = OK
    before: _Round | None = None
    outcomes: dict[Path, CheckOutcome] = {}
    try:
        while True:
            if before is not None:
                pause(_INTERVAL)
            now = _look(plan)
            if before is None or now.configs != before.configs:
                # A new configuration can change the problems of any file, and which files are checked.
                configurations_for.cache_clear()
                now = _look(plan)
                outcomes = {}
            elif now == before:
                continue
            previous = {} if before is None else before.stamps
            paths = [source.path for source in now.sources]
            changed = [
                at for at, path in enumerate(paths) if path not in outcomes or now.stamps[path] != previous.get(path)
            ]
            before = now
            if stdout_is_terminal():
                sys.stdout.write(_CLEAR_SCREEN)
                sys.stdout.flush()
            reports = configuration_reports(plan, now.sources)
            checked = _outcomes(plan, now.sources, changed, outcomes)
            status = conclude(CheckRun(reports, now.failures, now.sources, checked))
            if status == INTERRUPTED:
                return status
            if not plan.quiet:
                say("Watching for changes. Press Ctrl-C to stop.")
    except KeyboardInterrupt:
        return status


def _outcomes(
    plan: CheckPlan, sources: Sequence[InputFile], changed: Sequence[int], outcomes: dict[Path, CheckOutcome]
) -> Iterator[tuple[int, CheckOutcome | None]]:
    """Yield the outcomes of the unchanged files, then of the changed ones, and remember these."""
    unchanged = sorted({*range(len(sources))} - {*changed})
    yield from ((at, outcomes[sources[at].path]) for at in unchanged)
    for number, outcome in check_sources(plan, [sources[at] for at in changed]):
        if outcome is not None:
            outcomes[sources[changed[number]].path] = outcome
        yield changed[number], outcome


def _look(plan: CheckPlan) -> _Round:
    sources, messages = find_inputs(plan.paths, configurations_for(plan.config), skip_unknown=plan.skip_unknown)
    return _Round(
        sources,
        {source.path: _stamp(source.path) for source in sources},
        _config_stamps(plan, sources),
        tuple(("", message) for message in messages),
    )


def _config_stamps(plan: CheckPlan, sources: Sequence[InputFile]) -> dict[Path, Stamp]:
    if plan.config.isolated:
        return {}
    if plan.config.file is not None:
        return {plan.config.file: _stamp(plan.config.file)}
    folders = {Path.cwd(), *(source.path.parent for source in sources)}
    return {path: _stamp(path) for path in map(find_config, folders) if path is not None}


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
