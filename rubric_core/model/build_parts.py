"""From nodes to criteria, evaluators, messages and scorecards."""

from collections.abc import Callable
from typing import Any, cast

from rubric_core.model.builder import Builder, below, plain_mapping, text_of, value_of
from rubric_core.model.criteria import ChecklistCriterion, Criterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.evaluators import CodeJudge, CompositeEvaluator, Evaluator, LlmJudge, OtherEvaluator
from rubric_core.model.messages import ContentPart, Message
from rubric_core.model.scorecards import Bonus, RedFlag, Scorecard
from rubric_core.model.suite import ModelPath
from rubric_core.schema.evaluators import EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.schema.records import RECORDS
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank, is_null
from rubric_core.views.bands import BandsView, Flaw
from rubric_core.views.criteria import CriterionView
from rubric_core.views.scorecards import AdjustmentView

_FLAWS = {
    Flaw.MALFORMED: "score_range is not a list of two integers from 0 to 10.",
    Flaw.NOT_INTEGER: "A bound of the range is not an integer.",
}


def build_criterion(
    builder: Builder, path: ModelPath, place: int, item: Located
) -> ChecklistCriterion | ScoreRangeCriterion | None:
    """Build one criterion; without an id it is called `rubric-N` by its place in the list as written."""
    view = CriterionView(item.node, place + 1, builder.version, builder.dialect)
    if not view.is_readable:
        builder.leave_out(path, item.span, "A criterion is a string or a mapping.")
        return None
    builder.name(path, item.span, f"criterion {view.identifier}")
    values: dict[str, Any] = {"id": view.identifier}
    if view.text:
        values["expected_outcome"] = view.text
    _add(builder, view, values, "weight")
    if view.bands is None:
        _add(builder, view, values, "required")
        return builder.make(ChecklistCriterion, path, item.span, values)
    # `required` has no effect beside score ranges, and `required_min_score` none without them.
    _add(builder, view, values, "required_min_score")
    values["score_ranges"] = _build_ranges(builder, (*path, "score_ranges"), view.bands, item.base)
    return builder.make(ScoreRangeCriterion, path, item.span, values)


def _add(builder: Builder, view: CriterionView, values: dict[str, Any], name: str) -> None:
    """Take over a value as it is written, for the model to accept or refuse; nothing where there is none."""
    pair = view.pair(name)
    if pair is not None and not is_null(pair.value):
        values[name] = builder.number(pair.value) if name == "weight" else builder.plain(pair.value)


def _build_ranges(builder: Builder, path: ModelPath, bands: BandsView, base: int) -> tuple[ScoreRange, ...]:
    """Build the ranges of either form in the order of their scores; those of a map run up to the next key."""
    for item in bands.non_mappings:
        builder.leave_out(path, item.span.shifted(base), "A score range is a mapping.")
    ranges: list[ScoreRange] = []
    for band in sorted(bands.bands, key=lambda band: -1 if band.lower is None else band.lower):
        at: ModelPath = (*path, len(ranges))
        span = band.whole.span.shifted(base)
        if band.lower is not None and band.upper is not None:
            low, high = sorted((band.lower, band.upper))
            builder.name(path, span, f"range {low}" if low == high else f"range {low}-{high}")
        if band.flaw is not None:
            builder.leave_out(at, span, _FLAWS[band.flaw])
            continue
        values = {"minimum": band.lower, "maximum": band.upper, "expected_outcome": band.text}
        made = builder.make(ScoreRange, at, span, values)
        if made is not None:
            ranges.append(made)
    return tuple(ranges)


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


_PART_KEYS = ("type", "value")


def build_messages(builder: Builder, path: ModelPath, item: Located | None, speaker: str) -> tuple[Message, ...]:
    """Build the messages of a list, or the one message of `speaker` that a string or structured data stands for."""
    if item is None:
        return ()
    node = item.node
    if isinstance(node, Sequence):
        return builder.each(path, below(item, node), lambda at, _place, each: _build_message(builder, at, each))
    at = (*path, 0)
    if isinstance(node, Mapping) and node.get("role") is not None:
        made = _build_message(builder, at, item)
    else:
        content = text_of(node) if isinstance(node, Scalar) else builder.plain(node)
        made = builder.make(Message, at, item.span, {"role": speaker, "content": content})
    return () if made is None else (made,)


def _build_message(builder: Builder, path: ModelPath, item: Located) -> Message | None:
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "A message is a mapping with role and content.")
        return None
    name = node.get("name")
    values: dict[str, Any] = {"role": text_of(node.get("role")), "name": None}
    if name is not None and not is_blank(name):
        values["name"] = text_of(name)
    content = node.get("content")
    if isinstance(content, Sequence):
        parts = builder.each(
            (*path, "content"),
            below(item, content),
            lambda at, _place, each: builder.make(ContentPart, at, each.span, _part_values(builder, each.node)),
        )
        if len(parts) < len(content.items):
            builder.leave_out(path, item.span, "A part of the content is not {type: text or file, value: text}.")
            return None
        values["content"] = parts
    elif content is not None and not is_null(content):
        values["content"] = text_of(content) if isinstance(content, Scalar) else builder.plain(content)
    calls = node.get("tool_calls")
    if isinstance(calls, Sequence):
        values["tool_calls"] = tuple(builder.plain(call) for call in calls.items)
    return builder.make(Message, path, item.span, values)


def _part_values(builder: Builder, node: Node) -> dict[str, Any]:
    """Return the values of a part. Other keys are not read, as everywhere; RB003 tells."""
    value = builder.plain(node)
    return {key: value[key] for key in _PART_KEYS if key in value} if isinstance(value, dict) else {"value": value}


_SCORECARD = RECORDS["scorecard"]


def build_scorecard(builder: Builder, path: ModelPath, item: Located) -> Scorecard | None:
    """Build a scorecard; without a `skill` its history goes by the case's file and id."""
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "A scorecard is a mapping, or the name of one.")
        return None
    values: dict[str, Any] = {"skill": text_of(value_of(node, _SCORECARD, "skill")) or ""}
    weights = value_of(node, _SCORECARD, "weights")
    if isinstance(weights, Mapping):
        values["weights"] = {name: builder.number(pair.value) for name, pair in weights.index.items()}
    elif weights is not None:
        values["weights"] = builder.plain(weights)

    def build_flag(at: ModelPath, place: int, flag: Located) -> RedFlag | None:
        values = _adjustment(builder, flag, f"red-flag-{place + 1}")
        return builder.make(RedFlag, at, flag.span, values | _deduction(builder, flag))

    def build_bonus(at: ModelPath, place: int, bonus: Located) -> Bonus | None:
        return builder.make(Bonus, at, bonus.span, _adjustment(builder, bonus, f"bonus-{place + 1}"))

    flags = below(item, value_of(node, _SCORECARD, "red_flags"))
    bonuses = below(item, value_of(node, _SCORECARD, "bonuses"))
    values["red_flags"] = builder.each((*path, "red_flags"), flags, build_flag)
    values["bonuses"] = builder.each((*path, "bonuses"), bonuses, build_bonus)
    return builder.make(Scorecard, path, item.span, values)


def _adjustment(builder: Builder, item: Located, generated_id: str) -> dict[str, Any]:
    """Return the values of a red flag or a bonus; a plain string is its text."""
    view = AdjustmentView(item.node, 0, builder.version)
    return {"id": text_of(view.identifier) or generated_id, "expected_outcome": text_of(view.outcome)}


def _deduction(builder: Builder, item: Located) -> dict[str, Any]:
    """Return what a red flag takes away, where it says so. Bonuses have no such key."""
    pair = AdjustmentView(item.node, 0, builder.version).deduction
    return {} if pair is None or is_null(pair.value) else {"deduction": builder.number(pair.value)}
