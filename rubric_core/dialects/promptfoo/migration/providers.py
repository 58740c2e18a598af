"""Providers between promptfoo and AgentV 5, which both write them as `KIND:MODEL` and have different kinds."""

from collections.abc import Iterator

from rubric_core.dialects.promptfoo.migration.steps import is_judge, noted
from rubric_core.dialects.promptfoo.types import PROVIDERS
from rubric_core.migration.places import EVALUATOR, OPTIONS, SUITE, Place
from rubric_core.migration.steps import Change, Kind, Step, at_key, listed
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


def _names(place: Place) -> Iterator[Scalar]:
    """Yield the providers that are a text."""
    yield from (node for node in place.items("providers") if isinstance(node, Scalar) and node.value)


def _ids(place: Place) -> Iterator[tuple[Scalar, str]]:
    """Yield the ids that have a kind, with the kind."""
    for item in place.items("providers"):
        node = item.get("id") if isinstance(item, Mapping) else item
        kind = _KIND.match(node.value) if isinstance(node, Scalar) and not node.origin else None
        if isinstance(node, Scalar) and kind is not None and not has_templates(node.value):
            yield node, kind.group()


def _labels_to_5(place: Place) -> Iterator[Change]:
    for node in _names(place):
        if ":" not in node.value and not has_templates(node.value):
            yield listed(node, f"`{node.value}`: AgentV 5 takes it for the label of a provider of the project")


def _kinds_to_5(place: Place) -> Iterator[Change]:
    for node, kind in _ids(place):
        if kind not in _KINDS_OF_5:
            yield listed(node, f"AgentV 5 has no provider `{kind}`; use one of its own, or a `cli`")


def _commands(place: Place) -> Iterator[Node]:
    for node, kind in _ids(place):
        if kind == _COMMAND and not any(placeholder in node.value for placeholder in _PROMPT_PLACES):
            yield node


@at_key("provider")
def _judge_to_5(place: Place, pair: Pair) -> Iterator[Change]:
    if place.record == EVALUATOR and not is_judge(place):
        return
    if isinstance(pair.value, Scalar):
        yield listed(pair, "`provider`: AgentV 5 takes it for the label of a provider", Kind.ASK)
    elif place.record == EVALUATOR:
        yield listed(pair, "`provider`: AgentV 5 takes the label of a provider here; define it under `providers`")


PROVIDERS_TO_5: tuple[Step, ...] = (
    Step((OPTIONS, EVALUATOR), "`provider` of a judge", "the same", _judge_to_5, Kind.ASK,
         "a mapping in an assertion: no", "AgentV 5 takes it for the label of a provider"),
    Step((SUITE,), "`echo` in `providers`", "", _labels_to_5, Kind.NO,
         reason="AgentV 5 takes a name without a colon for the label of a provider"),
    Step((SUITE,), "`bedrock:x` in `providers`", "", _kinds_to_5, Kind.NO,
         reason="AgentV 5 does not have every provider of promptfoo"),
    noted("`exec: x` in `providers`", (SUITE,), _commands,
          "AgentV 5 runs the command without the prompt; write `{PROMPT}` or `{PROMPT_FILE}` into it", Kind.NO),
)  # fmt: skip


def _labels_to_promptfoo(place: Place) -> Iterator[Change]:
    for node in _names(place):
        if ":" not in node.value and node.value not in _ANSWERS_ALONE:
            reason = f"`{node.value}`: it is the label of a provider of the project; write the id of a provider"
            yield listed(node, reason)


def _kinds_to_promptfoo(place: Place) -> Iterator[Change]:
    for node, kind in _ids(place):
        if kind not in PROVIDERS:
            yield listed(node, f"promptfoo has no provider `{kind}`; use one of its own, or `exec:`")


def _judge_to_promptfoo(place: Place) -> Iterator[Node]:
    pair = place.own("provider")
    if pair is not None and isinstance(pair.value, Scalar) and (place.record == OPTIONS or is_judge(place)):
        yield pair.key


def _without_providers(place: Place) -> Iterator[Node]:
    if place.node.index.keys().isdisjoint({"providers", "targets", "target"}):
        yield place.node


PROVIDERS_TO_PROMPTFOO: tuple[Step, ...] = (
    Step((SUITE,), "a label in `providers`", "", _labels_to_promptfoo, Kind.NO,
         reason="it is the label of a provider of the project; write the id of a provider"),
    Step((SUITE,), "`codex-cli:x` in `providers`", "", _kinds_to_promptfoo, Kind.NO,
         reason="promptfoo does not have every provider of AgentV 5"),
    noted("`provider` of a judge", (OPTIONS, EVALUATOR), _judge_to_promptfoo,
          "`provider`: it was the label of a provider, and promptfoo takes it for an id", Kind.ASK),
    noted("no `providers`", (SUITE,), _without_providers, "promptfoo needs `providers`; name one", Kind.NO),
)  # fmt: skip
