"""The project around an eval file: which files exist and which targets are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rubric_core.files.naming_suite import NamingSuite
    from rubric_core.files.project import DiskProject

Project: TypeAlias = "KnownProject | DiskProject"
"""Answers of the caller of the check; rules get only the answers and read no files."""


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
