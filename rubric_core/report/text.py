"""The report for people: a code frame a problem, then one line that counts them."""

from collections.abc import Iterator, Sequence

from rubric_core.report.frames import Mark, frame, gutter_width
from rubric_core.report.reports import Counts, FileReport, ReportRow, count, fixes_of, rows_of
from rubric_core.rules.problem import Problem
from rubric_core.terminal.display import PIPE, Page, Paint, harmless
from rubric_core.text.writing import plural

# More related places than this would hide the problem.
_MOST_RELATED = 6


def render(reports: Sequence[FileReport], *, page: Page = PIPE) -> str:
    """Return the frames of all problems, without the summary."""
    return "".join(f"{line}\n" for row in rows_of(reports) for line in (*_problem_lines(row, page.paint), ""))


def _problem_lines(row: ReportRow, paint: Paint) -> Iterator[str]:
    report, problem, place = row.report, row.problem, row.place
    marks = [Mark(place, "", "^", row.severity)]
    marks += [Mark(near, message, "-", "related") for near, message in row.related[:_MOST_RELATED]]
    margin = gutter_width(marks)
    message = paint("strong", f": {harmless(problem.message)}")
    yield f"{paint(row.severity, f'{row.severity}[{problem.code}]')}{message} {paint('faint', f'({problem.name})')}"
    arrow = paint("gutter", f"{'':{margin}}-->")
    yield f"{arrow} {harmless(report.path)}:{place.line}:{place.column}"
    if report.text:
        # A file that was too large to read has no lines to show.
        yield from frame(report.lines, marks, paint)
    notes = [("help", "help", text) for text in _help(problem)]
    if (more := len(problem.related) - _MOST_RELATED) > 0:
        notes.insert(0, ("related", "note", f"{plural(more, 'related place')} more {_is(more)} not shown"))
    equals = paint("gutter", f"{'':{margin}} =")
    for style, word, text in notes:
        yield f"{equals} {paint(style, f'{word}:')} {text}"


def render_summary(reports: Sequence[FileReport]) -> str:
    """Return one sentence that counts the problems."""
    counts = count(reports)
    baselined = sum(report.baselined for report in reports)
    baseline = f" {plural(baselined, 'known problem')} of the baseline {_is(baselined)} not shown." if baselined else ""
    if not counts.total:
        new = "new problems" if baselined else "problems"
        return f"No {new} in {plural(len(reports), 'file')}.{baseline}\n"
    touched = sum(bool(report.problems) for report in reports)
    return f"Found {render_kinds(counts)} in {part_of(touched, len(reports))}{_fixable(counts)}.{baseline}\n"


def render_kinds(counts: Counts) -> str:
    """Return the numbers by severity in words: 2 errors, 1 warning and 3 hints."""
    kinds = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.hints, "hint")]
    *front, last = [plural(number, word) for number, word in kinds if number]
    return f"{', '.join(front)} and {last}" if front else last


def _fixable(counts: Counts) -> str:
    safe = f"; {counts.safe} can be fixed with `rubric fix`" if counts.safe else ""
    words = f", {counts.unsafe} more" if safe else f"; {counts.unsafe} can be fixed"
    unsafe = f"{words} with `rubric fix --unsafe`" if counts.unsafe else ""
    return safe + unsafe + (f"; fixes of {counts.untried:,} were not tried" if counts.untried else "")


def part_of(number: int, total: int) -> str:
    """Return the number of files as a part of all."""
    return plural(total, "file") if number == total else f"{number:,} of {plural(total, 'file')}"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _help(problem: Problem) -> Iterator[str]:
    """Yield a line for each fix; the command would apply the first of a kind, the others are alternatives."""
    commands = {True: "fixable with `rubric fix`", False: "fixable with `rubric fix --unsafe`"}
    for fix in fixes_of(problem):
        command = commands.pop(fix.safe, "")
        if fix.safe:
            commands.clear()
        yield f"{harmless(fix.title)} ({command})" if command else f"{harmless(fix.title)} (offered in the editor)"
