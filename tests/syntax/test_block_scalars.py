"""The value of a block scalar is made from its raw text exactly as YAML says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rubric_core.syntax.block_scalars import decode_block_scalar
from rubric_core.syntax.nodes import BlockScalar, walk
from rubric_core.syntax.parse import parse


@pytest.mark.parametrize(
    ("raw", "parent_indent", "value"),
    [
        pytest.param("|\n  a\n  b\n", 0, "a\nb\n", id="literal"),
        pytest.param("|-\n  a\n\n", 0, "a", id="strip"),
        pytest.param("|+\n  a\n\n", 0, "a\n\n", id="keep"),
        pytest.param("|\n  a\n\n\n", 0, "a\n", id="clip"),
        pytest.param("|\n  a", 0, "a", id="no-last-line-break"),
        pytest.param(">\n  a", 0, "a", id="folded-without-last-line-break"),
        pytest.param("|\n\n  a\n    b\n   c\n", 0, "\na\n  b\n c\n", id="deeper-lines"),
        pytest.param("| # note\n  a\n", 0, "a\n", id="comment-behind-the-indicator"),
        pytest.param("|2\n    a\n   b\n", 0, "  a\n b\n", id="explicit-indentation"),
        pytest.param("|1-\n    a\n", 2, " a", id="explicit-indentation-counts-from-the-parent"),
        pytest.param("|-1\n a\n", -1, "a", id="chomping-before-indentation"),
        pytest.param("|\n\n\n", 0, "", id="only-blank-lines"),
        pytest.param("|+\n\n\n", 0, "\n\n", id="kept-blank-lines"),
        pytest.param("|", 0, "", id="nothing"),
        pytest.param(">\n  a\n  b\n\n  c\n", 0, "a b\nc\n", id="folded"),
        pytest.param(">\n  a\n\n\n  b\n", 0, "a\n\nb\n", id="folded-blank-lines"),
        pytest.param(">-\n  a\n    b\n  c\n", 0, "a\n  b\nc", id="deeper-lines-are-not-folded"),
        pytest.param(">\n  a\n\n    b\n\n  c\n", 0, "a\n\n  b\n\nc\n", id="blank-lines-around-deeper-ones"),
        pytest.param(">+\n  a\n\n", 0, "a\n\n", id="folded-keep"),
        pytest.param(">\n\n  a\n", 0, "\na\n", id="folded-blank-line-first"),
        pytest.param(">\n  \ta\n  b\n", 0, "\ta\nb\n", id="a-tab-is-deeper"),
        pytest.param("|\r\n  a\r\n\r\n  b\r\n", 0, "a\n\nb\n", id="crlf"),
        pytest.param("|\r  a\r  b\r", 0, "a\nb\n", id="lone-cr"),
        pytest.param("|\n  a\u2028b\n", 0, "a\u2028b\n", id="separators-are-text"),
    ],
)
def test_a_block_scalar_is_decoded(raw: str, parent_indent: int, value: str) -> None:
    """Dedented, folded and chomped, with line breaks made LF."""
    assert decode_block_scalar(raw, parent_indent) == value


_LINES = st.lists(
    st.sampled_from(["", "", "a", "b c", "  deeper", " x", "\ttab", "# no comment", "- dash", "k: v", "é🎉", "   "]),
    max_size=6,
)
_HEADERS = st.tuples(st.sampled_from("|>"), st.sampled_from(["", "-", "+", "1", "2", "3-", "-2", "+1"])).map("".join)
_AROUND = st.sampled_from(
    [
        ("", "k: ", 0, "next: 1\n"),
        ("top:\n", "  k: ", 2, "  next: 1\n"),
        ("", "- ", 0, "- next\n"),
        ("top:\n", "- - k: ", 4, "    next: 1\n"),
        ("top:\n", "  -   ", 2, "  - next\n"),
        ("", "- k: ", 2, "- next\n"),
    ]
)


@given(_HEADERS, _LINES, _AROUND, st.integers(1, 4), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_value_is_that_of_a_whole_parser(  # noqa: PLR0913, PLR0917 - what is drawn.
    header: str,
    lines: list[str],
    around: tuple[str, str, int, str],
    extra: int,
    line_break: str,
    last: bool,  # noqa: FBT001 - drawn.
) -> None:
    """Wherever the scalar is, whatever its header says, and whichever parser found it."""
    above, lead, column, below = around
    pad = " " * (column + extra)
    text = above + lead + header + "\n" + "".join(f"{pad}{line}\n" if line else "\n" for line in lines)
    text = (text.rstrip("\n") if last else text + below).replace("\n", line_break)
    expected = _first_block_scalar(text)
    assume(expected is not None)
    tree = parse(text)
    assert tree.problems == ()
    assert tree.root is not None
    found = next(node for node in walk(tree.root) if isinstance(node, BlockScalar))
    assert found.value == expected


def _first_block_scalar(text: str) -> str | None:
    """Return the first literal or folded value as the parser of ruamel.yaml gives it."""
    from ruamel.yaml import YAML, YAMLError  # noqa: PLC0415 - few tests need it.

    try:
        events: list[Any] = list(YAML(typ="safe").parse(text))
    except YAMLError:
        return None
    return next((event.value for event in events if getattr(event, "style", None) in {"|", ">"}), None)
