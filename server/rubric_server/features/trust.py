"""What the user allows: to trust a workspace, and to stop what is being graded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_server.convert import at_path
from rubric_server.refreshing import refresh_lenses

if TYPE_CHECKING:
    from lsprotocol.types import WorkDoneProgressCancelParams

    from rubric_server.app import RubricServer


def did_change_trust(server: RubricServer, params: Any) -> None:
    """Take note that the user trusts the workspace now, or no longer: anything but true is no trust."""
    server.is_trusted = at_path(params, "trusted") is True
    if server.is_trusted:
        # The verdicts of earlier gradings may be read now.
        refresh_lenses(server)


def stop_progress(server: RubricServer, params: WorkDoneProgressCancelParams) -> None:
    """Stop the grading whose progress the user stopped; what was judged is kept."""
    server.stops.stop(params.token)
