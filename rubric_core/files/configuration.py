"""Finds and reads the configuration. Errors in it become problems, never exceptions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rubric_core.config.config import DEFAULT, Config, merged, severity_of
from rubric_core.config.setting_readers import INVALID_CONFIGURATION, UNKNOWN_RULE, SettingProblem
from rubric_core.config.settings import read_settings
from rubric_core.files.read import ReadText, read_text
from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span

OWN_FILE = "rubric.toml"
SHARED_FILE = "pyproject.toml"
SHARED_TABLE = ("tool", "rubric")

_NAMES = {INVALID_CONFIGURATION: "invalid-configuration", UNKNOWN_RULE: "unknown-rule"}
_SEVERITIES = {INVALID_CONFIGURATION: Severity.ERROR, UNKNOWN_RULE: Severity.WARNING}

_TABLE_HEADER = lazily(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*[\"']?rubric[\"']?[ \t]*[.\]]", re.MULTILINE)
# Most projects have a `pyproject.toml` without our table, which then need not be parsed.
_OUR_KEY = lazily(r"(?<![\w-])rubric[\"']?[ \t]*[\].=]")
_ERROR_PLACE = lazily(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)\Z")
_LONGEST_TOKEN = lazily(r"[^\s,\]}=#]*")


@dataclass(frozen=True, slots=True)
class LoadedConfig:
    """A configuration with its problems. `path` is None if there is no file."""

    config: Config = DEFAULT
    problems: tuple[Problem, ...] = ()
    path: Path | None = None
    text: str = ""


def load_config(start: Path, known: Collection[str] | None = None) -> LoadedConfig:
    """Find and read the configuration for a file or a folder. `known` are the codes and names of the rules."""
    path = find_config(start)
    if path is None:
        return LoadedConfig()
    read = read_text(path, DEFAULT.limits)
    if isinstance(read, ReadText):
        return parse_config(read.text, path, known)
    problem = _problem(SettingProblem((), f"The configuration cannot be read: {read.message}"), Span(0, 0))
    return LoadedConfig(replace(DEFAULT, root=path.parent), (problem,), path)


def find_config(start: Path) -> Path | None:
    """Return the nearest configuration in the folder of a file or above it; `rubric.toml` wins within a folder."""
    folder = start.absolute()
    for candidate in (folder, *folder.parents):
        own = candidate / OWN_FILE
        if own.is_file():
            return own
        shared = candidate / SHARED_FILE
        if shared.is_file() and _has_our_table(shared):
            return shared
    return None


def parse_config(text: str, path: Path, known: Collection[str] | None = None) -> LoadedConfig:
    """Read the text of a configuration file; in a `pyproject.toml`, the table `[tool.rubric]`."""
    root = path.absolute().parent
    base = replace(DEFAULT, root=root)
    prefix = SHARED_TABLE if path.name == SHARED_FILE else ()
    data, broken = _parse_toml(text)
    if broken is not None:
        return LoadedConfig(base, (broken,), path, text)
    table = _at(data, prefix)
    if table is None:
        return LoadedConfig(base, (), path, text)
    if not isinstance(table, dict):
        wrong = (SettingProblem((), "`tool.rubric` must be a table."),)
        return LoadedConfig(base, _problems(wrong, base, text, prefix), path, text)
    own, setting_problems = read_settings(table, known)
    config = replace(merged(base, own), select=own.select, ignore=own.ignore, severity=own.severity, layers=())
    return LoadedConfig(config, _problems(setting_problems, config, text, prefix), path, text)


def _has_our_table(path: Path) -> bool:
    read = read_text(path, DEFAULT.limits)
    return isinstance(read, ReadText) and holds_our_table(read.text)


def holds_our_table(text: str) -> bool:
    """Return whether the text of a `pyproject.toml` has a table for this program."""
    if _OUR_KEY.search(text) is None:
        return False
    data, broken = _parse_toml(text)
    if broken is not None:
        # A broken file that clearly has our table is still the user's configuration, and gets a problem.
        return _TABLE_HEADER.search(text) is not None
    return _at(data, SHARED_TABLE) is not None


def _at(data: dict[str, Any], keys: tuple[str, ...]) -> Any:
    value: Any = data
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _parse_toml(text: str) -> tuple[dict[str, Any], Problem | None]:
    from rubric_core.config.toml_reader import loads  # noqa: PLC0415 - most runs have no configuration to parse.

    try:
        # A byte order mark is not TOML, but editors write it. A space keeps every offset.
        return loads(text.replace("\ufeff", " ", 1) if text.startswith("\ufeff") else text), None
    except RecursionError:
        return {}, _problem(SettingProblem((), "The file nests too deeply to be read as TOML."), Span(0, 0))
    except ValueError as error:
        # Besides syntax errors, the parser raises Python's own errors for impossible numbers.
        return {}, _syntax_problem(text, str(error))


def _syntax_problem(text: str, message: str) -> Problem:
    place = _ERROR_PLACE.search(message)
    reason = message[: place.start()] if place else message
    start = 0
    if place:
        start = _offset(text, int(place["line"]), int(place["column"])) if place["line"] else len(text)
    token = _LONGEST_TOKEN.match(text, start)
    span = Span(start, token.end() if token else start)
    return _problem(SettingProblem((), f"The file is not valid TOML: {reason[:1].lower()}{reason[1:]}."), span)


def _offset(text: str, line: int, column: int) -> int:
    """Return the offset of a one-based position; the parser counts a line break as one character."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return min(start + column - 1, len(text))


def _problems(
    setting_problems: Sequence[SettingProblem], config: Config, text: str, prefix: tuple[str, ...]
) -> tuple[Problem, ...]:
    if not setting_problems:
        return ()
    from rubric_core.config.toml_places import find_places, place_of  # noqa: PLC0415 - only a wrong file needs places.

    # `select` is about problems of eval files; it does not apply to those of the configuration.
    severity = severity_of(
        replace(config, select=None), UNKNOWN_RULE, _NAMES[UNKNOWN_RULE], _SEVERITIES[UNKNOWN_RULE], ""
    )
    places = find_places(text)
    problems: list[Problem] = []
    for setting_problem in setting_problems:
        path = (*prefix, *setting_problem.place)
        place = place_of(places, path)
        is_at_key = setting_problem.at_key or path not in places
        problem = _problem(setting_problem, place.key if is_at_key else place.value, text)
        if setting_problem.code != UNKNOWN_RULE:
            problems.append(problem)
        elif severity is not None:
            problems.append(problem._replace(severity=severity))
    return tuple(sorted(problems, key=lambda problem: (problem.span, problem.code)))


def _problem(setting_problem: SettingProblem, span: Span, text: str = "") -> Problem:
    fixes = None
    instead = setting_problem.instead
    if instead is not None:
        old = text[span.start : span.end]
        quote = old[0] if old[:1] in {'"', "'"} else ""
        fix = Fix(f"Change to `{instead}`", (Edit(span.start, span.end, f"{quote}{instead}{quote}"),))
        fixes = lambda: (fix,)  # noqa: E731 - a thunk, as every problem carries.
    name = _NAMES[setting_problem.code]
    severity = setting_problem.severity or _SEVERITIES[setting_problem.code]
    return Problem(setting_problem.code, name, severity, span, setting_problem.message, fixes=fixes)
