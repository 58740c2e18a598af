"""A file of tests has the suite that names it as related information of its problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from loopback import Loopback

if TYPE_CHECKING:
    from pathlib import Path

RELATED = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cases.yaml", "- vars: {text: Hello}\n  assert:\n    - type: containz\n      value: a\n"),
        ("a b/cases.json", '[{"vars": {"text": "Hello"}, "assert": [{"type": "containz", "value": "a"}]}]\n'),
    ],
)
def test_the_suite_that_names_a_file_of_tests_is_related_to_its_problems(tmp_path: Path, name: str, text: str) -> None:
    """At the line that names the file."""
    (tmp_path / ".git").mkdir()
    suite = tmp_path / "promptfooconfig.yaml"
    suite.write_text(f'prompts: ["{{{{ text }}}}"]\nproviders: [echo]\ntests: file://{name}\n', encoding="utf-8")
    uri = (tmp_path / name).as_uri()
    client = Loopback(RELATED)
    client.open(text, uri)
    client.work()
    (found,) = client.published()[-1]["diagnostics"]
    (related,) = found["relatedInformation"]
    assert (found["code"], related["message"]) == ("RB501", f"{'../' * name.count('/')}{suite.name} names this file.")
    assert (related["location"]["uri"], related["location"]["range"]["start"]["line"]) == (suite.as_uri(), 2)
