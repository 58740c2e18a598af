"""The judgement cache: valid replies that can be used again. The store keeps them on disk."""

from dataclasses import dataclass
from typing import Protocol

from rubric_core.grading.judges.judge import JudgeIdentity, QuestionKind

PERSON = "manual"
"""The kind of judge that is a person."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One valid reply of a judge. `id` names it for ever; `key` finds it again, None where it is never reused."""

    id: str
    key: str | None
    kind: QuestionKind
    file: str
    case_id: str
    evaluator: str
    judge: JudgeIdentity
    prompt_hash: str
    answer_hash: str
    text: str
    sample: int = 0


class JudgementCache(Protocol):
    """Where judgements are kept."""

    def recall(self, key: str) -> Judgement | None:
        """Return the judgement that was kept under a key."""

    def keep(self, judgement: Judgement) -> None:
        """Keep a judgement at once, so that nothing judged is lost; one with a known id is kept once."""


@dataclass(frozen=True, slots=True)
class SelectiveCache:
    """A cache that returns only what the user wants to reuse, and keeps everything.

    What a person judged is reused only when a run that was stopped is resumed: else they want to judge anew.
    """

    cache: JudgementCache
    reuses_models: bool = True
    reuses_persons: bool = False

    def recall(self, key: str) -> Judgement | None:
        """Return the judgement that was kept under a key, if it may be reused."""
        found = self.cache.recall(key) if self.reuses_models or self.reuses_persons else None
        is_wanted = found is not None and (self.reuses_persons if found.judge.kind == PERSON else self.reuses_models)
        return found if is_wanted else None

    def keep(self, judgement: Judgement) -> None:
        """Keep a judgement."""
        self.cache.keep(judgement)
