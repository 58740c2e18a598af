"""From nodes to criteria, messages and scorecards."""

from collections.abc import Iterable
from collections.abc import Mapping as PlainMapping
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, TypeAlias

from rubric_core.dialects.dialect import Dialect
from rubric_core.model.builder import Builder, Made, below, text_of, value_of
from rubric_core.model.criteria import ChecklistCriterion, Criterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.suite import Bonus, ContentPart, Message, ModelPath, RedFlag, Scorecard
from rubric_core.schema.fields import Effect, Field, FieldType
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.schema.scorecards import SCORECARD
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import as_integer, is_blank, is_null
from rubric_core.views.bands import BandsView, Flaw
from rubric_core.views.criteria import CriteriaView, CriterionView
from rubric_core.views.scorecards import AdjustmentView

_FLAWS = {
    Flaw.MALFORMED: "score_range is not a list of two integers from 0 to 10.",
    Flaw.NOT_INTEGER: "A bound of the range is not an integer.",
}

_CriterionKind: TypeAlias = type[ChecklistCriterion | ScoreRangeCriterion]
_ATTRIBUTES = frozenset({*ChecklistCriterion.model_fields, *ScoreRangeCriterion.model_fields})
_READ_BY_VIEWS = frozenset(("id", "score_ranges"))


def build_criteria(builder: Builder, path: ModelPath, view: CriteriaView, base: int) -> tuple[Criterion, ...]:
    """Build the criteria of a list; without an id one is called `rubric-N` by its place in the list as written."""
    if view.field is not None and not view.field.items_mask & FieldType.STRING.value:
        strings = [criterion for criterion in view.criteria if isinstance(criterion.node, Scalar)]
        for criterion in strings:
            builder.leave_out(path, criterion.node.span.shifted(base), "A criterion is a mapping here.")
    else:
        strings = []
    made = build_each(builder, path, [criterion for criterion in view.criteria if criterion not in strings], base)
    # The weight beside a text that is the only criterion is that of the evaluator.
    return tuple(criterion.model_copy(update={"weight": Decimal(1)}) for criterion in made) if view.is_single else made


def build_each(
    builder: Builder, path: ModelPath, views: Iterable[CriterionView], base: int, first: int = 0
) -> tuple[Criterion, ...]:
    """Build criteria, which follow `first` others in the model."""
    return builder.each(path, views, lambda at, _place, view: _build_criterion(builder, at, view, base), first)


def _build_criterion(
    builder: Builder, path: ModelPath, view: CriterionView, base: int
) -> ChecklistCriterion | ScoreRangeCriterion | None:
    span = view.node.span.shifted(base)
    if not view.is_readable:
        builder.leave_out(path, span, "A criterion is a string or a mapping.")
        return None
    builder.name(path, span, f"criterion {view.identifier}")
    kind: _CriterionKind = ChecklistCriterion if view.bands is None else ScoreRangeCriterion
    values = {**_values_by_name(builder, view, kind), "id": view.identifier}
    if view.text:
        values["expected_outcome"] = view.text
    if view.bands is None:
        return builder.make(kind, path, span, values)
    # In most dialects `required` has no effect beside score ranges, and a gate has none without them.
    gate = _gate(builder, view)
    if gate is not None:
        values["required_min_score"] = gate
    if gate is None and view.gate is not None and not is_null(view.gate.value):
        builder.leave_out(path, span, f"`{view.gate.name}` must be {builder.dialect.table.gates.in_words}.")
        return None
    values["score_ranges"] = _build_ranges(builder, (*path, "score_ranges"), view.bands, base)
    return builder.make(kind, path, span, values)


def _gate(builder: Builder, view: CriterionView) -> Any:
    """Return the gate of a criterion with score ranges, exactly."""
    gates = builder.dialect.table.gates
    if view.gate is None:
        old = _old_gate(builder, view)
        return gates.of_required if old is None and view.required else old
    written = None if is_null(view.gate.value) else builder.plain(view.gate.value)
    return None if written is None else gates.model_value(written, view.minimum)


def _old_gate(builder: Builder, view: CriterionView) -> int | None:
    """Return the gate under a key of earlier releases that is still read, if it is a score."""
    for key, removed in builder.dialect.records["criterion"].removed.items():
        pair = view.pair(key) if removed.effect is Effect.READ and removed.instead == builder.dialect.gate_key else None
        score = as_integer(pair.value, builder.version) if pair is not None else None
        if score is not None and LOWEST <= score <= HIGHEST:
            return score
    return None


def _values_by_name(builder: Builder, view: CriterionView, kind: _CriterionKind) -> dict[str, Any]:
    """Return the values of the fields without a role, as they are written, for the model to accept or refuse.

    Those of fields that no kind of criterion has as an attribute are under `other_fields`.
    """
    values: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for field in _fields_by_name(builder.dialect):
        pair = view.pair(field.name)
        if pair is None or is_null(pair.value):
            continue
        if field.name not in _ATTRIBUTES:
            others[field.name] = builder.plain(pair.value)
        elif field.name in kind.model_fields:
            # A value with a default must not be blank.
            if is_blank(pair.value) and kind.model_fields[field.name].default is None:
                continue
            is_number = field.mask & FieldType.NUMBER.value
            values[field.name] = builder.number(pair.value) if is_number else builder.plain(pair.value)
    return {**values, "other_fields": others} if others else values


@lru_cache(maxsize=16)
def _fields_by_name(dialect: Dialect) -> tuple[Field, ...]:
    fields = dialect.records["criterion"].fields
    return tuple(field for field in fields if field.role is None and field.name not in _READ_BY_VIEWS)


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


_PART_KEYS = ("type", "value")


def build_messages(builder: Builder, path: ModelPath, item: Located | None, speaker: str) -> tuple[Message, ...]:
    """Build the messages of a list, or the one message of `speaker` that a string or structured data is."""
    if item is None:
        return ()
    node = item.node
    if isinstance(node, Sequence):
        return builder.each(path, below(item, node), lambda at, _place, message: _build_message(builder, at, message))
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
            lambda at, _place, part: builder.make(ContentPart, at, part.span, _part_values(builder, part.node)),
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
    """Return the values of a part. Other keys are not read; RB003 reports them."""
    value = builder.plain(node)
    return {key: value[key] for key in _PART_KEYS if key in value} if isinstance(value, dict) else {"value": value}


def build_scorecard(builder: Builder, path: ModelPath, item: Located) -> Scorecard | None:
    """Build a scorecard; without a `skill` the key of its history is the case's file and id."""
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "A scorecard is a mapping, or the name of one.")
        return None
    values: dict[str, Any] = {"skill": text_of(value_of(node, SCORECARD, "skill")) or ""}
    weights = value_of(node, SCORECARD, "weights")
    if isinstance(weights, Mapping):
        values["weights"] = {name: builder.number(pair.value) for name, pair in weights.index.items()}
    elif weights is not None:
        values["weights"] = builder.plain(weights)
    kinds: tuple[tuple[str, str, type[RedFlag | Bonus]], ...] = (
        ("red_flags", "red-flag", RedFlag),
        ("bonuses", "bonus", Bonus),
    )
    for key, word, kind in kinds:
        items = below(item, value_of(node, SCORECARD, key))
        values[key] = builder.each((*path, key), items, partial(_adjustment, builder, kind, word))
    return builder.make(Scorecard, path, item.span, values)


def _adjustment(  # noqa: PLR0913, PLR0917 - what it is, and where it is.
    builder: Builder, kind: type[Made], word: str, path: ModelPath, place: int, item: Located
) -> Made | None:
    """Build a red flag or a bonus; a plain string is its text, and only a red flag has a deduction."""
    view = AdjustmentView(item.node, 0, builder.version)
    values = {"id": text_of(view.identifier) or f"{word}-{place + 1}", "expected_outcome": text_of(view.outcome)}
    if kind is RedFlag and view.deduction is not None and not is_null(view.deduction.value):
        values["deduction"] = builder.number(view.deduction.value)
    return builder.make(kind, path, item.span, values)


def scorecard_values(settings: PlainMapping[str, Any]) -> dict[str, Any]:
    """Return the values of a scorecard of the configuration, with numbers exactly as written."""
    values: dict[str, Any] = {key: settings[key] for key in ("skill",) if key in settings}
    if "weights" in settings:
        values["weights"] = {name: _as_written(number) for name, number in settings["weights"].items()}
    for key, prefix in (("red_flags", "red-flag"), ("bonuses", "bonus")):
        entries = enumerate(settings.get(key, ()), start=1)
        values[key] = tuple(_configured_adjustment(entry, f"{prefix}-{number}") for number, entry in entries)
    return values


def _configured_adjustment(entry: Any, generated_id: str) -> Any:
    if isinstance(entry, str):
        return {"id": generated_id, "expected_outcome": entry}
    if not isinstance(entry, PlainMapping):
        return entry
    values = {"id": generated_id, **entry}
    return {**values, "deduction": _as_written(values["deduction"])} if "deduction" in values else values


def _as_written(number: Any) -> Any:
    """Return a number of the configuration as a decimal; the TOML parser returns a binary float."""
    return Decimal(str(number)) if isinstance(number, float) else number
