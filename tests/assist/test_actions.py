"""What is offered at a place: fixes first, then comments that silence, then refactors; all at the cost of the place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from assistance import cut_cursor, finished
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yaml_texts import documents, mangled

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.check import analyse, check_text, fix_text
from rubric_core.analysis.verified import errors_of
from rubric_core.assist.actions import (
    MOST_PROBLEMS,
    fixes_of,
    may_have_safe_fixes,
    problems_in,
    refactors_in,
    rule_fixes_of,
    suppressions_of,
)
from rubric_core.assist.fix_all import fix_all
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.rules.registry import safe_codes
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Span, apply_edits
from tests.rules.planted_defects import CASE_ABOVE, DEFECTS, TEXT_DEFECTS, Defect
from tests.rules.planted_variants import PROJECT, hard_styles, variants

if TYPE_CHECKING:
    from rubric_core.assist.actions import QuickFix
    from rubric_core.rules.problem import Problem

SAFE = safe_codes(DEFAULT_DIALECT)
PATH = "suite.eval.yaml"
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.*"))
# Comments all around are the hardest, and JSON has rules of its own.
RANGES = """\
    rubrics:
      - id: quality
        expected_outcome: Explains it
        score_ranges:
          - score_range: [0, 2]
            description: Wrong
          - score_range: [$05, 7]
            description: Right
          - score_range: [10, 8]
            expected_outcome: Better
"""
ALL_TITLES = [
    "Extend 0-2 to 0-4",
    "Extend 5-7 down to 3-7",
    "Insert a range for 3-4",
    "Ignore RB103 here",
    "Ignore RB103 in this file",
    "Split 5-7 into 5-6 and 7",
]


def _titles(marked: str, path: str = PATH) -> list[str]:
    """Return all that is offered at the cursor, in the order of a menu."""
    text, at = cut_cursor(marked)
    analysis = analyse(text, path=path)
    analysis.refresh()
    span = Span(at, at)
    problems = problems_in(analysis, span)
    offered = (
        *fixes_of(problems),
        *rule_fixes_of(analysis, problems),
        *suppressions_of(analysis, problems),
        *refactors_in(analysis, span),
    )
    return [each.title for each in offered]


def test_fixes_come_first_then_comments_then_refactors() -> None:
    """A menu reads from what helps most to what changes most."""
    assert _titles(CASE_ABOVE + RANGES) == ALL_TITLES


def test_all_problems_of_a_rule_can_be_fixed_at_once() -> None:
    """That is offered where the fixes are safe and there is more than one of them."""
    at_alias = RANGES.replace("$0", "").replace("description: Wrong", "descr$0iption: Wrong")
    assert "Fix all 2 problems of deprecated-alias (RB006) in this file" in _titles(CASE_ABOVE + at_alias)
    at_inverted = RANGES.replace("$0", "").replace("[10, 8]", "[$010, 8]")
    assert not any(title.startswith("Fix all") for title in _titles(CASE_ABOVE + at_inverted))


def test_a_very_long_list_of_problems_is_not_counted() -> None:
    """A menu must not wait for a number."""
    case = CASE_ABOVE.partition("\n")[2] + "    rubrics: [{id: a, description: b}]\n"
    many = "evalcases:\n" + "".join(case.replace("id: port", f"id: port-{n}") for n in range(150))
    titles = _titles(many.replace("description", "$0description", 1))
    assert "Fix all problems of deprecated-alias (RB006) in this file" in titles


def test_silenced_problems_are_not_counted() -> None:
    """What a comment silences is not going to be fixed."""
    lines = RANGES.replace("$0", "").replace("description: Wrong", "descr$0iption: Wrong")
    lines = lines.replace("description: Right", "description: Right  # rubric: ignore[RB006]")
    assert not any(title.startswith("Fix all") for title in _titles(CASE_ABOVE + lines))


def test_a_safe_fix_that_is_the_only_one_is_preferred() -> None:
    """Editors apply it with one key."""
    text = CASE_ABOVE + RANGES.replace("$0", "")
    remedies = [each for problem in check_text(text, path=PATH).problems for each in fixes_of([problem])]
    assert {each.title: each.is_preferred for each in remedies} == {
        "Extend 0-2 to 0-4": False,
        "Extend 5-7 down to 3-7": False,
        "Insert a range for 3-4": False,
        "Rename to `expected_outcome`": True,
        "Swap 10 and 8": True,
    }


def test_nothing_is_offered_in_other_yaml() -> None:
    """It belongs to somebody else."""
    assert _titles("rubrics:\n  - $0Names it\nscore_ranges: {1: a}\n", "other.yaml") == []


def test_nothing_but_fixes_is_offered_in_json_lines_for_a_problem() -> None:
    """JSON has no comments."""
    line = '{"id": "a", "expected_outcome": "b", "input": "c", "rubrics": [{"id": "d", "$0description": "e"}]}\n'
    assert _titles(line, "cases.jsonl") == ["Rename to `expected_outcome`"]


@pytest.mark.parametrize("marked", ["    rubrics: $0[Names port 8080\n", '    note: $0"open\n'])
def test_text_that_cannot_be_read_is_not_silenced(marked: str) -> None:
    """A comment would hide that nothing in it is checked."""
    assert _titles(CASE_ABOVE + marked) == []


def test_a_selection_of_a_whole_file_gives_no_endless_menu() -> None:
    """Whoever selects everything wants all fixes at once."""
    rubrics = "".join(f"      - {{id: c{n}, description: Names it {n}}}\n" for n in range(MOST_PROBLEMS + 10))
    text = f"{CASE_ABOVE}    rubrics:\n{rubrics}"
    analysis = analyse(text, path=PATH)
    assert len(problems_in(analysis, Span(0, len(text)))) == MOST_PROBLEMS


# The cost


def test_a_look_at_one_place_costs_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the whole text nor the problems of the whole file are asked for."""
    case = CASE_ABOVE.partition("\n")[2] + RANGES.replace("$0", "")
    text = "evalcases:\n" + "".join(case.replace("id: port", f"id: port-{n}") for n in range(50))
    analysis = analyse(text, path=PATH)
    analysis.refresh()
    parsed: list[int] = []
    tree = Document.tree
    monkeypatch.setattr(Document, "tree", lambda self, index: parsed.append(index) or tree(self, index))
    monkeypatch.setattr(Document, "text", property(lambda _self: pytest.fail("The whole text was asked for.")))
    monkeypatch.setattr(Analysis, "problems", lambda _self: pytest.fail("All problems were asked for."))
    at = text.index("[5, 7]", len(text) // 2)
    span = Span(at, at)
    problems = problems_in(analysis, span)
    assert list(fixes_of(problems))
    assert list(suppressions_of(analysis, problems))
    assert list(refactors_in(analysis, span))
    assert len(set(parsed)) == 1


def test_safe_fixes_are_looked_for_without_looking_at_all_problems() -> None:
    """Among many problems one of them is likely; without any problem there is none."""
    assert not may_have_safe_fixes(_read(CASE_ABOVE))
    assert not may_have_safe_fixes(_read(CASE_ABOVE + "    nte: x\n"))
    assert may_have_safe_fixes(_read(CASE_ABOVE + "    rubrics: [{id: a, description: b}]\n"))
    assert may_have_safe_fixes(_read(CASE_ABOVE + "    note: x  # rubric: ignore[RB101]\n"))
    case = CASE_ABOVE.partition("\n")[2] + "    nte: x\n"
    many = "evalcases:\n" + "".join(case.replace("id: port", f"id: port-{n}") for n in range(150))
    assert may_have_safe_fixes(_read(many))


def _read(text: str, path: str = PATH) -> Analysis:
    analysis = analyse(text, path=path, project=PROJECT)
    analysis.refresh()
    return analysis


# What is applied


def _assert_silenced(text: str, path: str, remedy: QuickFix) -> None:
    """The problems are gone and nothing is new."""
    after = apply_edits(text, remedy.edits)
    before_found, found = (check_text(each, path=path, project=PROJECT).problems for each in (text, after))
    said = f"{remedy.title}\n{text}\n{after}\n{found}"
    gone = {(problem.code, problem.message) for problem in remedy.problems}
    left = _counted(found)
    assert all(left.get(each, 0) < _counted(before_found)[each] for each in gone), said
    assert len(found) < len(before_found), said
    assert {problem.code for problem in found} <= {problem.code for problem in before_found}, said


def _counted(problems: tuple[Problem, ...]) -> dict[tuple[str, str], int]:
    counted: dict[tuple[str, str], int] = {}
    for problem in problems:
        key = (problem.code, problem.message)
        counted[key] = counted.get(key, 0) + 1
    return counted


def _assert_fixed(text: str, path: str, remedy: QuickFix) -> None:
    """The problem is gone and no error is new."""
    after = apply_edits(text, remedy.edits)
    before_found, found = (check_text(each, path=path, project=PROJECT).problems for each in (text, after))
    said = f"{remedy.title}\n{text}\n{after}\n{found}"
    code = remedy.problems[0].code
    assert sum(each.code == code for each in found) < sum(each.code == code for each in before_found), said
    assert not errors_of(found) - errors_of(before_found), said


def _assert_all_remedies_work(text: str, path: str) -> None:
    analysis = _read(text, path)
    for problem in analysis.problems():
        problems = problems_in(analysis, problem.span)
        assert problem.span in [each.span for each in problems]
        for remedy in fixes_of(problems):
            _assert_fixed(text, path, remedy)
        for remedy in suppressions_of(analysis, problems):
            _assert_silenced(text, path, remedy)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_every_remedy_of_the_examples_works(example: Path) -> None:
    """Fixes fix, comments silence."""
    _assert_all_remedies_work(example.read_text(encoding="utf-8"), example.name)


@pytest.mark.slow
@pytest.mark.parametrize("defect", DEFECTS, ids=str)
def test_every_planted_defect_can_be_silenced(defect: Defect) -> None:
    """In every style, with comments all around, behind an alias or not. The fixes have such a test of their own."""
    for variant in variants(defect, hard_styles(defect)):
        analysis = _read(variant.text, variant.path)
        problems = analysis.problems()
        for remedy in suppressions_of(analysis, problems):
            _assert_silenced(variant.text, variant.path, remedy)
        is_possible = not variant.path.endswith(".jsonl")
        assert bool(list(suppressions_of(analysis, problems))) == is_possible


# All safe fixes at once


def _assert_like_the_command_line(text: str, path: str, codes: frozenset[str] = SAFE) -> None:
    after = apply_edits(text, finished(fix_all(_read(text, path), codes)))
    fixed = fix_text(text, path=path, project=PROJECT, select=lambda problem: problem.code in codes)
    assert after == fixed.text


SILENCING = {
    "no comment": "",
    "for the file": "# rubric: ignore-file[RB104]\n",
    "for the file, another rule": "# rubric: ignore-file[RB101]\n",
}


@pytest.mark.parametrize("comment", SILENCING.values(), ids=list(SILENCING))
@pytest.mark.parametrize("codes", [SAFE, frozenset({"RB006"})], ids=["all rules", "one rule"])
def test_all_safe_fixes_are_those_of_the_command_line(comment: str, codes: frozenset[str]) -> None:
    """What a comment silences is not fixed, and a comment that silences nothing goes."""
    line = RANGES.replace("$0", "")
    silenced = line.replace("description: Wrong", "description: Wrong  # rubric: ignore[RB006]")
    for lines in (line, silenced):
        _assert_like_the_command_line(comment + CASE_ABOVE + lines, PATH, codes)


ONE_CASE = CASE_ABOVE.partition("\n")[2] + RANGES.replace("$0", "")
SUITES = {
    "a comment for the file": ("# rubric: ignore-file[RB104]\n", ONE_CASE),
    "a comment for the file that nothing needs": ("# rubric: ignore-file[RB105]\n", ONE_CASE),
    "a comment in each case": ("", ONE_CASE.replace("Wrong", "Wrong  # rubric: ignore[RB006]")),
    "a comment that nothing needs in each case": ("", ONE_CASE.replace("Wrong", "Wrong  # rubric: ignore[RB105]")),
    "a comment about the next case": ("", ONE_CASE + "  # rubric: ignore[RB006]\n"),
}


def _suite_of(head: str, case: str, count: int) -> str:
    cases = (case.replace("id: port", f"id: port-{number}") for number in range(count))
    return f"{head}evalcases:\n{''.join(cases)}"


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("head", "case"), SUITES.values(), ids=list(SUITES))
def test_silenced_suites_are_fixed_as_the_command_line_does_it(head: str, case: str, line_break: str) -> None:
    """Several cases, each with something to fix and something silenced."""
    _assert_like_the_command_line(_suite_of(head, case, 4).replace("\n", line_break), PATH)


@pytest.mark.parametrize(("head", "case"), SUITES.values(), ids=list(SUITES))
def test_fixing_a_silenced_suite_lets_others_go_first(head: str, case: str) -> None:
    """There is a step for each chunk at least, to read it and to fix it."""
    analysis = _read(_suite_of(head, case, 12))
    assert sum(1 for _ in fix_all(analysis)) >= 2 * len(analysis.document.chunks)


def test_fixes_of_a_silenced_suite_leave_other_lines_alone() -> None:
    """Cursors elsewhere stay where they are: an edit is about lines that change."""
    text = _suite_of(*SUITES["a comment for the file"], 12)
    edits = finished(fix_all(_read(text)))
    assert len(edits) >= 12
    assert all(text[edit.start : edit.end].count("\n") <= 1 for edit in edits)


def test_a_sound_file_has_nothing_to_fix() -> None:
    """There are no edits, not even empty ones."""
    assert finished(fix_all(_read(CASE_ABOVE))) == ()


@pytest.mark.slow
@pytest.mark.parametrize("defect", DEFECTS, ids=str)
def test_all_safe_fixes_of_a_planted_defect_are_those_of_the_command_line(defect: Defect) -> None:
    """Chunk by chunk gives what fixing the whole text gives."""
    for variant in variants(defect, hard_styles(defect)):
        _assert_like_the_command_line(variant.text, variant.path)


@pytest.mark.parametrize("defect", TEXT_DEFECTS, ids=str)
def test_comments_that_silence_nothing_are_removed_with_the_rest(defect: object) -> None:
    """They are found only by looking at the whole file."""
    marked = getattr(defect, "marked", "")
    text = CASE_ABOVE + marked.replace("«", "").replace("»", "")
    _assert_like_the_command_line(text, PATH)


# Anything at all


@pytest.mark.slow
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(documents(), mangled()), st.data())
def test_no_text_makes_an_action_fail(text: str, data: st.DataObject) -> None:
    """Whatever is in a file and whatever is selected, there is an answer, and its edits can be applied."""
    start = data.draw(st.integers(0, len(text) + 2))
    span = Span(start, data.draw(st.integers(start, len(text) + 2)))
    analysis = analyse(text, path=data.draw(st.sampled_from((PATH, "suite.jsonl"))))
    problems = problems_in(analysis, span)
    for remedy in (*fixes_of(problems), *suppressions_of(analysis, problems)):
        assert apply_edits(text, remedy.edits) != text
    list(rule_fixes_of(analysis, problems))
    apply_edits(text, finished(fix_all(analysis)))
