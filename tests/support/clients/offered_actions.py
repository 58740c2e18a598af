"""Code actions that a server offers."""

from __future__ import annotations

from typing import Any

from loopback import URI, Loopback, position

LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
RESOLVES = {**LITERALS, "dataSupport": True, "resolveSupport": {"properties": ["edit"]}, "isPreferredSupport": True}


def capabilities(actions: dict[str, Any] | None, **workspace: Any) -> dict[str, Any]:
    """Return what a client says that it can do."""
    return {"textDocument": {"codeAction": actions} if actions is not None else {}, "workspace": workspace}


MODERN = capabilities(RESOLVES, applyEdit=True, workspaceEdit={"documentChanges": True})


def place(text: str, under: str) -> dict[str, Any]:
    """Return the range of the first place that has these characters."""
    start = position(text, under)
    return {"start": start, "end": {**start, "character": start["character"] + len(under)}}


def actions_at(client: Loopback, text: str, under: str, only: list[str] | None = None) -> list[Any]:
    """Return the actions that are offered at a place."""
    context = {"diagnostics": []} if only is None else {"diagnostics": [], "only": only}
    params = {"textDocument": {"uri": URI}, "range": place(text, under), "context": context}
    found = client.request("textDocument/codeAction", params)
    assert isinstance(found, list), found
    return found


def titles_of(actions: list[Any]) -> list[str]:
    """Return the titles of actions."""
    return [action["title"] for action in actions]


def opened(text: str, capabilities: dict[str, Any] = MODERN) -> Loopback:
    """Return a client that has a text open."""
    client = Loopback(capabilities)
    client.open(text)
    client.work()
    return client
