"""From what a suite lists to its cases: those of other files and scenarios, one for each prompt and value of a list."""

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from rubric_core.files.case_files import CaseFile
from rubric_core.model.builder import Builder, Elsewhere, below, plain, text_of
from rubric_core.model.csv_cases import csv_cases
from rubric_core.model.outline import SuiteOutline, outlines
from rubric_core.model.render import render, with_values
from rubric_core.schema.dialects import Dialect
from rubric_core.schema.fields import FieldType, Record, Role
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, is_blank, kind_of

_STRING = FieldType.STRING.value
_MERGED_KEYS = frozenset({"vars", "metadata", "options", "run"})
_NO_ID = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST_PROMPT_ID = 48
_LONGEST_HASH = 12


class CaseItem(NamedTuple):
    """A case that a suite has: its node and record, its id where something else gives it one, and its other file.

    `test_id` is the id of the test as it is written, before it became several cases.
    """

    item: Located
    record: Record
    case_id: str = ""
    elsewhere: Elsewhere | None = None
    test_id: str = ""


def expanded_cases(builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
    """Return the cases of a suite in the order in which they run."""
    items = [_with_test_id(each) for each in (*_listed(builder, outline), *_of_scenarios(builder, outline))]
    if not builder.dialect.multiplies_tests:
        return items
    prompts = _prompt_ids(outline, builder.version)
    defaults = default_test(builder, outline)
    shared = (
        defaults.item.node.get("vars") if defaults is not None and isinstance(defaults.item.node, Mapping) else None
    )
    return [copy for each in items for copy in _copies(builder, each, prompts, shared)]


def _with_test_id(case: CaseItem) -> CaseItem:
    written = text_of(case.item.node.get("id")) if isinstance(case.item.node, Mapping) else None
    return case._replace(test_id=written or case.case_id)


class DefaultTest(NamedTuple):
    """What every test starts from, and its other file."""

    item: Located
    record: Record
    elsewhere: Elsewhere | None = None


def default_test(builder: Builder, outline: SuiteOutline) -> DefaultTest | None:
    """Return what every test of a suite starts from."""
    field, item = builder.dialect.suite.by_key.get("default_test"), outline.values.get("default_test")
    if field is None or field.record is None or item is None:
        return None
    record = builder.dialect.records[field.record]
    if isinstance(item.node, Mapping):
        return DefaultTest(item, record)
    for file in _files(builder, item):
        root = parse(file.text or "").root
        if isinstance(root, Mapping):
            return DefaultTest(Located(root, 0), record, Elsewhere(item.span, file.name))
    return None


def _listed(builder: Builder, outline: SuiteOutline) -> Iterator[CaseItem]:
    dialect = builder.dialect
    field = dialect.suite.by_key.get(dialect.case_lists[0])
    takes_strings = field is not None and field.items_mask & _STRING
    raw = dialect.raw_case
    reference = outline.reference(dialect)
    for item in [reference] if reference is not None else outline.cases or ():
        if not takes_strings or not _is_text(item.node, builder.version):
            # Without keys above them the cases are the lines of a file of their own.
            yield CaseItem(item, dialect.case if outline.values or outline.lists else raw)
            continue
        for file in _files(builder, item):
            elsewhere = Elsewhere(item.span, file.name)
            for found in _cases_in(file, dialect.case_lists):
                named = file.case_id if isinstance(found.node, Mapping) and "id" not in found.node.index else ""
                yield CaseItem(found, raw, named, elsewhere)


def _is_text(node: Node, version: YamlVersion) -> bool:
    return isinstance(node, Scalar) and not is_blank(node) and kind_of(node, version) is ScalarKind.STRING


def _files(builder: Builder, item: Located) -> Iterator[CaseFile]:
    """Yield the files that a string refers to; what cannot be read is left out."""
    reference = text_of(item.node) or ""
    found = builder.files.case_files(reference) if builder.files is not None else ()
    if not found:
        builder.leave_out(("cases",), item.span, f"No file of {reference} can be read.")
    for file in found:
        if file.text is None:
            builder.leave_out(("cases",), item.span, f"{file.name} cannot be read.")
        else:
            yield file


def _cases_in(file: CaseFile, list_names: Iterable[str]) -> list[Located]:
    """Return the cases of a file: a list of them, one mapping, lines of JSON, or rows."""
    text = file.text or ""
    if file.path.endswith(".csv"):
        text = json.dumps(csv_cases(text))
    elif file.path.endswith(".jsonl"):
        return outlines(Document(text, json_lines=True))[0].cases or []
    root = parse(text).root
    if isinstance(root, Mapping) and not file.case_id:
        root = next((root.get(name) for name in list_names if name in root.index), root)
    return below(Located(root, 0), root) if isinstance(root, Sequence) else [Located(root, 0)] if root else []


def _of_scenarios(builder: Builder, outline: SuiteOutline) -> Iterator[CaseItem]:
    """Yield each test of each scenario, once for each of its settings."""
    field = builder.dialect.suite.by_key.get("scenarios")
    listed = outline.items("scenarios") if field is not None else None
    for number, (item, elsewhere) in enumerate(_scenarios(builder, listed or []), start=1):
        node = item.node
        if not isinstance(node, Mapping):
            builder.leave_out(("cases",), item.span, "A scenario is a mapping.")
            continue
        tests = [each for each in below(item, node.get("tests")) if isinstance(each.node, Mapping)]
        configs = [each for each in below(item, node.get("config")) if isinstance(each.node, Mapping)]
        for config_number, config in enumerate(configs, start=1):
            for test_number, test in enumerate(tests, start=1):
                assert isinstance(config.node, Mapping)  # noqa: S101 - see above.
                assert isinstance(test.node, Mapping)  # noqa: S101 - see above.
                merged = _merged(config.node, test.node, builder.dialect.case)
                own = text_of(config.node.get("id"))
                made = f"{own}__scenario_test_{test_number}" if own and len(tests) > 1 else own
                case_id = text_of(test.node.get("id")) or made or f"scenario-{number}-{config_number}-{test_number}"
                yield CaseItem(test._replace(node=merged), builder.dialect.case, case_id, elsewhere)


def _scenarios(builder: Builder, listed: list[Located]) -> Iterator[tuple[Located, Elsewhere | None]]:
    for item in listed:
        if not _is_text(item.node, builder.version):
            yield item, None
            continue
        for file in _files(builder, item):
            yield from ((found, Elsewhere(item.span, file.name)) for found in _cases_in(file, ("scenarios",)))


def _merged(config: Mapping, test: Mapping, record: Record) -> Mapping:
    """Return a test with what its setting adds."""
    lists = record.keys_of(Role.EVALUATORS)
    merged = Mapping(test.start, test.flow)
    merged.end = test.end
    for pair in test.pairs:
        other = config.get(pair.name) if pair.name is not None else None
        value = pair.value
        if pair.name in _MERGED_KEYS and isinstance(value, Mapping) and isinstance(other, Mapping):
            value = _merged(other, value, record)
        elif pair.name in lists and isinstance(value, Sequence) and isinstance(other, Sequence):
            joined = Sequence(value.start, value.flow)
            joined.end = value.end
            joined.items = [*other.items, *value.items]
            value = joined
        merged.add(Pair(pair.key, value))
    for pair in config.pairs:
        if pair.name not in test.index:
            merged.add(pair)
    return merged


def _copies(builder: Builder, case: CaseItem, prompts: list[str], shared: Node | None) -> Iterator[CaseItem]:
    """Yield a test once for each prompt, and for each combination of texts that lists in its `vars` have."""
    node = case.item.node
    if not isinstance(node, Mapping):
        yield case
        return
    values: dict[str, Node] = {}
    for each in (shared, node.get("vars")):
        values |= {name: pair.value for name, pair in each.index.items()} if isinstance(each, Mapping) else {}
    choices = [_choices(value, builder.version) for value in values.values()]
    if not all(choices):
        builder.leave_out(("cases",), case.item.span, "A list in vars is empty, so the test never runs.")
    case_id = case.case_id or text_of(node.get("id")) or ""
    for prompt in prompts or [""]:
        named = f"{case_id}__prompt_{prompt}" if len(prompts) > 1 and case_id else case.case_id
        for chosen in itertools.product(*choices):
            rendered = _rendered(node, dict(zip(values, chosen, strict=True)), builder.dialect)
            yield case._replace(item=case.item._replace(node=rendered), case_id=named)


def _choices(value: Node, version: YamlVersion) -> list[Node]:
    """Return the values that a variable has in the copies of a test: the texts of a list, each by itself."""
    is_list = isinstance(value, Sequence) and (not value.items or _is_text(value.items[0], version))
    return list(value.items) if isinstance(value, Sequence) and is_list else [value]


def _rendered(node: Mapping, values: dict[str, Node], dialect: Dialect) -> Mapping:
    """Return a test with its texts rendered."""
    if not values:
        return node
    keys = {"id", "description", *dialect.rendered_keys}
    found = [render(pair.value, values) if pair.name in keys else pair.value for pair in node.pairs]
    is_same = all(value is pair.value for value, pair in zip(found, node.pairs, strict=True))
    return node if is_same else with_values(node, found)


def _prompt_ids(outline: SuiteOutline, version: YamlVersion) -> list[str]:
    """Return what the prompts of a suite are called in the ids of tests."""
    value = outline.values.get("prompts")
    items = outline.items("prompts")
    if items is None:
        return [] if value is None else [_prompt_id(value.node, version)]
    if items and all(_is_message(item.node) for item in items):
        # The messages of one prompt.
        return [""]
    return [_prompt_id(item.node, version) for item in items]


def _is_message(node: Node) -> bool:
    return isinstance(node, Mapping) and "role" in node.index


def _prompt_id(node: Node, version: YamlVersion) -> str:
    text = text_of(node)
    if text is not None:
        found = text.removeprefix(FILE_URL) if text.startswith(FILE_URL) else f"prompt-{_hash(text)}"
    elif isinstance(node, Mapping):
        found = text_of(node.get("id")) or ""
        for key in ("function_file", "function", "file"):
            found = found or (text_of(node.get(key)) or "").removeprefix(FILE_URL)
        for key, kind in (("command", "function"), ("messages", "chat"), ("prompt", "string"), ("raw", "string")):
            value = node.get(key)
            if value is not None and not found:
                found = f"{'chat' if isinstance(value, Sequence) else kind}-{_hash(plain(value, version))}"
    else:
        found = f"chat-{_hash(plain(node, version))}"
    return _NO_ID.sub("-", found.strip()).strip("-")[:_LONGEST_PROMPT_ID]


def _hash(value: object) -> str:
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return sha256(written.encode()).hexdigest()[:_LONGEST_HASH]
