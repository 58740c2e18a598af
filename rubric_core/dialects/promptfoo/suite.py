"""What a configuration of promptfoo gives to every test: prompts, providers, filters, and the default test."""

from dataclasses import dataclass, replace

from rubric_core.dialects.promptfoo import CASE_WORDS
from rubric_core.dialects.promptfoo.file_paths import files_of_prompts
from rubric_core.rules.rule import Context
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import is_null
from rubric_core.text.patterns import lazily
from rubric_core.views.files import FileView
from rubric_core.views.inherited import Inherited, SuiteReader, number_of, starting_values
from rubric_core.views.templates import names_in, names_of

_ASSERT = "assert"
_METRIC = lazily(r"(?<![\w$])[\"']?metric[\"']?[ \t]*:[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"'#][^\n,}#]*))")
# Keys of a case that may exclude a prompt.
_CHANGING_PROMPTS = ("prompts", "providerOutput", "transformVars", CASE_WORDS.output)


@dataclass(frozen=True, slots=True)
class ConfigurationFacts(Inherited):
    """What every test of a configuration gets.

    `prompt_names` are the variables that prompts of this file use. The counts and the names (labels) of prompts and
    providers are None if they are unknown, and so are the `filters` of templates besides the usual ones.
    `may_add_vars` means that code or a red team may bring more variables, `keeps_lists` that a list in `vars` stays one
    value, and `weighs_nothing` that all assertions that every test has weigh nothing.
    """

    prompt_names: frozenset[str] = frozenset()
    has_rubric_prompt: bool = False
    prompt_count: int | None = None
    provider_count: int | None = None
    may_add_vars: bool = False
    filters: frozenset[str] | None = frozenset()
    keeps_lists: bool = False
    prompt_labels: frozenset[str] | None = None
    provider_labels: frozenset[str] | None = None
    weighs_nothing: bool = False

    @property
    def has_one_output(self) -> bool:
        """Return whether there is one output for each test."""
        return self.prompt_count == 1 and self.provider_count == 1


def given_by_suite(context: Context) -> ConfigurationFacts:
    """Return what every test gets, for a rule."""
    inherited = context.suite.inherited
    return inherited if isinstance(inherited, ConfigurationFacts) else _NOTHING


def _prompts(value: Node) -> Inherited:
    names = frozenset(names_in(value))
    return ConfigurationFacts(prompt_names=names, prompt_count=_count(value), prompt_labels=_labels(value, "raw"))


def _providers(value: Node) -> Inherited:
    return ConfigurationFacts(provider_count=_count(value), provider_labels=_labels(value, "id"))


def _vars_of_code(value: Node) -> Inherited:
    return ConfigurationFacts(may_add_vars=not is_null(value))


def _filters(value: Node) -> Inherited:
    return ConfigurationFacts(filters=names_of(value) if isinstance(value, Mapping) else None)


def _default_test(value: Node) -> Inherited:
    options = value.get("options") if isinstance(value, Mapping) else None
    keeps = options.get("disableVarExpansion") if isinstance(options, Mapping) else None
    names = names_of(options)
    facts = ConfigurationFacts(
        has_rubric_prompt="rubricPrompt" in names,
        may_add_vars="transformVars" in names,
        keeps_lists=isinstance(keeps, Scalar) and keeps.value == "true",
        weighs_nothing=_weighs_nothing(value.get(_ASSERT) if isinstance(value, Mapping) else None),
    )
    return facts.joined(starting_values(value))


class ConfigurationReader(SuiteReader):
    """Reads what a configuration gives to every test."""

    def given_to_file(self, inherited: Inherited, text: str) -> Inherited:
        """Return what tests get in a file that a configuration names: the output of another test may be a variable."""
        if CASE_WORDS.output not in text or not isinstance(inherited, ConfigurationFacts):
            return inherited
        return replace(inherited, may_add_vars=True)

    def metrics_in(self, text: str) -> list[str]:
        """Return the names of metrics in the text of a chunk."""
        if "metric" not in text:
            return []
        return [match[match.lastindex or 0].strip() for match in _METRIC.finditer(text)]

    def changes_prompts(self, text: str, *, is_case: bool) -> bool:
        """Return whether a case of a chunk may exclude some of the prompts, or have other variables."""
        return CASE_WORDS.pointer in text or (is_case and any(map(text.__contains__, _CHANGING_PROMPTS)))

    def prompt_files(self, file: FileView) -> frozenset[str]:
        """Return the paths of files with prompts."""
        prompts = (pair.value for entries in file.documents for _, pair in entries if pair.name == "prompts")
        return frozenset(file.path for value in prompts for file in files_of_prompts(value))


_NOTHING = ConfigurationFacts()
SUITE = ConfigurationReader(
    _NOTHING,
    {
        "defaultTest": _default_test,
        "extensions": _vars_of_code,
        "nunjucksFilters": _filters,
        "prompts": _prompts,
        "providers": _providers,
        "redteam": _vars_of_code,
        "targets": _providers,
    },
    derived_key="derivedMetrics",
)


def _count(value: Node) -> int | None:
    """Return how many things a list names; None if a file may have several of them."""
    items = value.items if isinstance(value, Sequence) else [value]
    is_known = all(isinstance(item, Mapping) or (isinstance(item, Scalar) and not _is_file(item)) for item in items)
    holds_file = any(isinstance(node, Scalar) and _is_file(node) for item in items for node in _sources(item))
    return len(items) if is_known and not holds_file and not isinstance(value, Mapping) else None


def _sources(item: Node) -> list[Node | None]:
    """Return the entry that may be a file with several prompts or providers, not the settings of one."""
    if not isinstance(item, Mapping):
        return [item]
    return [*(pair.key for pair in item.pairs), *(item.get(key) for key in ("id", "raw", "label"))]


def _labels(value: Node, key: str) -> frozenset[str] | None:
    """Return the names of the things in a list; None if a file may have more of them."""
    if not isinstance(value, Sequence) or _count(value) is None:
        return None
    named = [item for item in value.items if isinstance(item, Mapping)]
    nodes = [*value.items, *(item.get(name) for item in named for name in ("label", "id", key))]
    # A mapping without an id has it as its key.
    keys = [name for item in named if "id" not in item.index and key not in item.index for name in item.index]
    inner = [pair.value.get("label") for item in named for pair in item.pairs if isinstance(pair.value, Mapping)]
    return frozenset((*keys, *(node.value for node in (*nodes, *inner) if isinstance(node, Scalar))))


def _is_file(node: Scalar) -> bool:
    return node.value.startswith(FILE_URL) or "*" in node.value or node.value.endswith((".txt", ".json", ".yaml"))


def _weighs_nothing(node: Node | None) -> bool:
    """Return whether no assertion of a list has a weight above 0; a set can fail even without weight."""
    items = node.items if isinstance(node, Sequence) else []
    return bool(items) and all(
        isinstance(item, Mapping) and _ASSERT not in item.index and number_of(item.get("weight")) == 0 for item in items
    )
