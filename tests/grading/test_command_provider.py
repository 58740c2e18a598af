"""A command answers: the prompt on its standard input, the reply on its standard output."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.json_text import NotJson, find_object
from rubric_core.grading.providers.cli import read_reply
from rubric_core.grading.providers.command import prompt_text
from rubric_core.grading.providers.provider import Call, Completion, Turn
from rubric_core.grading.providers.registry import make_provider
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.providers.provider import Provider

ASKED = Call((Turn("user", "What is 2 + 2?"),))
KEY = "sk-planted-0123456789"


def _python(code: str, folder: Path, environment: dict[str, str] | None = None, **settings: Any) -> Provider:
    written = {"command": [sys.executable, "-c", code], "cwd": str(folder), **settings}
    return make_provider("calculator", "command", written, environment or {})


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (ASKED, "What is 2 + 2?"),
        (
            Call((Turn("system", "Be short."), Turn("user", "Hi"), Turn("assistant", "Ho"), Turn("user", "Why?"))),
            "# Instructions\nBe short.\n\n# User\nHi\n\n# Assistant\nHo\n\n# User\nWhy?\n",
        ),
        (
            Call((Turn("user", "Judge."),), {"type": "object"}),
            (
                "# User\nJudge.\n\n"
                "# Reply\nReply with one JSON object that follows this JSON Schema, and nothing else:\n"
                '{\n  "type": "object"\n}\n'
            ),
        ),
    ],
)
def test_a_call_is_one_readable_text(call: Call, text: str) -> None:
    """A lone question is given as it is; whoever speaks otherwise is in a heading, and the schema at the end."""
    assert prompt_text(call) == text


@pytest.mark.asyncio
async def test_a_command_reads_the_prompt_and_prints_the_reply(tmp_path: Path) -> None:
    """One run is one call; its model is the one that the settings name."""
    provider = _python("import sys; print(sys.stdin.read().upper(), end='')", tmp_path, model="shouter")
    assert await provider.complete(ASKED) == Completion("WHAT IS 2 + 2?", "shouter", Usage(calls=1))
    assert (provider.kind, provider.model) == ("command", "shouter")
    await provider.close()


@pytest.mark.asyncio
async def test_a_command_has_its_folder_and_its_environment(tmp_path: Path) -> None:
    """The settings add to the environment that targets have."""
    code = "import os; print(os.getcwd(), os.environ['FROM_DOTENV'], os.environ['MODE'])"
    provider = _python(code, tmp_path, {"FROM_DOTENV": "a"}, env={"MODE": 3})
    assert (await provider.complete(ASKED)).text == f"{tmp_path} a 3\n"


@pytest.mark.asyncio
async def test_a_command_as_a_text_is_split_without_a_shell(tmp_path: Path) -> None:
    """Quotes group words."""
    provider = make_provider(
        "echo", "command", {"command": "echo 'a  b' c", "cwd": str(tmp_path)}, {"PATH": "/usr/bin:/bin"}
    )
    assert (await provider.complete(ASKED)).text == "a  b c\n"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "import sys; sys.exit('first line\\nno such model')",
            r"The command of calculator ended with status 1: no such model\Z",
        ),
        ("raise SystemExit(3)", r"ended with status 3 without an error message\."),
        ("print('  ')", r"The command of calculator printed no reply\."),
        ("import sys; sys.exit('word ' * 5000)", r"ended with status 1: (word ){59}…\Z"),
        ("import sys; sys.exit('x' * 5000)", r"ended with status 1: …\Z"),
        (
            "import time; time.sleep(600)",
            r"calculator gave no reply\. \S+ was ended because it took longer than 0\.5 s",
        ),
    ],
)
async def test_a_failure_is_reported_with_the_last_words(code: str, reason: str, tmp_path: Path) -> None:
    """It has cost a call."""
    provider = _python(code, tmp_path, timeout_seconds=0.5 if "sleep" in code else 30)
    with pytest.raises(ProviderFailed, match=reason) as failure:
        await provider.complete(ASKED)
    assert failure.value.usage == Usage(calls=1)


@pytest.mark.asyncio
async def test_a_program_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """When it is asked for, not before."""
    provider = make_provider("agent", "command", {"command": "no-such-agent -p", "cwd": str(tmp_path)}, {})
    with pytest.raises(ProviderFailed, match=r"The command of agent gave no reply\. There is no program no-such-agent"):
        await provider.complete(ASKED)


@pytest.mark.asyncio
async def test_a_failing_command_shows_no_secret(tmp_path: Path) -> None:
    """Neither in its last words nor in its own arguments; the name of the variable is there instead."""
    code = "import os, sys; sys.exit('wrong key ' + os.environ['API_KEY'])"
    provider = _python(code, tmp_path, {"API_KEY": KEY})
    with pytest.raises(ProviderFailed, match=r"wrong key \[secret API_KEY\]"):
        await provider.complete(ASKED)
    told = make_provider("x", "command", {"command": ["run", f"--key={KEY}"], "env": {"MY_TOKEN": KEY}}, {})
    assert KEY not in str(told.parameters)
    assert told.parameters["command"] == ["run", "--key=[secret MY_TOKEN]"]
    with pytest.raises(CannotGrade) as refused:
        make_provider("x", "command", {"command": f"run --key={KEY} | cat"}, {"API_KEY": KEY})
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(("kind", "setting"), [("command", "command"), ("cli", "command_template")])
def test_variables_of_its_own_decide_the_reply_of_a_command(kind: str, setting: str) -> None:
    """So they are part of what a reply is remembered by, as a hash: they may be secrets."""

    def parameters(**settings: Any) -> Any:
        return dict(make_provider("x", kind, {setting: "judge", **settings}, {"HOME": "/"}).parameters)

    assert parameters() == {"command": ["judge"], "cwd": "."}
    strict, mild = parameters(env={"MODE": "strict", "A": "1"}), parameters(env={"MODE": "mild", "A": "1"})
    assert strict["env_hash"] != mild["env_hash"]
    assert strict == parameters(env={"A": 1, "MODE": "strict"})
    assert "strict" not in str(strict)


@pytest.mark.asyncio
async def test_a_command_that_a_signal_ended_is_reported_as_such(tmp_path: Path) -> None:
    """By the name that people know the signal by."""
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    with pytest.raises(ProviderFailed, match=r"calculator was ended by signal 9 \(SIGKILL\) without an error message"):
        await _python(code, tmp_path).complete(ASKED)


@pytest.mark.asyncio
async def test_cancelling_ends_the_command(tmp_path: Path) -> None:
    """The call does not come back with a reply."""
    asking = asyncio.ensure_future(_python("import time; time.sleep(600)", tmp_path).complete(ASKED))
    await asyncio.sleep(0.05)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "x has no command; give the setting command"),
        ({"command": []}, "x has a value for command that cannot be used; it must be a text, or a list of texts"),
        ({"command": [1]}, "it must be a text, or a list of texts"),
        ({"command": {"a": 1}}, "it must be a text, or a list of texts"),
        ({"command": "a | b"}, r"x cannot be used\. The command `a \| b` uses \|, which needs a shell"),
        ({"command": "a", "env": ["A=1"]}, "a value for env that cannot be used; it must be a mapping"),
        ({"command": "a", "env": {"A": [1]}}, "a value for env that cannot be used; it must be a mapping"),
        ({"command": "a", "timeout": 0}, "a value for timeout that cannot be used"),
        ({"command": "a", "shell": True}, "x has the unknown setting shell; the provider command knows command, cwd"),
    ],
)
def test_settings_that_cannot_be_used_are_named(settings: dict[str, Any], reason: str) -> None:
    """Before anything is run."""
    with pytest.raises(CannotGrade, match=reason):
        make_provider("x", "command", settings, {})


# What AgentV calls `cli`: the prompt and the file for the reply are among the arguments.

_TELL = (
    "import sys, json; arguments = sys.argv[1:]; output = arguments.pop();"
    "open(output, 'w', encoding='utf-8').write(json.dumps({'text': json.dumps([arguments, sys.stdin.read()])}))"
)


def _cli(arguments: list[str], folder: Path, code: str = _TELL, **settings: Any) -> Provider:
    template = [sys.executable, "-c", code, *arguments]
    return make_provider("agent", "cli", {"command_template": template, "cwd": str(folder), **settings}, {})


@pytest.mark.asyncio
async def test_the_places_of_a_template_are_filled(tmp_path: Path) -> None:
    """Each value stays one argument, whatever it holds; places that nobody knows stay as they are."""
    call = Call((Turn("user", "Say 'hi' && $HOME; {OUTPUT_FILE}"),), case_id="case 1", files=("/a b/x.py", "/y.py"))
    arguments = ["--prompt", "{PROMPT}", "{EVAL_ID}/{ATTEMPT}{GUIDELINES}", "{FILES}", "--all={FILES}", "{OTHER}"]
    reply = await _cli([*arguments, "{OUTPUT_FILE}"], tmp_path, files_format="--file {path}={basename}").complete(call)
    listed = ["--file", "/a b/x.py=x.py", "--file", "/y.py=y.py"]
    said, stdin = json.loads(reply.text)
    assert said == ["--prompt", call.turns[0].text, "case 1/0", *listed, f"--all={' '.join(listed)}", "{OTHER}"]
    assert stdin == ""


@pytest.mark.asyncio
async def test_a_template_without_a_place_for_the_prompt_reads_it(tmp_path: Path) -> None:
    """And without one for the reply, what is printed is the reply."""
    reply = await _cli([], tmp_path, "import sys; print(sys.stdin.read(), end='')").complete(ASKED)
    assert reply.text == "What is 2 + 2?"


@pytest.mark.asyncio
async def test_a_prompt_may_be_a_file(tmp_path: Path) -> None:
    """It is gone afterwards."""
    reply = await _cli(
        ["{PROMPT_FILE}"], tmp_path, "import sys; print(sys.argv[1], open(sys.argv[1]).read())"
    ).complete(ASKED)
    path, _, prompt = reply.text.partition(" ")
    assert prompt == "What is 2 + 2?\n"
    assert not tmp_path.joinpath(path).exists()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("written", "reply", "tokens"),
    [
        ("plain text\n", "plain text\n", (0, 0)),
        ('{"checks": []}', '{"checks": []}', (0, 0)),
        ("[1]", "[1]", (0, 0)),
        ('{"text": "hi", "token_usage": {"input": 3, "output": 4}}', "hi", (3, 4)),
        ('{"text": {"a": "ä"}, "token_usage": {"input": -3, "output": "x"}}', '{"a": "ä"}', (0, 0)),
        (
            '{"text": "no", "output_messages": [{"role": "assistant", "content": "yes"}, {"role": "tool"}]}',
            "yes",
            (0, 0),
        ),
        ('{"output_messages": [{"role": "assistant", "content": [1]}, {"role": "assistant"}]}', "[1]", (0, 0)),
        ('{"output_messages": [3], "text": "hi"}', "hi", (0, 0)),
        ('{"output_messages": 3, "text": null}', '{"output_messages": 3, "text": null}', (0, 0)),
        (
            '{"text": {"score": 2, "score":9.0000000000000000000001}}',
            '{"score": 2, "score":9.0000000000000000000001}',
            (0, 0),
        ),
        ('{"text": "one", "text": {"score": 2}}', 'one\n{"score": 2}', (0, 0)),
        ('{"output_messages": [{"role": "assistant", "content": "a", "content": "b"}]}', "a\nb", (0, 0)),
        ('{"checks": [], "text": "of the answer"}', "of the answer", (0, 0)),
    ],
)
async def test_the_forms_of_a_reply(written: str, reply: str, tokens: tuple[int, int], tmp_path: Path) -> None:
    """AgentV's object gives its text or its last message and what it has cost; anything else is the reply itself."""
    code = f"import sys; open(sys.argv[1], 'w', encoding='utf-8').write({written!r})"
    completion = await _cli(["{OUTPUT_FILE}"], tmp_path, code).complete(ASKED)
    assert completion.text == reply
    assert completion.usage == Usage(1, 0, *tokens)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("beside", "told"),
    [('"error": "Out of tokens."', "Out of tokens"), ('"errors": ["x"]', r"\["), ('"status": "failed"', "failed")],
)
async def test_an_error_beside_a_reply_is_an_error(tmp_path: Path, beside: str, told: str) -> None:
    """The reply does not count."""
    reply = f'{{"text": "yes", {beside}}}'
    code = f"print({reply!r})"
    template = {"command_template": [sys.executable, "-c", code], "cwd": str(tmp_path)}
    provider = make_provider("agent", "cli", template, {})
    with pytest.raises(ProviderFailed, match=f"wrote a reply and an error: {told}"):
        await provider.complete(ASKED)
    assert read_reply('{"text": "yes", "error": null}').text == "yes"
    assert read_reply('{"score": 1, "error": "in a judgement"}').text == '{"score": 1, "error": "in a judgement"}'


@pytest.mark.parametrize(
    "beside", ['"text": {"checks": [2]}', '"output_messages": [{"role": "assistant", "content": {"checks": [2]}}]']
)
def test_a_judgement_beside_the_text_of_a_reply_is_kept(beside: str) -> None:
    """Nobody can tell which of the two counts, so both are handed over and refused as two."""
    written = f'{{"checks": [1], {beside}}}'
    assert read_reply(written, {"checks"}).text == f'{written}\n{{"checks": [2]}}'
    with pytest.raises(NotJson, match="more than one JSON object"):
        find_object(read_reply(written, {"checks"}).text)


@pytest.mark.asyncio
async def test_of_the_lines_for_all_cases_that_of_the_case_is_taken(tmp_path: Path) -> None:
    """A command that answers all cases at once never has the first answer taken for every case."""
    lines = '{"id": "one", "text": "first"}\nnoise\n{"id": "two", "text": "second"}\n{"id": "one"}\n'
    provider = _cli(
        ["{OUTPUT_FILE}"], tmp_path, f"import sys; open(sys.argv[1], 'w').write({lines!r})", provider_batching=True
    )
    assert (await provider.complete(Call(ASKED.turns, case_id="two"))).text == "second"
    with pytest.raises(ProviderFailed, match=r"The command of agent wrote 2 lines for the case one\."):
        await provider.complete(Call(ASKED.turns, case_id="one"))
    with pytest.raises(ProviderFailed, match=r"The command of agent wrote no line for the case three\."):
        await provider.complete(Call(ASKED.turns, case_id="three"))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("pass", r"The command of agent wrote no reply to its output file\. The file does not exist\."),
        ("import sys; open(sys.argv[1], 'w').write(' ')", r"The command of agent gave no reply\."),
        ("import sys; sys.exit('broken')", "ended with status 1: broken"),
    ],
)
async def test_a_reply_that_is_missing_is_a_failure(code: str, reason: str, tmp_path: Path) -> None:
    """It is not an empty answer."""
    with pytest.raises(ProviderFailed, match=reason):
        await _cli(["{OUTPUT_FILE}"], tmp_path, code).complete(ASKED)


def test_a_template_from_agentv_is_read_as_it_is() -> None:
    """What AgentV says about health, temporary files and its own log changes nothing here."""
    settings = {
        "command_template": "uv run ./mock_cli.py --prompt {PROMPT} {FILES} --output {OUTPUT_FILE}",
        "filesFormat": "--file {path}",
        "timeoutSeconds": 120,
        "healthcheck": {"type": "command", "command_template": "uv run ./mock_cli.py --healthcheck"},
        "verbose": True,
        "keep_temp_files": False,
        "workers": 3,
        "judge_target": "base",
        "provider_batching": False,
    }
    provider = make_provider("agent", "cli", settings, {})
    assert provider.kind == "cli"
    assert provider.parameters["command"][:4] == ["uv", "run", "./mock_cli.py", "--prompt"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({}, "x has no command_template; give the setting command_template"),
        ({"command_template": "a {PROMPT} > {OUTPUT_FILE}"}, "uses >, which needs a shell"),
        ({"command_template": "a", "workspace_template": "./w"}, "must be left out, because no folder is copied here"),
        ({"command_template": "a", "provider_batching": "yes"}, "it must be true or false"),
    ],
)
def test_a_template_that_cannot_be_run_is_refused(settings: dict[str, Any], reason: str) -> None:
    """The sentence says what to do instead."""
    with pytest.raises(CannotGrade, match=reason):
        make_provider("x", "cli", settings, {})
