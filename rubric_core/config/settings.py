"""Every setting in one table: its name, its type, its default, what it means and how its value is read.

The file and the editor's settings go through the same readers, so both give the same configuration and the same
problems. A setting that cannot be read keeps its default, and the others stay in force.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rubric_core.config.config import ANY_DIALECT, DEFAULT, EVERY_RULE, Overrides, names_rule
from rubric_core.rules.problem import Severity
from rubric_core.schema.dialects import BY_NAME
from rubric_core.schema.suggest import closest
from rubric_core.syntax.limits import CEILINGS, Limits

Place = tuple[str | int, ...]

UNKNOWN_RULE = "RB902"
INVALID_CONFIGURATION = "RB903"

OFF = "off"
SEVERITIES: Mapping[str, Severity | None] = {**{severity.value: severity for severity in Severity}, OFF: None}


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """Something wrong with a setting, at a path of keys. `instead` is the word that was probably meant.

    `severity` is set where it is not the rule's own.
    """

    place: Place
    message: str
    code: str = INVALID_CONFIGURATION
    at_key: bool = False
    instead: str | None = None
    severity: Severity | None = None


@dataclass(slots=True)
class SettingsReader:
    """Collects what is wrong while settings are read. `known` are the codes and names of rules, None unchecked."""

    known: Collection[str] | None = None
    problems: list[SettingProblem] = field(default_factory=list)

    def wrong_type(self, place: Place, wanted: str, value: object) -> None:
        """Complain that a value has the wrong type."""
        subject = ("Each entry of " if isinstance(place[-1], int) else "") + f"`{_last_name(place)}`"
        self.problems.append(SettingProblem(place, f"{subject} must be {wanted}, but is {_kind(value)}."))

    def unknown(self, place: Place, what: str, choices: Collection[str]) -> None:
        """Complain about a key that does not exist."""
        word = str(place[-1])
        instead = closest(word, choices)
        hint = f"Did you mean `{instead}`?" if instead else f"Known are {_listed(choices)}."
        message = f"There is no {what} `{word}`. {hint}"
        self.problems.append(SettingProblem(place, message, at_key=True, instead=instead))

    def rule(self, entry: str, place: Place, *, at_key: bool = False) -> bool:
        """Return whether an entry names a rule, and complain where it does not."""
        if self.known is None or names_rule(entry, self.known):
            return True
        instead = closest(entry, self.known)
        hint = f" Did you mean `{instead}`?" if instead else " `rubric rules` lists them."
        message = f"There is no rule `{entry}`.{hint}"
        self.problems.append(SettingProblem(place, message, UNKNOWN_RULE, at_key=at_key, instead=instead))
        return False


def _rules(value: Any, place: Place, reader: SettingsReader) -> frozenset[str] | None:
    entries = _strings(value, place, reader, 'a list of rules such as ["RB103", "RB4"]')
    if entries is None:
        return None
    wanted = frozenset(entry for index, entry in entries.items() if reader.rule(entry, (*place, index)))
    # A list of nothing but misspelt rules must not turn every other rule off.
    return None if entries and not wanted else wanted


def _globs(value: Any, place: Place, reader: SettingsReader) -> tuple[str, ...] | None:
    entries = _strings(value, place, reader, 'a list of globs such as ["evals/*.yaml"]')
    return None if entries is None else tuple(entries.values())


def _strings(value: Any, place: Place, reader: SettingsReader, wanted: str) -> dict[int, str] | None:
    """Return the usable strings of a list by their place in it."""
    if not isinstance(value, list):
        reader.wrong_type(place, wanted, value)
        return None
    usable: dict[int, str] = {}
    for index, item in enumerate(value):
        if isinstance(item, str) and item.strip():
            usable[index] = item.strip()
        else:
            reader.wrong_type((*place, index), "a string with text", item)
    return usable


def _table(
    wanted: str, read_entry: Callable[[str, Any, Place, SettingsReader], dict[str, Any]]
) -> Callable[[Any, Place, SettingsReader], dict[str, Any] | None]:
    """Return a reader of tables. `read_entry` gives what an entry sets: nothing where it cannot be read."""

    def read(value: Any, place: Place, reader: SettingsReader) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            reader.wrong_type(place, wanted, value)
            return None
        settings: dict[str, Any] = {}
        for key, entry in value.items():
            settings |= read_entry(key, entry, (*place, key), reader)
        return settings

    return read


def _severity(rule: str, severity: Any, place: Place, reader: SettingsReader) -> dict[str, Severity | None]:
    if not reader.rule(rule, place, at_key=True):
        return {}
    if isinstance(severity, str) and severity in SEVERITIES:
        return {rule: SEVERITIES[severity]}
    instead = closest(severity, SEVERITIES) if isinstance(severity, str) else None
    shown = f'"{severity}"' if isinstance(severity, str) else _kind(severity)
    message = f"The severity of `{rule}` must be one of {_listed(SEVERITIES)}, but is {shown}."
    reader.problems.append(SettingProblem(place, message, instead=instead))
    return {}


def _ignored_rules(glob: str, value: Any, place: Place, reader: SettingsReader) -> dict[str, frozenset[str]]:
    rules = _rules(value, place, reader)
    return {} if rules is None else {glob: rules}


_LIMITS = {limit.name.replace("_", "-"): limit.name for limit in fields(Limits)}
"""The field of each limit, by its name in the configuration."""


def _limit(key: str, number: Any, place: Place, reader: SettingsReader) -> dict[str, int]:
    if key not in _LIMITS:
        reader.unknown(place, "limit", _LIMITS)
    elif not isinstance(number, int) or isinstance(number, bool):
        reader.wrong_type(place, "a whole number", number)
    elif number < 1:
        reader.problems.append(SettingProblem(place, f"`{key}` must be at least 1, but is {number}."))
    else:
        ceiling = CEILINGS[_LIMITS[key]]
        if number > ceiling:
            message = f"`{key}` can be {ceiling} at most, but is {number}; {ceiling} is used."
            reader.problems.append(SettingProblem(place, message, severity=Severity.WARNING))
        # What is above its ceiling is lowered where the limits are made.
        return {_LIMITS[key]: number}
    return {}


def _raw_table(name: str, entry: Any, place: Place, reader: SettingsReader) -> dict[str, Any]:
    if isinstance(entry, dict):
        return {name: entry}
    reader.wrong_type(place, "a table", entry)
    return {}


_SCORECARD_KEYS = ("skill", "weights", "red_flags", "bonuses", "cases")


def _scorecard(name: str, entry: Any, place: Place, reader: SettingsReader) -> dict[str, Any]:
    found = _raw_table(name, entry, place, reader)
    for key in found.get(name, ()):
        if key not in _SCORECARD_KEYS:
            reader.unknown((*place, key), "key of a scorecard", _SCORECARD_KEYS)
    if found and "cases" in entry:
        cases = _strings(entry["cases"], (*place, "cases"), reader, 'a list of ids such as ["sql-*"]')
        return {name: {**entry, "cases": list((cases or {}).values())}}
    return found


def _text(value: Any, place: Place, reader: SettingsReader) -> str | None:
    if isinstance(value, str) and value.strip():
        return value.strip()
    reader.wrong_type(place, "a string with text", value)
    return None


def _grade(value: Any, place: Place, reader: SettingsReader) -> str | None:
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


def _dialect(value: Any, place: Place, reader: SettingsReader) -> str | None:
    names = [ANY_DIALECT, *BY_NAME]
    if isinstance(value, str) and value.strip() in names:
        return value.strip()
    shown = f'"{value}"' if isinstance(value, str) else _kind(value)
    message = f"`{_last_name(place)}` must be one of {_listed(names)}, but is {shown}."
    instead = closest(value, names) if isinstance(value, str) else None
    reader.problems.append(SettingProblem(place, message, instead=instead))
    return None


def _boolean(value: Any, place: Place, reader: SettingsReader) -> bool | None:
    if isinstance(value, bool):
        return value
    reader.wrong_type(place, "true or false", value)
    return None


@dataclass(frozen=True, slots=True)
class ConfigSetting:
    """One setting, as the reference shows it and as it is read. Some have no meaning in an editor."""

    key: str
    type: str
    default: str
    doc: str
    read: Callable[[Any, Place, SettingsReader], Any]
    example: str
    is_for_editors: bool = True

    @property
    def attribute(self) -> str:
        """Return the name of the field of `Config` that holds the setting."""
        return self.key.replace("-", "_")


SETTINGS: tuple[ConfigSetting, ...] = (
    ConfigSetting(
        "select",
        "list of rules",
        "every rule",
        f"The rules that run. An entry is a code (`RB103`), the start of codes (`RB1`), a name (`uncovered-scores`) or "
        f"`{EVERY_RULE}`.",
        _rules,
        'select = ["RB1", "RB2", "duplicate-key"]',
    ),
    ConfigSetting(
        "ignore",
        "list of rules",
        "`[]`",
        "The rules that do not run. Where `select` names the same rule, the more specific entry wins.",
        _rules,
        'ignore = ["RB4", "unsorted-score-ranges"]',
    ),
    ConfigSetting(
        "severity",
        "table of rule to severity",
        "`{}`",
        'The severity of a rule: `"error"`, `"warning"`, `"hint"`, or `"off"`.',
        _table('a table such as { RB401 = "off" }', _severity),
        'severity = { RB4 = "off", unknown-key = "error" }',
    ),
    ConfigSetting(
        "include",
        "list of globs",
        f"`{list(DEFAULT.include)}`".replace("'", '"'),
        "Files that are eval files because of their names. Other YAML files are recognised by their content.",
        _globs,
        'include = ["*.eval.yaml", "evals/**/*.yaml"]',
    ),
    ConfigSetting(
        "dialect",
        "string",
        f'`"{ANY_DIALECT}"`',
        f"The dialect of the eval files: {', '.join(f'`{name}`' for name in BY_NAME)}, or `{ANY_DIALECT}` to recognise "
        "it by the keys of each file. A comment `# rubric: dialect=NAME` at the top of a file goes before.",
        _dialect,
        'dialect = "agentv-2"',
    ),
    ConfigSetting(
        "exclude",
        "list of globs",
        "`[]`",
        "Files and folders that are left out when a folder is checked. A file that is named itself is always checked.",
        _globs,
        'exclude = ["vendor/", "*.draft.yaml"]',
    ),
    ConfigSetting(
        "per-file-ignores",
        "table of glob to list of rules",
        "`{}`",
        "Rules that do not run in some files, whatever the other settings say.",
        _table('a table such as { "drafts/**" = ["RB4"] }', _ignored_rules),
        'per-file-ignores = { "drafts/**" = ["RB4", "missing-file"] }',
    ),
    ConfigSetting(
        "limits",
        "table of limit to number",
        "see [default limits](#default-limits)",
        "What is too large to be checked. A file over a limit gets `too-complex` (RB008). In a workspace that the "
        "editor does not trust, limits can be lowered and not raised. `alias-expansion` is how many nodes aliases may "
        "repeat for each code point of the text; whatever it says, 10,000 are always allowed, and never more than "
        "20,000 and one for each two code points.",
        _table("a table such as { depth = 200 }", _limit),
        "limits = { depth = 200, cases = 500000 }",
    ),
    ConfigSetting(
        "targets",
        "table of tables",
        "`{}`",
        "Targets by name, in addition to those of `.agentv/targets.yaml`; one of the same name counts here. A target "
        "has a `provider`, that provider's settings and, if it wants one, a `judge_target`. `${{ NAME }}` stands for a "
        "variable of the environment or of a file `.env`.",
        _table("a table of tables", _raw_table),
        'targets = { local = { provider = "openai", base_url = "http://localhost:11434/v1", model = "small" } }',
    ),
    ConfigSetting(
        "judges",
        "table of tables",
        "`{}`",
        "Judges by name, written as targets are. For judging they count before targets of the same name.",
        _table("a table of tables", _raw_table),
        'judges = { strict = { provider = "anthropic", model = "large", api_key = "${{ JUDGE_KEY }}" } }',
    ),
    ConfigSetting(
        "scorecards",
        "table of tables",
        "`{}`",
        "Scorecards by name, for the cases that name one under `scorecard`; one that the suite defines goes before. "
        "`cases` has the ids, or patterns of ids, of further cases that it is for, where the eval file cannot have the "
        "key.",
        _table("a table of tables", _scorecard),
        'scorecards = { strict = { red_flags = ["Leaks a secret"], cases = ["sql-*"] } }',
    ),
    ConfigSetting(
        "judge",
        "string",
        '`"manual"`',
        "Who judges where neither the command line nor an evaluator nor a target says so: the name of a judge or a "
        "target, `PROVIDER:MODEL`, `replay:FILE`, `editor` or `manual`.",
        _text,
        'judge = "strict"',
    ),
    ConfigSetting(
        "min-grade",
        "string",
        "none",
        "The lowest grade that a scorecard may get: `rubric grade` ends with status 1 where one is below. A grade from "
        "`A+` to `F`.",
        _grade,
        'min-grade = "B"',
        is_for_editors=False,
    ),
    ConfigSetting(
        "allow-outside",
        "boolean",
        "`false`",
        "Whether paths may lead out of the workspace: references in eval files, and links in a walk.",
        _boolean,
        "allow-outside = true",
    ),
)


def read_settings(
    table: Mapping[str, Any], known: Collection[str] | None = None
) -> tuple[Overrides, tuple[SettingProblem, ...]]:
    """Read a table of settings, from the file or from the editor; what is wrong comes back beside it."""
    by_key = {setting.key: setting for setting in SETTINGS}
    reader = SettingsReader(known)
    values: dict[str, Any] = {}
    for key, value in table.items():
        setting = by_key.get(key)
        if setting is None:
            reader.unknown((key,), "setting", by_key)
            continue
        read = setting.read(value, (key,), reader)
        if read is not None:
            values[setting.attribute] = read
    return Overrides(**values), tuple(reader.problems)


def limit_defaults() -> dict[str, int]:
    """Return every limit by its name in the configuration."""
    return {key: int(getattr(DEFAULT.limits, name)) for key, name in _LIMITS.items()}


def limit_ceilings() -> dict[str, int]:
    """Return the most that each limit can be set to."""
    return {key: CEILINGS[name] for key, name in _LIMITS.items()}


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
