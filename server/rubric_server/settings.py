"""The settings of the editor, which override `rubric.toml`.

Their names are in camel case, `perFileIgnores` for `per-file-ignores`. Unknown names are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Any

from rubric_core.config.config import Overrides, known_rules
from rubric_server.convert import at_path

SECTION = "rubric"
_CAPITAL = re.compile("[A-Z]")


def _switch(path: str) -> Any:
    """Return a field for a switch that is on by default, with the path at which the editor has it."""
    return field(default=True, metadata={"path": path})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the editor, and their defaults."""

    inlay_extents: bool = _switch("inlayHints.extents")
    inlay_shares: bool = _switch("inlayHints.shares")
    inlay_ids: bool = _switch("inlayHints.ids")
    inlay_grades: bool = _switch("inlayHints.grades")
    code_lens: bool = _switch("codeLens.enable")
    completion: bool = _switch("completion.enable")
    # The settings that `rubric.toml` has too.
    overrides: Overrides = field(default_factory=Overrides)
    # The errors in them, as sentences for the user.
    errors: tuple[str, ...] = ()


SWITCHES: dict[str, str] = {setting.name: setting.metadata["path"] for setting in fields(Settings) if setting.metadata}


def read_editor_settings(section: Any) -> Settings:
    """Read the editor's settings below `rubric`."""
    if not isinstance(section, dict):
        return Settings()
    errors: list[str] = []
    switches: dict[str, bool] = {}
    for name, path in SWITCHES.items():
        value = at_path(section, path)
        if isinstance(value, bool):
            switches[name] = value
        elif value is not None:
            errors.append(f"The setting `{SECTION}.{path}` must be true or false.")
    overrides = _read_overrides(section, errors)
    return Settings(**switches, overrides=overrides, errors=tuple(errors))


def _read_overrides(section: dict[str, Any], errors: list[str]) -> Overrides:
    from rubric_core.config.settings import SETTINGS, read_settings  # noqa: PLC0415 - most users choose nothing.

    keys = {setting.key for setting in SETTINGS if setting.is_for_editors}
    table = {
        key: value
        for name, value in section.items()
        # An editor sends null for what the user did not choose.
        if value is not None and (key := _CAPITAL.sub(lambda match: f"-{match.group().lower()}", name)) in keys
    }
    if not table:
        return Overrides()
    overrides, wrong = read_settings(table, known_rules())
    errors += [f"The editor's setting `{SECTION}.{problem.place[0]}`: {problem.message}" for problem in wrong]
    return overrides
