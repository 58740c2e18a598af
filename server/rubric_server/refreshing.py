"""Asking the client to look again at what it shows in a text, as far as it can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from rubric_server.app import RubricServer


def refresh_lenses(server: RubricServer) -> None:
    """Ask the client to look at lenses again."""
    if server.client.lens_refresh:
        server.protocol.request_without_answer(types.WORKSPACE_CODE_LENS_REFRESH)


def refresh_hints(server: RubricServer) -> None:
    """Ask the client to look at inlay hints again."""
    if server.client.inlay_refresh:
        server.protocol.request_without_answer(types.WORKSPACE_INLAY_HINT_REFRESH)
