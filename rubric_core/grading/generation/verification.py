"""Holding a changed text against the one before: only the cases that were meant may differ, and nothing gets worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.grading.generation.reading import serious
from rubric_core.model.evaluators import LlmJudge
from rubric_core.schema.scales import INLINE_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.grading.generation.reading import Number, SuiteReading
    from rubric_core.grading.generation.writing import Criteria
    from rubric_core.model.suite import EvalCase

_NO_ROOM = "Its text leaves no room for criteria that are read as they are meant; write them by hand."
_ELSEWHERE = "Criteria here would change something else in the file; write them by hand."
# What tells where a case stands and what is wrong with it, not what it asks.
_ASIDE = {"problems": (), "places": (), "left_out": ()}


def misfits(before: SuiteReading, after: SuiteReading, inserted: Mapping[Number, Criteria]) -> dict[Number, str]:
    """Return the cases that must not get their criteria, each with the reason; none where all is as it was meant."""
    old, new = before.cases, after.cases
    if list(old) != list(new):
        return dict.fromkeys(inserted, _NO_ROOM)
    found: dict[Number, str] = {}
    for number, criteria in inserted.items():
        reason = _reason_against(old[number], new[number], criteria)
        if reason is not None:
            found[number] = reason
    if found:
        return found
    others_differ = any(_plain(old[number]) != _plain(new[number]) for number in old if number not in inserted)
    if others_differ or serious(after.problems) - serious(before.problems):
        return dict.fromkeys(inserted, _ELSEWHERE)
    return {}


def _reason_against(before: EvalCase, after: EvalCase, criteria: Criteria) -> str | None:
    inline = LlmJudge(name=INLINE_NAME, criteria=tuple(criteria))
    wanted = {"criteria": tuple(criteria), "evaluators": (inline, *before.evaluators)}
    if _plain(after) != before.model_copy(update={**_ASIDE, **wanted}):
        return _NO_ROOM
    worse = serious(after.problems) - serious(before.problems)
    problem = next((each for each in after.problems if each.code in worse), None)
    if problem is not None:
        return f"The criteria that were proposed bring the {problem.severity.value} {problem.code}: {problem.message}"
    return None


def _plain(case: EvalCase) -> EvalCase:
    return case.model_copy(update=_ASIDE)
