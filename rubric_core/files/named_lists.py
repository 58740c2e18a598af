"""The lists of tests that a configuration names, where files of its dialect are recognised as a whole."""

import os
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from rubric_core.config.config import Config, is_ours_by_name, is_suite_name
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import BY_NAME, CASE_LIST_NAMES, dialect_by_name
from rubric_core.files.read import ReadText, read_text
from rubric_core.rules.suppressions import find_directives
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.text.patterns import lazily
from rubric_core.views.marks import (
    FileSigns,
    dialect_by_keys,
    is_snake_case,
    may_render_prompts,
    modeline_of,
)

_SCENARIOS = "scenarios"
_TESTS = "tests"
_LIST_KEY = lazily(rf"\b(?:{_TESTS}|{_SCENARIOS})\b[\"']?[ \t]*:")
_MAGIC = lazily(r"[*?\[]")


class NamedList(NamedTuple):
    """A reference to a file of tests. The tests of a scenario also get its variables, so not all is known of them."""

    node: Scalar
    is_of_scenario: bool = False


def named_lists(root: Mapping) -> Iterator[NamedList]:
    """Yield the references to files of cases: a string in place of a list, or in it."""
    for pair in root.pairs:
        if pair.name in CASE_LIST_NAMES:
            yield from (NamedList(node) for node in _texts(pair.value))
        elif pair.name == _SCENARIOS and isinstance(pair.value, Sequence):
            scenarios = (item for item in pair.value.items if isinstance(item, Mapping))
            yield from (NamedList(node, True) for each in scenarios for node in _texts(each.get(_TESTS)))


def _texts(value: Node | None) -> Iterator[Scalar]:
    for node in value.items if isinstance(value, Sequence) else [value]:
        if isinstance(node, Scalar) and node.value:
            yield node


def lists_named_by(path: str, config: Config) -> tuple[str, ...]:
    """Return what a file names as its lists of tests, if its dialect is one that is recognised as a whole."""
    try:
        status = os.stat(path)  # noqa: PTH116 - many paths, all plain strings.
    except (OSError, ValueError):
        return ()
    return _lists_named_by(path, (status.st_mtime_ns, status.st_size), config)


@lru_cache(maxsize=4096)
def _lists_named_by(path: str, _stamp: tuple[int, int], config: Config) -> tuple[str, ...]:
    read = read_text(path, config.limits)
    if (
        not isinstance(read, ReadText)
        or _LIST_KEY.search(read.text) is None
        or not _may_be_configuration(path, read.text)
    ):
        return ()
    root = parse(read.text, limits=config.limits).root
    if not isinstance(root, Mapping):
        return ()
    references = tuple(each.node.value for each in named_lists(root))
    dialect = dialect_of_whole_file(path, read.text, root, config) if references else None
    return references if dialect is not None and dialect.file_marks is not None else ()


def _may_be_configuration(path: str, text: str) -> bool:
    """Return whether a text may be such a configuration, which a parser need not read otherwise."""
    return dialect_by_name(path) is not None or "prompts" in text or "providers" in text or "promptfoo" in text


def dialect_of_whole_file(path: str, text: str, root: Mapping, config: Config) -> Dialect | None:
    """Return the dialect that a comment, the name, or the top-level keys of a file identify."""
    pinned = (each.dialect for each in find_directives(text) if each.at_top)
    pin = next((BY_NAME[name] for name in pinned if name in BY_NAME), None)
    dialect = pin or dialect_by_name(path) or modeline_of(text)
    if dialect is not None:
        return dialect
    names = frozenset(pair.name for pair in root.pairs if pair.name is not None)
    cases = [frozenset(case.index) for each in lists_in(root) for case in each.items if isinstance(case, Mapping)]
    signs = FileSigns(
        may_render_prompts(names, text),
        any("id" in keys for keys in cases) or any(map(is_snake_case, names.union(*cases))),
        is_suite_name(path) or is_ours_by_name(config, path),
        config.dialect,
    )
    found = dialect_by_keys(names, signs)
    return found.dialect if found is not None else None


def lists_in(root: Mapping) -> list[Sequence]:
    """Return the lists of cases that stand in the file itself."""
    return [pair.value for pair in root.pairs if pair.name in CASE_LIST_NAMES and isinstance(pair.value, Sequence)]


def paths_among(references: Collection[str], folder: str, paths: Collection[str]) -> Iterator[str]:
    """Yield those of the paths that the references of a configuration in a folder may mean."""
    for reference in references:
        target = os.path.normpath(os.path.join(folder, reference.strip().removeprefix(FILE_URL)))  # noqa: PTH118 - any text.
        if _MAGIC.search(reference) is None:
            yield from (target,) if target in paths else ()
        else:
            # A `**` may also mean no folder at all.
            pattern = target.replace("**/", "*")
            yield from (path for path in paths if fnmatchcase(path, pattern))
