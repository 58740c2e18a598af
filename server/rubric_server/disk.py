"""What is known of the disk around one open file, and whether it is still true."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.config.config import Config, known_rules
from rubric_core.files.project import DiskProject

if TYPE_CHECKING:
    from rubric_core.files.configuration import LoadedConfig


def loaded_config(folder: Path) -> LoadedConfig:
    """Return the configuration file that counts in a folder, with what is wrong with it."""
    from rubric_core.files.configuration import load_config  # noqa: PLC0415 - a start has no time for it.

    return load_config(folder, known_rules())


class RememberedProject:
    """The project of a file. They remember what they said, so that only a different answer costs work."""

    def __init__(self, path: str, config: Config) -> None:
        self.disk = DiskProject(path, config)
        self._said: dict[str, bool | None] = {}
        # Whether a question was answered in two ways, so that some of the file was checked with the older answer.
        self._contradicted = False
        self._targets = self.disk.targets

    def files(self, paths: frozenset[str]) -> Mapping[str, bool | None]:
        """Tell which of the paths exist. A file that was missing is looked for again: it may be there by now."""
        self.disk.forget_missing(paths)
        answers = self.disk.files(paths)
        self._contradicted = self._contradicted or any(
            self._said.get(path, answer) != answer for path, answer in answers.items()
        )
        self._said.update(answers)
        return answers

    @property
    def targets(self) -> frozenset[str] | None:
        """Return the names of the known targets."""
        return self._targets

    def are_still_true(self) -> bool:
        """Look at the disk again and tell whether every answer, old or new, would be the same."""
        if self._contradicted:
            return False
        self.disk.forget()
        return self.disk.targets == self._targets and self.disk.files(frozenset(self._said)) == self._said
