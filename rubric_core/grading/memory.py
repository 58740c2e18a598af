"""What grading remembers between calls and runs. The store keeps it on disk; without one, nothing is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import JudgeIdentity, QuestionKind


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


class Memory(Protocol):
    """Where judgements are kept."""

    def recall(self, key: str) -> Judgement | None:
        """Return the judgement that was kept under a key."""

    def keep(self, judgement: Judgement) -> None:
        """Keep a judgement at once, so that nothing judged is lost; one with a known id is kept once."""
