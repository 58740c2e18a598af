"""Writing criteria into a text: the smallest edits, tried before anybody sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.grading.generation.insertion import insertion
from rubric_core.grading.generation.reading import read_suites
from rubric_core.grading.generation.survey import Skipped
from rubric_core.grading.generation.verification import misfits
from rubric_core.rules.problem import Severity
from rubric_core.text.spans import apply_edits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.config.config import Config
    from rubric_core.grading.generation.reading import Number, SuiteReading
    from rubric_core.grading.generation.survey import Candidate, Survey
    from rubric_core.grading.generation.writing import Criteria
    from rubric_core.model.suite import EvalCase
    from rubric_core.text.spans import Edit

_NO_ROOM = "Its text has no place for `rubrics` that leaves everything else as it is; write them by hand."
_COMMENT_IN_THE_WAY = "A comment stands in its empty `rubrics`, and would be lost; write them by hand."


@dataclass(frozen=True, slots=True)
class GeneratedCase:
    """A case that gets criteria, and how many hints they give."""

    case_id: str
    criteria: int
    hints: int


@dataclass(frozen=True, slots=True)
class Generated:
    """A text with its new criteria: the edits that lead to it, and what became of each case that had a proposal."""

    text: str
    edits: tuple[Edit, ...] = ()
    written: tuple[GeneratedCase, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def insert_proposals(
    found: Survey, proposals: Mapping[str, Criteria], config: Config, surroundings: Surroundings
) -> Generated:
    """Insert what was proposed. What does not fit, or makes the file worse, is left out with a sentence.

    A change that would be wrong takes only its own case away; the others are tried again without it.
    """
    before = found.reading
    skipped: list[Skipped] = []
    edits: dict[Number, tuple[Edit, ...]] = {}
    candidates = {each.number: each for each in found.candidates if each.case.id in proposals}
    for number, candidate in candidates.items():
        edits[number] = insertion(candidate.place, proposals[candidate.case.id], candidate.indents)
        if not edits[number]:
            skipped.append(_skip(candidate, _COMMENT_IN_THE_WAY if candidate.place.empty_rubrics else _NO_ROOM))
    edits = {number: own for number, own in edits.items() if own}
    while edits:
        after = _changed(before, edits, config, surroundings)
        wanted = {number: proposals[candidates[number].case.id] for number in edits}
        wrong = misfits(before, after, wanted)
        if not wrong:
            return _generated(before, after, edits, wanted, skipped)
        skipped += (_skip(candidates[number], reason) for number, reason in wrong.items())
        edits = {number: own for number, own in edits.items() if number not in wrong}
    return Generated(before.text, skipped=tuple(skipped))


def _changed(
    before: SuiteReading, edits: Mapping[Number, tuple[Edit, ...]], config: Config, surroundings: Surroundings
) -> SuiteReading:
    text = apply_edits(before.text, [edit for own in edits.values() for edit in own])
    return read_suites(text, before.path, config, surroundings)


def _skip(candidate: Candidate, reason: str) -> Skipped:
    return Skipped(candidate.case.id, candidate.offset, reason)


def _generated(
    before: SuiteReading,
    after: SuiteReading,
    edits: Mapping[Number, tuple[Edit, ...]],
    wanted: Mapping[Number, Criteria],
    skipped: list[Skipped],
) -> Generated:
    old, new = before.cases, after.cases
    written = tuple(
        GeneratedCase(new[number].id, len(criteria), max(_hints(new[number]) - _hints(old[number]), 0))
        for number, criteria in wanted.items()
    )
    in_order = sorted(edit for own in edits.values() for edit in own)
    return Generated(after.text, tuple(in_order), written, tuple(skipped))


def _hints(case: EvalCase) -> int:
    return sum(problem.severity is Severity.HINT for problem in case.problems)
