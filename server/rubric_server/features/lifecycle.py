"""The start and the end of a connection, trust, and cancelled progress."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidRequest

from rubric_server.app import RubricServer
from rubric_server.convert import at_path, client_of
from rubric_server.features import configuration, synchronisation
from rubric_server.features.diagnostics import refresh_diagnostics
from rubric_server.settings import SECTION, read_editor_settings
from rubric_server.work_queue import Work

_SOON_WANTED = ("completion", "hover", "code_actions", "inlay_hints", "code_lens", "document_symbols", "folding")


def initialize(server: RubricServer, params: types.InitializeParams) -> types.InitializeResult:
    """Agree with the client on what both can do."""
    if server.is_initialized:
        raise JsonRpcInvalidRequest("The server is initialized already.")
    server.client = client_of(params.capabilities)
    # Older clients send one folder, as `rootUri`.
    folders = [] if params.root_uri is None else [params.root_uri]
    if params.workspace_folders is not None:
        folders = [folder.uri for folder in params.workspace_folders]
    server.workspace.open(folders)
    options = params.initialization_options
    # Clients send the settings themselves, or a section with our name.
    section = options.get(SECTION) if isinstance(options, dict) else None
    server.initial_options = section if isinstance(section, dict) else options
    server.settings = read_editor_settings(server.initial_options)
    sent = [source["trusted"] for source in (options, section) if isinstance(source, dict) and "trusted" in source]
    # Where nothing is sent, the command to grade is the person's consent.
    server.is_trusted = all(trusted is True for trusted in sent)
    server.is_initialized = True
    return server.initialize_result()


def initialized(server: RubricServer, _params: Any) -> None:
    """Register for the notifications that we need from the client."""
    configuration.show_errors(server)
    synchronisation.watch(server)
    configuration.follow(server)
    server.work.put("warm up", _warm_up())


def _warm_up() -> Work[None]:
    """Import what the first file and the first requests need before they arrive."""
    for module in ("rubric_core.analysis.analysis", *(f"rubric_server.features.{name}" for name in _SOON_WANTED)):
        import_module(module)
        yield


def shutdown(server: RubricServer, _params: Any) -> None:
    """Record the orderly shutdown, and drop the work that the client does not wait for."""
    server.was_shut_down = True
    for document in server.documents.all():
        server.work.drop(("look", document.uri))


def end(server: RubricServer, _params: Any) -> None:
    """End the connection."""
    server.stopped.set()


def did_change_trust(server: RubricServer, params: Any) -> None:
    """Record whether the user trusts the workspace: any value but true means no trust."""
    server.is_trusted = at_path(params, "trusted") is True
    # Without trust no limit is raised.
    refresh_diagnostics(server)
    if server.is_trusted:
        # The verdicts of earlier gradings may be read now.
        server.refresh(types.WORKSPACE_CODE_LENS_REFRESH)


def stop_progress(server: RubricServer, params: types.WorkDoneProgressCancelParams) -> None:
    """Cancel the grading whose progress the user cancelled; finished results are kept."""
    server.cancellations.cancel(params.token)
