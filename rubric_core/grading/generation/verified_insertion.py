"""Insert criteria into a text by the smallest edits, and verify the new text before anybody sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rubric_core.analysis.project import Project
from rubric_core.config.config import Config
from rubric_core.grading.generation.insertion import Criteria, insertion
from rubric_core.grading.generation.survey import Candidate, Number, Skipped, SuiteReading, Survey, read_suites
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase
from rubric_core.rules.problem import Problem, Severity
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.text.spans import Edit, apply_edits

_NO_PLACE = "Its text has no place for `rubrics` that leaves everything else as it is; write them by hand."
_COMMENT_IN_THE_WAY = "A comment stands in its empty `rubrics`, and would be lost; write them by hand."
_NO_ROOM = "Its text leaves no room for criteria that are read as they are meant; write them by hand."
_ELSEWHERE = "Criteria here would change something else in the file; write them by hand."
# Fields about the place and the problems of a case, which do not affect its meaning.
_NOT_COMPARED = {"problems": (), "places": (), "left_out": ()}


@dataclass(frozen=True, slots=True)
class GeneratedCase:
    """A case that gets criteria, and how many hints they give."""

    case_id: str
    criteria: int
    hints: int


@dataclass(frozen=True, slots=True)
class Generated:
    """A text with its new criteria: its edits, and the outcome of each case with a proposal."""

    text: str
    edits: tuple[Edit, ...] = ()
    written: tuple[GeneratedCase, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def insert_proposals(survey: Survey, proposals: Mapping[str, Criteria], config: Config, project: Project) -> Generated:
    """Insert proposals; a case for which that is impossible, or adds problems, is left out with a reason."""
    before = survey.reading
    skipped: list[Skipped] = []
    edits: dict[Number, tuple[Edit, ...]] = {}
    candidates = {candidate.number: candidate for candidate in survey.candidates if candidate.case.id in proposals}
    for number, candidate in candidates.items():
        if candidate_edits := insertion(candidate.place, proposals[candidate.case.id], candidate.indents):
            edits[number] = candidate_edits
        else:
            skipped.append(_skip(candidate, _COMMENT_IN_THE_WAY if candidate.place.empty_rubrics else _NO_PLACE))
    while edits:
        in_order = sorted(edit for own in edits.values() for edit in own)
        after = read_suites(apply_edits(before.text, in_order), before.path, config, project)
        inserted = {number: proposals[candidates[number].case.id] for number in edits}
        wrong = rejected_cases(before, after, inserted)
        if not wrong:
            old, new = before.cases, after.cases
            written = tuple(
                GeneratedCase(new[number].id, len(criteria), max(_hints(new[number]) - _hints(old[number]), 0))
                for number, criteria in inserted.items()
            )
            return Generated(after.text, tuple(in_order), written, tuple(skipped))
        skipped += (_skip(candidates[number], reason) for number, reason in wrong.items())
        edits = {number: own for number, own in edits.items() if number not in wrong}
    return Generated(before.text, skipped=tuple(skipped))


def _skip(candidate: Candidate, reason: str) -> Skipped:
    return Skipped(candidate.case.id, candidate.offset, reason)


def _hints(case: EvalCase) -> int:
    return sum(problem.severity is Severity.HINT for problem in case.problems)


def rejected_cases(before: SuiteReading, after: SuiteReading, inserted: Mapping[Number, Criteria]) -> dict[Number, str]:
    """Return the cases that must not get their criteria, each with the reason; none if all are as intended."""
    old, new = before.cases, after.cases
    if list(old) != list(new):
        return dict.fromkeys(inserted, _NO_ROOM)
    reasons = {number: _reason_against(old[number], new[number], criteria) for number, criteria in inserted.items()}
    if rejected := {number: reason for number, reason in reasons.items() if reason is not None}:
        return rejected
    others_differ = any(_comparable(old[at]) != _comparable(new[at]) for at in old if at not in inserted)
    if others_differ or _serious(after.problems) - _serious(before.problems):
        return dict.fromkeys(inserted, _ELSEWHERE)
    return {}


def _reason_against(before: EvalCase, after: EvalCase, criteria: Criteria) -> str | None:
    inline = LlmJudge(name=INLINE_NAME, criteria=criteria)
    expected = {"criteria": criteria, "evaluators": (inline, *before.evaluators)}
    if _comparable(after) != before.model_copy(update={**_NOT_COMPARED, **expected}):
        return _NO_ROOM
    worse = _serious(after.problems) - _serious(before.problems)
    problem = next((problem for problem in after.problems if problem.code in worse), None)
    if problem is not None:
        return f"The criteria that were proposed bring the {problem.severity.value} {problem.code}: {problem.message}"
    return None


def _comparable(case: EvalCase) -> EvalCase:
    return case.model_copy(update=_NOT_COMPARED)


def _serious(problems: Iterable[Problem]) -> Counter[str]:
    """Count the errors and warnings among problems by their codes."""
    return Counter(problem.code for problem in problems if problem.severity is not Severity.HINT)
