"""Evaluators: who judges an answer, and with what."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from decimal import Decimal
from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from rubric_core.dialects.registry import DIALECTS
from rubric_core.model.base import JsonValue, Model, SparseModel, Text, Weight
from rubric_core.model.criteria import Criterion
from rubric_core.schema.fields import Record, Role
from rubric_core.schema.scales import COMMAND_KEYS

Command = Text | tuple[str, ...]
"""A command as it is written. A string is split as a shell would before it is run, without a shell."""


class PromptScript(Model):
    """A prompt that a command prints."""

    script: Command
    config: dict[str, JsonValue] = Field(default_factory=dict)


class _Evaluator(SparseModel):
    """Base of all evaluators.

    With `negate` the result is inverted. With `required` the case gets 0 if the evaluator's score, from 0 to 1, is
    below `min_score` or, without one, below the threshold of the case. `transform` is applied to the answer before.
    """

    rare = frozenset({"required", "min_score", "negate", "transform"})
    name: Text
    weight: Weight = Decimal(1)
    required: bool = False
    min_score: Annotated[Decimal, Field(gt=0, le=1)] | None = None
    negate: bool = False
    transform: JsonValue = None


class LlmJudge(_Evaluator):
    """A model judges, against the criteria, with a prompt of its own, or both."""

    type: Text = "llm_judge"
    criteria: tuple[Criterion, ...] = ()
    prompt: str | PromptScript | None = None
    model: str | None = None
    target: str | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class CodeJudge(_Evaluator):
    """A command judges. Keys that are not the format's own are the command's configuration."""

    type: Text = "code_judge"
    script: Command
    cwd: str | None = None
    target: bool | str | dict[str, JsonValue] | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class CompositeEvaluator(_Evaluator):
    """Several evaluators whose results become one."""

    type: Text = "composite"
    evaluators: tuple[Evaluator, ...] = ()
    config: dict[str, JsonValue] = Field(default_factory=dict)


class OtherEvaluator(_Evaluator):
    """An evaluator with keys of its own, all of them in `config`."""

    type: Text
    config: dict[str, JsonValue] = Field(default_factory=dict)


def model_of(record: Record) -> type[LlmJudge | CodeJudge | CompositeEvaluator | OtherEvaluator]:
    """Return the model of an evaluator whose keys are those of a record."""
    if record.by_role[Role.CRITERIA]:
        return LlmJudge
    if record.by_role[Role.EVALUATORS]:
        return CompositeEvaluator
    return OtherEvaluator if record.by_key.keys().isdisjoint(COMMAND_KEYS) else CodeJudge


_MODELS = {kind: model_of(dialect.evaluator(kind)).__name__ for dialect in DIALECTS for kind in dialect.types}


def _tag(value: Any) -> str:
    """Return the name of the model that a value is, or that plain data is for."""
    return _MODELS.get(str(value.get("type")), "OtherEvaluator") if isinstance(value, dict) else type(value).__name__


Evaluator = Annotated[
    Annotated[LlmJudge, Tag("LlmJudge")]
    | Annotated[CodeJudge, Tag("CodeJudge")]
    | Annotated[CompositeEvaluator, Tag("CompositeEvaluator")]
    | Annotated[OtherEvaluator, Tag("OtherEvaluator")],
    Discriminator(_tag),
]
"""Any evaluator, by its `type`. Old type names are replaced by the names of today."""

CompositeEvaluator.model_rebuild()


def with_members(evaluators: Iterable[Evaluator], sets: Container[str]) -> Iterator[Evaluator]:
    """Yield evaluators, each set of a type among `sets` followed by its members."""
    for evaluator in evaluators:
        yield evaluator
        if isinstance(evaluator, CompositeEvaluator) and evaluator.type in sets:
            yield from with_members(evaluator.evaluators, sets)
