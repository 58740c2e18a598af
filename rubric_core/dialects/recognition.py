"""Recognises the dialect of a file.

The comment `# rubric: dialect=` goes first, then the file as a whole (its name, a modeline, its top-level keys
together), then the configuration, then single words: keys and types of evaluators that some dialects have.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from collections.abc import Sequence as PlainSequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import dialect_by_name, is_suite_name
from rubric_core.dialects.marks import FileMarks
from rubric_core.dialects.registry import DEFAULT_DIALECT, DIALECTS, WHOLE_FILE_DIALECTS
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.patterns import lazily


class DialectMark(NamedTuple):
    """A word that identifies a dialect. A weak one counts only if there is no other.

    `what` is the kind of the word: a key, the type of an evaluator, or the releases that a suite requires.
    """

    dialect: Dialect
    word: str
    is_weak: bool = False
    what: str = "key"
    is_weakest: bool = False

    @property
    def description(self) -> str:
        """Return the mark in words."""
        is_release = self.what.startswith(REQUIRES)
        return f"`{self.what}: {self.word}`" if is_release else f"the {self.what} `{self.word}`"


_TYPE = "type"
REQUIRES = "requires"
"""The top-level key of the releases of tools that a suite requires."""
_REQUIREMENTS = tuple((dialect, *needed) for dialect in DIALECTS if (needed := dialect.marks.requirement) is not None)
_TOOLS = tuple(dict.fromkeys(tool for _, tool, _ in _REQUIREMENTS))
_RANGE = lazily(r"[\w.<>=^~*| -]{1,60}\Z")
# The numbers of a range of releases, with their operators.
_RELEASE = lazily(r"(?P<below><=?)?[^\d.<]*(?P<major>\d+)(?:\.(?P<minor>\d+))?[\w.+-]*")
_BY_TYPE = {word: DialectMark(dialect, word, what=_TYPE) for dialect in DIALECTS for word in dialect.marks.types}
_LIST_KEYS = frozenset(key for dialect in DIALECTS for key in dialect.marks.lists)


def dialect_of(deciding: PlainSequence[DialectMark]) -> Dialect:
    """Return the dialect of the deciding marks; the default one without marks."""
    return deciding[0].dialect if deciding else DEFAULT_DIALECT


def are_weak(deciding: PlainSequence[DialectMark]) -> bool:
    """Return whether the deciding marks are weak, so that the files around a file override them."""
    return bool(deciding) and deciding[0].is_weak


def deciding_marks(marks: Collection[DialectMark]) -> list[DialectMark]:
    """Return the marks of the newest dialect that has one; weak ones only if there are no others."""
    counted = [mark for mark in marks if not mark.is_weak] or [mark for mark in marks if not mark.is_weakest] or marks
    dialects = {mark.dialect for mark in counted}
    newest = next((dialect for dialect in reversed(DIALECTS) if dialect in dialects), None)
    return [mark for mark in counted if mark.dialect is newest]


class SuiteWords(NamedTuple):
    """The parts of a suite that determine its dialect: its top-level keys, requirements and cases."""

    keys: frozenset[str]
    requires: Node | None
    cases: list[Mapping]


def marks_of(words: SuiteWords) -> set[DialectMark]:
    """Return all marks of a suite."""
    marks = {*marks_of_names(tuple(words.keys)), *_required_marks(words.requires)}
    return marks.union(*map(marks_of_case, words.cases))


def marks_of_entries(entries: Iterable[Pair]) -> tuple[DialectMark, ...]:
    """Return the marks among the top-level entries of a file."""
    marks = marks_of_names(tuple(pair.name for pair in entries))
    required = [mark for pair in entries if pair.name == REQUIRES for mark in _required_marks(pair.value)]
    return (*marks, *required) if required else marks


def _required_marks(requires: Node | None) -> Iterator[DialectMark]:
    """Yield the dialect of the lowest release of a tool that a suite requires, or the one before an upper end."""
    for tool in _TOOLS:
        written = requires.get(tool) if isinstance(requires, Mapping) else None
        if not isinstance(written, Scalar) or _RANGE.match(written.value) is None:
            continue
        releases = list(_RELEASE.finditer(written.value))
        if not releases:
            continue
        lowest = next((release for release in releases if not release["below"]), releases[0])
        release = int(lowest["major"]), int(lowest["minor"] or 0)
        is_below = lowest["below"] == "<"
        older = [
            dialect
            for dialect, own_tool, since in _REQUIREMENTS
            if own_tool == tool and (since < release or (since == release and not is_below))
        ]
        if older:
            yield DialectMark(older[-1], written.value, is_weak=True, what=f"{REQUIRES}.{tool}")


def find_mark(mark: DialectMark, entries: Iterable[Pair], cases: Iterable[Node]) -> Node | None:
    """Return the first node that is a mark, among the top-level entries and the cases of a chunk."""
    word, is_release = mark.what.partition(".")[0], mark.what.startswith(REQUIRES)
    for pair in entries:
        if is_release and pair.name == word and isinstance(pair.value, Mapping):
            return pair.value.get(mark.what.partition(".")[2])
        if pair.name == mark.word and mark.what != _TYPE and not is_release:
            return pair.key
    for case in cases:
        if isinstance(case, Mapping):
            keys = [] if mark.what == _TYPE or mark.word not in case.index else [case.index[mark.word].key]
            types = [evaluator.get(_TYPE) for evaluator in _evaluators(case)] if mark.what == _TYPE else []
            nodes = [node for node in (*keys, *types) if isinstance(node, Scalar) and node.value == mark.word]
            if nodes:
                return nodes[0]
    return None


def marks_of_case(case: Mapping) -> tuple[DialectMark, ...]:
    """Return the marks of a case: its keys, and the types of its evaluators."""
    index = case.index
    marks = _case_marks(tuple(index))
    if "execution" not in index and _LIST_KEYS.isdisjoint(index):
        return marks
    types = [mark for node in _evaluators(case) if (mark := _type_mark(node)) is not None]
    return tuple(dict.fromkeys((*marks, *types))) if types else marks


def _evaluators(case: Mapping) -> Iterable[Mapping]:
    execution = case.index.get("execution")
    places = (case, execution.value) if execution is not None and isinstance(execution.value, Mapping) else (case,)
    for place in places:
        if not _LIST_KEYS.isdisjoint(place.index):
            for key in _LIST_KEYS:
                listed = place.get(key)
                if isinstance(listed, Sequence):
                    yield from (item for item in listed.items if isinstance(item, Mapping))


def _type_mark(evaluator: Mapping) -> DialectMark | None:
    written = evaluator.get("type")
    return _BY_TYPE.get(written.value) if isinstance(written, Scalar) else None


# The keys are the same few lists in every case of a file.
@lru_cache(maxsize=1024)
def _case_marks(names: tuple[str, ...]) -> tuple[DialectMark, ...]:
    has_input = "input" in names
    case_marks: list[DialectMark] = []
    for dialect in DIALECTS:
        marks = dialect.marks
        words = marks.case if has_input else marks.case | marks.case_without_input
        case_marks += _marks_among(names, dialect, words, marks.weak.case)
    return tuple(case_marks)


@lru_cache(maxsize=1024)
def marks_of_names(names: tuple[str | None, ...]) -> tuple[DialectMark, ...]:
    """Return the marks among the names of top-level keys."""
    suite_marks: list[DialectMark] = []
    for dialect in DIALECTS:
        suite_marks += _marks_among(names, dialect, dialect.marks.suite, dialect.marks.weak.suite)
    return tuple(suite_marks)


def _marks_among(
    names: tuple[str | None, ...], dialect: Dialect, strong: frozenset[str], weak: frozenset[str]
) -> Iterator[DialectMark]:
    weakest = dialect.marks.weak.weakest
    known = [name for name in names if name is not None]
    yield from (DialectMark(dialect, name) for name in known if name in strong)
    yield from (DialectMark(dialect, name, is_weak=True) for name in known if name in weak)
    yield from (DialectMark(dialect, name, is_weak=True, is_weakest=True) for name in known if name in weakest)


# The file as a whole


class FileSigns(NamedTuple):
    """The facts that determine the dialect of a file as a whole.

    `keys` are its top-level keys, `pin` and `modeline` the dialects that comments at its top name. `renders_prompts`
    means that a prompt is a file or a template, `has_other_words` that there are ids of tests or keys in snake case,
    and `is_named_otherwise` that the path is one of another dialect's files. `configured` is the name of the dialect in
    the configuration.
    """

    path: str
    keys: AbstractSet[str]
    pin: Dialect | None = None
    modeline: Dialect | None = None
    renders_prompts: bool = False
    has_other_words: bool = False
    is_named_otherwise: bool = False
    configured: str = ""


class WholeFile(NamedTuple):
    """The dialect that a file as a whole is of, and why; `keys` has the words that can be each key that decides."""

    dialect: Dialect
    why: str = ""
    keys: tuple[frozenset[str], ...] = ()


def signs_of(  # noqa: PLR0913 - what is known of a file.
    path: str, text: str, words: SuiteWords, *, pin: Dialect | None, is_included: bool, configured: str
) -> FileSigns:
    """Return the signs of a text. `is_included` means that the configuration takes the file for an eval file."""
    names = words.keys.union(*(case.index for case in words.cases))
    has_ids = any("id" in case.index for case in words.cases)
    return FileSigns(
        path,
        words.keys,
        pin,
        modeline_of(text),
        may_render_prompts(words.keys, text),
        has_ids or any(map(is_snake_case, names)),
        is_suite_name(path) or is_included,
        configured,
    )


def dialect_of_whole_file(signs: FileSigns) -> Dialect | None:
    """Return the dialect of a file as a whole; None if single words decide."""
    whole = recognise_whole_file(signs)
    return signs.pin or (whole.dialect if whole is not None else None)


def recognise_whole_file(signs: FileSigns) -> WholeFile | None:
    """Return the dialect by the name, the modeline or the top-level keys of a file; None if none identifies one."""
    named = dialect_by_name(signs.path)
    if named is not None:
        return WholeFile(named, f"because it is called {PurePath(signs.path).name}")
    if signs.modeline is not None:
        return WholeFile(signs.modeline, "because of the schema in its first comment")
    by_keys = (_by_keys(signs, dialect, marks) for dialect, marks in WHOLE_FILE_DIALECTS)
    return next((whole for whole in by_keys if whole is not None), None)


def _by_keys(signs: FileSigns, dialect: Dialect, marks: FileMarks) -> WholeFile | None:
    if not (signs.keys.isdisjoint(marks.keys) or signs.keys.isdisjoint(marks.beside)):
        # In a file with the name of a suite, the key may be a misspelling.
        is_misspelt = signs.is_named_otherwise and signs.has_other_words
        return None if is_misspelt else WholeFile(dialect, keys=(marks.keys,))
    if signs.is_named_otherwise or not signs.renders_prompts or any(map(signs.keys.isdisjoint, marks.shape)):
        return None
    if signs.configured != dialect.name and signs.has_other_words:
        return None
    return WholeFile(dialect, keys=marks.shape)


def may_render_prompts(keys: Collection[str | None], text: str) -> bool:
    """Return whether a text with these top-level keys may have a prompt that is a file or a template."""
    return "prompts" in keys and ("{{" in text or FILE_URL in text)


def modeline_of(text: str) -> Dialect | None:
    """Return the dialect whose schema a comment before the first content names."""
    if "$schema=" not in text:
        return None
    for line in text.splitlines():
        written = line.lstrip("\ufeff \t")
        if written and not written.startswith(("#", "---", "%")):
            return None
        named = next((dialect for dialect, marks in WHOLE_FILE_DIALECTS if re.search(marks.modeline, written)), None)
        if named is not None:
            return named
    return None


def is_snake_case(name: str) -> bool:
    """Return whether a key has words joined by underscores; a leading one does not count."""
    return "_" in name.lstrip("_$")


def may_be_whole_file(path: str, text: str) -> bool:
    """Return whether a text may be of a dialect of whole files, which only parsing shows."""
    hints = (hint in text for _, marks in WHOLE_FILE_DIALECTS for hint in marks.hints)
    return dialect_by_name(path) is not None or any(hints)
