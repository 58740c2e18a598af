"""`${{ NAME }}` in the settings of targets and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.processes import CannotStart, split_command
from rubric_core.grading.secrets import names_secret
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REFERENCE = lazily(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")

_MARK = lazily(r"\{\{(\w+)\}\}")
"""A reference while a command is split: without blanks, and without what a shell would read."""

_COMMANDS = frozenset({"command", "command_template"})

_OPTIONAL = frozenset({"version", "api_version", "cwd"})
"""Settings that count as not given where their variable is not set, as AgentV has it."""

_PLAIN = frozenset(
    {
        *("model", "deployment", "deployment_name", "variant", "version", "api_version"),
        *("endpoint", "base_url", "resource", "resource_name", "cwd"),
    }
)
"""Settings that name something and are no secret: a model's name stands in every result, an address in many errors."""

_CREDENTIALS = lazily(r"[@?]")
"""What an address has where it carries a password or a key."""


def interpolate(settings: Mapping[str, Any], environment: Mapping[str, str], owner: str) -> dict[str, Any]:
    """Return settings with the values of variables in place of their names.

    Raises CannotGrade where a variable is not set or empty; the message names it and its owner.
    """
    filled: dict[str, Any] = {}
    for key, value in settings.items():
        names = list(variables_in(value))
        if key in _OPTIONAL and any(not environment.get(name, "").strip() for name in names):
            continue
        if key in _COMMANDS and isinstance(value, str) and not _REFERENCE.fullmatch(value.strip()):
            value = _split(value, owner)  # noqa: PLW2901 - from here on it is a list.
        filled[key] = _filled(value, environment, owner)
    return filled


def _split(command: str, owner: str) -> list[str]:
    """Split a command before variables are put in, so that each value stays one argument, whatever it holds."""
    try:
        words = split_command(_REFERENCE.sub(r"{{\1}}", command))
    except CannotStart as failure:
        raise CannotGrade(f"The command of {owner} cannot be used. {failure}") from None
    return [_MARK.sub(r"${{ \1 }}", word) for word in words]


def secrets_in(settings: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secrets that variables give to settings, by the names of the variables."""
    return {
        name: environment[name]
        for key, value in settings.items()
        for name in variables_in(value)
        if name in environment and not (key in _PLAIN and _is_plain(name, environment[name]))
    }


def _is_plain(name: str, value: str) -> bool:
    return not names_secret(name) and _CREDENTIALS.search(value) is None


def variables_in(value: Any) -> Iterator[str]:
    """Return the variables that a value names, at any depth."""
    if isinstance(value, str):
        yield from _REFERENCE.findall(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from variables_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from variables_in(each)


def _filled(value: Any, environment: Mapping[str, str], owner: str) -> Any:
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: _variable(found[1], environment, owner), value)
    if isinstance(value, dict):
        return {key: _filled(each, environment, owner) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(each, environment, owner) for each in value]
    return value


def _variable(name: str, environment: Mapping[str, str], owner: str) -> str:
    value = environment.get(name)
    if value is not None and value.strip():
        return value
    state = "is not set" if value is None else "is empty"
    raise CannotGrade(
        f"The variable {name} that {owner} needs {state}; set it in the environment, or in a file .env beside the eval "
        f"file or above it."
    )
