"""Every defect of the table, planted in each form, is found at its exact place, and nothing else is reported."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest
from suite_styles import insert, read, unmarked, write

from rubric_core.analysis.check import check_text
from rubric_core.config.config import DEFAULT
from rubric_core.rules.registry import known_rules
from rubric_core.text.lines import LineIndex

from .planted_defects import CASE_ABOVE, DEFECTS, HOMES, SEVERITIES, SOUND, TEXT_DEFECTS, Defect, TextDefect
from .planted_variants import (
    COMMENTED_STYLES,
    CORNERS,
    FIX_STYLES,
    PROJECT,
    STYLES,
    Variant,
    variants,
    wanted_forms,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.rules.problem import Problem
    from rubric_core.text.spans import Span

pytestmark = pytest.mark.usefixtures("_no_rule_fails")


@pytest.mark.slow
@pytest.mark.parametrize("defect", DEFECTS, ids=str)
def test_a_planted_defect_is_found_at_its_place_and_nothing_else(defect: Defect) -> None:
    """In every form the problems are exactly the marked places, with the rule's code and severity."""
    forms = list(variants(defect, (*STYLES, *COMMENTED_STYLES)))
    assert forms
    for variant in forms:
        checked = check_text(variant.text, path=variant.path, project=PROJECT)
        expected = [(defect.code, defect.expected_severity, *_place(variant, span)) for span in variant.problems]
        assert sorted(_found(variant, checked.problems)) == sorted(expected), _shown(variant, checked.problems)
        related = [other.span for problem in checked.problems for other in problem.related]
        missing = [_place(variant, span) for span in variant.related if not _is_told(span, related, variant)]
        assert not missing, _shown(variant, checked.problems)


def _is_told(span: Span, related: list[Span], variant: Variant) -> bool:
    """Tell whether a place is among the related ones; behind an alias a word may be told by the text around it."""
    if variant.is_behind_alias:
        return any(other.start <= span.start and span.end <= other.end for other in related)
    return span in related


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("defect", TEXT_DEFECTS, ids=str)
def test_a_defect_of_the_text_is_found_at_its_place_and_nothing_else(defect: TextDefect, line_break: str) -> None:
    """What is wrong with the text itself is told as exactly as anything else."""
    marked = unmarked((CASE_ABOVE + defect.marked).replace("\n", line_break))
    variant = Variant(str(defect), "suite.eval.yaml", *marked)
    config = replace(DEFAULT, limits=replace(DEFAULT.limits, **dict(defect.limits)))
    problems = check_text(variant.text, path=variant.path, config=config).problems
    expected = [(defect.code, SEVERITIES[defect.code], *_place(variant, span)) for span in variant.problems]
    assert _found(variant, problems) == expected, _shown(variant, problems)


def test_every_rule_has_a_planted_defect() -> None:
    """Only the rules about other dialects and about the configuration have none: they say nothing of a sound file."""
    planted = {defect.code for defect in (*DEFECTS, *TEXT_DEFECTS)}
    others = {code for code in known_rules() if code.startswith(("RB7", "RB8"))} | {"RB009", "RB903"}
    expected = known_rules().keys() - others
    assert not expected - planted, "Add a defect of each of these rules to tests/rules/planted_defects.py."
    assert not expected - SEVERITIES.keys(), "Add these rules to ERRORS, WARNINGS or HINTS of planted_defects.py."
    assert planted == set(SEVERITIES) == expected, "The rest belongs to no rule, or to one that needs no defect."


@pytest.mark.parametrize("kind", sorted({defect.kind for defect in DEFECTS}))
def test_the_defects_of_a_kind_share_all_of_its_forms(kind: str) -> None:
    """Each has a part of them, and none is left out."""
    styles = (*FIX_STYLES, *COMMENTED_STYLES)
    tried = {each for defect in DEFECTS if defect.kind == kind for each in wanted_forms(defect, styles)}
    homes_and_forms = {(home, form) for home, form, _ in tried}
    corners = [style for style in styles if style._replace(has_comments=False) in CORNERS]
    assert {home for home, _ in homes_and_forms} == set(HOMES[kind])
    assert {(*each, style) for each in homes_and_forms for style in corners} <= tried


@pytest.mark.parametrize("kind", HOMES)
def test_a_home_has_no_problem_of_its_own(kind: str) -> None:
    """What stands around a planted defect adds nothing to what is found, in any style."""
    for home, style in product(HOMES[kind].values(), (*STYLES, *COMMENTED_STYLES)):
        written = write(insert(home, read(SOUND[kind])), style)
        if written is not None:
            path = "suite.jsonl" if style.shape == "jsonl" else "suite.eval.yaml"
            checked = check_text(written.text, path=path, project=PROJECT)
            assert checked.ours
            assert checked.problems == (), written.text


def _found(variant: Variant, problems: Iterable[Problem]) -> list[tuple[object, ...]]:
    return [(problem.code, problem.severity.value, *_place(variant, problem.span)) for problem in problems]


def _place(variant: Variant, span: Span) -> tuple[tuple[int, int], tuple[int, int], str]:
    """Return where a span starts and ends as line and column, and what it covers."""
    lines = LineIndex(variant.text)
    return tuple(lines.position(span.start)), tuple(lines.position(span.end)), variant.text[span.start : span.end]  # type: ignore[return-value]


def _shown(variant: Variant, problems: Iterable[Problem]) -> str:
    said = [f"{problem.code} at {variant.text[slice(*problem.span)]!r}: {problem.message}" for problem in problems]
    return "\n".join([variant.name, variant.text, *said])
