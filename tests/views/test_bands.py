"""Score ranges of both forms are read into bands."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from plain_trees import mapping_of

from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.rules.registry import rules_of
from rubric_core.rules.rule import Context, Subject
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.bands import BandsView, Flaw, Form
from rubric_core.views.criteria import CriterionView

RULES = [rule for rule in rules_of(DEFAULT_DIALECT) if rule.subject is Subject.COVERAGE]


def _criterion(ranges: str) -> tuple[str, CriterionView]:
    text = f"id: quality\nscore_ranges: {ranges}\n"
    return text, CriterionView(mapping_of(text), 1, YamlVersion.V1_2, DEFAULT_DIALECT)


def _bands(ranges: str) -> BandsView:
    bands = _criterion(ranges)[1].bands
    assert bands is not None
    return bands


def _array(*bounds: str) -> str:
    return (
        "[" + ", ".join(f"{{score_range: {each}, expected_outcome: text {n}}}" for n, each in enumerate(bounds)) + "]"
    )


@pytest.mark.parametrize(
    ("ranges", "bounds"),
    [
        ("{0: a, 3: b, 9: c}", [(0, 2), (3, 8), (9, 10)]),
        ("{9: c, 0: a, 3: b}", [(9, 10), (0, 2), (3, 8)]),
        ('{"0": a, 0x5: b}', [(0, 4), (5, 10)]),
        ("{0: a, 12: b}", [(0, 11), (12, 12)]),
        ("{-2: a, 5: b}", [(-2, 4), (5, 10)]),
        ("{0: a, 0: b, 5: c}", [(0, 4), (5, 10)]),
        ("{0: a, 2.5: b, 5: c}", [(0, 4), (None, None), (5, 10)]),
        (_array("[0, 4]", "[5, 10]"), [(0, 4), (5, 10)]),
        (_array("[4, 0]", "[5, 1.5]", "3"), [(4, 0), (None, None), (None, None)]),
    ],
)
def test_bounds_are_read(ranges: str, bounds: list[tuple[int | None, int | None]]) -> None:
    """In a map a range reaches to the next key; what cannot be read has no bounds."""
    assert [(band.lower, band.upper) for band in _bands(ranges).bands] == bounds


@pytest.mark.parametrize(
    ("ranges", "flaws"),
    [
        ("{0: a, 2.5: b}", [None, Flaw.NOT_INTEGER]),
        ("{0: a, b: b}", [None, Flaw.MALFORMED]),
        ("{0: a, [5]: b}", [None, Flaw.MALFORMED]),
        (_array("[0, 4.5]", "['5', 10]", "[null, 3]"), [Flaw.NOT_INTEGER] * 3),
        (_array("[0]", "5", "{min: 3}", "[[1], 2]"), [Flaw.MALFORMED] * 4),
    ],
)
def test_what_cannot_be_read_says_why(ranges: str, flaws: list[Flaw | None]) -> None:
    """A bound of the wrong kind and a range of the wrong shape are different flaws."""
    assert [band.flaw for band in _bands(ranges).bands] == flaws


@pytest.mark.parametrize(
    ("bounds", "gaps"),
    [
        (("[0, 10]",), []),
        (("[0, 2]", "[5, 10]"), [(3, 4)]),
        (("[5, 10]", "[2, 0]"), [(3, 4)]),
        (("[1, 2]", "[5, 6]", "[6, 8]"), [(0, 0), (3, 4), (9, 10)]),
        (("[-5, 20]",), []),
        (("[11, 20]",), [(0, 10)]),
        (("[0, 8]", "[2, 3]", "[10, 10]"), [(9, 9)]),
    ],
)
def test_gaps_are_what_no_band_covers(bounds: tuple[str, ...], gaps: list[tuple[int, int]]) -> None:
    """Bounds count as if they were in order and within the scale."""
    view = _bands(_array(*bounds))
    assert [(gap.low, gap.high) for gap in view.gaps()] == gaps
    covered = [score for score in range(11) if view.band_of(score) is not None]
    assert covered == [score for score in range(11) if not any(low <= score <= high for low, high in gaps)]


def test_a_gap_knows_its_neighbours() -> None:
    """They are the bands that end and start next to it, wherever they are in the text."""
    view = _bands(_array("[8, 10]", "[0, 2]", "[1, 4]"))
    (gap,) = view.gaps()
    assert (gap.below, gap.above) == (view.bands[2], view.bands[0])


@pytest.mark.parametrize(("ranges", "form"), [("{}", Form.MAP), ("[]", Form.ARRAY), ("", None), ("word", None)])
def test_ranges_may_be_missing(ranges: str, form: Form | None) -> None:
    """What holds no range is empty and not sound."""
    view = _bands(ranges)
    assert (view.form, view.is_empty, view.covers_once) == (form, True, False)


# Anything that may be in a file, and more of what is nearly right.
_BOUNDS = st.one_of(
    st.integers(-2, 12).map(str),
    st.sampled_from(["2.5", "'3'", '"4"', "~", "", "word", "[1]", "{a: b}", "3-5", "9+", "0x5", "05", ".inf", "1e9"]),
)
_TEXTS = st.sampled_from(
    ["one", "two", "ONE", "three", "four", "five", "''", "", "~", "5", "true", "[a]", "{a: b}", "' '"]
)
_PAIRS = st.one_of(st.tuples(_BOUNDS, _BOUNDS).map(lambda pair: f"[{pair[0]}, {pair[1]}]"), _BOUNDS)
_ITEMS = st.one_of(
    st.tuples(_PAIRS, _TEXTS).map(lambda item: f"{{score_range: {item[0]}, expected_outcome: {item[1]}}}"),
    st.sampled_from(
        ["{}", "word", "[]", "", "{score_range: [0, 4]}", "{expected_outcome: six}", "{description: seven}"]
    ),
)
_MAPS = st.lists(st.tuples(_BOUNDS, _TEXTS).map(lambda pair: f"? {pair[0]}\n : {pair[1]}"), max_size=5)
_CUTS = st.lists(st.integers(1, 10), max_size=4, unique=True).map(sorted)
_NEARLY_RIGHT = _CUTS.map(lambda cuts: [0, *cuts, 11]).map(
    lambda cuts: _array(*(f"[{low}, {high - 1}]" for low, high in pairwise(cuts)))
)
_RANGES = st.one_of(
    _NEARLY_RIGHT,
    st.lists(_ITEMS, max_size=5).map(lambda items: f"[{', '.join(items)}]"),
    _MAPS.map(lambda pairs: f"{{{', '.join(pairs)}}}"),
)


@given(_RANGES)
def test_ranges_that_cover_each_score_once_have_no_problem_of_coverage(ranges: str) -> None:
    """The rules about coverage are not run on them; elsewhere no rule raises, and every fix can be applied."""
    assume(parse(f"score_ranges: {ranges}").root is not None)
    text, criterion = _criterion(ranges)
    bands = criterion.bands
    assert bands is not None
    found = [problem for rule in RULES for problem in rule.check(bands, Context(text=text))]
    for problem in found:
        for fix in problem.fixes() if problem.fixes is not None else ():
            assert all(0 <= edit.start <= edit.end <= len(text) for edit in fix.edits)
    if bands.covers_once:
        assert found == []
