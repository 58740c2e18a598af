"""The files that the command line names, how their paths are shown, and the configuration of each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from rubric_core.cli.output import CouldNotRun, suggestion
from rubric_core.config.config import DEFAULT, Config, Overrides, is_excluded, known_rules, merged, names_rule
from rubric_core.files.project import DiskProject, workspace_root
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import Found, find_files

if TYPE_CHECKING:
    from rubric_core.files.configuration import LoadedConfig

STDIN = "-"
STDIN_SHOWN = "<stdin>"
# The names that `rubric_core.files.configuration` searches for; testing for them here saves most runs its import.
CONFIG_FILES = ("rubric.toml", "pyproject.toml")


class ConfigRequest(NamedTuple):
    """The options about the configuration; a plain value, so that it can be sent to another process."""

    file: Path | None = None
    isolated: bool = False
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()


class Configurations:
    """The configurations of a run, each loaded once."""

    def __init__(self, request: ConfigRequest) -> None:
        self.request = request
        self._by_folder: dict[Path, Config] = {}
        self._by_file: dict[Path, LoadedConfig] = {}

    def for_folder(self, folder: Path) -> Config:
        """Return the configuration of the files in a folder, with the command line on top."""
        if folder not in self._by_folder:
            self._by_folder[folder] = self._find(folder)
        return self._by_folder[folder]

    def loaded(self) -> list[LoadedConfig]:
        """Return the configuration files that were used, in the order of their first use."""
        return list(self._by_file.values())

    def _find(self, folder: Path) -> Config:
        request, loaded = self.request, None
        if request.file is not None and not request.isolated:
            path = request.file.absolute()
            loaded = self._by_file.get(path) or _load_named(path)
        elif not request.isolated and any((folder / name).is_file() for name in CONFIG_FILES):
            from rubric_core.files.configuration import load_config  # noqa: PLC0415 - most folders have no configuration.

            loaded = load_config(folder, known_rules())
        elif not request.isolated and folder.parent != folder:
            # The configuration of the folder above applies, which a walk has loaded already.
            return self.for_folder(folder.parent)
        if loaded is not None and loaded.path is not None:
            loaded = self._by_file.setdefault(loaded.path, loaded)
        config = DEFAULT if loaded is None else loaded.config
        return merged(config, Overrides(select=request.select, ignore=request.ignore))


def rules_option(values: Sequence[str]) -> frozenset[str]:
    """Read a repeatable option of comma-separated rules; an unknown rule ends the command."""
    words = frozenset(word.strip() for value in values for word in value.split(",") if word.strip())
    rules = known_rules() if words else ()
    for word in sorted(words):
        if not names_rule(word, rules):
            hint = suggestion(word, rules, "Run `rubric rules` to list all rules.")
            raise click.UsageError(f"Unknown rule `{word}`. {hint}")
    return words


def _load_named(path: Path) -> LoadedConfig:
    from rubric_core.files.configuration import parse_config  # noqa: PLC0415 - the same.

    read = read_text(path, DEFAULT.limits)
    if not isinstance(read, ReadText):
        raise CouldNotRun(f"{path}: {read.message}")
    return parse_config(read.text, path, known_rules())


class InputFile(NamedTuple):
    """A file to check: its path, how that is shown, whether the user named it, its size, and the named folder above."""

    path: Path
    shown: str
    named: bool
    size: int
    top: Path | None = None

    def project(self, config: Config) -> DiskProject:
        """Return the project around the file."""
        return DiskProject(self.path, config, workspace_root(self.path.parent, config, self.top))


def find_inputs(
    paths: Sequence[str], configurations: Configurations, *, skip_unknown: bool = False
) -> tuple[tuple[InputFile, ...], tuple[str, ...]]:
    """Return the files below the paths (default: the current folder), and a message for each path without files.

    With `skip_unknown` a named file is treated like one in a named folder.
    """
    sources: dict[str, InputFile] = {}
    failures: list[str] = []
    for file in _walk(paths or (".",), configurations):
        if file.error is not None:
            failures.append(file.error)
            continue
        path = _absolute(file.path)
        top = _absolute(file.top) if file.top is not None else None
        if file.explicit or not is_excluded(configurations.for_folder(path.parent), str(path)):
            # The same file may be reached through two folders with different configurations.
            named = file.explicit and not skip_unknown
            sources.setdefault(os.path.realpath(path), InputFile(path, shown_path(path), named, _size(path), top))
    return tuple(sources.values()), tuple(failures)


def shown_path(path: Path) -> str:
    """Return a path relative to the current folder if it lies below, else the whole path."""
    current = Path.cwd()
    return str(path.relative_to(current) if path.is_relative_to(current) else path)


def stdin_source(name: str | None, *, skip_unknown: bool = False) -> InputFile:
    """Return standard input as a source; its name selects the configuration and the project."""
    return InputFile(_absolute(Path(name or STDIN_SHOWN)), name or STDIN_SHOWN, named=not skip_unknown, size=0)


def _walk(paths: Sequence[str], configurations: Configurations) -> Iterator[Found]:
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
