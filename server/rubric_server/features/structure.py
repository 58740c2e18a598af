"""The structure of eval files: symbols of a document and of the workspace, folds and selections.

The symbols of a case are cached with its chunk, as JSON text with placeholders for the line numbers, so that the
outline of a large file is cheap after a keystroke.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.case_names import match, names_of_cases, read_names_of_cases
from rubric_core.assist.folding import Fold, folds, outermost
from rubric_core.assist.selection import selections
from rubric_core.assist.symbols import Depth, Symbol, SymbolChunk, SymbolKind, counted, depth_of, parts, symbols_in
from rubric_core.files.read import ReadText, read_text
from rubric_core.files.walk import may_be_ours
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.encodings import PositionEncoding
from rubric_server.app import RubricServer
from rubric_server.convert import Client, Places, offset_of, range_of, uri_of
from rubric_server.documents import OpenDocument
from rubric_server.encoded import Template, template_of
from rubric_server.protocol.converter import JsonText, to_json_text
from rubric_server.work_queue import Work, on_latest_text
from rubric_server.workspace import CaseNames, stamp_of

if TYPE_CHECKING:
    AnySymbol = types.DocumentSymbol | types.SymbolInformation

# The length of an answer to `workspace/symbol`; the client sends another request at the next letter.
_MOST = 256
# The protocol has symbols of programming languages only; the icons of these distinguish ours.
KINDS = {
    SymbolKind.CASES: types.SymbolKind.Array,
    SymbolKind.CASE: types.SymbolKind.Class,
    SymbolKind.SCENARIO: types.SymbolKind.Package,
    SymbolKind.CRITERION: types.SymbolKind.Field,
    SymbolKind.RANGE: types.SymbolKind.EnumMember,
    SymbolKind.EVALUATORS: types.SymbolKind.Array,
    SymbolKind.EVALUATOR: types.SymbolKind.Function,
    SymbolKind.SCORECARDS: types.SymbolKind.Namespace,
    SymbolKind.SCORECARD: types.SymbolKind.Struct,
    SymbolKind.RED_FLAG: types.SymbolKind.Event,
    SymbolKind.BONUS: types.SymbolKind.Event,
}


class _Sent(NamedTuple):
    """The symbols of a chunk as sent: what they depend on, how many cases, their text, and the end of the last one."""

    circumstances: tuple[object, ...]
    case_count: int
    template: Template
    end: types.Position


@dataclass
class _CaseList:
    """A list of cases: its symbol, the places of its chunk, and its cases with the end of the last one."""

    symbol: Symbol
    places: Places
    cases: list[str] = field(default_factory=list)
    count: int = 0
    end: types.Position | None = None

    def add(self, sent: _Sent, line: int) -> None:
        """Add the cases of a chunk that starts at a line."""
        self.cases.append(sent.template.below(line))
        self.count += sent.case_count
        self.end = types.Position(sent.end.line + line, sent.end.character)


_sent: WeakKeyDictionary[Chunk, _Sent] = WeakKeyDictionary()


@on_latest_text
def document_symbol(
    server: RubricServer, params: types.DocumentSymbolParams, _document: OpenDocument, analysis: Analysis
) -> Work[JsonText]:
    """Return the outline of a document: a tree, or a flat list for clients without support for trees."""
    return _Outline(params.text_document.uri, server.client).collect(analysis)


class _Outline(NamedTuple):
    uri: str
    client: Client

    def collect(self, analysis: Analysis) -> Work[JsonText]:
        """Collect the outline chunk by chunk."""
        yield from read_all(analysis)
        document = analysis.document
        depth = depth_of(analysis)
        symbols: list[str | _CaseList] = []
        cases: _CaseList | None = None
        for part in list(parts(analysis)):
            line = document.line_of(part.chunk_index)
            if part.heads:
                places = Places(document.chunks[part.chunk_index].text, self.client.encoding, line)
                cases = next((_CaseList(symbol, places) for symbol in symbols_in(analysis, part)), None)
                symbols += [] if cases is None else [cases]
            else:
                sent = self._encoded(analysis, part, depth)
                if sent.case_count and part.is_inside and cases is not None:
                    cases.add(sent, line)
                elif sent.case_count:
                    cases = None
                    symbols.append(sent.template.below(line))
            yield
        return JsonText(f"[{', '.join(part if isinstance(part, str) else self._list(part) for part in symbols)}]")

    def _list(self, cases: _CaseList) -> str:
        symbol = cases.symbol._replace(detail=counted(cases.count, cases.symbol.name), children=())
        if self.client.nested_symbols:
            tree = self._tree(symbol, cases.places)
            tree.range.end = cases.end or tree.range.end
            return f'{to_json_text(tree)[:-1]}, "children": [{", ".join(cases.cases)}]}}'
        flat = next(self._flat(symbol, cases.places))
        flat.location.range.end = cases.end or flat.location.range.end
        return ", ".join([to_json_text(flat), *cases.cases])

    def _encoded(self, analysis: Analysis, part: SymbolChunk, depth: Depth) -> _Sent:
        document, client = analysis.document, self.client
        chunk = document.chunks[part.chunk_index]
        about_client = (self.uri, client.encoding, client.nested_symbols)
        circumstances = (*about_client, depth, part.first_case, document.version(chunk), analysis.facts.dialect)
        sent = _sent.get(chunk)
        if sent is not None and sent.circumstances == circumstances:
            return sent
        symbols = symbols_in(analysis, part, depth)
        places = Places(chunk.text, client.encoding)
        if client.nested_symbols:
            values: list[AnySymbol] = [self._tree(symbol, places) for symbol in symbols]
        else:
            container = chunk.place.key if part.is_inside and chunk.place is not None else ""
            values = [value for symbol in symbols for value in self._flat(symbol, places, container)]
        end = places.position(symbols[-1].span.end if symbols else 0)
        sent = _Sent(circumstances, len(symbols), template_of(", ".join(map(to_json_text, values))), end)
        # A chunk with an alias of an anchor elsewhere may change with that.
        if chunk.tree is None or not chunk.tree.external:
            _sent[chunk] = sent
        return sent

    def _tree(self, symbol: Symbol, places: Places) -> types.DocumentSymbol:
        return types.DocumentSymbol(
            name=_name(symbol),
            kind=KINDS[symbol.kind],
            range=places.range(symbol.span),
            selection_range=places.range(symbol.name_span),
            detail=symbol.detail or None,
            children=[self._tree(child, places) for child in symbol.children] or None,
        )

    def _flat(self, symbol: Symbol, places: Places, container: str = "") -> Iterator[types.SymbolInformation]:
        location = types.Location(self.uri, places.range(symbol.span))
        yield types.SymbolInformation(location, _name(symbol), KINDS[symbol.kind], container_name=container or None)
        for child in symbol.children:
            yield from self._flat(child, places, symbol.name)


def _name(symbol: Symbol) -> str:
    """Return the name of a symbol; clients refuse an empty one."""
    return symbol.name.strip() or symbol.kind.value


@on_latest_text
def folding_range(
    server: RubricServer, _params: types.FoldingRangeParams, _document: OpenDocument, analysis: Analysis
) -> Work[JsonText]:
    """Return the folds of a document, whole lines: at most as many as the client accepts, the outer ones first."""
    most = server.client.most_folds
    ranges = yield from folds(analysis)
    outer = ranges if most is None else outermost(ranges, most)
    return JsonText(f"[{', '.join(map(_encoded_fold, outer))}]")


def _encoded_fold(fold: Fold) -> str:
    kind = ', "kind": "comment"' if fold.is_comment else ""
    return f'{{"startLine": {fold.first_line}, "endLine": {fold.last_line}{kind}}}'


def selection_range(server: RubricServer, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """Return a chain of ranges for each position, the smallest one first."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None:
        return None
    return [_chain(suite.analysis, position, server.client.encoding) for position in params.positions]


def _chain(analysis: Analysis, position: types.Position, encoding: PositionEncoding) -> types.SelectionRange:
    document = analysis.document
    chain: types.SelectionRange | None = None
    for span in reversed(selections(analysis, offset_of(document, position, encoding))):
        chain = types.SelectionRange(range_of(document, span, encoding), chain)
    # The protocol requires an answer for each position.
    return chain or types.SelectionRange(types.Range(position, position))


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
