"""`${{ NAME }}` in the settings of targets and judges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.processes import CannotStart, split_command
from rubric_core.grading.secrets import address_secrets, named_secrets, names_place, names_secret
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

_HEADERS = "headers"
_PLAIN_HEADER = lazily(r"\A(?:accept.*|content-.*|user-agent|.*-version|.*-beta)\Z", re.IGNORECASE)
"""Headers that are no credentials."""


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


def secrets_in(settings: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return the secrets that variables give to settings, each with the name of its variable.

    What names a model, a file or an address is none, but a password in an address is.
    """
    for key, value in settings.items():
        is_credential = key == _HEADERS or names_secret(key)
        for name in variables_in(value):
            given = environment.get(name, "")
            if key in _PLAIN or (names_place(given) and not is_credential):
                yield from ((name, each) for each in address_secrets(given))
            elif given:
                yield name, given


def literal_secrets(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the secrets that are written into settings, each with the name of its setting."""
    written = [*named_secrets(settings)]
    headers = settings.get(_HEADERS)
    if isinstance(headers, dict):
        written += ((name, str(value)) for name, value in headers.items() if _PLAIN_HEADER.search(name) is None)
    for key, value in settings.items():
        written += ((key, secret) for text in _texts_in(value) for secret in address_secrets(text))
    return ((name, value) for name, value in written if _REFERENCE.search(value) is None)


def plain_names(settings: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[str]:
    """Return the names of models, versions, folders and addresses among the settings, as far as they are known."""
    for key in _PLAIN & settings.keys():
        for text in _texts_in(settings[key]):
            yield _REFERENCE.sub(lambda found: environment.get(found[1], ""), text)


def variables_in(value: Any) -> Iterator[str]:
    """Return the variables that a value names, at any depth."""
    return (name for text in _texts_in(value) for name in _REFERENCE.findall(text))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(each)


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
