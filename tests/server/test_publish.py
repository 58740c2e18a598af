"""When problems are published and when not, without a process."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from loopback import Loopback

from rubric_core.analysis.check import check_text
from rubric_core.analysis.rule_runner import rule_table
from rubric_core.rules.registry import known_rules
from rubric_server.app import FEATURES
from rubric_server.documents import OpenDocument

if TYPE_CHECKING:
    from rubric_core.rules.problem import Problem
    from rubric_server.convert import Client

URI = "file:///nowhere/a.eval.yaml"
CASE = """\
  - id: case-{number}
    expected_outcome: Answers question {number} with a number
    input_messages:
      - {{role: user, content: What is {number} and one more?}}
    rubrics:
      - id: right
        expected_outcome: Gives the number after {number}
        score_ranges: {{0: Another number, 5: {text}}}
"""


def large(count: int) -> str:
    """Return a file in which every hundredth case has a band without text."""
    texts = ('""' if number % 100 == 7 else "The right number" for number in range(count))
    return "evalcases:\n" + "".join(CASE.format(number=number, text=text) for number, text in enumerate(texts))


def test_a_version_that_is_over_is_not_published(inverted: str) -> None:
    """Problems of an older text, or of a document that was closed, never reach the editor."""
    client = Loopback()
    client.open(inverted)
    client.change({"text": inverted}, 2)
    client.work()
    assert [(sent["version"], len(sent["diagnostics"])) for sent in client.published()] == [(2, 1)]
    client.change({"text": inverted}, 3)
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.work()
    assert client.published()[1:] == [{"uri": URI, "diagnostics": []}]


def test_an_error_of_ours_costs_one_publication(
    inverted: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and the next edit is published as if nothing had been."""

    def fail(_document: OpenDocument, _client: Client) -> list[str]:
        raise RuntimeError("a mistake")

    client = Loopback()
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "rubric"):
        patch.setattr(OpenDocument, "diagnostics", fail)
        client.open(inverted)
        client.work()
    assert "a mistake" in caplog.text
    assert client.published() == []
    client.change({"text": inverted}, 2)
    client.work()
    assert len(client.published()) == 1


@pytest.mark.parametrize(
    ("uri", "language", "is_ours"),
    [
        ("file:///nowhere/a.yaml", "yaml", True),
        ("file:///nowhere/a.yml", "dockercompose", True),
        ("untitled:Untitled-1", "yaml", True),
        ("file:///nowhere/README", "yaml", True),
        ("file:///nowhere/README.md", "markdown", False),
        ("file:///nowhere/a.py", "python", False),
    ],
)
def test_only_yaml_is_looked_at(inverted: str, uri: str, language: str, *, is_ours: bool) -> None:
    """Some clients send everything that is open; text of another language is none of our business."""
    client = Loopback()
    item = {"uri": uri, "languageId": language, "version": 1, "text": inverted}
    client.notify("textDocument/didOpen", {"textDocument": item})
    client.change({"text": inverted}, 2, uri)
    client.work()
    assert bool(client.published()) is is_ours


def test_a_large_file_shows_its_first_problems_before_it_is_read() -> None:
    """The first publication has some of the problems, the last one all of them."""
    client = Loopback()
    client.open(large(800))
    client.work()
    counts = [len(sent["diagnostics"]) for sent in client.published()]
    assert counts[0] < counts[-1] == 8
    assert counts == sorted(counts)


@pytest.mark.slow
def test_an_edit_while_a_large_file_is_read_is_answered_first() -> None:
    """What is wrong with the edited case is shown at once, long before the rest of the file has been looked at."""
    client = Loopback()
    text = large(2000)
    client.open(text)
    client.work(slices=3)
    line = text[: text.index("case-1907")].count("\n")
    place = {"line": line, "character": 2}
    client.change({"range": {"start": place, "end": place}, "text": "- id: case-1907\n  "}, 2)
    before = len(client.published())
    document = client.server.documents.get(URI)
    assert document is not None
    while len(client.published()) == before:
        client.work(slices=1)
    first = client.published()[before]
    assert first["version"] == 2
    assert line in [found["range"]["start"]["line"] for found in first["diagnostics"]]
    assert client.server.work
    client.work()
    expected = check_text(document.text.text, path="/nowhere/a.eval.yaml")
    assert len(client.published()[-1]["diagnostics"]) == len(expected.problems)


def test_a_large_file_that_is_replaced_shows_what_is_found_in_the_new_text() -> None:
    """Problems of the old text that name other cases go with these cases."""
    client = Loopback()
    text = large(400).replace("case-399", "case-1")
    client.open(text)
    client.work()
    client.change({"text": text.replace("number", "digit")}, 2)
    client.work()
    assert client.published()[-1]["version"] == 2
    assert "RB203" in [found["code"] for found in client.published()[-1]["diagnostics"]]


@pytest.mark.parametrize("method", ["codeAction", "hover", "completion", "references", "documentSymbol", "codeLens"])
def test_a_request_right_behind_an_edit_elsewhere_is_answered(inverted: str, method: str) -> None:
    """It names the new text, although nobody has looked at all of it yet."""
    client = Loopback()
    text = inverted + inverted.partition("\n")[2]
    client.open(text)
    client.work()
    client.change(
        {"range": {"start": {"line": 2, "character": 30}, "end": {"line": 2, "character": 30}}, "text": "x"}, 2
    )
    place = {"line": 15, "character": 11}
    number = client.ask(
        f"textDocument/{method}",
        {
            "textDocument": {"uri": URI},
            "position": place,
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "includeDeclaration": True},
        },
    )
    client.work()
    (answer,) = [message for message in client.sent if message.get("id") == number]
    assert "error" not in answer


def test_long_work_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only clients that want to know are notified, and it ends."""
    monkeypatch.setattr("rubric_server.features.diagnostics._LONG", 0.01)
    client = Loopback({"window": {"workDoneProgress": True}})
    client.open(large(300))
    client.work()
    assert [told["token"] for told in client.of("window/workDoneProgress/create")] == ["rubric-1"]
    kinds = [told["value"]["kind"] for told in client.of("$/progress")]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    silent = Loopback()
    silent.open(large(300))
    silent.work()
    assert silent.of("$/progress") == []


def test_a_rule_that_fails_costs_its_own_findings_and_is_logged_once(
    inverted: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Typing on does not fill the log."""

    def fail(_subject: object, _context: object) -> list[Problem]:
        raise RuntimeError("a mistake of a rule")

    broken = known_rules()["RB101"]._replace(check=fail)
    table = {subject: (broken, *rules) if subject == "COVERAGE" else rules for subject, rules in rule_table().items()}
    monkeypatch.setattr("rubric_core.analysis.rule_runner.rule_table", lambda _off, _dialect: table)
    client = Loopback()
    with caplog.at_level(logging.ERROR, "rubric"):
        client.open(inverted)
        for version in range(2, 5):
            client.work()
            client.change({"text": inverted}, version)
        client.work()
    assert [len(sent["diagnostics"]) for sent in client.published()] == [1, 1, 1, 1]
    assert [record.message for record in caplog.records] == [
        "Rule RB101 (overlapping-score-ranges) failed: RuntimeError: a mistake of a rule"
    ]


def test_a_request_whose_number_is_taken_is_refused(inverted: str) -> None:
    """Two answers under one number could not be distinguished, and the first question keeps its answer."""
    client = Loopback({"textDocument": {"diagnostic": {}}})
    client.open(inverted)
    params = {"textDocument": {"uri": URI}}
    number = client.ask("textDocument/diagnostic", params)
    client.receive(id=number, method="textDocument/diagnostic", params=params)
    client.work()
    first, second = [message for message in client.sent if message.get("id") == number]
    assert first["error"]["code"] == -32600
    assert len(second["result"]["items"]) == 1


def test_every_answer_is_in_the_table() -> None:
    """Each row names a function that is there, and no method has two."""
    methods = [feature.method for feature in FEATURES]
    assert len(methods) == len(set(methods))
    for feature in FEATURES:
        module, _, name = feature.answer.partition(":")
        assert callable(getattr(import_module(f"rubric_server.features.{module}"), name))
