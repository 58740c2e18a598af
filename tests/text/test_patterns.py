"""Patterns that are compiled on first use behave like any other."""

from __future__ import annotations

import re
from unittest.mock import patch

from rubric_core.text.patterns import lazily


def test_a_pattern_is_compiled_on_first_use_and_then_kept() -> None:
    """Making it costs nothing; each method is looked up once."""
    with patch("re.compile", wraps=re.compile) as compiled:
        pattern = lazily(r"a(b+)", re.IGNORECASE)
        assert compiled.call_count == 0
        assert pattern.search("xABB")[1] == "BB"
        assert pattern.search("abb") is not None
        assert compiled.call_count == 1


def test_every_method_of_a_pattern_works() -> None:
    """Whatever a compiled pattern can do, this one can do."""
    pattern = lazily(r"\d+")
    assert pattern.findall("1 22") == ["1", "22"]
    assert pattern.sub("n", "1 22") == "n n"
    assert [found.start() for found in pattern.finditer("1 22")] == [0, 2]
    assert pattern.pattern == r"\d+"
