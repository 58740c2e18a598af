"""What identifies the dialect of a file: keys and types of evaluators that some dialects have and others do not."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import FileMarks
from rubric_core.dialects.registry import DEFAULT_DIALECT, DIALECTS
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.text.patterns import lazily


class DialectMark(NamedTuple):
    """A word that speaks for a dialect. A weak one counts only where there is no other.

    `what` says what the word is: a key, the type of an evaluator, or the releases that a suite requires.
    """

    dialect: Dialect
    word: str
    is_weak: bool = False
    what: str = "key"
    is_weakest: bool = False

    @property
    def description(self) -> str:
        """Return the mark in words."""
        return f"`{_REQUIRED}: {self.word}`" if self.what == _REQUIRED else f"the {self.what} `{self.word}`"


_TYPE = "type"
_REQUIRED = "requires.agentv"
_RANGE = lazily(r"[\w.<>=^~*| -]{1,60}\Z")
# The numbers of a range of releases, with what stands before each.
_RELEASE = lazily(r"(?P<below><=?)?[^\d.<]*(?P<major>\d+)(?:\.(?P<minor>\d+))?[\w.+-]*")
_BY_TYPE = {word: DialectMark(dialect, word, what=_TYPE) for dialect in DIALECTS for word in dialect.marks.types}
_LIST_KEYS = frozenset(key for dialect in DIALECTS for key in dialect.marks.lists)


def dialect_of(marks: Collection[DialectMark], hint: Callable[[], Dialect | None] = lambda: None) -> Dialect:
    """Return the newest dialect that a mark speaks for.

    Weak marks count where there are no others; then the files around this one, which `hint` looks at, go before.
    """
    deciding = deciding_marks(marks)
    found = hint() if deciding and deciding[0].is_weak else None
    return found or (deciding[0].dialect if deciding else DEFAULT_DIALECT)


def deciding_marks(marks: Collection[DialectMark]) -> list[DialectMark]:
    """Return the marks of the newest dialect that one speaks for, the weak ones only where there are no others."""
    counted = [mark for mark in marks if not mark.is_weak] or [mark for mark in marks if not mark.is_weakest] or marks
    dialects = {mark.dialect for mark in counted}
    newest = next((dialect for dialect in reversed(DIALECTS) if dialect in dialects), None)
    return [mark for mark in counted if mark.dialect is newest]


def marks_of_suite(entries: Iterable[Pair]) -> tuple[DialectMark, ...]:
    """Return the marks among the top-level entries of a file."""
    marks = marks_of_names(tuple(pair.name for pair in entries))
    required = [mark for pair in entries if pair.name == "requires" and (mark := _required_mark(pair)) is not None]
    return (*marks, *required) if required else marks


def _required_mark(requires: Pair) -> DialectMark | None:
    """Return what required releases tell: the dialect of the lowest, or the one before an upper end."""
    written = requires.value.get("agentv") if isinstance(requires.value, Mapping) else None
    if not isinstance(written, Scalar) or _RANGE.match(written.value) is None:
        return None
    releases = list(_RELEASE.finditer(written.value))
    if not releases:
        return None
    found = next((each for each in releases if not each["below"]), releases[0])
    release = int(found["major"]), int(found["minor"] or 0)
    is_below = found["below"] == "<"
    older = [
        each
        for each in DIALECTS
        if (since := each.marks.since) is not None and (since < release or (since == release and not is_below))
    ]
    return DialectMark(older[-1], written.value, is_weak=True, what=_REQUIRED) if older else None


def find_mark(mark: DialectMark, entries: Iterable[Pair], cases: Iterable[Node]) -> Node | None:
    """Return the first node that is a mark, among the top-level entries and the cases of a chunk."""
    for pair in entries:
        if mark.what == _REQUIRED and pair.name == "requires" and isinstance(pair.value, Mapping):
            return pair.value.get("agentv")
        if pair.name == mark.word and mark.what not in (_TYPE, _REQUIRED):
            return pair.key
    for case in cases:
        if isinstance(case, Mapping):
            keys = [] if mark.what == _TYPE or mark.word not in case.index else [case.index[mark.word].key]
            types = [each.get(_TYPE) for each in _evaluators(case)] if mark.what == _TYPE else []
            found = [node for node in (*keys, *types) if isinstance(node, Scalar) and node.value == mark.word]
            if found:
                return found[0]
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
    found: list[DialectMark] = []
    for dialect in DIALECTS:
        marks = dialect.marks
        words = marks.case if has_input else marks.case | marks.case_without_input
        found += _marks_among(names, dialect, words, marks.weak_case)
    return tuple(found)


@lru_cache(maxsize=1024)
def marks_of_names(names: tuple[str | None, ...]) -> tuple[DialectMark, ...]:
    """Return the marks among the names of top-level keys."""
    found: list[DialectMark] = []
    for dialect in DIALECTS:
        found += _marks_among(names, dialect, dialect.marks.suite, dialect.marks.weak_suite)
    return tuple(found)


def _marks_among(
    names: tuple[str | None, ...], dialect: Dialect, strong: frozenset[str], weak: frozenset[str]
) -> Iterator[DialectMark]:
    weakest = dialect.marks.weakest
    known = [name for name in names if name is not None]
    yield from (DialectMark(dialect, name) for name in known if name in strong)
    yield from (DialectMark(dialect, name, is_weak=True) for name in known if name in weak)
    yield from (DialectMark(dialect, name, is_weak=True, is_weakest=True) for name in known if name in weakest)


# The file as a whole


_MARKED: tuple[tuple[Dialect, FileMarks], ...] = tuple(
    (dialect, dialect.file_marks) for dialect in DIALECTS if dialect.file_marks is not None
)


class DialectByKeys(NamedTuple):
    """The dialect that top-level keys tell; `keys` has the words that can be each of them."""

    dialect: Dialect
    keys: tuple[frozenset[str], ...]


class FileSigns(NamedTuple):
    """What a file has beside its top-level keys.

    `renders_prompts` tells that a prompt is a file or a template, `speaks_for_another` that there are ids of tests or
    keys in snake case, and `is_of_another` that the name is one of another dialect's files. `configured` is the name of
    the dialect in the configuration.
    """

    renders_prompts: bool
    speaks_for_another: bool
    is_of_another: bool
    configured: str = ""


def dialect_by_keys(names: AbstractSet[str], signs: FileSigns) -> DialectByKeys | None:
    """Return the dialect that the top-level keys of a file tell; None where single words decide."""
    found = (_by_keys(names, signs, dialect, marks) for dialect, marks in _MARKED)
    return next((each for each in found if each is not None), None)


def _by_keys(names: AbstractSet[str], signs: FileSigns, dialect: Dialect, marks: FileMarks) -> DialectByKeys | None:
    if not (names.isdisjoint(marks.keys) or names.isdisjoint(marks.beside)):
        # In a file that is called like a suite, the key may be another one misspelt.
        is_misspelt = signs.is_of_another and signs.speaks_for_another
        return None if is_misspelt else DialectByKeys(dialect, (marks.keys,))
    if signs.is_of_another or not signs.renders_prompts or any(names.isdisjoint(group) for group in marks.shape):
        return None
    if signs.configured != dialect.name and signs.speaks_for_another:
        return None
    return DialectByKeys(dialect, marks.shape)


def may_render_prompts(names: Collection[str | None], text: str) -> bool:
    """Return whether a text with these top-level keys may have a prompt that is a file or a template."""
    return "prompts" in names and ("{{" in text or FILE_URL in text)


def modeline_of(text: str) -> Dialect | None:
    """Return the dialect whose schema a comment before the first content names."""
    if "$schema=" not in text:
        return None
    for line in text.splitlines():
        written = line.lstrip("\ufeff \t")
        if written and not written.startswith(("#", "---", "%")):
            return None
        found = next((each for each, marks in _MARKED if re.search(marks.modeline, written)), None)
        if found is not None:
            return found
    return None


def is_snake_case(name: str) -> bool:
    """Return whether a key has words that are joined by underscores; one in front is part of a name."""
    return "_" in name.lstrip("_$")
