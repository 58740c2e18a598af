"""The definitions of targets and judges, from `.agentv/targets.yaml` and from the configuration.

Their settings may refer to variables of the environment as `${{ NAME }}`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rubric_core.config.config import Config
from rubric_core.files.project import DiskProject
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.processes import CannotStart, split_command
from rubric_core.model.load import CannotLoad, load_targets
from rubric_core.text.patterns import lazily

REFERENCE = lazily(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")

_MARK = lazily(r"\{\{(\w+)\}\}")
"""A reference while a command is split: without blanks, and without what a shell would read."""

_WORD_START = lazily(r"(?<=[a-z0-9])(?=[A-Z])|-")

_COMMANDS = frozenset({"command", "command_template"})

_OPTIONAL = frozenset({"version", "api_version", "cwd"})
"""Settings that count as not given where their variable is not set, as AgentV has it."""


@dataclass(frozen=True, slots=True)
class TargetEntry:
    """One definition. `owner` names it in messages. Settings are as written: they may hold secrets and references."""

    name: str
    owner: str
    provider: str | None = None
    judge_target: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, repr=False)


def targets_near(source: str, config: Config) -> dict[str, TargetEntry]:
    """Return the targets for an eval file by name; the configuration's count before those of the targets file.

    Raises CannotGrade where the targets file cannot be used.
    """
    path = DiskProject(source, config).targets_file() if source else None
    found: dict[str, TargetEntry] = {}
    try:
        for target in load_targets(path) if path is not None else ():
            own = {"provider": target.provider, "judge_target": target.judge_target}
            # The first of two equal names counts, as for AgentV.
            found.setdefault(target.name, _entry(target.name, f"the target {target.name}", {**target.settings, **own}))
    except CannotLoad as failure:
        raise CannotGrade(f"The targets in {failure.path} cannot be used. {failure.reason}") from None
    return {**found, **entries_of(config.targets, "target")}


def entries_of(tables: Mapping[str, Any], what: str) -> dict[str, TargetEntry]:
    """Return the definitions in a table of the configuration by name; `what` is `target` or `judge`."""
    return {name: _entry(name, f"the {what} {name}", table) for name, table in tables.items()}


def _entry(name: str, owner: str, table: Mapping[str, Any]) -> TargetEntry:
    # Keys may be written in any of the usual ways: `api_key`, `apiKey`, `api-key`.
    settings = {_WORD_START.sub("_", key).lower(): value for key, value in table.items()}
    provider, judge_target = settings.pop("provider", None), settings.pop("judge_target", None)
    for key, value in (("provider", provider), ("judge_target", judge_target)):
        if value is not None and not isinstance(value, str):
            raise CannotGrade(f"The setting {key} of {owner} must be a text.")
    return TargetEntry(name, owner, provider, judge_target, settings)


def interpolate(settings: Mapping[str, Any], environment: Mapping[str, str], owner: str) -> dict[str, Any]:
    """Return settings with the values of variables in place of their names.

    Raises CannotGrade where a variable is not set or empty; the message names it and its owner.
    """
    filled: dict[str, Any] = {}
    for key, value in settings.items():
        names = list(variables_in(value))
        if key in _OPTIONAL and any(not environment.get(name, "").strip() for name in names):
            continue
        if key in _COMMANDS and isinstance(value, str) and not REFERENCE.fullmatch(value.strip()):
            value = _split(value, owner)  # noqa: PLW2901 - from here on it is a list.
        filled[key] = _filled(value, environment, owner)
    return filled


def _split(command: str, owner: str) -> list[str]:
    """Split a command before variables are put in, so that each value stays one argument, whatever it holds."""
    try:
        words = split_command(REFERENCE.sub(r"{{\1}}", command))
    except CannotStart as failure:
        raise CannotGrade(f"The command of {owner} cannot be used. {failure}") from None
    return [_MARK.sub(r"${{ \1 }}", word) for word in words]


def variables_in(value: Any) -> Iterator[str]:
    """Return the variables that a value names, at any depth."""
    return (name for text in texts_in(value) for name in REFERENCE.findall(text))


def texts_in(value: Any) -> Iterator[str]:
    """Return the texts in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


def _filled(value: Any, environment: Mapping[str, str], owner: str) -> Any:
    if isinstance(value, str):
        return REFERENCE.sub(lambda found: _variable(found[1], environment, owner), value)
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
