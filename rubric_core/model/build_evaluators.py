"""From nodes to evaluators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rubric_core.model.build_criteria import build_criterion
from rubric_core.model.builder import below, text_of
from rubric_core.model.evaluators import CodeJudge, CompositeEvaluator, LlmJudge, OtherEvaluator
from rubric_core.model.plain import plain_mapping
from rubric_core.schema.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import is_null

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.model.builder import Builder
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.evaluators import Evaluator
    from rubric_core.model.suite import ModelPath
    from rubric_core.syntax.document import Located
    from rubric_core.syntax.nodes import Node

_BASE_KEYS = frozenset({"name", "type", "weight"})


def build_evaluators(builder: Builder, path: ModelPath, item: Located, first: int = 0) -> tuple[Evaluator, ...]:
    """Build the evaluators of a list, of which `first` others stand in front in the model."""
    return builder.each(
        path, below(item, item.node), lambda at, _place, each: _build_evaluator(builder, at, each), first
    )


def build_criteria(builder: Builder, path: ModelPath, item: Located) -> tuple[Criterion, ...]:
    """Build the criteria of a list."""
    return builder.each(path, below(item, item.node), lambda at, place, each: build_criterion(builder, at, place, each))


def _build_evaluator(builder: Builder, path: ModelPath, item: Located) -> Evaluator | None:
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "An evaluator is a mapping with name and type.")
        return None
    written = text_of(node.get("type")) or ""
    kind = OLD_EVALUATOR_TYPES.get(written, written)
    if kind not in EVALUATOR_TYPES:
        builder.leave_out(
            path, item.span, f"There is no evaluator type {written}." if written else "The type is missing."
        )
        return None
    values: dict[str, Any] = {"name": text_of(node.get("name")), "type": kind}
    weight = node.get("weight")
    if weight is not None and not is_null(weight):
        values["weight"] = builder.number(weight)
    model, add_values = _KINDS.get(kind, (OtherEvaluator, _other_values))
    values |= add_values(builder, path, item)
    return cast("Evaluator | None", builder.make(model, path, item.span, values))


def _judge_values(builder: Builder, path: ModelPath, item: Located) -> dict[str, Any]:
    node = cast("Mapping", item.node)
    values: dict[str, Any] = {key: text_of(node.get(key)) for key in ("model", "target")}
    rubrics = node.get("rubrics")
    if rubrics is not None:
        values["criteria"] = build_criteria(builder, (*path, "criteria"), item._replace(node=rubrics))
    prompt = node.get("prompt")
    if isinstance(prompt, Mapping):
        script = _command(builder, prompt.get("script"))
        values["prompt"] = {**({} if script is None else {"script": script}), **_config(builder, prompt)}
    else:
        values["prompt"] = text_of(prompt)
    return values | _config(builder, node)


def _code_values(builder: Builder, _path: ModelPath, item: Located) -> dict[str, Any]:
    node = cast("Mapping", item.node)
    own = _BASE_KEYS | {"script", "cwd", "target"}
    return {
        "script": _command(builder, node.get("script")),
        "cwd": text_of(node.get("cwd")),
        "target": builder.plain(node.get("target")),
        "config": plain_mapping(node, builder.version, own),
    }


def _composite_values(builder: Builder, path: ModelPath, item: Located) -> dict[str, Any]:
    node = cast("Mapping", item.node)
    values: dict[str, Any] = {"config": plain_mapping(node, builder.version, _BASE_KEYS | {"evaluators"})}
    members = node.get("evaluators")
    if members is not None:
        values["evaluators"] = build_evaluators(builder, (*path, "evaluators"), item._replace(node=members))
    return values


def _other_values(builder: Builder, _path: ModelPath, item: Located) -> dict[str, Any]:
    return {"config": plain_mapping(cast("Mapping", item.node), builder.version, _BASE_KEYS)}


def _command(builder: Builder, node: Node | None) -> Any:
    """Return a command as text, or as a tuple of its words; numbers among the words are words too."""
    if node is None or isinstance(node, Scalar):
        return text_of(node)
    value = builder.plain(node)
    return tuple(str(word) for word in value) if isinstance(value, list) else value


def _config(builder: Builder, node: Mapping) -> dict[str, Any]:
    config = builder.plain(node.get("config"))
    return {} if config is None else {"config": config}


_KINDS: dict[str, tuple[type[Any], Callable[[Builder, ModelPath, Located], dict[str, Any]]]] = {
    "llm_judge": (LlmJudge, _judge_values),
    "rubric": (LlmJudge, _judge_values),
    "code_judge": (CodeJudge, _code_values),
    "composite": (CompositeEvaluator, _composite_values),
}
