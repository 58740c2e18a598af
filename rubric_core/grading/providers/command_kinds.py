"""The kinds of providers that are commands: our own, and AgentV's `cli`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.grading.providers.settings import ProviderKind, ProviderSetting, Unfit, number, text

if TYPE_CHECKING:
    from rubric_core.grading.providers.provider import Provider
    from rubric_core.grading.providers.settings import ProviderDefinition


def _make_command(definition: ProviderDefinition) -> Provider:
    from rubric_core.grading.providers.command import make_command_provider  # noqa: PLC0415 - only when grading.

    return make_command_provider(definition)


def _make_cli(definition: ProviderDefinition) -> Provider:
    from rubric_core.grading.providers.cli import make_cli_provider  # noqa: PLC0415 - the same.

    return make_cli_provider(definition)


def _command(value: Any) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise Unfit("a text, or a list of texts that starts with the program")
    return tuple(value)


def _variables(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or any(isinstance(each, dict | list) for each in value.values()):
        raise Unfit("a mapping from names of variables to texts")
    return {str(name): str(each) for name, each in value.items()}


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit("true or false")
    return value


def _nothing(_value: Any) -> Any:
    """Read a setting that changes nothing here."""


def _no_copy(_value: Any) -> Any:
    raise Unfit("left out, because no folder is copied here; name the folder in cwd")


_OF_EVERY_COMMAND = (
    ProviderSetting(
        "cwd", "The folder that the command runs in, seen from the eval file; by default its own.", text, default="."
    ),
    ProviderSetting("env", "Further variables of the command's environment.", _variables, default={}),
    ProviderSetting(
        "timeout", "Seconds until the command is ended.", number(0.001), ("timeout_seconds",), default=300.0
    ),
)

COMMAND_KINDS: tuple[ProviderKind, ...] = (
    ProviderKind(
        "command",
        "A command that reads the prompt on standard input and prints the reply.",
        (
            ProviderSetting(
                "command",
                "The program and its arguments: a list, or a text that is split as a shell would, without a shell.",
                _command,
                is_required=True,
            ),
            ProviderSetting("model", "The name of the model behind the command, for results.", text),
            *_OF_EVERY_COMMAND,
        ),
        _make_command,
    ),
    ProviderKind(
        "cli",
        "A command as AgentV describes it, with the prompt among its arguments.",
        (
            ProviderSetting(
                "command_template",
                "The command. {PROMPT}, {PROMPT_FILE}, {OUTPUT_FILE}, {FILES}, {EVAL_ID}, {ATTEMPT} and {GUIDELINES} "
                "stand for values; without {OUTPUT_FILE} the reply is what the command prints.",
                _command,
                is_required=True,
            ),
            ProviderSetting(
                "files_format",
                "What stands for each of {FILES}, with {path} and {basename}.",
                text,
                ("files_format", "attachments_format"),
                default="{path}",
            ),
            ProviderSetting(
                "provider_batching",
                "Whether the command writes one JSON object a line, for all cases; that of the case is taken.",
                _truth,
                default=False,
            ),
            *_OF_EVERY_COMMAND,
            ProviderSetting("workspace_template", "Not run here.", _no_copy),
            ProviderSetting("healthcheck", "Ignored: a command that does not work says so when it is run.", _nothing),
            ProviderSetting("verbose", "Ignored.", _nothing, ("verbose", "cli_verbose")),
            ProviderSetting("keep_temp_files", "Ignored.", _nothing, ("keep_temp_files", "keep_output_files")),
        ),
        _make_cli,
    ),
)
