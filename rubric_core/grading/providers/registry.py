"""The table of providers, and how one is made from its settings."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers import settings as read
from rubric_core.grading.providers.provider import Provider
from rubric_core.grading.providers.settings import ProviderKind, Purpose, number, text, whole_number
from rubric_core.grading.providers.settings import ProviderSetting as Setting

NOT_RUN = frozenset(
    {
        *("codex", "codex-cli", "copilot-cli", "pi", "pi-coding-agent", "pi-agent-sdk", "claude-code"),
        *("vscode", "vscode-insiders", "mock", "bedrock", "vertex"),
    }
)
"""Kinds that are known and that this grader does not run."""


def make_provider(
    name: str, kind: str, settings: Mapping[str, Any], environment: Mapping[str, str], *, purpose: Purpose = "judge"
) -> Provider:
    """Make the provider with this name. Nothing is sent before its first call. Raises CannotGrade."""
    provider_kind = kind_named(name, kind)
    definition = read.read_definition(name, provider_kind, settings, environment, purpose)
    # A provider is imported only when it is used for a grading.
    module, class_name = provider_kind.implementation.split(".")
    provider: Provider = getattr(import_module(f"rubric_core.grading.providers.{module}"), class_name)(definition)
    return provider


def kind_named(name: str, kind: str) -> ProviderKind:
    """Return the kind of the provider with this name. Raises CannotGrade if it cannot be run."""
    kind_name = kind.strip().lower()
    for known in KINDS:
        if kind_name in (known.name, *known.aliases):
            return known
    supported = ", ".join(known.name for known in KINDS)
    if kind_name in NOT_RUN:
        raise CannotGrade(
            f"{name} has the provider {kind_name}, which cannot be run here; record its answers, or use one of "
            f"{supported}."
        )
    raise CannotGrade(f"{name} has the unknown provider {kind}; supported are {supported}.")


_SEED = Setting("seed", "A number that makes the model's choices repeat, where it keeps to that.", whole_number(0))

_MODEL_SETTINGS = (
    Setting("temperature", "0 for the likeliest words; a judge has 0 by default.", number(0, 2)),
    Setting("headers", "Further headers of each request.", read.headers, default={}),
    Setting("timeout", "Seconds for a whole reply.", number(0.001), spellings=("timeout_seconds",), default=120.0),
    Setting("connect_timeout", "Seconds for connecting.", number(0.001), default=10.0),
    Setting("max_retries", "How often a request that failed for the moment is sent again.", whole_number(0), default=4),
    Setting("retry_initial_delay_ms", "Milliseconds before the first retry.", number(0), default=500.0),
    Setting("retry_max_delay_ms", "The longest wait before a retry, in milliseconds.", number(0), default=60_000.0),
    Setting("retry_backoff_factor", "By how much each wait is longer than the one before.", number(1), default=2.0),
    Setting("retry_status_codes", "The HTTP statuses that are retried.", read.statuses),
)


def _model(*variables: str, spellings: tuple[str, ...] = (), default: str | None = None) -> Setting:
    doc = "The name of the model."
    return Setting("model", doc, text, spellings, variables, default, is_required=default is None)


def _api_key(*variables: str) -> Setting:
    doc = "The key. One of the environment goes only to the provider itself, or to the environment's address."
    return Setting("api_key", doc, read.key, variables=variables)


def _base_url(default: str, *variables: str) -> Setting:
    doc = "The address of the programming interface."
    return Setting("base_url", doc, text, ("base_url", "endpoint"), variables, default)


def _limit(default: int | None = None) -> Setting:
    doc = "The most tokens that a reply may have."
    return Setting("max_tokens", doc, whole_number(1), ("max_output_tokens", "max_tokens"), default=default)


_COMMAND_SETTINGS = (
    Setting(
        "cwd", "The folder that the command runs in, seen from the eval file; by default its own.", text, default="."
    ),
    Setting("env", "Further variables of the command's environment.", read.variables, default={}),
    Setting("timeout", "Seconds until the command is ended.", number(0.001), ("timeout_seconds",), default=300.0),
)


def _http_kind(name: str, doc: str, *settings: Setting, aliases: tuple[str, ...] = ()) -> ProviderKind:
    return ProviderKind(name, doc, (*settings, *_MODEL_SETTINGS), "http.HttpProvider", aliases)


KINDS: tuple[ProviderKind, ...] = (
    _http_kind(
        "openai",
        "OpenAI, and every compatible server: Ollama, vLLM, LM Studio, llama.cpp.",
        _model(),
        _api_key("OPENAI_API_KEY"),
        _base_url("https://api.openai.com/v1", "OPENAI_BASE_URL"),
        _limit(),
        _SEED,
    ),
    _http_kind(
        "azure",
        "OpenAI's models at Azure.",
        Setting(
            "endpoint",
            "The address of the resource, or its name.",
            text,
            ("endpoint", "resource", "resource_name", "base_url"),
            ("AZURE_OPENAI_ENDPOINT",),
            is_required=True,
        ),
        _api_key("AZURE_OPENAI_API_KEY"),
        _model("AZURE_DEPLOYMENT_NAME", spellings=("deployment", "deployment_name", "model")),
        Setting(
            "version",
            "The version of the programming interface: a date, or v1 for the one without dates.",
            text,
            ("version", "api_version"),
            ("AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"),
            default="2024-12-01-preview",
        ),
        _limit(),
        _SEED,
        aliases=("azure-openai",),
    ),
    _http_kind(
        "anthropic",
        "Anthropic's Claude.",
        _model(spellings=("model", "deployment", "variant")),
        _api_key("ANTHROPIC_API_KEY"),
        _base_url("https://api.anthropic.com", "ANTHROPIC_BASE_URL"),
        _limit(default=8192),
        Setting(
            "thinking_budget",
            "The most tokens for thinking before the answer; they come on top of max_tokens.",
            whole_number(1024),
        ),
        Setting("version", "The version of the programming interface.", text, default="2023-06-01"),
    ),
    _http_kind(
        "gemini",
        "Google's Gemini.",
        _model("GEMINI_MODEL_NAME", spellings=("model", "deployment", "variant"), default="gemini-2.5-flash"),
        _api_key("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"),
        _base_url("https://generativelanguage.googleapis.com/v1beta", "GOOGLE_GEMINI_BASE_URL"),
        _limit(),
        _SEED,
        aliases=("google", "google-gemini"),
    ),
    ProviderKind(
        "command",
        "A command that reads the prompt on standard input and prints the reply.",
        (
            Setting(
                "command",
                "The program and its arguments: a list, or a text that is split as a shell would, without a shell.",
                read.command,
                is_required=True,
            ),
            Setting("model", "The name of the model behind the command, for results.", text),
            *_COMMAND_SETTINGS,
        ),
        "command.CommandProvider",
    ),
    ProviderKind(
        "exec",
        "A command as promptfoo calls it: its last arguments are the prompt, its options and the context as JSON.",
        (
            Setting(
                "script", "The program and its arguments, split at blanks outside of quotes.", text, is_required=True
            ),
            Setting("model", "The name of the model behind the command, for results.", text),
            *_COMMAND_SETTINGS,
        ),
        "command.ExecProvider",
    ),
    ProviderKind(
        "cli",
        "A command as AgentV describes it, with the prompt among its arguments.",
        (
            Setting(
                "command_template",
                "The command. {PROMPT}, {PROMPT_FILE}, {OUTPUT_FILE}, {FILES}, {EVAL_ID}, {ATTEMPT} and {GUIDELINES} "
                "stand for values; without {OUTPUT_FILE} the reply is what the command prints.",
                read.command,
                is_required=True,
            ),
            Setting(
                "files_format",
                "What stands for each of {FILES}, with {path} and {basename}.",
                text,
                ("files_format", "attachments_format"),
                default="{path}",
            ),
            Setting(
                "provider_batching",
                "Whether the command writes one JSON object a line, for all cases; that of the case is taken.",
                read.boolean,
                default=False,
            ),
            *_COMMAND_SETTINGS,
            Setting(
                "workspace_template", "Not run here.", read.refused("no folder is copied here; name the folder in cwd")
            ),
            Setting("healthcheck", "Ignored: a command that does not work says so when it is run.", read.ignored),
            Setting("verbose", "Ignored.", read.ignored, ("verbose", "cli_verbose")),
            Setting("keep_temp_files", "Ignored.", read.ignored, ("keep_temp_files", "keep_output_files")),
        ),
        "cli.CliProvider",
    ),
)
"""Everything that can be asked, in the order in which messages name it."""
