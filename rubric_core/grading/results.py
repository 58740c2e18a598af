"""Results: the outcome of grading a case, as plain values, and its history.

`result_json.py` writes and reads them in the order of their fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_core.scoring.exact import exact
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore, Gate
from rubric_core.scoring.scorecards import HistoryReport, ScorecardScore

Status = Literal["graded", "error", "not run"]

OF_CASE = "case"
"""The metadata of a field that repeats an attribute of the case."""
MOST_CHARTED = 30
"""So many gradings of a skill or a case are shown: older ones matter little, and more do not fit."""


@dataclass(frozen=True, slots=True)
class EvaluatorResult:
    """The result of one evaluator. Only a `graded` one has a score and a verdict; `error` is why there is none.

    `agreement` is, for each criterion of several samples, the share of samples with the same judgement. `members`
    are the results of a set. `negated` means that the result was inverted: no criterion below it is a gate of the case.
    `minimum` is the score below which the case gets 0, if there is one.
    """

    name: str
    type: str
    weight: Decimal
    status: Status
    score: Fraction | None = None
    verdict: Verdict | None = None
    criteria: tuple[CriterionScore, ...] = ()
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reasoning: str = ""
    error: str | None = None
    judge: JudgeIdentity | None = None
    prompt_hash: str | None = None
    samples: int = 1
    agreement: Mapping[str, Fraction] = field(default_factory=dict)
    usage: Usage = NOTHING_SPENT
    members: tuple[EvaluatorResult, ...] = ()
    negated: bool = False
    minimum: Decimal | None = None

    @property
    def gate(self) -> Gate | None:
        """Return whether the score reaches the minimum; None without one."""
        if self.minimum is None or self.score is None:
            return None
        return "passed" if self.score >= exact(self.minimum) else "failed"

    @property
    def parts(self) -> tuple[EvaluatorResult, ...]:
        """Return the evaluator, or for a set what its members are made of."""
        return tuple(part for member in self.members for part in member.parts) if self.members else (self,)

    @property
    def gates(self) -> tuple[CriterionScore, ...]:
        """Return the criteria that are gates of the case."""
        if self.negated:
            return ()
        below = (criterion for member in self.members for criterion in member.gates)
        return (*(criterion for criterion in self.criteria if criterion.gate is not None), *below)


class Upstream(NamedTuple):
    """The score and verdict of the dialect's own tool for the same checks, in its own arithmetic."""

    score: Decimal
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ScorecardResult:
    """The result of the scorecard; it does not affect the verdict. `evaluation_id` is the entry in the skill's history.

    Where the case names no skill, `skill` is empty until the store gives the key of the history.
    """

    skill: str
    score: ScorecardScore | None = None
    history: HistoryReport | None = None
    error: str | None = None
    evaluation_id: str | None = None
    judge: JudgeIdentity | None = None
    prompt_hash: str | None = None
    samples: int = 1
    agreement: Mapping[str, Fraction] = field(default_factory=dict)
    usage: Usage = NOTHING_SPENT


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case: a score and a verdict, or an error and neither.

    A case whose only part is a scorecard has no score, no verdict and no error. `partial` means that some criteria
    were left out on request: the score is that of the others, and there is no verdict. `fingerprint` names everything
    that went in; a resumed run takes over equal ones. `duration` is in seconds. `other_fields` are those of the case.
    `dialect` is that of its file, and `copy_of` the id of the test there, if that is several cases and has another id.
    `threshold` is the score from which it passes, where the dialect has thresholds, and `upstream` what the tool of the
    dialect would give, if it differs.
    """

    eval_id: str = field(metadata={OF_CASE: "id"})
    dataset: str = field(default="", metadata={OF_CASE: "dataset"})
    file: str = field(default="", metadata={OF_CASE: "source"})
    conversation_id: str | None = field(default=None, metadata={OF_CASE: "conversation_id"})
    target: str | None = field(default=None, metadata={OF_CASE: "target"})
    timestamp: str = ""
    score: Fraction | None = None
    verdict: Verdict | None = None
    error: str | None = None
    partial: bool = False
    candidate_answer: str = ""
    evaluators: tuple[EvaluatorResult, ...] = ()
    scorecard: ScorecardResult | None = None
    judge: JudgeIdentity | None = None
    usage: Usage = NOTHING_SPENT
    duration: float = 0.0
    fingerprint: str = ""
    other_fields: Mapping[str, Any] = field(default_factory=dict, metadata={OF_CASE: "other_fields"})
    dialect: str = field(default=DEFAULT_DIALECT.name, metadata={OF_CASE: "dialect"})
    threshold: Decimal | None = None
    upstream: Upstream | None = None
    copy_of: str = field(default="", metadata={OF_CASE: "test_id"})

    def __post_init__(self) -> None:
        """Round the time to a microsecond, and remove verdicts that some criteria alone cannot give."""
        if self.copy_of == self.eval_id:
            object.__setattr__(self, "copy_of", "")
        object.__setattr__(self, "duration", round(self.duration, 6))
        if self.partial:
            object.__setattr__(self, "verdict", None)
            object.__setattr__(self, "upstream", None)
            object.__setattr__(self, "evaluators", tuple(map(_without_verdict, self.evaluators)))

    @property
    def test_id(self) -> str:
        """Return the id of the test as its file has it."""
        return self.copy_of or self.eval_id

    @property
    def card(self) -> ScorecardScore | None:
        """Return the score of the scorecard, if it was graded."""
        return None if self.scorecard is None else self.scorecard.score

    @property
    def criteria(self) -> tuple[CriterionScore, ...]:
        """Return the criteria of all evaluators in their order."""
        parts = (part for evaluator in self.evaluators for part in evaluator.parts)
        return tuple(criterion for part in parts for criterion in part.criteria)

    @property
    def reasoning(self) -> str:
        """Return the reasons of all evaluators; if there are several, each after the name of its evaluator."""
        reasoned = [evaluator for evaluator in self.evaluators if evaluator.reasoning]
        if len(reasoned) == 1:
            return reasoned[0].reasoning
        return "\n".join(f"{evaluator.name}: {evaluator.reasoning}" for evaluator in reasoned)

    @property
    def failed_gates(self) -> tuple[CriterionScore, ...]:
        """Return the criteria whose gate failed."""
        gates = (criterion for evaluator in self.evaluators for criterion in evaluator.gates)
        return tuple(criterion for criterion in gates if criterion.gate == "failed")

    @property
    def unmet(self) -> tuple[CriterionScore, ...]:
        """Return the criteria that are not met and do not reach their gate."""
        return tuple(criterion for criterion in self.criteria if not criterion.is_met)


def _without_verdict(result: EvaluatorResult) -> EvaluatorResult:
    return replace(result, verdict=None, members=tuple(map(_without_verdict, result.members)))


CASE_ATTRIBUTES = {row.name: row.metadata[OF_CASE] for row in fields(CaseResult) if OF_CASE in row.metadata}
"""By the field of a result, the attribute of the case that it repeats."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: `kept` of `total` results are in the store. `ended` is None while it runs, and if it was killed."""

    id: int
    command: str
    judge: JudgeIdentity | None
    total: int
    kept: int
    began: str
    ended: str | None
    finished: bool


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One graded scorecard in the history of its skill; `run` and `place` are where it was graded first."""

    skill: str
    id: str
    run: int
    place: int
    timestamp: str
    file: str
    case_id: str
    judge: JudgeIdentity | None
    dimensions: Mapping[str, int]
    composite: Decimal
    final_score: Decimal
    grade: str


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that has a history: how many evaluations, and the newest of them."""

    name: str
    evaluations: int
    latest: Evaluation


class CaseKey(NamedTuple):
    """A case, by the file that its result names, and by its id."""

    file: str
    case_id: str


class PastScore(NamedTuple):
    """The score of a case in an earlier grading, or in the one that is shown."""

    timestamp: str
    score: Fraction


@dataclass(frozen=True, slots=True)
class ResultHistory:
    """The last evaluations of skills and the last scores of cases, each the oldest first."""

    skills: Mapping[str, Sequence[Evaluation]] = field(default_factory=dict)
    cases: Mapping[CaseKey, Sequence[PastScore]] = field(default_factory=dict)


NO_HISTORY = ResultHistory()
