"""Grading from the editor: commands, results in the text, the client as judge, stopping."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from desk import BAD, CLIENT, GOOD, PLAIN, TEXT, Desk

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return an editor that can judge."""
    return Desk(tmp_path)


def test_a_case_is_graded_at_the_cursor(desk: Desk) -> None:
    """The answer is the result itself, as the command line prints it."""
    judge = desk.replay({"short": GOOD})
    answer = desk.run("gradeCase", position={"line": 4, "character": 0}, answer="Hi", judge=judge)
    (result,) = answer["results"]
    assert (result["eval_id"], result["verdict"], result["score"]) == ("short", "pass", 0.9)
    assert answer["stopped"] is False


def test_what_was_not_met_stands_at_its_criterion_until_its_text_changes(desk: Desk) -> None:
    """An edit elsewhere moves it; an edit of the criterion takes it away; grading well takes it away."""
    desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": BAD}))
    (found,) = desk.found()
    assert (found["code"], found["range"]["start"]["line"]) == ("gate-failed", 6)
    assert found["message"] == "tone: judged 2 of 10 and the gate failed: It is rude."
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    desk.client.change({"range": top, "text": "# comment\n"}, 2, desk.uri)
    assert [each["range"]["start"]["line"] for each in desk.found()] == [7]
    at = {"start": {"line": 7, "character": 50}, "end": {"line": 7, "character": 50}}
    desk.client.change({"range": at, "text": " "}, 3, desk.uri)
    assert desk.found() == []


def test_grading_again_takes_findings_away(desk: Desk) -> None:
    """The last grading counts."""
    desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": BAD}))
    assert len(desk.found()) == 1
    desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": GOOD}))
    assert desk.found() == []


def test_a_file_is_graded_case_by_case(desk: Desk) -> None:
    """Each result is told at once, with its place, and the end is told too."""
    judge = desk.replay({"short": GOOD, "plain": PLAIN})
    answer = desk.run("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge=judge)
    assert [result["verdict"] for result in answer["results"]] == ["pass", "fail"]
    told = desk.client.wait_for("rubric/graded", 3)
    cases = [case for each in told for case in each["cases"]]
    assert {(case["caseId"], case["state"], case["range"]["start"]["line"]) for case in cases} == {
        ("short", "pass", 1),
        ("plain", "fail", 7),
    }
    assert told[-1]["state"] == "done"
    kinds = [each["value"]["kind"] for each in desk.client.of("$/progress")]
    assert kinds == ["begin", "report", "report", "end"]


def test_one_criterion_alone(desk: Desk) -> None:
    """By its place, or by its id; the result says that it is partial."""
    judge = desk.replay({"short": GOOD})
    answer = desk.run("gradeCriterion", position={"line": 6, "character": 12}, answer="Hi", judge=judge)
    assert (answer["results"][0]["partial"], answer["results"][0]["verdict"]) == (True, None)
    assert [case["state"] for each in desk.client.wait_for("rubric/graded") for case in each["cases"]] == ["partial"]
    assert [each["id"] for each in answer["results"][0]["criteria"]] == ["tone"]
    assert desk.run("gradeCriterion", caseId="short", answer="Hi", judge=judge)["code"] == -32602


def test_the_editor_is_the_judge(desk: Desk) -> None:
    """It is told everything that a judge needs; an invalid reply of its model is asked for again."""
    number = desk.begin("gradeCase", caseId="short", answer="Hi", judge="editor")
    (asked,) = desk.client.wait_for("rubric/judge")
    assert (asked["judge"], asked["caseId"], asked["answer"], asked["kind"]) == ("editor", "short", "Hi", "rubric")
    assert [each["gate"] for each in asked["criteria"]] == [True, 6]
    assert "Hi" in asked["user"]
    desk.client.reply("rubric/judge", {"text": "no JSON", "model": "copilot"})
    again = desk.client.wait_for("rubric/judge", 2)[-1]
    assert len(again["earlier"]) == 1
    desk.client.reply("rubric/judge", {"text": json.dumps(GOOD), "model": "copilot"})
    (result,) = desk.client.awaited(number)["results"]
    assert (result["verdict"], result["judge"]["model"]) == ("pass", "copilot")


STOP = "window/workDoneProgress/cancel"


def typed_above(desk: Desk, lines: int = 7) -> None:
    """Insert lines at the top, so that another case stands where the cursor was."""
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    desk.client.change({"range": top, "text": "# more\n" * lines}, 2, desk.uri)


@pytest.mark.parametrize("command", ["gradeCase", "previewPrompt"])
def test_what_is_typed_before_the_work_begins_does_not_change_the_case(desk: Desk, command: str) -> None:
    """The cursor stood in a case when the command was given, and that one is meant."""
    position = {"line": 8, "character": 8}
    number = desk.begin(command, position=position, answer="Hi", judge=desk.replay({"plain": PLAIN}))
    typed_above(desk, 4)
    answer = desk.client.awaited(number)
    assert (answer["caseId"] if command == "previewPrompt" else answer["results"][0]["eval_id"]) == "plain"


def test_a_case_that_is_edited_before_the_work_begins_is_graded_as_it_is_then(desk: Desk) -> None:
    """It is found by its id; one that is gone is refused."""
    judge = desk.replay({"plain": PLAIN})
    number = desk.begin("gradeCase", position={"line": 8, "character": 8}, answer="Hi", judge=judge)
    end = {"line": 8, "character": 4}
    desk.client.change({"range": {"start": end, "end": end}, "text": "note: new\n    "}, 2, desk.uri)
    assert desk.client.awaited(number)["results"][0]["eval_id"] == "plain"
    number = desk.begin("gradeCase", position={"line": 8, "character": 8}, answer="Hi", judge=judge)
    desk.client.change({"text": TEXT.partition("  - id: plain")[0]}, 3, desk.uri)
    assert desk.client.awaited(number)["message"] == "There is no case plain in this file."


def test_stopping_before_anything_has_begun_asks_nobody(desk: Desk) -> None:
    """A person may press Cancel while the server still loads what grading needs; a token can be used again."""
    for _ in range(2):
        params = {"command": "rubric.gradeCase", "arguments": [{"uri": desk.uri, "caseId": "short", "answer": "Hi"}]}
        number = desk.client.ask("workspace/executeCommand", {**params, "workDoneToken": "t"})
        desk.client.notify(STOP, {"token": "t"})
        answer = desk.client.awaited(number)
        assert (answer["stopped"], answer["results"], answer["run"]) == (True, [], None)
    assert desk.client.of("rubric/judge") == []
    desk.client.notify(STOP, {"token": "t"})
    number = desk.client.ask("workspace/executeCommand", {**params, "workDoneToken": "t"})
    desk.client.wait_for("rubric/judge")
    desk.client.notify(STOP, {"token": "t"})
    assert desk.client.awaited(number)["stopped"] is True


def test_stopping_while_the_editor_looks_for_a_key(tmp_path: Path) -> None:
    """The editor may ask the user for a password meanwhile, which takes as long as it takes."""
    desk = Desk(tmp_path, {**CLIENT, "experimental": {"rubric": {"secrets": True}}})
    (tmp_path / "rubric.toml").write_text(
        'judge = "m"\n[judges.m]\nprovider = "openai"\nmodel = "m"\napi_key = "${{ NO_SUCH_KEY }}"\n', encoding="utf-8"
    )
    desk.client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (tmp_path / "rubric.toml").as_uri(), "type": 2}]},
    )
    params = {"command": "rubric.gradeCase", "arguments": [{"uri": desk.uri, "caseId": "short", "answer": "Hi"}]}
    number = desk.client.ask("workspace/executeCommand", {**params, "workDoneToken": "t"})
    desk.client.wait_for("rubric/secrets")
    desk.client.notify(STOP, {"token": "t"})
    assert desk.client.awaited(number)["stopped"] is True


def test_a_file_that_is_not_open_is_graded_from_the_disk(desk: Desk) -> None:
    """How many cases it has is known when it has been read, at the desk; naming no case grades none."""
    desk.client.notify("textDocument/didClose", {"textDocument": {"uri": desk.uri}})
    judge = desk.replay({"short": GOOD, "plain": PLAIN})
    answers = {"short": "Hi", "plain": "Hi"}
    assert len(desk.run("gradeFile", answers=answers, judge=judge)["results"]) == 2
    shares = [each["value"].get("percentage") for each in desk.client.of("$/progress")]
    assert shares == [0, 50, 100, None]
    assert [each["total"] for each in desk.client.of("rubric/graded")] == [2, 2, 2]
    assert desk.run("gradeFile", answers=answers, judge=judge, caseIds=[])["results"] == []
    assert desk.run("gradeCase", caseId="plain", answer="Hi", judge=judge)["results"][0]["verdict"] == "fail"
    assert "There is no case other" in desk.run("gradeCase", caseId="other", answer="Hi", judge=judge)["message"]


def test_a_file_is_known_by_its_path_however_its_address_is_written(tmp_path: Path) -> None:
    """A key that a user binds to a command may write the address without escapes."""
    (tmp_path / "sp ace é").mkdir()
    desk = Desk(tmp_path / "sp ace é")
    desk.run("gradeCase", uri=f"file://{desk.file}", caseId="short", answer="Hi", judge=desk.replay({"short": BAD}))
    assert [each["code"] for each in desk.found()] == ["gate-failed"]


def test_a_python_that_lacks_a_part_is_told_in_a_sentence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking goes on without what is compiled; grading cannot."""

    def fail(_name: str) -> None:
        raise ModuleNotFoundError("No module named 'pydantic_core'")

    monkeypatch.setattr("rubric_server.grading.worker.import_module", fail)
    answer = desk.run("gradeCase", caseId="short", answer="Hi")
    assert answer["message"].startswith("This Python cannot grade, because a part of the server is missing")


def test_the_files_that_can_be_graded_are_listed(desk: Desk) -> None:
    """Recognised by what is in them, as the editor shows it or as it is on the disk."""
    folder = desk.file.parent
    for name in ("closed.yaml", "emptied.yaml"):
        (folder / name).write_text(TEXT, encoding="utf-8")
    (folder / "other.yaml").write_text("services: []\n", encoding="utf-8")
    desk.client.open("services: []\n", (folder / "emptied.yaml").as_uri())
    desk.client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / "closed.yaml").as_uri(), "type": 1}]}
    )
    number = desk.client.ask("workspace/executeCommand", {"command": "rubric.listFiles"})
    assert sorted(desk.client.awaited(number)["files"]) == sorted([desk.uri, (folder / "closed.yaml").as_uri()])


def test_judges_are_listed_without_a_file(desk: Desk) -> None:
    """A picker may be opened when no file is in front, or one that was never saved."""
    for about in ({}, {"uri": "untitled:Untitled-1"}, None):
        arguments = [] if about is None else [about]
        number = desk.client.ask("workspace/executeCommand", {"command": "rubric.listJudges", "arguments": arguments})
        assert desk.client.awaited(number)["default"] == "manual"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"skipped": True}, "skipped"),
        ({}, "has no `text`, `judgement` or `decisions`"),
        (None, "has no `text`, `judgement` or `decisions`"),
        ({"decisions": []}, "an object for each of 2 items"),
        ({"decisions": [{"value": True}, 9]}, "an object for each of 2 items"),
        ({"decisions": [{"value": 1}, {"value": 9}]}, "The value of greets must be true or false"),
        ({"decisions": [{"value": True}, {"value": True}]}, "The value of tone must be an integer from 0 to 10"),
        ({"decisions": [{"value": True}, {"value": 11}]}, "an integer from 0 to 10"),
        ({"judgement": {"checks": []}}, "greets"),
    ],
)
def test_a_person_who_gives_no_judgement(desk: Desk, reply: Any, error: str) -> None:
    """It is an error, and no score."""
    number = desk.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    desk.client.wait_for("rubric/judge")
    desk.client.reply("rubric/judge", reply)
    (result,) = desk.client.awaited(number)["results"]
    assert result["verdict"] is None
    assert error in result["error"]


def test_a_person_fills_in_the_form_of_the_server(desk: Desk) -> None:
    """It has the texts, what a gate means and the legal values, so that no client needs to know them."""
    number = desk.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    (asked,) = desk.client.wait_for("rubric/judge")
    form = asked["form"]
    assert form["title"] == "short · rubric"
    assert form["sections"][0] == {"title": "Answer to judge", "text": "Hi"}
    greets, tone = form["items"]
    assert (greets["kind"], greets["id"], greets["gate"]) == (
        "criterion",
        "greets",
        "Required: the case fails if this is not met.",
    )
    assert [(each["value"], each["label"]) for each in greets["choices"]] == [(True, "met"), (False, "not met")]
    assert [each["value"] for each in tone["choices"]] == list(range(10, -1, -1))
    assert tone["gate"] == "Gate: the case fails if the score is below 6."
    assert tone["number"] is None
    decisions = [{"value": True, "reasoning": "It says Hi."}, {"value": 9}]
    desk.client.reply("rubric/judge", {"decisions": decisions})
    (result,) = desk.client.awaited(number)["results"]
    assert result["verdict"] == "pass"
    assert [(each["id"], each["reasoning"]) for each in result["criteria"]] == [("greets", "It says Hi."), ("tone", "")]


def test_a_person_judges_and_stops(desk: Desk) -> None:
    """They are asked about one case at a time; what was judged is kept, and the rest is not asked for."""
    number = desk.begin("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge="manual")
    (first,) = desk.client.wait_for("rubric/judge")
    assert first["caseId"] == "short"
    desk.client.reply("rubric/judge", {"judgement": GOOD})
    desk.client.wait_for("rubric/graded")
    desk.client.wait_for("rubric/judge", 2)
    desk.client.reply("rubric/judge", {"stopped": True})
    answer = desk.client.awaited(number)
    assert answer["stopped"] is True
    assert [result["eval_id"] for result in answer["results"]] == ["short"]


def test_a_person_who_stops_is_not_asked_again(desk: Desk) -> None:
    """The cases that wait for their turn are not asked about before the grading ends."""
    number = desk.begin("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge="manual")
    desk.client.wait_for("rubric/judge")
    desk.client.reply("rubric/judge", {"stopped": True})
    assert desk.client.awaited(number)["stopped"] is True
    assert len(desk.client.of("rubric/judge")) == 1


def test_a_model_of_the_editor_is_asked_about_cases_at_the_same_time(desk: Desk) -> None:
    """Only a person needs one question after the other."""
    number = desk.begin("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge="editor")
    asked = desk.client.wait_for("rubric/judge", 2)
    assert {question["caseId"] for question in asked} == {"short", "plain"}
    desk.client.notify("$/cancelRequest", {"id": number})
    assert desk.client.awaited(number)["code"] == -32800


@pytest.mark.parametrize("token", ["of the client", None])
def test_a_question_names_its_grading(desk: Desk, token: str | None) -> None:
    """By the token of the progress, the client's own or the one that the server asked for."""
    about = {"uri": desk.uri, "caseId": "short", "answer": "Hi", "judge": "manual"}
    params = {"command": "rubric.gradeCase", "arguments": [about]}
    number = desk.client.ask(
        "workspace/executeCommand", params if token is None else {**params, "workDoneToken": token}
    )
    (question,) = desk.client.wait_for("rubric/judge")
    assert question["grading"] == (token or desk.client.of("window/workDoneProgress/create")[0]["token"])
    desk.client.reply("rubric/judge", {"stopped": True})
    desk.client.awaited(number)


@pytest.mark.parametrize("way", ["request", "progress"])
def test_stopping_a_grading(desk: Desk, way: str) -> None:
    """The editor's own request is called off too, and the file can be graded again."""
    number = desk.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    desk.client.wait_for("rubric/judge")
    if way == "request":
        desk.client.notify("$/cancelRequest", {"id": number})
        assert desk.client.awaited(number)["code"] == -32800
    else:
        token = desk.client.of("window/workDoneProgress/create")[0]["token"]
        desk.client.notify("window/workDoneProgress/cancel", {"token": token})
        assert desk.client.awaited(number)["stopped"] is True
    desk.client.wait_for("$/cancelRequest")
    assert desk.client.wait_for("rubric/graded")[-1]["state"] == "stopped"
    assert desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": GOOD}))["stopped"] is False


def test_an_edit_while_it_is_graded_leaves_nothing_stale(desk: Desk) -> None:
    """The criterion that was changed meanwhile shows nothing."""
    number = desk.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    desk.client.wait_for("rubric/judge")
    at = {"start": {"line": 6, "character": 50}, "end": {"line": 6, "character": 50}}
    desk.client.change({"range": at, "text": " "}, 2, desk.uri)
    desk.client.reply("rubric/judge", {"judgement": BAD})
    assert desk.client.awaited(number)["results"][0]["verdict"] == "fail"
    assert desk.found() == []


@pytest.mark.parametrize(
    ("argument", "code", "words"),
    [
        ({"caseId": "none", "answer": "x"}, -32803, "There is no case none"),
        ({"position": {"line": 0, "character": 0}, "answer": "x"}, -32803, "No eval case at the cursor"),
        ({"answer": "x"}, -32602, "Name the case"),
        ({"caseId": 5}, -32602, "must be a string"),
        ({"caseId": "short", "answer": "x", "judge": "nobody"}, -32803, "There is no judge nobody"),
    ],
)
def test_what_cannot_be_graded_is_refused(desk: Desk, argument: dict[str, Any], code: int, words: str) -> None:
    """With a sentence for the user."""
    refused = desk.run("gradeCase", **argument)
    assert refused["code"] == code
    assert words in refused["message"]


def test_without_an_answer_the_client_is_told_so(desk: Desk) -> None:
    """It can ask the user for one."""
    refused = desk.run("gradeCase", caseId="short", judge="manual")
    assert refused["data"] == {"reason": "no-answer", "caseId": "short"}


def test_a_recording_is_looked_for_beside_the_file_and_then_in_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder that the server was started in does not count; a path that leads nowhere is told as it was tried."""
    started, evals = tmp_path / "started", tmp_path / "project" / "evals"
    started.mkdir()
    evals.mkdir(parents=True)
    monkeypatch.chdir(started)
    (started / "judgements.json").write_text("no JSON", encoding="utf-8")
    desk = Desk(evals, workspaceFolders=[{"uri": evals.parent.as_uri(), "name": "project"}])
    (evals / "rubric.toml").rename(evals.parent / "rubric.toml")

    def grade() -> Any:
        return desk.run("gradeCase", caseId="short", answer="Hi", judge="replay:judgements.json")

    tried = f"{evals / 'judgements.json'} or {evals.parent / 'judgements.json'}"
    assert grade()["message"] == f"There are no recorded judgements at {tried}; correct the path."
    (evals.parent / "judgements.json").write_text(json.dumps({"short": BAD}), encoding="utf-8")
    assert grade()["results"][0]["verdict"] == "fail"
    (evals / "judgements.json").write_text(json.dumps({"short": GOOD}), encoding="utf-8")
    assert grade()["results"][0]["verdict"] == "pass"
    assert grade()["results"][0]["judge"]["name"] == "replay:judgements.json"


def test_an_untrusted_workspace_grades_nothing(tmp_path: Path) -> None:
    """Until the user trusts it; looking at a prompt is always allowed."""
    desk = Desk(tmp_path, initializationOptions={"trusted": False})
    for command in ("gradeCase", "gradeFile", "gradeCriterion", "generateRubrics"):
        assert "Trust this workspace" in desk.run(command, caseId="short", answer="Hi")["message"]
    for command in ("showReport", "compare"):
        assert "Trust the workspace first" in desk.run(command)["message"]
    assert desk.run("previewPrompt", caseId="short")["caseId"] == "short"
    desk.client.notify("rubric/didChangeTrust", {"trusted": True})
    assert desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": GOOD}))["stopped"] is False


@pytest.mark.parametrize("sent", [None, 0, 1, "no", "true", "", [], {"trusted": True}])
@pytest.mark.parametrize("section", [False, True])
def test_only_true_trusts(tmp_path: Path, sent: object, *, section: bool) -> None:
    """A client that sends anything else of trust has made a mistake, and nothing runs because of one."""
    options = {"rubric": {"trusted": sent}} if section else {"trusted": sent}
    desk = Desk(tmp_path, initializationOptions=options)
    assert "Trust this workspace" in desk.run("gradeCase", caseId="short", answer="Hi")["message"]


@pytest.mark.parametrize("sent", [None, [], {}, {"trusted": None}, {"trusted": 1}, {"trusted": "yes"}])
def test_trust_that_changes_to_anything_else_is_over(tmp_path: Path, sent: object) -> None:
    """The same rule holds later on."""
    desk = Desk(tmp_path, initializationOptions={"trusted": True})
    desk.client.notify("rubric/didChangeTrust", sent)
    assert "Trust this workspace" in desk.run("gradeCase", caseId="short", answer="Hi")["message"]


@pytest.mark.parametrize(
    "options", [None, {}, [], {"rubric": {}}, {"trusted": True}, {"trusted": True, "rubric": {"trusted": True}}]
)
def test_a_client_that_says_nothing_of_trust_may_grade(tmp_path: Path, options: object) -> None:
    """The command to grade is the person's consent."""
    desk = Desk(tmp_path, initializationOptions=options)
    assert desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": GOOD}))["stopped"] is False


def test_the_prompt_is_shown_without_asking_anybody(desk: Desk) -> None:
    """With the answer that was given, in a fence that its text cannot close."""
    shown = desk.run("previewPrompt", position={"line": 1, "character": 8}, answer="Hi\n```\n# Not a heading")
    assert [prompt["evaluator"] for prompt in shown["prompts"]] == ["rubric"]
    assert "````text" in shown["markdown"]
    assert desk.client.of("rubric/judge") == []


def test_the_settings_of_the_editor_hold_for_the_files_of_one_case(tmp_path: Path) -> None:
    """As they do where the whole file is graded: an attachment outside of the workspace is read when it is allowed."""
    (tmp_path / "notes.txt").write_text("The port is 443.", encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    parts = "[{type: file, value: ../notes.txt}]"
    text = f"evalcases:\n- {{id: a, expected_outcome: Helps, input_messages: [{{role: user, content: {parts}}}]}}\n"
    for allowed in (False, True):
        desk = Desk(project, initializationOptions={"allowOutside": allowed})
        desk.client.change({"text": text}, 2, desk.uri)
        shown = desk.run("previewPrompt", caseId="a", answer="443")
        assert ("The port is 443." in str(shown)) is allowed


def test_reports_and_comparisons_of_what_was_graded(desk: Desk) -> None:
    """Nothing was graded yet; then there is a page; then there is a comparison."""
    assert desk.run("showReport") is None
    assert "grade twice" in desk.run("compare")["message"]
    desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": BAD}))
    assert "Content-Security-Policy" in desk.run("showReport")["html"]
    desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": GOOD}))
    assert "short" in desk.run("compare")["markdown"]
    assert "The score of the last 2 gradings" in desk.run("showReport")["html"]


def test_the_report_of_a_case_is_of_the_run_that_graded_it(desk: Desk) -> None:
    """Whoever presses a verdict wants to read about that verdict, whatever was graded since."""
    first = desk.run("gradeCase", caseId="short", answer="Hi", judge=desk.replay({"short": BAD}))["run"]
    second = desk.run("gradeCase", caseId="plain", answer="Hi", judge=desk.replay({"plain": PLAIN}))["run"]
    runs = {case_id: desk.run("showReport", caseId=case_id)["run"] for case_id in ("short", "plain")}
    assert runs == {"short": first, "plain": second}
    latest = desk.run("showReport")
    assert latest["run"] == second
    # The file goes by the name that it has in the project.
    assert "a.eval.yaml" in latest["html"]
    assert str(desk.file) not in latest["html"]
    assert desk.run("showReport", caseId="never-graded") is None


def test_the_default_target_proposes_where_nobody_is_named(tmp_path: Path) -> None:
    """A client that can be no judge needs no other choice."""
    criteria = [{"id": f"point-{number}", "expected_outcome": f"It makes point {number}"} for number in range(3)]
    (tmp_path / "propose.py").write_text(f"print({json.dumps({'criteria': criteria})!r})", encoding="utf-8")
    targets = tmp_path / ".agentv" / "targets.yaml"
    targets.parent.mkdir()
    command = json.dumps([sys.executable, "propose.py"])
    targets.write_text(f"targets: [{{name: default, provider: command, command: {command}}}]", encoding="utf-8")
    desk = Desk(tmp_path, {"workspace": {"applyEdit": True}})
    desk.client.notify("textDocument/didClose", {"textDocument": {"uri": desk.uri}})
    desk.client.open(TEXT.replace("    rubrics: [It greets]\n", ""), desk.uri, 2)
    desk.client.work()
    desk.begin("generateRubrics", caseId="plain")
    desk.client.wait_for("workspace/applyEdit")
    assert "point-0" in json.dumps(desk.client.of("workspace/applyEdit"))


def test_the_judges_to_choose_from(desk: Desk) -> None:
    """Those that the editor can be, and those that are configured."""
    (desk.file.parent / "rubric.toml").write_text(
        'judge = "local"\n[judges.local]\nprovider = "openai"\nmodel = "m"\n', encoding="utf-8"
    )
    desk.client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (desk.file.parent / "rubric.toml").as_uri(), "type": 2}]},
    )
    listed = desk.run("listJudges")
    assert [each["name"] for each in listed["judges"]] == ["editor", "manual", "local"]
    assert listed["default"] == "local"


def test_criteria_are_proposed_and_inserted(tmp_path: Path) -> None:
    """By an edit that the client applies; the text is not touched where it changed meanwhile."""
    desk = Desk(tmp_path)
    text = TEXT.replace("    rubrics: [It greets]\n", "")
    whole = {"text": text}
    desk.client.change(whole, 2, desk.uri)
    proposal = {
        "criteria": [
            {"id": f"point-{number}", "expected_outcome": f"It makes point number {number}", "required": False}
            for number in range(3)
        ]
    }
    answer = desk.run("generateRubrics", caseId="plain", judge=desk.replay({"plain": proposal}))
    assert answer == {"inserted": [{"caseId": "plain", "criteria": 3}], "skipped": []}
    (applied,) = desk.client.of("workspace/applyEdit")
    assert "point-2" in json.dumps(applied["edit"])


def test_a_command_that_judges_is_killed_with_the_grading(desk: Desk) -> None:
    """A judge process that sleeps does not outlive a grading that was stopped."""
    marker = desk.file.with_name("started")
    script = f"import pathlib, time; pathlib.Path({str(marker)!r}).write_text('x'); time.sleep(600)"
    judge = f'command:{sys.executable} -c "{script}"'
    number = desk.begin("gradeCase", caseId="short", answer="Hi", judge=judge)
    desk.client.until(lambda: marker.exists() or None)
    desk.client.notify("$/cancelRequest", {"id": number})
    assert desk.client.awaited(number)["code"] == -32800
    assert desk.client.wait_for("rubric/graded")[-1]["state"] == "stopped"
