"""The options of a grading."""

from dataclasses import dataclass
from decimal import Decimal

DEFAULT_ATTEMPTS = 3
DEFAULT_TIME_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen for a grading.

    `samples` judgements are taken of everything. `per_criterion` asks for one criterion a call. `criteria` are the
    only ids that are graded, None all; of `evaluator` alone, where one is named. `attempts` bounds how often a judge
    is asked for one judgement, and `time_limit` how many seconds a code judge may take. `threshold` is the score, 0 to
    1, from which a case passes, in the dialects that have thresholds; it goes before those of the file.
    """

    samples: int = 1
    per_criterion: bool = False
    criteria: frozenset[str] | None = None
    evaluator: str | None = None
    attempts: int = DEFAULT_ATTEMPTS
    time_limit: float = DEFAULT_TIME_LIMIT
    threshold: Decimal | None = None


DEFAULT_OPTIONS = Options()
