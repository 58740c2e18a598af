"""The folders that are open in the editor, and the eval files in them that are not."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol.types import Range

from rubric_core.config.config import Config, Overrides, known_rules, merged
from rubric_core.files.project import DiskProject
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import find_files, may_be_named, may_be_ours
from rubric_server.convert import Client, path_of, uri_of
from rubric_server.encoded import Encoder

if TYPE_CHECKING:
    from rubric_core.files.configuration import LoadedConfig

# If a client does not report new files, they are searched for again after this many seconds.
_LOOK_AGAIN = 10.0


class Stamp(NamedTuple):
    """The state of a file: when its text and when anything of it changed last, and its size."""

    modified: int
    changed: int
    size: int


def stamp_of(path: Path) -> Stamp | None:
    """Return the current state of a file; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_mtime_ns, status.st_ctime_ns, status.st_size)


def loaded_config(folder: Path) -> LoadedConfig:
    """Return the configuration file that applies to a folder, with its problems."""
    from rubric_core.files.configuration import load_config  # noqa: PLC0415 - a start has no time for it.

    return load_config(folder, known_rules())


class RememberedProject(DiskProject):
    """The project of a file with its answers so far, so that the file is checked again only after one changes."""

    def __init__(self, path: str, config: Config) -> None:
        super().__init__(path, config)
        # None for a file that could not be read.
        self._texts: dict[str, str | None] = {}
        # Whether two answers about a path differ, so that a part of the file was checked with the older one.
        self._contradicted = False

    def files(self, paths: frozenset[str]) -> dict[str, bool | None]:
        """Return which of the paths exist. A missing file is searched for again."""
        earlier = {path: self._answers[path] for path in paths & self._answers.keys()}
        self.forget_missing(paths)
        answers = super().files(paths)
        self._contradicted |= any(answers[path] != answer for path, answer in earlier.items())
        return answers

    def texts(self, paths: frozenset[str]) -> dict[str, str]:
        """Return the texts of those files that can be read."""
        texts = super().texts(paths)
        self._contradicted |= any(texts.get(path) != self._texts[path] for path in paths & self._texts.keys())
        self._texts.update({path: texts.get(path) for path in paths})
        return texts

    def is_unchanged(self) -> bool:
        """Read the disk again and return whether every answer, old or new, would be the same."""
        if self._contradicted:
            return False
        current = DiskProject(self._path, self._config, self._root)
        texts = current.texts(frozenset(self._texts))
        return (
            all(
                getattr(current, name) == vars(self)[name] for name in ("naming_suite", "targets") if name in vars(self)
            )
            and all(texts.get(path) == text for path, text in self._texts.items())
            and current.files(frozenset(self._answers)) == self._answers
        )


class Report(NamedTuple):
    """The diagnostics of a file that is not open, as JSON text, and all that they depend on."""

    stamp: Stamp
    config: Config
    diagnostics: str = ""
    is_ours: bool = False
    # The answers about the files around it, if any were requested.
    project: RememberedProject | None = None
    # How many changes on the disk had been reported when these were last valid.
    changes: int = 0

    @property
    def result_id(self) -> str:
        """Return the name by which a client remembers this report."""
        return f"{self.stamp.modified}-{self.stamp.size}-{hash(self.diagnostics)}"


class CaseNames(NamedTuple):
    """The ids of the cases of a file that is not open, and what they depend on."""

    stamp: Stamp
    config: Config
    cases: tuple[tuple[str, Range], ...]


class Workspace:
    """The open folders, with cached lists, configurations and reports of their files."""

    def __init__(self) -> None:
        self.folders: dict[str, Path] = {}
        self._files: list[Path] | None = None
        self._listed_at = 0.0
        # How many changes of the folders or on the disk there were, so that long work detects that it is out of date.
        self._changes = 0
        self._configs: dict[Path, LoadedConfig] = {}
        self._reports: dict[Path, Report] = {}
        self.case_names: dict[Path, CaseNames] = {}

    def open(self, uris: Iterable[str]) -> None:
        """Add folders."""
        self.folders.update({uri: Path(path) for uri in uris if (path := path_of(uri))})
        self._list_again()

    def close(self, uris: Iterable[str]) -> None:
        """Remove folders."""
        for uri in uris:
            self.folders.pop(uri, None)
        self._list_again()

    @property
    def first_folder(self) -> Path:
        """Return the first open folder, or the folder in which the server was started."""
        return next(iter(self.folders.values()), Path.cwd())

    def project_of(self, path: str) -> Path:
        """Return the folder of a file's project, whose store has its gradings.

        It is the one that the command line finds from the file's folder, if it lies in the innermost open folder around
        the file; else this open folder, or the file's own.
        """
        from rubric_core.grading.workspace import find_project  # noqa: PLC0415 - most files are not graded.

        own = Path(path).parent
        around = [folder for folder in self.folders.values() if own.is_relative_to(folder)]
        opened = max(around, key=lambda folder: len(folder.parts), default=own)
        project = find_project(own)
        return project if project is not None and project.is_relative_to(opened) else opened

    def forget(self) -> None:
        """Read the disk again at the next request. Reports are kept, since each has the values that it depends on."""
        self._list_again()
        self._configs.clear()

    def _list_again(self) -> None:
        self._files = None
        self._changes += 1

    def files(self, overrides: Overrides, *, watched: bool) -> Iterator[Path]:
        """Yield the files that may be eval files; they are listed again only after something changed."""
        if self._files is None or (not watched and monotonic() - self._listed_at > _LOOK_AGAIN):
            changes = self._changes
            paths: list[Path] = []
            for path in self._walk(overrides):
                paths.append(path)
                yield path
            # Only a complete walk is cached, and only if nothing changed during it.
            if self._changes == changes:
                self._remember(paths)
        else:
            yield from self._files

    def _walk(self, overrides: Overrides) -> Iterator[Path]:
        """Yield each file once, since a folder of the workspace may lie in another one."""
        seen: set[str] = set()
        # Folders may be added and removed during the walk.
        for folder in list(self.folders.values()):
            for file in find_files([folder], self.config_in(folder, overrides)):
                real_path = os.path.realpath(file.path)
                if file.error is None and real_path not in seen:
                    seen.add(real_path)
                    yield file.path

    def _remember(self, files: list[Path]) -> None:
        """Cache the list of all files, and remove the reports of files that are not in it."""
        self._files = files
        self._listed_at = monotonic()
        for cache in (self._reports, self.case_names):
            for path in cache.keys() - files:
                del cache[path]

    def report(self, path: Path, overrides: Overrides, client: Client) -> Generator[None, None, Report | None]:
        """Return the diagnostics of a file that is not open, found in steps if they may have changed; None if gone."""
        stamp = stamp_of(path)
        if stamp is None:
            return None
        config = self.config_in(path.parent, overrides)
        changes = self._changes
        cached = self._reports.get(path)
        if cached is None or (cached.stamp, cached.config) != (stamp, config) or not self._is_current(cached):
            cached = yield from _check(path, stamp, config, client)
        self._reports[path] = cached = cached._replace(changes=changes)
        return cached

    def _is_current(self, report: Report) -> bool:
        """Return whether the project around a file is unchanged; the disk is read once after each change."""
        return report.project is None or report.changes == self._changes or report.project.is_unchanged()

    def config_in(self, folder: Path, overrides: Overrides) -> Config:
        """Return the configuration that applies to a folder; its file is read once."""
        if folder not in self._configs:
            self._configs[folder] = loaded_config(folder)
        return merged(self._configs[folder].config, overrides)

    def configurations(self) -> list[LoadedConfig]:
        """Return the configuration files that were used, each once."""
        return list({loaded.path: loaded for loaded in self._configs.values() if loaded.path is not None}.values())


def _check(path: Path, stamp: Stamp, config: Config, client: Client) -> Generator[None, None, Report]:
    read = read_text(path, config.limits)
    if not isinstance(read, ReadText):
        return Report(stamp, config)
    is_ours = may_be_ours(str(path), read.text, config)
    if not is_ours and not may_be_named(str(path), read.text):
        return Report(stamp, config)
    project = RememberedProject(str(path), config)
    if not is_ours and project.naming_suite is None:
        return Report(stamp, config, project=project)
    from rubric_core.analysis.check import analyse  # noqa: PLC0415 - it imports the rules.

    yield
    analysis = analyse(read.text, path=str(path), config=config, project=project)
    while analysis.step():
        yield
    if not analysis.owns_anything:
        return Report(stamp, config)
    diagnostics = ", ".join(Encoder(uri_of(path), client).encode(analysis))
    return Report(stamp, config, diagnostics, is_ours=True, project=project)
