"""Code lenses: only what can be run is offered, and only where it does something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from assistance import finished
from hypothesis import given
from yaml_texts import mangled

from rubric_core.analysis.check import analyse, check_text, fix_text
from rubric_core.assist.case_grades import CaseGrade, Grades
from rubric_core.assist.commands import FIX_ALL
from rubric_core.assist.lenses import CASE_LENSES, FILE_LENSES, MOST_CASES, Lens
from rubric_core.assist.lenses import lenses as work_on_lenses
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.analysis.analysis import Analysis

EVERYTHING = frozenset(command for command, *_ in (*FILE_LENSES, *CASE_LENSES))
FIXING = frozenset({FIX_ALL})


def lenses(analysis: Analysis, commands: Collection[str], grades: Grades | None = None) -> list[Lens]:
    """Do all the work at once."""
    return finished(work_on_lenses(analysis, commands, grades or {}))


def _suite(criterion: str) -> str:
    return (
        "description: x\nevalcases:\n  - id: a\n    expected_outcome: b\n    input: c\n    rubrics:\n"
        f"      - {criterion}\n"
    )


FIXABLE = _suite("{id: d, description: Names the port}")


def test_a_file_with_a_safe_fix_offers_all_of_them() -> None:
    """The lens is on the key of the case list."""
    (found,) = lenses(analyse(FIXABLE, path="a.eval.yaml"), FIXING)
    assert found == Lens(found.span, "Fix all that can be fixed safely", FIX_ALL)
    assert FIXABLE[found.span.start : found.span.end] == "evalcases"


def test_a_lens_without_its_command_is_not_there() -> None:
    """It would be dead."""
    assert lenses(analyse(FIXABLE, path="a.eval.yaml"), {"rubric.other"}) == []
    assert lenses(analyse(FIXABLE, path="a.eval.yaml"), ()) == []


QUIET = (
    # Nothing is wrong.
    _suite("Names the port"),
    # What is wrong has no safe fix.
    _suite("{id: d, expected_outcome: Names the port, weigth: 2}"),
    # The fix would lose a value, so that it is not offered.
    _suite("{id: d, description: Names it, expected_outcome: Names the port}"),
    # A comment says that it is meant like this.
    _suite("{id: d, description: Names the port} # rubric: ignore[RB006]"),
    # There is no case list.
    "description: x\n",
    "",
)


@pytest.mark.parametrize("text", QUIET)
def test_a_file_without_a_safe_fix_has_no_lens(text: str) -> None:
    """A lens that does nothing would be worse than none."""
    assert lenses(analyse(text, path="a.eval.yaml"), FIXING) == []


def test_fixes_are_tried_in_the_order_of_the_text() -> None:
    """Whichever problems were found first, a fix at the top is seen, however many below have none."""
    refused = _suite("Names the port") + "    execution: target default\n"
    assert [problem.code for problem in check_text(refused, path="a.eval.yaml").problems] == ["RB004"]
    others = 30 * refused.partition("evalcases:\n")[2]
    assert lenses(analyse(FIXABLE + others, path="a.eval.yaml"), FIXING)
    assert not lenses(analyse(refused + others, path="a.eval.yaml"), FIXING)


def test_other_yaml_has_no_lenses() -> None:
    """Whatever is in it."""
    assert lenses(analyse("tests: [{description: x}]\n", path="other.yaml"), EVERYTHING) == []


def test_json_lines_have_their_lens_at_the_top() -> None:
    """There is no key that it could be on."""
    line = '{"id": "a", "expected_outcome": "b", "input": "c", "rubrics": [{"id": "d", "description": "e"}]}\n'
    (found,) = lenses(analyse(line, path="a.jsonl"), FIXING)
    assert found.span == (0, 0)


def test_lenses_follow_edits() -> None:
    """The lens goes with the last problem, and comes back with it."""
    analysis = analyse(FIXABLE, path="a.eval.yaml")
    analysis.refresh()
    assert lenses(analysis, FIXING)
    at = FIXABLE.index("description: Names")
    analysis.edit([Edit(at, at + len("description"), "expected_outcome")])
    assert lenses(analysis, FIXING) == []
    analysis.edit([Edit(at, at + len("expected_outcome"), "description")])
    assert lenses(analysis, FIXING)


def test_a_case_that_was_edited_away_is_not_asked_for() -> None:
    """Rules that look at the file as a whole may still remember it."""
    text = FIXABLE + FIXABLE.partition("evalcases:\n")[2]
    analysis = analyse(text, path="a.eval.yaml")
    analysis.refresh()
    analysis.edit([Edit(len(FIXABLE), len(text), "")])
    assert [lens.command for lens in lenses(analysis, FIXING)] == [FIX_ALL]


@given(mangled())
def test_a_lens_keeps_its_promise(text: str) -> None:
    """No text raises, and where the lens is there, fixing changes something."""
    analysis = analyse(text, path="a.eval.yaml")
    found = lenses(analysis, EVERYTHING, {"a": (CaseGrade("a", "pass"),)})
    for lens in found:
        assert 0 <= lens.span.start <= lens.span.end <= len(text)
    if any(lens.command == FIX_ALL for lens in found):
        assert fix_text(text, path="a.eval.yaml").applied


def test_each_case_can_be_graded_and_shows_its_last_verdict() -> None:
    """The lenses of a case are on its id, those of the file on the key of the list."""
    text = _suite("Names the port") + "  - {id: bare, expected_outcome: b, input: c}\n"
    grade = CaseGrade("a", "fail", "0.45", "B", when="2026-11-16T09:25:01+00:00")
    found = lenses(analyse(text, path="a.eval.yaml"), EVERYTHING, {"a": (grade,), "gone": (grade,)})
    assert [(text[lens.span.start : lens.span.end], lens.title, lens.case_id) for lens in found] == [
        ("evalcases", "Grade all", None),
        ("evalcases", "Generate rubrics", None),
        ("a", "Grade", "a"),
        ("bare", "Grade", "bare"),
        ("a", "fail 0.45, B, 2026-11-16 09:25", "a"),
        ("a", "Preview prompt", "a"),
        ("bare", "Preview prompt", "bare"),
    ]


def test_the_verdict_of_a_test_that_is_several_cases_counts_them() -> None:
    """It opens the report of the case that was graded last, whose id no text has; grading takes the id of the text."""
    grades = [
        CaseGrade(f"a__prompt_{number}", state, when=f"2026-11-16T09:2{number}:01+00:00", copy_of="a")
        for number, state in enumerate(["pass", "fail", "pass"], start=1)
    ]
    found = lenses(analyse(_suite("Names the port"), path="a.eval.yaml"), EVERYTHING, {"a": tuple(grades)})
    assert [(lens.title, lens.case_id) for lens in found if lens.case_id] == [
        ("Grade", "a"),
        ("2 of 3 pass, 2026-11-16 09:23", "a__prompt_3"),
        ("Preview prompt", "a"),
    ]


def test_rubrics_are_generated_only_where_some_are_missing() -> None:
    """A case whose criteria come from an anchor has some."""
    text = "shared: &s [It greets]\nevalcases:\n  - {id: a, expected_outcome: b, input: c, rubrics: *s}\n"
    titles = [lens.title for lens in lenses(analyse(text, path="a.eval.yaml"), EVERYTHING)]
    assert titles == ["Grade all", "Grade", "Preview prompt"]


def test_a_very_long_file_has_lenses_for_the_file_only() -> None:
    """Thousands of them would be sent again at every keystroke."""
    case = "  - {{id: c{}, expected_outcome: b, input: c}}\n"
    text = "evalcases:\n" + "".join(case.format(number) for number in range(MOST_CASES + 1))
    assert [lens.title for lens in lenses(analyse(text, path="a.eval.yaml"), EVERYTHING)] == ["Grade all"]
