"""Regular expressions of JavaScript: a table of patterns, and what Node.js says of random ones."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import pytest
from hosts import do_without

from rubric_core.javascript_regex import flags_problem, pattern_problem

READABLE = [
    *[
        "",
        "a|b",
        "(a)(?:b)(?=c)(?!d)(?<=e)(?<!f)(?<g>h)\\k<g>",
        "[]",
        "[^]",
        "[a-z\\d-]",
        "[\\d-z]",
        "a{2}b{2,}c{2,3}?",
    ],
    *["a{,3}", "{", "}", "]", "\\k", "\\c", "[\\c-z]", "(?=a)*", "\\08", "[\\b]", "(?i:a)"],
    "a{2}b{2,}c{2,3}?",
    *["(?<a>x)|(?<a>y)", "[(?<n>a]\\k", "\U0001f600", "[\\x41-\\u005a]", "[\\101-\\132]"],
]
UNREADABLE = {
    "(": "a group, `(`, is never closed",
    ")": "a `)` has no `(` before it",
    "[a": "a class, `[`, is never closed",
    "[\\": "it ends with a backslash",
    "\\": "it ends with a backslash",
    "*a": "there is nothing that `*` could repeat",
    "a**": "there is nothing that `*` could repeat",
    "^+": "there is nothing that `+` could repeat",
    "{2}": "there is nothing that `{2}` could repeat",
    "(?<=a)*": "there is nothing that `*` could repeat",
    "a{3,1}": "the numbers of `{3,1}` are out of order",
    "[z-a]": "a range in brackets is out of order",
    "[\U0001f600-\U0001f60e]": "a range in brackets is out of order",
    "(?P<a>b)": "there is no kind of group `(?P<`",
    "(?<1>b)": "`1` cannot be the name of a group",
    "(?<a>b)(?<a>c)": "two groups have the same name",
    "(?<a>b)\\k<c>": "`\\k` names no group",
}
UNREADABLE_UNICODE = {
    "a{": "with the flag `u` or `v` a `{` alone must be written as `\\{`",
    "]": "with the flag `u` or `v` a `]` alone must be written as `\\]`",
    "\\-": "with the flag `u` or `v` there is no `\\-`",
    "\\1": "with the flag `u` or `v` there is no `\\1`",
    "[\\B]": "with the flag `u` or `v` there is no `\\B`",
    "[\\d-z]": "a range in brackets starts or ends with a set such as `\\d`",
    "[\\uD83D-x]": "a range in brackets is out of order",
    "(?=a)*": "there is nothing that `*` could repeat",
}


@pytest.mark.parametrize("pattern", READABLE)
def test_what_javascript_reads_has_no_problem(pattern: str) -> None:
    """A pattern that JavaScript reads has no problem."""
    assert pattern_problem(pattern) is None


@pytest.mark.parametrize(("pattern", "why"), UNREADABLE.items())
def test_what_javascript_cannot_read_has_a_reason(pattern: str, why: str) -> None:
    """A pattern that JavaScript cannot read has a reason."""
    assert pattern_problem(pattern) == why


@pytest.mark.parametrize("pattern", [f"a{{1,{'9' * 5_000}}}", f"\\{'9' * 5_000}"])
def test_numbers_have_any_length(pattern: str) -> None:
    """A number of thousands of digits is read as any other."""
    assert pattern_problem(pattern) is None


@pytest.mark.parametrize("pattern", ["[\\uD83D\\uDE00-\\uD83D\\uDE4F]", "[\\uD800-\\uDBFF]"])
def test_halves_of_characters_are_ends_of_ranges(pattern: str) -> None:
    """With the flag `u`, two escapes of 16-bit units are one character, and one alone is a character too."""
    assert pattern_problem(pattern, "u") is None


@pytest.mark.parametrize(("pattern", "why"), UNREADABLE_UNICODE.items())
def test_the_flag_u_allows_less(pattern: str, why: str) -> None:
    """Plain characters and unknown escapes need a backslash, or may not have one."""
    assert pattern_problem(pattern, "u") == why


@pytest.mark.parametrize("pattern", ["[\\-\\u{1f600}]", "[\U0001f600-\U0001f60e]", "(a)\\1", "\\p{Lu}", "\\u{1F600}"])
def test_the_flag_u_allows_more(pattern: str) -> None:
    """Characters outside of the basic plane are one."""
    assert pattern_problem(pattern, "u") is None


def test_sets_of_the_flag_v_are_skipped() -> None:
    """Only their end is looked for."""
    assert pattern_problem("[[a-z]--[aeiou]]\\]", "v") is None
    assert pattern_problem("[[a-z]", "v") == "a class, `[`, is never closed"


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ("gims", None),
        ("x", "there is no flag `x`"),
        ("gg", "the flag `g` is given twice"),
        ("uv", "`u` and `v` exclude each other"),
    ],
)
def test_flags(flags: str, why: str | None) -> None:
    """Each flag is known and given once."""
    assert flags_problem(flags) == why


_TOKENS = (
    r"a b 1 8 - ^ $ \b \B \d \w \ \\ \k<n> \k (?<n> (?<m> (?< (?: (?= (?! (?<= (?<! (?P<n> ( ) [ ] [^ { } {2} {3,1} "
    r"{1,} {,3} * + ? | . / \u0041 \u{41} \x41 \x4 \c \cA \1 \2 \0 \08 \p{L} \- z-a a-z \d-z 😀 😀-😎 é"
)
_PROGRAM = (
    "const c = JSON.parse(require('fs').readFileSync(0)); console.log(JSON.stringify(c.map(([p, f]) => "
    "{ try { new RegExp(p, f); return true } catch { return false } })))"
)


def test_node_agrees_on_random_patterns() -> None:
    """Without the flag `v`, whose sets are not looked into."""
    node = shutil.which("node") or do_without("there is no node")
    tokens = _TOKENS.split(" ")
    numbers = random.Random(14)  # noqa: S311 - patterns are no secrets.
    cases = [
        ("".join(numbers.choices(tokens, k=numbers.randint(1, 7))), numbers.choice(["", "", "i", "gu", "x", "gg"]))
        for _ in range(5000)
    ]
    done = subprocess.run([node, "-e", _PROGRAM], input=json.dumps(cases), capture_output=True, text=True, check=True)
    differing = [
        (pattern, flags, is_readable)
        for (pattern, flags), is_readable in zip(cases, json.loads(done.stdout), strict=True)
        if ((flags_problem(flags) or pattern_problem(pattern, flags)) is None) is not is_readable
    ]
    assert not differing
