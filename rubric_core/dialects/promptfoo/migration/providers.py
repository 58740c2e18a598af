"""Providers between promptfoo and AgentV 5, which both write them as `KIND:MODEL` and have different kinds."""

from collections.abc import Callable, Container, Iterator

from rubric_core.dialects.promptfoo.migration.steps import is_judge, keys_where, noted
from rubric_core.dialects.promptfoo.types import PROVIDERS
from rubric_core.migration.places import EVALUATOR, OPTIONS, SUITE, Place
from rubric_core.migration.steps import Change, Find, Kind, Step, at_key, listed
from rubric_core.nunjucks.markup import has_templates
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar
from rubric_core.text.patterns import lazily

_KIND = lazily(r"[A-Za-z][\w-]*(?=:)")
_COMMAND = "exec"
# The kinds that AgentV 5 has, and `exec`, which it reads as its `cli`.
_KINDS_OF_5 = frozenset(
    {
        *("openai", "openrouter", "azure", "anthropic", "gemini", "codex-cli", "codex-app-server", "codex-sdk"),
        *("copilot-sdk", "copilot-cli", "pi-sdk", "pi-coding-agent", "pi-cli", "pi-rpc", "claude-cli", "claude-sdk"),
        *("cli", "mock", "vscode", "vscode-insiders", "agentv", "transcript", "replay", _COMMAND),
    }
)
_PROMPT_PLACES = ("{PROMPT}", "{PROMPT_FILE}")
_ANSWERS_ALONE = frozenset({"echo"})
_LABEL = "it is the label of a provider of the project; write the id of a provider"


def _labels(is_known: Callable[[str], object], reason: str) -> Find:
    """List the providers that are a text without a colon, unless they are known."""

    def find(place: Place) -> Iterator[Change]:
        for node in place.items("providers"):
            if isinstance(node, Scalar) and node.value and ":" not in node.value and not is_known(node.value):
                yield listed(node, f"`{node.value}`: {reason}")

    return find


def _ids(place: Place) -> Iterator[tuple[Scalar, str]]:
    """Yield the ids that have a kind, with the kind."""
    for item in place.items("providers"):
        node = item.get("id") if isinstance(item, Mapping) else item
        kind = _KIND.match(node.value) if isinstance(node, Scalar) and not node.origin else None
        if isinstance(node, Scalar) and kind is not None and not has_templates(node.value):
            yield node, kind.group()


def _kinds(target: str, kinds: Container[str], other: str) -> Find:
    """List the providers of kinds that the target does not have."""

    def find(place: Place) -> Iterator[Change]:
        for node, kind in _ids(place):
            if kind not in kinds:
                yield listed(node, f"{target} has no provider `{kind}`; use one of its own, or {other}")

    return find


def _commands(place: Place) -> Iterator[Node]:
    for node, kind in _ids(place):
        if kind == _COMMAND and not any(placeholder in node.value for placeholder in _PROMPT_PLACES):
            yield node


def _may_judge(place: Place) -> bool:
    return place.record == OPTIONS or is_judge(place)


@at_key("provider")
def _judge_to_5(place: Place, pair: Pair) -> Iterator[Change]:
    if not _may_judge(place):
        return
    if isinstance(pair.value, Scalar):
        yield listed(pair, "`provider`: AgentV 5 takes it for the label of a provider", Kind.ASK)
    elif place.record == EVALUATOR:
        yield listed(pair, "`provider`: AgentV 5 takes the label of a provider here; define it under `providers`")


PROVIDERS_TO_5: tuple[Step, ...] = (
    Step((OPTIONS, EVALUATOR), "`provider` of a judge", "the same", _judge_to_5, Kind.ASK,
         "a mapping in an assertion: no", "AgentV 5 takes it for the label of a provider"),
    Step((SUITE,), "`echo` in `providers`", "",
         _labels(has_templates, "AgentV 5 takes it for the label of a provider of the project"), Kind.NO,
         reason="AgentV 5 takes a name without a colon for the label of a provider"),
    Step((SUITE,), "`bedrock:x` in `providers`", "",
         _kinds("AgentV 5", _KINDS_OF_5, "a `cli`"), Kind.NO,
         reason="AgentV 5 does not have every provider of promptfoo"),
    noted("`exec: x` in `providers`", (SUITE,), _commands,
          "AgentV 5 runs the command without the prompt; write `{PROMPT}` or `{PROMPT_FILE}` into it", Kind.NO),
)  # fmt: skip


def _without_providers(place: Place) -> Iterator[Node]:
    if place.node.index.keys().isdisjoint({"providers", "targets", "target"}):
        yield place.node


PROVIDERS_TO_PROMPTFOO: tuple[Step, ...] = (
    Step((SUITE,), "a label in `providers`", "", _labels(_ANSWERS_ALONE.__contains__, _LABEL), Kind.NO, reason=_LABEL),
    Step((SUITE,), "`codex-cli:x` in `providers`", "",
         _kinds("promptfoo", PROVIDERS, "`exec:`"), Kind.NO,
         reason="promptfoo does not have every provider of AgentV 5"),
    noted("`provider` of a judge", (OPTIONS, EVALUATOR),
          keys_where("provider", lambda place, pair: isinstance(pair.value, Scalar) and _may_judge(place)),
          "`provider`: it was the label of a provider, and promptfoo takes it for an id", Kind.ASK),
    noted("no `providers`", (SUITE,), _without_providers, "promptfoo needs `providers`; name one", Kind.NO),
)  # fmt: skip
