"""What grading remembers between calls and runs. The store keeps it on disk; without one, nothing is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
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


class Memory(Protocol):
    """Where judgements are kept."""

    def recall(self, key: str) -> Judgement | None:
        """Return the judgement that was kept under a key."""

    def keep(self, judgement: Judgement) -> None:
        """Keep a judgement at once, so that nothing judged is lost; one with a known id is kept once."""


class ChosenMemory:
    """A memory of which only what the user wants is recalled.

    What a person judged is recalled when a run that was stopped goes on, and only then: else they want to judge anew.
    """

    def __init__(self, memory: Memory, *, recalls: bool = True, recalls_persons: bool = False) -> None:
        self._memory = memory
        self._recalls = recalls
        self._recalls_persons = recalls_persons

    def recall(self, key: str) -> Judgement | None:
        """Return the judgement that was kept under a key, if it is wanted."""
        found = self._memory.recall(key) if self._recalls or self._recalls_persons else None
        is_wanted = found is not None and (self._recalls_persons if found.judge.kind == PERSON else self._recalls)
        return found if is_wanted else None

    def keep(self, judgement: Judgement) -> None:
        """Keep a judgement."""
        self._memory.keep(judgement)
