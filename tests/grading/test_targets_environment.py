"""Where the variables of targets come from, and how settings name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.config.config import Config
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.targets.definitions import interpolate, secrets_in
from rubric_core.grading.targets.targets import Targets
from rubric_core.grading.workspace import environment_for, parse_dotenv

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("KEY=value", "value"),
        ("  export  KEY = value  ", "value"),
        ("\ufeffKEY=value\r\n", "value"),
        ("KEY=", ""),
        ("KEY= # nothing", ""),
        ("KEY=two words # a comment", "two words"),
        ("KEY=pass#word", "pass#word"),
        ("KEY=#start", "#start"),
        ("KEY=$HOME ${OTHER}", "$HOME ${OTHER}"),
        ("KEY=a=b", "a=b"),
        ("KEY='single # quoted $x \\n'  # a comment", "single # quoted $x \\n"),
        ('KEY="double # quoted"', "double # quoted"),
        ('KEY="a\\nb\\t\\"c\\" \\\\ \\$d \\x"', 'a\nb\t"c" \\ $d \\x'),
        ('KEY="first\nsecond"', "first\nsecond"),
        ("KEY='first\nsecond'\nNEXT=1", "first\nsecond"),
        ('KEY="never closed', '"never closed'),
        ("KEY=it's", "it's"),
        ("# KEY=comment\nKEY=value", "value"),
        ("KEY=first\nKEY=last", "last"),
        ("KEY=\nNEXT=1", ""),
    ],
)
def test_an_entry_of_a_dotenv_file(text: str, value: str) -> None:
    """What is written is the value; nothing is expanded."""
    assert parse_dotenv(text)["KEY"] == value


@given(st.text())
def test_any_text_is_a_dotenv_file(text: str) -> None:
    """Lines that are no entries are passed over."""
    assert all(name.isidentifier() or set(name) & set(".-") for name in parse_dotenv(text))


@given(st.dictionaries(st.from_regex(r"[A-Z_]{1,5}", fullmatch=True), st.text(st.characters(exclude_characters="'\r"))))
def test_values_in_single_quotes_come_back_as_they_are(variables: dict[str, str]) -> None:
    """Whatever else they hold."""
    text = "\n".join(f"{name}='{value}'" for name, value in variables.items())
    assert parse_dotenv(text) == variables


def test_the_environment_wins_over_dotenv_files_and_the_nearest_of_these_over_the_others(tmp_path: Path) -> None:
    """A `.env` above the workspace is never read."""
    workspace = tmp_path / "workspace"
    evals = workspace / "evals"
    evals.mkdir(parents=True)
    (tmp_path / ".env").write_text("OUTSIDE=1", encoding="utf-8")
    (workspace / ".env").write_text("A=root\nB=root\nC=root", encoding="utf-8")
    (evals / ".env").write_text("A=near\nB=near", encoding="utf-8")
    found = environment_for(str(evals / "a.eval.yaml"), Config(root=workspace), {"A": "real"})
    assert found == {"A": "real", "B": "near", "C": "root"}


def test_a_dotenv_that_cannot_be_read_defines_nothing(tmp_path: Path) -> None:
    """Virtual environments are folders that may have this name."""
    (tmp_path / ".env").mkdir()
    assert environment_for(str(tmp_path / "a.eval.yaml"), Config(root=tmp_path), {"A": "1"}) == {"A": "1"}


def test_variables_are_in_texts_at_any_depth() -> None:
    """Other values stay what they are."""
    settings = {"url": "http://${{ HOST }}:${{PORT}}/", "args": ["${{ HOST }}", 1], "env": {"H": "${{ HOST }}"}, "n": 2}
    filled = interpolate(settings, {"HOST": "local", "PORT": "80"}, "the target x")
    assert filled == {"url": "http://local:80/", "args": ["local", 1], "env": {"H": "local"}, "n": 2}


def test_the_value_of_a_variable_is_not_looked_into_again() -> None:
    """A value that looks like a reference is a value."""
    assert interpolate({"a": "${{ X }}"}, {"X": "${{ Y }}", "Y": "no"}, "the target x") == {"a": "${{ Y }}"}


@pytest.mark.parametrize(("environment", "state"), [({}, "is not set"), ({"KEY": "  "}, "is empty")])
def test_a_missing_variable_is_named_with_its_target(environment: dict[str, str], state: str) -> None:
    """The sentence says where to set it."""
    with pytest.raises(CannotGrade, match=f"The variable KEY that the target x needs {state}; set it"):
        interpolate({"api_key": "${{ KEY }}"}, environment, "the target x")


@pytest.mark.parametrize("setting", ["version", "api_version", "cwd"])
def test_some_settings_may_be_missing(setting: str) -> None:
    """AgentV takes these as not given where their variable is not set."""
    assert interpolate({setting: "${{ KEY }}", "model": "m"}, {}, "the target x") == {"model": "m"}


@pytest.mark.parametrize(
    ("command", "filled"),
    [
        ("run --key ${{ KEY }} -v", ["run", "--key", "a b; $c", "-v"]),
        ("run '--key=${{KEY}}'", ["run", "--key=a b; $c"]),
        ("${{ WHOLE }}", "run --fast"),
        (["run", "${{ KEY }}"], ["run", "a b; $c"]),
        ("run {PROMPT}", ["run", "{PROMPT}"]),
    ],
)
@pytest.mark.parametrize("setting", ["command", "command_template"])
def test_a_variable_stays_one_argument_of_a_command(setting: str, command: object, filled: object) -> None:
    """Its value may hold what splits words or means something to a shell; only a whole command is split afterwards."""
    environment = {"KEY": "a b; $c", "WHOLE": "run --fast"}
    assert interpolate({setting: command}, environment, "the target x") == {setting: filled}


def test_a_command_that_needs_a_shell_is_refused_with_its_owner() -> None:
    """The values of variables are not in it yet."""
    with pytest.raises(
        CannotGrade, match=r"The command of the target x cannot be used\. .*`run {{KEY}} \| cat` uses \|"
    ):
        interpolate({"command": "run ${{ KEY }} | cat"}, {"KEY": "hidden"}, "the target x")


@pytest.mark.parametrize(
    ("setting", "variable", "value", "secrets"),
    [
        ("api_key", "A", "abc", ["abc"]),
        ("headers", "A", "abc", ["abc"]),
        ("command", "A", "abc", ["abc"]),
        ("command", "SCRIPT", "scripts/judge-2.py", []),
        ("model", "M", "gpt", []),
        ("model", "API_KEY", "gpt", []),
        ("base_url", "U", "http://localhost:11434/v1", []),
        ("base_url", "U", "https://user:password@host", ["password"]),
        ("endpoint", "U", "https://host/?key=abc&api-version=2", ["abc"]),
    ],
)
def test_what_variables_give_is_secret_unless_it_names_a_model_or_an_address(
    setting: str, variable: str, value: str, secrets: list[str]
) -> None:
    """These are printed in results and errors; a password in an address is a secret all the same."""
    found = secrets_in({setting: {"x": [f"${{{{ {variable} }}}}"]}}, {variable: value, "UNUSED": "5"})
    assert list(found) == [(variable, secret) for secret in secrets]


def test_a_variable_that_is_not_set_is_no_secret() -> None:
    """Whoever needs it will say so."""
    assert not list(secrets_in({"api_key": "${{ KEY }}"}, {}))


def test_secrets_of_a_dotenv_file_are_recognised_by_what_they_are(tmp_path: Path) -> None:
    """A webhook, the password of a connection string, and a private key, under whatever name."""
    (tmp_path / ".env").write_text(
        "WEBHOOK_URL=https://hooks.example.com/services/T00000001/B0000001/Qwert1yuiop\n"
        "DSN=Server=db;User Id=sa;Password=dsnPass123;\n"
        'CERT="-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----"\n'
        "MODEL_URL=https://host.example.com/models/Llama31Instruct70B\n",
        encoding="utf-8",
    )
    settings = {"provider": "openai", "model": "Llama31Instruct70B"}
    config = Config(root=tmp_path, targets={"local": settings})
    redactor = Targets(tmp_path / "a.eval.yaml", config, {}).redactor
    said = "Qwert1yuiop dsnPass123 MIIEvQIBADANBgkqhkiG9w0B hooks.example.com Llama31Instruct70B"
    assert redactor.redact(said) == (
        "[secret WEBHOOK_URL] [secret DSN] [secret CERT] hooks.example.com Llama31Instruct70B"
    )
