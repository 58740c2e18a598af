"""What the requests about names share: the name that was asked about, and where a target gets its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.names.lookup import Name, name_at
from rubric_core.files.project import read_targets
from rubric_core.files.read import ReadText, read_text
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Scalar
from rubric_server.addresses import uri_of
from rubric_server.convert import offset_of
from rubric_server.work_queue import Work, about_this_text

if TYPE_CHECKING:
    from rubric_server.app import RubricServer
    from rubric_server.documents import OpenDocument

    T = TypeVar("T")
    AtPosition = (
        types.DefinitionParams
        | types.DocumentHighlightParams
        | types.PrepareRenameParams
        | types.ReferenceParams
        | types.RenameParams
    )


class NameRequest(NamedTuple):
    """A request about the name at a position."""

    document: OpenDocument
    analysis: Analysis
    name: Name


async def about_name(server: RubricServer, params: AtPosition, answer: Callable[[NameRequest], Work[T]]) -> T | None:
    """Return the answer about the name at a position; None where there is no name of ours."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None:
        return None
    name = name_at(suite.analysis, offset_of(suite.document.text, params.position, server.client.encoding))
    if name is None:
        return None
    return await server.work.run(about_this_text(suite.document, answer(NameRequest(*suite, name))))


class TargetPlace(NamedTuple):
    """Where a target gets its name: the targets file, as it is in the editor or on the disk, and the name in it."""

    uri: str
    path: Path
    version: int | None
    text: Document
    node: Scalar


def target_place(server: RubricServer, document: OpenDocument, name: str) -> TargetPlace | None:
    """Find the entry of a target in the targets file that counts for a document."""
    path = document.disk.targets_file() if document.disk is not None else None
    if path is None:
        return None
    # Clients spell addresses in more than one way, so the open files are compared by their paths.
    opened = next((other for other in server.documents if other.path == str(path)), None)
    if opened is not None:
        text = opened.text.text
    else:
        read = read_text(path, document.config.limits)
        if not isinstance(read, ReadText):
            return None
        text = read.text
    node = (read_targets(text, document.config.limits) or {}).get(name)
    uri, version = (opened.uri, opened.version) if opened is not None else (uri_of(path), None)
    return TargetPlace(uri, path, version, Document(text), node) if node is not None else None
