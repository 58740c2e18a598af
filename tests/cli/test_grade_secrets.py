"""Secrets: whatever servers, models and commands repeat, no key is in anything that `rubric grade` writes."""

from __future__ import annotations

import base64
import json
import sys
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from model_server import ModelServer, completion
from projects import Project, case_in, cases_with, numbered_cases
from scripted_server import answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from model_server import Asked
    from projects import Ran
    from scripted_server import Step

SECRETS = {
    "environment": "sk-environment/4711+plus==",
    "dotenv": "sk-dotenv-0815-äöü",
    "interpolated": 'sk-inter"polated\\key',
    "targets file": "sk-targets-file-1234567",
    "configuration": "sk-configuration-7654321",
    "header": "header-secret-24680",
    "command": "sk-command-env-13579",
}


def escaped(text: str) -> str:
    r"""Return a text as JSON may write it: every character as `\uXXXX`."""
    return "".join(f"\\u{ord(character):04x}" for character in text)


def forms(secret: str) -> list[str]:
    """Return what a secret looks like to whoever would misuse it."""
    encoded = secret.encode()
    return [
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret, safe=""),
        quote(secret),
        base64.b64encode(encoded).decode().rstrip("="),
        base64.urlsafe_b64encode(encoded).decode().rstrip("="),
    ]


ALL = " and ".join(form for secret in SECRETS.values() for form in forms(secret))
ESCAPED = " ".join(escaped(secret) for secret in SECRETS.values())


def checks(identifier: str = "rubric-1", reasoning: str = ALL) -> str:
    """Return a judgement whose reasoning is what the server knows."""
    return json.dumps(
        {"checks": [{"id": identifier, "satisfied": True, "reasoning": reasoning}], "overall_reasoning": ALL}
    )


ECHOES: dict[str, Step | str] = {
    "in the reasoning": checks(),
    "in the reasoning, escaped": checks(reasoning="ESCAPED").replace("ESCAPED", ESCAPED),
    "in the id of a criterion": checks(SECRETS["environment"]),
    "in the id of a criterion, escaped": checks("ESCAPED").replace("ESCAPED", escaped(SECRETS["environment"])),
    "instead of JSON": f"Your key is {ALL}.",
    "in the name of the model": completion(checks(), model=f"model of {ALL}"),
    "in a refusal": answer({"choices": [{"message": {"refusal": f"No: {ALL}"}, "finish_reason": "stop"}]}),
    "in an error": answer({"error": {"message": f"Bad key: {ALL}"}}, 401),
    "in an error that is no JSON": answer(f"<b>{ALL}</b>".encode(), 403),
    "in the reason for waiting": answer({"error": {"message": ALL}}, 429, retry_after="0"),
}
NAMES = list(ECHOES)

TELLTALE = """\
import base64, json, os, sys
said = " ".join([*os.environ.values(), *(base64.b64encode(each.encode()).decode() for each in os.environ.values())])
if sys.argv[1] == "fail":
    sys.exit(said)
if sys.argv[1] == "score":
    print(json.dumps({"score": 1, "hits": [said], "misses": [said], "reasoning": said}))
if sys.argv[1] == "judge":
    print(json.dumps({"checks": [{"id": "rubric-1", "satisfied": True, "reasoning": said}]}))
if sys.argv[1] == "prose":
    print(said)
"""
COMMANDS = {
    "code judge that scores": "evaluators: [{name: tells, type: code_judge, script: [PYTHON, tell.py, score]}]",
    "code judge that fails": "evaluators: [{name: tells, type: code_judge, script: [PYTHON, tell.py, fail]}]",
    "code judge that chats": "evaluators: [{name: tells, type: code_judge, script: [PYTHON, tell.py, prose]}]",
    "command that judges": "evaluators: [{name: tells, type: llm_judge, target: telling, rubrics: [It is right]}]",
    "command that fails": "evaluators: [{name: tells, type: llm_judge, target: failing, rubrics: [It is right]}]",
    "command that chats": "evaluators: [{name: tells, type: llm_judge, target: chatting, rubrics: [It is right]}]",
    "prompt that fails": "evaluators: [{name: tells, type: llm_judge, prompt: {script: [PYTHON, tell.py, fail]}}]",
    "prompt that tells": "evaluators: [{name: tells, type: llm_judge, prompt: {script: [PYTHON, tell.py, prose]}}]",
    "answer that tells": "execution: {target: chatting}, rubrics: [It is right]",
    "answer that fails": "execution: {target: failing}, rubrics: [It is right]",
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Return a project with planted keys, whose judge repeats all of them in every way."""
    project = Project(tmp_path / "work")
    bodies = [body.replace("PYTHON", sys.executable) for body in COMMANDS.values()]
    project.write("all.eval.yaml", cases_with(["rubrics: [It is right]"] * len(ECHOES) + bodies))
    # The last two cases get their answers from their targets.
    answers = {f"case-{place:02}": f"My key is {ALL}." for place in range(len(ECHOES) + len(COMMANDS) - 2)}
    project.write("all.answers.json", answers)
    project.write("tell.py", TELLTALE)
    project.write(".env", f"DOTENV_TOKEN='{SECRETS['dotenv']}'\n")

    def respond(asked: Asked) -> Step | str:
        place = int(case_in(asked.prompt).removeprefix("case-"))
        return ECHOES[NAMES[place]] if place < len(NAMES) else checks()

    with ModelServer(respond) as server:
        command = json.dumps([sys.executable, "tell.py"])[:-1]
        project.write(
            "rubric.toml",
            f"""\
judge = "mini"

[judges.mini]
provider = "openai"
model = "mini"
base_url = "{server.base_url}"
api_key = "{SECRETS["configuration"]}"
headers = {{ X-Api-Key = "{SECRETS["header"]}" }}
max_retries = 1
retry_initial_delay_ms = 1

[judges.telling]
provider = "command"
command = {command}, "judge"]
env = {{ COMMAND_TOKEN = "{SECRETS["command"]}" }}

[judges.failing]
provider = "command"
command = {command}, "fail"]

[judges.chatting]
provider = "command"
command = {command}, "prose"]

[targets.chatting]
provider = "command"
command = {command}, "prose"]

[targets.failing]
provider = "command"
command = {command}, "fail"]
""",
        )
        project.write(
            ".agentv/targets.yaml",
            f"""\
targets:
  - name: default
    provider: openai
    model: mini
    base_url: {server.base_url}
    api_key: {SECRETS["targets file"]}
  - name: other
    provider: openai
    model: mini
    base_url: {server.base_url}
    api_key: ${{{{ INTERPOLATED }}}}
""",
        )
        yield project


def grade(project: Project, *options: str) -> Ran:
    """Grade with the keys in the environment."""
    return project.grade(
        *options,
        OPENAI_API_KEY=SECRETS["environment"],
        INTERPOLATED=SECRETS["interpolated"],
    )


def leaks(project: Project, *streams: bytes) -> list[str]:
    """Return which secrets are in what was printed, and in the files that were written."""
    written = {
        str(path.relative_to(project.folder)): path.read_bytes()
        for folder in (project.folder / ".rubric", project.folder / "out")
        for path in folder.rglob("*")
        if path.is_file()
    }
    texts = {**{f"stream {number}": stream for number, stream in enumerate(streams)}, **written}
    return [
        f"{name}: {secret} as {form}"
        for name, content in texts.items()
        for secret, value in SECRETS.items()
        for form in {*forms(value), escaped(value), escaped(value).upper()}
        if form.encode() in content
    ]


@pytest.mark.slow
def test_no_key_is_in_the_results_or_in_the_store(project: Project) -> None:
    """Every case has its result all the same."""
    (project.folder / "out").mkdir()
    ran = grade(project, "--format", "jsonl")
    assert (ran.status, len(ran.results)) == (2, len(ECHOES) + len(COMMANDS))
    assert leaks(project, ran.output, ran.errors) == []
    told = [result["verdict"] for result in ran.results.values()]
    assert told[NAMES.index("in the reasoning")] == "pass"
    assert told[NAMES.index("in the name of the model")] == "pass"
    assert "[secret OPENAI_API_KEY]" in ran.results["case-00"]["reasoning"]


def test_the_test_can_fail(project: Project) -> None:
    """A file that holds every key is found out."""
    project.write("out/leaked.txt", ALL)
    assert {leak.split(": ")[1].split(" as ")[0] for leak in leaks(project)} == set(SECRETS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["text", "json", "markdown", "html", "junit"])
def test_no_key_is_in_any_format(project: Project, name: str) -> None:
    """Neither on standard output nor in a file."""
    shown = grade(project, "--format", name)
    project.write("out/.keep", "")
    grade(project, "--format", name, "--output", f"out/report.{name}")
    assert leaks(project, shown.output, shown.errors) == []


@pytest.mark.slow
def test_a_key_on_the_command_line_is_not_kept(project: Project) -> None:
    """The store remembers how a run was called, but not what is secret in it."""
    (project.folder / "out").mkdir()
    judge = f"command:{sys.executable} tell.py judge {SECRETS['environment']}"
    ran = grade(project, "--case", "case-00", "--judge", judge, "--format", "jsonl")
    assert (ran.status, ran.results["case-00"]["verdict"]) == (0, "pass")
    assert leaks(project, ran.output, ran.errors) == []


@pytest.mark.slow
@pytest.mark.parametrize("text", ['{"score": 1, "hits": [KEY], "reasoning": KEY}', '{"score": KEY}', "KEY"])
def test_a_key_in_a_recording_is_not_kept(project: Project, text: str) -> None:
    """Nor shown; this is a judgement without criteria."""
    (project.folder / "out").mkdir()
    project.write("one.eval.yaml", numbered_cases(1, "note: whole"))
    project.write("one.answers.json", {"case-00": "Done."})
    project.write("judgements.json", {"case-00": text.replace("KEY", json.dumps(ALL))})
    ran = grade(project, "one.eval.yaml", "--judge", "replay:judgements.json", "--format", "jsonl")
    assert "case-00" in ran.results
    assert leaks(project, ran.output, ran.errors) == []
