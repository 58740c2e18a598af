"""What the parts of a suite give to every test, joined by the defaults of the fields."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pytest

from rubric_core.dialects.parts import SUITE
from rubric_core.dialects.registry import DIALECTS
from rubric_core.views.inherited import NOTHING_INHERITED, Inherited


@dataclass(frozen=True, slots=True)
class _Own(Inherited):
    filters: frozenset[str] | None = frozenset()
    count: int | None = None


def test_names_are_joined_and_one_part_makes_a_statement_true() -> None:
    """What is known has to be known of every part."""
    joined = Inherited(frozenset("a"), may_judge=True).joined(Inherited(frozenset("b"), is_known=False))
    assert joined == Inherited(frozenset("ab"), may_judge=True, is_known=False)


def test_the_first_number_counts() -> None:
    """The others are of keys that come later."""
    first, other = Inherited(pass_mark=Decimal(0)), Inherited(pass_mark=Decimal(1))
    assert first.joined(other) == first
    assert NOTHING_INHERITED.joined(other) == other


def test_names_that_are_not_known_in_one_part_are_not_known() -> None:
    """Whatever is known of the others."""
    assert _Own(filters=frozenset("a")).joined(_Own(filters=None)).filters is None
    assert _Own(filters=frozenset("a")).joined(_Own(filters=frozenset("b"))).filters == frozenset("ab")


def test_the_type_of_the_first_part_stays() -> None:
    """A suite of another dialect, which names a file, gives what both types have."""
    own = _Own(frozenset("a"), count=2)
    assert own.joined(Inherited(frozenset("b"))) == _Own(frozenset("ab"), count=2)
    assert Inherited(frozenset("b")).joined(own) == Inherited(frozenset("ab"))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_nothing_adds_nothing(dialect: object) -> None:
    """In no dialect."""
    nothing = SUITE.of(dialect).nothing  # type: ignore[arg-type]
    assert nothing.joined(nothing) == nothing
    assert nothing.joined(NOTHING_INHERITED) == nothing
