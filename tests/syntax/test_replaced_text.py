"""Text that is put in the place of a string is read back as the same text, in any quotes and brackets."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import ScalarKind, resolve
from rubric_core.text.spans import apply_edits

_TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"], exclude_characters="\ufeff\u2028\u2029")
)


@given(_TEXTS, st.sampled_from(["k: old\n", "k: 'old'\n", 'k: "old"\n', "k:\n", "k: {k: old}\n", "k: {k: 'old'}\n"]))
def test_any_text_is_read_back(new: str, text: str) -> None:
    """The value is a string again, and it is the new one."""
    node = _value(text)
    flow = "{" in text
    changed = _value(apply_edits(text, [replace_text(node, new, flow=flow)]))
    assert resolve(changed) == (ScalarKind.STRING, new)


@given(_TEXTS)
def test_json_stays_json(new: str) -> None:
    """In brackets a value that had no quotes gets some."""
    text = '{"k": null}'
    node = _value(text)
    assert json.loads(apply_edits(text, [replace_text(node, new, flow=True)])) == {"k": new}


@pytest.mark.parametrize(
    ("old", "new"),
    [("k: old", "k: it's"), ("k: 'old'", "k: 'it''s'"), ('k: "old"', 'k: "it\'s"'), ("k:", "k: it's")],
)
def test_quotes_stay(old: str, new: str) -> None:
    """The new text looks like the old one."""
    assert apply_edits(old, [replace_text(_value(old), "it's")]) == new


def _value(text: str) -> Scalar:
    node = parse(text).root
    while isinstance(node, Mapping):
        node = node.get("k")
    assert isinstance(node, Scalar)
    return node
