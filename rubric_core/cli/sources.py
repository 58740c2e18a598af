"""The files that the command line names, and how their paths are shown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.config.config import is_excluded
from rubric_core.files.walk import Found, find_files

if TYPE_CHECKING:
    from rubric_core.cli.configuration import Configurations

STDIN = "-"
STDIN_SHOWN = "<stdin>"


class InputFile(NamedTuple):
    """A file to check: where it is, how it is called, whether the user named it, how many bytes it has."""

    path: Path
    shown: str
    named: bool
    size: int


class Gathered(NamedTuple):
    """The files to check, and a sentence for each path that leads nowhere."""

    sources: tuple[InputFile, ...]
    failures: tuple[str, ...]


def gather(paths: Sequence[str], configurations: Configurations) -> Gathered:
    """Find the files of the paths that the user named; without any, those of the current folder."""
    sources: dict[str, InputFile] = {}
    failures: list[str] = []
    for found in _find(paths or (".",), configurations):
        if found.error is not None:
            failures.append(found.error)
            continue
        path = _absolute(found.path)
        if found.explicit or not is_excluded(configurations.for_folder(path.parent), str(path)):
            # The same file may be reached through two folders with different configurations.
            sources.setdefault(os.path.realpath(path), InputFile(path, shown_path(path), found.explicit, _size(path)))
    return Gathered(tuple(sources.values()), tuple(failures))


def shown_path(path: Path) -> str:
    """Return a path as it is shown: from the current folder where it lies below, else whole."""
    current = Path.cwd()
    return str(path.relative_to(current) if path.is_relative_to(current) else path)


def stdin_source(name: str | None) -> InputFile:
    """Return standard input as a source; its name decides the configuration and what stands around it."""
    return InputFile(_absolute(Path(name or STDIN_SHOWN)), name or STDIN_SHOWN, named=True, size=0)


def _find(paths: Sequence[str], configurations: Configurations) -> Iterator[Found]:
    for path in paths:
        absolute = _absolute(Path(path))
        folder = absolute if absolute.is_dir() else absolute.parent
        yield from find_files([path], configurations.for_folder(folder))


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - `Path.absolute` keeps `..`, `resolve` follows links.


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
