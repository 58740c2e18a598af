"""Evaluators: who judges an answer, and with what."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from rubric_core.model.base import JsonValue, Model, Text, Weight
from rubric_core.model.criteria import Criterion

Command = Text | tuple[str, ...]
"""A command as it is written. Whoever runs it splits a string as a shell would, and starts no shell."""


class PromptScript(Model):
    """A prompt that a command prints."""

    script: Command
    config: dict[str, JsonValue] = Field(default_factory=dict)


class _Evaluator(Model):
    name: Text
    weight: Weight = Decimal(1)


class LlmJudge(_Evaluator):
    """A model judges, against the criteria, with a prompt of its own, or both."""

    type: Literal["llm_judge", "rubric"] = "llm_judge"
    criteria: tuple[Criterion, ...] = ()
    prompt: str | PromptScript | None = None
    model: str | None = None
    target: str | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class CodeJudge(_Evaluator):
    """A command judges. Keys that are not the format's own are the command's configuration."""

    type: Literal["code_judge"] = "code_judge"
    script: Command
    cwd: str | None = None
    target: bool | str | dict[str, JsonValue] | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class CompositeEvaluator(_Evaluator):
    """Several evaluators whose results become one."""

    type: Literal["composite"] = "composite"
    evaluators: tuple[Evaluator, ...] = ()
    config: dict[str, JsonValue] = Field(default_factory=dict)


class OtherEvaluator(_Evaluator):
    """An evaluator with keys of its own, all of them in `config`."""

    type: Literal["tool_trajectory", "field_accuracy", "latency", "cost", "token_usage", "execution_metrics"]
    config: dict[str, JsonValue] = Field(default_factory=dict)


Evaluator = Annotated[LlmJudge | CodeJudge | CompositeEvaluator | OtherEvaluator, Field(discriminator="type")]
"""Any evaluator; `type` tells which. Old type names are replaced by the names of today."""

CompositeEvaluator.model_rebuild()
