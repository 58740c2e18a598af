"""Grading from the editor: commands, results in the text, the client as judge, stopping."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from grading_session import BAD, CLIENT, GOOD, PLAIN, TEXT, Session

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Return an editor that can judge."""
    return Session(tmp_path)


def test_a_case_is_graded_at_the_cursor(session: Session) -> None:
    """The answer is the result itself, as the command line prints it."""
    judge = session.replay({"short": GOOD})
    answer = session.run("gradeCase", position={"line": 4, "character": 0}, answer="Hi", judge=judge)
    (result,) = answer["results"]
    assert (result["eval_id"], result["verdict"], result["score"]) == ("short", "pass", 0.9)
    assert answer["stopped"] is False


def test_what_was_not_met_is_at_its_criterion_until_its_text_changes(session: Session) -> None:
    """An edit elsewhere moves it; an edit of the criterion takes it away; grading well takes it away."""
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": BAD}))
    (found,) = session.found()
    assert (found["code"], found["range"]["start"]["line"]) == ("gate-failed", 6)
    assert found["message"] == "tone: judged 2 of 10 and the gate failed: It is rude."
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    session.client.change({"range": top, "text": "# comment\n"}, 2, session.uri)
    assert [each["range"]["start"]["line"] for each in session.found()] == [7]
    at = {"start": {"line": 7, "character": 50}, "end": {"line": 7, "character": 50}}
    session.client.change({"range": at, "text": " "}, 3, session.uri)
    assert session.found() == []


def test_grading_again_takes_findings_away(session: Session) -> None:
    """The last grading counts."""
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": BAD}))
    assert len(session.found()) == 1
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))
    assert session.found() == []


def test_a_file_is_graded_case_by_case(session: Session) -> None:
    """Each result is reported at once, with its place, and the end is told too."""
    judge = session.replay({"short": GOOD, "plain": PLAIN})
    answer = session.run("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge=judge)
    assert [result["verdict"] for result in answer["results"]] == ["pass", "fail"]
    told = session.client.wait_for("rubric/graded", 3)
    cases = [case for each in told for case in each["cases"]]
    assert {(case["caseId"], case["state"], case["range"]["start"]["line"]) for case in cases} == {
        ("short", "pass", 1),
        ("plain", "fail", 7),
    }
    assert told[-1]["state"] == "done"
    kinds = [each["value"]["kind"] for each in session.client.of("$/progress")]
    assert kinds == ["begin", "report", "report", "end"]


def test_one_criterion_alone(session: Session) -> None:
    """By its place, or by its id; the result says that it is partial."""
    judge = session.replay({"short": GOOD})
    answer = session.run("gradeCriterion", position={"line": 6, "character": 12}, answer="Hi", judge=judge)
    assert (answer["results"][0]["partial"], answer["results"][0]["verdict"]) == (True, None)
    assert [case["state"] for each in session.client.wait_for("rubric/graded") for case in each["cases"]] == ["partial"]
    assert [each["id"] for each in answer["results"][0]["criteria"]] == ["tone"]
    assert session.run("gradeCriterion", caseId="short", answer="Hi", judge=judge)["code"] == -32602


def test_the_editor_is_the_judge(session: Session) -> None:
    """It is given everything that a judge needs; an invalid reply of its model is asked for again."""
    number = session.begin("gradeCase", caseId="short", answer="Hi", judge="editor")
    (asked,) = session.client.wait_for("rubric/judge")
    assert (asked["judge"], asked["caseId"], asked["answer"], asked["kind"]) == ("editor", "short", "Hi", "rubric")
    assert [each["gate"] for each in asked["criteria"]] == [True, 6]
    assert "Hi" in asked["user"]
    session.client.reply("rubric/judge", {"text": "no JSON", "model": "copilot"})
    again = session.client.wait_for("rubric/judge", 2)[-1]
    assert len(again["earlier"]) == 1
    session.client.reply("rubric/judge", {"text": json.dumps(GOOD), "model": "copilot"})
    (result,) = session.client.awaited(number)["results"]
    assert (result["verdict"], result["judge"]["model"]) == ("pass", "copilot")


STOP = "window/workDoneProgress/cancel"


def typed_above(session: Session, lines: int = 7) -> None:
    """Insert lines at the top, so that another case is where the cursor was."""
    top = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    session.client.change({"range": top, "text": "# more\n" * lines}, 2, session.uri)


@pytest.mark.parametrize("command", ["gradeCase", "previewPrompt"])
def test_what_is_typed_before_the_work_begins_does_not_change_the_case(session: Session, command: str) -> None:
    """The cursor was in a case when the command was given, and that one is meant."""
    position = {"line": 8, "character": 8}
    number = session.begin(command, position=position, answer="Hi", judge=session.replay({"plain": PLAIN}))
    typed_above(session, 4)
    answer = session.client.awaited(number)
    assert (answer["caseId"] if command == "previewPrompt" else answer["results"][0]["eval_id"]) == "plain"


def test_a_case_that_is_edited_before_the_work_begins_is_graded_as_it_is_then(session: Session) -> None:
    """It is found by its id; one that is gone is refused."""
    judge = session.replay({"plain": PLAIN})
    number = session.begin("gradeCase", position={"line": 8, "character": 8}, answer="Hi", judge=judge)
    end = {"line": 8, "character": 4}
    session.client.change({"range": {"start": end, "end": end}, "text": "note: new\n    "}, 2, session.uri)
    assert session.client.awaited(number)["results"][0]["eval_id"] == "plain"
    number = session.begin("gradeCase", position={"line": 8, "character": 8}, answer="Hi", judge=judge)
    session.client.change({"text": TEXT.partition("  - id: plain")[0]}, 3, session.uri)
    assert session.client.awaited(number)["message"] == "There is no case plain in this file."


def test_stopping_before_anything_has_begun_asks_nobody(session: Session) -> None:
    """A person may press Cancel while the server still loads what grading needs; a token can be used again."""
    for _ in range(2):
        params = {"command": "rubric.gradeCase", "arguments": [{"uri": session.uri, "caseId": "short", "answer": "Hi"}]}
        number = session.client.ask("workspace/executeCommand", {**params, "workDoneToken": "t"})
        session.client.notify(STOP, {"token": "t"})
        answer = session.client.awaited(number)
        assert (answer["stopped"], answer["results"], answer["run"]) == (True, [], None)
    assert session.client.of("rubric/judge") == []
    session.client.notify(STOP, {"token": "t"})
    number = session.client.ask("workspace/executeCommand", {**params, "workDoneToken": "t"})
    session.client.wait_for("rubric/judge")
    session.client.notify(STOP, {"token": "t"})
    assert session.client.awaited(number)["stopped"] is True


def test_stopping_while_the_editor_looks_for_a_key(tmp_path: Path) -> None:
    """The editor may ask the user for a password meanwhile, which takes as long as it takes."""
    session = Session(tmp_path, {**CLIENT, "experimental": {"rubric": {"secrets": True}}})
    (tmp_path / "rubric.toml").write_text(
        'judge = "m"\n[judges.m]\nprovider = "openai"\nmodel = "m"\napi_key = "${{ NO_SUCH_KEY }}"\n', encoding="utf-8"
    )
    session.client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (tmp_path / "rubric.toml").as_uri(), "type": 2}]},
    )
    params = {"command": "rubric.gradeCase", "arguments": [{"uri": session.uri, "caseId": "short", "answer": "Hi"}]}
    number = session.client.ask("workspace/executeCommand", {**params, "workDoneToken": "t"})
    session.client.wait_for("rubric/secrets")
    session.client.notify(STOP, {"token": "t"})
    assert session.client.awaited(number)["stopped"] is True


def test_a_file_that_is_not_open_is_graded_from_the_disk(session: Session) -> None:
    """How many cases it has is known when it has been read, at the session; naming no case grades none."""
    session.client.notify("textDocument/didClose", {"textDocument": {"uri": session.uri}})
    judge = session.replay({"short": GOOD, "plain": PLAIN})
    answers = {"short": "Hi", "plain": "Hi"}
    assert len(session.run("gradeFile", answers=answers, judge=judge)["results"]) == 2
    shares = [each["value"].get("percentage") for each in session.client.of("$/progress")]
    assert shares == [0, 50, 100, None]
    assert [each["total"] for each in session.client.of("rubric/graded")] == [2, 2, 2]
    assert session.run("gradeFile", answers=answers, judge=judge, caseIds=[])["results"] == []
    assert session.run("gradeCase", caseId="plain", answer="Hi", judge=judge)["results"][0]["verdict"] == "fail"
    assert "There is no case other" in session.run("gradeCase", caseId="other", answer="Hi", judge=judge)["message"]


def test_a_file_is_known_by_its_path_however_its_address_is_written(tmp_path: Path) -> None:
    """A key that a user binds to a command may write the address without escapes."""
    (tmp_path / "sp ace é").mkdir()
    session = Session(tmp_path / "sp ace é")
    session.run(
        "gradeCase", uri=f"file://{session.file}", caseId="short", answer="Hi", judge=session.replay({"short": BAD})
    )
    assert [each["code"] for each in session.found()] == ["gate-failed"]


def test_a_python_that_lacks_a_part_is_reported_in_a_sentence(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking goes on without what is compiled; grading cannot."""

    def fail(_name: str) -> None:
        raise ModuleNotFoundError("No module named 'pydantic_core'")

    monkeypatch.setattr("rubric_server.grading.worker.import_module", fail)
    answer = session.run("gradeCase", caseId="short", answer="Hi")
    assert answer["message"].startswith("This Python cannot grade, because a part of the server is missing")


def test_the_files_that_can_be_graded_are_listed(session: Session) -> None:
    """Recognised by what is in them, as the editor shows it or as it is on the disk."""
    folder = session.file.parent
    for name in ("closed.yaml", "emptied.yaml"):
        (folder / name).write_text(TEXT, encoding="utf-8")
    (folder / "other.yaml").write_text("services: []\n", encoding="utf-8")
    session.client.open("services: []\n", (folder / "emptied.yaml").as_uri())
    session.client.notify(
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / "closed.yaml").as_uri(), "type": 1}]}
    )
    number = session.client.ask("workspace/executeCommand", {"command": "rubric.listFiles"})
    assert sorted(session.client.awaited(number)["files"]) == sorted([session.uri, (folder / "closed.yaml").as_uri()])


def test_judges_are_listed_without_a_file(session: Session) -> None:
    """A picker may be opened when no file is in front, or one that was never saved."""
    for about in ({}, {"uri": "untitled:Untitled-1"}, None):
        arguments = [] if about is None else [about]
        number = session.client.ask(
            "workspace/executeCommand", {"command": "rubric.listJudges", "arguments": arguments}
        )
        assert session.client.awaited(number)["default"] == "manual"


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
def test_a_person_who_gives_no_judgement(session: Session, reply: Any, error: str) -> None:
    """It is an error, and no score."""
    number = session.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    session.client.wait_for("rubric/judge")
    session.client.reply("rubric/judge", reply)
    (result,) = session.client.awaited(number)["results"]
    assert result["verdict"] is None
    assert error in result["error"]


def test_a_person_fills_in_the_form_of_the_server(session: Session) -> None:
    """It has the texts, what a gate means and the legal values, so that no client needs to know them."""
    number = session.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    (asked,) = session.client.wait_for("rubric/judge")
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
    session.client.reply("rubric/judge", {"decisions": decisions})
    (result,) = session.client.awaited(number)["results"]
    assert result["verdict"] == "pass"
    assert [(each["id"], each["reasoning"]) for each in result["criteria"]] == [("greets", "It says Hi."), ("tone", "")]


def test_a_person_judges_and_stops(session: Session) -> None:
    """They are asked about one case at a time; what was judged is kept, and the rest is not asked for."""
    number = session.begin("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge="manual")
    (first,) = session.client.wait_for("rubric/judge")
    assert first["caseId"] == "short"
    session.client.reply("rubric/judge", {"judgement": GOOD})
    session.client.wait_for("rubric/graded")
    session.client.wait_for("rubric/judge", 2)
    session.client.reply("rubric/judge", {"stopped": True})
    answer = session.client.awaited(number)
    assert answer["stopped"] is True
    assert [result["eval_id"] for result in answer["results"]] == ["short"]


def test_a_person_who_stops_is_not_asked_again(session: Session) -> None:
    """The cases that wait for their turn are not asked about before the grading ends."""
    number = session.begin("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge="manual")
    session.client.wait_for("rubric/judge")
    session.client.reply("rubric/judge", {"stopped": True})
    assert session.client.awaited(number)["stopped"] is True
    assert len(session.client.of("rubric/judge")) == 1


def test_a_model_of_the_editor_is_asked_about_cases_at_the_same_time(session: Session) -> None:
    """Only a person needs one question after the other."""
    number = session.begin("gradeFile", answers={"short": "Hi", "plain": "Hi"}, judge="editor")
    asked = session.client.wait_for("rubric/judge", 2)
    assert {question["caseId"] for question in asked} == {"short", "plain"}
    session.client.notify("$/cancelRequest", {"id": number})
    assert session.client.awaited(number)["code"] == -32800


@pytest.mark.parametrize("token", ["of the client", None])
def test_a_question_names_its_grading(session: Session, token: str | None) -> None:
    """By the token of the progress, the client's own or the one that the server asked for."""
    about = {"uri": session.uri, "caseId": "short", "answer": "Hi", "judge": "manual"}
    params = {"command": "rubric.gradeCase", "arguments": [about]}
    number = session.client.ask(
        "workspace/executeCommand", params if token is None else {**params, "workDoneToken": token}
    )
    (question,) = session.client.wait_for("rubric/judge")
    assert question["grading"] == (token or session.client.of("window/workDoneProgress/create")[0]["token"])
    session.client.reply("rubric/judge", {"stopped": True})
    session.client.awaited(number)


@pytest.mark.parametrize("way", ["request", "progress"])
def test_stopping_a_grading(session: Session, way: str) -> None:
    """The editor's own request is called off too, and the file can be graded again."""
    number = session.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    session.client.wait_for("rubric/judge")
    if way == "request":
        session.client.notify("$/cancelRequest", {"id": number})
        assert session.client.awaited(number)["code"] == -32800
    else:
        token = session.client.of("window/workDoneProgress/create")[0]["token"]
        session.client.notify("window/workDoneProgress/cancel", {"token": token})
        assert session.client.awaited(number)["stopped"] is True
    session.client.wait_for("$/cancelRequest")
    assert session.client.wait_for("rubric/graded")[-1]["state"] == "stopped"
    assert (
        session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))["stopped"] is False
    )


def test_an_edit_while_it_is_graded_leaves_nothing_stale(session: Session) -> None:
    """The criterion that was changed meanwhile shows nothing."""
    number = session.begin("gradeCase", caseId="short", answer="Hi", judge="manual")
    session.client.wait_for("rubric/judge")
    at = {"start": {"line": 6, "character": 50}, "end": {"line": 6, "character": 50}}
    session.client.change({"range": at, "text": " "}, 2, session.uri)
    session.client.reply("rubric/judge", {"judgement": BAD})
    assert session.client.awaited(number)["results"][0]["verdict"] == "fail"
    assert session.found() == []


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
def test_what_cannot_be_graded_is_refused(session: Session, argument: dict[str, Any], code: int, words: str) -> None:
    """With a sentence for the user."""
    refused = session.run("gradeCase", **argument)
    assert refused["code"] == code
    assert words in refused["message"]


def test_without_an_answer_the_client_is_notified(session: Session) -> None:
    """It can ask the user for one."""
    refused = session.run("gradeCase", caseId="short", judge="manual")
    assert refused["data"] == {"reason": "no-answer", "caseId": "short"}


def test_a_recording_is_looked_for_beside_the_file_and_then_in_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the server does not count; a path that leads nowhere is reported as it was tried."""
    started, evals = tmp_path / "started", tmp_path / "project" / "evals"
    started.mkdir()
    evals.mkdir(parents=True)
    monkeypatch.chdir(started)
    (started / "judgements.json").write_text("no JSON", encoding="utf-8")
    session = Session(evals, workspaceFolders=[{"uri": evals.parent.as_uri(), "name": "project"}])
    (evals / "rubric.toml").rename(evals.parent / "rubric.toml")

    def grade() -> Any:
        return session.run("gradeCase", caseId="short", answer="Hi", judge="replay:judgements.json")

    tried = f"{evals / 'judgements.json'} or {evals.parent / 'judgements.json'}"
    assert grade()["message"] == f"There are no recorded judgements at {tried}; correct the path."
    (evals.parent / "judgements.json").write_text(json.dumps({"short": BAD}), encoding="utf-8")
    assert grade()["results"][0]["verdict"] == "fail"
    (evals / "judgements.json").write_text(json.dumps({"short": GOOD}), encoding="utf-8")
    assert grade()["results"][0]["verdict"] == "pass"
    assert grade()["results"][0]["judge"]["name"] == "replay:judgements.json"


def test_an_untrusted_workspace_grades_nothing(tmp_path: Path) -> None:
    """Until the user trusts it; looking at a prompt is always allowed."""
    session = Session(tmp_path, initializationOptions={"trusted": False})
    for command in ("gradeCase", "gradeFile", "gradeCriterion", "generateRubrics"):
        assert "Trust this workspace" in session.run(command, caseId="short", answer="Hi")["message"]
    for command in ("showReport", "compare"):
        assert "Trust the workspace first" in session.run(command)["message"]
    assert session.run("previewPrompt", caseId="short")["caseId"] == "short"
    session.client.notify("rubric/didChangeTrust", {"trusted": True})
    assert (
        session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))["stopped"] is False
    )


@pytest.mark.parametrize("sent", [None, 0, 1, "no", "true", "", [], {"trusted": True}])
@pytest.mark.parametrize("section", [False, True])
def test_only_true_trusts(tmp_path: Path, sent: object, *, section: bool) -> None:
    """A client that sends anything else of trust has made a mistake, and nothing runs because of one."""
    options = {"rubric": {"trusted": sent}} if section else {"trusted": sent}
    session = Session(tmp_path, initializationOptions=options)
    assert "Trust this workspace" in session.run("gradeCase", caseId="short", answer="Hi")["message"]


@pytest.mark.parametrize("sent", [None, [], {}, {"trusted": None}, {"trusted": 1}, {"trusted": "yes"}])
def test_trust_that_changes_to_anything_else_is_over(tmp_path: Path, sent: object) -> None:
    """The same rule holds later on."""
    session = Session(tmp_path, initializationOptions={"trusted": True})
    session.client.notify("rubric/didChangeTrust", sent)
    assert "Trust this workspace" in session.run("gradeCase", caseId="short", answer="Hi")["message"]


@pytest.mark.parametrize(
    "options", [None, {}, [], {"rubric": {}}, {"trusted": True}, {"trusted": True, "rubric": {"trusted": True}}]
)
def test_a_client_that_says_nothing_of_trust_may_grade(tmp_path: Path, options: object) -> None:
    """The command to grade is the person's consent."""
    session = Session(tmp_path, initializationOptions=options)
    assert (
        session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))["stopped"] is False
    )


def test_the_prompt_is_shown_without_asking_anybody(session: Session) -> None:
    """With the answer that was given, in a fence that its text cannot close."""
    shown = session.run("previewPrompt", position={"line": 1, "character": 8}, answer="Hi\n```\n# Not a heading")
    assert [prompt["evaluator"] for prompt in shown["prompts"]] == ["rubric"]
    assert "````text" in shown["markdown"]
    assert session.client.of("rubric/judge") == []


def test_the_settings_of_the_editor_hold_for_the_files_of_one_case(tmp_path: Path) -> None:
    """As they do where the whole file is graded: an attachment outside of the workspace is read when it is allowed."""
    (tmp_path / "notes.txt").write_text("The port is 443.", encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    parts = "[{type: file, value: ../notes.txt}]"
    text = f"evalcases:\n- {{id: a, expected_outcome: Helps, input_messages: [{{role: user, content: {parts}}}]}}\n"
    for allowed in (False, True):
        session = Session(project, initializationOptions={"allowOutside": allowed})
        session.client.change({"text": text}, 2, session.uri)
        shown = session.run("previewPrompt", caseId="a", answer="443")
        assert ("The port is 443." in str(shown)) is allowed


def test_reports_and_comparisons_of_what_was_graded(session: Session) -> None:
    """Nothing was graded yet; then there is a page; then there is a comparison."""
    assert session.run("showReport") is None
    assert "grade twice" in session.run("compare")["message"]
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": BAD}))
    assert "Content-Security-Policy" in session.run("showReport")["html"]
    session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))
    assert "short" in session.run("compare")["markdown"]
    assert "The score of the last 2 gradings" in session.run("showReport")["html"]


def test_the_report_of_a_case_is_of_the_run_that_graded_it(session: Session) -> None:
    """Whoever presses a verdict wants to read about that verdict, whatever was graded since."""
    first = session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": BAD}))["run"]
    second = session.run("gradeCase", caseId="plain", answer="Hi", judge=session.replay({"plain": PLAIN}))["run"]
    runs = {case_id: session.run("showReport", caseId=case_id)["run"] for case_id in ("short", "plain")}
    assert runs == {"short": first, "plain": second}
    latest = session.run("showReport")
    assert latest["run"] == second
    # The file goes by the name that it has in the project.
    assert "a.eval.yaml" in latest["html"]
    assert str(session.file) not in latest["html"]
    assert session.run("showReport", caseId="never-graded") is None


def test_the_default_target_proposes_where_nobody_is_named(tmp_path: Path) -> None:
    """A client that can be no judge needs no other choice."""
    criteria = [{"id": f"point-{number}", "expected_outcome": f"It makes point {number}"} for number in range(3)]
    (tmp_path / "propose.py").write_text(f"print({json.dumps({'criteria': criteria})!r})", encoding="utf-8")
    targets = tmp_path / ".agentv" / "targets.yaml"
    targets.parent.mkdir()
    command = json.dumps([sys.executable, "propose.py"])
    targets.write_text(f"targets: [{{name: default, provider: command, command: {command}}}]", encoding="utf-8")
    session = Session(tmp_path, {"workspace": {"applyEdit": True}})
    session.client.notify("textDocument/didClose", {"textDocument": {"uri": session.uri}})
    session.client.open(TEXT.replace("    rubrics: [It greets]\n", ""), session.uri, 2)
    session.client.work()
    session.begin("generateRubrics", caseId="plain")
    session.client.wait_for("workspace/applyEdit")
    assert "point-0" in json.dumps(session.client.of("workspace/applyEdit"))


def test_the_judges_to_choose_from(session: Session) -> None:
    """Those that the editor can be, and those that are configured."""
    (session.file.parent / "rubric.toml").write_text(
        'judge = "local"\n[judges.local]\nprovider = "openai"\nmodel = "m"\n', encoding="utf-8"
    )
    session.client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (session.file.parent / "rubric.toml").as_uri(), "type": 2}]},
    )
    listed = session.run("listJudges")
    assert [each["name"] for each in listed["judges"]] == ["editor", "manual", "local"]
    assert listed["default"] == "local"


def test_criteria_are_proposed_and_inserted(tmp_path: Path) -> None:
    """By an edit that the client applies; the text is not touched where it changed meanwhile."""
    session = Session(tmp_path)
    text = TEXT.replace("    rubrics: [It greets]\n", "")
    whole = {"text": text}
    session.client.change(whole, 2, session.uri)
    proposal = {
        "criteria": [
            {"id": f"point-{number}", "expected_outcome": f"It makes point number {number}", "required": False}
            for number in range(3)
        ]
    }
    answer = session.run("generateRubrics", caseId="plain", judge=session.replay({"plain": proposal}))
    assert answer == {"inserted": [{"caseId": "plain", "criteria": 3}], "skipped": []}
    (applied,) = session.client.of("workspace/applyEdit")
    assert "point-2" in json.dumps(applied["edit"])


def test_a_command_that_judges_is_killed_with_the_grading(session: Session) -> None:
    """A judge process that sleeps does not outlive a grading that was stopped."""
    marker = session.file.with_name("started")
    script = f"import pathlib, time; pathlib.Path({str(marker)!r}).write_text('x'); time.sleep(600)"
    judge = f'command:{sys.executable} -c "{script}"'
    number = session.begin("gradeCase", caseId="short", answer="Hi", judge=judge)
    session.client.until(lambda: marker.exists() or None)
    session.client.notify("$/cancelRequest", {"id": number})
    assert session.client.awaited(number)["code"] == -32800
    assert session.client.wait_for("rubric/graded")[-1]["state"] == "stopped"
