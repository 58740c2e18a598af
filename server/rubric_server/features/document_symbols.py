"""`textDocument/documentSymbol`: the outline of an eval file.

What was sent for a case is kept with its chunk, with holes where the line numbers go, so that the outline of a large
file costs little after a keystroke.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.symbols import Depth, Symbol, SymbolChunk, SymbolKind, counted, depth_of, parts, symbols_in
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.document import Document
from rubric_server.app import RubricServer
from rubric_server.convert import Client, Places
from rubric_server.documents import OpenDocument
from rubric_server.encoded import Template, template_of
from rubric_server.protocol.converter import JsonText, to_json_text
from rubric_server.work_queue import Work

if TYPE_CHECKING:
    AnySymbol = types.DocumentSymbol | types.SymbolInformation

# The protocol knows the symbols of programming languages only; these are the ones whose icons tell ours apart.
KINDS = {
    SymbolKind.CASES: types.SymbolKind.Array,
    SymbolKind.CASE: types.SymbolKind.Class,
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
    """What was sent for a chunk: under which circumstances, how many cases, their text, and where the last one ends."""

    circumstances: tuple[object, ...]
    case_count: int
    template: Template
    end: types.Position


class _List(NamedTuple):
    """A list of cases that is being collected: its own symbol, where its chunk starts, and the texts of the cases."""

    symbol: Symbol
    places: Places
    cases: list[str]


_sent: WeakKeyDictionary[Chunk, _Sent] = WeakKeyDictionary()


async def document_symbol(server: RubricServer, params: types.DocumentSymbolParams) -> JsonText | None:
    """Return the outline of a document: a tree, or a flat list for clients that know no trees."""
    outline = _Outline(params.text_document.uri, server.client)
    return await server.on_latest_text(outline.uri, outline.collect)


class _Outline:
    """Puts the outline of one document together."""

    def __init__(self, uri: str, client: Client) -> None:
        self.uri = uri
        self.client = client

    def collect(self, _document: OpenDocument, analysis: Analysis) -> Work[JsonText]:
        """Collect the outline chunk by chunk."""
        yield from read_all(analysis)
        document = analysis.document
        depth = depth_of(analysis)
        found: list[str] = []
        cases: _List | None = None
        count, end = 0, types.Position(0, 0)
        for part in list(parts(analysis)):
            line = document.line_of(part.chunk_index)
            if part.heads:
                self._finish(found, cases, count, end)
                count = 0
                cases = self._start(document, part)
            else:
                sent = self._encoded(document, part, depth)
                if sent.case_count and part.is_inside and cases is not None:
                    cases.cases.append(sent.template.below(line))
                    count += sent.case_count
                    end = types.Position(sent.end.line + line, sent.end.character)
                elif sent.case_count:
                    self._finish(found, cases, count, end)
                    cases = None
                    found.append(sent.template.below(line))
            yield
        self._finish(found, cases, count, end)
        return JsonText(f"[{', '.join(found)}]")

    def _start(self, document: Document, part: SymbolChunk) -> _List | None:
        chunk = document.chunks[part.chunk_index]
        places = Places(chunk.text, self.client.encoding, document.line_of(part.chunk_index))
        return next((_List(symbol, places, []) for symbol in symbols_in(document, part)), None)

    def _finish(self, found: list[str], cases: _List | None, count: int, end: types.Position) -> None:
        """Put a list with its cases behind what was found."""
        if cases is None:
            return
        symbol = cases.symbol._replace(detail=counted(count))
        whole = (
            _nested(symbol, cases.places) if self.client.nested_symbols else next(self._flat(symbol, cases.places, ""))
        )
        place = whole.range if isinstance(whole, types.DocumentSymbol) else whole.location.range
        if count:
            place.end = end
        children = ", ".join(cases.cases)
        text = to_json_text(whole)
        if self.client.nested_symbols:
            found.append(f'{text[:-1]}, "children": [{children}]}}')
        else:
            found += [text, *cases.cases]

    def _encoded(self, document: Document, part: SymbolChunk, depth: Depth) -> _Sent:
        chunk = document.chunks[part.chunk_index]
        client = self.client
        about_client = (self.uri, client.encoding, client.nested_symbols)
        circumstances = (*about_client, depth, part.first_case, document.version(chunk))
        sent = _sent.get(chunk)
        if sent is not None and sent.circumstances == circumstances:
            return sent
        symbols = symbols_in(document, part, depth)
        places = Places(chunk.text, client.encoding)
        if client.nested_symbols:
            values: list[AnySymbol] = [self._tree(symbol, places) for symbol in symbols]
        else:
            container = chunk.place.key if part.is_inside and chunk.place is not None else ""
            values = [value for symbol in symbols for value in self._flat(symbol, places, container)]
        end = places.position(symbols[-1].span.end if symbols else 0)
        sent = _Sent(circumstances, len(symbols), template_of(", ".join(map(to_json_text, values))), end)
        # What depends on an anchor elsewhere may change without the chunk.
        if chunk.tree is None or not chunk.tree.external:
            _sent[chunk] = sent
        return sent

    def _tree(self, symbol: Symbol, places: Places) -> types.DocumentSymbol:
        found = _nested(symbol, places)
        if symbol.children:
            found.children = [self._tree(child, places) for child in symbol.children]
        return found

    def _flat(self, symbol: Symbol, places: Places, container: str) -> Iterator[types.SymbolInformation]:
        location = types.Location(self.uri, places.range(symbol.span))
        yield types.SymbolInformation(location, _name(symbol), KINDS[symbol.kind], container_name=container or None)
        for child in symbol.children:
            yield from self._flat(child, places, symbol.name)


def _name(symbol: Symbol) -> str:
    """Return the name of a symbol; clients refuse an empty one."""
    return symbol.name.strip() or symbol.kind.value


def _nested(symbol: Symbol, places: Places) -> types.DocumentSymbol:
    """Return one symbol without its children."""
    return types.DocumentSymbol(
        name=_name(symbol),
        kind=KINDS[symbol.kind],
        range=places.range(symbol.span),
        selection_range=places.range(symbol.name_span),
        detail=symbol.detail or None,
    )
