"""From a document to its suites. Parts that no model can represent are listed in `left_out`; nothing raises."""

from collections.abc import Mapping as PlainMapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.parts import EVALUATOR_LISTS, EXPANSION
from rubric_core.dialects.registry import DIALECTS
from rubric_core.files.project import DiskProject
from rubric_core.model.build_evaluators import Placed, build_placed, distinct, list_in
from rubric_core.model.build_parts import build_criteria, build_messages, build_scorecard, scorecard_values
from rubric_core.model.builder import Builder, text_of, value_of
from rubric_core.model.evaluators import Evaluator, LlmJudge
from rubric_core.model.expand import CaseItem, failures_of
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.suite import EvalCase, Execution, ModelPath, Scorecard, Suite
from rubric_core.schema.fields import FieldType, Record, Role
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import as_number, is_null
from rubric_core.views.criteria import read_criteria
from rubric_core.views.texts import first_filled

SHARED_EVALUATORS: ModelPath = ("execution", "evaluators")
SHARED_THRESHOLD: ModelPath = ("execution", "threshold")
# Attributes from the field of the same name: as text, or as written.
_TEXTS = tuple(name for name, field in EvalCase.model_fields.items() if field.annotation == str | None)
_DATA = tuple(name for name, field in EvalCase.model_fields.items() if field.annotation is Any and not field.exclude)
_READ_ELSEWHERE = frozenset(("execution", "evaluator"))
_THRESHOLD = "threshold"


@lru_cache(maxsize=16)
def _other_fields(dialect: Dialect, record_name: str) -> tuple[str, ...]:
    """Return the fields of a case that have no attribute in the model."""
    own = {*EvalCase.model_fields, *_READ_ELSEWHERE}
    fields = dialect.records[record_name].fields
    return tuple(field.name for field in fields if field.role is None and field.name not in own)


@lru_cache(maxsize=16)
def _foreign_keys(dialect: Dialect, record_name: str) -> frozenset[str]:
    """Return the keys that judge a case in other dialects, but not in this one."""
    lists = (key for other in DIALECTS for key in other.case.keys_of(Role.EVALUATORS))
    return frozenset((*lists, "vars")) - dialect.records[record_name].by_key.keys()


def build_suite(  # noqa: PLR0913 - what the suite is made of, and what it may use.
    outline: SuiteOutline,
    path: str,
    dialect: Dialect,
    scorecards: PlainMapping[str, Any] | None = None,
    files: DiskProject | None = None,
    *,
    environment: PlainMapping[str, str | None] | None = None,
) -> Suite:
    """Build one suite. Its problems are not known here; `load` adds them.

    `scorecards` are those of the configuration, `files` reads those that the suite refers to, and `environment` has
    the variables that templates may use, None where one is not set.
    """
    builder = Builder(outline.version, dialect, scorecards or {}, files, environment or {})
    for problem in outline.broken:
        builder.leave_out(("cases",), problem.span, problem.message)
    execution = _build_execution(builder, outline)
    cases: list[EvalCase] = []
    for place, item in enumerate(EXPANSION.of(dialect).cases(builder, outline)):
        builder.elsewhere = item.elsewhere
        made = _CaseBuilder(builder, outline, execution, ("cases", len(cases)), item).build(place)
        cases += () if made is None else (made,)
    builder.elsewhere = None
    values = outline.values
    texts = {name: text_of(values[name].node) for name in ("name", "description", "dataset") if name in values}
    data = {name: builder.plain(values[name].node) for name in ("version", "metadata") if name in values}
    return Suite(
        path=path,
        dialect=dialect.name,
        execution=execution,
        cases=tuple(cases),
        left_out=tuple(builder.left_out),
        spans=builder.spans,
        names=builder.names,
        **texts,
        **data,
    )


def _build_execution(builder: Builder, outline: SuiteOutline) -> Execution:
    item = outline.values.get("execution")
    target = None
    if item is not None and isinstance(item.node, Mapping):
        builder.spans["execution",] = item.span
        target = text_of(item.node.get("target"))
    if target is None and "target" in outline.values:
        # The older place of the target.
        target = text_of(outline.values["target"].node)
    evaluators = _shared_evaluators(builder, outline)
    return Execution(target=target, evaluators=evaluators, threshold=_shared_threshold(builder, outline))


def _shared_threshold(builder: Builder, outline: SuiteOutline) -> Decimal | None:
    """Return the threshold of a suite for all cases, from the first of its places that has one."""
    for key in builder.dialect.table.thresholds.suite:
        item = EXPANSION.of(builder.dialect).top_level(builder, outline, key or _THRESHOLD)
        written = item.node.get(_THRESHOLD) if item is not None and isinstance(item.node, Mapping) else None
        node = item.node if item is not None and not key else written
        if node is not None and item is not None and not is_null(node):
            return _threshold(builder, SHARED_THRESHOLD, item._replace(node=node))
    return None


def _threshold(builder: Builder, path: ModelPath, item: Located) -> Decimal | None:
    """Return a threshold from 0 to 1; others are invalid."""
    number = as_number(item.node, builder.version)
    if number is not None and number.is_finite() and 0 <= number <= 1:
        return number
    builder.leave_out(path, item.span, "`threshold` must be a number from 0 to 1.")
    return None


def _shared_evaluators(builder: Builder, outline: SuiteOutline) -> tuple[Evaluator, ...]:
    """Build the evaluators of every case: those of the default case, then the suite's own or its `execution`'s."""
    suite, placed, strings = builder.dialect.suite, [], False
    default = EXPANSION.of(builder.dialect).judging_default(builder, outline)
    if default is not None:
        placed += [Placed(item, default.elsewhere) for item in list_in(default.item, default.record) or ()]
        strings = _takes_strings(default.record)
    own = next((items for key in suite.keys_of(Role.EVALUATORS) if (items := outline.items(key)) is not None), None)
    record: Record | None = suite
    if own is None and (record := _execution_record(builder.dialect, suite)) is not None:
        execution = outline.values.get("execution")
        own = list_in(execution, record) if execution is not None else None
    placed += [Placed(item) for item in own or ()]
    placed = [_rendered(builder, evaluator) for evaluator in placed]
    strings = strings or (record is not None and _takes_strings(record))
    return build_placed(builder, SHARED_EVALUATORS, placed, strings=strings)


def _rendered(builder: Builder, placed: Placed) -> Placed:
    """Return an evaluator of the suite, rendered without the values of a case."""
    renderer = EXPANSION.of(builder.dialect).shared_renderer(builder)
    made = placed._replace(item=placed.item._replace(node=renderer.render(placed.item.node)))
    for failure in failures_of(renderer, placed.item):
        builder.leave_out((*SHARED_EVALUATORS, "templates"), failure.span, failure.reason)
    return made


def _execution_record(dialect: Dialect, owner: Record) -> Record | None:
    field = owner.by_key.get("execution")
    return dialect.records[field.record] if field is not None and field.record is not None else None


def _takes_strings(record: Record) -> bool:
    """Return whether a string in the list of evaluators of a record is a criterion."""
    return any(field.items_mask & FieldType.STRING.value for field in record.by_role[Role.EVALUATORS])


@dataclass(frozen=True, slots=True)
class _CaseBuilder:
    """Builds one case with what the suite gives to it."""

    builder: Builder
    outline: SuiteOutline
    shared: Execution
    path: ModelPath
    case: CaseItem

    def build(self, place: int) -> EvalCase | None:
        node, record = self.case.item.node, self.case.record
        if not isinstance(node, Mapping):
            self.builder.leave_out(self.path, self.case.item.span, "A case is a mapping.")
            return None
        case_id = self.case.case_id or text_of(value_of(node, record, "id")) or f"case-{place + 1}"
        values: dict[str, Any] = {
            **{name: text_of(value_of(node, record, name)) for name in _TEXTS if name in record.by_key},
            **{name: self.builder.plain(node.get(name)) for name in _DATA},
            "id": case_id,
            "test_id": self.case.test_id or case_id,
            "expected_outcome": (self._text(node) or "").strip(),
            "input_messages": self._input(node),
            "expected_messages": self._messages(node, "expected_messages", Role.REFERENCE, "assistant"),
            "scorecard": self._scorecard(node),
            "target": self._target(node),
            "call": self.case.call,
            "threshold": self._threshold(node),
            "other_fields": {
                name: self.builder.plain(value)
                for name in _other_fields(self.builder.dialect, record.name)
                if (value := value_of(node, record, name)) is not None
            },
        }
        for failure in self.case.failures:
            self.builder.leave_out((*self.path, "templates"), failure.span, failure.reason)
        rubrics = read_criteria(node, record, self.builder.version, self.builder.dialect)
        values["criteria"] = (
            build_criteria(self.builder, (*self.path, "criteria"), rubrics, self.case.item.base) if rubrics else ()
        )
        inline = self._at(rubrics.node) if rubrics is not None and values["criteria"] else None
        self._leave_out_foreign(node)
        values["evaluators"] = self._evaluators(node, inline, values["criteria"])
        return self.builder.make(EvalCase, self.path, self.case.item.span, values)

    def _leave_out_foreign(self, node: Mapping) -> None:
        """Report keys that another dialect would judge by, because the case is incomplete without them."""
        foreign = _foreign_keys(self.builder.dialect, self.case.record.name)
        for key in filter(foreign.__contains__, node.index):
            span = node.index[key].span.shifted(self.case.item.base)
            self.builder.leave_out((*self.path, key), span, f"`{key}` belongs to another dialect, so nothing reads it.")

    def _at(self, node: Any) -> Located | None:
        """Return a node of this case with its place; null counts as absent."""
        return None if node is None or is_null(node) else self.case.item._replace(node=node)

    def _by_role(self, node: Mapping, role: Role) -> Located | None:
        """Return the value of the field with a role."""
        pair = first_filled(node, self.case.record.keys_of(role))
        return self._at(pair.value) if pair is not None else None

    def _text(self, node: Mapping) -> str | None:
        text = self._by_role(node, Role.TEXT)
        return text_of(text.node) if text is not None else None

    def _messages(self, node: Mapping, name: str, role: Role, speaker: str) -> Any:
        return build_messages(self.builder, (*self.path, name), self._by_role(node, role), speaker)

    def _input(self, node: Mapping) -> Any:
        if self.case.input is None:
            return self._messages(node, "input_messages", Role.INPUT, "user")
        return build_messages(self.builder, (*self.path, "input_messages"), self.case.input, "user")

    def _target(self, node: Mapping) -> str | None:
        if self.case.target is not None:
            return self.case.target
        execution = node.get("execution")
        own = text_of(execution.get("target")) if isinstance(execution, Mapping) else None
        return own or self.shared.target

    def _threshold(self, node: Mapping) -> Decimal | None:
        """Return the threshold of the case: its own, or that of the suite."""
        for key in self.builder.dialect.table.thresholds.case:
            owner = node.get(key) if key else node
            written = self._at(owner.get(_THRESHOLD)) if isinstance(owner, Mapping) else None
            if written is not None:
                return _threshold(self.builder, (*self.path, _THRESHOLD), written)
        self._inherit_left_out(SHARED_THRESHOLD, (*self.path, _THRESHOLD))
        return self.shared.threshold

    def _scorecard(self, node: Mapping) -> Scorecard | None:
        item = self._at(node.get("scorecard"))
        path = (*self.path, "scorecard")
        if item is None:
            case_id = text_of(value_of(node, self.case.record, "id")) or ""
            entries = self.builder.scorecards.values()
            fitting = (entry for entry in entries if any(fnmatchcase(case_id, glob) for glob in entry.get("cases", ())))
            return self._configured(next(fitting, None), path)
        if isinstance(item.node, Scalar):
            name = item.node.value.strip()
            named = self._named_scorecard(name)
            if named is None and name in self.builder.scorecards:
                return self._configured(self.builder.scorecards[name], path)
            if named is None:
                self.builder.leave_out(path, item.span, f"There is no scorecard named {name}.")
                return None
            item = named
        return build_scorecard(self.builder, path, item)

    def _configured(self, entry: PlainMapping[str, Any] | None, path: ModelPath) -> Scorecard | None:
        """Build a scorecard of the configuration; its place is that of the case."""
        if entry is None:
            return None
        return self.builder.make(Scorecard, path, self.case.item.span, scorecard_values(entry))

    def _named_scorecard(self, name: str) -> Located | None:
        shared = self.outline.values.get("scorecards")
        named = shared.node.get(name) if shared is not None and isinstance(shared.node, Mapping) else None
        return shared._replace(node=named) if shared is not None and named is not None else None

    def _evaluators(self, node: Mapping, inline: Located | None, criteria: Any) -> tuple[Evaluator, ...]:
        """Return the evaluators of the case: the one of its inline criteria, its list, and the suite's if it counts."""
        builder, path = self.builder, (*self.path, "evaluators")
        lists = EVALUATOR_LISTS.of(builder.dialect)
        evaluators: list[Evaluator] = []
        if inline is not None:
            first: ModelPath = (*path, 0)
            evaluators.append(LlmJudge(name=INLINE_NAME, type=builder.dialect.main_type, criteria=criteria))
            builder.spans[first] = builder.place(inline.span)
        listed, record = self._own_list(node)
        placed = [*self.case.defaults, *(Placed(item, builder.elsewhere) for item in listed or ())]
        if placed:
            evaluators += build_placed(builder, path, placed, len(evaluators), strings=_takes_strings(record))
        if lists.takes_suite(node, builder.version, listed):
            self._share(path, len(evaluators))
            evaluators += self.shared.evaluators
            if not evaluators and listed is None:
                text = self._by_role(node, Role.TEXT)
                evaluators += EXPANSION.of(builder.dialect).text_judges(builder, text, (*path, 0))
        return distinct(evaluators, lists)

    def _own_list(self, node: Mapping) -> tuple[list[Located] | None, Record]:
        """Return the list of evaluators that counts: the case's own or that of its `execution`."""
        dialect = self.builder.dialect
        own = self.case.item, self.case.record
        execution = self._at(node.get("execution")), _execution_record(dialect, self.case.record)
        for item, owner in EVALUATOR_LISTS.of(dialect).in_order(own, execution):
            listed = list_in(item, owner) if item is not None and owner is not None else None
            if listed is not None and owner is not None:
                return listed, owner
        return None, self.case.record

    def _share(self, path: ModelPath, first: int) -> None:
        """Record the places of the suite's evaluators in the case, and their missing parts."""
        builder = self.builder
        self._inherit_left_out(SHARED_EVALUATORS, path)
        for place in range(len(self.shared.evaluators)):
            here: ModelPath = (*path, first + place)
            shared: ModelPath = (*SHARED_EVALUATORS, place)
            builder.spans[here] = builder.spans[shared]

    def _inherit_left_out(self, shared: ModelPath, path: ModelPath) -> None:
        """Record the suite's evaluators that cannot be built as missing in this case."""
        left_out = self.builder.left_out
        left_out += [replace(lost, path=path) for lost in left_out if lost.path[:2] == shared]
