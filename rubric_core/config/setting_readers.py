"""Readers of settings: each converts a value of a file or of an editor to a field of the configuration."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rubric_core.config.config import ANY_DIALECT, names_rule
from rubric_core.dialects.registry import BY_NAME
from rubric_core.rules.problem import Severity
from rubric_core.schema.suggest import closest
from rubric_core.syntax.limits import CEILINGS, Limits

Place = tuple[str | int, ...]

UNKNOWN_RULE = "RB902"
INVALID_CONFIGURATION = "RB903"

OFF = "off"
SEVERITIES: Mapping[str, Severity | None] = {**{severity.value: severity for severity in Severity}, OFF: None}


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A problem of a setting, at a path of keys. `instead` is the word that was probably meant.

    `severity` overrides the rule's own.
    """

    place: Place
    message: str
    code: str = INVALID_CONFIGURATION
    at_key: bool = False
    instead: str | None = None
    severity: Severity | None = None


@dataclass(slots=True)
class SettingsReader:
    """Collects problems while settings are read. `known` are the codes and names of rules; None checks no names."""

    known: Collection[str] | None = None
    problems: list[SettingProblem] = field(default_factory=list)

    def wrong_type(self, place: Place, expected: str, value: object) -> None:
        """Report a value of the wrong type."""
        subject = ("Each entry of " if isinstance(place[-1], int) else "") + f"`{_last_name(place)}`"
        self.problems.append(SettingProblem(place, f"{subject} must be {expected}, but is {_kind(value)}."))

    def not_one_of(self, place: Place, subject: str, value: object, choices: Collection[str]) -> None:
        """Report a value that is not one of some words."""
        shown = f'"{value}"' if isinstance(value, str) else _kind(value)
        instead = closest(value, choices) if isinstance(value, str) else None
        message = f"{subject} must be one of {_listed(choices)}, but is {shown}."
        self.problems.append(SettingProblem(place, message, instead=instead))

    def unknown(self, place: Place, what: str, choices: Collection[str]) -> None:
        """Report an unknown key."""
        word = str(place[-1])
        instead = closest(word, choices)
        hint = f"Did you mean `{instead}`?" if instead else f"Available are {_listed(choices)}."
        message = f"There is no {what} `{word}`. {hint}"
        self.problems.append(SettingProblem(place, message, at_key=True, instead=instead))

    def rule(self, entry: str, place: Place, *, at_key: bool = False) -> bool:
        """Return whether an entry names a rule; report it otherwise."""
        if self.known is None or names_rule(entry, self.known):
            return True
        instead = closest(entry, self.known)
        hint = f" Did you mean `{instead}`?" if instead else " `rubric rules` lists them."
        message = f"There is no rule `{entry}`.{hint}"
        self.problems.append(SettingProblem(place, message, UNKNOWN_RULE, at_key=at_key, instead=instead))
        return False


def read_rules(value: Any, place: Place, reader: SettingsReader) -> frozenset[str] | None:
    """Read a list of rules."""
    entries = _strings(value, place, reader, 'a list of rules such as ["RB103", "RB4"]')
    if entries is None:
        return None
    valid = frozenset(entry for index, entry in entries.items() if reader.rule(entry, (*place, index)))
    # A list of nothing but misspelt rules must not turn every other rule off.
    return None if entries and not valid else valid


def read_list(expected: str) -> Callable[[Any, Place, SettingsReader], tuple[str, ...] | None]:
    """Return a reader of lists of strings; `expected` describes them in messages."""

    def read(value: Any, place: Place, reader: SettingsReader) -> tuple[str, ...] | None:
        entries = _strings(value, place, reader, expected)
        return None if entries is None else tuple(entries.values())

    return read


def _strings(value: Any, place: Place, reader: SettingsReader, expected: str) -> dict[int, str] | None:
    """Return the usable strings of a list by their place in it."""
    if not isinstance(value, list):
        reader.wrong_type(place, expected, value)
        return None
    usable: dict[int, str] = {}
    for index, item in enumerate(value):
        if isinstance(item, str) and item.strip():
            usable[index] = item.strip()
        else:
            reader.wrong_type((*place, index), "a string with text", item)
    return usable


def read_table(
    expected: str, read_entry: Callable[[str, Any, Place, SettingsReader], dict[str, Any]]
) -> Callable[[Any, Place, SettingsReader], dict[str, Any] | None]:
    """Return a reader of tables. `read_entry` returns the values of an entry: nothing if it cannot be read."""

    def read(value: Any, place: Place, reader: SettingsReader) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            reader.wrong_type(place, expected, value)
            return None
        settings: dict[str, Any] = {}
        for key, entry in value.items():
            settings |= read_entry(key, entry, (*place, key), reader)
        return settings

    return read


def read_severity(rule: str, severity: Any, place: Place, reader: SettingsReader) -> dict[str, Severity | None]:
    """Read the severity of a rule."""
    if not reader.rule(rule, place, at_key=True):
        return {}
    if isinstance(severity, str) and severity in SEVERITIES:
        return {rule: SEVERITIES[severity]}
    reader.not_one_of(place, f"The severity of `{rule}`", severity, SEVERITIES)
    return {}


def read_ignored_rules(glob: str, value: Any, place: Place, reader: SettingsReader) -> dict[str, frozenset[str]]:
    """Read the rules that are disabled in the files of a glob."""
    rules = read_rules(value, place, reader)
    return {} if rules is None else {glob: rules}


LIMIT_FIELDS = {limit.name.replace("_", "-"): limit.name for limit in fields(Limits)}
"""The field of each limit, by its name in the configuration."""


def read_limit(key: str, number: Any, place: Place, reader: SettingsReader) -> dict[str, int]:
    """Read one limit."""
    if key not in LIMIT_FIELDS:
        reader.unknown(place, "limit", LIMIT_FIELDS)
    elif not isinstance(number, int) or isinstance(number, bool):
        reader.wrong_type(place, "a whole number", number)
    elif number < 1:
        reader.problems.append(SettingProblem(place, f"`{key}` must be at least 1, but is {number}."))
    else:
        ceiling = CEILINGS[LIMIT_FIELDS[key]]
        if number > ceiling:
            message = f"`{key}` can be {ceiling} at most, but is {number}; {ceiling} is used."
            reader.problems.append(SettingProblem(place, message, severity=Severity.WARNING))
        # A value above its ceiling is lowered when the limits are made.
        return {LIMIT_FIELDS[key]: number}
    return {}


def read_raw_table(name: str, entry: Any, place: Place, reader: SettingsReader) -> dict[str, Any]:
    """Read a table whose entries others validate."""
    if isinstance(entry, dict):
        return {name: entry}
    reader.wrong_type(place, "a table", entry)
    return {}


_SCORECARD_KEYS = ("skill", "weights", "red_flags", "bonuses", "cases")


def read_scorecard(name: str, entry: Any, place: Place, reader: SettingsReader) -> dict[str, Any]:
    """Read a scorecard; its contents are validated when it is used."""
    table = read_raw_table(name, entry, place, reader)
    for key in table.get(name, ()):
        if key not in _SCORECARD_KEYS:
            reader.unknown((*place, key), "key of a scorecard", _SCORECARD_KEYS)
    if table and "cases" in entry:
        cases = _strings(entry["cases"], (*place, "cases"), reader, 'a list of ids such as ["sql-*"]')
        return {name: {**entry, "cases": list((cases or {}).values())}}
    return table


def read_text_setting(value: Any, place: Place, reader: SettingsReader) -> str | None:
    """Read a string."""
    if isinstance(value, str) and value.strip():
        return value.strip()
    reader.wrong_type(place, "a string with text", value)
    return None


def read_grade(value: Any, place: Place, reader: SettingsReader) -> str | None:
    """Read a grade."""
    from rubric_core.schema.grades import GRADES  # noqa: PLC0415 - most configurations name no grade.

    grades = [row.grade for row in GRADES]
    if isinstance(value, str) and value.strip().upper() in grades:
        return value.strip().upper()
    if isinstance(value, str):
        message = f"`{_last_name(place)}` must be a grade, one of {_listed(grades)}, but is `{value}`."
        reader.problems.append(SettingProblem(place, message))
    else:
        reader.wrong_type(place, "a grade such as `B`", value)
    return None


def read_dialect(value: Any, place: Place, reader: SettingsReader) -> str | None:
    """Read the name of a dialect."""
    names = [ANY_DIALECT, *BY_NAME]
    if isinstance(value, str) and value.strip() in names:
        return value.strip()
    reader.not_one_of(place, f"`{_last_name(place)}`", value, names)
    return None


def read_boolean(value: Any, place: Place, reader: SettingsReader) -> bool | None:
    """Read true or false."""
    if isinstance(value, bool):
        return value
    reader.wrong_type(place, "true or false", value)
    return None


def _last_name(place: Place) -> str:
    """Return the key that a place belongs to; an item of a list is called after its list."""
    return next(str(part) for part in reversed(place) if isinstance(part, str))


def _listed(words: Collection[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "a number"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "a table"),
    (type(None), "null"),
)


def _kind(value: object) -> str:
    """Return the type of a value in the words of TOML."""
    if isinstance(value, str) and not value.strip():
        return "an empty string"
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "a date or time")
