"""The symbols of one chunk, made from its tree; those of a case that cannot be read, from a look at its lines."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.outline import cases_of
from rubric_core.assist.broken_text import broken_cases
from rubric_core.schema.records import CASE_LIST_NAMES
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.edits import dash_of
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.terminal.fitting import shortened
from rubric_core.text.spans import Span
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriterionView, read_criteria
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.scorecards import AdjustmentView, ScorecardView, read_named_scorecards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.nodes import Tree
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.views.bands import Band

_CASE_KEYS = frozenset(CASE_LIST_NAMES)


class SymbolKind(Enum):
    """What a symbol stands for."""

    CASES = "a list of cases"
    CASE = "a case"
    CRITERION = "a criterion"
    RANGE = "a score range"
    EVALUATORS = "what judges every case"
    EVALUATOR = "an evaluator"
    SCORECARDS = "the scorecards of the suite"
    SCORECARD = "a scorecard"
    RED_FLAG = "a red flag"
    BONUS = "a bonus"


class Symbol(NamedTuple):
    """A part of the file that has a name. `name_span` lies inside of `span`; a case without an id has no name yet."""

    kind: SymbolKind
    name: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()

    def shifted(self, by: int) -> Symbol:
        """Return the same symbol in a text that has `by` more code points in front."""
        children = tuple([child.shifted(by) for child in self.children])
        return Symbol(self.kind, self.name, self.detail, self.span.shifted(by), self.name_span.shifted(by), children)


class Depth(IntEnum):
    """How much of a case an outline shows."""

    CASES = 0
    CRITERIA = 1
    EVERYTHING = 2


def symbols_of(chunk: Chunk, tree: Tree, version: YamlVersion, depth: Depth = Depth.EVERYTHING) -> tuple[Symbol, ...]:
    """Return the symbols of a chunk, counting from its start."""
    root = tree.root
    if root is None:
        return _broken(chunk) if tree.problems else ()
    maker = _Maker(chunk.text, version, depth)
    if chunk.kind is ChunkKind.ITEM or chunk.kind is ChunkKind.LINE:
        in_block = chunk.kind is ChunkKind.ITEM
        return tuple(maker.case(case, in_block=in_block) for case in cases_of(chunk, root)[1])
    return tuple(maker.entries(root)) if isinstance(root, Mapping) else ()


def _broken(chunk: Chunk) -> tuple[Symbol, ...]:
    """Return a symbol for each case of a text that cannot be read, by the lines that it starts with."""
    return tuple(Symbol(SymbolKind.CASE, name, "", span, place) for name, span, place in broken_cases(chunk))


class _Maker:
    """Makes the symbols of one text."""

    def __init__(self, text: str, version: YamlVersion, depth: Depth) -> None:
        self.text = text
        self.version = version
        self.depth = depth

    def entries(self, root: Mapping) -> Iterator[Symbol]:
        for pair in root.pairs:
            if pair.key.origin is not None:
                continue
            if pair.name in _CASE_KEYS:
                yield self._cases(pair)
            elif pair.name == "scorecards":
                children = [self._named_scorecard(*named) for named in read_named_scorecards(pair, self.version)]
                yield _symbol(SymbolKind.SCORECARDS, "scorecards", "", pair.span, pair.key.span, children)
            elif pair.name == "execution":
                children = self._evaluators(_evaluators_below(pair))
                if children:
                    yield _symbol(SymbolKind.EVALUATORS, pair.name, "", pair.span, pair.key.span, children)

    def _cases(self, pair: Pair) -> Symbol:
        items = _own_items(pair.value)
        children = [self.case(item, in_block=not _is_flow(pair.value)) for item in items]
        return _symbol(SymbolKind.CASES, pair.name or "", counted(len(items)), pair.span, pair.key.span, children)

    def case(self, node: Node, *, in_block: bool) -> Symbol:
        """Return the symbol of an item of a case list, whatever it is."""
        span = self._with_dash(node) if in_block else node.span
        if not isinstance(node, Mapping):
            return _symbol(SymbolKind.CASE, "", "", span, node.span)
        case = CaseView(node, self.version)
        outcome = shortened(case.outcome.value) if case.outcome is not None else ""
        identifier = case.identifier
        place = identifier or (node.pairs[0].key if node.pairs else node)
        children = self._parts_of(node) if node.origin is None and self.depth >= Depth.CRITERIA else ()
        name = shortened(identifier.value) if identifier is not None else ""
        return _symbol(SymbolKind.CASE, name, outcome, span, _own_span(place, node), children)

    def _parts_of(self, case: Mapping) -> list[Symbol]:
        """Return what stands in a case, in the order of the text."""
        found: list[Symbol] = []
        for pair in case.pairs:
            make = _PARTS.get(pair.name or "")
            if make is not None and pair.key.origin is None and case.index[pair.name or ""] is pair:
                found += make(self, pair, case)
        return found

    def criteria(self, _pair: Pair, owner: Mapping) -> list[Symbol]:
        """Return the criteria of a case or an evaluator."""
        criteria = read_criteria(owner, self.version)
        if criteria is None or criteria.node.origin is not None:
            return []
        return [self._criterion(criterion) for criterion in criteria.readable]

    def _criterion(self, criterion: CriterionView) -> Symbol:
        node = criterion.node
        weight = criterion.weight
        detail = criterion.mode.value if weight is None else f"{criterion.mode.value}, weight {weight.normalize():f}"
        identifier = criterion.pair("id")
        place = identifier.value if identifier is not None else node
        shows_ranges = node.origin is None and self.depth >= Depth.EVERYTHING
        bands = criterion.bands.bands if criterion.bands is not None and shows_ranges else []
        ranges = [self._range(band) for band in bands if band.place.origin is None]
        span = _own_span(place, node)
        return _symbol(SymbolKind.CRITERION, shortened(criterion.identifier), detail, node.span, span, ranges)

    def _range(self, band: Band) -> Symbol:
        low, high = band.extent or (None, None)
        written = shortened(self.text[band.place.start : band.place.end])
        name = written if low is None else str(low) if low == high else f"{low}-{high}"
        return _symbol(SymbolKind.RANGE, name, shortened(band.text), band.whole.span, band.place.span)

    def execution(self, pair: Pair, _owner: Mapping) -> list[Symbol]:
        """Return the evaluators below `execution` or `evaluators`."""
        return self._evaluators(_evaluators_below(pair))

    def _evaluators(self, pair: Pair | None) -> list[Symbol]:
        items = _own_items(pair.value) if pair is not None else []
        return [
            self._evaluator(item, number) for number, item in enumerate(items, start=1) if isinstance(item, Mapping)
        ]

    def _evaluator(self, node: Mapping, number: int) -> Symbol:
        evaluator = EvaluatorView(node, self.version)
        kind = node.get("type")
        written = shortened(kind.value) if isinstance(kind, Scalar) else ""
        name = shortened(evaluator.name.value) if evaluator.name is not None else f"evaluator {number}"
        place = evaluator.name or (node.pairs[0].key if node.pairs else node)
        children: list[Symbol] = []
        if node.origin is None and evaluator.criteria is not None:
            children += self.criteria(evaluator.criteria.pair, node)
        if node.origin is None and evaluator.kind == "composite":
            children += self._evaluators(node.index.get("evaluators"))
        return _symbol(SymbolKind.EVALUATOR, name, written, node.span, _own_span(place, node), children)

    def scorecard(self, pair: Pair, _owner: Mapping) -> list[Symbol]:
        """Return the scorecard that is written in a case."""
        if not isinstance(pair.value, Mapping) or pair.value.origin is not None:
            return []
        return [self._named_scorecard(pair, ScorecardView(pair.value, self.version))]

    def _named_scorecard(self, pair: Pair, scorecard: ScorecardView) -> Symbol:
        children: list[Symbol] = []
        if pair.value.origin is None:
            for kind, adjustments in (
                (SymbolKind.RED_FLAG, scorecard.red_flags),
                (SymbolKind.BONUS, scorecard.bonuses),
            ):
                children += [self._adjustment(kind, each) for each in adjustments if each.node.origin is None]
        name = shortened(pair.name or "")
        return _symbol(SymbolKind.SCORECARD, name, "", pair.span, pair.key.span, children)

    def _adjustment(self, kind: SymbolKind, adjustment: AdjustmentView) -> Symbol:
        named = adjustment.identifier or adjustment.outcome
        name = shortened(named.value) if named is not None else f"{_WORDS[kind]} {adjustment.number}"
        detail = _WORDS[kind]
        if kind is SymbolKind.RED_FLAG and adjustment.counted is not None:
            detail = f"{detail}, deduction {adjustment.counted.normalize():f}"
        return _symbol(kind, name, detail, adjustment.node.span, _own_span(adjustment.place, adjustment.node))

    def _with_dash(self, node: Node) -> Span:
        dash = dash_of(self.text, node)
        return Span(dash if dash >= 0 else node.start, node.end)


_WORDS = {SymbolKind.RED_FLAG: "red flag", SymbolKind.BONUS: "bonus"}
_PARTS: dict[str, Callable[[_Maker, Pair, Mapping], list[Symbol]]] = {
    "rubrics": _Maker.criteria,
    "evaluators": _Maker.execution,
    "execution": _Maker.execution,
    "scorecard": _Maker.scorecard,
}


def _symbol(  # noqa: PLR0913, PLR0917 - the fields of a symbol.
    kind: SymbolKind, name: str, detail: str, span: Span, place: Span, children: list[Symbol] | tuple[Symbol, ...] = ()
) -> Symbol:
    """Make a symbol; the place of its name is kept inside of it, as every editor wants it."""
    start = min(max(place.start, span.start), span.end)
    return Symbol(kind, name, detail, span, Span(start, min(max(place.end, start), span.end)), tuple(children))


def counted(cases: int) -> str:
    """Return how many cases there are, in words."""
    return "1 case" if cases == 1 else f"{cases:,} cases"


def _own_span(place: Node, whole: Node) -> Span:
    """Return where a name stands; where an alias or a merge key brings it, that is the start of the whole."""
    if place.origin is not None and place is not whole:
        return Span(whole.start, whole.start)
    return place.span


def _own_items(node: Node) -> list[Node]:
    """Return the items of a list that is written here."""
    return node.items if isinstance(node, Sequence) and node.origin is None else []


def _is_flow(node: Node) -> bool:
    return isinstance(node, Sequence) and node.flow


def _evaluators_below(pair: Pair) -> Pair | None:
    """Return the list of evaluators that a key is or holds."""
    if pair.name == "evaluators":
        return pair
    return pair.value.index.get("evaluators") if isinstance(pair.value, Mapping) and not pair.value.origin else None
