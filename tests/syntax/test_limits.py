"""Limits have ceilings, and a bomb of aliases is defused below them."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from rubric_core.syntax.document import Document
from rubric_core.syntax.limits import CEILINGS, DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import walk


def test_no_limit_goes_over_its_ceiling() -> None:
    """Whoever asks for more gets the ceiling, and every limit has one."""
    assert asdict(Limits(**dict.fromkeys(CEILINGS, 10**18))) == CEILINGS
    assert asdict(DEFAULT_LIMITS).keys() == CEILINGS.keys()
    assert all(value <= CEILINGS[name] for name, value in asdict(DEFAULT_LIMITS).items())


@pytest.mark.parametrize("width", [4, 10])
def test_a_bomb_of_aliases_is_defused_whatever_the_limit(width: int) -> None:
    """Nodes are counted, since each costs memory and time."""
    lines = [f"a0: &a0 [{', '.join(['x'] * width)}]\n"]
    lines += (f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]\n" for n in range(1, 14))
    document = Document("".join(lines), limits=Limits(alias_expansion=10**9))
    document.settle()
    roots = [chunk.tree.root for chunk in document.chunks if chunk.tree is not None]
    assert sum(1 for root in roots if root is not None for _ in walk(root)) < 1_000_000
