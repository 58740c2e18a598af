"""From what a suite lists to its cases: those of other files and scenarios, one for each prompt and value of a list."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as PlainMapping
from typing import Any, NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.files.case_files import CaseFile
from rubric_core.model.build_evaluators import Placed, list_in
from rubric_core.model.builder import Builder, Elsewhere, below, text_of
from rubric_core.model.case_input import case_input
from rubric_core.model.csv_cases import csv_cases
from rubric_core.model.outline import SuiteOutline, outlines
from rubric_core.model.prompts import PlacedFailure, SuitePrompt, suite_prompts
from rubric_core.model.providers import SuiteProvider, columns, command_providers, context_of, with_affixes
from rubric_core.model.references import with_references
from rubric_core.model.render import EnvironmentRenderer, NameReplacer, Renderer, text_node, with_values, without
from rubric_core.model.variables import choices_of, is_text, read_variables, variables_of
from rubric_core.schema.fields import FieldType, Record, Role
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.nodes import Mapping, Node, Pair, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.views.cases import skips_defaults
from rubric_core.views.test_names import safe_id, test_names

_STRING = FieldType.STRING.value
_MERGED_KEYS = frozenset({"vars", "metadata", "options", "run"})
# What a test has for itself, or is looked up where it is.
_NOT_SHARED = ("vars", "threshold", "description")


class CaseItem(NamedTuple):
    """A case that a suite has: its node and record, its id where something else gives it one, and its other file.

    `test_id` is the id of the test as it is written, before it became several cases.
    """

    item: Located
    record: Record
    case_id: str = ""
    elsewhere: Elsewhere | None = None
    test_id: str = ""
    # What is sent where that is not under a key of the case, and what could not be rendered.
    input: Located | None = None
    failures: tuple[PlacedFailure, ...] = ()
    # The suffix that distinguishes the copies of a test with one id.
    variant: str = ""
    # The evaluators that the test starts from, where they get its values.
    defaults: tuple[Placed, ...] = ()
    # The command that answers, and its arguments besides the prompt.
    provider: SuiteProvider | None = None
    prompt: SuitePrompt | None = None
    context: PlainMapping[str, Any] | None = None

    @property
    def origin(self) -> tuple[str, int]:
        """Return where the test is written."""
        return ("" if self.elsewhere is None else self.elsewhere.file, self.item.span.start)


def expanded_cases(builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
    """Return the cases of a suite in the order in which they run."""
    found = (*_listed(builder, outline), *_of_scenarios(builder, outline))
    items = [_with_environment(builder, outline, _with_test_id(each)) for each in found]
    if not builder.dialect.multiplies_tests:
        return [_with_names(builder, outline, each) for each in items]
    prompts, providers = suite_prompts(builder, outline), command_providers(builder, outline)
    defaults = default_test(builder, outline)
    renderer = EnvironmentRenderer(builder.environment)
    start = None
    if defaults is not None:
        node = renderer.render(_with_references(builder, outline, defaults.item.node))
        start = defaults._replace(item=defaults.item._replace(node=node))
    shared = _variables_of(start.item.node) if start is not None else None
    failures = tuple(_places(renderer, start.item)) if start is not None else ()
    items = [each._replace(failures=(*each.failures, *failures)) for each in items]
    if builder.dialect.names_by_description:
        items = list(_named(items))
    if builder.dialect.renders_defaults and start is not None:
        items = [_started(builder, each, start) for each in items]
    copies = [copy for each in items for copy in _copies(builder, each, prompts, providers, shared)]
    return [_with_files(builder, outline, copy) for copy in _distinct(copies)]


def _variables_of(node: Node) -> Mapping | None:
    found = node.get("vars") if isinstance(node, Mapping) else None
    return found if isinstance(found, Mapping) else None


def _with_environment(builder: Builder, outline: SuiteOutline, case: CaseItem) -> CaseItem:
    """Return a case with what is allowed of the environment, and with what its references name."""
    if not builder.dialect.multiplies_tests:
        return case
    renderer = EnvironmentRenderer(builder.environment)
    node = renderer.render(_with_references(builder, outline, case.item.node))
    return case._replace(item=case.item._replace(node=node), failures=tuple(_places(renderer, case.item)))


def _with_references(builder: Builder, outline: SuiteOutline, node: Node) -> Node:
    key = builder.dialect.reference_key
    return node if key is None else with_references(node, outline, key)


def _with_names(builder: Builder, outline: SuiteOutline, case: CaseItem) -> CaseItem:
    """Return a case with its names replaced and its whole input, in a dialect that has one test for each."""
    node = case.item.node
    if not builder.dialect.template_keys or not isinstance(node, Mapping):
        return case
    values = node.get("vars")
    variables = {name: pair.value for name, pair in values.index.items()} if isinstance(values, Mapping) else None
    replacer = NameReplacer(variables or {}, builder.version)
    made = case if variables is None else _rendered(case, replacer, builder.dialect)
    return _with_files(builder, outline, made, replacer if variables is not None else None)


def _with_files(
    builder: Builder, outline: SuiteOutline, case: CaseItem, replacer: NameReplacer | None = None
) -> CaseItem:
    """Return a case with its input: that of the suite first, its own behind its files."""
    node = case.item.node
    if not isinstance(node, Mapping):
        return case
    shared = {} if skips_defaults(node, builder.version) else outline.values
    made = case_input(case.item, case.record, case.input, shared, replacer)
    failed = () if made.reason is None else (PlacedFailure(case.item.span, made.reason),)
    return case._replace(input=made.item, failures=(*case.failures, *failed))


def _with_test_id(case: CaseItem) -> CaseItem:
    written = text_of(case.item.node.get("id")) if isinstance(case.item.node, Mapping) else None
    return case._replace(test_id=written or case.case_id)


def _named(cases: list[CaseItem]) -> Iterator[CaseItem]:
    """Yield tests that have no ids with their names."""
    nodes = [case.item.node for case in cases]
    described = [text_of(node.get("description")) if isinstance(node, Mapping) else None for node in nodes]
    names = test_names(zip([case.case_id for case in cases], described, strict=True))
    return (case._replace(case_id=name, test_id=name) for case, name in zip(cases, names, strict=True))


def _started(builder: Builder, case: CaseItem, start: "DefaultTest") -> CaseItem:
    """Return a test with what it starts from: assertions, which keep their places, and settings."""
    node, default = case.item.node, start.item.node
    if not isinstance(node, Mapping) or not isinstance(default, Mapping):
        return case
    skips = skips_defaults(node, builder.version)
    found = [] if skips else list_in(start.item, start.record) or []
    lists = start.record.keys_of(Role.EVALUATORS)
    merged = _merged(without(default, (*lists, *_NOT_SHARED)), node, case.record)
    placed = tuple(Placed(item, start.elsewhere) for item in found)
    return case._replace(item=case.item._replace(node=merged), defaults=placed)


class DefaultTest(NamedTuple):
    """What every test starts from, and its other file."""

    item: Located
    record: Record
    elsewhere: Elsewhere | None = None


def default_test(builder: Builder, outline: SuiteOutline) -> DefaultTest | None:
    """Return what every test of a suite starts from."""
    key = builder.dialect.default_test_key
    field, item = builder.dialect.suite.by_key.get(key), outline.values.get(key)
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
        if not takes_strings or not is_text(item.node, builder.version):
            # Without keys above them the cases are the lines of a file of their own.
            yield CaseItem(item, dialect.case if outline.values or outline.lists else raw)
            continue
        for file in _files(builder, item):
            elsewhere = Elsewhere(item.span, file.name)
            for found in _cases_in(file, dialect, dialect.case_lists):
                named = file.case_id if isinstance(found.node, Mapping) and "id" not in found.node.index else ""
                yield CaseItem(found, raw, named, elsewhere)


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


def _cases_in(file: CaseFile, dialect: Dialect, list_names: Iterable[str]) -> list[Located]:
    """Return the cases of a file: a list of them, one mapping, lines of JSON, or rows."""
    text = file.text or ""
    if file.path.endswith(".csv"):
        text = json.dumps(csv_cases(text, dialect))
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
                variant = f"__config_{config_number}" if len(configs) > 1 else ""
                whole = test._replace(node=merged)
                yield CaseItem(whole, builder.dialect.case, case_id, elsewhere, variant=variant)


def _scenarios(builder: Builder, listed: list[Located]) -> Iterator[tuple[Located, Elsewhere | None]]:
    for item in listed:
        if not is_text(item.node, builder.version):
            yield item, None
            continue
        for file in _files(builder, item):
            listed_there = _cases_in(file, builder.dialect, ("scenarios",))
            yield from ((found, Elsewhere(item.span, file.name)) for found in listed_there)


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


def _copies(
    builder: Builder,
    case: CaseItem,
    prompts: list[SuitePrompt],
    providers: list[SuiteProvider],
    shared: Mapping | None,
) -> Iterator[CaseItem]:
    """Yield a test once for each prompt and provider, and each combination of texts that lists in its `vars` have.

    As in AgentV, prompts are rendered with whole lists before, and once more with the texts of the copy.
    """
    node = case.item.node
    if not isinstance(node, Mapping):
        yield case
        return
    node, values = variables_of(node, shared, has_prompts=bool(prompts))
    if builder.dialect.renders_defaults:
        values, failures = read_variables(builder, case.item, values)
        case = case._replace(failures=(*case.failures, *failures))
    choices = choices_of(node, values, builder.version)
    if not all(choices):
        builder.leave_out(("cases",), case.item.span, "A list in vars is empty, so the test never runs.")
    for made in _in_columns(builder, case._replace(item=case.item._replace(node=node)), prompts, providers):
        if values is None:
            yield made
            continue
        if not builder.dialect.renders_defaults:
            made = _with_input(made, Renderer(values, builder.version))  # noqa: PLW2901 - the same copy.
        varied = [name for name, each in zip(values, choices, strict=True) if len(each) > 1]
        for combination in itertools.product(*choices):
            chosen = dict(zip(values, combination, strict=True))
            only_texts = builder.dialect.renders_defaults
            if only_texts:
                whole = Renderer(chosen, builder.version, only_texts=True)
                chosen = {name: whole.render(value) for name, value in chosen.items()}
            names = "".join(f"__{name}_{safe_id(text_of(chosen[name]) or '')}" for name in varied)
            copy = made._replace(variant=made.variant + names, context=_context(builder, made, chosen))
            yield _rendered(copy, Renderer(chosen, builder.version, only_texts=only_texts), builder.dialect)


def _in_columns(
    builder: Builder, case: CaseItem, prompts: list[SuitePrompt], providers: list[SuiteProvider]
) -> Iterator[CaseItem]:
    """Yield a test once for each prompt and provider that it runs with."""
    node = case.item.node
    assert isinstance(node, Mapping)  # noqa: S101 - see above.
    case_id = case.case_id or text_of(node.get("id")) or ""
    chosen = node if builder.dialect.runs_providers else without(node, ("prompts", "providers"))
    found = list(columns(chosen, prompts, providers))
    if not found:
        builder.leave_out(
            ("cases",), case.item.span, "Its `prompts` and `providers` name none, so the test never runs."
        )
    for prompt, provider, suffix in found:
        named = f"{case_id}{suffix}" if suffix and case_id else case.case_id
        sent = with_affixes(prompt, node)
        made = case._replace(case_id=named, input=sent.item, failures=(*case.failures, *sent.failures))
        yield made._replace(prompt=sent, provider=provider)


def _context(builder: Builder, case: CaseItem, values: PlainMapping[str, Node]) -> PlainMapping[str, Any] | None:
    """Return the data of a test for the command that answers, and for the prompt of a judge."""
    if case.prompt is None or not builder.dialect.runs_providers:
        return None
    return context_of(case.item.node, values, case.prompt, builder.version)


def _distinct(cases: list[CaseItem]) -> Iterator[CaseItem]:
    """Yield the cases with ids that differ between the copies of one test; AgentV gives several of them the same."""
    keys = [(each.origin, each.case_id or text_of(_id_of(each)) or "") for each in cases]
    count = Counter(keys)
    taken: set[tuple[object, str]] = set()
    for case, key in zip(cases, keys, strict=True):
        origin, name = key
        longer = f"{name}{case.variant}" if name and count[key] > 1 else name
        made = longer
        number = 1
        while made and (origin, made) in taken and count[key] > 1:
            number += 1
            made = f"{longer}-{number}"
        taken.add((origin, made))
        yield case if made == name else case._replace(case_id=made)


def _id_of(case: CaseItem) -> Node | None:
    return case.item.node.get("id") if isinstance(case.item.node, Mapping) else None


def _with_input(case: CaseItem, renderer: Renderer | NameReplacer) -> CaseItem:
    """Return a test with its input rendered."""
    if case.input is None:
        return case
    found = case.input._replace(node=renderer.render(case.input.node))
    return case._replace(input=found, failures=(*case.failures, *_places(renderer, case.input)))


def _rendered(case: CaseItem, renderer: Renderer | NameReplacer, dialect: Dialect) -> CaseItem:
    """Return a test with its texts rendered; what fails stays as it is written and is noted."""
    node = case.item.node
    assert isinstance(node, Mapping)  # noqa: S101 - only tests have variables.
    case = _with_input(case, renderer)
    renderer.failures.clear()
    found = [renderer.render(pair.value) if pair.name in dialect.template_keys else pair.value for pair in node.pairs]
    is_same = all(value is pair.value for value, pair in zip(found, node.pairs, strict=True))
    made = case._replace(item=case.item._replace(node=node if is_same else with_values(node, found)))
    if "{" in case.case_id:
        shown = renderer.render(text_node(node, case.case_id)) if "id" in dialect.template_keys else None
        made = made._replace(case_id=text_of(shown) or case.case_id)
    failures = [*case.failures, *_places(renderer, case.item)]
    defaults: list[Placed] = []
    for each in case.defaults:
        renderer.failures.clear()
        defaults.append(each._replace(item=each.item._replace(node=renderer.render(each.item.node))))
        failures += _places(renderer, each.item)
    return made._replace(failures=tuple(failures), defaults=tuple(defaults))


def _places(renderer: Renderer | NameReplacer | EnvironmentRenderer, item: Located) -> list[PlacedFailure]:
    return [PlacedFailure(each.node.span.shifted(item.base), each.reason) for each in renderer.failures]
