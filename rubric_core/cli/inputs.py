"""The files that the command line names, how their paths are shown, and the configuration that counts for each."""

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
# The names under which `rubric_core.files.configuration` looks; asking for them here spares most runs its import.
CONFIG_FILES = ("rubric.toml", "pyproject.toml")


class ConfigRequest(NamedTuple):
    """What the command line says about the configuration; a plain value, so that it can go to another process."""

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
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._find(folder)
        return found

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
            # What counts for the folder above counts here, and is known already when a tree is walked.
            return self.for_folder(folder.parent)
        if loaded is not None and loaded.path is not None:
            loaded = self._by_file.setdefault(loaded.path, loaded)
        config = DEFAULT if loaded is None else loaded.config
        return merged(config, Overrides(select=request.select, ignore=request.ignore))


def rules_option(values: Sequence[str]) -> frozenset[str]:
    """Read a repeatable option of comma-separated rules; a word that is no rule ends the command."""
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
    """A file to check: where it is, how it is called, whether the user named it, how many bytes it has.

    `top` is the folder that the user named, where the file was found in one.
    """

    path: Path
    shown: str
    named: bool
    size: int
    top: Path | None = None

    def project(self, config: Config) -> DiskProject:
        """Return what is around the file."""
        return DiskProject(self.path, config, workspace_root(self.path.parent, config, self.top))


def find_inputs(
    paths: Sequence[str], configurations: Configurations, *, skip_unknown: bool = False
) -> tuple[tuple[InputFile, ...], tuple[str, ...]]:
    """Return the files below the paths (default: the current folder), and a message for each path that has none.

    With `skip_unknown` a file that is named counts like one that is found in a folder.
    """
    sources: dict[str, InputFile] = {}
    failures: list[str] = []
    for found in _find(paths or (".",), configurations):
        if found.error is not None:
            failures.append(found.error)
            continue
        path = _absolute(found.path)
        top = _absolute(found.top) if found.top is not None else None
        if found.explicit or not is_excluded(configurations.for_folder(path.parent), str(path)):
            # The same file may be reached through two folders with different configurations.
            named = found.explicit and not skip_unknown
            sources.setdefault(os.path.realpath(path), InputFile(path, shown_path(path), named, _size(path), top))
    return tuple(sources.values()), tuple(failures)


def shown_path(path: Path) -> str:
    """Return a path as it is shown: from the current folder where it lies below, else whole."""
    current = Path.cwd()
    return str(path.relative_to(current) if path.is_relative_to(current) else path)


def stdin_source(name: str | None, *, skip_unknown: bool = False) -> InputFile:
    """Return standard input as a source; its name decides the configuration and what is around it."""
    return InputFile(_absolute(Path(name or STDIN_SHOWN)), name or STDIN_SHOWN, named=not skip_unknown, size=0)


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
