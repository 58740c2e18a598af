"""Checking takes time in proportion to the lines of a text, whatever these hold."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from counted_text import characters_seen

from rubric_core.analysis.check import analyse, check_text, fix_text
from rubric_core.cli.check_file import check_read
from rubric_core.cli.inputs import InputFile
from rubric_core.config.config import DEFAULT
from rubric_core.files.read import ReadText
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Callable

CASE = """\
evalcases:
  - id: a
    expected_outcome: Says hello to the user
    input_messages:
      - role: user
        content: Hi
"""
RANGES = f"{CASE}    rubrics:\n      - id: a\n        score_ranges:\n"


def lines(pattern: str, count: int) -> str:
    """Repeat a pattern with a number in it."""
    return "".join(pattern.replace("{}", str(number)) for number in range(count))


SHAPES: dict[str, Callable[[int], str]] = {
    "keys": lambda n: CASE + lines("key{}: value\n", n),
    "repeated keys": lambda n: CASE + "same: value\n" * n,
    "lines of one plain text": lambda n: CASE + "    note: Starts\n" + "      goes on\n" * n * 10,
    "repeated lists": lambda n: "evalcases:\n  - id: a\n" * n,
    "documents": lambda n: f"{CASE}---\n" * n,
    "small documents": lambda n: CASE + "---\na: 1\n" * n,
    "empty documents": lambda n: CASE + "---\n" * n,
    "anchors": lambda n: CASE + lines("key{}: &anchor{} value\n", n),
    "anchors and aliases": lambda n: CASE + lines("a{}: &x{} value\nb{}: *x{}\n", n),
    "aliases of the first anchor": lambda n: CASE + lines("a{}: &x{} value\n", n) + lines("b{}: *x0\n", n),
    "aliases without an anchor": lambda n: CASE + lines("a{}: &x{} value\n", n) + lines("b{}: *none\n", n),
    "aliases of one anchor": lambda n: CASE + "a: &x value\n" + lines("b{}: *x\n", n),
    "aliases of the list before": lambda n: CASE + "a: &x0 [a]\n" + lines("b{}: [&x{} a, *x0]\n", n),
    "cases with an anchor": lambda n: CASE + lines("  - &x{}\n    id: a{}\n    expected_outcome: Says it\n", n),
    "cases with an alias": lambda n: "a: &x hello\n" + CASE + lines("  - id: a{}\n    expected_outcome: *x\n", n),
    "chain of lists": lambda n: CASE + "a: &x [a]\n" + "b: &x [*x]\n" * n,
    "chain of merge keys": lambda n: CASE + "a: &x {a: b}\n" + lines("b{}: &x {<<: *x, a{}: b}\n", n),
    "comments": lambda n: CASE + "# comment\nkey: 1\n" * n,
    "flow lists": lambda n: CASE + lines("key{}: [a, b]\n", n),
    "flow lists cut by keys": lambda n: CASE + lines("key{}: [a,\nb: c]\n", n),
    "nested flow lists": lambda n: CASE + lines("key{}: [[[a], b], {c: [d]}]\n", n),
    "cases in a flow list": lambda n: "evalcases: [\n" + lines("  {id: a{}, expected_outcome: b},\n", n) + "]\n",
    "open flow lists": lambda n: CASE + "key: [a\n" * n,
    "one long flow list": lambda n: f"{CASE}key: [{lines(' a{},', n)}]\n".replace(",", ",\n"),
    "score ranges": lambda n: RANGES + "          - {score_range: [0, 5], expected_outcome: Says it}\n" * n,
    "suppressions": lambda n: CASE + "# rubric: ignore[RB003]\nkey: 1\n" * n,
    "suppressions of one line": lambda n: CASE + "    # rubric: ignore[RB103]\n" * n,
    "suppressions of the file": lambda n: "# rubric: ignore-file[RB003]\n" * n + CASE,
    "suppressions of the file in the wrong place": lambda n: CASE + "key: 1\n# rubric: ignore-file[RB003]\n" * n,
}

SCORECARD = f"{CASE}    scorecard:\n      weights: {{accuracy: 1}}\n"
# Each line is a problem with a fix, and all of them are in one case.
CROWDED: dict[str, Callable[[int], str]] = {
    "keys": lambda n: CASE + "    weight: v\n" * n,
    "criteria": lambda n: f"{CASE}    rubrics:\n" + "      - {id: a, expected_outcome: Names the port}\n" * n,
    "criteria that a fix changes": lambda n: f"{CASE}    rubrics:\n" + lines("      - {description: Says {}}\n", n),
    "evaluators": lambda n: f"{CASE}    evaluators:\n" + "      - {name: a, type: llm_judge}\n" * n,
    "red flags": lambda n: f"{SCORECARD}      red_flags:\n" + "        - {id: a, expected_outcome: Is rude}\n" * n,
}


def checked(text: str) -> object:
    """Check a text without asking for fixes."""
    return check_text(text, path="a.eval.yaml")


def calls(text: str, use: Callable[[str], object] = checked) -> int:
    """Count the functions that are called to check a text, which is the same on a busy machine."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        use(text)
    finally:
        sys.setprofile(None)
    return count


_IS_SLOW = pytest.mark.slow  # They take longer than the quick run has, and three times as long under coverage.


# The end of an open bracket is looked for until a fixed budget is spent, which takes more than 2,000 lines.
@_IS_SLOW
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "open flow lists"])
def test_ten_times_the_lines_take_ten_times_the_calls(shape: str) -> None:
    """What is done once for a file counts for the small one too, so it can only be less than ten times."""
    make = SHAPES[shape]
    checked(make(10))
    assert calls(make(2000)) <= 11 * calls(make(200))


@_IS_SLOW
@pytest.mark.parametrize("shape", SHAPES)
def test_the_characters_that_are_looked_at_grow_with_the_text(shape: str) -> None:
    """A single call can do quadratic work, such as counting the lines before each place."""
    small, large = (SHAPES[shape](count) for count in (100, 1000))
    for_each = characters_seen(small, checked) / len(small)
    assert characters_seen(large, checked) / len(large) <= 1.2 * for_each


def reported(text: str) -> object:
    """Check a text as `rubric check` does: a report has the fixes too."""
    source = InputFile(Path("/nowhere/a.eval.yaml"), "a.eval.yaml", named=True, size=len(text))
    return check_read(source, ReadText(text), DEFAULT, with_fixes=True).report


@_IS_SLOW
@pytest.mark.parametrize("shape", CROWDED)
@pytest.mark.parametrize("use", [reported, fix_text, partial(fix_text, unsafe=True)], ids=["check", "fix", "unsafe"])
def test_fixes_take_no_more_than_ten_times_the_calls_for_ten_times_the_problems(
    shape: str, use: Callable[[str], object]
) -> None:
    """Each fix is tried on the whole case, so that their number has to be limited, or many are tried together."""
    make = CROWDED[shape]
    use(make(10))
    assert calls(make(2000), use) <= 11 * calls(make(200), use)


PROMPTFOO = """\
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
prompts: ["Answer {{ question }}"]
providers: [echo]
"""
METRICS = "derivedMetrics: [{name: total, value: accuracy * 2}]\n"
TEMPLATES = "assertionTemplates: {short: {type: word-count, value: {max: 20}}}\n"
TEST = """\
  - vars: {question: What is {}?}
    assert:
      - {type: contains, value: "{}", metric: accuracy}
"""
REFERRING = f"""{TEST}      - {{$ref: "#/assertionTemplates/short"}}\n"""


@pytest.mark.parametrize(
    ("head", "test"),
    [("", TEST), (METRICS, TEST), (TEMPLATES, REFERRING), (METRICS + TEMPLATES, REFERRING)],
    ids=["neither", "metrics", "references", "both"],
)
def test_a_letter_in_a_test_takes_as_many_calls_in_a_file_ten_times_as_large(head: str, test: str) -> None:
    """Derived metrics and references name the whole file, and a letter elsewhere must not read all of it."""

    def letter(count: int) -> int:
        analysis = analyse(f"{PROMPTFOO}{head}tests:\n{lines(test, count)}")
        assert not analysis.problems()
        at = analysis.document.text.rindex("?")

        def edit(new: str) -> None:
            analysis.edit([Edit(at, at, new)])
            assert not analysis.problems()

        edit("a")
        return calls("b", edit)

    assert letter(500) <= 1.2 * letter(50)


def test_the_places_of_chunks_stay_right_while_chunks_are_joined() -> None:
    """They are counted once, and what is joined afterwards moves the rest."""
    document = Document(lines("a{}: [x,\nb: c]\nplain{}: 1\n", 50))
    assert len(document.indices) == len(document.chunks)
    index = 0
    while index < len(document.chunks):
        index = document.read(index) + 1
        assert [document.index_of(chunk) for chunk in document.chunks] == list(range(len(document.chunks)))
    assert document.indices == {chunk: place for place, chunk in enumerate(document.chunks)}


def test_chunks_that_are_joined_out_of_order_are_counted_again() -> None:
    """An editor reads what is on the screen first."""
    document = Document(lines("a{}: [x,\nb: c]\n", 6))
    assert document.index_of(document.chunks[-1]) == len(document.chunks) - 1
    document.read(8)
    document.read(2)
    document.read(0)
    assert [document.index_of(chunk) for chunk in document.chunks] == list(range(len(document.chunks)))
