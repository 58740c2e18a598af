"""Names for problems that stay the same while lines move: what is wrong, on a line that reads like this."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_core.report.reports import FileReport
    from rubric_core.rules.problem import Problem

_LENGTH = 16


def context_key(report: FileReport, problem: Problem) -> str:
    """Return the rule and a hash of the source line, so that neither a new wording nor a moved line changes it."""
    line = report.lines.position(problem.span.start).line
    source = report.lines.line_text(line).strip()
    return f"{problem.code}:{_digest(source)}"


def fingerprints(report: FileReport) -> list[str]:
    """Return a name for each problem of a file; equal lines are told apart by their order."""
    seen: Counter[str] = Counter()
    names = []
    for problem in report.problems:
        key = context_key(report, problem)
        seen[key] += 1
        names.append(_digest(f"{report.path}\n{key}\n{seen[key]}", length=32))
    return names


def _digest(text: str, length: int = _LENGTH) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
