"""What is known of the disk around one open file, and whether it is still true."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.config.config import DEFAULT
from rubric_core.config.load import load_config
from rubric_core.files.look import DiskSurroundings
from rubric_core.rules.registry import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.config.config import Config

_KNOWN = tuple(word for rule in RULES for word in (rule.code, rule.name))


def config_of(path: str) -> Config:
    """Return the configuration that counts for a file; a text without a file gets the default."""
    return load_config(Path(path).parent, _KNOWN).config if path else DEFAULT


class RememberedSurroundings:
    """The surroundings of a file. They remember what they said, so that only a different answer costs work."""

    def __init__(self, path: str, config: Config) -> None:
        self._disk = DiskSurroundings(path, config)
        self._said: dict[str, bool | None] = {}
        self._targets = self._disk.targets

    def files(self, paths: frozenset[str]) -> Mapping[str, bool | None]:
        """Tell which of the paths exist."""
        answers = self._disk.files(paths)
        self._said.update(answers)
        return answers

    @property
    def targets(self) -> frozenset[str] | None:
        """Return the names of the known targets."""
        return self._targets

    def are_still_true(self) -> bool:
        """Look at the disk again and tell whether every answer would be the same."""
        self._disk.forget()
        return self._disk.targets == self._targets and self._disk.files(frozenset(self._said)) == self._said
