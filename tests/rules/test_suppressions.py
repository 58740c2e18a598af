"""Comments that silence problems: finding them, following them, writing and removing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.rules.problem import Problem, Severity
from rubric_core.rules.suppression_edits import remove_suppression, suppress_here, suppress_in_file
from rubric_core.rules.suppressions import (
    Applied,
    Directive,
    DirectiveKind,
    apply,
    find_directives,
    might_hold_directives,
    next_target,
)
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.syntax.nodes import Scalar, walk
from rubric_core.syntax.parse import parse
from rubric_core.text.spans import Span, apply_edits

if TYPE_CHECKING:
    from collections.abc import Iterable

RULES = {
    "RB001": "yaml-syntax-error",
    "RB101": "overlapping-score-ranges",
    "RB103": "uncovered-scores",
    "RB401": "vague-outcome",
    "RB901": "unused-suppression",
    "RB902": "unknown-rule",
}
KNOWN = {code: code for code in RULES} | {name: code for code, name in RULES.items()}


def directives(text: str) -> tuple[Directive, ...]:
    """Find directives as the analysis does, with the scalars of the parsed text."""
    return find_directives(text, ScalarSpans(text, parse(text).root))


def problem(text: str, at: str, code: str = "RB103") -> Problem:
    """Make a problem at the first place of a word."""
    start = text.index(at)
    return Problem(code, RULES[code], Severity.ERROR, Span(start, start + len(at)), "")


def silence(text: str, *problems: Problem, off: Iterable[str] = ()) -> Applied:
    """Follow the directives of a text."""
    return apply(problems, directives(text), KNOWN, frozenset(off))


@pytest.mark.parametrize(
    ("comment", "kind", "codes"),
    [
        ("# rubric: ignore[RB103]", "ignore", ["RB103"]),
        ("#rubric:ignore[RB103]", "ignore", ["RB103"]),
        ("#  rubric:  ignore  [ RB103 ,uncovered-scores, ]", "ignore", ["RB103", "uncovered-scores"]),
        ("# rubric: ignore[RB103] because it is meant so", "ignore", ["RB103"]),
        ("# a note # rubric: ignore[RB103]", "ignore", ["RB103"]),
        ("# rubric: ignore[RB103, RB", "ignore", ["RB103", "RB"]),
        ("# rubric: ignore", "ignore", []),
        ("# rubric: ignore[]", "ignore", []),
        ("# rubric: ignore-file[RB401]", "ignore-file", ["RB401"]),
        ("# rubric: file", "file", []),
    ],
)
def test_a_directive_is_read(comment: str, kind: str, codes: list[str]) -> None:
    """Spaces are free, a reason may follow, and each rule has its exact place."""
    text = f"a: 1 {comment}\r\nb: 2\r\n"
    (directive,) = directives(text)
    assert (directive.kind.value, [code.text for code in directive.codes]) == (kind, codes)
    assert [text[slice(*code.span)] for code in directive.codes] == codes
    assert text[slice(*directive.span)] == comment[comment.rindex("#") :]
    assert not directive.alone


@pytest.mark.parametrize(
    "text",
    [
        "a: 1",
        "a: x# rubric: ignore",
        "a: 1 # rubric ignore",
        "a: 1 # rubric: ignored",
        "a: 1 # rubric: ignore-files[RB1]",
        "a: 1 # rubric:",
        "a: 'x # rubric: ignore'",
        'a: "x # rubric: ignore"',
        'a: "x\n  # rubric: ignore"',
        "a: |\n  # rubric: ignore\n  text",
        "a: >-\n  text\n  text # rubric: ignore",
        "'k # rubric: ignore': 1",
        "- |\n  # rubric: ignore",
    ],
)
def test_what_is_no_directive(text: str) -> None:
    """Text inside of scalars, other comments and misspelt words say nothing."""
    assert directives(text) == ()


def test_two_directives_in_one_comment_are_two() -> None:
    """Each ends where the next one starts."""
    text = "a: 1 # rubric: ignore[RB101] # rubric: ignore[RB103]\n"
    first, second = directives(text)
    assert text[slice(*first.span)] == "# rubric: ignore[RB101]"
    assert text[slice(*second.span)] == "# rubric: ignore[RB103]"
    assert not silence(text, problem(text, "1", "RB101"), problem(text, "a", "RB103")).kept


def test_texts_without_a_directive_are_told_apart_cheaply() -> None:
    """The word alone is not enough."""
    assert might_hold_directives("#  rubric: x")
    assert not might_hold_directives("rubric: x # y")
    assert not might_hold_directives("# nothing")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1 # rubric: ignore\nb: 2\n", "a: 1 # rubric: ignore"),
        ("# rubric: ignore\na: 1\nb: 2\n", "a: 1"),
        ("# rubric: ignore\r\n\r\n# other\r\n  # more\r\na: 1\r\nb: 2\r\n", "a: 1"),
        ("# rubric: ignore\ra: 1\rb: 2", "a: 1"),
        ("\ufeff# rubric: ignore\na: 1\n", "a: 1"),
        ("x: 0\n# one # rubric: ignore\na: 1\n", "a: 1"),
        ("# rubric: ignore\na: |\n  x\n  y\nb: 2\n", "a: |\n  x\n  y"),
        ("a: | # rubric: ignore\n  x\n  y\nb: 2\n", "a: | # rubric: ignore\n  x\n  y"),
        ("# rubric: ignore\na: 'x\n  y'\nb: 2\n", "a: 'x\n  y'"),
        ("a: 'x\n  y' # rubric: ignore\nb: 2\n", "a: 'x\n  y' # rubric: ignore"),
        ("a: x\n  y # rubric: ignore\nb: 2\n", "a: x\n  y # rubric: ignore"),
        ("# rubric: ignore\na: ['x\n  y', 'z\n  w']\n", "a: ['x\n  y', 'z\n  w'"),
        ("a: ['x\n  y', 'z\n  w'] # rubric: ignore\n", "a: ['x\n  y', 'z\n  w'] # rubric: ignore"),
    ],
)
def test_a_directive_speaks_of_a_line(text: str, expected: str) -> None:
    """At the end of a line it is that line, alone it is the next one; scalars of several lines count as one line."""
    (directive,) = directives(text)
    assert directive.target is not None
    assert text[slice(*directive.target)] == expected


def test_a_directive_may_speak_of_the_next_chunk() -> None:
    """At the end of a text the line is still to come; the next text with content has it."""
    (directive,) = directives("- id: a\n# rubric: ignore[RB103]\n# more\n")
    assert (directive.alone, directive.target) == (True, None)
    following = "\n# comment\n- id: b\n  x: 1\n"
    target = next_target(following, ScalarSpans(following, parse(following).root))
    assert target is not None
    assert following[slice(*target)] == "- id: b"
    assert next_target("# only\n\n") is None
    assert next_target("") is None


def test_a_directive_without_a_line_silences_nothing() -> None:
    """At the end of the file it is unused."""
    text = "a: 1\n# rubric: ignore[RB103]\n"
    applied = silence(text, problem(text, "a"))
    assert (len(applied.kept), len(applied.unused)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# rubric: ignore-file[RB103]\na: 1\n", True),
        ("\ufeff# note\r\n\r\n# rubric: ignore-file[RB103]\r\na: 1\r\n", True),
        ("%YAML 1.2\n# x\n---\n# rubric: ignore-file[RB103]\na: 1\n", True),
        ("--- # rubric: ignore-file[RB103]\na: 1\n", True),
        ("# rubric: ignore-file\na: 1\n", True),
        ("# rubric: file # rubric: ignore-file[RB103]\na: 1\n", True),
        ("a: 1 # rubric: ignore-file[RB103]\n", False),
        ("b: 1\n# rubric: ignore-file[RB103]\na: 1\n", False),
        ("---\nb: 1\n---\n# rubric: ignore-file[RB103]\na: 1\n", False),
        ("---\n---\n# rubric: ignore-file[RB103]\na: 1\n", False),
    ],
)
def test_a_whole_file_is_silenced_at_its_top_only(text: str, *, expected: bool) -> None:
    """Directives, one marker, comments and blank lines may come before it; behind content it is unused."""
    applied = apply([problem(text, "a: 1")], find_directives(text), KNOWN)
    assert (applied.kept == ()) is expected
    assert (applied.unused == ()) is expected


def test_a_long_head_of_a_file_is_read_quickly() -> None:
    """Blank lines and spaces by the thousand before content cost no more than their length."""
    text = "\r\n" * 5000 + "#" + " " * 100_000 + "x\r\na: 1\r\n# rubric: ignore-file" + " " * 100_000 + "y\r\n"
    (directive,) = find_directives(text)
    assert not directive.at_top


def test_a_chunk_inside_of_a_file_has_no_top() -> None:
    """Only the caller knows that other chunks come before."""
    (directive,) = find_directives("# rubric: ignore-file[RB103]\na: 1\n", starts_file=False)
    assert not directive.at_top


@pytest.mark.parametrize(
    ("text", "at", "silent"),
    [
        ("a: 1 # rubric: ignore[RB103]\nb: 2\n", "1", True),
        ("a: 1 # rubric: ignore[uncovered-scores]\nb: 2\n", "1", True),
        ("a: 1 # rubric: ignore[rb103]\nb: 2\n", "1", True),
        ("a: 1 # rubric: ignore[RB101, RB103]\nb: 2\n", "a", True),
        ("a: 1 # rubric: ignore\nb: 2\n", "a", True),
        ("a: 1 # rubric: ignore[RB101]\nb: 2\n", "a", False),
        ("a: 1 # rubric: ignore[]\nb: 2\n", "a", False),
        ("a: 1 # rubric: ignore[RB103]\nb: 2\n", "b: 2", False),
        ("# rubric: ignore[RB103]\na: 1\nb: 2\n", "a: 1", True),
        ("# rubric: ignore[RB103]\na: 1\nb: 2\n", "b: 2", False),
        ("# rubric: ignore[RB103]\na: |\n  one\n  two\nb: 2\n", "two", True),
        ("# rubric: ignore[RB103]\na: |\n  one\n  two\nb: 2\n", "b: 2", False),
        ("a: 'one\n  two' # rubric: ignore[RB103]\nb: 2\n", "one", True),
        ("# rubric: file\na: 1\n", "a: 1", False),
    ],
)
def test_a_problem_is_silenced_where_it_starts(text: str, at: str, *, silent: bool) -> None:
    """The rule must be named, and the problem must start on the line."""
    applied = silence(text, problem(text, at))
    assert (applied.kept == ()) is silent
    assert bool(applied.used) is silent


def test_each_rule_of_a_directive_is_used_or_not() -> None:
    """What silences nothing is reported rule by rule, in the order of the text; a rule named twice counts once."""
    text = "a: 1 # rubric: ignore[RB401, RB103, uncovered-scores]\nb: 2 # rubric: ignore\nc: 3 # rubric: ignore[]\n"
    applied = silence(text, problem(text, "a"))
    assert [text[slice(*use.span)] for use in applied.used] == ["RB103"]
    assert [text[slice(*use.span)] for use in applied.unused] == [
        "RB401",
        "uncovered-scores",
        "# rubric: ignore",
        "# rubric: ignore[]",
    ]


def test_unknown_rules_come_with_what_was_meant() -> None:
    """They are neither used nor unused."""
    text = "a: 1 # rubric: ignore[uncovered-score, qqqqqq]\n"
    applied = silence(text, problem(text, "a"))
    assert [(unknown.code.text, unknown.instead) for unknown in applied.unknown] == [
        ("uncovered-score", "uncovered-scores"),
        ("qqqqqq", None),
    ]
    assert (len(applied.kept), applied.unused) == (1, ())


def test_a_rule_that_does_not_run_is_not_unused() -> None:
    """Nobody can know whether it would have been needed; a comment without rules might have been, too."""
    text = "a: 1 # rubric: ignore[RB401, RB103]\nb: 1 # rubric: ignore\n"
    assert [use.code and use.code.text for use in silence(text, off=["RB401"]).unused] == ["RB103"]


def test_a_text_that_was_not_checked_has_no_unused_suppressions() -> None:
    """After a syntax error some rules have not run."""
    text = "a: 1 # rubric: ignore[RB401]\n"
    assert silence(text, problem(text, "1", "RB001")).unused == ()


def test_problems_of_suppressions_are_silenced_for_the_file_only() -> None:
    """A line's comment cannot hide that it is unused itself; the file's may, and is never unused because of it."""
    text = "# rubric: ignore-file[RB902]\na: 1 # rubric: ignore[RB901]\nb: 1 # rubric: ignore\n"
    applied = silence(text, problem(text, "a: 1", "RB901"), problem(text, "b: 1", "RB902"))
    assert [kept.code for kept in applied.kept] == ["RB901"]
    assert [text[slice(*use.span)] for use in applied.unused] == ["RB901", "# rubric: ignore"]
    assert ("RB902" in applied.silent, "RB901" in applied.silent) == (True, False)
    alone = silence("# rubric: ignore-file[RB901]\na: 1\n")
    assert (alone.unused, "RB901" in alone.silent) == ((), True)
    assert None in silence("# rubric: ignore-file\na: 1\n").silent


def test_several_directives_may_silence_one_problem() -> None:
    """All of them count as used, so that none is taken away while another one still stands."""
    text = "# rubric: ignore-file[RB103]\n# rubric: ignore[RB103]\na: 1 # rubric: ignore\n"
    applied = silence(text, problem(text, "a: 1"))
    assert (applied.kept, len(applied.used), applied.unused) == ((), 3, ())


def test_many_directives_are_matched_by_line() -> None:
    """Each comment silences its own line and no other."""
    lines = [f"k{n}: v{n}" + (" # rubric: ignore[RB103]" if n % 2 else "") for n in range(100)]
    text = "\n".join(lines)
    problems = [problem(text, f"v{n}") for n in range(100) if n % 3]
    kept = silence(text, *problems).kept
    assert [text[slice(*left.span)] for left in kept] == [f"v{n}" for n in range(100) if n % 3 and not n % 2]


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("a: 1\nb: 2\n", "1", "a: 1  # rubric: ignore[RB103]\nb: 2\n"),
        ("a: 1", "1", "a: 1  # rubric: ignore[RB103]"),
        ("b: 2 # rubric: ignore[RB401]\na: 1\n", "a: 1",
         "b: 2 # rubric: ignore[RB401]\na: 1  # rubric: ignore[RB103]\n"),
        ("a: 1\r\nb: 2\r\n", "1", "a: 1  # rubric: ignore[RB103]\r\nb: 2\r\n"),
        ("a: 1 # note\n", "1", "a: 1 # note  # rubric: ignore[RB103]\n"),
        ("a: 1 \n", "1", "a: 1 # rubric: ignore[RB103]\n"),
        ("a: 1 # rubric: ignore[RB401]\n", "1", "a: 1 # rubric: ignore[RB401, RB103]\n"),
        ("a: 1 # rubric: ignore[]\n", "1", "a: 1 # rubric: ignore[RB103]\n"),
        ("# rubric: ignore[RB401] why\na: 1\n", "a: 1", "# rubric: ignore[RB401, RB103] why\na: 1\n"),
        ("a: |\n  one\n  two\n", "two", "# rubric: ignore[RB103]\na: |\n  one\n  two\n"),
        ("a: |\n  one\n  two", "|", "# rubric: ignore[RB103]\na: |\n  one\n  two"),
        ("x:\n  - a: >\n      one\n      two\n    b: 1\n", "one",
         "x:\n  # rubric: ignore[RB103]\n  - a: >\n      one\n      two\n    b: 1\n"),
        ("x:\r\n  a: 'one\r\n    two'\r\n", "one",
         "x:\r\n  # rubric: ignore[RB103]\r\n  a: 'one\r\n    two'\r\n"),
        ("a: 'one\n  two'\n", "two", "a: 'one\n  two'  # rubric: ignore[RB103]\n"),
        ("a: one\n  two\n  three\n", "two", "# rubric: ignore[RB103]\na: one\n  two\n  three\n"),
        ("\ufeffa: one\n  two\n", "one", "\ufeff# rubric: ignore[RB103]\na: one\n  two\n"),
        ("b: |\n  text\na: one\n  two\n", "one", "b: |\n  text\n# rubric: ignore[RB103]\na: one\n  two\n"),
        ("a: ['x\n  y', 'z\n  w']\n", "z", "# rubric: ignore[RB103]\na: ['x\n  y', 'z\n  w']\n"),
        ("a: | # rubric: ignore[RB401]\n  one\n", "one", "a: | # rubric: ignore[RB401, RB103]\n  one\n"),
    ],
)  # fmt: skip
def test_a_suppression_is_inserted_outside_of_scalars(text: str, at: str, expected: str) -> None:
    """It goes to the end of the line, into a directive that is there, or above a scalar of several lines; it works."""
    edit = suppress_here(text, text.index(at), "RB103", ScalarSpans(text, parse(text).root))
    new = apply_edits(text, [edit])
    assert new == expected
    assert silence(new, problem(new, at)).kept == ()


def test_a_text_of_one_line_is_told_its_line_break() -> None:
    """A chunk may be too short to show which one its file uses."""
    text = "a: 'one\r  two'"
    edit = suppress_here(text, 3, "RB103", ScalarSpans(text, parse(text).root), line_break="\r\n")
    assert edit.text == "# rubric: ignore[RB103]\r\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n", "# rubric: ignore-file[RB103]\na: 1\n"),
        ("\ufeffa: 1\r\n", "\ufeff# rubric: ignore-file[RB103]\r\na: 1\r\n"),
        ("# rubric: ignore-file[RB401]\na: 1\n", "# rubric: ignore-file[RB401, RB103]\na: 1\n"),
        ("a: 1\n# rubric: ignore-file[RB401]\n", "# rubric: ignore-file[RB103]\na: 1\n# rubric: ignore-file[RB401]\n"),
        ("", "# rubric: ignore-file[RB103]\n"),
    ],
)
def test_a_whole_file_is_silenced_by_an_edit(text: str, expected: str) -> None:
    """The comment is the first line, or gets one more rule."""
    assert apply_edits(text, [suppress_in_file(text, "RB103")]) == expected


@pytest.mark.parametrize(
    ("text", "remove", "expected"),
    [
        ("a: 1  # rubric: ignore[RB103]\nb: 2\n", "RB103", "a: 1\nb: 2\n"),
        ("a: 1 # note # rubric: ignore[RB103] why\n", "RB103", "a: 1 # note\n"),
        ("x: 1\n  # rubric: ignore[RB103]\r\na: 1\n", "RB103", "x: 1\na: 1\n"),
        ("\ufeff# rubric: ignore[RB103]\r\na: 1\r\n", "RB103", "\ufeffa: 1\r\n"),
        ("a: 1\n# rubric: ignore[RB103]", "RB103", "a: 1\n"),
        ("a: 1\r# rubric: ignore[RB103]\rb: 1", "RB103", "a: 1\rb: 1"),
        ("a: 1 # rubric: ignore[RB101,  RB103,RB401]\n", "RB101", "a: 1 # rubric: ignore[RB103,RB401]\n"),
        ("a: 1 # rubric: ignore[RB101,  RB103,RB401]\n", "RB103", "a: 1 # rubric: ignore[RB101,RB401]\n"),
        ("a: 1 # rubric: ignore[ RB101,  RB103,RB401 ] x\n", "RB401", "a: 1 # rubric: ignore[ RB101,  RB103 ] x\n"),
        ("a: 1 # rubric: ignore[RB101, RB103, RB401]\n", "RB101 RB401", "a: 1 # rubric: ignore[RB103]\n"),
        ("a: 1 # rubric: ignore[RB101, RB103]\n", "RB101 RB103", "a: 1\n"),
        ("# rubric: ignore[RB103] # rubric: ignore[RB101]\na: 1\n", "RB103", "# rubric: ignore[RB101]\na: 1\n"),
        ("a: 1 # rubric: ignore[RB103] # rubric: ignore[RB101]\n", "RB103", "a: 1 # rubric: ignore[RB101]\n"),
    ],
)
def test_an_unused_suppression_is_removed(text: str, remove: str, expected: str) -> None:
    """The rule goes, or the whole comment with its gap, or its whole line; every other byte stays."""
    directive = directives(text)[0]
    codes = [code for code in directive.codes if code.text in remove.split()]
    assert apply_edits(text, [remove_suppression(text, directive, codes)]) == expected


def test_a_directive_without_rules_is_removed_whole() -> None:
    """It has no parts."""
    text = "a: 1 # rubric: ignore\n"
    (directive,) = directives(text)
    assert apply_edits(text, [remove_suppression(text, directive)]) == "a: 1\n"


_SCALARS = st.sampled_from(
    (
        "",
        " 1",
        " plain text",
        " v # note",
        " {k: v}",
        " 'quoted # text'",
        ' "two\n      lines"',
        " plain\n      on two",
        " |\n      block\n\n      text",
        " >-\n      folded # rubric: ignore",
        " [1, 'a\n      b', c]",
        "\n      - x\n      - |\n        y",
    )
)


@given(
    values=st.lists(_SCALARS, min_size=1, max_size=5),
    line_break=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from(["", "\ufeff"]),
    data=st.data(),
)
def test_a_suppression_never_changes_the_document(
    values: list[str], line_break: str, mark: str, data: st.DataObject
) -> None:
    """Wherever a problem starts, silencing it keeps every value, works, and can be taken back byte for byte."""
    body = "".join(f"  - id: k{number}\n    v:{value}\n" for number, value in enumerate(values))
    text = mark + f"cases:\n{body}end: 1\n".replace("\n", line_break)
    tree = parse(text)
    assert not tree.problems
    scalars = ScalarSpans(text, tree.root)
    starts = [offset for offset in range(len(mark), len(text)) if text[offset] not in " \r\n#"]
    offset = data.draw(st.sampled_from([start for start in starts if not _in_comment(text, start)]))
    edit = suppress_here(text, offset, "RB103", scalars)
    new = apply_edits(text, [edit])
    moved = offset + len(edit.text) if edit.start <= offset else offset
    assert _values(new) == _values(text)
    finding = Problem("RB103", "uncovered-scores", Severity.ERROR, Span(moved, moved + 1), "")
    applied = silence(new, finding)
    assert applied.kept == ()
    (use,) = applied.used
    assert apply_edits(new, [remove_suppression(new, use.directive)]) == text


def _in_comment(text: str, offset: int) -> bool:
    return " # note" in text[text.rfind("\n", 0, offset) + 1 : offset + 1]


def _values(text: str) -> list[str]:
    """Return every scalar of a text, in order."""
    tree = parse(text)
    assert not tree.problems
    assert tree.root is not None
    return [node.value for node in walk(tree.root) if isinstance(node, Scalar)]


def test_scalars_behind_an_alias_stand_elsewhere() -> None:
    """A comment beside an alias is a comment, whatever the anchored text looks like."""
    text = "a: &x 'one # rubric: ignore\n  two'\nb: *x # rubric: ignore[RB103]\n"
    (directive,) = directives(text)
    assert directive.kind is DirectiveKind.IGNORE
    assert directive.target is not None
    assert text[slice(*directive.target)] == "b: *x # rubric: ignore[RB103]"
