"""The project around an eval file: which referenced files exist, and which targets are known.

Nothing outside of the workspace is read unless the configuration allows it.
"""

import glob
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from rubric_core.config.config import DEFAULT, Config, is_within
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.case_files import CaseFile, find_case_files
from rubric_core.files.definition_files import (
    SETTINGS_FILES,
    TARGETS_FILES,
    dialect_with,
    file_with_definitions,
    key_of_file,
    may_define,
    read_targets,
)
from rubric_core.files.naming_suite import NamingSuite, find_naming_suite
from rubric_core.files.read import ReadText, read_text


class DiskProject:
    """The project of one eval file. Results are cached; a new project is needed after a change on the disk."""

    def __init__(self, path: str | os.PathLike[str], config: Config = DEFAULT, root: Path | None = None) -> None:
        self._config = config
        self._folder = Path(os.path.abspath(path)).parent  # noqa: PTH100 - links are judged later, one by one.
        self._root = Path(os.path.abspath(root)) if root else workspace_root(self._folder, config)  # noqa: PTH100 - same.
        self._real_root = os.path.realpath(self._root)
        self._answers: dict[str, bool | None] = {}
        self._path = os.path.join(self._folder, os.path.basename(path))  # noqa: PTH118, PTH119 - the same.

    def files(self, paths: frozenset[str]) -> dict[str, bool | None]:
        """Return whether each path, as written in the eval file, exists; None if it must not be checked."""
        for path in paths - self._answers.keys():
            self._answers[path] = self._exists(path)
        return {path: self._answers[path] for path in paths}

    @cached_property
    def targets(self) -> frozenset[str] | None:
        """Return the names of the targets, or None without a targets file."""
        read = [read_text(path, self._config.limits) for path in self.target_files()]
        texts = [file.text for file in read if isinstance(file, ReadText)]
        known = [names for names in (read_targets(text, self._config.limits) for text in texts) if names is not None]
        # If a file cannot be read, the names are unknown.
        return frozenset(self._config.targets).union(*known) if known and len(known) == len(read) else None

    @property
    def dialect(self) -> str | None:
        """Return the dialect of the nearest targets or providers file."""
        return next((dialect_with(key_of_file(path.as_posix())) for path in self.target_files()), None)

    @cached_property
    def naming_suite(self) -> NamingSuite | None:
        """Return the suite near this file that names it as a file of cases."""
        hint = lambda suite: BY_NAME.get(DiskProject(suite, self._config, self._root).dialect or "")  # noqa: E731
        return find_naming_suite(self._path, str(self._root), self._config, self._may_look_at, hint)

    def texts(self, paths: frozenset[str]) -> dict[str, str]:
        """Return the texts of those files that exist and can be read."""
        files = {path: file for path in paths if (file := self.find(path)) is not None}
        read = {path: read_text(file, self._config.limits) for path, file in files.items()}
        return {path: file.text for path, file in read.items() if isinstance(file, ReadText)}

    def entries(self, folder: str) -> tuple[str, ...]:
        """Return the visible entries of a folder, relative to the eval file's; folders end with a slash."""
        path = os.path.normpath(os.path.join(self._folder, folder))  # noqa: PTH118 - as the user typed it.
        if not self._may_look_at(path):
            return ()
        try:
            with os.scandir(path) as entries:
                names = [entry.name + "/" * entry.is_dir() for entry in entries if not entry.name.startswith(".")]
        except (OSError, ValueError):
            return ()
        return tuple(sorted(names))

    def case_files(self, reference: str) -> tuple[CaseFile, ...]:
        """Return the files with cases that a suite refers to, except those that must not be read."""
        return find_case_files(reference, str(self._folder), self._may_look_at, self._config.limits)

    def find(self, reference: str) -> str | None:
        """Return the path of the file of a reference; None if there is none that may be read."""
        for candidate in self._allowed_candidates(reference):
            if os.path.isfile(candidate):  # noqa: PTH113 - a string that may hold anything the user typed.
                return candidate if self._is_allowed_really(candidate) else None
        return None

    def targets_file(self) -> Path | None:
        """Return the targets file of the eval file: the nearest one above it."""
        return self._nearest(TARGETS_FILES)

    def target_files(self) -> tuple[Path, ...]:
        """Return the files that define targets for the eval file: the targets file, and that of the tool's settings."""
        return tuple(dict.fromkeys(filter(None, (self.targets_file(), self._settings_with_targets()))))

    def _settings_with_targets(self) -> Path | None:
        """Return the nearest settings of the tool if they have a list of targets, or the file that they name."""
        path = self._nearest(SETTINGS_FILES)
        read = read_text(path, self._config.limits) if path is not None else None
        if path is None or not isinstance(read, ReadText) or not may_define(read.text):
            return None
        named = file_with_definitions(read.text, self._config.limits)
        if named is not None:
            other = Path(os.path.normpath(path.parent / named))
            return other if self._may_look_at(str(other)) and other.is_file() else None
        return path if read_targets(read.text, self._config.limits) is not None else None

    def _nearest(self, names: tuple[str, ...]) -> Path | None:
        for folder in (self._folder, *self._folder.parents):
            for name in names:
                path = folder / name
                if path.is_file() and self._is_allowed_really(str(path)):
                    return path
            if folder == self._root:
                break
        return None

    def _may_look_at(self, path: str) -> bool:
        return self._is_allowed(path) and self._is_allowed_really(path)

    def forget_missing(self, paths: frozenset[str]) -> None:
        """Forget which of the paths did not exist, so that they are searched for again."""
        for path in paths:
            if self._answers.get(path) is False:
                del self._answers[path]

    def _exists(self, reference: str) -> bool | None:
        """Try the eval file's folder and each folder above it, up to the root of the workspace."""
        if "*" in reference:
            return self._has_match(reference)
        looked = False
        for candidate in self._allowed_candidates(reference):
            looked = True
            if os.path.exists(candidate):  # noqa: PTH110 - a string that may hold anything the user typed.
                # The target of a link may be outside of the workspace, and is not revealed then.
                return True if self._is_allowed_really(candidate) else None
        return False if looked else None

    def _has_match(self, pattern: str) -> bool | None:
        """Return whether a file matches a pattern relative to the eval file; None if it must not be searched for."""
        path = os.path.normpath(os.path.join(self._folder, pattern))  # noqa: PTH118 - as the user typed it.
        # Walking all folders below one may take long, and links may form cycles.
        if "**" in path or "\0" in path or not self._is_allowed(path):
            return None
        matches = list(glob.iglob(path))  # noqa: PTH207 - a string that may hold anything the user typed.
        return any(map(self._is_allowed_really, matches)) or (None if matches else False)

    def _allowed_candidates(self, reference: str) -> Iterator[str]:
        return (candidate for candidate in self._candidates(reference) if self._is_allowed(candidate))

    def _candidates(self, reference: str) -> Iterator[str]:
        if os.path.isabs(reference):  # noqa: PTH117 - the same.
            yield os.path.normpath(reference)
            # A leading slash is also used for the root of the workspace.
            below = os.path.normpath(os.path.join(self._root, reference.lstrip("/\\")))  # noqa: PTH118 - the same.
            if self._is_allowed(below) and os.path.exists(below):  # noqa: PTH110 - the same.
                yield below
            return
        for folder in (self._folder, *self._folder.parents):
            yield os.path.normpath(os.path.join(folder, reference))  # noqa: PTH118 - the same.
            if folder == self._root:
                return

    def _is_allowed(self, path: str) -> bool:
        return self._config.allow_outside or is_within(path, str(self._root))

    def _is_allowed_really(self, path: str) -> bool:
        if self._config.allow_outside:
            return True
        # A path with a null character raises an error.
        return "\0" not in path and is_within(os.path.realpath(path), self._real_root)


def workspace_root(folder: Path, config: Config = DEFAULT, top: Path | None = None) -> Path:
    """Return the folder that paths must not leave: that of the configuration, the repository, the targets or the file.

    `top`, a folder that the user named to have all files in it checked, takes the place of the file's folder. Targets
    in the home folder do not open all of it to the paths of a file, nor does naming it.
    """
    if config.root is not None and folder.is_relative_to(config.root):
        return config.root
    around = (folder, *folder.parents)
    repository = next((above for above in around if (above / ".git").exists()), None)
    if repository is not None:
        return repository
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - it raises nothing where there is no home.
    below_home = (above for above in around if above != home)
    with_targets = (above for above in below_home if any((above / name).is_file() for name in TARGETS_FILES))
    is_named = top is not None and top in around and not home.is_relative_to(top)
    return next(with_targets, top if top is not None and is_named else folder)
