"""The report as JUnit XML: a suite a file, a case a problem; a hint is a case that passes with a remark."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from rubric_core.report.portable import spelt_out
from rubric_core.report.reports import rows_of
from rubric_core.rules.problem import Severity
from rubric_core.terminal.columns import visible
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.report.reports import FileReport, Row

# XML 1.0 has no way to write most of these, not even escaped; a terminal would obey the others.
_NOT_IN_XML = lazily("[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(reports: Sequence[FileReport]) -> str:
    """Return the whole XML document."""
    failures = sum(_failures(report) for report in reports)
    tests = sum(_tests(report) for report in reports)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="rubric" tests="{tests}" failures="{failures}" errors="0">',
        *(line for report in reports for line in _suite(report)),
        "</testsuites>",
    ]
    return "".join(f"{line}\n" for line in lines)


def _tests(report: FileReport) -> int:
    # A file without problems is one case that passes, so that it is seen to have been checked.
    return len(report.problems) or 1


def _failures(report: FileReport) -> int:
    return sum(problem.severity is not Severity.HINT for problem in report.problems)


def _suite(report: FileReport) -> Iterator[str]:
    name = _attribute(report.path)
    yield f'  <testsuite name={name} tests="{_tests(report)}" failures="{_failures(report)}" errors="0">'
    if not report.problems:
        yield f'    <testcase name="no problems" classname={name} file={name}/>'
    for row in rows_of(report):
        yield from _case(row)
    yield "  </testsuite>"


def _case(row: Row) -> Iterator[str]:
    problem = row.problem
    place = f"{row.place.line}:{row.place.column}"
    name = _attribute(f"{problem.code} {problem.name} {place}")
    path = _attribute(row.path)
    body = escape(_clean(f"{row.path}:{place}: {row.level}: {problem.message}"))
    yield f'    <testcase name={name} classname={path} file={path} line="{row.place.line}">'
    if problem.severity is Severity.HINT:
        yield f"      <system-out>{body}</system-out>"
    else:
        yield f'      <failure type="{row.level}" message={_attribute(problem.message)}>{body}</failure>'
    yield "    </testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub(lambda found: visible(found[0]), spelt_out(text))
