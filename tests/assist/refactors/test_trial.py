"""A refactor is tried before its edits are given away; one that would break a promise is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from refactoring import PATH, ranges

from rubric_core.analysis.check import analyse
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, adds_one_band, keeps_all, keeps_texts
from rubric_core.assist.refactors.trial import is_kept
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.assist.refactors.refactor import Meaning

TEXT = ranges("0: Wrong  # low\n5: Right\n")


def _is_kept(
    old: str, new: str, keeps: Callable[[Meaning, Meaning], bool] = keeps_all, *, reaches_suite: bool = False
) -> bool:
    """Tell what becomes of a refactor that puts one stretch in the place of another."""
    start = TEXT.index(old)
    place = cursor_at(analyse(TEXT, path=PATH), start)
    assert place is not None
    refactor = Refactor("any", lambda _: None, keeps=keeps, reaches_suite=reaches_suite)
    return is_kept(place, refactor, RefactorProposal("Any", (Edit(start, start + len(old), new),)))


BROKEN_PROMISES = {
    "no YAML": ("Right", "[Right"),
    "a comment that is lost": ("  # low", ""),
    "an error that is new": ("Explains the choice", '""'),
    "another text": ("Wrong", "False"),
    "another bound": ("5: Right", "6: Right"),
    "another id": ("quality", "other"),
}


@pytest.mark.parametrize("reaches_suite", [False, True], ids=["within a case", "beyond it"])
@pytest.mark.parametrize(("old", "new"), BROKEN_PROMISES.values(), ids=list(BROKEN_PROMISES))
def test_a_broken_promise_is_found_out(old: str, new: str, *, reaches_suite: bool) -> None:
    """Whatever it is."""
    assert not _is_kept(old, new, reaches_suite=reaches_suite)


@pytest.mark.parametrize("reaches_suite", [False, True], ids=["within a case", "beyond it"])
def test_what_means_the_same_may_be_written_another_way(*, reaches_suite: bool) -> None:
    """Quotes make no difference here."""
    assert _is_kept("Wrong", '"Wrong"', reaches_suite=reaches_suite)


def test_ranges_may_move_as_long_as_their_texts_stay() -> None:
    """That is what spreading them promises."""
    assert _is_kept("5: Right", "6: Right", keeps_texts)
    assert not _is_kept("5: Right", "6: Left", keeps_texts)
    assert not _is_kept("quality", "other", keeps_texts)


def test_one_range_more_may_come() -> None:
    """That is what splitting promises: exactly one, with all texts still there, and nothing else."""
    assert _is_kept("5: Right", "5: Right\n          8: Better", adds_one_band)
    assert not _is_kept("5: Right", "6: Right", adds_one_band)
    assert not _is_kept("5: Right", "5: Left\n          8: Better", adds_one_band)
    assert not _is_kept("quality", "other", adds_one_band)


def test_a_place_outside_of_what_is_tried_is_refused() -> None:
    """Only the case and the entries that it refers to are looked at."""
    text = "description: Ports\n" + TEXT
    at = text.index("score_ranges")
    place = cursor_at(analyse(text, path=PATH), at)
    assert place is not None
    refactor = Refactor("any", lambda _: None, reaches_suite=True)
    assert not is_kept(place, refactor, RefactorProposal("Any", (Edit(13, 18, "Doors"),)))
