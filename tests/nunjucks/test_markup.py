"""The markup of templates: values, tags, comments, and what is wrong with them."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest

from rubric_core.nunjucks import filters
from rubric_core.nunjucks.markup import (
    FILTERS,
    defined_names,
    is_balanced,
    pieces,
    template_errors,
    without_raw,
    without_strings,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_LENGTH = 40_000
_SECONDS = 2.0
# Each took at least ten seconds where an end was looked for again from every start.
_SHAPES: dict[str, Callable[[int], str]] = {
    "open braces": lambda n: "{" * n,
    "open values": lambda n: "{{ a " * (n // 5),
    "one closed value": lambda n: "{" * n + "}}",
    "open tags": lambda n: "{% " * (n // 3),
    "open comments": lambda n: "{#" * (n // 2),
    "open raw": lambda n: "{% raw %}" * (n // 9),
    "raw closed by another": lambda n: "{% raw %}" * (n // 9) + "{% endverbatim %}",
    "spaces in a loop": lambda n: "{% for " + "a" + " " * n + "x %}",
}


@pytest.mark.parametrize("shape", _SHAPES)
def test_what_is_never_closed_is_looked_for_once(shape: str) -> None:
    """A file may hold a million braces."""
    text = _SHAPES[shape](_LENGTH)
    start = process_time()
    list(template_errors(text, ()))
    list(pieces(without_raw(text)))
    defined_names(text.removeprefix("{%"))
    assert process_time() - start < _SECONDS


@pytest.mark.parametrize(
    ("text", "shown", "wrong"),
    [
        ("{{ a", [], [("unclosed", "{{ a", "}}")]),
        ("{{{ a }}", ["{{{ a }}"], []),
        ("{{ a }} {{ b", ["{{ a }}"], [("unclosed", "{{ b", "}}")]),
        ("{{ a {{ b }}", ["{{ a {{ b }}"], [("cut", "{{ a", "}}")]),
        ("{% raw %}{{ a }}{% endraw %}{{ b }}", ["{{ b }}"], []),
        ("{% raw %}{{ a }}{% endverbatim %}", ["{% raw %}", "{{ a }}", "{% endverbatim %}"], []),
        ("{# {{ a }} #}{{ b | upper }}", ["{# {{ a }} #}", "{{ b | upper }}"], []),
        ("{%}{{ a }}", ["{{ a }}"], []),
        ("{{ a | loud | mine }}", ["{{ a | loud | mine }}"], [("filter", "loud", "loud")]),
        ("{{ '| loud' }}", ["{{ '| loud' }}"], []),
        ("{% loop %}", ["{% loop %}"], [("tag", "loop", "loop")]),
        ("{% if a %}", ["{% if a %}"], [("unclosed", "{% if a %}", "{% endif %}")]),
    ],
)
def test_the_pieces_of_a_template(text: str, shown: list[str], wrong: list[tuple[str, str, str]]) -> None:
    """An end that is before the start, or is another's, is none."""
    assert [piece.group() for piece in pieces(without_raw(text))] == shown
    errors = [(error.kind, text[error.start : error.end], error.word) for error in template_errors(text, ["mine"])]
    assert errors == wrong


def test_filters_are_not_checked_where_those_of_the_author_are_unknown() -> None:
    """Any name may be one of them."""
    assert not list(template_errors("{{ a | loud }}", None))


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        ("for x, y in pairs", ["x", "y"]),
        (" set a = b ", ["a"]),
        ("macro show(a)", ["show", "a"]),
        ("import 'x' as y", ["x", "as", "y"]),
        ("if a", []),
    ],
)
def test_the_names_that_a_tag_defines(tag: str, names: list[str]) -> None:
    """Too many rather than too few: whoever asks wants to know what is undefined."""
    assert defined_names(tag) == names


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["if a", "else", "endif"], True),
        (["for x in y", " if x ", "endif", "endfor"], True),
        (["set a = 1"], True),
        (["if a"], False),
        (["endif"], False),
        (["if a", "for x in y", "endif", "endfor"], False),
    ],
)
def test_blocks_close_in_order(tags: list[str], expected: bool) -> None:  # noqa: FBT001 - a table.
    """Each by its own tag."""
    assert is_balanced(tags) is expected


def test_every_filter_that_is_rendered_is_known() -> None:
    """The two tables are apart, because the one of the rendering needs jinja2."""
    assert set(filters.FILTERS) <= FILTERS


def test_strings_become_spaces() -> None:
    """So that everything else keeps its place."""
    assert without_strings("a | join(', ') + \"b\"") == "a | join(    ) +    "
