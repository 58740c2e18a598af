"""The editor's settings, applied as soon as they change."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

from lsprotocol import types

from rubric_server.app import RubricServer
from rubric_server.features.diagnostics import refresh_diagnostics
from rubric_server.settings import SECTION, read_editor_settings


def follow(server: RubricServer) -> None:
    """Request the settings now, and notifications of their changes."""
    if server.client.configuration_registration:
        options = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        server.register(types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
    _ask(server)


def did_change(server: RubricServer, params: types.DidChangeConfigurationParams) -> None:
    """Apply new settings: those of the notification, or else those that the client returns on request."""
    settings = params.settings
    if isinstance(settings, dict) and SECTION in settings:
        _apply(server, settings[SECTION])
    else:
        _ask(server)


def show_errors(server: RubricServer) -> None:
    """Show the user the errors of the settings."""
    for error in server.settings.errors:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, error))


def _ask(server: RubricServer) -> None:
    if server.client.configuration:
        parameters = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        answer = server.protocol.send_request(types.WORKSPACE_CONFIGURATION, parameters)
        answer.add_done_callback(partial(_take_answer, server))


def _take_answer(server: RubricServer, answer: Future[Any]) -> None:
    if answer.exception() is not None:
        return
    # A client without the section answers null; then the settings of `initialize` apply.
    values = answer.result()
    section = values[0] if isinstance(values, list) and values else None
    _apply(server, section if isinstance(section, dict) else server.initial_options)


def _apply(server: RubricServer, section: Any) -> None:
    settings = read_editor_settings(section)
    if settings == server.settings:
        return
    server.settings = settings
    show_errors(server)
    refresh_diagnostics(server)
    server.refresh(types.WORKSPACE_INLAY_HINT_REFRESH, types.WORKSPACE_CODE_LENS_REFRESH)
