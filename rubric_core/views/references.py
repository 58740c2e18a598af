"""What a case or the suite refers to by name: files, targets, scorecards."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rubric_core.dialects.eval_files import PROVIDERS
from rubric_core.schema.scales import COMMAND_KEYS, FILE_URL
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, ScalarStyle, Sequence, walk
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import is_blank, is_text
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView, MessageView
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView

_WORD = lazily(r"""(?:[^ \t\r\n'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)
_QUOTING = lazily(r"""['"\\]""")
_QUOTES = {ScalarStyle.PLAIN: 0, ScalarStyle.SINGLE: 1, ScalarStyle.DOUBLE: 1}


class Word(NamedTuple):
    """A word as the command gets it, and the offset and text of it in the string, quotes included."""

    text: str
    offset: int
    written: str


def split_words(command: str) -> list[Word]:
    """Split a command as a shell would. A quote that is never closed leaves no words at all."""
    words: list[Word] = []
    done = 0
    for found in _WORD.finditer(command):
        if command[done : found.start()].strip():
            return []
        done = found.end()
        words.append(Word(_unquoted(found.group()), found.start(), found.group()))
    return [] if command[done:].strip() else words


def _unquoted(written: str) -> str:
    if not _QUOTING.search(written):
        return written
    import shlex  # noqa: PLC0415 - few files have commands with quotes in them.

    return shlex.split(written)[0]


def place_of_word(scalar: Scalar, word: Word) -> Span:
    """Return where a word of a scalar stands in the text; where that cannot be told, the scalar's own place.

    Through an alias there is no place in the text but the alias itself.
    """
    if scalar.origin is not None:
        return scalar.span
    if isinstance(scalar, BlockScalar):
        # The header's line holds no word of the command.
        at = scalar.raw.find(word.written, len(scalar.raw.partition("\n")[0]))
        return Span(scalar.start + at, scalar.start + at + len(word.written)) if at >= 0 else scalar.span
    quotes = _QUOTES[scalar.style]
    # YAML's escapes and folded lines only ever shorten a text, so equal lengths mean equal offsets.
    if scalar.end - scalar.start != len(scalar.value) + 2 * quotes:
        return scalar.span
    start = scalar.start + quotes + word.offset
    return Span(start, start + len(word.written))


_PROGRAM_FILE = lazily(
    r"[\w./@+\-]+\.(?:py|ts|mts|cts|tsx|js|mjs|cjs|jsx|sh|bash|zsh|fish|rb|pl|php|lua|go|rs|jar|r|jl|exe|bat|cmd|ps1)\Z",
    re.IGNORECASE,
)
_PROMPT_FILE = lazily(r"[\w./@+\-\\]+\.(?:md|txt|prompt|j2|jinja|jinja2|hbs|yaml|yml|ts|js|py)\Z", re.IGNORECASE)
_ABSOLUTE = lazily(r"/|[A-Za-z]:[\\/]")
# A template, a variable, a pattern, an address or somebody's home: what file it means is known only at run time.
_UNKNOWABLE = lazily(r"[{}$*?%<>|]|://|\A~|\A-")
_LOCAL = ("./", "../")
# What follows these words is no file that has to be there: a module, a piece of code, a package, something to write.
_BEFORE_OTHER_THINGS = lazily(r"-[cemo]|--eval|--(?:out|log|report|save)[\w\-]*|npx|bunx|uvx|pipx")


class FileReference(NamedTuple):
    """A path in the text. `kind` says what refers to it: `file`, `prompt` or `script`.

    It is `judge-prompt` for what replaces the prompt of judges, `path-as-prompt` for a path that upstream takes for the
    text of the prompt, and `pattern` for one with `*`.

    `path` is seen from the eval file's folder. `span` is where the path itself stands, which may be one word of `node`.
    """

    node: Scalar
    path: str
    kind: str
    span: Span

    @property
    def place(self) -> Node | Span:
        """Return where a problem is shown: the path itself, or the node where that is behind an alias."""
        return self.span if self.node.origin is None else self.node


class References(NamedTuple):
    """All that one case, or the suite outside of its cases, refers to."""

    files: tuple[FileReference, ...]
    targets: tuple[Scalar, ...]
    scorecards: tuple[Scalar, ...]


def references_of_case(case: CaseView) -> References:
    """Collect what a case refers to."""
    node = case.node
    files = [*_files_of_messages(case.messages)]
    targets = [*_targets_of(node.get("execution")), *_targets_of(node)]
    if case.evaluators:
        files += _files_of_evaluators(case.evaluators)
        targets += _targets_of_evaluators(case.evaluators)
    scorecard = node.get("scorecard")
    names = (scorecard,) if isinstance(scorecard, Scalar) and _is_name(scorecard) else ()
    return References(tuple(files), tuple(targets), names)


def references_of_suite(suite: Mapping, evaluators: list[EvaluatorsView]) -> References:
    """Collect what the suite refers to outside of its cases."""
    targets = [*_targets_of(suite), *_targets_of(suite.get("execution")), *_targets_of_evaluators(evaluators)]
    return References(tuple(_files_of_evaluators(evaluators)), tuple(targets), ())


# Where a target or a provider is named; a list of them may also describe some in full.
_TARGET_KEYS = ("target", "targets", "provider", "providers")
_ANY_TARGET = frozenset(_TARGET_KEYS)


def _targets_of(owner: Node | None) -> list[Scalar]:
    if not isinstance(owner, Mapping) or _ANY_TARGET.isdisjoint(owner.index):
        return []
    values = [owner.index[key].value for key in _TARGET_KEYS if key in owner.index]
    nodes = [node for value in values for node in (value.items if isinstance(value, Sequence) else (value,))]
    # With a colon it is the address of a model or a file, not a name.
    return [node for node in nodes if isinstance(node, Scalar) and _is_name(node) and ":" not in node.value]


def _is_name(node: Scalar) -> bool:
    """Return whether a node is a name. Numbers and booleans are none, and a template becomes one only at run time."""
    return not is_blank(node) and is_text(node) and "{{" not in node.value


def _files_of_messages(messages: list[MessageView]) -> Iterator[FileReference]:
    for message in messages:
        content = message.content
        # Nearly all messages are plain text, which refers to nothing.
        if content is None or not isinstance(content.value, Sequence):
            continue
        for part in content.value.items:
            if not isinstance(part, Mapping):
                continue
            kind, value = part.get("type"), part.get("value")
            if isinstance(kind, Scalar) and kind.value == "file" and isinstance(value, Scalar) and not is_blank(value):
                path = value.value.strip()
                if not _UNKNOWABLE.search(path):
                    yield FileReference(value, path, "file", value.span)


def _checked(lists: Iterable[EvaluatorsView]) -> list[EvaluatorView]:
    return [evaluator for each in lists for evaluator in each.evaluators if evaluator.is_checked]


def _targets_of_evaluators(lists: Iterable[EvaluatorsView]) -> Iterator[Scalar]:
    for evaluator in _checked(lists):
        yield from _targets_of(evaluator.node)


def _files_of_evaluators(lists: Iterable[EvaluatorsView]) -> Iterator[FileReference]:
    for evaluator in _checked(lists):
        node, has_urls = evaluator.node, evaluator.dialect.has_file_urls
        folder = node.get("cwd")
        yield from _prompt_files(node.get("prompt"), has_urls=has_urls)
        for key in COMMAND_KEYS:
            if key in evaluator.record.by_key:
                yield from _script_files(node.get(key), folder.value if isinstance(folder, Scalar) else "")
        aggregator = node.get("aggregator") if "aggregator" in evaluator.record.by_key else None
        if isinstance(aggregator, Mapping):
            yield from _prompt_files(aggregator.get("prompt"), has_urls=has_urls)


# A prompt that is a path, and what answers that is a program, without `file://`.
_PROMPT_PATH = lazily(r"[\w./@+*-]+\.(?:csv|j2|jsonl?|md|py|txt|ya?ml|[cm]?[jt]s)(?::\w+)?\Z")
_PROVIDER_PATH = lazily(r"(?:(?:python|ruby|golang):)?(?P<path>[\w./@+-]+\.(?:py|rb|go|[cm]?[jt]s))(?::[\w.]+)?\Z")


def paths_of_prompts_and_providers(entries: Iterable[Pair]) -> Iterator[FileReference]:
    """Yield the files that prompts and what answers are, where these are written as a path alone."""
    for pair in entries:
        items = pair.value.items if isinstance(pair.value, Sequence) else [pair.value]
        if pair.name == "prompts":
            for item in items:
                node = next(filter(None, map(item.get, ("raw", "id"))), None) if isinstance(item, Mapping) else item
                if isinstance(node, Scalar) and _PROMPT_PATH.match(node.value):
                    yield from _reference(node, node.value)
        elif pair.name in PROVIDERS:
            for item in items:
                node = item.get("id") if isinstance(item, Mapping) else item
                found = _PROVIDER_PATH.match(node.value) if isinstance(node, Scalar) else None
                if isinstance(node, Scalar) and found is not None:
                    yield from _reference(node, found["path"])


# A prompt of these kinds is text, all of which is rendered; code makes others.
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
    """Return what is sent of a file with a prompt: of YAML not the comments."""
    if not path.endswith(_YAML):
        return contents
    root = parse(contents).root
    return "\n".join(node.value for node in walk(root) if isinstance(node, Scalar)) if root is not None else ""


_JUDGE_PROMPT = "rubricPrompt"
_INCLUDE, _CASES, _PATHS = "include", "tests", "input_files"
_FILE_NAME = lazily(r"[^\s]*[/.][^\s]*\Z")
# A function of a program, as in `cases.py:make`.
_FUNCTION = lazily(r"(?<=\.(?:py|js|ts|rb|go)):[\w.]+\Z|(?<=\.(?:mjs|cjs|mts|cts)):[\w.]+\Z")


_SETTINGS = "config"


def _settings_of_providers(root: Node) -> frozenset[int]:
    """Return the nodes, by their ids, of the settings of providers; only these know what their paths count from."""
    lists = [root.get(key) for key in PROVIDERS] if isinstance(root, Mapping) else []
    items = [item for each in lists if isinstance(each, Sequence) for item in each.items]
    settings = [item.get(_SETTINGS) for item in items if isinstance(item, Mapping)]
    return frozenset(id(node) for each in settings if each is not None for node in walk(each))


def written_paths(chunk: Chunk, root: Node | None, *, reads_settings: bool = True) -> Iterator[FileReference]:
    """Yield the files that are written as `file://` anywhere, included, listed as tests, or sent with the input."""
    is_case = chunk.kind is ChunkKind.ITEM and chunk.place is not None and chunk.place.key == _CASES
    if is_case:
        yield from _paths_in(root)
    # Most cases name no file, which their text tells sooner than their nodes.
    if root is None or (is_case and not any(word in chunk.text for word in (FILE_URL, _INCLUDE, _PATHS))):
        return
    judge_prompts: set[int] = set()
    passed_over = frozenset() if reads_settings else _settings_of_providers(root)
    for node in walk(root):
        if id(node) in passed_over:
            continue
        if isinstance(node, Scalar) and node.value.startswith(FILE_URL):
            found = _reference(node, node.value.removeprefix(FILE_URL))
            yield from (each._replace(kind="judge-prompt") for each in found) if id(node) in judge_prompts else found
        elif isinstance(node, Mapping):
            judge_prompts.add(id(node.get(_JUDGE_PROMPT)))
            for key in (_CASES, _PATHS):
                yield from _paths_in(node.get(key))
            included = node.get(_INCLUDE)
            if isinstance(included, Scalar) and not included.value.startswith(FILE_URL):
                yield from _reference(included, path_of_include(included.value))


def path_of_include(name: str) -> str:
    """Return the path of an included file, which may be called by its name among the templates."""
    path = name.strip().removeprefix(FILE_URL)
    return path if _FILE_NAME.match(path) else f".agentv/templates/{path}.yaml"


def _paths_in(listed: Node | None) -> Iterator[FileReference]:
    for item in listed.items if isinstance(listed, Sequence) else [listed]:
        if isinstance(item, Scalar) and _FILE_NAME.match(item.value) and not item.value.startswith(FILE_URL):
            yield from _reference(item, item.value)


def _reference(node: Scalar, written: str) -> Iterator[FileReference]:
    path = _FUNCTION.sub("", written)
    if path and not _UNKNOWABLE.search(path.replace("*", "")) and not any(map(str.isspace, path)):
        yield FileReference(node, path, "pattern" if "*" in path else "file", node.span)


def is_prompt_file(prompt: str) -> bool:
    """Return whether a prompt is a path: one word that ends like a file's name. Otherwise it is the text itself."""
    return _PROMPT_FILE.match(prompt.strip()) is not None


def _prompt_files(prompt: Node | None, *, has_urls: bool) -> Iterator[FileReference]:
    """Yield the file of a prompt. Where files are written as `file://`, a path alone is the text of the prompt."""
    if isinstance(prompt, Mapping):
        for key in COMMAND_KEYS:
            yield from _script_files(prompt.get(key), "")
    elif isinstance(prompt, Scalar) and is_prompt_file(prompt.value.strip().removeprefix(FILE_URL)):
        path = prompt.value.strip()
        if path.startswith(FILE_URL):
            yield FileReference(prompt, path.removeprefix(FILE_URL), "prompt", prompt.span)
        else:
            yield FileReference(prompt, path, "path-as-prompt" if has_urls else "prompt", prompt.span)


def _script_files(script: Node | None, folder: str) -> Iterator[FileReference]:
    """Only words that look like a path are taken for one: `python -m py_compile` refers to no file."""
    words: list[tuple[Scalar, str, Word | None]] = []
    if isinstance(script, Sequence):
        words = [(item, item.value, None) for item in script.items if isinstance(item, Scalar)]
    elif isinstance(script, Scalar):
        # A shell takes the backslashes out of a word, which whoever wrote a path for Windows did not mean.
        words = [(script, "" if "\\" in each.written else each.text, each) for each in split_words(script.value)]
    before = ""
    for node, word, part in words:
        if _looks_like_path(word) and not _BEFORE_OTHER_THINGS.fullmatch(before):
            span = node.span if part is None else place_of_word(node, part)
            yield FileReference(node, _seen_from(folder, word), "script", span)
        before = word


def _looks_like_path(word: str) -> bool:
    if _UNKNOWABLE.search(word) or "\\" in word:
        return False
    return word.startswith(_LOCAL) or bool(_PROGRAM_FILE.match(word))


def _seen_from(folder: str, path: str) -> str:
    """Return a path of a command that runs in a folder, as seen from the eval file."""
    folder = folder.strip()
    if not folder or folder == "." or _ABSOLUTE.match(path):
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"
