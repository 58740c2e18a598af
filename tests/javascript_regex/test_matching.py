"""Regular expressions mean what they mean in JavaScript; what cannot be said in Python is an error."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess

import pytest

from rubric_core.javascript_regex.matching import MatchTimeout, UnusableRegex, check, matches, matches_now

TABLE: list[tuple[str, str, str, bool]] = [
    ("b", "", "abc", True),
    ("^b", "", "abc", False),
    ("c$", "", "abc", True),
    ("c$", "", "abc\n", False),
    ("c$", "m", "abc\ndef", True),
    ("c$", "m", "abc\rdef", True),
    ("^d", "m", "abc\u2028def", True),
    ("^d", "", "abc\ndef", False),
    ("a.b", "", "a\nb", False),
    ("a.b", "", "a\u2029b", False),
    ("a.b", "", "a\x85b", True),
    ("a.b", "s", "a\nb", True),
    (r"\d", "", "٣", False),
    (r"^\D$", "", "٣", True),
    (r"^\w+$", "", "é", False),
    (r"^\W$", "", "é", True),
    (r"\bé", "", "é", False),
    (r"\B", "", "", True),
    (r"^\s$", "", "\ufeff", True),
    (r"^\s$", "", "\x85", False),
    (r"[\s]", "", "\u00a0", True),
    (r"^[\S]$", "", "\x1c", True),
    (r"(?<year>\d{4})-\k<year>", "", "2020-2020", True),
    (r"(?<year>\d{4})-\k<year>", "", "2020-2021", False),
    (r"(a)?b\1c", "", "bc", True),
    (r"^(a)?b\1c", "", "abc", False),
    (r"(a)|b\1", "", "b", True),
    (r"^(\d?:x)\1$", "u", "1:x1:x", True),
    (r"^(?<\u0061b>x)\k<\u0061b>$", "", "xx", True),
    ("(?<=a)b", "", "ab", True),
    ("(?<!a)b", "", "ab", False),
    ("a(?=b)", "", "ab", True),
    ("a(?!b)", "", "ab", False),
    ("^.$", "", "😀", False),
    ("^.$", "u", "😀", True),
    ("^..$", "", "😀", True),
    ("[😀]", "", "\ud83d", True),
    ("[😀]", "u", "😀", True),
    (r"\u{1F600}", "u", "😀", True),
    (r"\u{2}", "", "uu", True),
    (r"\ud83d\ude00", "u", "😀", True),
    ("a{,2}", "", "a{,2}", True),
    ("a{,2}", "", "aa", False),
    ("a{2", "", "a{2", True),
    ("^a+{٣}$", "", "aa{٣}", True),
    ("x]", "", "x]", True),
    ("[]", "", "a", False),
    ("[^]", "", "\n", True),
    ("[a-]", "", "-", True),
    (r"[\w-x]", "", "-", True),
    (r"[\b]", "", "\b", True),
    ("[a&&b]", "", "&", True),
    ("[[a]", "", "[", True),
    (r"a\/b", "", "a/b", True),
    ("a/b", "", "a/b", True),
    (r"\k", "", "k", True),
    (r"\p{L}", "", "p{L}", True),
    (r"\cJ", "", "\n", True),
    (r"\x41\u0042", "", "AB", True),
    (r"\0", "", "\0", True),
    ("ABC", "i", "abc", True),
    ("É", "i", "é", True),
    ("k", "i", "\u212a", False),
    ("k", "iu", "\u212a", True),
    ("s", "i", "\u017f", False),
    (r"\W", "i", "s", False),
    ("i", "i", "İ", False),
    ("\u03c3", "i", "\u03c2", True),
    ("b", "y", "ab", False),
    ("a", "y", "ab", True),
    ("a", "g", "ba", True),
    ("a+?b", "", "aab", True),
    ("(?:ab){2,3}", "", "abab", True),
    ("a|b|", "", "", True),
    ("#x", "", "#x", True),
]
INVALID: list[tuple[str, str]] = [
    ("(", ""),
    (")", ""),
    ("[", ""),
    ("a++", ""),
    ("*a", ""),
    ("^*", ""),
    ("a{2,1}", ""),
    ("[z-a]", ""),
    (r"\k<x>(?<y>a)", ""),
    ("(?<x>a)(?<x>b)", ""),
    ("a", "x"),
    ("a", "ii"),
    ("{", "u"),
    (r"\-", "u"),
    (r"[\d-x]", "u"),
    ("a\\", ""),
    (r"\u{110000}", "u"),
]
UNTRANSLATED: list[tuple[str, str]] = [
    (r"\p{L}", "u"),
    (r"\1(a)", ""),
    (r"(?:(a)|b)*\1", ""),
    (r"\12", ""),
    ("(?<=a+)b", ""),
    ("(?i:a)", ""),
    ("a", "v"),
    (r"[\1]", ""),
    ("[\u0130-\u0180]", "i"),
    ("(?<x>a)|(?<x>b)", ""),
    (r"\c1", ""),
]


def matched(pattern: str, flags: str, text: str) -> bool:
    """Return whether a pattern matches."""
    return asyncio.run(matches(pattern, flags, text))


@pytest.mark.parametrize(("pattern", "flags", "text", "expected"), TABLE)
def test_a_pattern_matches_what_it_matches_in_javascript(
    pattern: str,
    flags: str,
    text: str,
    expected: bool,  # noqa: FBT001 - a table.
) -> None:
    """Line ends, digits, words, spaces, code units, case, and what Python reads in another way."""
    assert matched(pattern, flags, text) is expected


@pytest.mark.parametrize(("pattern", "flags"), INVALID + UNTRANSLATED)
def test_a_pattern_that_cannot_be_used_is_an_error(pattern: str, flags: str) -> None:
    """Never a score: neither where JavaScript refuses it nor where Python has no such thing."""
    with pytest.raises(UnusableRegex):
        matched(pattern, flags, "a")


def test_a_pattern_is_checked_without_a_text() -> None:
    """What JavaScript refuses, and what is not translated; but not what only the compiler of Python refuses."""
    check("(?<=a+)b", "")
    with pytest.raises(UnusableRegex, match=r"^a group, `\(`, is never closed$"):
        check("(", "")
    with pytest.raises(UnusableRegex, match=r"^Octal escapes are not translated$"):
        check(r"[\1]", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "a?" * 40 + "a" * 40 + "$", "(a|a)" * 40 + "$", "(a*)*c"]
)
def test_a_pattern_that_backtracks_without_end_is_stopped(pattern: str) -> None:
    """The process that matches is ended, and the next pattern gets another one."""
    with pytest.raises(MatchTimeout, match=r"^it took longer than 0\.2 s$"):
        matches_now(pattern, "", "a" * 39 + "b", 0.2)
    assert matched("(a|b)+", "", "a")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed, so the table is not compared with it")
def test_the_table_is_what_node_says() -> None:
    """JavaScript itself agrees with every row."""
    script = (
        "const [table, invalid] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const refused = ([p, f]) => { try { new RegExp(p, f); return false } catch { return true } };"
        "console.log(JSON.stringify([table.map(([p, f, t]) => new RegExp(p, f).test(t)), invalid.map(refused)]))"
    )
    given = json.dumps([TABLE, INVALID])
    ran = subprocess.run(["node", "-e", script], input=given, capture_output=True, text=True, check=True)  # noqa: S607
    found, refused = json.loads(ran.stdout)
    assert found == [expected for *_, expected in TABLE]
    assert all(refused)
