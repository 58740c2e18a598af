"""What a case or the suite refers to by name: files, targets, scorecards."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from rubric_core.dialects.parts import PATHS, FilePaths
from rubric_core.schema.scales import COMMAND_KEYS, FILE_URL
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Scalar, ScalarStyle, Sequence, walk
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
    for word in _WORD.finditer(command):
        if command[done : word.start()].strip():
            return []
        done = word.end()
        words.append(Word(_unquoted(word.group()), word.start(), word.group()))
    return [] if command[done:].strip() else words


def _unquoted(written: str) -> str:
    if not _QUOTING.search(written):
        return written
    import shlex  # noqa: PLC0415 - few files have commands with quotes in them.

    return shlex.split(written)[0]


def place_of_word(scalar: Scalar, word: Word) -> Span:
    """Return the place of a word of a scalar in the text; if that is unknown, the place of the scalar.

    Through an alias, that is the place of the alias.
    """
    if scalar.origin is not None:
        return scalar.span
    if isinstance(scalar, BlockScalar):
        # The line of the header has no word of the command.
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
# A template, a variable, a pattern, an address or a home folder: the file is known only at run time.
_UNKNOWABLE = lazily(r"[{}$*?%<>|]|://|\A~|\A-")
_LOCAL = ("./", "../")
# The words behind these need not be existing files: a module, code, a package, an output file.
_BEFORE_OTHER_THINGS = lazily(r"-[cemo]|--eval|--(?:out|log|report|save)[\w\-]*|npx|bunx|uvx|pipx")


class FileReference(NamedTuple):
    """A path in the text. `kind` says what refers to it: `file`, `prompt` or `script`.

    It is `judge-prompt` for what replaces the prompt of judges, `path-as-prompt` for a path that upstream takes for the
    text of the prompt, and `pattern` for one with `*`.

    `path` is seen from the eval file's folder. `span` is where the path itself is, which may be one word of `node`.
    """

    node: Scalar
    path: str
    kind: str
    span: Span

    @property
    def place(self) -> Node | Span:
        """Return the place of a problem: the path itself, or the node if it is behind an alias."""
        return self.span if self.node.origin is None else self.node


class References(NamedTuple):
    """All references of one case, or of the suite outside of its cases."""

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
    # A text with a colon is the address of a model or a file, not a name.
    return [node for node in nodes if isinstance(node, Scalar) and _is_name(node) and ":" not in node.value]


def _is_name(node: Scalar) -> bool:
    """Return whether a node is a name; numbers, booleans and templates are not."""
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
    return [evaluator for view in lists for evaluator in view.evaluators if evaluator.is_checked]


def _targets_of_evaluators(lists: Iterable[EvaluatorsView]) -> Iterator[Scalar]:
    for evaluator in _checked(lists):
        yield from _targets_of(evaluator.node)


def _files_of_evaluators(lists: Iterable[EvaluatorsView]) -> Iterator[FileReference]:
    for evaluator in _checked(lists):
        node, bare_kind = evaluator.node, PATHS.of(evaluator.dialect).bare_prompt_kind
        folder = node.get("cwd")
        yield from _prompt_files(node.get("prompt"), bare_kind)
        for key in COMMAND_KEYS:
            if key in evaluator.record.by_key:
                yield from _script_files(node.get(key), folder.value if isinstance(folder, Scalar) else "")
        aggregator = node.get("aggregator") if "aggregator" in evaluator.record.by_key else None
        if isinstance(aggregator, Mapping):
            yield from _prompt_files(aggregator.get("prompt"), bare_kind)


_INCLUDE, _CASES, _PATHS = "include", "tests", "input_files"
_FILE_NAME = lazily(r"[^\s]*[/.][^\s]*\Z")
# A function of a program, as in `cases.py:make`.
_FUNCTION = lazily(r"(?<=\.(?:py|js|ts|rb|go)):[\w.]+\Z|(?<=\.(?:mjs|cjs|mts|cts)):[\w.]+\Z")


class FileUrls(FilePaths):
    """Files that are written as `file://` and their path, so that a path alone is a text."""

    prefix = FILE_URL
    bare_prompt_kind = "path-as-prompt"
    template_folder = ""
    judge_prompt_key = ""
    """The key of a text that replaces the prompt of judges."""

    def prompt_file(self, prompt: str) -> str | None:
        """Return the path of a prompt's file; None if the prompt is the text itself."""
        return prompt.removeprefix(FILE_URL) if prompt.startswith(FILE_URL) else None

    def path_of_include(self, name: str) -> str:
        """Return the path of an included file, which may be given by its name among the templates; empty if none."""
        path = name.strip().removeprefix(FILE_URL)
        if _FILE_NAME.match(path):
            return path
        return f"{self.template_folder}/{path}.yaml" if self.template_folder else ""

    def written(self, chunk: Chunk, root: Node | None) -> Iterable[FileReference]:
        """Return the files that are named anywhere in a chunk, except those of the views."""
        return self.written_beside(chunk, root, frozenset())

    def written_beside(self, chunk: Chunk, root: Node | None, ignored: AbstractSet[int]) -> Iterator[FileReference]:
        """Yield the files that are written as `file://` anywhere, included, listed as tests, or sent with the input.

        Nodes whose ids are `ignored` are passed over.
        """
        is_case = chunk.kind is ChunkKind.ITEM and chunk.place is not None and chunk.place.key == _CASES
        if is_case:
            yield from _paths_in(root)
        # Most cases name no file, and searching their text is faster than walking their nodes.
        if root is None or (is_case and not any(word in chunk.text for word in (FILE_URL, _INCLUDE, _PATHS))):
            return
        judge_prompts: set[int] = set()
        for node in walk(root):
            if id(node) in ignored:
                continue
            if isinstance(node, Scalar) and node.value.startswith(FILE_URL):
                named = reference_to(node, node.value.removeprefix(FILE_URL))
                is_judge_prompt = id(node) in judge_prompts
                yield from (file._replace(kind="judge-prompt") for file in named) if is_judge_prompt else named
            elif isinstance(node, Mapping):
                if self.judge_prompt_key:
                    judge_prompts.add(id(node.get(self.judge_prompt_key)))
                for key in (_CASES, _PATHS):
                    yield from _paths_in(node.get(key))
                included = node.get(_INCLUDE)
                if isinstance(included, Scalar) and not included.value.startswith(FILE_URL):
                    yield from reference_to(included, self.path_of_include(included.value))


FILE_URLS = FileUrls()


def _paths_in(listed: Node | None) -> Iterator[FileReference]:
    for item in listed.items if isinstance(listed, Sequence) else [listed]:
        if isinstance(item, Scalar) and _FILE_NAME.match(item.value) and not item.value.startswith(FILE_URL):
            yield from reference_to(item, item.value)


def reference_to(node: Scalar, written: str) -> Iterator[FileReference]:
    """Yield the file that a text names, unless the path is known only at run time."""
    path = _FUNCTION.sub("", written)
    if path and not _UNKNOWABLE.search(path.replace("*", "")) and not any(map(str.isspace, path)):
        yield FileReference(node, path, "pattern" if "*" in path else "file", node.span)


def is_prompt_file(prompt: str) -> bool:
    """Return whether a prompt is a path: one word that ends like a file's name. Otherwise it is the text itself."""
    return _PROMPT_FILE.match(prompt.strip()) is not None


def _prompt_files(prompt: Node | None, bare_kind: str) -> Iterator[FileReference]:
    """Yield the file of a prompt; `bare_kind` is the kind of one that is written as a path alone."""
    if isinstance(prompt, Mapping):
        for key in COMMAND_KEYS:
            yield from _script_files(prompt.get(key), "")
    elif isinstance(prompt, Scalar) and is_prompt_file(prompt.value.strip().removeprefix(FILE_URL)):
        path = prompt.value.strip()
        if path.startswith(FILE_URL):
            yield FileReference(prompt, path.removeprefix(FILE_URL), "prompt", prompt.span)
        else:
            yield FileReference(prompt, path, bare_kind, prompt.span)


def _script_files(script: Node | None, folder: str) -> Iterator[FileReference]:
    """Only words that look like a path are taken for one: `python -m py_compile` refers to no file."""
    words: list[tuple[Scalar, str, Word | None]] = []
    if isinstance(script, Sequence):
        words = [(item, item.value, None) for item in script.items if isinstance(item, Scalar)]
    elif isinstance(script, Scalar):
        # A shell removes backslashes, which is not intended in a path for Windows.
        words = [(script, "" if "\\" in word.written else word.text, word) for word in split_words(script.value)]
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
    """Return a path of a command that runs in a folder, relative to the eval file."""
    folder = folder.strip()
    if not folder or folder == "." or _ABSOLUTE.match(path):
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"
