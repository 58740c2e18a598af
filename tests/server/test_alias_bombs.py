"""A file whose aliases repeat very much is answered for like any other."""

from __future__ import annotations

import pytest
from loopback import Loopback

URI = "file:///nowhere/a.eval.yaml"
CASES = 300
CASE = "  - id: c{}\n    expected_outcome: Says it\n    input: Hi\n    metadata: *a\n"
TEXT = f"a: &a [{', '.join(['x'] * 1000)}]\nevalcases:\n" + "".join(CASE.replace("{}", str(n)) for n in range(CASES))


@pytest.mark.slow
def test_requests_are_answered_and_aliases_followed_once_they_are_few() -> None:
    """Each case says what is wrong, until what they repeat is short."""
    client = Loopback()
    client.open(TEXT)
    client.work()
    codes = [found["code"] for found in client.published()[-1]["diagnostics"]]
    assert codes == ["RB008"] * CASES
    place = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 15}}
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert client.request("textDocument/definition", place)
    client.request("textDocument/hover", place)
    start, end = {"line": 0, "character": 7}, {"line": 0, "character": TEXT.index("\n") - 1}
    client.change({"range": {"start": start, "end": end}, "text": "x"}, 2)
    client.work()
    assert client.published()[-1]["diagnostics"] == []
