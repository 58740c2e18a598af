"""The cases of a configuration of promptfoo: one for each prompt, provider and value of a list."""

from collections.abc import Iterator
from collections.abc import Mapping as PlainMapping
from functools import partial
from typing import Any, NamedTuple

from rubric_core.dialects.promptfoo.references import read_variables, with_references
from rubric_core.dialects.promptfoo.rows import row_as_test
from rubric_core.model.build_evaluators import Placed, list_in
from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.copies import (
    choices_of,
    combinations,
    distinct_cases,
    rendered,
    variables_of,
    variant_of,
    with_environment,
    with_prompt,
)
from rubric_core.model.expand import (
    CaseItem,
    FromDefaultCase,
    cases_of_scenarios,
    failures_of,
    listed_cases,
    merged,
    with_test_id,
)
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.prompts import (
    NO_PROMPT,
    PromptKeys,
    SuitePrompt,
    messages_of_prompt,
    suite_prompts,
    with_affixes,
)
from rubric_core.model.render import EnvironmentRenderer, Renderer, without
from rubric_core.schema.fields import Role
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.cases import skips_defaults
from rubric_core.views.judging_parts import MergedLists, numbered_name
from rubric_core.views.test_names import safe_id, test_names

_RENDERED_KEYS = ("assert",)
# Keys of a test that are not inherited, or are looked up elsewhere.
_NOT_SHARED = ("vars", "threshold", "description")
EXEC = "exec:"
"""What is before the command in the id of a provider."""
_PROVIDER_LISTS = ("providers", "targets")
_PROVIDER_KEYS = ("id", "config", "env")
"""The keys of a provider that its command gets."""
_TEST_KEYS = ("description", "metadata")
"""The keys of a test that it gets."""


# Commands that answer, and the prompts that each runs with


class SuiteProvider(NamedTuple):
    """A provider that is a command: its id, which has the command, its label, and the options that the command gets.

    `prompts` are the labels of the prompts that it runs with, None where it runs with all.
    """

    id: str
    label: str = ""
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed.
    prompts: list[str] | None = None

    @property
    def name(self) -> str:
        """Return what it is called in the ids of tests."""
        return safe_id(self.label or self.id.removeprefix(EXEC))


def command_providers(builder: Builder, outline: SuiteOutline) -> list[SuiteProvider]:
    """Return the providers of a suite that are commands; all others are not run."""
    name = next((key for key in _PROVIDER_LISTS if key in outline.values or key in outline.lists), _PROVIDER_LISTS[0])
    value, items = outline.values.get(name), outline.items(name)
    nodes = [item.node for item in items or ([value] if value is not None else [])]
    renderer = EnvironmentRenderer(builder.environment)
    providers = (_provider(builder, renderer.render(node)) for node in nodes)
    return [provider for provider in providers if provider is not None and provider.id.startswith(EXEC)]


def _provider(builder: Builder, node: Node) -> SuiteProvider | None:
    text = text_of(node)
    if text is not None:
        return SuiteProvider(text)
    if not isinstance(node, Mapping):
        return None
    name = text_of(node.get("id"))
    settings: Node = node
    if name is None and len(node.pairs) == 1:
        # The id may be the key of its settings.
        name, settings = node.pairs[0].name, node.pairs[0].value
    if name is None:
        return None
    own = settings if isinstance(settings, Mapping) else None
    options = {
        key: plain(value, builder.version) for key in _PROVIDER_KEYS if own and (value := own.get(key)) is not None
    }
    options = {"id": name, **options}
    label = text_of(own.get("label")) if own else None
    # promptfoo looks for the prompts of a provider under its label, and for those of a key under the key.
    reads_prompts = own is not None and (own is node or not label)
    return SuiteProvider(name, label or "", options, names_in(own.get("prompts")) if own and reads_prompts else None)


def names_in(node: Node | None) -> list[str] | None:
    """Return the names of a list; None where there is no list."""
    return [text_of(item) or "" for item in node.items] if isinstance(node, Sequence) else None


class OutputColumn(NamedTuple):
    """A prompt and a provider that a test runs with, and their suffixes for the ids of cases."""

    prompt: SuitePrompt
    provider: SuiteProvider | None
    suffix: str


def columns(test: Mapping, prompts: list[SuitePrompt], providers: list[SuiteProvider]) -> Iterator[OutputColumn]:
    """Yield the prompts of a test, each with each of the providers, that neither the test nor a provider leaves out."""
    prompt_names, provider_names = names_in(test.get("prompts")), names_in(test.get("providers"))
    run_with: list[SuiteProvider | None] = [*providers] or [None]
    for provider in run_with:
        if provider is not None and not _is_named((provider.label, provider.id), provider_names):
            continue
        for prompt in prompts or [NO_PROMPT]:
            is_named = _is_named(prompt.labels, prompt_names)
            if not is_named or (provider is not None and not _is_named(prompt.labels, provider.prompts)):
                continue
            suffix = f"__prompt_{prompt.name}" if len(prompts) > 1 else ""
            suffix += f"__provider_{provider.name}" if provider is not None and len(providers) > 1 else ""
            yield OutputColumn(prompt, provider, suffix)


def _is_named(labels: tuple[str, ...], names: list[str] | None) -> bool:
    """Return whether one of some names is the label of something, begins it before a colon, or ends with `*`."""
    return names is None or any(
        label == name or label.startswith(f"{name}:") or (name.endswith("*") and label.startswith(name[:-1]))
        for name in names
        for label in labels
        if label
    )


def context_of(
    test: Node, values: PlainMapping[str, Node], prompt: SuitePrompt, version: YamlVersion
) -> dict[str, Any]:
    """Return the data of a test for a command that answers: its variables, and the prompt before it is rendered."""
    variables = {name: plain(value, version) for name, value in values.items()}
    raw = (text_of(prompt.item.node) if prompt.item is not None else None) or ""
    test_data = {
        key: plain(value, version)
        for key in _TEST_KEYS
        if isinstance(test, Mapping) and (value := test.get(key)) is not None
    }
    return {
        "vars": variables,
        "prompt": {"raw": raw, "label": (*prompt.labels, raw)[0]},
        "test": {**test_data, "vars": variables},
    }


# Tests


def _file_of_prompt(node: Mapping) -> str | None:
    """Return the file of a prompt; in a prompt without a text, the id can be a file."""
    named = text_of(node.get("id")) or ""
    return text_of(node.get("file")) or (named if "raw" not in node.index and named.startswith(FILE_URL) else None)


_PROMPT_KEYS = PromptKeys(("label", "id"), _file_of_prompt)


class TextRenderer(Renderer):
    """Renders texts; the name of a list or a mapping alone becomes its text."""

    def replaces(self, value: Node) -> bool:
        """Return whether a text that is one name becomes the value itself."""
        return isinstance(value, Scalar)


class Multiplied(FromDefaultCase):
    """Tests once for each prompt, each command that answers, and each combination of values of lists in `vars`."""

    def cases(self, builder: Builder, outline: SuiteOutline) -> list[CaseItem]:
        """Return the tests of the list, then those of scenarios."""
        case_of_row = partial(_case_of_row, builder)
        listed = (
            *listed_cases(builder, outline, case_of_row),
            *cases_of_scenarios(builder, outline, case_of_row),
        )
        items = [with_environment(builder, _with_references(outline, with_test_id(case))) for case in listed]
        prompts, providers = suite_prompts(builder, outline, _PROMPT_KEYS), command_providers(builder, outline)
        default = self.default_case(builder, outline)
        items = list(_named(items))
        shared = None
        if default is not None:
            renderer = EnvironmentRenderer(builder.environment)
            node = renderer.render(with_references(default.item.node, outline))
            default = default._replace(item=default.item._replace(node=node))
            failures = failures_of(renderer, default.item)
            items = [
                _defaulted(builder, case._replace(failures=(*case.failures, *failures)), default) for case in items
            ]
            values = node.get("vars") if isinstance(node, Mapping) else None
            shared = values if isinstance(values, Mapping) else None
        copies = [copy for case in items for copy in _copies(builder, case, prompts, providers, shared)]
        return [_with_messages(copy) for copy in distinct_cases(copies)]


def _case_of_row(builder: Builder, row: dict[str, str], _number: int) -> dict[str, object]:
    return row_as_test(row, builder.dialect.types)


def _with_references(outline: SuiteOutline, case: CaseItem) -> CaseItem:
    return case._replace(item=case.item._replace(node=with_references(case.item.node, outline)))


def _named(cases: list[CaseItem]) -> Iterator[CaseItem]:
    """Yield tests, which have no ids, with their names."""
    nodes = [case.item.node for case in cases]
    described = [text_of(node.get("description")) if isinstance(node, Mapping) else None for node in nodes]
    names = test_names(zip([case.case_id for case in cases], described, strict=True))
    return (case._replace(case_id=name, test_id=name) for case, name in zip(cases, names, strict=True))


def _defaulted(builder: Builder, case: CaseItem, default: CaseItem) -> CaseItem:
    """Return a test with what it starts from: assertions, which keep their places, and settings."""
    node, given = case.item.node, default.item.node
    if not isinstance(node, Mapping) or not isinstance(given, Mapping):
        return case
    skips = skips_defaults(node, builder.version)
    items = [] if skips else list_in(default.item, default.record) or []
    lists = default.record.keys_of(Role.EVALUATORS)
    whole = merged(without(given, (*lists, *_NOT_SHARED)), node, case.record)
    placed = tuple(Placed(item, default.elsewhere) for item in items)
    return case._replace(item=case.item._replace(node=whole), defaults=placed)


def _copies(
    builder: Builder,
    case: CaseItem,
    prompts: list[SuitePrompt],
    providers: list[SuiteProvider],
    shared: Mapping | None,
) -> Iterator[CaseItem]:
    """Yield a test once for each prompt, provider and combination of the texts of lists in its `vars`."""
    if not isinstance(case.item.node, Mapping):
        yield case
        return
    node, own = variables_of(case.item.node, shared, has_prompts=bool(prompts))
    values, unread = read_variables(builder, case.item, own)
    case = case._replace(item=case.item._replace(node=node), failures=(*case.failures, *unread))
    choices = choices_of(builder, case, values)
    run_with = list(columns(node, prompts, providers))
    if not run_with:
        reason = "Its `prompts` and `providers` name none, so the test never runs."
        builder.leave_out(("cases",), case.item.span, reason)
    for prompt, provider, suffix in run_with:
        sent = with_affixes(prompt, node)
        made = with_prompt(case, sent, suffix)
        for written in combinations(values, choices):
            whole = TextRenderer(written, builder.version)
            chosen = {name: whole.render(value) for name, value in written.items()}
            copy = made._replace(
                variant=made.variant + variant_of(chosen, choices),
                target=None if provider is None else provider.id,
                call=({} if provider is None else provider.options, context_of(node, chosen, sent, builder.version)),
            )
            yield rendered(copy, TextRenderer(chosen, builder.version), _RENDERED_KEYS)


def _with_messages(case: CaseItem) -> CaseItem:
    """Return a case with its rendered prompt as messages."""
    if case.input is None or not isinstance(case.item.node, Mapping):
        return case
    return case._replace(input=case.input._replace(node=messages_of_prompt(case.input.node)))


EXPANSION = Multiplied("defaultTest")


# Names in results


class RepeatedNames(MergedLists):
    """Evaluators of which several may have one name on purpose, so that these are numbered as well."""

    def name(self, name: str, unnamed: str, taken: set[str]) -> str:  # noqa: ARG002 - every name is numbered.
        """Return the name with a number from the second evaluator of this name on."""
        return numbered_name(name, name, taken)


REPEATED_NAMES = RepeatedNames()
