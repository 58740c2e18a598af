"""The rows that the store returns: runs, and the history of skills."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from rubric_core.grading.judges.judge import JudgeIdentity


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
