"""What the user chose in the editor. It goes on top of `rubric.toml`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the editor, with what holds where the user chose nothing."""

    inlay_extents: bool = True
    inlay_shares: bool = True
    inlay_ids: bool = True
    code_lens: bool = True
