"""The outline of an eval file: its cases with their criteria and score ranges, its evaluators and scorecards.

It is put together from the chunks, whose symbols count from the start of the chunk. So an editor's server can keep them
as it sends them, and an outline of 5,000 cases costs little after a keystroke.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, IntEnum
from functools import partial
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.chunk_facts import cases_of
from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.assist.broken_text import broken_cases
from rubric_core.assist.by_chunk import ChunkView, on_tree, own_chunks
from rubric_core.assist.names.occurrences import nodes_at
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import SCENARIOS, SUITE_KEYS
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.schema.fields import Field, FieldType, Record, Role
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.edits import dash_of
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.terminal.display import shortened
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView, CriterionView, read_criteria
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView
from rubric_core.views.scorecards import ScorecardView, read_named_scorecards


class SymbolKind(Enum):
    """The kinds of symbols."""

    CASES = "a list of cases"
    CASE = "a case"
    SCENARIO = "a scenario"
    CRITERION = "a criterion"
    RANGE = "a score range"
    EVALUATORS = "what judges every case"
    EVALUATOR = "an evaluator"
    SCORECARDS = "the scorecards of the suite"
    SCORECARD = "a scorecard"
    RED_FLAG = "a red flag"
    BONUS = "a bonus"


class Symbol(NamedTuple):
    """A part of the file that has a name. `name_span` lies inside of `span`; a case has its id or its description."""

    kind: SymbolKind
    name: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()


class Depth(IntEnum):
    """How much of a case an outline shows."""

    CASES = 0
    CRITERIA = 1
    EVERYTHING = 2


# Up to so many cases an outline shows so much. That of 5,000 cases with all their ranges takes 18 MB, which nobody
# looks through and which would keep the next keystroke waiting.
_MOST_CASES = {Depth.EVERYTHING: 1_000, Depth.CRITERIA: 2_000}


class SymbolChunk(NamedTuple):
    """A chunk that may have symbols.

    `first_case` is the number that its first case has in the list, 0 where each of its cases goes by an id. `heads`
    means that its symbol is a list whose cases are the parts that follow, and `is_inside` that it is one of these.
    """

    chunk_index: int
    first_case: int = 0
    heads: bool = False
    is_inside: bool = False


def parts(analysis: Analysis) -> Iterator[SymbolChunk]:
    """Yield the parts of an outline, in the order of the text; the file has been read by then."""
    number = 1
    inside = False
    for index, chunk in own_chunks(analysis):
        heads = chunk.kind is ChunkKind.LIST_HEAD and chunk.place is not None and chunk.place.key in SUITE_KEYS
        if chunk.kind not in CASES_IN_LISTS:
            number, inside = 1, heads
        count, has_ids = _count_cases(analysis, chunk)
        if count or chunk.kind not in CASES_IN_LISTS:
            yield SymbolChunk(index, 0 if has_ids else number, heads=heads, is_inside=inside and not heads)
        number += count


def _count_cases(analysis: Analysis, chunk: Chunk) -> tuple[int, bool]:
    """Return how many cases a chunk of a list has, and whether all of them have ids."""
    outline = analysis.facts.by_chunk.get(chunk)
    if chunk.kind not in CASES_IN_LISTS or outline is None:
        return 0, True
    if outline.case_count:
        return outline.case_count, outline.case_count == len(outline.ids)
    # A case that cannot be read counts as well.
    is_broken = chunk.tree is not None and chunk.tree.root is None and bool(chunk.tree.problems)
    return int(is_broken and (chunk.place is None or chunk.place.key in SUITE_KEYS)), False


def depth_of(analysis: Analysis) -> Depth:
    """Return how much the outline of a file shows: the more cases, the less of each."""
    count = analysis.facts.case_count
    return next((depth for depth, most in _MOST_CASES.items() if count <= most), Depth.CASES)


def symbols_in(analysis: Analysis, part: SymbolChunk, depth: Depth = Depth.EVERYTHING) -> tuple[Symbol, ...]:
    """Return the symbols of a part, counting from the start of its chunk. A case without a name goes by its number."""
    return _numbered(on_tree(analysis, part.chunk_index, partial(_symbols_of, depth=depth)), max(part.first_case, 1))


def _numbered(symbols: Iterable[Symbol], first: int) -> tuple[Symbol, ...]:
    numbered: list[Symbol] = []
    for number, symbol in enumerate(symbols, start=first):
        if symbol.kind is SymbolKind.CASES:
            numbered.append(symbol._replace(children=_numbered(symbol.children, 1)))
        elif symbol.name:
            numbered.append(symbol)
        else:
            noun = "scenario" if symbol.kind is SymbolKind.SCENARIO else "case"
            numbered.append(symbol._replace(name=f"{noun} {number}"))
    return tuple(numbered)


def counted(count: int, key: str = "") -> str:
    """Return how many cases, or scenarios, there are under a key, in words."""
    noun = "scenario" if key == SCENARIOS else "case"
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def _symbols_of(view: ChunkView, depth: Depth) -> list[Symbol]:
    chunk, root = view.chunk, view.tree.root
    if root is None:
        broken = broken_cases(chunk) if view.tree.problems else ()
        return [Symbol(SymbolKind.CASE, name, "", span, place) for name, span, place in broken]
    maker = _Maker(chunk.text, view.version, view.dialect, depth)
    if chunk.kind in CASES_IN_LISTS:
        in_block = chunk.kind is ChunkKind.ITEM
        if in_block and chunk.place is not None and chunk.place.key == SCENARIOS:
            return maker.items(SCENARIOS, root)
        return [maker.case(case, in_block=in_block) for case in cases_of(chunk, root)[1]]
    if isinstance(root, Sequence):
        # A list of cases by itself.
        return maker.items("", root)
    return list(maker.entries(root)) if isinstance(root, Mapping) else []


class _Maker(NamedTuple):
    """Makes the symbols of one text."""

    text: str
    version: YamlVersion
    dialect: Dialect
    depth: Depth

    def entries(self, root: Mapping) -> Iterator[Symbol]:
        for pair in root.pairs:
            if pair.key.origin is not None:
                continue
            if pair.name in SUITE_KEYS:
                cases = self.items(pair.name, pair.value)
                detail = counted(len(cases), pair.name)
                yield _symbol(SymbolKind.CASES, pair.name, detail, pair.span, pair.key.span, cases)
            elif pair.name == "scorecards":
                cards = [self._scorecard(*named) for named in read_named_scorecards(pair, self.version)]
                yield _symbol(SymbolKind.SCORECARDS, pair.name, "", pair.span, pair.key.span, cards)
            elif evaluators := list(self._evaluators_at(root, pair, self.dialect.suite)):
                yield _symbol(SymbolKind.EVALUATORS, pair.name or "", "", pair.span, pair.key.span, evaluators)

    def items(self, key: str, listed: Node | None) -> list[Symbol]:
        """Return the symbols of the items of a list of cases or of scenarios."""
        make = self._scenario if key == SCENARIOS else self.case
        return [make(item, in_block=not getattr(listed, "flow", False)) for item in _own_items(listed)]

    def _scenario(self, node: Node, *, in_block: bool) -> Symbol:
        symbol = self.case(node, in_block=in_block)
        if not isinstance(node, Mapping):
            return symbol
        name = _description(node)
        cases = [case for key in CASE_LIST_NAMES for case in self.items(key, node.get(key))]
        place = _name_span(name, node)
        return _symbol(SymbolKind.SCENARIO, _shown(name), "", symbol.span, place, _numbered(cases, 1))

    def case(self, node: Node, *, in_block: bool) -> Symbol:
        """Return the symbol of an item of a case list, whatever it is."""
        dash = dash_of(self.text, node) if in_block else -1
        span = Span(dash if dash >= 0 else node.start, node.end)
        if not isinstance(node, Mapping):
            return _symbol(SymbolKind.CASE, "", "", span, node.span)
        case = CaseView(node, self.version, self.dialect)
        children = self._parts_of(node) if node.origin is None and self.depth >= Depth.CRITERIA else ()
        name = case.identifier or _description(node)
        place = _name_span(name, node)
        return _symbol(SymbolKind.CASE, _shown(name), _shown(case.outcome), span, place, children)

    def _parts_of(self, case: Mapping) -> Iterator[Symbol]:
        """Yield what is in a case, in the order of the text."""
        for pair in case.pairs:
            if pair.key.origin is not None or pair.name is None or case.index[pair.name] is not pair:
                continue
            field = self.dialect.case.get(pair.name)
            if field is not None and field.role is Role.CRITERIA:
                yield from self._criteria(read_criteria(case, self.dialect.case, self.version, self.dialect))
            elif pair.name == "scorecard" and isinstance(pair.value, Mapping) and pair.value.origin is None:
                yield self._scorecard(pair, ScorecardView(pair.value, self.version))
            else:
                yield from self._evaluators_at(case, pair, self.dialect.case)

    def _criteria(self, criteria: CriteriaView | None) -> Iterator[Symbol]:
        if criteria is not None and criteria.node.origin is None:
            yield from map(self._criterion, criteria.readable)

    def _criterion(self, criterion: CriterionView) -> Symbol:
        node, weight, identifier = criterion.node, criterion.weight, criterion.pair("id")
        detail = criterion.mode.value if weight is None else f"{criterion.mode.value}, weight {weight.normalize():f}"
        shows_ranges = node.origin is None and self.depth >= Depth.EVERYTHING
        bands = criterion.bands.bands if criterion.bands is not None and shows_ranges else []
        ranges: list[Symbol] = []
        for band in bands:
            if band.place.origin is None:
                low, high = band.extent or (None, None)
                written = shortened(self.text[band.place.start : band.place.end])
                name = written if low is None else str(low) if low == high else f"{low}-{high}"
                ranges.append(_symbol(SymbolKind.RANGE, name, shortened(band.text), band.whole.span, band.place.span))
        span = _own_span(identifier.value if identifier is not None else node, node)
        return _symbol(SymbolKind.CRITERION, shortened(criterion.identifier), detail, node.span, span, ranges)

    def _evaluators_at(self, owner: Mapping, pair: Pair, record: Record) -> Iterator[Symbol]:
        """Yield the evaluators of the list that a key of a record is, or of those that are right below it."""
        field = record.get(pair.name or "")
        if field is None or pair.value.origin is not None:
            return
        if field.role is Role.EVALUATORS:
            yield from self._evaluators(owner, pair, field)
            return
        inner = pair.value.items if isinstance(pair.value, Sequence) else [pair.value]
        shape = FieldType.SEQUENCE if isinstance(pair.value, Sequence) else FieldType.MAPPING
        below = self.dialect.below(field, shape)
        for item in inner:
            if below is not None and below.by_role[Role.EVALUATORS] and isinstance(item, Mapping):
                yield from self._lists_of(item, below)

    def _lists_of(self, owner: Mapping, record: Record) -> Iterator[Symbol]:
        """Yield the evaluators of the lists that a mapping has itself."""
        for pair in owner.pairs:
            field = record.get(pair.name or "")
            if field is not None and field.role is Role.EVALUATORS and pair.key.origin is None:
                yield from self._evaluators(owner, pair, field)

    def _evaluators(self, owner: Mapping, pair: Pair, field: Field) -> list[Symbol]:
        """Return the evaluators of a list, and the strings in it that are criteria, in the order of the text."""
        if not _own_items(pair.value):
            return []
        view = EvaluatorsView(pair, owner, field, self.version, self.dialect)
        numbers = {id(item): number for number, item in enumerate(_own_items(pair.value), start=1)}
        symbols = [self._evaluator(evaluator, numbers[id(evaluator.node)]) for evaluator in view.evaluators]
        return sorted([*symbols, *self._criteria(view.criteria)], key=lambda symbol: symbol.span)

    def _evaluator(self, evaluator: EvaluatorView, number: int) -> Symbol:
        node, kind = evaluator.node, _shown(evaluator.node.get("type"))
        children: list[Symbol] = []
        if node.origin is None and evaluator.is_checked:
            children += self._criteria(evaluator.criteria)
            children += self._lists_of(node, evaluator.record)
        named = evaluator.record.by_key.get(evaluator.record.name_key)
        name, detail = _shown(evaluator.name), kind
        if not name and kind and not (named is not None and named.required):
            # Where names may be left out, nearly all are.
            name, detail = kind, _shown(node.get("value"))
        name = name or f"evaluator {number}"
        return _symbol(SymbolKind.EVALUATOR, name, detail, node.span, _name_span(evaluator.name, node), children)

    def _scorecard(self, pair: Pair, scorecard: ScorecardView) -> Symbol:
        children: list[Symbol] = []
        lists = ((SymbolKind.RED_FLAG, "red flag", scorecard.red_flags), (SymbolKind.BONUS, "bonus", scorecard.bonuses))
        for kind, word, adjustments in lists if pair.value.origin is None else ():
            for item in adjustments:
                if item.node.origin is None:
                    name = _shown(item.identifier or item.outcome) or f"{word} {item.number}"
                    deduction = item.counted if kind is SymbolKind.RED_FLAG else None
                    detail = word if deduction is None else f"{word}, deduction {deduction.normalize():f}"
                    children.append(_symbol(kind, name, detail, item.node.span, _own_span(item.place, item.node)))
        return _symbol(SymbolKind.SCORECARD, shortened(pair.name or ""), "", pair.span, pair.key.span, children)


def _symbol(  # noqa: PLR0913, PLR0917 - the fields of a symbol.
    kind: SymbolKind, name: str, detail: str, span: Span, place: Span, children: Iterable[Symbol] = ()
) -> Symbol:
    """Return a symbol; the span of its name is kept inside of its own, as editors require."""
    start = min(max(place.start, span.start), span.end)
    return Symbol(kind, name, detail, span, Span(start, min(max(place.end, start), span.end)), tuple(children))


def _shown(node: Node | None) -> str:
    return shortened(node.value) if isinstance(node, Scalar) else ""


def _description(node: Mapping) -> Scalar | None:
    """Return what a case or a scenario without an id is called."""
    return next(nodes_at(node, ("description",)), None)


def _name_span(name: Scalar | None, whole: Mapping) -> Span:
    """Return where a name is, or the first key of what has none."""
    return _own_span(name or (whole.pairs[0].key if whole.pairs else whole), whole)


def _own_span(place: Node, whole: Node) -> Span:
    """Return where a name is; where an alias or a merge key brings it, that is the start of the whole."""
    if place.origin is not None and place is not whole:
        return Span(whole.start, whole.start)
    return place.span


def _own_items(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, Sequence) and node.origin is None else []
