"""The targets of many eval files at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.grading.targets.targets import Targets
from rubric_core.grading.workspace import config_near, folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from rubric_core.config.config import Config
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.providers.provider import Provider


class TargetsByFolder:
    """Gives each eval file its targets. Files of one folder see the same ones, so they share them.

    All folders share one person, and providers that are made of the same settings and variables: a run over many files
    must not keep connections for each of them. `judges` are those that are made already, by name.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        judges: Mapping[str, Judge] | None = None,
        config_of: Callable[[str], Config] = config_near,
    ) -> None:
        self._environment = environment
        self._judges = dict(judges or {})
        self._config_of = config_of
        self._providers: dict[object, Provider] = {}
        self._found: dict[Path, Targets] = {}

    def of(self, source: str) -> Targets:
        """Return the targets of an eval file, or of a case without one."""
        folder = folder_of(source)
        if folder not in self._found:
            config = self._config_of(source)
            self._found[folder] = Targets(source, config, self._environment, self._judges, self._providers)
        return self._found[folder]

    async def close(self) -> None:
        """Close everything that was made."""
        for targets in self._found.values():
            await targets.close()
        self._found.clear()
