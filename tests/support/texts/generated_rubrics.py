"""Criteria to insert into texts, and the promises that every insertion keeps."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import NO_PROJECT
from rubric_core.config.config import DEFAULT
from rubric_core.grading.generation.survey import survey
from rubric_core.grading.generation.verified_insertion import insert_proposals
from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.load import load_text
from rubric_core.text.spans import apply_edits

if TYPE_CHECKING:
    from rubric_core.grading.generation.verified_insertion import Generated
    from rubric_core.model.criteria import Criterion
    from rubric_core.text.spans import Edit

CHECKLIST: tuple[Criterion, ...] = (
    ChecklistCriterion(id="names-the-port", expected_outcome="Names port 8080", weight=Decimal("2.0")),
    ChecklistCriterion(id="says-why", expected_outcome="Says why: the proxy listens there"),
    ChecklistCriterion(id="one-line", expected_outcome="Needs one line", weight=Decimal("0.5"), required=False),
)
"""Three criteria that give no hint; the second one needs quotes."""

RANGES: tuple[Criterion, ...] = tuple(
    ScoreRangeCriterion(
        id=identifier,
        expected_outcome=text,
        weight=Decimal(weight),
        required_min_score=6,
        score_ranges=(
            ScoreRange(minimum=0, maximum=5, expected_outcome=f"{text} nowhere"),
            ScoreRange(minimum=6, maximum=10, expected_outcome=f"{text} in the first sentence"),
        ),
    )
    for identifier, text, weight in (
        ("port", "Names the port", "2.0"),
        ("reason", "Gives the reason", "1"),
        ("command", "Shows the command", "1"),
    )
)
"""The same number with score ranges."""

NOTHING = frozenset({"", "[]", "null", "~", "Null", "*nothing"})
"""The values of `rubrics` that may be replaced, without white space."""


def generated(text: str, path: str = "suite.eval.yaml", criteria: tuple[Criterion, ...] = CHECKLIST) -> Generated:
    """Give every case that wants some the same criteria, and hold the result to all promises."""
    found = survey(text, path, DEFAULT, NO_PROJECT)
    result = insert_proposals(found, {each.case.id: criteria for each in found.candidates}, DEFAULT, NO_PROJECT)
    assert_only_added(text, result.text, result.edits)
    assert_no_worse(text, result.text, path)
    assert_right(text, result, path, criteria)
    return result


def assert_only_added(text: str, after: str, edits: tuple[Edit, ...]) -> None:
    """Hold a change to adding: all other code points are there in their order, but for what was for nothing."""
    assert apply_edits(text, edits) == after
    kept, rest = "", after
    done = 0
    for start, end, new in edits:
        assert "".join(text[start:end].split()) in NOTHING
        unchanged = text[done:start]
        assert rest.startswith(unchanged + new)
        kept, rest, done = kept + unchanged, rest[len(unchanged + new) :], end
    assert rest == text[done:]


def assert_no_worse(text: str, after: str, path: str) -> None:
    """Hold a change to adding no problem of any severity."""
    before, now = (check_text(each, path=path) for each in (text, after))
    assert now.ours
    more = Counter(problem.code for problem in now.problems) - Counter(problem.code for problem in before.problems)
    assert not more, [problem.message for problem in now.problems if problem.code in more]


def assert_right(text: str, result: Generated, path: str, criteria: tuple[Criterion, ...]) -> None:
    """Hold a change to giving the criteria to the cases that were meant, and nothing to any other."""
    written = {each.case_id for each in result.written}
    for before, now in zip(load_text(text, path), load_text(result.text, path), strict=True):
        for old, new in zip(before.cases, now.cases, strict=True):
            is_meant = old.id in written and not old.criteria
            # Of two cases with one id only the first is written.
            written -= {old.id}
            assert new.criteria == (criteria if is_meant else old.criteria)
            assert new.input_messages == old.input_messages
    assert not written
