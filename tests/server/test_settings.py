"""What the user chose in the editor and in `rubric.toml` counts as soon as it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback

from rubric_server.settings import Settings, read_editor_settings

if TYPE_CHECKING:
    from pathlib import Path

ASKED: dict[str, Any] = {
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
    }
}


def last_codes(client: Loopback) -> list[str]:
    """Return the codes that are on the screen."""
    client.work()
    return [found["code"] for found in client.published()[-1]["diagnostics"]]


def test_the_clients_settings_are_asked_for_and_count(inverted: str) -> None:
    """They come after the start, and every open file is looked at again."""
    client = Loopback(ASKED)
    client.open(inverted)
    assert last_codes(client) == ["RB104"]
    assert client.of("workspace/configuration") == [{"items": [{"section": "rubric"}]}]
    client.reply("workspace/configuration", [{"ignore": ["RB104"], "trace": {"server": "off"}}])
    assert last_codes(client) == []
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.reply("workspace/configuration", [{"severity": {"RB104": "hint"}, "ignore": None}])
    assert last_codes(client) == ["RB104"]
    assert client.published()[-1]["diagnostics"][0]["severity"] == 4
    assert client.of("workspace/inlayHint/refresh")
    assert client.of("workspace/codeLens/refresh")


def test_settings_that_come_along_count_without_a_question(inverted: str) -> None:
    """So do older clients send them, and so they come with the first request."""
    client = Loopback(initializationOptions={"select": ["RB1"], "ignore": ["inverted-score-range"]})
    client.open(inverted)
    assert last_codes(client) == []
    client.notify("workspace/didChangeConfiguration", {"settings": {"rubric": {}}})
    assert last_codes(client) == ["RB104"]


def test_settings_that_are_taken_back_count_no_more(inverted: str) -> None:
    """A client without settings of ours says null; what came with the first request holds then, also under our name."""
    client = Loopback(ASKED, initializationOptions={"rubric": {"severity": {"RB104": "hint"}}})
    client.open(inverted)
    client.reply("workspace/configuration", [{"ignore": ["RB104"]}])
    assert last_codes(client) == []
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.reply("workspace/configuration", [None])
    assert last_codes(client) == ["RB104"]
    assert client.published()[-1]["diagnostics"][0]["severity"] == 4


def test_a_wrong_setting_at_the_start_is_reported() -> None:
    """It came before anybody could be notified, so it is reported right after."""
    client = Loopback(initializationOptions={"ignore": "RB104"})
    assert "rubric.ignore" in client.of("window/showMessage")[0]["message"]


def test_a_wrong_setting_is_reported_once(inverted: str) -> None:
    """The message names the setting and what to do; the others count."""
    client = Loopback()
    wrong = {"ignore": ["RB999"], "severity": {"RB104": "warning"}, "inlayHints": {"ids": "yes"}}
    client.open(inverted)
    client.notify("workspace/didChangeConfiguration", {"settings": {"rubric": wrong}})
    client.notify("workspace/didChangeConfiguration", {"settings": {"rubric": wrong}})
    told = [message["message"] for message in client.of("window/showMessage")]
    assert len(told) == 2
    assert "`rubric.inlayHints.ids` must be true or false" in told[0]
    assert "RB999" in told[1]
    client.work()
    assert client.published()[-1]["diagnostics"][0]["severity"] == 2


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (None, Settings()),
        ([], Settings()),
        ({"inlayHints": {"extents": False}}, Settings(inlay_extents=False)),
        ({"codeLens": {"enable": False}, "completion": {"enable": True}}, Settings(code_lens=False)),
        ({"server": {"path": "x"}, "unknown": 5}, Settings()),
    ],
)
def test_switches_are_read(section: Any, expected: Settings) -> None:
    """What is not ours is passed over."""
    assert read_editor_settings(section) == expected


class TestFile:
    """The configuration file in the workspace."""

    def test_it_counts_when_it_changes(self, tmp_path: Path, inverted: str) -> None:
        """The client tells that the file changed; open files follow at once."""
        client = Loopback({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
        registered = [
            each["method"] for sent in client.of("client/registerCapability") for each in sent["registrations"]
        ]
        assert registered == ["workspace/didChangeWatchedFiles"]
        client.open(inverted, (tmp_path / "a.eval.yaml").as_uri())
        assert last_codes(client) == ["RB104"]
        (tmp_path / "rubric.toml").write_text('ignore = ["RB104"]\n', "utf-8")
        event = {"uri": (tmp_path / "rubric.toml").as_uri(), "type": 1}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        assert last_codes(client) == []

    def test_the_editor_goes_on_top_of_it(self, tmp_path: Path, inverted: str) -> None:
        """What the editor selects more closely wins."""
        (tmp_path / "rubric.toml").write_text('severity = {RB104 = "warning"}\n', "utf-8")
        client = Loopback(initializationOptions={"severity": {"RB104": "hint"}})
        client.open(inverted, (tmp_path / "a.eval.yaml").as_uri())
        client.work()
        assert client.published()[-1]["diagnostics"][0]["severity"] == 4

    def test_its_own_mistakes_are_shown_in_it(self, tmp_path: Path) -> None:
        """As they are typed, at their place, and they go when they are mended."""
        client = Loopback()
        uri = (tmp_path / "rubric.toml").as_uri()
        client.open('# 🎉\nignore = ["RB999"]\n', uri)
        client.work()
        (found,) = client.published()[-1]["diagnostics"]
        assert (found["code"], found["range"]["start"]) == ("RB902", {"line": 1, "character": 10})
        client.change({"text": 'ignore = ["RB101"]\n'}, 2, uri)
        assert last_codes(client) == []

    def test_mistakes_in_a_file_that_is_not_open_are_shown_too(self, tmp_path: Path, good: str) -> None:
        """They explain why an open eval file is judged otherwise than its author wished."""
        client = Loopback()
        (tmp_path / "rubric.toml").write_text("ingore = []\n", "utf-8")
        client.open(good, (tmp_path / "a.eval.yaml").as_uri())
        client.work()
        first, second = client.published()
        assert first["uri"] == (tmp_path / "rubric.toml").as_uri()
        assert ([found["code"] for found in first["diagnostics"]], second["diagnostics"]) == (["RB903"], [])
        (tmp_path / "rubric.toml").write_text("ignore = []\n", "utf-8")
        client.notify("textDocument/didSave", {"textDocument": {"uri": first["uri"]}})
        client.work()
        assert client.published()[2] == {"uri": first["uri"], "diagnostics": []}

    def test_a_wrong_file_that_is_deleted_is_cleared(self, tmp_path: Path, good: str) -> None:
        """So is one that was mended in another window; closing it shows again what is wrong on the disk."""
        client = Loopback()
        path = tmp_path / "rubric.toml"
        path.write_text("ingore = []\n", "utf-8")
        client.open(good, (tmp_path / "a.eval.yaml").as_uri())
        client.work()
        client.open("ingore = []\n", path.as_uri())
        client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
        client.work()
        last = {sent["uri"]: len(sent["diagnostics"]) for sent in client.published()}
        assert last[path.as_uri()] == 1
        path.unlink()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 3}]})
        client.work()
        last = {sent["uri"]: len(sent["diagnostics"]) for sent in client.published()}
        assert last[path.as_uri()] == 0

    @pytest.mark.parametrize("text", ["[project]\nname = 5\n", "[project\nname = 5\n"])
    def test_a_project_file_of_others_is_left_alone(self, tmp_path: Path, text: str) -> None:
        """A `pyproject.toml` without our table has nothing to be reported, be it right or wrong."""
        client = Loopback()
        client.open(text, (tmp_path / "pyproject.toml").as_uri())
        client.work()
        assert client.published() == []
