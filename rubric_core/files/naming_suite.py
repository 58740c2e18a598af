"""The suite that names a file of cases: such a file has the dialect of its suite, whatever its keys are."""

import os
from collections.abc import Callable, Iterator
from itertools import islice, tee
from typing import NamedTuple

from rubric_core.config.config import Config, is_ours_by_name
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import dialect_by_name, is_suite_name
from rubric_core.dialects.parts import SUITE
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.files.case_files import find_case_paths
from rubric_core.files.named_lists import dialect_of_file, lists_named_by, named_lists, paths_among, words_of
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import LEFT_OUT, SUFFIXES
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.parse import parse
from rubric_core.views.inherited import Inherited, read_inherited

# Suites are looked for in the file's own folder and in this many above it, and in the folders directly below these.
_LEVELS = 3
_MOST_FOLDERS = 100
_MOST_SUITES = 50
_MOST_OTHERS = 200
_MOST_CHARACTERS = 1_000_000
_YAML = (".yaml", ".yml")


class NamingSuite(NamedTuple):
    """A suite that names a file of cases: its path as seen from the file's folder, and the name of its dialect.

    `line` is where it names the file, from 0 on. `inherited` is what it gives to every test; None where another suite
    names the file too, so that its tests may get something else.
    """

    path: str
    dialect: str
    line: int = 0
    inherited: Inherited | None = None


class _Naming(NamedTuple):
    """What a suite that names a file says: its dialect, the line of the name, and what every test gets."""

    dialect: Dialect
    line: int
    inherited: Inherited | None


def find_naming_suite(
    path: str,
    root: str,
    config: Config,
    is_allowed: Callable[[str], bool],
    hint: Callable[[str], Dialect | None],
) -> NamingSuite | None:
    """Return the nearest suite that names a file of cases, below the root of the workspace.

    `hint` returns the dialect that the files around a suite are of.
    """
    read = 0
    first: NamingSuite | None = None
    for suite in _suites_near(path, root, config, is_allowed):
        found = read_text(suite, config.limits) if is_allowed(suite) else None
        if not isinstance(found, ReadText):
            continue
        read += len(found.text)
        if read > _MOST_CHARACTERS:
            break
        named = _named_by(path, suite, found.text, config, is_allowed, hint)
        if named is not None and first is not None:
            return first._replace(inherited=None)
        if named is not None:
            seen = os.path.relpath(suite, os.path.dirname(path))  # noqa: PTH120 - strings.
            first = NamingSuite(seen, named.dialect.name, named.line, named.inherited)
    return first


def _suites_near(path: str, root: str, config: Config, is_allowed: Callable[[str], bool]) -> Iterator[str]:
    """Yield the files that may name a file: those with names of suites, then those whose contents tell; nearest first.

    Of the latter only those that do name it.
    """
    near, again = tee(each for each in _files_near(path, root) if each != path)
    yield from islice((each for each in near if _is_suite(each, config)), _MOST_SUITES)
    others = (each for each in again if each.lower().endswith(_YAML) and not _is_suite(each, config))
    for other in islice(others, _MOST_OTHERS):
        named = lists_named_by(other, config) if is_allowed(other) else ()
        if any(paths_among(named, os.path.dirname(other), (path,))):  # noqa: PTH120 - a plain string.
            yield other


def _is_suite(path: str, config: Config) -> bool:
    """Return whether a file is a suite by its name."""
    is_named = path.lower().endswith(SUFFIXES) and (is_ours_by_name(config, path) or is_suite_name(path))
    return is_named or dialect_by_name(path) is not None


def _files_near(path: str, root: str) -> Iterator[str]:
    """Yield the files in the folder of a file, in some above it, and in the folders directly below these."""
    folder = os.path.dirname(path)  # noqa: PTH120 - a plain string.
    seen: set[str] = set()
    for _ in range(_LEVELS):
        for each in (folder, *_folders_in(folder)):
            if each not in seen:
                seen.add(each)
                yield from (os.path.join(each, entry.name) for entry in _entries(each) if not _is_folder(entry))  # noqa: PTH118 - the same.
        if folder in {root, os.path.dirname(folder)}:  # noqa: PTH120 - the same.
            return
        folder = os.path.dirname(folder)  # noqa: PTH120 - the same.


def _folders_in(folder: str) -> list[str]:
    names = [each.name for each in _entries(folder) if _is_folder(each)]
    kept = [name for name in names if not name.startswith(".") and name not in LEFT_OUT]
    return [os.path.join(folder, name) for name in kept[:_MOST_FOLDERS]]  # noqa: PTH118 - the same.


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _named_by(  # noqa: PLR0913, PLR0917 - two files and what may be looked at.
    path: str,
    suite: str,
    text: str,
    config: Config,
    is_allowed: Callable[[str], bool],
    hint: Callable[[str], Dialect | None],
) -> _Naming | None:
    """Return what a suite says that names the file; None where it does not."""
    if not any(name in text for name in CASE_LIST_NAMES):
        return None
    root = parse(text, limits=config.limits).root
    if not isinstance(root, Mapping):
        return None
    folder = os.path.dirname(suite)  # noqa: PTH120 - a plain string.
    named = next((each for each in named_lists(root) if _means(each.node.value, folder, path, is_allowed)), None)
    if named is None:
        return None
    dialect = dialect_of_file(suite, text, words_of(root), config, lambda: hint(suite))
    inherited = SUITE.of(dialect).given_to_file(read_inherited(root.pairs, dialect), text)
    return _Naming(dialect, text.count("\n", 0, named.node.start), None if named.is_of_scenario else inherited)


def _means(reference: str, folder: str, path: str, is_allowed: Callable[[str], bool]) -> bool:
    return any(found == path for found, _ in find_case_paths(reference, folder, is_allowed))
