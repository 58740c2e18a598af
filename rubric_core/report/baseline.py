"""The baseline: the problems that a suite had when it adopted the check. Only new ones are reported.

The file counts problems by file, rule and source line, so that moving lines or wording a message anew changes
nothing, and two branches that both fix something merge without conflict.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rubric_core.report.reports import FileReport, context_key

VERSION = 1

Baseline = Mapping[str, Mapping[str, int]]
"""The number of known problems for each file, by rule and source line."""
Naming = Callable[[str], str]


class BaselineError(Exception):
    """The baseline file cannot be used; the message says why."""


def record(reports: Sequence[FileReport], naming: Naming = str) -> Baseline:
    """Return the baseline of what was found; `naming` turns a shown path into the path the baseline keeps."""
    known: dict[str, Counter[str]] = {}
    for report in reports:
        if report.problems:
            counts = known.setdefault(naming(report.path), Counter())
            counts.update(context_key(report, problem) for problem in report.problems)
    return known


def compare(
    reports: Sequence[FileReport], baseline: Baseline, naming: Naming = str
) -> tuple[tuple[FileReport, ...], int]:
    """Return the reports without the known problems, and how many known problems of the checked files are gone."""
    kept = []
    gone = 0
    for report in reports:
        left = Counter(baseline.get(naming(report.path), {}))
        new = []
        for problem in report.problems:
            key = context_key(report, problem)
            if left[key] > 0:
                left[key] -= 1
            else:
                new.append(problem)
        gone += left.total()
        kept.append(replace(report, problems=tuple(new), baselined=len(report.problems) - len(new)))
    return tuple(kept), gone


def keep_others(fresh: Baseline, old: Baseline, checked: frozenset[str]) -> Baseline:
    """Return the fresh baseline with what the old one says of files that this run did not look at."""
    return {**{path: counts for path, counts in old.items() if path not in checked}, **fresh}


def write_baseline(baseline: Baseline) -> str:
    """Return the text of a baseline file, in a stable order."""
    data = {"version": VERSION, "problems": {path: dict(counts) for path, counts in baseline.items()}}
    return f"{json.dumps(data, indent=2, sort_keys=True)}\n"


def read_baseline(text: str) -> Baseline:
    """Read the text of a baseline file; raise BaselineError if it is not one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"it is not JSON ({error})") from error
    if not isinstance(data, dict) or "version" not in data:
        raise BaselineError("it is not a baseline: it has no version")
    if data["version"] != VERSION:
        raise BaselineError(f"it has version {data['version']!r}, and only version {VERSION} can be read")
    problems = data.get("problems")
    if not isinstance(problems, dict) or not all(_is_counts(counts) for counts in problems.values()):
        raise BaselineError("its problems are not counts by file, rule and line")
    return problems


def _is_counts(counts: Any) -> bool:
    return isinstance(counts, dict) and all(type(number) is int and number > 0 for number in counts.values())
