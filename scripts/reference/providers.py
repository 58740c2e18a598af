"""The table of providers as a page of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.grading.providers.registry import KINDS, NOT_RUN

if TYPE_CHECKING:
    from rubric_core.grading.providers.settings import ProviderKind, ProviderSetting

_HEADER = """\
# Settings of providers

<!-- Made from rubric_core/grading/providers by `make docs`. Change the table there, not this page. -->

[judges.md](judges.md) shows how a target or a judge is written. Besides the settings of its `provider` it may have a
`judge_target`. A setting that its provider does not know is an error. `api_key`, `apiKey` and `api-key` are the same
setting. Where a setting is not written down, the first of its variables that has a value counts, then the default.
"""

_TABLE_HEAD = "| setting | meaning | default | other spellings | variables |\n|---|---|---|---|---|"


def render_provider_reference() -> str:
    """Return the page as Markdown."""
    not_run = _listed(sorted(NOT_RUN))
    closing = f"## Not run here\n\nAgentV knows these too; record their answers instead: {not_run}.\n"
    return "\n".join([_HEADER, *map(_section, KINDS), closing])


def _section(kind: ProviderKind) -> str:
    aliases = f" Also called {_listed(kind.aliases)}." if kind.aliases else ""
    return "\n".join([f"## {kind.name}\n", f"{kind.doc}{aliases}\n", _TABLE_HEAD, *map(_row, kind.settings), ""])


def _row(setting: ProviderSetting) -> str:
    others = tuple(each for each in setting.known_as if each != setting.name)
    cells = (f"`{setting.name}`", setting.doc, _default(setting), _listed(others), _listed(setting.variables))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _default(setting: ProviderSetting) -> str:
    if setting.is_required:
        return "required"
    if setting.default is None or setting.default == {}:
        return ""
    if isinstance(setting.default, bool):
        return f"`{str(setting.default).lower()}`"
    return f"`{setting.default:g}`" if isinstance(setting.default, float) else f"`{setting.default}`"


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
