"""Clients that ask for problems: by document and for the whole workspace, and never pushed to as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback

from rubric_core.files.read import read_text
from rubric_server import work_queue, workspace
from rubric_server.convert import path_of
from rubric_server.features import workspace_symbols
from rubric_server.workspace import RememberedProject

URI = "file:///nowhere/a.eval.yaml"
PULLS: dict[str, Any] = {"textDocument": {"diagnostic": {}}}
REFRESHES: dict[str, Any] = {**PULLS, "workspace": {"diagnostics": {"refreshSupport": True}}}


def pulled(client: Loopback, uri: str = URI, previous: str | None = None) -> Any:
    """Ask for the problems of a document."""
    return client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}, "previousResultId": previous})


def codes(report: dict[str, Any]) -> list[str]:
    """Return the codes in a report."""
    return [item["code"] for item in report["items"]]


def test_a_client_that_pulls_is_not_pushed_to(inverted: str) -> None:
    """It is told that it can ask, and gets the problems of the text as it is then."""
    client = Loopback(PULLS)
    assert client.introduction["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"]
    client.open(inverted)
    assert codes(pulled(client)) == ["RB104"]
    client.change({"text": inverted.replace("[5, 0]", "[0, 5]")}, 2)
    assert codes(pulled(client)) == []
    assert client.published() == []


def test_a_client_that_does_not_pull_is_not_notified_of_it() -> None:
    """Asking both ways would show everything twice."""
    assert "diagnosticProvider" not in Loopback().introduction["capabilities"]


def test_what_the_client_knows_already_is_not_sent_again(inverted: str) -> None:
    """The answer to the last question has a name."""
    client = Loopback(PULLS)
    client.open(inverted)
    first = pulled(client)
    assert pulled(client, previous=first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change({"text": "\n" + inverted}, 2)
    moved = pulled(client, previous=first["resultId"])
    assert (moved["kind"], codes(moved)) == ("full", ["RB104"])


def test_a_client_that_can_show_them_gets_the_link_to_the_rule_and_whether_it_can_be_fixed(inverted: str) -> None:
    """The page comes with the package; a client that promises nothing gets neither."""
    client = Loopback({"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True, "dataSupport": True}}})
    client.open(inverted)
    client.work()
    (found,) = client.published()[0]["diagnostics"]
    assert Path(path_of(found["codeDescription"]["href"])).read_text("utf-8").startswith("# RB104")
    assert found["data"] == {"fixable": True}
    plain = Loopback()
    plain.open(inverted)
    plain.work()
    assert not {"codeDescription", "data"} & plain.published()[0]["diagnostics"][0].keys()


@pytest.mark.parametrize("uri", ["file:///nowhere/never-opened.yaml", "untitled:one"])
def test_a_document_that_is_not_open_has_no_problems(uri: str) -> None:
    """The question is answered, not refused: the client may just have closed it."""
    assert pulled(Loopback(PULLS), uri) == {"kind": "full", "items": []}


@pytest.mark.parametrize("method", ["textDocument/diagnostic", "workspace/diagnostic"])
def test_a_file_of_another_tool_with_comments_has_no_problems(method: str) -> None:
    """Its chunks have comments of ours, and nothing is shown of any of them."""
    client = Loopback(PULLS)
    client.open("tests: x\nb: 1 # rubric: ignore\nc: 2 # rubric: ignore\n", uri=URI.replace(".eval", ""))
    client.work()
    report = client.request(method, {"textDocument": {"uri": URI.replace(".eval", "")}, "previousResultIds": []})
    assert report["items"] == []


def test_a_large_file_is_answered_early_where_the_client_can_be_told_to_ask_again(inverted: str) -> None:
    """The first answer has the first problems; the client asks again when it is told to, and gets all of them."""
    case = inverted.partition("\n")[2]
    text = "evalcases:\n" + "".join(case.replace("greeting", f"greeting-{number}") for number in range(400))
    client = Loopback(REFRESHES)
    client.open(text)
    first = pulled(client)
    assert 0 < len(first["items"]) < 400
    assert len(client.of("workspace/diagnostic/refresh")) == 1
    assert len(pulled(client)["items"]) == 400
    patient = Loopback(PULLS)
    patient.open(text)
    assert len(pulled(patient)["items"]) == 400


def test_a_cancelled_question_is_answered_as_such(inverted: str) -> None:
    """Cancelling stops the work for it; other work goes on."""
    client = Loopback(PULLS)
    client.open(inverted)
    number = client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    client.notify("$/cancelRequest", {"id": number})
    client.work()
    assert client.answer(number)["code"] == -32800
    assert codes(pulled(client)) == ["RB104"]


class TestWorkspace:
    """All eval files of the open folders, whether they are open or not."""

    @pytest.fixture
    def folder(self, tmp_path: Path, inverted: str, good: str) -> Path:
        """Give a folder with a wrong file, a sound one, one of somebody else and one that Git ignores."""
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "wrong.yaml").write_text(inverted, "utf-8")
        (tmp_path / "good.eval.yaml").write_text(good, "utf-8")
        (tmp_path / "compose.yaml").write_text("services: {a: {image: b}}\n", "utf-8")
        (tmp_path / "ignored.yaml").write_text(inverted, "utf-8")
        (tmp_path / ".gitignore").write_text("ignored.yaml\n", "utf-8")
        return tmp_path

    @pytest.fixture
    def client(self, folder: Path) -> Loopback:
        """Give a client that has the folder open."""
        return Loopback(PULLS, workspaceFolders=[{"uri": folder.as_uri(), "name": "evals"}])

    @staticmethod
    def ask(client: Loopback, known: dict[str, str] | None = None, **members: Any) -> dict[str, dict[str, Any]]:
        """Ask for all problems and return the reports by the names of their files."""
        previous = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
        answer = client.request("workspace/diagnostic", {"previousResultIds": previous, **members})
        return {item["uri"].rpartition("/")[2]: item for item in answer["items"]}

    def test_unopened_files_are_checked(self, client: Loopback) -> None:
        """Each eval file has its report, also a sound one; other files have none."""
        found = self.ask(client)
        assert {name: codes(report) for name, report in found.items()} == {
            "wrong.yaml": ["RB104"],
            "good.eval.yaml": [],
        }
        assert found["wrong.yaml"]["version"] is None

    def test_only_what_changed_is_reported_again(self, client: Loopback, folder: Path) -> None:
        """A file that is as the client knows it is left out, one that is gone is reported empty."""
        known = {report["uri"]: report["resultId"] for report in self.ask(client).values()}
        assert self.ask(client, known) == {}
        (folder / "sub" / "wrong.yaml").unlink()
        (folder / "good.eval.yaml").write_text("evalcases: []\nevalcases: []\n", "utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": folder.as_uri(), "type": 2}]})
        found = self.ask(client, known)
        assert codes(found["wrong.yaml"]) == []
        assert codes(found["good.eval.yaml"]) == ["RB002"]

    def test_an_open_document_counts_as_it_is_in_the_editor(self, client: Loopback, folder: Path, good: str) -> None:
        """Not as it was saved; its version is reported."""
        uri = (folder / "sub" / "wrong.yaml").as_uri()
        client.open(good, uri, version=7)
        report = self.ask(client)["wrong.yaml"]
        assert (codes(report), report["version"], report["uri"]) == ([], 7, uri)

    def test_the_configuration_has_its_report_too(self, client: Loopback, folder: Path) -> None:
        """What is wrong with it is wrong for every file below it."""
        (folder / "rubric.toml").write_text("ingore = []\n", "utf-8")
        assert codes(self.ask(client)["rubric.toml"]) == ["RB903"]

    def test_folders_come_and_go(self, client: Loopback, folder: Path) -> None:
        """The client says which ones are open."""
        (gone,) = [{"uri": folder.as_uri(), "name": "evals"}]
        added = {"uri": (folder / "sub").as_uri(), "name": "sub"}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [added], "removed": [gone]}})
        assert set(self.ask(client)) == {"wrong.yaml"}

    def test_a_folder_within_another_adds_nothing(self, folder: Path) -> None:
        """A file that lies in two folders of the workspace is one file, whatever is asked."""
        folders = [{"uri": each.as_uri(), "name": each.name} for each in (folder, folder / "sub")]
        client = Loopback(PULLS, workspaceFolders=folders)
        answer = client.request("workspace/diagnostic", {"previousResultIds": []})
        names = sorted(item["uri"].rpartition("/")[2] for item in answer["items"])
        assert names == ["good.eval.yaml", "wrong.yaml"]
        symbols = client.request("workspace/symbol", {"query": "greeting"})
        assert len(symbols) == 2
        assert len(list(client.server.workspace_files())) == 3

    def test_folders_may_come_and_go_while_the_files_are_listed(
        self, folder: Path, inverted: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The question is answered all the same, and the next answer has the files of the new folder."""
        monkeypatch.setattr(work_queue, "SLICE", 0.0)
        (folder / "new").mkdir()
        (folder / "new" / "new.yaml").write_text(inverted, "utf-8")
        client = Loopback(PULLS, workspaceFolders=[{"uri": (folder / "sub").as_uri(), "name": "sub"}])
        number = client.ask("workspace/diagnostic", {"previousResultIds": []})
        client.work(slices=1)
        added = {"uri": (folder / "new").as_uri(), "name": "new"}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [added], "removed": []}})
        client.awaited(number)
        assert set(self.ask(client)) == {"wrong.yaml", "new.yaml"}

    def test_a_large_file_that_is_not_open_is_checked_case_by_case(
        self, folder: Path, inverted: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Between two cases there is time for other questions."""
        monkeypatch.setattr(work_queue, "SLICE", 0.0)
        case = inverted.partition("\n")[2]
        cases = "".join(case.replace("greeting", f"greeting-{number}") for number in range(100))
        (folder / "sub" / "wrong.yaml").write_text(f"evalcases:\n{cases}", "utf-8")
        client = Loopback(PULLS, workspaceFolders=[{"uri": (folder / "sub").as_uri(), "name": "sub"}])
        client.ask("workspace/diagnostic", {"previousResultIds": []})
        client.work(slices=100)
        assert client.server.work
        client.work()
        client.ask("workspace/symbol", {"query": "greeting"})
        client.work(slices=100)
        assert client.server.work
        client.work()
        assert len(self.ask(client)["wrong.yaml"]["items"]) == 100

    def test_progress_is_reported_to_whoever_wants_it(self, client: Loopback) -> None:
        """It begins and it ends, also when it is cancelled on the way."""
        self.ask(client, workDoneToken="t")
        kinds = [told["value"]["kind"] for told in client.of("$/progress")]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        number = client.ask("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": 5})
        client.work(slices=1)
        client.notify("$/cancelRequest", {"id": number})
        assert [told["value"]["kind"] for told in client.of("$/progress") if told["token"] == 5][-1:] in (["end"], [])

    def test_each_report_is_sent_at_once_to_whoever_wants_that(self, client: Loopback) -> None:
        """The answer itself is empty then, and what is known is not sent again."""
        whole = self.ask(client)
        assert self.ask(client, partialResultToken=1) == {}
        parts = [told["value"]["items"] for told in client.of("$/progress") if told["token"] == 1]
        assert [report for (report,) in parts] == list(whole.values())
        known = {report["uri"]: report["resultId"] for report in whole.values()}
        self.ask(client, known, partialResultToken=2)
        assert [told for told in client.of("$/progress") if told["token"] == 2] == []

    def test_a_file_that_cannot_be_checked_costs_itself_only(
        self, client: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whatever goes wrong."""
        names = set(self.ask(client))

        def fragile(path: Path, *limits: Any) -> Any:
            if path.name == "wrong.yaml":
                raise RuntimeError("broken")
            return read_text(path, *limits)

        monkeypatch.setattr(workspace, "read_text", fragile)
        client.server.workspace._reports.clear()  # noqa: SLF001 - as if the server had just been started.
        assert set(self.ask(client)) == names - {"wrong.yaml"}


class TestWhatIsKept:
    """What was found in a file that is not open holds as long as nothing changes that it depends on."""

    CASE = """\
evalcases:
  - id: reads-notes
    expected_outcome: Answers from the notes
    input_messages: [{role: user, content: [{type: file, value: notes.md}]}]
    rubrics: [Answers from the notes]
"""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Give a workspace with an eval file that refers to a missing file, and a file of somebody else."""
        (tmp_path / ".git").mkdir()
        (tmp_path / "a.eval.yaml").write_text(self.CASE, "utf-8")
        (tmp_path / "compose.yaml").write_text("services: {a: {image: b}}\n", "utf-8")
        return tmp_path

    @pytest.fixture
    def client(self, folder: Path) -> Loopback:
        """Give a client that has the folder open."""
        return Loopback(PULLS, workspaceFolders=[{"uri": folder.as_uri(), "name": "evals"}])

    @pytest.fixture
    def read(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Give the names of the files that were read, in the order in which they were."""
        names: list[str] = []

        def counted(path: Path, *limits: Any) -> Any:
            names.append(path.name)
            return read_text(path, *limits)

        monkeypatch.setattr(workspace, "read_text", counted)
        monkeypatch.setattr(workspace_symbols, "read_text", counted)
        return names

    @staticmethod
    def ask(client: Loopback) -> list[str]:
        """Ask for all problems and return the codes."""
        answer = client.request("workspace/diagnostic", {"previousResultIds": []})
        return [code for item in answer["items"] for code in codes(item)]

    @staticmethod
    def save(client: Loopback, folder: Path) -> None:
        """Tell that some file was saved."""
        client.notify("textDocument/didSave", {"textDocument": {"uri": (folder / "other.yaml").as_uri()}})

    def test_nothing_is_read_again_after_a_save_that_changed_nothing(
        self, client: Loopback, folder: Path, read: list[str]
    ) -> None:
        """The answer is the same as before."""
        assert self.ask(client) == ["RB503"]
        assert sorted(read) == ["a.eval.yaml", "compose.yaml"]
        self.save(client, folder)
        assert self.ask(client) == ["RB503"]
        assert len(read) == 2

    def test_another_configuration_makes_a_difference(self, client: Loopback, folder: Path, read: list[str]) -> None:
        """So does a setting of the editor."""
        self.ask(client)
        (folder / "rubric.toml").write_text('severity = {RB503 = "hint"}\n', "utf-8")
        self.save(client, folder)
        assert self.ask(client) == ["RB503"]
        assert read.count("a.eval.yaml") == 2
        client.notify("workspace/didChangeConfiguration", {"settings": {"rubric": {"ignore": ["RB503"]}}})
        assert self.ask(client) == []
        assert read.count("a.eval.yaml") == 3

    def test_a_file_that_is_referred_to_makes_a_difference(
        self, client: Loopback, folder: Path, read: list[str]
    ) -> None:
        """Only the eval file that refers to it is read again."""
        self.ask(client)
        (folder / "notes.md").touch()
        self.save(client, folder)
        assert self.ask(client) == []
        assert sorted(read) == ["a.eval.yaml", "a.eval.yaml", "compose.yaml"]

    def test_a_change_in_the_middle_of_a_check_is_not_missed(
        self, client: Loopback, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What was said of the missing file is older than the change, even if the check ends after it."""
        looked: list[str] = []
        files = RememberedProject.files

        def noted(project: RememberedProject, paths: frozenset[str]) -> Any:
            looked.extend(paths)
            return files(project, paths)

        monkeypatch.setattr(RememberedProject, "files", noted)
        monkeypatch.setattr(work_queue, "SLICE", 0.0)
        number = client.ask("workspace/diagnostic", {"previousResultIds": []})
        while not looked:
            client.work(slices=1)
        (folder / "notes.md").touch()
        self.save(client, folder)
        client.awaited(number)
        assert self.ask(client) == []

    def test_the_names_of_cases_are_kept_too(self, client: Loopback, folder: Path, read: list[str]) -> None:
        """A symbol is found again without reading anything."""
        for _ in range(2):
            assert len(client.request("workspace/symbol", {"query": "notes"})) == 1
            self.save(client, folder)
        assert sorted(read) == ["a.eval.yaml", "compose.yaml"]

    def test_nothing_is_kept_of_a_file_that_is_gone(self, client: Loopback, folder: Path, read: list[str]) -> None:
        """A server that runs for days does not grow with every file that there ever was."""
        self.ask(client)
        text = (folder / "a.eval.yaml").stat()
        (folder / "a.eval.yaml").rename(folder / "b.txt")
        self.save(client, folder)
        assert self.ask(client) == []
        (folder / "b.txt").rename(folder / "a.eval.yaml")
        assert (folder / "a.eval.yaml").stat().st_mtime_ns == text.st_mtime_ns
        self.save(client, folder)
        assert self.ask(client) == ["RB503"]
        assert read.count("a.eval.yaml") == 2
