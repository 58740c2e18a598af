"""The files that a configuration of promptfoo names, and those of its prompts whose contents are texts."""

from collections.abc import Iterable, Iterator
from itertools import chain

from rubric_core.dialects.eval_files import PROVIDERS
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, walk
from rubric_core.syntax.parse import parse
from rubric_core.text.patterns import lazily
from rubric_core.views.references import FileReference, FileUrls, reference_to

# A prompt that is a path, and a provider that is a program, without `file://`.
_PROMPT_PATH = lazily(r"[\w./@+*-]+\.(?:csv|j2|jsonl?|md|py|txt|ya?ml|[cm]?[jt]s)(?::\w+)?\Z")
_PROVIDER_PATH = lazily(r"(?:(?:python|ruby|golang):)?(?P<path>[\w./@+-]+\.(?:py|rb|go|[cm]?[jt]s))(?::[\w.]+)?\Z")


def paths_of_prompts_and_providers(entries: Iterable[Pair]) -> Iterator[FileReference]:
    """Yield the files of prompts and providers that are a path without a prefix."""
    for pair in entries:
        items = pair.value.items if isinstance(pair.value, Sequence) else [pair.value]
        if pair.name == "prompts":
            for item in items:
                node = next(filter(None, map(item.get, ("raw", "id"))), None) if isinstance(item, Mapping) else item
                if isinstance(node, Scalar) and _PROMPT_PATH.match(node.value):
                    yield from reference_to(node, node.value)
        elif pair.name in PROVIDERS:
            for item in items:
                node = item.get("id") if isinstance(item, Mapping) else item
                named = _PROVIDER_PATH.match(node.value) if isinstance(node, Scalar) else None
                if isinstance(node, Scalar) and named is not None:
                    yield from reference_to(node, named["path"])


def _settings_of_providers(root: Node) -> frozenset[int]:
    """Return the nodes, by `id()`, of the settings of providers, whose relative paths have an unknown base."""
    lists = [root.get(key) for key in PROVIDERS] if isinstance(root, Mapping) else []
    items = [item for listed in lists if isinstance(listed, Sequence) for item in listed.items]
    settings = [item.get("config") for item in items if isinstance(item, Mapping)]
    return frozenset(id(node) for node in settings if node is not None for node in walk(node))


class ConfigurationPaths(FileUrls):
    """Files in a configuration, whose prompts and providers may be a path without a prefix."""

    judge_prompt_key = "rubricPrompt"

    def is_read(self, reference: FileReference) -> bool:
        """Return whether rules look at the contents of a file."""
        return reference.kind in {"prompt", "judge-prompt"} or reference.path.endswith(".csv")

    def checked(self, chunk: Chunk, root: Node | None, entries: Iterable[Pair]) -> Iterable[FileReference]:
        """Return the files that must exist, without those in the settings of providers."""
        ignored = _settings_of_providers(root) if root is not None else frozenset()
        return chain(self.written_beside(chunk, root, ignored), paths_of_prompts_and_providers(entries))


PATHS = ConfigurationPaths()

# Prompts of these kinds are text that is rendered; others are made by code.
_PROMPT_TEXT = lazily(r"[\w./@+-]+\.(?:j2|jsonl?|md|txt|ya?ml)\Z")
_YAML = (".yaml", ".yml")


def files_of_prompts(prompts: Node) -> Iterator[FileReference]:
    """Yield the files of a list of prompts whose contents are texts."""
    for item in prompts.items if isinstance(prompts, Sequence) else [prompts]:
        node = next(filter(None, map(item.get, ("raw", "id"))), None) if isinstance(item, Mapping) else item
        path = node.value.removeprefix(FILE_URL) if isinstance(node, Scalar) else ""
        if isinstance(node, Scalar) and _PROMPT_TEXT.match(path):
            yield FileReference(node, path, "prompt", node.span)


def text_of_prompt(path: str, contents: str) -> str:
    """Return the text that is sent of a prompt's file: without comments if it is YAML."""
    if not path.endswith(_YAML):
        return contents
    root = parse(contents).root
    return "\n".join(node.value for node in walk(root) if isinstance(node, Scalar)) if root is not None else ""
