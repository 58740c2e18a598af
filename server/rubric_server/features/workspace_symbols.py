"""`workspace/symbol`: the cases of all eval files by letters of their ids."""

from __future__ import annotations

from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from rubric_core.assist.case_names import match, names_of_cases, read_names_of_cases
from rubric_core.assist.symbols import SymbolKind
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import may_be_ours
from rubric_server.app import RubricServer
from rubric_server.convert import Places, range_of, uri_of
from rubric_server.documents import OpenDocument
from rubric_server.features.document_symbols import KINDS
from rubric_server.work_queue import Work
from rubric_server.workspace import CaseNames, stamp_of

# The length of an answer to `workspace/symbol`; the client sends another request at the next letter.
_MOST = 256


class _Symbol(NamedTuple):
    """A case that matches, sorted by how well it does, then by its name and place."""

    badness: int
    name: str
    uri: str
    place: types.Range


def workspace_symbol(server: RubricServer, params: types.WorkspaceSymbolParams) -> Work[list[types.SymbolInformation]]:
    """Return the cases whose ids have the letters of the query in their order, the best ones first."""
    query = params.query.strip()
    symbols: list[_Symbol] = []
    for document in server.documents.all():
        symbols += yield from _in_open_document(server, document, query)
    for path in server.closed_files():
        names = yield from names_of_file(server, path)
        symbols += _matches(query, uri_of(path), names)
    return [
        types.SymbolInformation(types.Location(uri, place), name, KINDS[SymbolKind.CASE])
        for _, name, uri, place in nsmallest(_MOST, symbols, key=lambda symbol: symbol[:3])
    ]


def _matches(query: str, uri: str, cases: tuple[tuple[str, types.Range], ...]) -> list[_Symbol]:
    scored = ((match(query, name), name, place) for name, place in cases)
    return [_Symbol(-score, name, uri, place) for score, name, place in scored if score is not None]


def _in_open_document(server: RubricServer, document: OpenDocument, query: str) -> Work[list[_Symbol]]:
    analysis = document.analysis
    if analysis is None:
        return []
    version = document.version
    names = yield from names_of_cases(analysis)
    if document.version != version:
        # The client sends another request at the next letter.
        return []
    scored = [(score, symbol) for symbol in names if (score := match(query, symbol.name)) is not None]
    best = nsmallest(_MOST, scored, key=lambda entry: (-entry[0], entry[1]))
    return [
        _Symbol(-score, symbol.name, document.uri, range_of(document.text, symbol.span, server.client.encoding))
        for score, symbol in best
    ]


def names_of_file(server: RubricServer, path: Path) -> Work[tuple[tuple[str, types.Range], ...]]:
    """Return the cases of a file on the disk; it is read again only after it or its configuration has changed."""
    yield
    stamp = stamp_of(path)
    if stamp is None:
        return ()
    config = server.workspace.config_in(path.parent, server.overrides)
    cached = server.workspace.case_names.get(path)
    if cached is not None and (cached.stamp, cached.config) == (stamp, config):
        return cached.cases
    read = read_text(path, config.limits)
    cases: tuple[tuple[str, types.Range], ...] = ()
    if isinstance(read, ReadText) and may_be_ours(str(path), read.text, config):
        # Reading a large file, splitting it and counting its lines take a while each.
        yield
        names = yield from read_names_of_cases(read.text, path=str(path), config=config)
        yield
        places = Places(read.text, server.client.encoding)
        yield
        cases = tuple((symbol.name, places.range(symbol.span)) for symbol in names)
    server.workspace.case_names[path] = CaseNames(stamp, config, cases)
    return cases
