"""How cases are graded: what the user chose, and what everything that is graded together shares."""

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field

from rubric_core.grading.judgement_cache import JudgementCache
from rubric_core.grading.secrets import NO_SECRETS, Redactor

DEFAULT_ATTEMPTS = 3
DEFAULT_TIME_LIMIT = 60.0


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen for a grading.

    `samples` judgements are taken of everything. `per_criterion` asks for one criterion a call. `criteria` are the
    only ids that are graded, None all; of `evaluator` alone, where one is named. `attempts` bounds how often a judge
    is asked for one judgement, and `time_limit` how many seconds a code judge may take.
    """

    samples: int = 1
    per_criterion: bool = False
    criteria: frozenset[str] | None = None
    evaluator: str | None = None
    attempts: int = DEFAULT_ATTEMPTS
    time_limit: float = DEFAULT_TIME_LIMIT


DEFAULT_OPTIONS = Options()


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The user's choices, the cache of judgements (None: nothing is reused), and what must not be shown or kept.

    `limit` is held while a judge is asked: a semaphore bounds the open questions. A cached judgement needs no place.
    """

    options: Options = DEFAULT_OPTIONS
    cache: JudgementCache | None = None
    redactor: Redactor = NO_SECRETS
    limit: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)


DEFAULT_SETTINGS = RunSettings()
