"""From nodes to evaluators: the lists of cases and suites, the files that they include, and the members of sets."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple, cast

from rubric_core.dialects.parts import EVALUATOR_LISTS, PATHS, EvaluatorLists
from rubric_core.model.build_parts import build_criteria, build_each
from rubric_core.model.builder import Builder, Elsewhere, below, plain_mapping, text_of
from rubric_core.model.criteria import Criterion
from rubric_core.model.evaluators import (
    CodeJudge,
    CompositeEvaluator,
    Evaluator,
    LlmJudge,
    OtherEvaluator,
    model_of,
)
from rubric_core.model.suite import ModelPath
from rubric_core.schema.fields import FieldType, Record, Role
from rubric_core.schema.scales import COMMAND_KEYS, INLINE_NAME
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import as_boolean, is_blank, is_null
from rubric_core.views.criteria import CriterionView
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.texts import first_filled

_DEEPEST_INCLUDE = 3
_BASE_KEYS = frozenset({"type", "weight"})
_PROVIDER_KEYS = ("target", "provider")


class Placed(NamedTuple):
    """An item of a list of evaluators, and where it is written, if that is another file."""

    item: Located
    elsewhere: Elsewhere | None = None


def list_in(owner: Located, record: Record) -> list[Located] | None:
    """Return the items of the list of evaluators of a mapping, by the keys that its record has for one."""
    if not isinstance(owner.node, Mapping):
        return None
    for key in record.keys_of(Role.EVALUATORS):
        node = owner.node.get(key)
        if node is not None and not is_null(node):
            return below(owner, node)
    return None


def build_placed(
    builder: Builder, path: ModelPath, items: list[Placed], first: int = 0, *, strings: bool = False
) -> tuple[Evaluator, ...]:
    """Build the evaluators of one list, which follow `first` others in the model.

    The items may be in several files. If `strings` are criteria, all strings of the list are one evaluator.
    """
    built: list[Evaluator] = []
    placed = list(_expanded(builder, items, path))
    texts = [evaluator for evaluator in placed if strings and isinstance(evaluator.item.node, Scalar)]
    texts = [evaluator for evaluator in texts if not is_blank(evaluator.item.node)]
    before = builder.elsewhere
    for evaluator in placed:
        at: ModelPath = (*path, first + len(built))
        made: Evaluator | None
        builder.elsewhere = evaluator.elsewhere
        if strings and isinstance(evaluator.item.node, Scalar):
            made = build_strings(builder, at, texts) if evaluator in texts[:1] else None
        else:
            made = _build_evaluator(builder, at, evaluator.item, is_member=path.count("evaluators") > 1)
        if made is not None:
            built.append(made)
    builder.elsewhere = before
    return tuple(built)


def distinct(
    evaluators: Iterable[Evaluator], lists: EvaluatorLists, names: set[str] | None = None
) -> tuple[Evaluator, ...]:
    """Return evaluators with the names that results have; each member of a set is counted behind its set."""
    taken = set() if names is None else names
    renamed: list[Evaluator] = []
    for evaluator in evaluators:
        name = lists.name(evaluator.name, evaluator.type, taken)
        changed: dict[str, Any] = {} if name == evaluator.name else {"name": name}
        if isinstance(evaluator, CompositeEvaluator):
            changed["evaluators"] = distinct(evaluator.evaluators, lists, taken)
        renamed.append(evaluator.model_copy(update=changed) if changed else evaluator)
    return tuple(renamed)


def _expanded(builder: Builder, placed: list[Placed], path: ModelPath, depth: int = 0) -> Iterator[Placed]:
    """Yield the items of a list, those of the files that it includes in their places."""
    for evaluator in placed:
        node = evaluator.item.node
        include = node.get("include") if isinstance(node, Mapping) and len(node.index) == 1 else None
        if not isinstance(include, Scalar) or "include" not in builder.dialect.records["evaluator"].by_key:
            yield evaluator
            continue
        included = _template(builder, include.value.strip()) if depth < _DEEPEST_INCLUDE else None
        if included is None:
            builder.leave_out(path, evaluator.item.span, f"The assertions of {include.value} cannot be read.")
            continue
        elsewhere = evaluator.elsewhere or Elsewhere(evaluator.item.span, include.value)
        yield from _expanded(builder, [Placed(item, elsewhere) for item in included], path, depth + 1)


def _template(builder: Builder, name: str) -> list[Located] | None:
    """Return the assertions of a file that a list includes, by its path or by its name among the templates."""
    is_path = name.startswith(".") or "/" in name or "\\" in name
    folder = PATHS.of(builder.dialect).template_folder
    paths = (name,) if is_path else tuple(f"{folder}/{name}.{suffix}" for suffix in ("yaml", "yml"))
    texts = builder.files.texts(frozenset(paths)) if builder.files is not None else {}
    text = next((texts[path] for path in paths if path in texts), None)
    root = parse(text).root if text is not None else None
    return list_in(Located(root, 0), builder.dialect.suite) if isinstance(root, Mapping) else None


def build_strings(builder: Builder, path: ModelPath, texts: list[Placed]) -> LlmJudge | None:
    """Build one evaluator of the strings of a list; its weight is their number."""
    dialect = builder.dialect
    criteria: list[Criterion] = []
    for number, (item, elsewhere) in enumerate(texts, start=1):
        builder.elsewhere = elsewhere
        view = CriterionView(item.node, number, builder.version, dialect)
        criteria += build_each(builder, (*path, "criteria"), [view], item.base, first=len(criteria))
    builder.elsewhere = texts[0].elsewhere
    if not criteria:
        return None
    weight = Decimal(len(texts))
    values = {"name": INLINE_NAME, "type": dialect.main_type, "weight": weight, "criteria": tuple(criteria)}
    return builder.make(LlmJudge, path, texts[0].item.span, values)


def _build_evaluator(builder: Builder, path: ModelPath, item: Located, *, is_member: bool = False) -> Evaluator | None:
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "An evaluator is a mapping with name and type.")
        return None
    view = EvaluatorView(node, builder.version, builder.dialect)
    written = text_of(node.get("type")) or ""
    reason = _reason_against(view, written, is_member=is_member)
    if reason is not None:
        builder.leave_out(path, item.span, reason)
        return None
    record = builder.dialect.evaluator(written)
    kind = view.kind or written
    values: dict[str, Any] = {"name": text_of(view.name), "type": kind}
    if view.name is None and not record.by_key[record.name_key].required:
        values["name"] = kind
    weight = node.get("weight")
    if weight is not None and not is_null(weight):
        values["weight"] = builder.number(weight)
    if "min_score" in record.by_key:
        values |= _gate_values(builder, node)
    negate = node.get("negate") if "negate" in record.by_key else None
    if negate is not None and as_boolean(negate, builder.version):
        values["negate"] = True
    if "transform" in record.by_key:
        values["transform"] = builder.plain(node.get("transform"))
    model = model_of(record)
    values |= _VALUES[model](builder, path, item, view)
    if model is CompositeEvaluator:
        reason = EVALUATOR_LISTS.of(builder.dialect).reason_against_members(values.get("evaluators"))
        if reason is not None:
            builder.leave_out(path, item.span, reason)
            return None
    return cast("Evaluator | None", builder.make(model, path, item.span, values))


def _reason_against(view: EvaluatorView, written: str, *, is_member: bool) -> str | None:
    """Return why an evaluator cannot be built from its type and its keys."""
    dialect = view.dialect
    if not written:
        return "The type is missing."
    if view.kind is None and (written in dialect.removed_types or not dialect.table.types.own_folder):
        return f"There is no evaluator type {written}."
    if is_member and view.name is None and view.record.name_key in dialect.table.member_keys:
        return f"A member without a {view.record.name_key} is dropped."
    if view.is_dropped:
        return "It does not define what to judge."
    return None


def _gate_values(builder: Builder, node: Mapping) -> dict[str, Any]:
    """Return the gate of an evaluator; a number under `required` is its `min_score` too."""
    values: dict[str, Any] = {}
    required = node.get("required")
    if required is not None:
        share = builder.share(required)
        values = {"required": True, "min_score": share} if share is not None else {}
        if as_boolean(required, builder.version):
            values = {"required": True}
    written = node.get("min_score")
    share = builder.share(written) if written is not None else None
    return values if share is None else {**values, "min_score": share}


def _judge_values(builder: Builder, path: ModelPath, item: Located, view: EvaluatorView) -> dict[str, Any]:
    node = view.node
    judge = text_of(node.get("target")) or text_of(node.get("provider"))
    values: dict[str, Any] = {"model": text_of(node.get("model")), "target": judge}
    rubric_keys = builder.dialect.table.rubric_keys
    if rubric_keys:
        # The text is judged as a whole. The other fields are kept for other tools that run it.
        own = {key: builder.plain(node.get(key)) for key in rubric_keys}
        text = text_of(node.get("value"))
        return {**values, "prompt": text, "config": {key: value for key, value in own.items() if value is not None}}
    if view.criteria is not None:
        values["criteria"] = build_criteria(builder, (*path, "criteria"), view.criteria, item.base)
    prompt = node.get("prompt")
    if isinstance(prompt, Mapping):
        script = _command(builder, prompt, builder.dialect.records["prompt-script"])
        values["prompt"] = {**({} if script is None else {"script": script}), **_config(builder, prompt)}
    else:
        values["prompt"] = text_of(prompt)
    values |= _config(builder, node)
    free = [] if view.criteria is not None else view.record.by_role[Role.CRITERIA]
    if free and free[0].mask & FieldType.STRING.value:
        # Anything but a criterion is text for the judge: its whole prompt, or a value for an existing prompt.
        text = text_of(node.get(free[0].name))
        if values["prompt"] is None:
            values["prompt"] = text
        elif text is not None and isinstance(values["prompt"], str):
            values["config"] = {INLINE_NAME: text, **values.get("config", {})}
    return values


def _code_values(builder: Builder, _path: ModelPath, _item: Located, view: EvaluatorView) -> dict[str, Any]:
    node, record = view.node, view.record
    provider = first_filled(node, tuple(key for key in _PROVIDER_KEYS if key in record.by_key))
    # The values for the command are under `config`, if the dialect has it, and under all unknown keys.
    free = plain_mapping(node, builder.version, frozenset(record.by_key))
    return {
        "script": _command(builder, node, record),
        "cwd": text_of(node.get("cwd")),
        "target": builder.plain(provider.value) if provider is not None else None,
        "config": {**_config(builder, node).get("config", {}), **free},
    }


def _composite_values(builder: Builder, path: ModelPath, item: Located, view: EvaluatorView) -> dict[str, Any]:
    members = view.record.by_role[Role.EVALUATORS]
    keys = frozenset(key for field in members for key in field.keys)
    own = _BASE_KEYS | {view.record.name_key} | keys
    values: dict[str, Any] = {"config": plain_mapping(view.node, builder.version, own)}
    listed = first_filled(view.node, members[0].keys)
    if listed is not None:
        strings = bool(members[0].items_mask & FieldType.STRING.value)
        items = [Placed(member, builder.elsewhere) for member in below(item, listed.value)]
        values["evaluators"] = build_placed(builder, (*path, "evaluators"), items, strings=strings)
    return values


def _other_values(builder: Builder, _path: ModelPath, _item: Located, view: EvaluatorView) -> dict[str, Any]:
    return {"config": plain_mapping(view.node, builder.version, _BASE_KEYS | {view.record.name_key})}


def _command(builder: Builder, owner: Mapping, record: Record) -> Any:
    """Return a command as text, or as a tuple of its words; numbers among the words are words too."""
    pair = first_filled(owner, tuple(key for key in record.by_key if key in COMMAND_KEYS))
    node = pair.value if pair is not None else None
    if node is None or isinstance(node, Scalar):
        return text_of(node)
    value = builder.plain(node)
    return tuple(str(word) for word in value) if isinstance(value, list) else value


def _config(builder: Builder, node: Mapping) -> dict[str, Any]:
    config = builder.plain(node.get("config"))
    return {} if config is None else {"config": config}


_VALUES: dict[type[Any], Callable[[Builder, ModelPath, Located, EvaluatorView], dict[str, Any]]] = {
    LlmJudge: _judge_values,
    CodeJudge: _code_values,
    CompositeEvaluator: _composite_values,
    OtherEvaluator: _other_values,
}
