"""The providers of a suite that are commands, and which prompts and providers a test runs with."""

from collections.abc import Iterator
from collections.abc import Mapping as PlainMapping
from typing import Any, NamedTuple

from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.prompts import NO_PROMPT, SuitePrompt
from rubric_core.model.render import EnvironmentRenderer
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.test_names import safe_id

EXEC = "exec:"
"""What is before the command in the id of a provider."""
_LISTS = ("providers", "targets")
_TOLD = ("id", "config", "env")
"""The keys of a provider that its command gets."""
_TOLD_OF_TESTS = ("description", "metadata")


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
        """Return its name in the ids of tests."""
        return safe_id(self.label or self.id.removeprefix(EXEC))


def command_providers(builder: Builder, outline: SuiteOutline) -> list[SuiteProvider]:
    """Return the providers of a suite that are commands; others are not run."""
    name = next((key for key in _LISTS if key in outline.values or key in outline.lists), _LISTS[0])
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
    options = {key: plain(value, builder.version) for key in _TOLD if own and (value := own.get(key)) is not None}
    options = {"id": name, **options}
    label = text_of(own.get("label")) if own else None
    # promptfoo looks for the prompts of a provider under its label, and for those of a key under the key.
    reads_prompts = own is not None and (own is node or not label)
    return SuiteProvider(name, label or "", options, names_in(own.get("prompts")) if own and reads_prompts else None)


def names_in(node: Node | None) -> list[str] | None:
    """Return the names of a list; None without a list."""
    return [text_of(item) or "" for item in node.items] if isinstance(node, Sequence) else None


class Column(NamedTuple):
    """A prompt and a provider that a test runs with, and their suffixes for the ids of cases."""

    prompt: SuitePrompt
    provider: SuiteProvider | None
    suffix: str


def columns(test: Mapping, prompts: list[SuitePrompt], providers: list[SuiteProvider]) -> Iterator[Column]:
    """Yield the pairs of prompts and providers that neither the test nor a provider excludes."""
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
            yield Column(prompt, provider, suffix)


def _is_named(labels: tuple[str, ...], names: list[str] | None) -> bool:
    """Return whether a name is the label, its start before a colon, or a prefix of it with `*`."""
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
        for key in _TOLD_OF_TESTS
        if isinstance(test, Mapping) and (value := test.get(key)) is not None
    }
    return {
        "vars": variables,
        "prompt": {"raw": raw, "label": (*prompt.labels, raw)[0]},
        "test": {**test_data, "vars": variables},
    }
