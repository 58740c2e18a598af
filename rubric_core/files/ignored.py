"""The files that Git ignores by the patterns of `.gitignore` files and of `.git/info/exclude`.

The nearest file with a matching pattern decides, by its last such pattern. A user's global ignore file is not read, so
that all machines check the same files.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from rubric_core.config.config import glob_expression


class _Pattern(NamedTuple):
    matcher: re.Pattern[str]
    ignores: bool
    only_folders: bool


class _Patterns(NamedTuple):
    """The patterns of one file, the last first, and the folder that they are relative to."""

    folder: str
    patterns: tuple[_Pattern, ...]

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Return the verdict of the last matching pattern, or None if none matches."""
        relative = path[len(self.folder) :].replace(os.sep, "/").lstrip("/")
        for matcher, ignores, only_folders in self.patterns:
            if (is_folder or not only_folders) and matcher.fullmatch(relative):
                return ignores
        return None


class Ignored(NamedTuple):
    """The patterns that apply in one folder, the nearest file first."""

    files: tuple[_Patterns, ...] = ()

    def with_folder(self, folder: str) -> Ignored:
        """Return the patterns that apply in a folder inside of this one."""
        own = _read(folder, Path(folder, ".gitignore"))
        return Ignored((*own, *self.files)) if own else self

    def holds(self, path: str, *, is_folder: bool) -> bool:
        """Return whether a path is ignored, given that its folders are not."""
        verdicts = (patterns.verdict(path, is_folder=is_folder) for patterns in self.files)
        return next((verdict for verdict in verdicts if verdict is not None), False)


def ignored_above(folder: str) -> Ignored:
    """Return the patterns for a folder from the repository around it, without its own file."""
    start = Path(folder)
    files: list[_Patterns] = []
    for candidate in (start, *start.parents):
        if candidate != start:
            files += _read(str(candidate), candidate / ".gitignore")
        if (candidate / ".git").exists():
            files += _read(str(candidate), candidate / ".git" / "info" / "exclude")
            return Ignored(tuple(files))
    # Outside of a repository, files of folders above do not apply.
    return Ignored()


def _read(folder: str, path: Path) -> list[_Patterns]:
    # Opening a pipe could wait for ever.
    if not path.is_file():
        return []
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return []
    parsed = (_parsed(line) for line in reversed(text.removeprefix("\ufeff").splitlines()))
    patterns = tuple(pattern for pattern in parsed if pattern is not None)
    return [_Patterns(folder, patterns)] if patterns else []


def _parsed(line: str) -> _Pattern | None:
    """Return the pattern of one line, or None for comments and for lines that can match nothing."""
    if line.startswith("#"):
        return None
    body = line.rstrip(" ")
    if body.endswith("\\") and body != line:
        # An escaped space belongs to the name.
        body += " "
    ignores = not body.startswith("!")
    body = body.removeprefix("!")
    if not body.strip("/"):
        return None
    return _Pattern(re.compile(glob_expression(body), re.DOTALL), ignores, body.endswith("/"))
