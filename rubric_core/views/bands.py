"""The score ranges of a criterion, in both forms, read into bands."""

from decimal import Decimal
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, is_blank, is_null, resolve
from rubric_core.views.texts import first_filled

_TWO = 2
# Members of an Enum are slow to look up, and this one is used for every bound.
_PLAIN = ScalarStyle.PLAIN
# Nearly every bound is one of these, and need not be resolved.
SCORES = {str(score): score for score in range(LOWEST, HIGHEST + 1)}
"""The scores as they are commonly written."""


class Form(Enum):
    """How score ranges are written."""

    MAP = "map"
    ARRAY = "array"


class Flaw(Enum):
    """Why the bounds of a band cannot be read."""

    NOT_INTEGER = "not an integer"
    MALFORMED = "malformed"


class Band:
    """One range as written. Bounds that could not be read are None; `flaws` then has the reason and the place.

    `place` is what a problem of the range points at: the key of a map, the `[min, max]` of an array, the
    `score_range` key where that is written over several lines or left empty, or the first key of an item without
    it. In a map `upper` comes from the next key.
    """

    __slots__ = (
        *("comparable_text", "flaws", "lower", "lower_node", "outcome", "outcome_pair", "pair", "place"),
        *("upper", "upper_node", "whole"),
    )

    def __init__(self, place: Node, whole: Node | Pair, outcome_pair: Pair | None) -> None:
        self.place = place
        self.whole = whole
        # The pair with the text: of the map itself, or `expected_outcome:` of an array's item.
        self.outcome_pair = outcome_pair
        outcome = self.outcome = outcome_pair.value if outcome_pair is not None else None
        # The text without surrounding spaces and case, for comparing texts.
        self.comparable_text = ""
        if isinstance(outcome, Scalar) and not is_blank(outcome):
            self.comparable_text = outcome.value.strip().casefold()
        self.lower: int | None = None
        self.upper: int | None = None
        self.lower_node: Node | None = None
        self.upper_node: Node | None = None
        # The `score_range:` pair of an array's item.
        self.pair: Pair | None = None
        # Each bound that could not be read, or both as a whole.
        self.flaws: tuple[tuple[Flaw, Node], ...] = ()

    @property
    def flaw(self) -> Flaw | None:
        """Return the first reason why the bounds cannot be read."""
        return self.flaws[0][0] if self.flaws else None

    @property
    def text(self) -> str:
        """Return the band's text, or an empty one."""
        return self.outcome.value.strip() if isinstance(self.outcome, Scalar) else ""

    @property
    def extent(self) -> tuple[int, int] | None:
        """Return the scores that the band covers: bounds in order and within 0-10; None if it covers none."""
        low, high = self.lower, self.upper
        if low is None or high is None:
            return None
        if low > high:
            low, high = high, low
        if high < LOWEST or low > HIGHEST:
            return None
        return max(low, LOWEST), min(high, HIGHEST)

    @property
    def is_inverted(self) -> bool:
        """Return whether the first bound is above the second."""
        return self.lower is not None and self.upper is not None and self.lower > self.upper

    @property
    def low_node(self) -> Node | None:
        """Return the node of the smaller bound, even if the two are reversed."""
        return self.upper_node if self.is_inverted else self.lower_node

    @property
    def high_node(self) -> Node | None:
        """Return the node of the larger bound; a map has none."""
        return self.lower_node if self.is_inverted else self.upper_node


class Gap(NamedTuple):
    """Scores that no band covers, with the bands just below and just above them."""

    low: int
    high: int
    below: Band | None
    above: Band | None


def extent_of(band: Band) -> tuple[int, int]:
    """Return the scores that a band covers, for a message; all scores if its bounds cannot be read."""
    return band.extent or (LOWEST, HIGHEST)


class BandsView:
    """All bands of one criterion, in the order of the text."""

    __slots__ = ("bands", "covers_once", "form", "has_distinct_texts", "node", "non_mappings", "owner", "pair")

    def __init__(self, pair: Pair, form: Form | None, owner: Mapping | None) -> None:
        self.pair = pair
        # The criterion that the ranges belong to.
        self.owner = owner
        self.node = pair.value
        # None where `score_ranges` is neither a mapping nor a list.
        self.form = form
        self.bands: list[Band] = []
        # Items of an array that are not mappings.
        self.non_mappings: list[Node] = []
        # Whether the ranges, as written, cover the scores from 0 to 10 in order, each once.
        self.covers_once = False
        # Whether every range has a text of its own.
        self.has_distinct_texts = True

    @property
    def is_empty(self) -> bool:
        """Return whether there are no ranges."""
        return not self.bands and not self.non_mappings

    @property
    def is_readable(self) -> bool:
        """Return whether every bound could be read, so that coverage can be checked."""
        return not self.non_mappings and not any(band.flaws for band in self.bands)

    @property
    def covers_each_score_once(self) -> bool:
        """Return whether every score belongs to exactly one band, in any order."""
        extents = [extent for band in self.bands if (extent := band.extent) is not None]
        total = sum(high - low + 1 for low, high in extents)
        return self.is_readable and total == HIGHEST - LOWEST + 1 and not self.gaps()

    @property
    def edges(self) -> list[int]:
        """Return the scores above 0 at which a band starts."""
        return [extent[0] for band in self.bands if (extent := band.extent) is not None and extent[0] > LOWEST]

    def starts_at(self, score: int | Decimal | None) -> bool:
        """Return whether a range starts at a score above 0, where the ranges go through the scores in order."""
        return bool(score) and self.covers_once and any(band.lower == score for band in self.bands)

    def in_order(self) -> list[Band]:
        """Return the bands that cover any score, lowest first; equal ones stay in the order of the text."""
        covering = [(extent, band) for band in self.bands if (extent := band.extent) is not None]
        return [band for _, band in sorted(covering, key=lambda entry: entry[0])]

    def gaps(self) -> list[Gap]:
        """Return the scores that no band covers, lowest first."""
        gaps: list[Gap] = []
        reached = LOWEST - 1
        below: Band | None = None
        for band in self.in_order():
            low, high = band.extent or (LOWEST, LOWEST)
            if low > reached + 1:
                gaps.append(Gap(reached + 1, low - 1, below, band))
            if high > reached or below is None:
                reached, below = max(high, reached), band
        if reached < HIGHEST:
            gaps.append(Gap(reached + 1, HIGHEST, below, None))
        return gaps

    def band_of(self, score: int) -> Band | None:
        """Return the first band in the text that covers a score."""
        for band in self.bands:
            lower, upper = band.lower, band.upper
            if lower is not None and upper is not None and (lower <= score <= upper or upper <= score <= lower):
                return band
        return None


def read_bands(pair: Pair, version: YamlVersion, dialect: Dialect, owner: Mapping | None = None) -> BandsView:
    """Read the value of a `score_ranges` key."""
    node = pair.value
    if isinstance(node, Mapping):
        view = BandsView(pair, Form.MAP, owner)
        _read_map(view, node, version)
    elif isinstance(node, Sequence):
        view = BandsView(pair, Form.ARRAY, owner)
        _read_array(view, node, version, dialect.range_text_keys)
    else:
        return BandsView(pair, None, owner)
    view.covers_once = not view.non_mappings and _covers_once(view.bands)
    texts = {band.comparable_text for band in view.bands}
    view.has_distinct_texts = len(texts) == len(view.bands) and "" not in texts
    return view


def _read_map(view: BandsView, node: Mapping, version: YamlVersion) -> None:
    repeated = set(map(id, node.duplicates)) if node.duplicates else ()
    bands = view.bands
    for pair in node.pairs:
        if repeated and id(pair) in repeated:
            continue
        key = pair.key
        band = Band(key, pair, pair)
        band.lower_node = key
        band.lower = _bound(band, key, version, is_key=True)
        bands.append(band)
    keys = sorted({band.lower for band in bands if band.lower is not None})
    next_key = dict(pairwise(keys))
    for band in bands:
        lower = band.lower
        if lower is not None:
            upper = next_key.get(lower)
            # A key above 10 covers no score; its range is the key alone.
            band.upper = upper - 1 if upper is not None else max(HIGHEST, lower)


def _read_array(view: BandsView, node: Sequence, version: YamlVersion, text_keys: tuple[str, ...]) -> None:
    for item in node.items:
        if not isinstance(item, Mapping):
            view.non_mappings.append(item)
            continue
        pair = item.index.get("score_range")
        band = Band(_place_of(item, pair), item, first_filled(item, text_keys))
        band.pair = pair
        _read_bounds(band, version)
        view.bands.append(band)


def _place_of(item: Mapping, pair: Pair | None) -> Node:
    if pair is None:
        return item.pairs[0].key if item.pairs else item
    value = pair.value
    if isinstance(value, (Mapping, Sequence)):
        # A value in block style spans several lines, so its key is marked instead.
        return value if value.flow or value.origin else pair.key
    return pair.key if is_null(value) and not value.origin else value


def _read_bounds(band: Band, version: YamlVersion) -> None:
    node = band.pair.value if band.pair is not None else None
    if not isinstance(node, Sequence) or len(node.items) != _TWO:
        band.flaws = ((Flaw.MALFORMED, band.place),)
        return
    band.lower_node, band.upper_node = node.items
    lower = _bound(band, node.items[0], version)
    upper = _bound(band, node.items[1], version)
    if not band.flaws:
        band.lower, band.upper = lower, upper


def _bound(band: Band, node: Node, version: YamlVersion, *, is_key: bool = False) -> int | None:
    """Read one bound and add its flaws to the band. A quoted integer is valid only as a key."""
    flaw = Flaw.MALFORMED
    if isinstance(node, Scalar):
        if node.meta is None and node.style is _PLAIN and (score := SCORES.get(node.value)) is not None:
            return score
        kind, value = resolve(node, version)
        if is_key and kind is ScalarKind.STRING and not node.is_plain:
            kind, value = resolve(Scalar(node.start, node.end, node.value, ScalarStyle.PLAIN), version)
        if kind is ScalarKind.INTEGER and isinstance(value, int):
            return value
        if kind is ScalarKind.FLOAT or not is_key:
            flaw = Flaw.NOT_INTEGER
    band.flaws = (*band.flaws, (flaw, node))
    return None


def _covers_once(bands: list[Band]) -> bool:
    expected = LOWEST
    for band in bands:
        if band.lower != expected or band.upper is None or band.upper < expected:
            return False
        expected = band.upper + 1
    return expected == HIGHEST + 1
