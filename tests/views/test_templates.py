"""Templates in texts are read in time proportional to the text, whatever is never closed in it."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest

from rubric_core.views.templates import lost_pieces, template_names

if TYPE_CHECKING:
    from collections.abc import Callable

_LENGTH = 40_000
_SECONDS = 2.0
# Each took at least ten seconds where an end was looked for again from every start.
_SHAPES: dict[str, Callable[[int], str]] = {
    "open values": lambda n: "{{ a " * (n // 5),
    "names in one value": lambda n: "{{ " + "a " * (n // 2) + "}}",
    "a long name": lambda n: "{{" + "a" * n,
}


@pytest.mark.parametrize("shape", _SHAPES)
def test_what_is_never_closed_is_looked_for_once(shape: str) -> None:
    """A file may hold a million braces."""
    text = _SHAPES[shape](_LENGTH)
    start = process_time()
    list(template_names(text))
    lost_pieces(text, {"b"})
    assert process_time() - start < _SECONDS


@pytest.mark.parametrize(
    ("text", "names", "lost"),
    [
        ("{{ a", [], []),
        ("{{{ a }}", ["a"], []),
        ("{{ a }} {{ b", ["a"], ["{{ a }}"]),
        ("{% raw %}{{ a }}{% endraw %}{{ b }}", ["raw", "a", "endraw", "b"], ["{{ b }}"]),
        ("{% raw %}{{ a }}{% endverbatim %}", ["raw", "a", "endverbatim"], ["{% raw %}{{ a }}{% endverbatim %}"]),
        ("{# {{ a }} #}{{ b | upper }}", ["b"], ["{# {{ a }} #}", "{{ b | upper }}"]),
        ("{%}{{ a }}", ["a"], ["{{ a }}"]),
        ("{% for x   in  y %}{{ x }}{% endfor %}", ["x", "y", "x"], ["{% for x   in  y %}{{ x }}{% endfor %}"]),
    ],
)
def test_the_pieces_of_a_template(text: str, names: list[str], lost: list[str]) -> None:
    """An end that is before the start, or is another's, is none."""
    assert [name.text for name in template_names(text)] == names
    assert [text[piece.start : piece.end] for piece in lost_pieces(text, set())] == lost
