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
        ("cases.jsonl", '{"vars": {"text": "Hello"}, "assert": [{"type": "containz", "value": "a"}]}\n'),
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


CONFIG = 'prompts: ["{{ text }}"]\nproviders: [echo]\ntests: file://cases.yaml\n'


def test_a_file_that_a_suite_names_is_ours_without_any_known_word(tmp_path: Path) -> None:
    """As on the command line; without such a suite the same text is another tool's."""
    (tmp_path / ".git").mkdir()
    uri = (tmp_path / "cases.yaml").as_uri()
    text = "- vars: {text: Hello}\n  asert:\n    - type: contains\n      value: a\n"
    client = Loopback(RELATED)
    client.open(text, uri)
    client.work()
    assert all(not each["diagnostics"] for each in client.published())
    suite = tmp_path / "promptfooconfig.yaml"
    suite.write_text(CONFIG, encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": suite.as_uri(), "type": 1}]})
    client.work()
    assert "RB003" in {each["code"] for each in client.published()[-1]["diagnostics"]}


def test_a_pattern_that_matches_a_new_file_is_no_longer_reported(tmp_path: Path) -> None:
    """Without another edit: the client tells of the new file."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "tests").mkdir()
    suite = tmp_path / "promptfooconfig.yaml"
    text = CONFIG.replace("cases.yaml", "tests/*.yaml")
    client = Loopback(RELATED)
    client.open(text, suite.as_uri())
    client.work()
    assert [each["code"] for each in client.published()[-1]["diagnostics"]] == ["RB503"]
    added = tmp_path / "tests" / "a.yaml"
    added.write_text("- vars: {text: Hello}\n  assert: [{type: is-json}]\n", encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": added.as_uri(), "type": 1}]})
    client.work()
    assert client.published()[-1]["diagnostics"] == []


def test_json_that_a_configuration_names_is_checked_with_the_whole_workspace(tmp_path: Path) -> None:
    """As on the command line; other JSON is not read."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.replace("cases.yaml", "sub/cases.json"), "utf-8")
    for name in ("cases.json", "other.json"):
        case = '[{"vars": {"text": "a"}, "assert": [{"type": "containz", "value": "a"}]}]\n'
        (tmp_path / "sub" / name).write_text(case, "utf-8")
    folders = [{"uri": tmp_path.as_uri(), "name": "evals"}]
    client = Loopback({"textDocument": {"diagnostic": {}}}, workspaceFolders=folders)
    items = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    reported = {item["uri"].rpartition("/")[2]: [problem["code"] for problem in item["items"]] for item in items}
    assert reported == {"promptfooconfig.yaml": [], "cases.json": ["RB501"]}
