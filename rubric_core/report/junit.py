"""The report as JUnit XML: a suite a file, a case a problem; a hint is a case that passes with a remark."""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, indent, tostring

from rubric_core.report.portable import harmless_lines
from rubric_core.report.reports import FileReport, ReportRow, rows_of
from rubric_core.rules.problem import Severity


def render(reports: Sequence[FileReport]) -> str:
    """Return the whole XML document."""
    failures = sum(_failures(report) for report in reports)
    # A file without problems is one case that passes, which shows that it was checked.
    tests = sum(len(report.problems) or 1 for report in reports)
    return document(map(_suite, reports), name="rubric", tests=tests, failures=failures, errors=0)


def _failures(report: FileReport) -> int:
    return sum(problem.severity is not Severity.HINT for problem in report.problems)


def _suite(report: FileReport) -> Element:
    cases = [_case(row) for row in rows_of([report])]
    if not cases:
        cases = [element("testcase", name="no problems", classname=report.path, file=report.path)]
    return element("testsuite", *cases, name=report.path, tests=len(cases), failures=_failures(report), errors=0)


def _case(row: ReportRow) -> Element:
    problem = row.problem
    line, column, *_ = row.place
    place = f"{line}:{column}"
    message = f"{row.path}:{place}: {row.severity}: {problem.message}"
    if problem.severity is Severity.HINT:
        outcome = element("system-out", text=message)
    else:
        outcome = element("failure", text=message, type=row.severity, message=problem.message)
    name = f"{problem.code} {problem.name} {place}"
    return element("testcase", outcome, name=name, classname=row.path, file=row.path, line=line)


def element(name: str, /, *children: Element, text: object = "", **attributes: object) -> Element:
    """Return an element. An attribute that is None is left out."""
    given = {key: harmless_lines(str(value)) for key, value in attributes.items() if value is not None}
    made = Element(name, given)
    made.text = harmless_lines(str(text)) or None
    made.extend(children)
    return made


def document(suites: Iterable[Element], **attributes: object) -> str:
    """Return the whole XML document."""
    root = element("testsuites", *suites, **attributes)
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'
