"""Which configuration counts for which file, as the command line asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rubric_core.cli.failures import CouldNotRun
from rubric_core.config.config import DEFAULT, Overrides, merged, names_rule
from rubric_core.config.load import OWN_FILE, SHARED_FILE, LoadedConfig, load_config, parse_config
from rubric_core.files.read import ReadText, read_text
from rubric_core.report.reports import FileReport
from rubric_core.schema.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rubric_core.config.config import Config


@dataclass(frozen=True, slots=True)
class ConfigRequest:
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
        request = self.request
        if not request.isolated and request.file is None and folder.parent != folder and not _has_file(folder):
            # What counts for the folder above counts here, and is known already when a tree is walked.
            return self.for_folder(folder.parent)
        loaded = self._load(folder)
        if loaded.path is not None:
            loaded = self._by_file.setdefault(loaded.path, loaded)
        return merged(loaded.config, Overrides(select=request.select, ignore=request.ignore))

    def _load(self, folder: Path) -> LoadedConfig:
        if self.request.isolated:
            return LoadedConfig(DEFAULT)
        if self.request.file is not None:
            return self._by_file.get(self.request.file) or _load_named(self.request.file)
        return load_config(folder, known_rules())


def _has_file(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (OWN_FILE, SHARED_FILE))


def known_rules() -> tuple[str, ...]:
    """Return the codes and names of all rules."""
    from rubric_core.rules.registry import RULES  # noqa: PLC0415 - it imports all rules.

    return tuple(word for rule in RULES for word in (rule.code, rule.name))


def rules_option(values: Sequence[str]) -> frozenset[str]:
    """Read a repeatable option of comma-separated rules; a word that is no rule ends the command."""
    words = frozenset(word.strip() for value in values for word in value.split(",") if word.strip())
    known = known_rules() if words else ()
    for word in sorted(words):
        if not names_rule(word, known):
            instead = closest(word, known)
            hint = f"Did you mean `{instead}`?" if instead else "`rubric rules` lists them."
            raise click.UsageError(f"There is no rule `{word}`. {hint}")
    return words


def config_report(loaded: LoadedConfig, shown: str) -> FileReport:
    """Return what is wrong with a configuration file as a report like any other."""
    return FileReport(shown, loaded.text, loaded.problems)


def _load_named(path: Path) -> LoadedConfig:
    read = read_text(path, DEFAULT.limits)
    if not isinstance(read, ReadText):
        raise CouldNotRun(f"{path}: {read.message}")
    return parse_config(read.text, path, known_rules())
