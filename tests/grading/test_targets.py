"""What the names of targets and judges mean."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.config.config import Config
from rubric_core.files.configuration import parse_config
from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.judges import terminal
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.judges.manual import ManualJudge
from rubric_core.grading.judges.replay import ReplayJudge
from rubric_core.grading.providers.provider import Call, Turn
from rubric_core.grading.targets.targets import Targets, targets_by_file
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.judges.judge import Judge

KEY = "sk-planted-0123456789"
ASKED = Call((Turn("user", "Hello"),))
CASE = EvalCase(id="one")

TARGETS = """
targets:
  - name: default
    provider: openai
    model: small
    baseUrl: http://localhost:1/v1
    judge_target: base
    workers: 3
    provider_batching: false
  - name: base
    provider: anthropic
    model: large
    api_key: ${{ BASE_KEY }}
  - name: robot
    provider: codex
    judge_target: base
  - name: base
    provider: gemini
"""
ENVIRONMENT = {"BASE_KEY": KEY}


def _targets(
    folder: Path,
    toml: str = "",
    *,
    targets: str | None = TARGETS,
    environment: dict[str, str] = ENVIRONMENT,
    **more: Any,
) -> Targets:
    """Return the targets of an eval file in a folder below a workspace that has a targets file."""
    (folder / "rubric.toml").write_text(toml, encoding="utf-8")
    (folder / "evals").mkdir(exist_ok=True)
    if targets is not None:
        (folder / ".agentv").mkdir(exist_ok=True)
        (folder / ".agentv" / "targets.yaml").write_text(targets, encoding="utf-8")
    return Targets(folder / "evals" / "a.eval.yaml", environment=environment, **more)


def _judge(name: str, model: str | None = None, target: str | None = None) -> LlmJudge:
    return LlmJudge(name=name, model=model, target=target)


def test_a_target_is_found_in_the_targets_file_above(tmp_path: Path) -> None:
    """Settings may be written in AgentV's other style; the first of two equal names counts."""
    targets = _targets(tmp_path)
    assert targets.names == ("default", "base", "robot")
    provider = targets.provider_for("default")
    assert (provider.kind, provider.model) == ("openai", "small")
    assert provider.parameters["address"] == "http://localhost:1/v1/chat/completions"
    assert targets.provider_for("base").kind == "anthropic"


def test_the_configuration_counts_before_the_targets_file(tmp_path: Path) -> None:
    """It may add targets too."""
    toml = """
        [targets.base]
        provider = "gemini"
        api-key = "${{ BASE_KEY }}"
        [targets.new]
        provider = "command"
        command = "run"
    """
    targets = _targets(tmp_path, toml)
    assert targets.names == ("default", "base", "robot", "new")
    assert targets.provider_for("base").kind == "gemini"
    assert targets.provider_for("new").kind == "command"


def test_a_provider_is_made_once_for_each_purpose(tmp_path: Path) -> None:
    """A judge has its own, because judges are asked with other defaults than targets."""
    targets = _targets(tmp_path)
    assert targets.provider_for("base") is targets.provider_for("base")
    assert targets.judge_named("base") is targets.judge_named("base")
    assert "temperature" not in targets.provider_for("default").parameters
    assert '"temperature": 0' in (targets.judge_named("default").memory_key or "")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "bass",
            r"There is no target bass\. Did you mean base\? Available are default, base, robot and PROVIDER:MODEL\.",
        ),
        ("elsewhere", r"There is no target elsewhere\. Available are default, base, robot and PROVIDER:MODEL\."),
        ("robot", "robot has the provider codex, which cannot be run here"),
        ("codex:x", "codex:x has the provider codex, which cannot be run here"),
        ("opanai:gpt", "opanai:gpt has the unknown provider opanai; supported are openai, azure"),
    ],
)
def test_a_name_that_means_nothing_is_reported_with_those_that_do(name: str, reason: str, tmp_path: Path) -> None:
    """What was probably meant is first."""
    with pytest.raises(CannotGrade, match=reason):
        _targets(tmp_path).provider_for(name)


def test_without_any_target_the_places_to_define_one_are_reported(tmp_path: Path) -> None:
    """The two files, and the folders that were searched."""
    reason = (
        rf"none is defined from {tmp_path}/evals up to {tmp_path}; define it in \.agentv/targets\.yaml or in rubric"
    )
    with pytest.raises(CannotGrade, match=reason):
        _targets(tmp_path, targets=None).provider_for("base")


def test_an_entry_without_a_provider_is_reported(tmp_path: Path) -> None:
    """With the providers that there are."""
    targets = _targets(tmp_path, '[judges.strict]\nmodel = "x"\n[targets.bad]\nmodel = "y"')
    with pytest.raises(CannotGrade, match="There is no provider in the judge strict; give it one of openai, azure"):
        targets.judge_named("strict")
    with pytest.raises(CannotGrade, match="There is no provider in the target bad"):
        targets.provider_for("bad")


@pytest.mark.parametrize("key", ["provider", "judge_target"])
def test_an_entry_of_the_configuration_with_a_wrong_type_is_reported(key: str, tmp_path: Path) -> None:
    """The targets file says so itself."""
    with pytest.raises(CannotGrade, match=f"The setting {key} of the target bad must be a text"):
        _targets(tmp_path, f"[targets.bad]\n{key} = 3").provider_for("bad")


@pytest.mark.parametrize(
    ("text", "reason"), [("targets: 3", "There is no list under the key targets"), ("targets: [", r"targets\.yaml")]
)
def test_a_broken_targets_file_is_reported_when_it_is_needed(text: str, reason: str, tmp_path: Path) -> None:
    """A person who judges needs none of it, and secrets are kept all the same."""
    targets = _targets(tmp_path, f'[targets.x]\nprovider = "openai"\napi_key = "{KEY}"', targets=text, environment={})
    assert targets.redactor.redact(KEY) == "[secret api_key]"
    with pytest.raises(CannotGrade, match=reason):
        targets.provider_for("base")


def test_a_missing_variable_is_named_with_its_target_when_it_is_needed(tmp_path: Path) -> None:
    """Other targets of the file can be used without it."""
    targets = _targets(tmp_path, environment={})
    targets.provider_for("default")
    with pytest.raises(CannotGrade, match="The variable BASE_KEY that the target base needs is not set"):
        targets.provider_for("base")


def test_a_model_may_be_named_with_its_provider(tmp_path: Path) -> None:
    """The key comes from the provider's usual variable, which may be in `.env`."""
    (tmp_path / ".env").write_text(f"OPENAI_API_KEY={KEY}", encoding="utf-8")
    targets = _targets(tmp_path, targets=None, environment={})
    judge = targets.judge_named("openai:gpt-4o-mini")
    assert judge.identity == JudgeIdentity("openai:gpt-4o-mini", "openai", "gpt-4o-mini")
    assert targets.provider_for("command:agent --fast").parameters["command"] == ["agent", "--fast"]


STRICT = """
judge = "fallback"
[judges.strict]
provider = "anthropic"
model = "strict-model"
api_key = "${{ BASE_KEY }}"
[judges.fallback]
provider = "command"
command = "fallback"
[judges.base]
provider = "command"
command = "base"
"""


@pytest.mark.parametrize(
    ("spec", "evaluator", "case_target", "chosen", "judge"),
    [
        ("strict", _judge("e", target="default"), "default", None, "strict"),
        (None, _judge("e", target="strict"), "default", None, "strict"),
        (None, _judge("e"), "default", None, "base"),
        (None, None, "default", None, "base"),
        (None, _judge("e"), None, None, "base"),
        (None, _judge("e"), "base", None, "fallback"),
        (None, _judge("e"), "default", "base", "fallback"),
        (None, _judge("e"), "unknown", None, "fallback"),
        (None, _judge("e"), "base", "robot", "base"),
    ],
)
def test_the_order_in_which_a_judge_is_looked_for(  # noqa: PLR0913, PLR0917 - the columns of the table.
    spec: str | None,
    evaluator: LlmJudge | None,
    case_target: str | None,
    chosen: str | None,
    judge: str,
    tmp_path: Path,
) -> None:
    """The one that is asked for, the evaluator's, that of the target that answers, the configuration's."""
    targets = _targets(tmp_path, STRICT)
    case = CASE.model_copy(update={"target": case_target})
    assert targets.judge_for(spec, case, evaluator, target=chosen).identity.name == judge


def test_for_judging_a_judge_counts_before_a_target_of_the_same_name(tmp_path: Path) -> None:
    """For answering only targets count."""
    targets = _targets(tmp_path, STRICT)
    assert targets.judge_named("base").identity.kind == "command"
    assert targets.provider_for("base").kind == "anthropic"


def test_an_evaluators_model_takes_the_place_of_the_judges_own(tmp_path: Path) -> None:
    """But not that of a judge that was asked for."""
    targets = _targets(tmp_path, STRICT)
    evaluator = _judge("e", model="other-model", target="strict")
    assert targets.judge_for(None, CASE, evaluator).identity.model == "other-model"
    assert targets.judge_for("strict", CASE, evaluator).identity.model == "strict-model"
    assert targets.judge_for(None, CASE, _judge("e", target="strict")).identity.model == "strict-model"


def test_without_any_word_about_it_a_person_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One person, however often they are asked for."""
    monkeypatch.setattr(terminal, "terminal_person", object)
    targets = _targets(tmp_path, targets=None)
    judge = targets.judge_for(None, CASE, _judge("e"))
    assert isinstance(judge, ManualJudge)
    assert targets.judge_named("manual") is judge


def test_the_editor_judges_only_where_there_is_one(tmp_path: Path) -> None:
    """Whoever has it hands it over."""
    with pytest.raises(CannotGrade, match="The judge editor answers only in an editor"):
        _targets(tmp_path).judge_named("editor")
    editor = ReplayJudge(_recording(tmp_path), "editor")
    assert _targets(tmp_path, judges={"editor": editor}).judge_named("editor") is editor


def _recording(folder: Path) -> Path:
    path = folder / "judgements.json"
    path.write_text("{}", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "settings",
    [
        'provider = "command"\ncommand = ["sh", "../../evil.sh"]',
        'provider = "command"\ncommand = "sh ../../evil.sh"',
        'provider = "command"\ncommand = ["sh", "-c", "sh ../../evil.sh"]',
        'provider = "command"\ncommand = ["sh", "evil.sh"]\ncwd = "../.."',
        'provider = "cli"\ncommand_template = "sh ../../evil.sh {PROMPT}"',
        'provider = "cli"\ncommandTemplate = "sh ../../evil.sh {PROMPT}"',
    ],
)
def test_a_command_of_the_configuration_must_not_leave_the_workspace(tmp_path: Path, settings: str) -> None:
    """As that of a code judge; a judge and a target alike."""
    for table in ("judges", "targets"):
        written = f"[{table}.evil]\n{settings}\n"
        targets = _targets(tmp_path, written, targets=None)
        with pytest.raises(CannotGrade, match="lies outside of the workspace"):
            targets.judge_for("evil", CASE)
        allowed = _targets(tmp_path, f"allow-outside = true\n{written}", targets=None)
        assert allowed.judge_for("evil", CASE).identity.name == "evil"
    with pytest.raises(CannotGrade, match="lies outside of the workspace"):
        _targets(tmp_path, "", targets=None).judge_for(None, CASE, _judge("e", target="command:sh ../../evil.sh"))


def test_a_recording_judges_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the command line it starts at the current folder, in the configuration beside the eval file."""
    _recording(tmp_path)
    targets = _targets(tmp_path, 'judge = "replay:judgements.json"', targets=None)
    configured = targets.judge_for(None, CASE)
    assert configured.identity == JudgeIdentity("replay:judgements.json", "replay")
    with pytest.raises(CannotGrade, match=r"There are no recorded judgements at .* or .*elsewhere\.json; correct"):
        targets.judge_for("replay:elsewhere.json", CASE)
    monkeypatch.chdir(tmp_path)
    assert targets.judge_for("replay:judgements.json", CASE).identity.name == "replay:judgements.json"


def test_a_recording_that_the_configuration_names_is_looked_for_in_three_folders(tmp_path: Path) -> None:
    """Beside the eval file, in the workspace, and beside the configuration, which may be anywhere."""
    inner, outer, settings = (tmp_path / name for name in ("project/inner", "project", "settings"))
    for folder in (inner, outer, settings):
        folder.mkdir(parents=True, exist_ok=True)
    (outer / ".git").mkdir()
    config = Config(judge="replay:judgements.json", root=settings)

    def reason() -> str:
        with pytest.raises(CannotGrade) as failure:
            Targets(str(inner / "a.eval.yaml"), config, {}).judge_for(None, CASE)
        return failure.value.reason

    tried = [str(folder / "judgements.json") for folder in (inner, outer, settings)]
    assert reason() == f"There are no recorded judgements at {' or '.join(tried)}; correct the path."
    for folder in (settings, outer, inner):
        (folder / "judgements.json").write_text("This is no JSON, so that the reason names the file.")
        assert reason().startswith(f"{folder / 'judgements.json'} is no JSON")


def test_a_recording_that_an_evaluator_names_lies_beside_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or in the workspace; where the command was started means nothing to a file, nor does what another file names."""
    elsewhere, inner, outer = tmp_path / "elsewhere", tmp_path / "project" / "inner", tmp_path / "project"
    for folder in (elsewhere, inner, outer):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "judgements.json").write_text("This is no JSON, so that the reason names the file.")
    monkeypatch.chdir(elsewhere)
    shared: dict[str, Judge] = {}

    def reason_in(folder: Path, spec: str | None = None) -> str:
        targets = Targets(str(folder / "a.eval.yaml"), Config(root=outer), {}, shared)
        with pytest.raises(CannotGrade) as failure:
            targets.judge_for(spec, CASE, _judge("e", target="replay:judgements.json"))
        return failure.value.reason

    assert reason_in(inner).startswith(f"{inner / 'judgements.json'} is no JSON")
    assert reason_in(inner, "replay:judgements.json").startswith("judgements.json is no JSON")
    _recording(outer)
    targets = Targets(str(outer / "a.eval.yaml"), Config(root=outer), {}, shared)
    assert targets.judge_for(None, CASE, _judge("e", target="replay:judgements.json")).identity.kind == "replay"
    assert reason_in(inner).startswith(f"{inner / 'judgements.json'} is no JSON")
    (inner / "judgements.json").unlink()
    (outer / "judgements.json").unlink()
    assert reason_in(inner).startswith(f"There are no recorded judgements at {inner / 'judgements.json'} or {outer}")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "strikt",
            r"There is no judge strikt\. Did you mean strict\? Available are strict, fallback, base, default, robot,",
        ),
        ("manuel", r"Did you mean manual\?"),
        ("zzz", r"There is no judge zzz\. Available are .*, manual, editor, replay:FILE and PROVIDER:MODEL\."),
    ],
)
def test_an_unknown_judge_is_reported_with_those_that_there_are(name: str, reason: str, tmp_path: Path) -> None:
    """Each once."""
    with pytest.raises(CannotGrade, match=reason):
        _targets(tmp_path, STRICT).judge_named(name)


# What judges are made of is closed with them, and no secret leaves a provider.


class _Counting:
    """A provider that counts how often it is closed."""

    kind, model, parameters = "counting", None, {"token": "x"}

    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1


@pytest.mark.asyncio
async def test_closing_closes_everything_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for afterwards is made anew."""
    made: list[_Counting] = []

    def make(*_: object, **__: object) -> _Counting:
        made.append(_Counting())
        return made[-1]

    monkeypatch.setattr("rubric_core.grading.targets.targets.make_provider", make)
    targets = _targets(tmp_path, f'judge = "replay:{_recording(tmp_path)}"')
    targets.judge_named("base")
    targets.provider_for("base")
    targets.judge_for(None, CASE.model_copy(update={"target": "base"}))
    await targets.close()
    await targets.close()
    assert [each.closed for each in made] == [1, 1]
    judge = targets.judge_named("base")
    assert len(made) == 3
    await judge.close()
    assert made[2].closed == 1


@pytest.mark.asyncio
async def test_a_command_of_a_target_runs_where_the_eval_file_is(tmp_path: Path) -> None:
    """Or in a folder that is named from there."""
    code = "import os; print(os.getcwd())"
    table = {"provider": "command", "command": [sys.executable, "-c", code]}
    config = Config(root=tmp_path, targets={"here": table, "there": {**table, "cwd": ".."}})
    (tmp_path / "evals").mkdir()
    targets = Targets(tmp_path / "evals" / "a.eval.yaml", config, {})
    assert (await targets.provider_for("here").complete(ASKED)).text == f"{tmp_path / 'evals'}\n"
    assert (await targets.provider_for("there").complete(ASKED)).text == f"{tmp_path}\n"


_TELLTALE = """
import os, sys
print("reply", sys.argv[1], os.environ["PLANTED"])
if sys.argv[2]:
    sys.exit(f"wrong key {sys.argv[1]}")
"""


@pytest.mark.asyncio
@pytest.mark.parametrize("variable", ["PLANTED", "PLANTED_TOKEN"])
async def test_a_key_in_a_dotenv_file_never_comes_out_of_a_command(variable: str, tmp_path: Path) -> None:
    """Neither in an error nor in the parameters; its name does not need to tell that it is a secret.

    A reply stays as it is, because it is judged; what is kept of it is cleaned by whoever keeps it.
    """
    (tmp_path / ".env").write_text(f"{variable}={KEY}\nPLANTED={KEY}", encoding="utf-8")
    command = [sys.executable, "-c", _TELLTALE, f"${{{{ {variable} }}}}"]
    config = Config(
        root=tmp_path,
        targets={
            "good": {"provider": "command", "command": [*command, ""]},
            "bad": {"provider": "command", "command": [*command, "x"]},
            "piped": {"provider": "cli", "command_template": f"${{{{ {variable} }}}} | cat"},
            "whole": {"provider": "command", "command": "${{ COMMAND }}"},
        },
    )
    environment = {"COMMAND": f"run --key '{KEY}"}
    targets = Targets(tmp_path / "a.eval.yaml", config, environment)
    reply = await targets.provider_for("good").complete(ASKED)
    assert reply.text == f"reply {KEY} {KEY}\n"
    assert KEY not in str(targets.provider_for("bad").parameters)
    with pytest.raises(ProviderFailed, match=rf"wrong key \[secret {variable}\]"):
        await targets.provider_for("bad").complete(ASKED)
    for name in ("piped", "whole"):
        with pytest.raises(CannotGrade) as refused:
            targets.provider_for(name)
        assert KEY not in str(refused.value)


def test_all_secrets_of_a_file_are_known(tmp_path: Path) -> None:
    """What variables give, what is written down, and what looks like one in the environment under a telling name."""
    toml = """
        [judges.strict]
        provider = "anthropic"
        api_key = "literal-secret"
        headers = { Authorization = "Bearer in-a-header" }
        [targets.other]
        provider = "command"
        command = ["run", "${{ ODD_NAME }}"]
    """
    environment = {
        **ENVIRONMENT,
        "ODD_NAME": "odd-secret",
        "GITHUB_TOKEN": "gh-secret-1",
        "HOME_TOWN": "Springfield",
        "DB_PASSWORD": "postgres",
    }
    shown = _targets(tmp_path, toml, environment=environment).redactor.redact(
        f"{KEY} literal-secret in-a-header odd-secret gh-secret-1 Springfield small large postgres"
    )
    assert shown == (
        "[secret BASE_KEY] [secret api_key] [secret Authorization] [secret ODD_NAME] [secret GITHUB_TOKEN] "
        "Springfield small large postgres"
    )


def test_secrets_are_known_by_their_looks_too(tmp_path: Path) -> None:
    """Joined names, passwords in addresses, any header, and values of `.env` that look like keys."""
    toml = """
        judge = "openai:gpt-4o-mini-2024-07-18"
        [judges.strict]
        provider = "openai"
        model = "${{ STRICT_KEY }}"
        base_url = "https://me:url-password@models-12345.example.com/v1"
        headers = { X-Tenant = "tenant-secret", Content-Type = "application/json" }
        [targets.other-target-12345678]
        provider = "command"
        command = ["run", "${{ SCRIPT }}"]
    """
    (tmp_path / ".env").write_text(
        "SESSION=xoxb17653285910384\nRESOURCE_ID=models-12345.example.com\nPINNED=gpt-4o-mini-2024-07-18\n"
        "DEPLOYMENT=my-deployment-2024-07-18\nUSED=other-target-12345678\n",
        encoding="utf-8",
    )
    environment = {
        "PGPASSWORD": "pg-password-1",
        "OPENAIKEY": "openai-key-1",
        "DB_PASS": "db-pass-1",
        "GITHUB_PAT": "github-pat-1",
        "DATABASE_URL": "postgres://me:db-url-password@db-host/x",
        "STRICT_KEY": "strict-model-2024-07-18",
        "SCRIPT": "scripts/judge-2.py",
        "GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / ".env"),
    }
    hidden = (
        "xoxb17653285910384 url-password tenant-secret pg-password-1 openai-key-1 db-pass-1 github-pat-1 "
        "db-url-password"
    )
    kept = (
        "strict-model-2024-07-18 gpt-4o-mini-2024-07-18 my-deployment-2024-07-18 other-target-12345678 "
        f"models-12345.example.com db-host scripts/judge-2.py application/json {tmp_path / '.env'}"
    )
    redactor = _targets(tmp_path, toml, environment=environment).redactor
    assert redactor.redact(kept) == kept
    assert redactor.redact(hidden) == (
        "[secret SESSION] [secret base_url] [secret X-Tenant] [secret PGPASSWORD] [secret OPENAIKEY] [secret DB_PASS] "
        "[secret GITHUB_PAT] [secret DATABASE_URL]"
    )


def test_files_of_one_folder_share_their_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders have their own, but one person judges for all."""
    monkeypatch.setattr(terminal, "terminal_person", object)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".env").write_text("PLACE=a", encoding="utf-8")
    config = parse_config("", tmp_path / "rubric.toml").config
    files = [str(tmp_path / name) for name in ("a/1.yaml", "a/2.yaml", "3.yaml")]
    one, two, other = targets_by_file(dict.fromkeys(files, config), {"HOME": "/"}, None).values()
    assert one is two
    assert one is not other
    assert (one.environment, other.environment) == ({"HOME": "/", "PLACE": "a"}, {"HOME": "/"})
    assert one.judge_named("manual") is other.judge_named("manual")


@pytest.mark.asyncio
async def test_folders_share_the_providers_that_would_be_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another variable may mean another key, so it makes another provider."""
    made: list[_Counting] = []

    def make(*_: object, **__: object) -> _Counting:
        made.append(_Counting())
        return made[-1]

    monkeypatch.setattr("rubric_core.grading.targets.targets.make_provider", make)
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    (tmp_path / "c" / ".env").write_text("OPENAI_API_KEY=another", encoding="utf-8")
    config = Config(root=tmp_path, targets={"x": {"provider": "openai", "model": "m"}})
    files = [str(tmp_path / name) for name in ("a/1.yaml", "a/2.yaml", "b/1.yaml", "c/1.yaml")]
    shared = targets_by_file(dict.fromkeys(files, config), {}, None).values()
    for targets in shared:
        targets.provider_for("x")
    assert len(made) == 2
    for targets in shared:
        await targets.close()
    assert [each.closed for each in made] == [1, 1]


def test_a_case_that_was_made_in_python_has_the_targets_of_the_configuration() -> None:
    """There is no folder to look for a targets file in."""
    config = Config(targets={"x": {"provider": "command", "command": "run"}})
    assert Targets("", config, {}).names == ("x",)
