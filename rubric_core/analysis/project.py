"""The project around an eval file: which files exist and which targets are known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Protocol

from rubric_core.files.naming_suite import NamingSuite


class Project(Protocol):
    """Information from the caller of the check; rules get only the answers and read no files."""

    def files(self, paths: frozenset[str]) -> Mapping[str, bool | None]:
        """Return whether each path exists, or matches a file with its `*`; None if it must not be checked."""
        ...

    def texts(self, paths: frozenset[str]) -> Mapping[str, str]:
        """Return the texts of those files that can be read."""
        ...

    def entries(self, folder: str) -> tuple[str, ...]:
        """Return the entries of a folder, relative to the eval file's; folders end with a slash."""
        ...

    @property
    def targets(self) -> frozenset[str] | None:
        """Return the names of the known targets; None without a list of them."""
        ...

    @property
    def dialect(self) -> str | None:
        """Return the name of the dialect of the files around the eval file, if they have one."""
        ...

    @property
    def naming_suite(self) -> NamingSuite | None:
        """Return the suite that names the eval file as one of its files of cases."""
        ...


@dataclass(frozen=True, slots=True)
class KnownProject:
    """Project that never changes; without arguments it is empty, and nothing is reported as missing."""

    known: frozenset[str] | None = None
    targets: frozenset[str] | None = None
    dialect: str | None = None
    naming_suite: NamingSuite | None = None

    contents: Mapping[str, str] = field(default_factory=dict, hash=False)

    def texts(self, paths: frozenset[str]) -> Mapping[str, str]:
        """Return the texts of those files whose contents are known."""
        return {path: self.contents[path] for path in paths if path in self.contents}

    def entries(self, folder: str) -> tuple[str, ...]:
        """Return the names in a folder of the known paths."""
        below = (path.removeprefix(folder) for path in self.known or () if path.startswith(folder))
        return tuple(sorted({name + slash for name, slash, _ in (path.partition("/") for path in below)}))

    def files(self, paths: frozenset[str]) -> Mapping[str, bool | None]:
        """Return whether each path is among the known ones, or a pattern matches one."""
        existing = self.known
        if existing is None:
            return dict.fromkeys(paths)
        return {
            path: any(fnmatchcase(name, path) for name in existing) if "*" in path else path in existing
            for path in paths
        }


NO_PROJECT = KnownProject()
