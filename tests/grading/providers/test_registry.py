"""A provider is made from its settings, or a sentence says what is wrong with them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from aiohttp import ClientTimeout
from model_calls import KEY, QUESTION, chat_reply
from scripted_server import ScriptedServer, answer

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers.http import HttpProvider
from rubric_core.grading.providers.registry import KINDS, kind_named, make_provider
from rubric_core.grading.providers.replies import RETRIED_STATUSES, RetryPolicy

OPENAI = {"model": "gpt-1", "api_key": KEY}
AZURE = {"endpoint": "https://mine.openai.azure.com", "model": "gpt-1", "api_key": KEY}


def made(kind: str, settings: dict[str, Any], environment: dict[str, str] | None = None, **more: Any) -> HttpProvider:
    """Make a provider that is spoken to over HTTP."""
    provider = make_provider("judge", kind, settings, environment or {}, **more)
    assert isinstance(provider, HttpProvider)
    return provider


def settings_of(provider: HttpProvider) -> Any:
    """Return what a provider puts into its requests."""
    return provider._settings  # noqa: SLF001 - what is sent is the point, and nothing is sent here.


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("openai", "openai"),
        ("OpenAI ", "openai"),
        ("azure", "azure"),
        ("azure-openai", "azure"),
        ("anthropic", "anthropic"),
        ("gemini", "gemini"),
        ("google", "gemini"),
        ("google-gemini", "gemini"),
    ],
)
def test_kinds_have_the_names_that_agentv_gives_them(written: str, kind: str) -> None:
    """With its aliases."""
    assert kind_named("judge", written).name == kind


@pytest.mark.parametrize("kind", ["vscode", "codex", "claude-code", "copilot-cli", "mock", "pi", "vertex"])
def test_a_kind_that_cannot_be_run_is_reported(kind: str) -> None:
    """The sentence says what can be done in place of it."""
    with pytest.raises(CannotGrade) as caught:
        make_provider("editor-agent", kind, {}, {})
    assert str(caught.value).startswith(
        f"editor-agent has the provider {kind}, which cannot be run here; record its answers, or use one of openai, "
    )


def test_an_unknown_kind_is_reported() -> None:
    """A slip of the pen, for example."""
    with pytest.raises(CannotGrade, match="judge has the unknown provider opnai; supported are openai, azure, "):
        make_provider("judge", "opnai", {}, {})


@pytest.mark.parametrize(
    ("kind", "settings", "sentence"),
    [
        ("openai", {"api_key": KEY}, "judge has no model; give the setting model."),
        (
            "openai",
            {"model": "gpt-1"},
            "judge has no key; give the setting api_key or the variable OPENAI_API_KEY.",
        ),
        (
            "azure",
            {"model": "gpt-1", "api_key": KEY},
            "judge has no endpoint; give the setting endpoint or the variable AZURE_OPENAI_ENDPOINT.",
        ),
        (
            "azure",
            {**AZURE, "model": ""},
            "judge has no model; give the setting model or the variable AZURE_DEPLOYMENT_NAME.",
        ),
        (
            "anthropic",
            {"model": "claude-1"},
            "judge has no key; give the setting api_key or the variable ANTHROPIC_API_KEY.",
        ),
        (
            "gemini",
            {},
            (
                "judge has no key; give the setting api_key or the variable GOOGLE_API_KEY or GEMINI_API_KEY or "
                "GOOGLE_GENERATIVE_AI_API_KEY."
            ),
        ),
        (
            "openai",
            {**OPENAI, "modle": "gpt-2"},
            (
                "judge has the unknown setting modle; the provider openai knows api_key, base_url, connect_timeout, "
                "headers, max_retries, max_tokens, model, retry_backoff_factor, retry_initial_delay_ms, "
                "retry_max_delay_ms, retry_status_codes, seed, temperature, timeout."
            ),
        ),
    ],
)
def test_settings_that_are_missing_or_unknown_are_reported(kind: str, settings: dict[str, Any], sentence: str) -> None:
    """Before anything is sent."""
    with pytest.raises(CannotGrade) as caught:
        make_provider("judge", kind, settings, {})
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("setting", "value", "must_be"),
    [
        ("temperature", "warm", "a number from 0 to 2"),
        ("temperature", -0.1, "a number from 0 to 2"),
        ("temperature", float("nan"), "a number from 0 to 2"),
        ("temperature", True, "a number from 0 to 2"),
        ("max_tokens", 0, "a whole number of 1 or more"),
        ("max_tokens", 1.5, "a whole number of 1 or more"),
        ("timeout_seconds", 0, "a number of 0.001 or more"),
        ("timeout", float("inf"), "a number of 0.001 or more"),
        ("max_retries", "many", "a whole number of 0 or more"),
        ("retry_status_codes", "soon", "a list of HTTP statuses"),
        ("retry_status_codes", 7, "a list of HTTP statuses"),
        ("retry_status_codes", [99], "a list of HTTP statuses"),
        ("model", 4, "a text"),
        ("api_key", "two\nlines-of-secret", "printable ASCII characters in one line"),
        ("api_key", "schlüssel-of-secret", "printable ASCII characters in one line"),
        ("headers", "x: y", "a mapping from names of headers to their values"),
        ("headers", {"bad name": "y"}, "a mapping from names of headers to values, both of printable"),
        ("headers", {"x": "of-secret\r\nhost: z"}, "a mapping from names of headers to values, both of printable"),
    ],
)
def test_a_value_that_cannot_be_used_is_reported(setting: str, value: Any, must_be: str) -> None:
    """With what it must be, and without the value, which may be a secret."""
    with pytest.raises(CannotGrade) as caught:
        make_provider("judge", "openai", {**OPENAI, setting: value}, {})
    assert str(caught.value).startswith(f"judge has a value for {setting} that cannot be used; it must be {must_be}")
    assert "of-secret" not in str(caught.value)


def test_every_setting_has_an_effect() -> None:
    """Also where a variable gave it as a text."""
    provider = made(
        "openai",
        {
            **OPENAI,
            "base_url": "http://localhost:8000/v1",
            "temperature": "0.5",
            "max_tokens": "100",
            "seed": 7.0,
            "timeout": "30",
            "connect_timeout": 2,
            "max_retries": "1",
            "retry_initial_delay_ms": 100,
            "retry_max_delay_ms": "5000",
            "retry_backoff_factor": 3,
            "retry_status_codes": "429, 503",
            "headers": {"X-Team": "evals"},
        },
    )
    settings = settings_of(provider)
    assert (settings.temperature, settings.max_tokens, settings.seed) == (0.5, 100, 7)
    assert settings.headers == {"x-team": "evals"}
    assert provider._connections.timeout == ClientTimeout(connect=2, total=30)  # noqa: SLF001 - the same.
    assert provider._retries == RetryPolicy(1, 0.1, 5.0, 3.0, frozenset({429, 503}))  # noqa: SLF001 - the same.
    assert (provider.kind, provider.model) == ("openai", "gpt-1")
    assert {**provider.parameters, "headers_hash": "..."} == {
        "headers_hash": "...",
        "address": "http://localhost:8000/v1/chat/completions",
        "temperature": 0.5,
        "max_tokens": 100,
        "seed": 7,
    }


def test_a_provider_is_patient_unless_told_otherwise() -> None:
    """Two minutes for a reply, four retries."""
    provider = made("openai", OPENAI)
    assert provider._connections.timeout == ClientTimeout(connect=10, total=120)  # noqa: SLF001 - the same.
    assert provider._retries == RetryPolicy(4, 0.5, 60.0, 2.0, RETRIED_STATUSES)  # noqa: SLF001 - the same.


@pytest.mark.parametrize(
    ("purpose", "settings", "expected"),
    [
        ("judge", {}, (0.0, True)),
        ("target", {}, (None, True)),
        ("judge", {"temperature": 1}, (1.0, False)),
        ("target", {"temperature": 0}, (0.0, False)),
    ],
)
def test_a_judge_is_asked_coolly_and_a_target_as_its_users_would(
    purpose: Any, settings: dict[str, Any], expected: tuple[float | None, bool]
) -> None:
    """Unless the settings say something else, which is then not given up either."""
    found = settings_of(made("openai", {**OPENAI, **settings}, purpose=purpose))
    assert (found.temperature, found.may_drop_temperature) == expected


class TestAgentV:
    """Targets of AgentV 2.6.1 work as they are."""

    def test_azure_as_its_template_writes_it(self) -> None:
        """With what the target says about itself."""
        provider = made(
            "azure",
            {
                "name": "azure_base",
                "provider": "azure",
                "judge_target": "azure_base",
                "workers": 3,
                "provider_batching": False,
                "endpoint": "https://mine.openai.azure.com/",
                "api_key": KEY,
                "model": "gpt-5-chat",
                "version": "",
            },
        )
        assert provider.model == "gpt-5-chat"
        assert provider.parameters["version"] == "2024-12-01-preview"
        assert provider.parameters["address"] == (
            "https://mine.openai.azure.com/openai/deployments/gpt-5-chat/chat/completions"
        )

    @pytest.mark.parametrize(
        ("settings", "model"),
        [
            ({"resource": "mine", "apiKey": KEY, "deploymentName": "a", "model": "b"}, "a"),
            ({"resourceName": "mine", "api_key": KEY, "deployment": "c", "deploymentName": "a"}, "c"),
            ({"endpoint": "mine", "apiKey": KEY, "model": "b", "api_version": "2024-10-21"}, "b"),
        ],
    )
    def test_azure_in_its_other_spellings(self, settings: dict[str, Any], model: str) -> None:
        """In the order in which AgentV looks at them."""
        provider = made("azure", settings)
        assert provider.model == model
        assert provider.parameters["address"].startswith("https://mine.openai.azure.com/")

    def test_anthropic(self) -> None:
        """With thinking, in either style of names."""
        provider = made("anthropic", {"apiKey": KEY, "variant": "claude-1", "thinkingBudget": 2048, "maxTokens": 900})
        assert provider.parameters == {
            "address": "https://api.anthropic.com/v1/messages",
            "temperature": 0.0,
            "max_tokens": 900,
            "version": "2023-06-01",
            "thinking_budget": 2048,
        }

    def test_gemini_has_a_model_of_its_own(self) -> None:
        """As in AgentV."""
        assert made("gemini", {"api_key": KEY}).model == "gemini-2.5-flash"
        assert made("gemini", {"api_key": KEY, "model": "gemini-3"}).model == "gemini-3"

    def test_retries_are_those_of_the_target(self) -> None:
        """All five settings, in the style of JavaScript."""
        settings = {
            "maxRetries": 2,
            "retryInitialDelayMs": 10,
            "retryMaxDelayMs": 100,
            "retryBackoffFactor": 1.5,
            "retryStatusCodes": [429],
        }
        policy = made("azure", {**AZURE, **settings})._retries  # noqa: SLF001 - the same.
        assert policy == RetryPolicy(2, 0.01, 0.1, 1.5, frozenset({429}))


class TestEnvironment:
    """The usual variables count where the settings say nothing."""

    @pytest.mark.parametrize(
        ("kind", "settings", "environment", "address"),
        [
            (
                "openai",
                {"model": "gpt-1"},
                {"OPENAI_API_KEY": KEY},
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                "openai",
                {"model": "gpt-1"},
                {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://gateway.example/v1"},
                "http://gateway.example/v1/chat/completions",
            ),
            (
                "azure",
                {},
                {
                    "AZURE_OPENAI_API_KEY": KEY,
                    "AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com",
                    "AZURE_DEPLOYMENT_NAME": "gpt-1",
                    "AZURE_OPENAI_API_VERSION": "2024-10-21",
                },
                "https://mine.openai.azure.com/openai/deployments/gpt-1/chat/completions",
            ),
            (
                "azure",
                {"endpoint": "https://mine.openai.azure.com", "model": "gpt-1"},
                {"AZURE_OPENAI_API_KEY": KEY},
                "https://mine.openai.azure.com/openai/deployments/gpt-1/chat/completions",
            ),
            (
                "azure",
                {"resource": "mine", "model": "gpt-1"},
                {"AZURE_OPENAI_API_KEY": KEY},
                "https://mine.openai.azure.com/openai/deployments/gpt-1/chat/completions",
            ),
            (
                "anthropic",
                {"model": "claude-1"},
                {"ANTHROPIC_API_KEY": KEY},
                "https://api.anthropic.com/v1/messages",
            ),
            (
                "gemini",
                {},
                {"GOOGLE_GENERATIVE_AI_API_KEY": KEY, "GEMINI_MODEL_NAME": "gemini-3"},
                "https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent",
            ),
        ],
    )
    def test_variables_fill_in(
        self, kind: str, settings: dict[str, Any], environment: dict[str, str], address: str
    ) -> None:
        """Key, address and model."""
        provider = made(kind, settings, environment)
        assert settings_of(provider).api_key == KEY
        assert provider.parameters["address"] == address

    def test_a_setting_counts_for_more_than_a_variable(self) -> None:
        """An empty one counts for nothing."""
        environment = {"OPENAI_API_KEY": "from-environment", "OPENAI_BASE_URL": " "}
        assert settings_of(made("openai", OPENAI, environment)).api_key == KEY
        assert settings_of(made("openai", {**OPENAI, "api_key": ""}, environment)).api_key == "from-environment"

    def test_a_key_of_the_environment_is_not_sent_to_a_server_that_a_file_names(self) -> None:
        """A local server needs none, and nobody else shall have it."""
        provider = made("openai", {"model": "m", "base_url": "http://localhost:11434/v1"}, {"OPENAI_API_KEY": KEY})
        assert settings_of(provider).api_key is None
        with pytest.raises(CannotGrade, match="where the key of the environment is not sent; give the setting api_key"):
            made("anthropic", {"model": "m", "base_url": "https://other.example"}, {"ANTHROPIC_API_KEY": KEY})

    def test_a_host_that_only_looks_like_the_provider_is_another(self) -> None:
        """Names are compared whole."""
        for host in ("api.openai.com.evil.example", "evilapi.openai.com", "api-openai.com"):
            provider = made("openai", {"model": "m", "base_url": f"https://{host}/v1"}, {"OPENAI_API_KEY": KEY})
            assert settings_of(provider).api_key is None, host


@pytest.mark.asyncio
async def test_further_headers_are_sent() -> None:
    """They may replace our own, as gateways ask for."""
    async with ScriptedServer(answer(chat_reply("good"))) as server:
        headers = {"X-Team": "evals", "Authorization": "Basic abc"}
        provider = made("openai", {**OPENAI, "base_url": server.url, "headers": headers})
        await provider.complete(QUESTION)
        await provider.close()
    sent = server.requests[0].headers
    assert (sent["x-team"], sent["authorization"]) == ("evals", "Basic abc")


def test_a_secret_is_shown_nowhere() -> None:
    """Not in parameters, and not where a value is printed."""
    provider = made("openai", {**OPENAI, "headers": {"x-token": "another-secret"}}, {"OTHER": "third-secret"})
    shown = f"{provider!r} {provider.parameters} {settings_of(provider)!r}"
    assert not any(secret in shown for secret in (KEY, "another-secret", "third-secret"))


def test_headers_and_the_query_of_an_address_decide_the_reply() -> None:
    """They are part of what a reply is remembered by, as hashes: they may be secrets."""

    def parameters(**settings: Any) -> Any:
        return dict(made("openai", {**OPENAI, "base_url": "http://localhost:1/v1", **settings}).parameters)

    found = [
        parameters(),
        parameters(headers={"X-Mode": "strict"}),
        parameters(headers={"X-Mode": "other"}),
        parameters(base_url="http://localhost:1/v1?mode=strict"),
        parameters(base_url="http://localhost:1/v1?mode=other"),
    ]
    assert len({str(each) for each in found}) == len(found)
    assert "strict" not in str(found)
    assert not {"headers_hash", "query_hash"} & set(found[0])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_setting_is_documented_and_has_one_name(kind: Any) -> None:
    """The table is what the documents are made from."""
    spellings = [spelling for setting in kind.settings for spelling in setting.known_as]
    assert len(spellings) == len(set(spellings))
    assert kind.doc.endswith(".")
    assert all(setting.doc.endswith(".") for setting in kind.settings)


def test_the_table_is_read_without_what_speaks_http() -> None:
    """Only who grades with a model loads it."""
    code = (
        "import rubric_core.grading.providers.registry, sys; print(*{'aiohttp', 'asyncio', 'ssl'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
