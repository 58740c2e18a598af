"""The interface of judges, with their questions and judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rubric_core.grading.providers.provider import Completion

if TYPE_CHECKING:
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import Scorecard

QuestionKind = Literal["rubric", "free-form", "scorecard", "proposal"]

PERSON = "manual"
"""The kind of judge that is a person."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt of a model. `hash` identifies the content and does not depend on the random boundary in it."""

    system: str
    user: str
    hash: str


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to judge. A model reads `prompt` and `schema`; a person is shown the rest.

    `sample` counts independent judgements of the same thing from 0. A `proposal` asks for new criteria. `unasked` are
    the ids of the evaluator's criteria that this question omits; a recording of all criteria skips them.
    `instructions` is the evaluator's own prompt, with its placeholders.
    """

    kind: QuestionKind
    case_id: str
    evaluator: str
    prompt: Prompt
    schema: Mapping[str, Any]
    task: str = ""
    answer: str = ""
    expected_outcome: str = ""
    reference: str = ""
    instructions: str = ""
    criteria: tuple[Criterion, ...] = ()
    scorecard: Scorecard | None = None
    sample: int = 0
    # The other evaluators of the case with the same kind of judgement.
    siblings: tuple[str, ...] = ()
    unasked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier, invalid reply to the same question, and the message about its errors."""

    reply: str
    complaint: str


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """The identity of a judge: the name that the user gave, its kind, and its model."""

    name: str
    kind: str
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One valid reply of a judge. `id` is unique; `key` is its cache key, None if it is never reused."""

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


class Judge(Protocol):
    """A model, a person, a recording or the editor; by default one that is asked once and holds nothing open.

    `can_repair`: asking again with a complaint can help. `is_recorded`: the same judgement is the same grading again.
    """

    identity: JudgeIdentity
    can_repair: bool = False
    is_recorded: bool = False

    @property
    def memory_key(self) -> str | None:
        """Return a key that, with the prompt, determines a reply, for reusing it; None: it is never reused."""

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Answer a question with the text of a judgement. Raises ProviderFailed or JudgeFailed."""

    async def close(self) -> None:
        """Close connections and end child processes; by default there are none."""
        return
