"""The dialects of suites, and the files of tests that they name."""

import os
from collections.abc import Callable, Collection, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from rubric_core.config.config import Config, is_ours_by_name
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import SCENARIO_TESTS, SCENARIOS, cases_in
from rubric_core.dialects.recognition import (
    REQUIRES,
    FileSigns,
    SuiteWords,
    are_weak,
    deciding_marks,
    dialect_of,
    dialect_of_whole_file,
    marks_of,
    may_be_whole_file,
    signs_of,
)
from rubric_core.dialects.registry import BY_NAME, CASE_LIST_NAMES
from rubric_core.files.read import ReadText, read_text
from rubric_core.rules.suppressions import find_directives
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.text.patterns import lazily

_LIST_KEY = lazily(rf"\b(?:{SCENARIO_TESTS}|{SCENARIOS})\b[\"']?[ \t]*:")
_MAGIC = lazily(r"[*?\[]")


class NamedList(NamedTuple):
    """A reference to a file of tests. Tests of a scenario also get its variables, which the file does not show."""

    node: Scalar
    is_of_scenario: bool = False


def named_lists(root: Mapping) -> Iterator[NamedList]:
    """Yield the references to files of cases: a string instead of a list, or in it."""
    for pair in root.pairs:
        if pair.name in CASE_LIST_NAMES:
            yield from (NamedList(node) for node in _texts(pair.value))
        elif pair.name == SCENARIOS and isinstance(pair.value, Sequence):
            tests = (item.get(SCENARIO_TESTS) for item in pair.value.items if isinstance(item, Mapping))
            yield from (NamedList(node, True) for listed in tests for node in _texts(listed))


def _texts(value: Node | None) -> Iterator[Scalar]:
    for node in value.items if isinstance(value, Sequence) else [value]:
        if isinstance(node, Scalar) and node.value:
            yield node


def lists_named_by(path: str, config: Config) -> tuple[str, ...]:
    """Return the lists of tests that a file names, if its dialect is recognised by the whole file."""
    try:
        status = os.stat(path)  # noqa: PTH116 - many paths, all plain strings.
    except (OSError, ValueError):
        return ()
    return _lists_named_by(path, (status.st_mtime_ns, status.st_size), config)


@lru_cache(maxsize=4096)
def _lists_named_by(path: str, _stamp: tuple[int, int], config: Config) -> tuple[str, ...]:
    read = read_text(path, config.limits)
    if not isinstance(read, ReadText) or _LIST_KEY.search(read.text) is None or not may_be_whole_file(path, read.text):
        return ()
    root = parse(read.text, limits=config.limits).root
    if not isinstance(root, Mapping):
        return ()
    references = tuple(named.node.value for named in named_lists(root))
    dialect = dialect_of_whole_file(signs_of_file(path, read.text, words_of(root), config)) if references else None
    return references if dialect is not None and dialect.marks.whole is not None else ()


def signs_of_file(path: str, text: str, words: SuiteWords, config: Config) -> FileSigns:
    """Return the signs that identify the dialect of a file as a whole."""
    pinned = (directive.dialect for directive in find_directives(text) if directive.at_top)
    pin = next((BY_NAME[name] for name in pinned if name in BY_NAME), None)
    is_included = is_ours_by_name(config, path)
    return signs_of(path, text, words, pin=pin, is_included=is_included, configured=config.dialect)


def dialect_of_file(
    path: str, text: str, words: SuiteWords, config: Config, hint: Callable[[], Dialect | None] = lambda: None
) -> Dialect:
    """Return the dialect of a suite; `hint` returns that of the files around it, for a suite with weak marks only."""
    whole = dialect_of_whole_file(signs_of_file(path, text, words, config)) or BY_NAME.get(config.dialect)
    deciding = deciding_marks(marks_of(words))
    return whole or (hint() if are_weak(deciding) else None) or dialect_of(deciding)


def words_of(root: Mapping) -> SuiteWords:
    """Return the parts of a parsed file that determine its dialect."""
    listed = ((pair.name, pair.value.items) for pair in root.pairs if isinstance(pair.value, Sequence))
    cases = [case for key, items in listed for case in cases_in(key, items) if isinstance(case, Mapping)]
    return SuiteWords(frozenset(root.index), root.get(REQUIRES), cases)


def paths_among(references: Collection[str], folder: str, paths: Collection[str]) -> Iterator[str]:
    """Yield those of the paths that the references of a configuration in a folder may mean."""
    for reference in references:
        target = os.path.normpath(os.path.join(folder, reference.strip().removeprefix(FILE_URL)))  # noqa: PTH118 - any text.
        if _MAGIC.search(reference) is None:
            yield from (target,) if target in paths else ()
        else:
            # A `**` may also match no folder.
            pattern = target.replace("**/", "*")
            yield from (path for path in paths if fnmatchcase(path, pattern))
