"""The report for people: golden frames and the sentence that counts."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
from sample_problems import problem_at

from rubric_core.report.reports import FileReport
from rubric_core.report.text import render, render_summary
from rubric_core.rules.problem import Fix, Problem, Related, Severity
from rubric_core.terminal.display import Page
from rubric_core.text.spans import Edit, Span

LONG = f"a: {'x' * 300}NEEDLE{'y' * 300}\n"

FRAMES = {
    "A caret stands under each character of the span.": (
        "evalcases:\n  - id: one\n",
        "one",
        """\
         --> a.eval.yaml:2:9
          |
        2 |   - id: one
          |         ^^^
        """,
    ),
    "Emoji and East Asian characters are two columns wide on a terminal, one in the place.": (
        'id: 😀 "日本" here\n',
        "here",
        """\
         --> a.eval.yaml:1:12
          |
        1 | id: 😀 "日本" here
          |               ^^^^
        """,
    ),
    "A family of joined emoji is one picture, and so is a heart with its presentation mark.": (
        "id: 👨‍👩‍👧 ❤️ 👍🏽 é here\n",
        "here",
        """\
         --> a.eval.yaml:1:19
          |
        1 | id: 👨‍👩‍👧 ❤️ 👍🏽 é here
          |                ^^^^
        """,
    ),
    "A line that ends with CRLF looks like any other.": (
        "a: 1\r\nb: two\r\nc: 3\r\n",
        "two",
        """\
         --> a.eval.yaml:2:4
          |
        2 | b: two
          |    ^^^
        """,
    ),
    "A tab runs to the next multiple of four columns.": (
        "a:\t1\t# x\n",
        "# x",
        """\
         --> a.eval.yaml:1:6
          |
        1 | a:  1   # x
          |         ^^^
        """,
    ),
    "A tab inside the span is marked over its whole width.": (
        "a: b\tc\n",
        "b\tc",
        """\
         --> a.eval.yaml:1:4
          |
        1 | a: b    c
          |    ^^^^^^
        """,
    ),
    "Characters that a terminal would obey, hide or fail on are made visible.": (
        "a: \x1b[31m\x7f\u202e\ud800\x85 end\n",
        "end",
        """\
         --> a.eval.yaml:1:14
          |
        1 | a: ␛[31m␡<U+202E><U+D800><U+0085> end
          |                                   ^^^
        """,
    ),
    "A byte order mark is counted in the place, not shown.": (
        "\ufeffa: 1\n",
        "a",
        """\
         --> a.eval.yaml:1:2
          |
        1 | a: 1
          | ^
        """,
    ),
    "A span of three lines is shown whole.": (
        "a: |\n  b\n  c\nd: 1\n",
        "|\n  b\n  c\n",
        """\
         --> a.eval.yaml:1:4
          |
        1 | a: |
          |    ^
        2 |   b
          |   ^
        3 |   c
          |   ^
        """,
    ),
    "Of a longer span only the ends are shown, and blank lines at its end are left out.": (
        "\n" * 7 + "a: |\n  b\n  c\n  d\n  e\n\n\nf: 1\n",
        "|\n  b\n  c\n  d\n  e\n\n\n",
        """\
          --> a.eval.yaml:8:4
           |
         8 | a: |
           |    ^
        ...
        12 |   e
           |   ^
        """,
    ),
    "An empty span has one caret.": (
        "a: 1\n",
        "",
        """\
         --> a.eval.yaml:1:1
          |
        1 | a: 1
          | ^
        """,
    ),
    "A span that is only a line break has its caret after the line.": (
        "a: 1\nb: 2\n",
        "\n",
        """\
         --> a.eval.yaml:1:5
          |
        1 | a: 1
          |     ^
        """,
    ),
    "A very long line is cut around the span.": (
        LONG,
        "NEEDLE",
        f"""\
         --> a.eval.yaml:1:304
          |
        1 | …{"x" * 40}NEEDLE{"y" * 74}…
          | {" " * 41}^^^^^^
        """,
    ),
    "A long line whose span is near the start is cut at its end only.": (
        f"id: {'x' * 300}\n",
        "id",
        f"""\
         --> a.eval.yaml:1:1
          |
        1 | id: {"x" * 116}…
          | ^^
        """,
    ),
    "A span longer than the width is marked as far as it is shown.": (
        f"id: {'x' * 300}\n",
        "x" * 300,
        f"""\
         --> a.eval.yaml:1:5
          |
        1 | id: {"x" * 116}…
          |     {"^" * 116}
        """,
    ),
    "A line of wide characters is cut by its columns, not by its characters.": (
        f"id: {'日' * 100}\n",
        "id",
        f"""\
         --> a.eval.yaml:1:1
          |
        1 | id: {"日" * 58}…
          | ^^
        """,
    ),
    "A line that just fits is shown whole even if its span stands at the end.": (
        f"{'x' * 110} end\n",
        "end",
        f"""\
         --> a.eval.yaml:1:112
          |
        1 | {"x" * 110} end
          | {" " * 111}^^^
        """,
    ),
}


@pytest.mark.parametrize(("text", "needle", "expected"), FRAMES.values(), ids=FRAMES)
def test_frame(text: str, needle: str, expected: str) -> None:
    """A frame shows the source line and marks the span exactly."""
    report = FileReport("a.eval.yaml", text, (problem_at(text, needle),))
    assert render([report]) == f"error[RB101]: Ranges overlap. (overlapping-score-ranges)\n{dedent(expected)}\n"


def test_related_places_are_in_the_same_frame_with_their_message() -> None:
    """Lines in between are shown if it is one, and abbreviated if there are more."""
    text = "a: [0, 3]\n# between\nb: [3, 5]\nc: 1\nd: 1\ne: [5, 9]\n"
    problem = problem_at(text, "[3, 5]", related=[("[0, 3]", "the earlier range"), ("[5, 9]", "the later range")])
    assert render([FileReport("a.eval.yaml", text, (problem,))]) == dedent("""\
        error[RB101]: Ranges overlap. (overlapping-score-ranges)
         --> a.eval.yaml:3:4
          |
        1 | a: [0, 3]
          |    ------ the earlier range
        2 | # between
        3 | b: [3, 5]
          |    ^^^^^^
        ...
        6 | e: [5, 9]
          |    ------ the later range

        """)


def test_fixes_are_help_lines_that_name_the_command() -> None:
    """The safe fix names `rubric fix`; what the command would not take is a choice in the editor."""
    text = "a: [5, 3]\n"
    edit = Edit(3, 9, "[3, 5]")
    problem = problem_at(
        text, "[5, 3]", severity="warning", fixes=[Fix("Swap", (edit,), safe=True), Fix("Drop", (edit,))]
    )
    other = problem_at(text, "[5, 3]", severity="hint", fixes=[Fix("Grow", (edit,)), Fix("Shrink", (edit,))])
    assert render([FileReport("a.eval.yaml", text, (problem, other))]) == dedent("""\
        warning[RB101]: Ranges overlap. (overlapping-score-ranges)
         --> a.eval.yaml:1:4
          |
        1 | a: [5, 3]
          |    ^^^^^^
          = help: Swap (fixable with `rubric fix`)
          = help: Drop (offered in the editor)

        hint[RB101]: Ranges overlap. (overlapping-score-ranges)
         --> a.eval.yaml:1:4
          |
        1 | a: [5, 3]
          |    ^^^^^^
          = help: Grow (fixable with `rubric fix --unsafe`)
          = help: Shrink (offered in the editor)

        """)


def test_many_related_places_are_counted_instead_of_shown() -> None:
    """More than six related places would hide the problem."""
    text = "".join(f"key{number}: 1\n" for number in range(9))
    problem = problem_at(text, "key0", related=[(f"key{number}", "also here") for number in range(1, 9)])
    written = render([FileReport("a.eval.yaml", text, (problem,))])
    assert written.count("also here") == 6
    assert "  = note: 2 related places more are not shown\n" in written


def test_control_characters_of_the_file_never_reach_the_terminal() -> None:
    """Not through the message, the path, a related message or the title of a fix."""
    text = "a: 1\n"
    nasty = "\x1b]0;title\x07\u202e\nnext"
    problem = problem_at(text, "1", message=nasty, related=[("a", nasty)], fixes=[Fix(nasty, ())])
    written = render([FileReport(f"{nasty}.yaml", text, (problem,))])
    assert not set(written) & set("\x1b\x07\u202e")
    assert written.count("\n") == 8


def test_colours_change_nothing_but_the_colour() -> None:
    """With the escapes taken out, the coloured report is the plain one."""
    import re  # noqa: PLC0415 - needed by this test only.

    text = "a: 1\nb: 2\n"
    reports = [
        FileReport("a.eval.yaml", text, (problem_at(text, "2", related=[("1", "here")], fixes=[Fix("Go", ())]),))
    ]
    coloured = render(reports, page=Page(has_colours=True))
    assert "\x1b[1;31m^\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(reports)


def test_two_marks_on_one_line_have_a_row_each_and_the_first_one_decides_the_cut() -> None:
    """A related place that was cut away is marked at the edge."""
    problem = Problem(
        "RB002", "duplicate-key", Severity.ERROR, Span(303, 309), "Twice.", (Related(Span(0, 1), "first"),)
    )
    written = render([FileReport("a.eval.yaml", LONG, (problem,))]).splitlines()
    assert [line.strip() for line in written[4:6]] == [f"| {' ' * 41}^^^^^^", "|  - first"]


def test_a_file_whose_text_was_not_read_has_no_frame() -> None:
    """It was over a limit, and the message says which."""
    problem = Problem("RB008", "too-complex", Severity.ERROR, Span(0, 0), "The file is too large.")
    written = render([FileReport("a.eval.yaml", "", (problem,))])
    assert written == "error[RB008]: The file is too large. (too-complex)\n --> a.eval.yaml:1:1\n\n"


SUMMARIES = [
    ([], 0, "No problems in 2 files.\n"),
    ([("error", None)], 0, "Found 1 error in 1 of 2 files.\n"),
    ([("error", None), ("warning", None)], 0, "Found 1 error and 1 warning in 1 of 2 files.\n"),
    (
        [("error", None), ("error", True), ("warning", True), ("hint", False), ("hint", None)],
        0,
        (
            "Found 2 errors, 1 warning and 2 hints in 1 of 2 files; "
            "2 can be fixed with `rubric fix`, 1 more with `rubric fix --unsafe`.\n"
        ),
    ),
    ([("hint", True)], 0, "Found 1 hint in 1 of 2 files; 1 can be fixed with `rubric fix`.\n"),
    ([("hint", False)], 0, "Found 1 hint in 1 of 2 files; 1 can be fixed with `rubric fix --unsafe`.\n"),
    ([], 1, "No new problems in 2 files. 1 known problem of the baseline is not shown.\n"),
    (
        [("error", None)],
        1234,
        "Found 1 error in 1 of 2 files. 1,234 known problems of the baseline are not shown.\n",
    ),
]


@pytest.mark.parametrize(("problems", "baselined", "expected"), SUMMARIES)
def test_the_summary_counts(problems: Any, baselined: int, expected: str) -> None:
    """One sentence counts by severity, by file and by what can be fixed."""
    text = "a: 1\n"
    made = tuple(
        problem_at(text, "a", severity=severity, fixes=None if safe is None else [Fix("Go", (), safe=safe)])
        for severity, safe in problems
    )
    reports = [FileReport("a.eval.yaml", text, made, baselined), FileReport("b.eval.yaml", "")]
    assert render_summary(reports) == expected
