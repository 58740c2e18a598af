"""`rubric/dialect`: a client that asks for it is notified of which dialect each open eval file is."""

from __future__ import annotations

from typing import Any

import pytest
from loopback import Loopback

_ASKS = {"experimental": {"rubric": {"dialect": True}}}
_OLD = "evalcases: []\n"


def told(window: Loopback) -> list[tuple[str, str]]:
    """Return the dialects and reasons that the client was notified of."""
    window.work()
    return [(params["dialect"], params["reason"]) for params in window.of("rubric/dialect")]


@pytest.mark.parametrize("more", [{}, {"textDocument": {"diagnostic": {}}}], ids=["pushed", "pulled"])
def test_a_client_is_notified_once(more: dict[str, Any]) -> None:
    """Also one that asks for diagnostics itself."""
    window = Loopback({**more, **_ASKS})
    window.open(_OLD)
    assert told(window) == [("agentv-2", "because of the key `evalcases`")]
    window.change({"text": f"{_OLD}# A comment\n"}, 2)
    assert len(told(window)) == 1


def test_others_are_not_reported() -> None:
    """Neither a client that does not ask for it, nor anybody of a file that is not ours."""
    silent, window = Loopback(), Loopback(_ASKS)
    silent.open(_OLD)
    window.open("services: {}\n", "file:///nowhere/compose.yaml")
    assert told(silent) == told(window) == []
