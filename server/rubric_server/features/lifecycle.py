"""The beginning and the end of a connection."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from rubric_server.convert import at_path, client_of
from rubric_server.endpoint import INVALID_REQUEST, Refused
from rubric_server.features import configuration, watching
from rubric_server.settings import SECTION, read_editor_settings

if TYPE_CHECKING:
    from rubric_server.app import RubricServer, Work
    from rubric_server.protocol import InitializeParams, Json

_SOON_WANTED = ("completion", "hover", "code_actions", "inlay_hints", "code_lens", "document_symbols", "folding")


def initialize(server: RubricServer, params: InitializeParams) -> Json:
    """Agree with the client on what both can do."""
    if server.is_initialized:
        raise Refused("The server is initialized already.", INVALID_REQUEST)
    server.client = client_of(params["capabilities"])
    server.workspace.open(_folders(params))
    options = params.get("initializationOptions")
    # Both are common: the settings themselves, or a section with our name.
    section = options.get(SECTION) if isinstance(options, dict) else None
    server.initial_options = section if isinstance(section, dict) else options
    server.settings = read_editor_settings(server.initial_options)
    server.is_trusted = at_path(server.initial_options, "trusted") is not False
    server.is_initialized = True
    return server.introduction()


def initialized(server: RubricServer, _params: Json) -> None:
    """Ask the client for what we want to be told of."""
    configuration.complain(server)
    watching.watch(server)
    configuration.follow(server)
    server.later("warm up", _warm_up())


def _warm_up() -> Work:
    """Import what the first file and the first requests need while the client still makes up its mind."""
    for module in ("rubric_core.analysis.analysis", *(f"rubric_server.features.{name}" for name in _SOON_WANTED)):
        import_module(module)
        yield


def shutdown(server: RubricServer, _params: Json) -> None:
    """Note that the client is about to end us properly; what it does not wait for is given up."""
    server.was_shut_down = True
    for document in server.documents:
        server.drop(("look", document.uri))


def ignored(_server: RubricServer, _params: Json) -> None:
    """Take no notice."""


def _folders(params: InitializeParams) -> list[str]:
    """Return the addresses of the folders that are open; older clients know of one only."""
    folders = params.get("workspaceFolders")
    if isinstance(folders, list):
        named = [folder.get("uri") for folder in folders if isinstance(folder, dict)]
        return [uri for uri in named if isinstance(uri, str)]
    root = params.get("rootUri")
    return [root] if isinstance(root, str) else []
