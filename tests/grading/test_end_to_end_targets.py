"""Targets and judges by name: who answers, who judges, and in which order the places are asked."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from model_server import ModelServer
from projects import Project, cases_with, met, numbered_cases

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from model_server import Asked

# Each of these starts real processes.
pytestmark = pytest.mark.slow

KEY = "sk-of-the-dotenv-file"

TARGETS = """\
targets:
  - name: default
    provider: openai
    model: default-model
    base_url: ${{ SERVER }}
    api_key: ${{ SERVER_KEY }}
    judge_target: judging
  - name: other
    provider: openai
    model: other-model
    base_url: ${{ SERVER }}
    judge_target: strict
  - {name: judging, provider: openai, model: judging-model, base_url: "${{ SERVER }}"}
  - {name: strict, provider: openai, model: strict-model, base_url: "${{ SERVER }}"}
  - {name: studio, provider: vscode}
  - {name: keyless, provider: openai, model: m, base_url: "${{ SERVER }}", api_key: "${{ NOT_SET }}"}
  - {name: silent, provider: openai, model: silent-model, base_url: "${{ SERVER }}"}
"""
CONFIG = """\
judge = "configured"

[judges.configured]
provider = "openai"
model = "configured-model"
base_url = "${{ SERVER }}"

[judges.local]
provider = "command"
command = [PYTHON, "judge.py"]

[targets.script]
provider = "command"
command = [PYTHON, "answer.py"]
"""


class Models(ModelServer):
    """Answers under the name of the model that is asked for, and judges that everything is met."""

    def __init__(self) -> None:
        super().__init__(self._said)

    def _said(self, asked: Asked) -> str:
        if "BEGIN ANSWER" in asked.prompt:
            return met()
        model = asked.request.json["model"]
        return " " if model == "silent-model" else f"Answer of {model}.\n"

    def asked_as(self, *, judging: bool) -> list[str]:
        """Return the models that were asked to judge, or to answer."""
        return [each.request.json["model"] for each in self.asked if ("BEGIN ANSWER" in each.prompt) is judging]


@pytest.fixture
def server() -> Iterator[Models]:
    """Return a server with many models."""
    with Models() as running:
        yield running


@pytest.fixture
def project(tmp_path: Path, server: Models) -> Project:
    """Return a project with a targets file, a configuration and variables."""
    project = Project(tmp_path / "work")
    project.write(".env", f"SERVER={server.base_url}\nSERVER_KEY={KEY}\n")
    project.write(".agentv/targets.yaml", TARGETS)
    project.write("rubric.toml", CONFIG.replace("PYTHON", json.dumps(sys.executable)))
    project.write("one.eval.yaml", numbered_cases(1))
    return project


def told(project: Project, *options: str, **variables: str) -> tuple[str, str, str, str]:
    """Grade the one case; return its answer, who gave it, who judged, and with which model."""
    ran = project.grade("one.eval.yaml", *options, "--format", "json", **variables)
    assert ran.status == 0, ran.stdout + ran.stderr
    result = ran.json
    judge = result["evaluator_results"][-1]["judge"]
    return result["candidate_answer"], result["target"], judge["name"], result["judge"]["kind"]


def test_the_default_target_answers_and_its_judge_target_judges(project: Project, server: Models) -> None:
    """The key of the targets file comes from the variables, and goes to the server alone."""
    assert told(project) == ("Answer of default-model.", "default", "judging", "openai")
    answering, judging = server.asked
    assert answering.request.headers["authorization"] == f"Bearer {KEY}"
    assert "authorization" not in judging.request.headers
    assert answering.messages == [{"role": "user", "content": "Do case-00"}]
    assert [each.request.json["model"] for each in (answering, judging)] == ["default-model", "judging-model"]
    assert "Answer of default-model." in judging.prompt


@pytest.mark.slow
def test_what_was_spent_on_answers_counts(project: Project) -> None:
    """Two calls: one for the answer, one for its judgement."""
    usage = project.grade("one.eval.yaml", "--format", "json").json["usage"]
    assert usage == {"calls": 2, "remembered": 0, "input_tokens": 60, "output_tokens": 14}


OTHER = "rubrics: [R], execution: {target: other}"
TINY = "evaluators: [{name: e, type: llm_judge, target: strict, model: tiny, rubrics: [R]}]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "options", "models"),
    [
        ("rubrics: [R]", "", ("default-model", "judging-model")),
        (OTHER, "", ("other-model", "strict-model")),
        ("rubrics: [R]", "--target other --judge judging", ("other-model", "judging-model")),
        (TINY, "", ("default-model", "tiny")),
        (TINY, "--judge judging", ("default-model", "judging-model")),
    ],
)
def test_who_answers_and_who_judges(
    project: Project, server: Models, body: str, options: str, models: tuple[str, str]
) -> None:
    """One row of each kind; `test_targets.py` has the order in which a judge is looked for."""
    project.write("one.eval.yaml", cases_with([body]))
    assert told(project, *options.split())[0] == f"Answer of {models[0]}."
    assert (server.asked_as(judging=False), server.asked_as(judging=True)) == ([models[0]], [models[1]])


@pytest.mark.slow
def test_without_targets_the_configured_judge_judges(project: Project) -> None:
    """`judge = ...` in the configuration."""
    (project.folder / ".agentv" / "targets.yaml").unlink()
    project.write("one.answers.json", {"case-00": "Recorded."})
    assert told(project) == ("Recorded.", None, "configured", "openai")


def test_a_recorded_answer_needs_no_target(project: Project, server: Models) -> None:
    """Unless a target is named: then it answers, whatever was recorded."""
    project.write("one.answers.json", {"case-00": "Recorded."})
    assert told(project) == ("Recorded.", None, "judging", "openai")
    assert server.asked_as(judging=False) == []
    assert told(project, "--target", "other") == ("Answer of other-model.", "other", "strict", "openai")


def test_commands_answer_and_judge(project: Project, server: Models) -> None:
    """The task comes on standard input, the answer goes to standard output; nobody else is asked."""
    project.write("answer.py", "import sys\nprint('Read:', sys.stdin.read().strip())\n")
    project.write("judge.py", f"import sys\nassert 'Read: Do case-00' in sys.stdin.read()\nprint({met()!r})\n")
    assert told(project, "--target", "script", "--judge", "local") == ("Read: Do case-00", "script", "local", "command")
    assert server.asked == []


@pytest.mark.slow
def test_a_command_on_the_command_line(project: Project, server: Models) -> None:
    """`command:...` needs no configuration."""
    project.write("judge.py", f"print({met()!r})\n")
    project.write("one.answers.json", {"case-00": "Recorded."})
    judge = f"command:{sys.executable} judge.py"
    assert told(project, "--judge", judge) == ("Recorded.", None, judge, "command")
    assert server.asked == []


@pytest.mark.slow
def test_a_model_on_the_command_line(project: Project, server: Models) -> None:
    """`openai:MODEL`, with the usual variables."""
    project.write("one.answers.json", {"case-00": "Recorded."})
    variables = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-usual-variable"}
    assert told(project, "--judge", "openai:mini", **variables) == ("Recorded.", None, "openai:mini", "openai")
    (asked,) = server.asked
    assert (asked.request.json["model"], asked.request.headers["authorization"]) == ("mini", "Bearer sk-usual-variable")


@pytest.mark.slow
def test_a_replayed_judge_of_the_configuration_lies_beside_it(project: Project) -> None:
    """However deep one works in the project."""
    (project.folder / ".agentv" / "targets.yaml").unlink()
    project.write("rubric.toml", 'judge = "replay:judgements.json"\n')
    project.write("judgements.json", {"case-00": met()})
    project.write("deep/one.eval.yaml", numbered_cases(1))
    project.write("deep/one.answers.json", {"case-00": "Recorded."})
    ran = project.grade("deep", "--format", "json")
    assert (ran.status, ran.json["judge"]["kind"]) == (0, "replay")


@pytest.mark.slow
def test_a_conversation_goes_to_the_target_as_it_is(project: Project, server: Models) -> None:
    """Each message under its role, with the files that it names."""
    project.write("notes.txt", "Port 8443 is taken.")
    project.write(
        "one.eval.yaml",
        """\
evalcases:
  - id: case-00
    expected_outcome: Answers
    input_messages:
      - {role: system, content: You are terse.}
      - {role: user, content: Do case-00}
      - {role: assistant, content: Which port?}
      - role: user
        content: [{type: text, value: "See this:"}, {type: file, value: notes.txt}]
    rubrics: [R]
""",
    )
    told(project)
    messages = server.asked[0].messages
    assert [turn["role"] for turn in messages] == ["system", "user", "assistant", "user"]
    assert messages[0]["content"] == "You are terse."
    assert "See this:" in messages[3]["content"]
    assert "Port 8443 is taken." in messages[3]["content"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("othr", "There is no target othr. Did you mean other?"),
        ("studio", "studio has the provider vscode, which cannot be run here; record its answers"),
        ("keyless", "NOT_SET"),
        ("silent", "The target silent gave"),
    ],
)
def test_a_target_that_gives_no_answer_is_an_error_of_its_cases(project: Project, target: str, message: str) -> None:
    """The others are graded."""
    project.write("one.eval.yaml", cases_with([f"rubrics: [R], execution: {{target: {target}}}", "rubrics: [R]"]))
    ran = project.grade("one.eval.yaml", "--judge", "judging", "--format", "jsonl")
    first, second = ran.results.values()
    assert (ran.status, first["verdict"], second["verdict"]) == (2, None, "pass")
    assert message in first["error"]


@pytest.mark.slow
def test_a_targets_file_that_is_broken_is_reported(project: Project) -> None:
    """In one sentence, before anything is asked."""
    project.write(".agentv/targets.yaml", "targets: [")
    ran = project.grade("one.eval.yaml", "--format", "jsonl")
    assert (ran.status, ran.stdout) == (2, "")
    assert "targets.yaml" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.slow
def test_a_printed_prompt_knows_the_variables(project: Project, server: Models) -> None:
    """A command that prints a prompt finds what a code judge finds: the payload, and the variables of `.env`."""
    project.write(".env", (project.folder / ".env").read_text(encoding="utf-8") + "TONE=friendly\n")
    script = (
        "import json, os, sys\n"
        "print('BEGIN ANSWER of', json.load(sys.stdin)['candidate_answer'], 'must be', os.environ['TONE'])\n"
    )
    project.write("prompt.py", script)
    project.write("one.answers.json", {"case-00": "Recorded."})
    project.write(
        "one.eval.yaml",
        cases_with([f"evaluators: [{{name: e, type: llm_judge, prompt: {{script: [{sys.executable}, prompt.py]}}}}]"]),
    )
    server.respond = lambda _: '{"score": 0.9}'
    told(project)
    (asked,) = server.asked
    assert "Recorded." in asked.prompt
    assert "must be friendly" in asked.prompt
