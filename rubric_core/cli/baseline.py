"""The baseline: the problems that a suite had when it adopted the check. Only new ones are reported.

The file counts problems by file, rule and source line, so that it is independent of line numbers and of messages, and
two branches that both fix problems merge without conflict. Its paths are relative to its own folder.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from rubric_core.cli.output import CouldNotRun, say, write_file
from rubric_core.files.read import Reason, Unreadable, read_text
from rubric_core.report.reports import FileReport, context_key
from rubric_core.syntax.limits import DEFAULT_LIMITS
from rubric_core.text.writing import plural

VERSION = 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline file: the number of known problems for each file, by rule and source line."""

    path: Path
    known: Mapping[str, Mapping[str, int]]

    @classmethod
    def load(cls, path: Path, *, must_exist: bool) -> Baseline:
        """Read a baseline; an invalid one ends the command, since without it every problem would be new."""
        read = read_text(path, DEFAULT_LIMITS)
        if isinstance(read, Unreadable):
            if read.reason is Reason.MISSING and not must_exist:
                return cls(path, {})
            advice = " Create it with `--write-baseline`." if read.reason is Reason.MISSING else ""
            raise CouldNotRun(f"{path}: {read.message}{advice}")
        try:
            return cls(path, _parse(read.text))
        except ValueError as error:
            raise CouldNotRun(f"{path}: This baseline cannot be used: {error}.") from error

    def compare(self, reports: Sequence[FileReport], *, quiet: bool) -> tuple[FileReport, ...]:
        """Return the reports without the known problems, and report how many of these are gone."""
        compared = []
        gone = 0
        for report in reports:
            left = Counter(self.known.get(self._name(report.path), {}))
            new = []
            for problem in report.problems:
                key = context_key(report, problem)
                if left[key] > 0:
                    left[key] -= 1
                else:
                    new.append(problem)
            gone += left.total()
            compared.append(replace(report, problems=tuple(new), baselined=len(report.problems) - len(new)))
        if gone and not quiet:
            resolved = f"{plural(gone, 'known problem')} {'is' if gone == 1 else 'are'}"
            say(f"{resolved} gone. Update the baseline with `--write-baseline`.")
        return tuple(compared)

    def write(self, reports: Sequence[FileReport], *, quiet: bool) -> None:
        """Write the current problems; files that still exist and were not checked keep their entries."""
        checked = {self._name(report.path) for report in reports}
        folder = self.path.absolute().parent
        fresh = {
            name: dict(counts)
            for name, counts in self.known.items()
            if name not in checked and (folder / name).exists()
        }
        for report in reports:
            if report.problems:
                keys = Counter(context_key(report, problem) for problem in report.problems)
                fresh[self._name(report.path)] = dict(keys)
        data = {"version": VERSION, "problems": fresh}
        write_file(self.path, f"{json.dumps(data, indent=2, sort_keys=True)}\n")
        if not quiet:
            total = sum(sum(counts.values()) for counts in fresh.values())
            say(f"Wrote {plural(total, 'problem')} of {plural(len(fresh), 'file')} to {self.path}.")

    def _name(self, shown: str) -> str:
        absolute = os.path.abspath(shown)  # noqa: PTH100 - `Path.absolute` keeps `..`, `resolve` follows links.
        try:
            return PurePath(os.path.relpath(absolute, self.path.absolute().parent)).as_posix()
        except ValueError:
            # On Windows no relative path leads from one drive to another.
            return PurePath(absolute).as_posix()


def _parse(text: str) -> Mapping[str, Mapping[str, int]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON ({error})") from error
    if not isinstance(data, dict) or "version" not in data:
        raise ValueError("it is not a baseline: it has no version")
    if data["version"] != VERSION:
        raise ValueError(f"it has version {data['version']!r}, and only version {VERSION} can be read")
    problems = data.get("problems")
    if not isinstance(problems, dict) or not all(_is_counts(counts) for counts in problems.values()):
        raise ValueError("its problems are not counts by file, rule and line")
    return problems


def _is_counts(counts: Any) -> bool:
    return isinstance(counts, dict) and all(type(number) is int and number > 0 for number in counts.values())
