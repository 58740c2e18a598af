"""The input of every report: the checked files and the places of their problems, counted from 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.text.lines import LineIndex
from rubric_core.text.spans import Span


@dataclass(frozen=True)
class FileReport:
    """One checked file: the path as shown, its text, the problems to report and how many the baseline removed."""

    path: str
    text: str
    problems: tuple[Problem, ...] = ()
    baselined: int = 0

    @cached_property
    def lines(self) -> LineIndex:
        """Return the index of the text's lines, built at its first use."""
        return LineIndex(self.text)

    def place_of(self, span: Span) -> LineRange:
        """Return a span as 1-based lines and columns."""
        start = self.lines.position(span.start)
        end = self.lines.position(max(span.start, span.end))
        return LineRange(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


class LineRange(NamedTuple):
    """A stretch of text as people count: lines and columns from 1, in code points; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class ReportRow(NamedTuple):
    """One problem of one file, with its places in lines and columns."""

    report: FileReport
    problem: Problem

    @property
    def path(self) -> str:
        """Return the path of the file as shown."""
        return self.report.path

    @property
    def severity(self) -> str:
        """Return the severity as a plain word."""
        return self.problem.severity.value

    @property
    def place(self) -> LineRange:
        """Return where the problem is."""
        return self.report.place_of(self.problem.span)

    @property
    def related(self) -> list[tuple[LineRange, str]]:
        """Return the related places, each with its message."""
        return [(self.report.place_of(near.span), near.message) for near in self.problem.related]

    @property
    def fixes(self) -> list[tuple[Fix, list[tuple[LineRange, str]]]]:
        """Return the fixes, each with the places and the texts of its edits."""
        place_of = self.report.place_of
        return [
            (fix, [(place_of(Span(edit.start, edit.end)), edit.text) for edit in fix.edits])
            for fix in fixes_of(self.problem)
        ]


class Counts(NamedTuple):
    """How many problems there are by severity, how many `rubric fix` can remove, and for how many that is not known."""

    errors: int
    warnings: int
    hints: int
    safe: int
    unsafe: int
    untried: int

    @property
    def total(self) -> int:
        """Return the number of problems."""
        return self.errors + self.warnings + self.hints


def rows_of(reports: Iterable[FileReport]) -> Iterator[ReportRow]:
    """Yield the problems of all files in order."""
    return (ReportRow(report, problem) for report in reports for problem in report.problems)


def fixes_of(problem: Problem) -> tuple[Fix, ...]:
    """Return the fixes of a problem."""
    return tuple(problem.fixes()) if problem.fixes else ()


def fails(reports: Iterable[FileReport]) -> bool:
    """Return whether the problems fail a check; hints alone do not."""
    return any(problem.severity is not Severity.HINT for report in reports for problem in report.problems)


def count(reports: Sequence[FileReport]) -> Counts:
    """Count the problems of all files."""
    problems = [problem for report in reports for problem in report.problems]
    severities = [problem.severity for problem in problems]
    fixes = [fixes_of(problem) for problem in problems]
    safe = sum(any(fix.safe for fix in offered) for offered in fixes)
    return Counts(
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
        hints=severities.count(Severity.HINT),
        safe=safe,
        unsafe=sum(bool(offered) for offered in fixes) - safe,
        untried=sum(problem.has_untried_fixes for problem in problems),
    )


def context_key(report: FileReport, problem: Problem) -> str:
    """Return the rule and a hash of the source line, so that neither a new wording nor a moved line changes it."""
    line = report.lines.position(problem.span.start).line
    source = report.lines.line_text(line).strip()
    return f"{problem.code}:{_digest(source)}"


def fingerprints(reports: Iterable[FileReport]) -> Iterator[str]:
    """Yield an identifier for each problem of all files; equal lines of a file are distinguished by their order."""
    for report in reports:
        seen: Counter[str] = Counter()
        for problem in report.problems:
            key = context_key(report, problem)
            seen[key] += 1
            yield _digest(f"{report.path}\n{key}\n{seen[key]}", length=32)


def _digest(text: str, length: int = 16) -> str:
    from hashlib import sha256  # noqa: PLC0415 - few formats need it, and importing it takes as long as ten cases.

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
