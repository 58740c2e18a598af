"""The entries that define targets and judges, from `.agentv/targets.yaml` and from the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rubric_core.files.look import DiskSurroundings
from rubric_core.grading.failures import CannotGrade
from rubric_core.model.load import CannotLoad, load_targets
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.config.config import Config

_WORD_START = lazily(r"(?<=[a-z0-9])(?=[A-Z])|-")


@dataclass(frozen=True, slots=True)
class TargetEntry:
    """One entry. `owner` is how sentences call it. Settings are as written: they may hold secrets and references."""

    name: str
    owner: str
    provider: str | None = None
    judge_target: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, repr=False)


def targets_near(source: str, config: Config) -> dict[str, TargetEntry]:
    """Return the targets for an eval file by name; the configuration's count before those of the targets file.

    Raises CannotGrade where the targets file cannot be used.
    """
    path = DiskSurroundings(source, config).targets_file() if source else None
    found: dict[str, TargetEntry] = {}
    try:
        for target in load_targets(path) if path is not None else ():
            own = {"provider": target.provider, "judge_target": target.judge_target}
            # The first of two equal names counts, as for AgentV.
            found.setdefault(target.name, _entry(target.name, f"the target {target.name}", {**target.settings, **own}))
    except CannotLoad as failure:
        raise CannotGrade(f"The targets in {failure.path} cannot be used. {failure.reason}") from None
    return {**found, **entries_of(config.targets, "target")}


def entries_of(tables: Mapping[str, Any], what: str) -> dict[str, TargetEntry]:
    """Return the entries of a table of the configuration by name. `what` they are is `target` or `judge`."""
    return {name: _entry(name, f"the {what} {name}", table) for name, table in tables.items()}


def _entry(name: str, owner: str, table: Mapping[str, Any]) -> TargetEntry:
    """Make an entry. Keys may be written in any of the usual ways: `api_key`, `apiKey`, `api-key`."""
    settings = {_WORD_START.sub("_", key).lower(): value for key, value in table.items()}
    provider, judge_target = settings.pop("provider", None), settings.pop("judge_target", None)
    for key, value in (("provider", provider), ("judge_target", judge_target)):
        if value is not None and not isinstance(value, str):
            raise CannotGrade(f"The setting {key} of {owner} must be a text.")
    return TargetEntry(name, owner, provider, judge_target, settings)
