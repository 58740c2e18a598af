"""Generated text has quotes only where YAML needs them, and is always read back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rubric_core.syntax.edits import is_plain, render_text
from rubric_core.syntax.limits import DEFAULT_LIMITS
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, resolve

PLAIN = [
    "Names port 8080",
    "Erklärt, weshalb der Port belegt ist",
    "说明端口 8080",
    "Ends with a party 🎉",
    "Links https://example.org/manual#ports",
    "Quotes the \"port\" and 'host'",
    "Uses `--port` (not -p)",
    "-1 is returned",
    "Costs 100% of a[0]",
    "5 ports",
    "C# and a#b",
    "~/.config is named",
]
QUOTED = [
    "Says why: the proxy",
    "Ends with a colon:",
    "Names # 8080",
    "- a dash",
    "-",
    "? a question",
    "yes",
    "No",
    "null",
    "~",
    "8080",
    "0x1F",
    "1:30",
    "2024-05-01",
    "=",
    "<<",
    "*alias",
    "&anchor",
    "!tag",
    "%percent",
    "@at",
    "`code` first",
    "[list]",
    "{braces}",
    '"quoted"',
    "'quoted'",
    "| literal",
    "> folded",
    ", comma",
    "",
    "a\u2028b",
    "bell \x07",
]
QUOTED_IN_BRACKETS = ["a, b", "a[0]", "x}", "http://host", "Why?"]


@pytest.mark.parametrize("text", PLAIN)
def test_text_is_plain_where_it_can_be(text: str) -> None:
    """People read and change what is generated."""
    assert render_text(text) == text


@pytest.mark.parametrize("text", QUOTED)
def test_text_is_quoted_where_it_must_be(text: str) -> None:
    """YAML would take it for something else, or some readers of YAML 1.1 would."""
    assert not is_plain(text)
    assert render_text(text).startswith('"')


@pytest.mark.parametrize("text", QUOTED_IN_BRACKETS)
def test_brackets_need_more_quotes(text: str) -> None:
    """A comma or a bracket ends a plain text there, and some readers stumble over a colon."""
    assert is_plain(text)
    assert render_text(text, flow=True).startswith('"')


_PIECES = st.sampled_from(
    [*"-?:,[]{}#&*!|>'\"%@`~=<. \\\t09aZé🎉\u00a0\u2028\ufeff\x85", ": ", " #", "- ", "no", "1e3", "---"]
)
_TEXTS = st.lists(_PIECES, min_size=1, max_size=8).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12
)


@given(_TEXTS)
def test_every_text_is_read_back_as_it_was(text: str) -> None:
    """In block style and in brackets, by YAML 1.2 and 1.1, by this project's reader and by another one."""
    block, flow = (
        f"a:\n  - {render_text(text)}\n",
        f"a: [{render_text(text, flow=True)}, {{b: {render_text(text, flow=True)}}}]\n",
    )
    for written in (block, flow):
        root = parse(written, limits=DEFAULT_LIMITS).root
        assert isinstance(root, Mapping)
        listed = root.get("a")
        assert isinstance(listed, Sequence)
        first = listed.items[0]
        assert isinstance(first, Scalar)
        assert all(resolve(first, version) == (ScalarKind.STRING, text) for version in YamlVersion)
    assert YAML(typ="safe").load(block) == {"a": [text]}
    assert YAML(typ="safe").load(flow) == {"a": [text, {"b": text}]}
    assert YAML(typ="safe", pure=True).load(flow) == {"a": [text, {"b": text}]}
