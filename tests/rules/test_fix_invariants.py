"""Every fix of every planted defect keeps its promises: whatever the style, and with comments all around."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from suite_styles import Style, unmarked

from rubric_core.analysis.check import check_text, fix_text
from rubric_core.rules.problem import Severity
from rubric_core.syntax.document import Document
from rubric_core.text.spans import apply_edits

from .planted_defects import CASE_ABOVE, DEFECTS, TEXT_DEFECTS, Defect, TextDefect
from .planted_variants import FIX_STYLES, PROJECT, Variant, variants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rubric_core.rules.problem import Fix, Problem

pytestmark = pytest.mark.usefixtures("_no_rule_fails")

_COMMENT = re.compile(r"# (?:above|behind) \d+")


def _forms(defect: Defect) -> Iterator[Variant]:
    """Give the forms in which fixes are tried: behind an alias, where hardly any is offered, one style is enough."""
    plain = str(Style())
    return (each for each in variants(defect, FIX_STYLES) if not each.is_behind_alias or each.name.endswith(plain))


def _check(variant: Variant, text: str) -> tuple[Problem, ...]:
    return check_text(text, path=variant.path, project=PROJECT).problems


def _fixes(problems: Iterable[Problem]) -> list[tuple[Problem, Fix]]:
    return [(problem, fix) for problem in problems if problem.fixes is not None for fix in problem.fixes()]


def _assert_promises_kept(variant: Variant, before: tuple[Problem, ...], problem: Problem, fix: Fix) -> None:
    """The problem is gone, no error is new, the text parses, every comment is there, nothing else has changed."""
    after = apply_edits(variant.text, fix.edits)
    said = f"{variant.name}\n{variant.text}\n{problem.code} {fix.title}\n{after}"
    document = Document(after, json_lines=variant.path.endswith(".jsonl"))
    document.settle()
    assert not any(document.tree(index).problems for index in range(len(document.chunks))), said
    problems = _check(variant, after)
    assert _count(problems)[problem.code] < _count(before)[problem.code], said
    assert not _count(_errors(problems)) - _count(_errors(before)), said
    if problem.code not in {"RB901", "RB902"}:
        assert sorted(_COMMENT.findall(after)) == sorted(_COMMENT.findall(variant.text)), said
    if variant.text.endswith("\r\n"):
        assert "\n" not in after.replace("\r\n", ""), said


def _count(problems: Iterable[Problem]) -> Counter[str]:
    return Counter(problem.code for problem in problems)


def _errors(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity is Severity.ERROR]


@pytest.mark.slow
@pytest.mark.parametrize("defect", DEFECTS, ids=str)
def test_every_fix_of_a_planted_defect_is_offered_and_keeps_its_promises(defect: Defect) -> None:
    """In every form the fixes that the format lists are offered, and each does what it says and nothing else."""
    for variant in _forms(defect):
        before = _check(variant, variant.text)
        fixes = _fixes(before)
        titles = [fix.title for _, fix in fixes]
        for pattern in () if _has_no_room(defect, variant) else defect.fixes:
            said = f"{variant.name}\n{variant.text}\n{pattern!r} is not among {titles}"
            assert any(re.search(pattern, title) for title in titles), said
        for problem, fix in fixes:
            _assert_promises_kept(variant, before, problem, fix)


def _has_no_room(defect: Defect, variant: Variant) -> bool:
    """Tell whether a fix would have to change text that others use, or to drop or repeat a comment or an anchor."""
    takes_whole_entry = defect.code in {"RB208", "RB402"}
    return variant.is_behind_alias or (takes_whole_entry and (variant.is_anchored or "# " in variant.text))


@pytest.mark.slow
@pytest.mark.parametrize("defect", DEFECTS, ids=str)
def test_fixing_reaches_an_end(defect: Defect) -> None:
    """Fixing what has been fixed changes nothing, and no error is left that a fix was offered for."""
    for variant in _forms(defect):
        errors = _count(_errors(_check(variant, variant.text)))
        for unsafe in (False, True):
            first = fix_text(variant.text, path=variant.path, project=PROJECT, unsafe=unsafe)
            if first.text == variant.text:
                assert first.applied == (), f"{variant.name}\n{variant.text}"
                continue
            again = fix_text(first.text, path=variant.path, project=PROJECT, unsafe=unsafe)
            said = f"{variant.name}\n{variant.text}\n{first.text}\n{again.text}"
            assert again.text == first.text, said
            assert again.applied == (), said
            assert sorted(_COMMENT.findall(first.text)) == sorted(_COMMENT.findall(variant.text)), said
            assert not _count(_errors(_check(variant, first.text))) - errors, said


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("defect", [each for each in TEXT_DEFECTS if each.fixes], ids=str)
def test_the_fixes_of_comments_are_offered_and_keep_their_promises(defect: TextDefect, line_break: str) -> None:
    """A comment that silences nothing goes, or says what it means, and the text around it stays."""
    marked = unmarked((CASE_ABOVE + defect.marked).replace("\n", line_break))
    variant = Variant(str(defect), "suite.eval.yaml", *marked)
    before = _check(variant, variant.text)
    fixes = _fixes(before)
    assert [fix.title for _, fix in fixes] == list(defect.fixes)
    for problem, fix in fixes:
        _assert_promises_kept(variant, before, problem, fix)
    fixed = fix_text(variant.text, path=variant.path, unsafe=True)
    assert fix_text(fixed.text, path=variant.path, unsafe=True).text == fixed.text


def test_criteria_can_be_made_from_the_expected_outcome() -> None:
    """An empty list of criteria is filled with what the case expects, besides the template."""
    text = CASE_ABOVE + "    rubrics: []\n"
    fixes = _fixes(check_text(text, path="suite.eval.yaml").problems)
    assert any("Names it" in apply_edits(text, fix.edits).partition("rubrics:")[2] for _, fix in fixes)


def test_a_misspelt_dimension_can_be_renamed() -> None:
    """It does not stand in for the dimension that it resembles, so that this one is missing as well."""
    weights = "correctness: 0.4, completeness: 0.15, adherence: 0.15, actionability: 0.1, efficiency: 0.1"
    scorecard = f"    scorecard: {{weights: {{{weights}, safty: 0.05, consistency: 0.05}}}}\n"
    problems = check_text(CASE_ABOVE + scorecard, path="suite.eval.yaml").problems
    assert sorted(problem.code for problem in problems) == ["RB602", "RB603"]
    assert [(problem.code, fix.title) for problem, fix in _fixes(problems)] == [("RB602", "Rename to `safety`")]


_CASE = "evalcases:\n  - id: port\n    expected_outcome: Names the port\n    input: Which port?\n"
ONLY_TEXTS = {
    "criterion": "    rubrics:\n      - {id: a, expected_outcome: '', description: Foo bar, weight: 2}\n",
    "range": "    rubrics:\n      - score_ranges: [{score_range: [0, 10], expected_outcome: , description: Foo bar}]\n",
    "red flag": "    scorecard:\n      red_flags:\n        - expected_outcome:\n          description: Foo bar\n",
    "bonus": "    scorecard:\n      bonuses:\n        - description: Foo bar\n          expected_outcome: ' '\n",
    "repeated key": "    rubrics:\n      - id: port\n        expected_outcome:\n        expected_outcome: Foo bar\n",
}


@pytest.mark.parametrize("below", ONLY_TEXTS.values(), ids=ONLY_TEXTS.keys())
def test_fixing_keeps_the_only_text(below: str) -> None:
    """A text under an alias, or under a repeated key, moves into the blank field; it is never removed."""
    fixed = fix_text(_CASE + below, path="a.eval.yaml", unsafe=True).text
    assert "expected_outcome: Foo bar" in fixed
    assert "TODO" not in fixed
    assert "description" not in fixed


def test_fixing_keeps_the_only_text_of_a_case() -> None:
    """The names of a case's text are other ones."""
    text = _CASE.replace("expected_outcome: Names the port", "expected_outcome:\n    criteria: Foo bar")
    assert fix_text(text, path="a.eval.yaml", unsafe=True).text == _CASE.replace("Names the port", "Foo bar")


WRITTEN_TEXTS = {
    "criteria with blank texts": ("rubrics:\n", "{id: r1, expected_outcome: , weight: 1}", "{id: r2, weight: 3}"),
    "blank criteria": ("rubrics:\n", '""', '""'),
    "ids of the same words": ("rubrics:\n", "{id: names-port}", "{id: names_port}"),
    "an id with the words of a text": ("rubrics:\n", "Names port", "{id: names-port, weight: 2}"),
    "a part of another criterion": ("rubrics:\n", "Names the port", "Names the port and explains the firewall"),
    "red flags": ("scorecard:\n      red_flags:\n", "{id: a}", "{id: b}"),
    "bonuses": ("scorecard:\n      bonuses:\n", '""', "{id: b}"),
}


@pytest.mark.parametrize(("key", "first", "second"), WRITTEN_TEXTS.values(), ids=WRITTEN_TEXTS.keys())
def test_fixing_removes_nothing_because_of_a_text_that_it_wrote(key: str, first: str, second: str) -> None:
    """Each entry is there afterwards, also when fixing is done twice."""
    text = f"{_CASE}    {key}        - {first}\n        - {second}\n"
    once = fix_text(text, path="a.eval.yaml", unsafe=True).text
    assert once.count("\n        - ") == text.count("\n        - ")
    assert fix_text(once, path="a.eval.yaml", unsafe=True).text == once
