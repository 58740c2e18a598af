"""The cases of a suite: those of its own list, of other files and of scenarios; and what all of them start from.

The list as it is written is the default; a dialect may make more of it.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as PlainMapping
from typing import Any, NamedTuple

from rubric_core.dialects.eval_files import SCENARIO_SETTINGS, SCENARIO_TESTS, SCENARIOS
from rubric_core.dialects.parts import Expansion
from rubric_core.files.case_files import CaseFile
from rubric_core.model.build_evaluators import Placed
from rubric_core.model.builder import Builder, Elsewhere, below, text_of
from rubric_core.model.outline import SuiteOutline, outlines
from rubric_core.model.render import EnvironmentRenderer, NodeRenderer
from rubric_core.schema.fields import FieldType, Record, Role
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, is_blank, kind_of
from rubric_core.text.spans import Span

_STRING = FieldType.STRING.value
_MERGED_KEYS = frozenset({"vars", "metadata", "options", "run"})

RowReader = Callable[[dict[str, str], int], dict[str, Any]]
"""Returns the case of a row of a CSV file, by its cells and its number from 1 on."""


class PlacedFailure(NamedTuple):
    """A part that could not be rendered or read: its place, and why in one sentence."""

    span: Span
    reason: str


class CaseItem(NamedTuple):
    """A case of a suite: its node and record, its id if that is not in the node, and its other file.

    `test_id` is the id of the test as it is written, before it became several cases.
    """

    item: Located
    record: Record
    case_id: str = ""
    elsewhere: Elsewhere | None = None
    test_id: str = ""
    # The input if it is not under a key of the case, and the failures of rendering.
    input: Located | None = None
    failures: tuple[PlacedFailure, ...] = ()
    # The suffix that distinguishes the copies of a test with one id.
    variant: str = ""
    # The evaluators that the test starts from, where they get its values.
    defaults: tuple[Placed, ...] = ()
    # What answers, where that is not a target by its name, and the data that a command gets besides the prompt: the
    # options of what answers, and those of the test.
    target: str | None = None
    call: tuple[dict[str, Any], PlainMapping[str, Any]] | None = None

    @property
    def id_node(self) -> Node | None:
        """Return the id as it is written, if it is."""
        return self.item.node.get("id") if isinstance(self.item.node, Mapping) else None

    @property
    def origin(self) -> tuple[str, int]:
        """Return the place of the test."""
        return ("" if self.elsewhere is None else self.elsewhere.file, self.item.span.start)


def failures_of(renderer: NodeRenderer, item: Located) -> list[PlacedFailure]:
    """Return the failures of a renderer for an item, with their places."""
    return [PlacedFailure(failure.node.span.shifted(item.base), failure.reason) for failure in renderer.failures]


def with_test_id(case: CaseItem) -> CaseItem:
    """Return a case with the id of its test as it is written."""
    return case._replace(test_id=text_of(case.id_node) or case.case_id)


def is_text(node: Node, version: YamlVersion) -> bool:
    """Return whether a node is a text and nothing else."""
    return isinstance(node, Scalar) and not is_blank(node) and kind_of(node, version) is ScalarKind.STRING


def listed_cases(builder: Builder, outline: SuiteOutline, case_of_row: RowReader) -> Iterator[CaseItem]:
    """Yield the cases of the list of a suite, and those of the files that it names."""
    dialect = builder.dialect
    field = dialect.suite.by_key.get(dialect.case_lists[0])
    takes_strings = field is not None and field.items_mask & _STRING
    raw = dialect.raw_case
    reference = outline.reference(dialect)
    for item in [reference] if reference is not None else outline.cases or ():
        if not takes_strings or not is_text(item.node, builder.version):
            # Without keys above them the cases are the lines of a file of their own.
            yield CaseItem(item, dialect.case if outline.values or outline.lists else raw)
            continue
        for file in files_of(builder, item):
            elsewhere = Elsewhere(item.span, file.name)
            for case in _cases_in(file, dialect.case_lists, case_of_row):
                named = file.case_id if isinstance(case.node, Mapping) and "id" not in case.node.index else ""
                yield CaseItem(case, raw, named, elsewhere)


def files_of(builder: Builder, item: Located) -> Iterator[CaseFile]:
    """Yield the files that a string refers to; report those that cannot be read."""
    reference = text_of(item.node) or ""
    files = builder.files.case_files(reference) if builder.files is not None else ()
    if not files:
        builder.leave_out(("cases",), item.span, f"No file of {reference} can be read.")
    for file in files:
        if file.text is None:
            builder.leave_out(("cases",), item.span, f"{file.name} cannot be read.")
        else:
            yield file


def _cases_in(file: CaseFile, list_names: Iterable[str], case_of_row: RowReader) -> list[Located]:
    """Return the cases of a file: a list of them, one mapping, lines of JSON, or rows."""
    text = file.text or ""
    if file.path.endswith(".csv"):
        text = json.dumps([case_of_row(row, number) for number, row in enumerate(rows_of_csv(text), start=1)])
    elif file.path.endswith(".jsonl"):
        return outlines(Document(text, json_lines=True))[0].cases or []
    root = parse(text).root
    if isinstance(root, Mapping) and not file.case_id:
        root = next((root.get(name) for name in list_names if name in root.index), root)
    return below(Located(root, 0), root) if isinstance(root, Sequence) else [Located(root, 0)] if root else []


def rows_of_csv(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file below its first one, which has the names of the columns."""
    rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"))) if row]
    names = [name.strip() for name in rows[0]] if rows else []
    return [dict(zip(names, row, strict=False)) for row in rows[1:]]


def cases_of_scenarios(builder: Builder, outline: SuiteOutline, case_of_row: RowReader) -> Iterator[CaseItem]:
    """Yield each test of each scenario, once for each of its settings."""
    field = builder.dialect.suite.by_key.get(SCENARIOS)
    listed = outline.items(SCENARIOS) if field is not None else None
    for number, (item, elsewhere) in enumerate(_scenarios(builder, listed or [], case_of_row), start=1):
        node = item.node
        if not isinstance(node, Mapping):
            builder.leave_out(("cases",), item.span, "A scenario is a mapping.")
            continue
        tests = [test for test in below(item, node.get(SCENARIO_TESTS)) if isinstance(test.node, Mapping)]
        configs = [config for config in below(item, node.get(SCENARIO_SETTINGS)) if isinstance(config.node, Mapping)]
        for config_number, config in enumerate(configs, start=1):
            for test_number, test in enumerate(tests, start=1):
                assert isinstance(config.node, Mapping)  # noqa: S101 - see above.
                assert isinstance(test.node, Mapping)  # noqa: S101 - see above.
                own = text_of(config.node.get("id"))
                made = f"{own}__scenario_test_{test_number}" if own and len(tests) > 1 else own
                case_id = text_of(test.node.get("id")) or made or f"scenario-{number}-{config_number}-{test_number}"
                variant = f"__config_{config_number}" if len(configs) > 1 else ""
                whole = test._replace(node=merged(config.node, test.node, builder.dialect.case))
                yield CaseItem(whole, builder.dialect.case, case_id, elsewhere, variant=variant)


def _scenarios(
    builder: Builder, listed: list[Located], case_of_row: RowReader
) -> Iterator[tuple[Located, Elsewhere | None]]:
    for item in listed:
        if not is_text(item.node, builder.version):
            yield item, None
            continue
        for file in files_of(builder, item):
            listed_there = _cases_in(file, (SCENARIOS,), case_of_row)
            yield from ((scenario, Elsewhere(item.span, file.name)) for scenario in listed_there)


def merged(config: Mapping, test: Mapping, record: Record) -> Mapping:
    """Return a test with what its setting adds."""
    lists = record.keys_of(Role.EVALUATORS)
    whole = Mapping(test.start, test.flow)
    whole.end = test.end
    for pair in test.pairs:
        other = config.get(pair.name) if pair.name is not None else None
        value = pair.value
        if pair.name in _MERGED_KEYS and isinstance(value, Mapping) and isinstance(other, Mapping):
            value = merged(other, value, record)
        elif pair.name in lists and isinstance(value, Sequence) and isinstance(other, Sequence):
            joined = Sequence(value.start, value.flow)
            joined.end = value.end
            joined.items = [*other.items, *value.items]
            value = joined
        whole.add(Pair(pair.key, value))
    for pair in config.pairs:
        if pair.name not in test.index:
            whole.add(pair)
    return whole


def default_case(builder: Builder, outline: SuiteOutline, key: str) -> CaseItem | None:
    """Return what every case of a suite starts from: what is under a key, or in the file that is named there.

    It is read once for each builder, which also notes once that the file cannot be read.
    """
    if key not in builder.defaults:
        builder.defaults[key] = _read_default(builder, outline, key)
    return builder.defaults[key]


def _read_default(builder: Builder, outline: SuiteOutline, key: str) -> CaseItem | None:
    field, item = builder.dialect.suite.by_key.get(key), outline.values.get(key)
    if field is None or field.record is None or item is None:
        return None
    record = builder.dialect.records[field.record]
    if isinstance(item.node, Mapping):
        return CaseItem(item, record)
    for file in files_of(builder, item):
        root = parse(file.text or "").root
        if isinstance(root, Mapping):
            return CaseItem(Located(root, 0), record, elsewhere=Elsewhere(item.span, file.name))
    return None


class AsListed(Expansion):
    """The list as it is written, of which nothing is rendered."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the cases of the list; the columns of a CSV file are keys."""
        return [with_test_id(case) for case in listed_cases(builder, outline, lambda row, _number: dict(row))]

    def shared_renderer(self, builder: Builder) -> NodeRenderer:  # noqa: ARG002 - others render with values.
        """Return what changes nothing."""
        return NodeRenderer()


class FromDefaultCase(AsListed):
    """Cases that start from what is under a top-level key, or in the file that is named there."""

    def __init__(self, default_key: str) -> None:
        self._default_key = default_key

    def default_case(self, builder: Builder, outline: SuiteOutline) -> CaseItem | None:
        """Return what every case starts from."""
        return default_case(builder, outline, self._default_key)

    def top_level(self, builder: Builder, outline: SuiteOutline, key: str) -> Located | None:
        """Return a top-level value, from the file that it names."""
        default = self.default_case(builder, outline) if key == self._default_key else None
        return outline.values.get(key) if default is None else default.item

    def shared_renderer(self, builder: Builder) -> NodeRenderer:
        """Return what renders only what is allowed of the environment."""
        return EnvironmentRenderer(builder.environment)


AS_LISTED = AsListed()
