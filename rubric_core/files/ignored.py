"""What Git ignores: the patterns of `.gitignore` files and of `.git/info/exclude`.

The nearest file decides first, and within a file the last pattern that matches. A user's global ignore file
is not read, so that two machines check the same files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class _Patterns(NamedTuple):
    folder: str
    spec: GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Ignored:
    """The patterns that hold in one folder, the nearest first."""

    patterns: tuple[_Patterns, ...] = ()

    def with_folder(self, folder: str) -> Ignored:
        """Return the patterns that hold in a folder inside of this one."""
        own = _read(folder, Path(folder, ".gitignore"))
        return Ignored((*own, *self.patterns)) if own else self

    def holds(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether a path is ignored; its folders are known not to be."""
        for folder, spec in self.patterns:
            relative = path[len(folder) :].replace(os.sep, "/").lstrip("/")
            verdict = _verdict(spec, relative, is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False


def ignored_above(folder: str) -> Ignored:
    """Return the patterns that reach a folder from the repository around it, its own file not included."""
    above = Path(folder)
    inner: list[_Patterns] = []
    for candidate in (above, *above.parents):
        if candidate != above:
            inner += _read(str(candidate), candidate / ".gitignore")
        if (candidate / ".git").exists():
            inner += _read(str(candidate), candidate / ".git" / "info" / "exclude")
            return Ignored(tuple(inner))
    # Outside of a repository the folders above say nothing about this one.
    return Ignored()


def _verdict(spec: GitIgnoreSpec, relative: str, *, is_folder: bool) -> bool | None:
    """Return what the last matching pattern says, or None where none matches."""
    return spec.check_file(relative + "/" if is_folder else relative).include


def _read(folder: str, path: Path) -> list[_Patterns]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff").splitlines()
    except OSError:
        return []
    if all(not line.strip() or line.startswith("#") for line in lines):
        return []
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only a walk with ignore files needs it.

    return [_Patterns(folder, _spec(GitIgnoreSpec, lines))]


def _spec(make: type[GitIgnoreSpec], lines: list[str]) -> GitIgnoreSpec:
    try:
        return make.from_lines(lines)
    except ValueError:
        # One line that is no pattern must not cost the others.
        return make.from_lines(line for line in lines if _is_pattern(make, line))


def _is_pattern(make: type[GitIgnoreSpec], line: str) -> bool:
    try:
        make.from_lines([line])
    except ValueError:
        return False
    return True
