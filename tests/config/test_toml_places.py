"""Where keys and values of a TOML text are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.config.toml_places import find_places, place_of
from rubric_core.config.toml_reader import loads

TEXT = '''\
# a comment with = and [brackets]
title = "x # no comment"
dotted.key . "quoted key" = 1
list = [ "a", 'b', # why
  """c
  "]" """, [1, 2], {k = true}, ]
[tool.rubric]
select=["RB1"]   # here
inline = { a = 1, b.c = [ ], "d" = 'e' }
[ tool . "rubric".severity ]
RB401 = "off"
date = 1979-05-27 07:32:00
[[items]]
n = 1
[[items]]
n = 2
[items.sub]
z = \'\'\'it's\'\'\'
'''


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("title",), "title", '"x # no comment"'),
        (("dotted", "key", "quoted key"), '"quoted key"', "1"),
        (("dotted", "key"), "key", "key"),
        (("list", 0), '"a"', '"a"'),
        (("list", 1), "'b'", "'b'"),
        (("list", 2), '"""c\n  "]" """', '"""c\n  "]" """'),
        (("list", 3, 1), "2", "2"),
        (("list", 4, "k"), "k", "true"),
        (("tool", "rubric"), "rubric", "rubric"),
        (("tool", "rubric", "select"), "select", '["RB1"]'),
        (("tool", "rubric", "select", 0), '"RB1"', '"RB1"'),
        (("tool", "rubric", "inline", "b", "c"), "c", "[ ]"),
        (("tool", "rubric", "inline", "d"), '"d"', "'e'"),
        (("tool", "rubric", "severity"), "severity", "severity"),
        (("tool", "rubric", "severity", "RB401"), "RB401", '"off"'),
        (("tool", "rubric", "severity", "date"), "date", "1979-05-27 07:32:00"),
        (("items", 0, "n"), "n", "1"),
        (("items", 1, "n"), "n", "2"),
        (("items", 1, "sub", "z"), "z", "'''it's'''"),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_every_key_and_item_has_its_place(path: tuple[str | int, ...], key: str, value: str, line_break: str) -> None:
    """Tables, dotted keys, lists, inline tables and lists of tables are all found, with both line breaks."""
    text = TEXT.replace("\n", line_break)
    found = find_places(text)[path]
    assert text[slice(*found.key)] == key.replace("\n", line_break)
    assert text[slice(*found.value)] == value.replace("\n", line_break)


def test_a_path_without_a_place_gets_the_nearest_one() -> None:
    """What cannot be found is reported at what is around it."""
    places = find_places("a = {b = 1}")
    assert place_of(places, ("a", "b", "c")) == places["a", "b"]
    assert place_of(places, ("x",)).key == (0, 0)


_KEYS = st.text(st.sampled_from("ab-_ .\"é#'"), min_size=1, max_size=4)
_LEAVES = st.one_of(st.booleans(), st.integers(), st.text(st.sampled_from("a,]}#=\"'\\é "), max_size=6))
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
    max_leaves=8,
)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return "[ " + ", ".join(map(_written, value)) + " ]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_quoted(key)} = {_written(item)}" for key, item in value.items()) + " }"
    return str(value)


@given(st.dictionaries(_KEYS, _VALUES, max_size=4))
def test_a_place_holds_its_value(data: dict[str, object]) -> None:
    """Reading the text of a value's place again gives the value."""
    text = "# top\n" + "\n".join(f"{_quoted(key)} = {_written(value)}  # end" for key, value in data.items())
    places = find_places(text)
    for key, value in data.items():
        assert loads(f"x = {text[slice(*places[(key,)].value)]}")["x"] == value
