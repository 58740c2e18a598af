"""Finding the files to check.

A folder is walked for YAML and JSON Lines, and for the JSON files that a configuration among these names as its tests,
which come last. Left out are what the configuration excludes, what Git ignores
(`.gitignore` in every folder, also where there is no repository, and `.git/info/exclude`), folders of installed
packages, and folders whose name starts with a dot, except those in which a tool keeps its evals. A path
that the user names is always taken. The order is that of the names, so two runs give the same list.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rubric_core.config.config import DEFAULT, Config, is_excluded, is_ours_by_name, is_within
from rubric_core.dialects.eval_files import has_word, is_cases_name, related_dialect
from rubric_core.dialects.registry import DIALECTS
from rubric_core.files.ignored import Ignored, ignored_above
from rubric_core.text.patterns import lazily

SUFFIXES = (".yaml", ".yml", ".jsonl")
_JSON = ".json"
LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages"})
HIDDEN_BUT_WALKED = frozenset(dialect.marks.names.folder for dialect in DIALECTS)
_BARE_LIST = lazily(r"\ufeff?(?:[ \t]*(?:#[^\n]*)?\r?\n|---[ \t]*\r?\n)*[ \t]*(?:-[ \t\r\n]|\[)")
NOT_AN_EVAL_FILE = "This is not an eval file, so it was not checked."


class Found(NamedTuple):
    """A file to check, with its path as shown. `error` is a sentence to print instead of a file.

    `top` is the named folder that contains the file, if any.
    """

    path: Path
    explicit: bool = False
    error: str | None = None
    top: Path | None = None


def find_files(paths: Iterable[str | os.PathLike[str]], config: Config = DEFAULT) -> Iterator[Found]:
    """Yield the files for paths that the user named, each file once, folder by folder while the walk goes on."""
    walk = _Walk(config)
    for path in map(Path, paths):
        if path.is_dir():
            yield from walk.folder(path)
        elif os.path.lexists(path):
            if walk.is_new(os.path.realpath(path)):
                yield Found(path, explicit=True)
        else:
            yield Found(path, explicit=True, error=f"{path} does not exist.")


def may_be_ours(path: str, text: str, config: Config = DEFAULT) -> bool:
    """Return False if a file cannot be an eval file: it has neither the name nor any of the words of one."""
    is_named_so = is_ours_by_name(config, path) or is_cases_name(path) or related_dialect(path) is not None
    return is_named_so or has_word(text)


def may_be_named(path: str, text: str) -> bool:
    """Return whether a text may be a file of tests that a suite names, whatever its other words are: a bare list."""
    return "var" in text and (path.endswith(".jsonl") or _BARE_LIST.match(text) is not None)


def is_worth_reading(path: str, text: str, config: Config, naming_suite: Callable[[], object | None]) -> bool:
    """Return whether a file may be an eval file: by its name or its words, or because `naming_suite` finds a suite."""
    return may_be_ours(path, text, config) or (may_be_named(path, text) and naming_suite() is not None)


def may_hold_cases(name: str) -> bool:
    """Return whether to read a file by the end of its name; JSON only if the whole name is that of an eval file."""
    lower = name.lower()
    return lower.endswith(SUFFIXES) or (lower.endswith(_JSON) and related_dialect(name) is not None)


class _JsonFile(NamedTuple):
    """A JSON file that nothing names so far: its path as shown, and what decides whether it is included."""

    shown: Path
    entry: os.DirEntry[str]
    ignored: Ignored


class _Walk:
    def __init__(self, config: Config) -> None:
        # The walk uses real paths, so the globs must be relative to the real root.
        self.config = replace(config, root=Path(os.path.realpath(config.root))) if config.root else config
        self.files_seen: set[str] = set()
        self.folders_seen: set[tuple[int, int]] = set()

    def is_new(self, real_path: str) -> bool:
        if real_path in self.files_seen:
            return False
        self.files_seen.add(real_path)
        return True

    def folder(self, top: Path) -> Iterator[Found]:
        real_top = os.path.realpath(top)
        workspace = str(self.config.root) if self.config.root else real_top
        if not is_within(real_top, workspace):
            workspace = real_top
        suites: list[str] = []
        others: dict[str, _JsonFile] = {}
        # A stack instead of recursion: folders may nest deeper than Python's calls.
        stack = [(top, real_top, ignored_above(real_top))]
        while stack:
            shown, real, ignored = stack.pop()
            try:
                status = os.stat(real)  # noqa: PTH116 - strings are kept as strings in this loop.
                if (status.st_dev, status.st_ino) in self.folders_seen:
                    continue
                self.folders_seen.add((status.st_dev, status.st_ino))
                with os.scandir(real) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as error:
                yield Found(shown, error=f"{shown} cannot be listed: {error.strerror}.")
                continue
            here = ignored.with_folder(real)
            folders: list[tuple[Path, str, Ignored]] = []
            for entry in entries:
                if _is(entry.is_dir):
                    target = self._target(entry, workspace, here)
                    if target is not None:
                        folders.append((shown / entry.name, target, here))
                elif may_hold_cases(entry.name) and self._takes_file(entry, workspace, here):
                    suites.append(entry.path)
                    yield Found(shown / entry.name, top=top)
                elif entry.name.endswith(_JSON):
                    others[entry.path] = _JsonFile(shown / entry.name, entry, here)
            stack.extend(reversed(folders))
        for path in self._named_by(suites, others) if others else ():
            shown, entry, here = others[path]
            if self._takes_file(entry, workspace, here):
                yield Found(shown, top=top)

    def _named_by(self, suites: Iterable[str], others: Mapping[str, "_JsonFile"]) -> list[str]:
        """Return which of the other files a configuration near them names."""
        from rubric_core.files.named_lists import lists_named_by, paths_among  # noqa: PLC0415 - most trees need none.

        near = _folders_above(others)
        read = ((folder, lists_named_by(path, self.config)) for path in suites if (folder := _folder_of(path)) in near)
        return sorted({path for folder, named in read if named for path in paths_among(named, folder, others.keys())})

    def _takes_file(self, entry: os.DirEntry[str], workspace: str, ignored: Ignored) -> bool:
        if not _is(entry.is_file) or ignored.holds(entry.path, is_folder=False) or is_excluded(self.config, entry.path):
            return False
        target = self._behind(entry, workspace)
        return target is not None and self.is_new(target)

    def _target(self, entry: os.DirEntry[str], workspace: str, ignored: Ignored) -> str | None:
        """Return the folder of an entry with links resolved, or None if it is not walked."""
        name = entry.name
        if name in LEFT_OUT or (name.startswith(".") and name not in HIDDEN_BUT_WALKED):
            return None
        if ignored.holds(entry.path, is_folder=True) or is_excluded(self.config, entry.path):
            return None
        return self._behind(entry, workspace)

    def _behind(self, entry: os.DirEntry[str], workspace: str) -> str | None:
        """Return the path itself or the target of a link, or None if that is outside of the workspace."""
        if not entry.is_symlink():
            return entry.path
        target = os.path.realpath(entry.path)
        return target if self.config.allow_outside or is_within(target, workspace) else None


def _folder_of(path: str) -> str:
    return os.path.dirname(path)  # noqa: PTH120 - a plain string.


def _folders_above(paths: Iterable[str]) -> set[str]:
    """Return every ancestor folder of the paths."""
    folders: set[str] = set()
    for path in paths:
        folder = _folder_of(path)
        while folder not in folders:
            folders.add(folder)
            folder = _folder_of(folder)
    return folders


def _is(kind: Callable[[], bool]) -> bool:
    """Return whether an entry is of a kind; a link that leads to itself is neither a folder nor a file."""
    try:
        return kind()
    except OSError:
        return False
