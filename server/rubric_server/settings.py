"""What the user chose in the editor. It goes on top of `rubric.toml`.

The editor's names are written as editors write them, `perFileIgnores` for `per-file-ignores`. Names that are neither
ours nor the configuration's belong to the editor's own part and are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from rubric_core.config.config import Overrides, known_rules
from rubric_server.convert import at_path

SECTION = "rubric"
_CAPITAL = re.compile("[A-Z]")

# Where the editor keeps each of our own switches.
_SWITCHES = {
    "inlay_extents": "inlayHints.extents",
    "inlay_shares": "inlayHints.shares",
    "inlay_ids": "inlayHints.ids",
    "inlay_grades": "inlayHints.grades",
    "code_lens": "codeLens.enable",
    "completion": "completion.enable",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the editor, with what holds where the user chose nothing."""

    inlay_extents: bool = True
    inlay_shares: bool = True
    inlay_ids: bool = True
    inlay_grades: bool = True
    code_lens: bool = True
    completion: bool = True
    # What stands in the configuration's own terms.
    overrides: Overrides = field(default_factory=Overrides)
    # What was wrong, in sentences for the user.
    errors: tuple[str, ...] = ()


def read_editor_settings(section: Any) -> Settings:
    """Read the editor's settings below `rubric`."""
    if not isinstance(section, dict):
        return Settings()
    errors: list[str] = []
    switches: dict[str, bool] = {}
    for name, path in _SWITCHES.items():
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
        if value is not None and (key := _CAPITAL.sub(lambda found: f"-{found.group().lower()}", name)) in keys
    }
    if not table:
        return Overrides()
    overrides, wrong = read_settings(table, known_rules())
    errors += [f"The editor's setting `{SECTION}.{problem.place[0]}`: {problem.message}" for problem in wrong]
    return overrides
