"""Asking the client to look again at what it shows in a text, as far as it can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_server.app import RubricServer


def refresh_lenses(server: RubricServer) -> None:
    """Ask the client to look at lenses again."""
    if server.client.lens_refresh:
        server.endpoint.request("workspace/codeLens/refresh", None)


def refresh_hints(server: RubricServer) -> None:
    """Ask the client to look at inlay hints again."""
    if server.client.inlay_refresh:
        server.endpoint.request("workspace/inlayHint/refresh", None)
