"""`textDocument/documentSymbol`: the outline of an eval file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.symbols import Depth, Symbol, SymbolChunk, SymbolKind, counted, depth_of, parts, symbols_in
from rubric_core.syntax.chunks import Chunk
from rubric_server.app import RubricServer
from rubric_server.convert import Client, Places
from rubric_server.documents import OpenDocument
from rubric_server.encoded import Template, template_of
from rubric_server.protocol.converter import JsonText, to_json_text
from rubric_server.work_queue import Work, on_latest_text

if TYPE_CHECKING:
    AnySymbol = types.DocumentSymbol | types.SymbolInformation

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


# The symbols of a case are cached with its chunk, as JSON text with placeholders for the line numbers, so that the
# outline of a large file is cheap after a keystroke.
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
