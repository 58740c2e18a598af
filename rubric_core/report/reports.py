"""What every report is made from: the files that were checked and the places of their problems, counted from 1."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.text.lines import LineIndex
from rubric_core.text.spans import Span


@dataclass(frozen=True)
class FileReport:
    """One checked file: the path as shown, its text, the problems to report and how many the baseline took away."""

    path: str
    text: str
    problems: tuple[Problem, ...] = ()
    baselined: int = 0

    @cached_property
    def lines(self) -> LineIndex:
        """Return the index of the text's lines; it is built once, and only for a file that has something to show."""
        return LineIndex(self.text)


class LineRange(NamedTuple):
    """A stretch of text as people count: lines and columns from 1, in code points; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class PlacedEdit(NamedTuple):
    """An edit by lines and columns."""

    place: LineRange
    text: str


class PlacedFix(NamedTuple):
    """A fix by lines and columns."""

    title: str
    safe: bool
    edits: tuple[PlacedEdit, ...]


class PlacedRelated(NamedTuple):
    """A related place by lines and columns."""

    place: LineRange
    message: str


class ReportRow(NamedTuple):
    """One problem of one file with everything a format needs to write it down."""

    path: str
    problem: Problem
    place: LineRange
    related: tuple[PlacedRelated, ...]

    @property
    def level(self) -> str:
        """Return the severity as a plain word."""
        return self.problem.severity.value


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


def place_of(lines: LineIndex, span: Span) -> LineRange:
    """Return a span as 1-based lines and columns."""
    start = lines.position(span.start)
    end = lines.position(max(span.start, span.end))
    return LineRange(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def rows_of(report: FileReport) -> tuple[ReportRow, ...]:
    """Return the problems of a file, each with its places."""
    return tuple(
        ReportRow(
            report.path,
            problem,
            place_of(report.lines, problem.span),
            tuple(PlacedRelated(place_of(report.lines, near.span), near.message) for near in problem.related),
        )
        for problem in report.problems
    )


def all_rows(reports: Iterable[FileReport]) -> list[ReportRow]:
    """Return the problems of all files in order."""
    return [row for report in reports for row in rows_of(report)]


def fixes_of(problem: Problem) -> tuple[Fix, ...]:
    """Return the fixes of a problem."""
    return tuple(problem.fixes()) if problem.fixes else ()


def placed_fixes(report: FileReport, problem: Problem) -> tuple[PlacedFix, ...]:
    """Return the fixes of a problem by lines and columns."""
    return tuple(
        PlacedFix(
            fix.title,
            fix.safe,
            tuple(PlacedEdit(place_of(report.lines, Span(edit.start, edit.end)), edit.text) for edit in fix.edits),
        )
        for fix in fixes_of(problem)
    )


def fails(reports: Iterable[FileReport]) -> bool:
    """Return whether the problems fail a check; hints alone do not."""
    return any(problem.severity is not Severity.HINT for report in reports for problem in report.problems)


def count(reports: Sequence[FileReport]) -> Counts:
    """Count the problems of all files."""
    problems = [problem for report in reports for problem in report.problems]
    levels = [problem.severity for problem in problems]
    fixes = [fixes_of(problem) for problem in problems]
    safe = sum(any(fix.safe for fix in offered) for offered in fixes)
    return Counts(
        errors=levels.count(Severity.ERROR),
        warnings=levels.count(Severity.WARNING),
        hints=levels.count(Severity.HINT),
        safe=safe,
        unsafe=sum(bool(offered) for offered in fixes) - safe,
        untried=sum(problem.has_untried_fixes for problem in problems),
    )


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


def _digest(text: str, length: int = 16) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
