"""A small editor for tests: it starts the real server, keeps texts as an editor does, and sees what is published."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (sys.executable, "-m", "rubric_server.main")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "server")])}

_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_START = types.Position(0, 0)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def editor_capabilities(*encodings: str) -> types.ClientCapabilities:
    """Return what a modern editor can do."""
    kinds = types.ClientCodeActionKindOptions(value_set=[types.CodeActionKind.QuickFix])
    literals = types.ClientCodeActionLiteralOptions(code_action_kind=kinds)
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings)) if encodings else None,
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True,
                version_support=True,
                tag_support=types.ClientDiagnosticsTagOptions(value_set=[types.DiagnosticTag.Deprecated]),
            ),
            code_action=types.CodeActionClientCapabilities(code_action_literal_support=literals),
        ),
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        ),
    )


def make_client() -> LanguageClient:
    """Return a client without a server."""
    return LanguageClient(converter_factory=default_converter)


def offset_of(text: str, position: types.Position, encoding: str) -> int:
    """Count in the units of the encoding with Python's own codecs; the server must agree with this."""
    codec, size = _CODECS[encoding]
    lines = _LINE.findall(text)
    before = "".join(lines[: position.line])
    return len(before) + len(lines[position.line].encode(codec)[: size * position.character].decode(codec))


def text_at(text: str, place: types.Range, encoding: str) -> str:
    """Return the text that a range covers."""
    return text[offset_of(text, place.start, encoding) : offset_of(text, place.end, encoding)]


def position_of(text: str, offset: int, encoding: str) -> types.Position:
    """Return the position of an offset, counted with Python's own codecs."""
    codec, size = _CODECS[encoding]
    line = len(re.findall(r"\r\n|\r|\n", text[:offset]))
    start = sum(map(len, _LINE.findall(text)[:line]))
    return types.Position(line, len(text[start:offset].encode(codec)) // size)


class Editor:
    """One window with a few documents in it."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.encoding = "utf-16"
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.registered: list[str] = []
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._note_published))
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(partial(self._note_registered))

    def _note_published(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.put_nowait(params)

    def _note_registered(self, params: types.RegistrationParams) -> None:
        self.registered += [registration.method for registration in params.registrations]

    async def start(self, *encodings: str, capabilities: types.ClientCapabilities | None = None) -> None:
        """Start the server and shake hands."""
        await self.client.start_io(*COMMAND, "--stdio", env=ENVIRONMENT)
        await self.initialize(*encodings, capabilities=capabilities)

    async def initialize(self, *encodings: str, capabilities: types.ClientCapabilities | None = None) -> None:
        """Shake hands with a server that has been started."""
        params = types.InitializeParams(
            capabilities=capabilities or editor_capabilities(*encodings), root_uri=self.folder.as_uri()
        )
        result = await self.client.initialize_session(params)
        encoding = result.capabilities.position_encoding or "utf-16"
        self.encoding = str(getattr(encoding, "value", encoding))

    async def move_to(self, folder: Path) -> None:
        """Close everything and go on in another folder."""
        for name in self.texts:
            self.send_close(name)
        self.texts.clear()
        # The answer to a request comes behind all that was published before it.
        await self.client.text_document_code_action_async(self._ask(types.Range(_START, _START), "none.yaml", None))
        self.published = asyncio.Queue()
        self.folder = folder

    def uri(self, name: str) -> str:
        """Return the address of a file in the folder."""
        return (self.folder / name).as_uri()

    def send_open(self, text: str, name: str) -> None:
        """Open a document and do not wait."""
        self.texts[name], self.versions[name] = text, 1
        item = types.TextDocumentItem(self.uri(name), "yaml", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def open(self, text: str, name: str = "a.eval.yaml") -> types.PublishDiagnosticsParams:
        """Open a document and return what is published."""
        self.send_open(text, name)
        return await self.next_published()

    def send_change(self, old: str, new: str, name: str = "a.eval.yaml") -> None:
        """Replace the first occurrence of a stretch, as typing would, and do not wait."""
        start = self.texts[name].index(old)
        place = self.range_of(old, name)
        self.texts[name] = self.texts[name][:start] + new + self.texts[name][start + len(old) :]
        self.send_changes([types.TextDocumentContentChangePartial(place, new)], name)

    def send_changes(self, changes: list[Any], name: str = "a.eval.yaml") -> None:
        """Send changes under the next version."""
        self.versions[name] += 1
        identifier = types.VersionedTextDocumentIdentifier(version=self.versions[name], uri=self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    async def change(self, old: str, new: str, name: str = "a.eval.yaml") -> types.PublishDiagnosticsParams:
        """Replace the first occurrence of a stretch and return what is published."""
        self.send_change(old, new, name)
        return await self.next_published()

    def send_close(self, name: str = "a.eval.yaml") -> None:
        """Close a document and do not wait."""
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    async def next_published(self) -> types.PublishDiagnosticsParams:
        """Return the next diagnostics that arrive; those of a text that has changed since are passed over."""
        while True:
            published = await asyncio.wait_for(self.published.get(), TIMEOUT)
            versions = [self.versions[name] for name in self.texts if self.uri(name) == published.uri]
            if published.version is None or published.version >= max(versions, default=0):
                return published

    async def actions(
        self, under: str, name: str = "a.eval.yaml", only: list[str] | None = None
    ) -> list[types.CodeAction]:
        """Return the code actions for the first occurrence of a stretch."""
        params = self._ask(self.range_of(under, name), name, only)
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), TIMEOUT)
        return [action for action in found or () if isinstance(action, types.CodeAction)]

    def _ask(self, place: types.Range, name: str, only: list[str] | None) -> types.CodeActionParams:
        context = types.CodeActionContext(diagnostics=[], only=only)
        return types.CodeActionParams(types.TextDocumentIdentifier(self.uri(name)), place, context)

    async def apply(self, action: types.CodeAction, name: str = "a.eval.yaml") -> types.PublishDiagnosticsParams:
        """Apply an action as an editor does: all ranges name the text before it, the last one goes first."""
        edits = edits_of(action)
        before = self.texts[name]
        for edit in reversed(edits):
            start = offset_of(before, edit.range.start, self.encoding)
            end = offset_of(before, edit.range.end, self.encoding)
            self.texts[name] = self.texts[name][:start] + edit.new_text + self.texts[name][end:]
        self.send_changes(
            [types.TextDocumentContentChangePartial(edit.range, edit.new_text) for edit in reversed(edits)], name
        )
        return await self.next_published()

    def range_of(self, stretch: str, name: str = "a.eval.yaml") -> types.Range:
        """Return the range of the first occurrence of a stretch."""
        text = self.texts[name]
        start = text.index(stretch)
        return types.Range(
            position_of(text, start, self.encoding), position_of(text, start + len(stretch), self.encoding)
        )

    def under(self, diagnostics: Iterable[types.Diagnostic], name: str = "a.eval.yaml") -> list[tuple[str, str]]:
        """Return the code of each diagnostic and the text under it."""
        text = self.texts[name]
        return [(str(found.code), text_at(text, found.range, self.encoding)) for found in diagnostics]


def edits_of(action: types.CodeAction) -> list[types.TextEdit]:
    """Return the edits of an action for its one document, in the order of the text."""
    assert action.edit is not None
    if action.edit.changes:
        (edits,) = action.edit.changes.values()
        return list(edits)
    (change,) = action.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    return [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
