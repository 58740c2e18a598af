"""Prompts of promptfoo and of AgentV 5: files, names, and texts that are conversations."""

from collections.abc import Iterator

from rubric_core.dialects.promptfoo.migration.steps import is_file, keys_where, noted
from rubric_core.migration.places import DEFINITION, PROMPT, SUITE, Place
from rubric_core.migration.steps import Change, Kind, Step, at_key, lists
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.edits import rename_key, replace_text
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.patterns import lazily

_PATH = lazily(r"[\w./@+-]+\.(?:csv|j2|jsonl?|md|py|txt|ya?ml|[cm]?[jt]s)(?::\w+)?\Z")
_SCRIPT = lazily(r"\S+\.(?:py|[cm]?[jt]s|sh|bat|rb|exe)(?::\w+)?\Z|exec:|(?:file://)?\S*[*?]\S*\Z")
_SEVERAL = lazily(r"\S+\.(?:csv|jsonl?|ya?ml)\Z")
_CONVERSATION = lazily(r"\s*(?:\[\s*(?:\{|$)[\s\S]*[\"']?role|- role:)")


def _texts(place: Place) -> Iterator[Scalar]:
    """Yield the texts and paths of all prompts, including those with a label."""
    for item in place.items("prompts"):
        node = next(filter(None, map(item.get, ("raw", "file", "id"))), None) if isinstance(item, Mapping) else item
        if isinstance(node, Scalar) and node.value and not node.origin:
            yield node


def _paths(place: Place) -> Iterator[Change]:
    for node in place.items("prompts"):
        if isinstance(node, Scalar) and not node.origin and _PATH.match(node.value):
            yield Change(node.start, (replace_text(node, FILE_URL + node.value),))


@at_key("id")
def _named_file(place: Place, pair: Pair) -> Iterator[Change]:
    is_path = is_file(pair.value) or _PATH.match(place.word("id") or "")
    if is_path and "raw" not in place and "file" not in place:
        yield Change(pair.key.start, (rename_key(pair, "file"),))


def _scripts(place: Place) -> Iterator[Node]:
    yield from (node for node in _texts(place) if _SCRIPT.match(node.value))


def _several(place: Place) -> Iterator[Node]:
    for node in _texts(place):
        is_path = is_file(node) or _PATH.match(node.value)
        if (is_path and _SEVERAL.match(node.value)) or _CONVERSATION.match(node.value):
            yield node


PROMPTS_TO_5: tuple[Step, ...] = (
    Step((SUITE,), "`prompts: [a.txt]`", "`prompts: [file://a.txt]`", _paths, when="it is a path"),
    Step((PROMPT,), "`id: file://a.txt`", "`file: file://a.txt`", _named_file, when="there is no `raw`"),
    noted("a prompt that a program makes, or a pattern", (SUITE,), _scripts,
          "AgentV 5 sends the text of this file; write a `command` that prints the prompt, or name each file", Kind.NO),
    noted("a prompt of several messages, or a file with several prompts", (SUITE,), _several,
          "promptfoo sends its messages or prompts one by one, and AgentV 5 sends it as one text", Kind.ASK),
    noted("`prompts` as a mapping", (SUITE,), keys_where("prompts", lambda _, pair: isinstance(pair.value, Mapping)),
          "`prompts`: AgentV 5 reads a list; write `file` and `label`", Kind.NO),
    lists((PROMPT,), ("function",), "AgentV 5 takes it for a script; write a `command` that prints the prompt"),
    lists((DEFINITION,), ("prompts",), "look whether AgentV 5 has prompts of these names", Kind.ASK),
)  # fmt: skip


@at_key("file")
def _named_in_pf(place: Place, pair: Pair) -> Iterator[Change]:
    node = pair.value
    if isinstance(node, Scalar) and not node.origin and "id" not in place:
        url = () if is_file(node) else (replace_text(node, FILE_URL + node.value),)
        yield Change(pair.key.start, (rename_key(pair, "id"), *url))


@at_key("prompt")
def _text_in_pf(place: Place, pair: Pair) -> Iterator[Change]:
    is_named = "label" in place or "id" in place
    if isinstance(pair.value, Scalar) and is_named and "raw" not in place:
        yield Change(pair.key.start, (rename_key(pair, "raw"),))


def _messages(place: Place) -> Iterator[Node]:
    for node in place.items("prompts"):
        if isinstance(node, Sequence) or (isinstance(node, Mapping) and "role" in node.index):
            yield node


PROMPTS_TO_PROMPTFOO: tuple[Step, ...] = (
    Step((PROMPT,), "`file: a.txt`", "`id: file://a.txt`", _named_in_pf, when="there is no `id`"),
    Step((PROMPT,), "`prompt`", "`raw`", _text_in_pf, when="a text, beside a `label` or an `id`"),
    noted("a list of messages in `prompts`", (SUITE,), _messages,
          "promptfoo reads a conversation from a text or a file; write it as JSON", Kind.NO),
    lists((PROMPT,), ("messages", "path", "function_file", "command", "prefix", "suffix", "function"),
          "promptfoo does not read it in a prompt; write a file or a text"),
    lists((DEFINITION,), ("prompts",), "look whether promptfoo has prompts of these labels", Kind.ASK),
)  # fmt: skip
