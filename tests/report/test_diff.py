"""Diffs of fixed files."""

from __future__ import annotations

import re
from difflib import unified_diff
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.report.diff import render_diff
from rubric_core.text import difference

HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
NO_LINE_BREAK = "\\ No newline at end of file\n"


def split(text: str) -> list[str]:
    """Split at LF only, line breaks kept."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def patched(text: str, diff: str) -> str:
    """Apply a diff as `patch` does, strictly: the lines and the numbers must be right."""
    old, new, at = split(text), [], 0
    lines = split(diff.replace(f"\n{NO_LINE_BREAK}", "\0\n"))[2:]
    while lines:
        head = HEAD.fullmatch(lines.pop(0))
        assert head
        start, length, new_start, new_length = (int(number) if number else 1 for number in head.groups())
        begin = start - 1 if length else start
        new += old[at:begin]
        at = begin
        assert len(new) == (new_start - 1 if new_length else new_start)
        seen = [0, 0]
        while seen != [length, new_length]:
            sign, content = lines[0][0], lines.pop(0)[1:].replace("\0\n", "")
            if sign in " -":
                assert old[at] == content
                at += 1
                seen[0] += 1
            if sign in " +":
                new.append(content)
                seen[1] += 1
    return "".join(new + old[at:])


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "d\ne\n"]), max_size=30).map("".join)
TEXTS = st.builds(str.__add__, LINES, st.sampled_from(["", "end"]))


@given(before=TEXTS, after=TEXTS)
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    """Whatever the texts are, and although it need not be the shortest diff."""
    assert patched(before, render_diff("x", before, after)) == after


@given(before=TEXTS, after=TEXTS)
def test_a_change_beyond_the_limit_still_leads_there(before: str, after: str) -> None:
    """Then all lines of the stretch are shown as changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(difference, "_MOST_COMPARED", 2)
        assert patched(before, render_diff("x", before, after)) == after


@pytest.mark.parametrize(
    ("old", "new"),
    [("l5", "changed"), ("l5\n", ""), ("l0", "first"), ("l39\n", "l39\nmore\n"), ("l20\nl21\n", "x\ny\nz\n")],
)
def test_a_local_change_looks_like_any_diff(old: str, new: str) -> None:
    """The same lines and numbers that Python's own diff gives."""
    before = "".join(f"l{number}\n" for number in range(40))
    after = before.replace(old, new, 1).replace("l30\n", "thirty\n")
    expected = "".join(unified_diff(split(before), split(after), "a/x", "b/x"))
    assert render_diff("x", before, after) == expected


def test_a_missing_line_break_at_the_end_is_reported() -> None:
    """As `diff` writes it and `patch` reads it."""
    assert render_diff("a", "x: 1\ny: 2", "x: 1\ny: 3") == dedent("""\
        --- a/a
        +++ b/a
        @@ -1,2 +1,2 @@
         x: 1
        -y: 2
        \\ No newline at end of file
        +y: 3
        \\ No newline at end of file
        """)


def test_equal_texts_have_no_diff() -> None:
    """There is nothing to apply."""
    assert render_diff("a", "x\r\n", "x\r\n") == ""


def test_a_whole_path_stays_as_it_is() -> None:
    """It is no path inside of a repository."""
    assert render_diff("/x/a", "x\n", "y\n").startswith("--- /x/a\n+++ /x/a\n")
