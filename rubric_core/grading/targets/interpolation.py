"""`${{ NAME }}` in the settings of targets and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.secrets import names_secret
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REFERENCE = lazily(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")

_OPTIONAL = frozenset({"version", "api_version", "cwd"})
"""Settings that count as not given where their variable is not set, as AgentV has it."""

_PLAIN = frozenset({"model", "deployment", "deployment_name", "version", "api_version", "cwd", "variant"})
"""Settings that name something and are no secret: the model's name belongs into every result."""


def interpolate(settings: Mapping[str, Any], environment: Mapping[str, str], owner: str) -> dict[str, Any]:
    """Return settings with the values of variables in place of their names.

    Raises CannotGrade where a variable is not set or empty; the message names it and its owner.
    """
    filled: dict[str, Any] = {}
    for key, value in settings.items():
        names = list(_names(value))
        if key in _OPTIONAL and any(not environment.get(name, "").strip() for name in names):
            continue
        filled[key] = _filled(value, environment, owner)
    return filled


def secrets_in(settings: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, str]:
    """Return what variables give to settings, by the names of the variables. What names a model is no secret."""
    return {
        name: environment[name]
        for key, value in settings.items()
        for name in _names(value)
        if name in environment and (key not in _PLAIN or names_secret(name))
    }


def _names(value: Any) -> Iterator[str]:
    """Return the variables that a value names, at any depth."""
    if isinstance(value, str):
        yield from _REFERENCE.findall(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _names(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _names(each)


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
