"""The baseline on disk. Its paths count from its own folder, so that it does not matter where the check is started."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from rubric_core.cli.failures import CouldNotRun
from rubric_core.cli.output import say, write_file
from rubric_core.files.read import Reason, Unreadable, read_text
from rubric_core.report.baseline import (
    Baseline,
    BaselineError,
    compare,
    keep_others,
    read_baseline,
    record,
    write_baseline,
)
from rubric_core.report.reports import FileReport
from rubric_core.report.text import many
from rubric_core.syntax.limits import DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """A baseline and where it is kept."""

    path: Path
    baseline: Baseline

    @classmethod
    def load(cls, path: Path, *, must_exist: bool) -> BaselineFile:
        """Read a baseline; one that cannot be used ends the command, since an empty one would fail everything."""
        read = read_text(path, DEFAULT_LIMITS)
        if isinstance(read, Unreadable):
            if read.reason is Reason.MISSING and not must_exist:
                return cls(path, {})
            advice = " Create it with `--write-baseline`." if read.reason is Reason.MISSING else ""
            raise CouldNotRun(f"{path}: {read.message}{advice}")
        try:
            return cls(path, read_baseline(read.text))
        except BaselineError as error:
            raise CouldNotRun(f"{path}: This baseline cannot be used: {error}.") from error

    def compare(self, reports: Sequence[FileReport], *, quiet: bool) -> tuple[FileReport, ...]:
        """Return the reports without the known problems, and say when the baseline can shrink."""
        new, gone = compare(reports, self.baseline, self._naming)
        if gone and not quiet:
            known = f"{many(gone, 'known problem')} {'is' if gone == 1 else 'are'}"
            say(f"{known} gone. Update the baseline with `--write-baseline`.")
        return new

    def write(self, reports: Sequence[FileReport], *, quiet: bool) -> None:
        """Write the problems there are; files that still exist and were not checked keep their entries."""
        checked = frozenset(self._naming(report.path) for report in reports)
        folder = self.path.absolute().parent
        deleted = frozenset(name for name in self.baseline if not (folder / name).exists())
        fresh = keep_others(record(reports, self._naming), self.baseline, checked | deleted)
        write_file(self.path, write_baseline(fresh))
        if not quiet:
            total = sum(sum(counts.values()) for counts in fresh.values())
            say(f"Wrote {many(total, 'problem')} of {many(len(fresh), 'file')} to {self.path}.")

    def _naming(self, shown: str) -> str:
        absolute = os.path.abspath(shown)  # noqa: PTH100 - `Path.absolute` keeps `..`, `resolve` follows links.
        try:
            return PurePath(os.path.relpath(absolute, self.path.absolute().parent)).as_posix()
        except ValueError:
            # On Windows no relative path leads from one drive to another.
            return PurePath(absolute).as_posix()
