"""The suite that names a file of cases: such a file has the dialect of its suite, whatever its keys are."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, tee
from typing import NamedTuple

from rubric_core.config.config import Config, is_ours_by_name
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import dialect_by_name, is_suite_name
from rubric_core.dialects.parts import SUITE
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.files.case_files import find_case_paths
from rubric_core.files.named_lists import NamedList, dialect_of_file, lists_named_by, named_lists, paths_among, words_of
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import LEFT_OUT, SUFFIXES
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.parse import parse
from rubric_core.views.inherited import Inherited, read_inherited

# Suites are searched for in the file's own folder, this many above it, and the folders directly below those.
_LEVELS = 3
_MOST_FOLDERS = 100
_MOST_SUITES = 50
_MOST_OTHERS = 200
_MOST_CHARACTERS = 1_000_000
_YAML = (".yaml", ".yml")


class NamingSuite(NamedTuple):
    """A suite that names a file of cases: its path relative to the file's folder, and the name of its dialect.

    `line` is the line of the reference, from 0. `inherited` is what it gives to every test; None if another suite names
    the file too, whose tests may get something else.
    """

    path: str
    dialect: str
    line: int = 0
    inherited: Inherited | None = None


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
    characters = 0
    nearest: NamingSuite | None = None
    for suite in _suites_near(path, root, config, is_allowed):
        read = read_text(suite, config.limits) if is_allowed(suite) else None
        if not isinstance(read, ReadText):
            continue
        characters += len(read.text)
        if characters > _MOST_CHARACTERS:
            break
        root_node = parse(read.text, limits=config.limits).root if _has_list(read.text) else None
        named = _name_of(path, suite, root_node, is_allowed) if isinstance(root_node, Mapping) else None
        if named is None or not isinstance(root_node, Mapping):
            continue
        if nearest is not None:
            return nearest._replace(inherited=None)
        dialect = dialect_of_file(suite, read.text, words_of(root_node), config, partial(hint, suite))
        inherited = SUITE.of(dialect).given_to_file(read_inherited(root_node.pairs, dialect), read.text)
        line = read.text.count("\n", 0, named.node.start)
        seen = os.path.relpath(suite, os.path.dirname(path))  # noqa: PTH120 - strings.
        nearest = NamingSuite(seen, dialect.name, line, None if named.is_of_scenario else inherited)
    return nearest


def _has_list(text: str) -> bool:
    return any(name in text for name in CASE_LIST_NAMES)


def _name_of(path: str, suite: str, root: Mapping, is_allowed: Callable[[str], bool]) -> NamedList | None:
    """Return the reference of a suite to a file, or None."""
    folder = os.path.dirname(suite)  # noqa: PTH120 - a plain string.
    files = ((named, find_case_paths(named.node.value, folder, is_allowed)) for named in named_lists(root))
    return next((named for named, paths in files if any(path == named_path for named_path, _ in paths)), None)


def _suites_near(path: str, root: str, config: Config, is_allowed: Callable[[str], bool]) -> Iterator[str]:
    """Yield the files that may name a file, nearest first: those with names of suites, then others with its name."""
    near, again = tee(file for file in _files_near(path, root) if file != path)
    yield from islice((file for file in near if _is_suite(file, config)), _MOST_SUITES)
    others = (file for file in again if file.lower().endswith(_YAML) and not _is_suite(file, config))
    for other in islice(others, _MOST_OTHERS):
        named = lists_named_by(other, config) if is_allowed(other) else ()
        if any(paths_among(named, os.path.dirname(other), (path,))):  # noqa: PTH120 - a plain string.
            yield other


def _is_suite(path: str, config: Config) -> bool:
    """Return whether a file is a suite by its name."""
    is_named = path.lower().endswith(SUFFIXES) and (is_ours_by_name(config, path) or is_suite_name(path))
    return is_named or dialect_by_name(path) is not None


def _files_near(path: str, root: str) -> Iterator[str]:
    """Yield the files in the folder of a file, in some above it, and in the folders directly below those."""
    folder = os.path.dirname(path)  # noqa: PTH120 - a plain string.
    seen: set[str] = set()
    for _ in range(_LEVELS):
        for near in (folder, *_folders_in(folder)):
            if near not in seen:
                seen.add(near)
                yield from (entry.path for entry in _entries(near) if not _is_folder(entry))
        if folder in {root, os.path.dirname(folder)}:  # noqa: PTH120 - the same.
            return
        folder = os.path.dirname(folder)  # noqa: PTH120 - the same.


def _folders_in(folder: str) -> list[str]:
    folders = (entry for entry in _entries(folder) if _is_folder(entry))
    kept = [entry.path for entry in folders if not entry.name.startswith(".") and entry.name not in LEFT_OUT]
    return kept[:_MOST_FOLDERS]


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
