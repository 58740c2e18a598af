"""Every setting in one table: its name, its type, its default, what it means and how its value is read.

The file and the editor's settings go through the same readers, so both give the same configuration and the same
problems. A setting that cannot be read has its default, and the others are not affected.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rubric_core.config.config import ANY_DIALECT, DEFAULT, EVERY_RULE, Overrides
from rubric_core.config.setting_readers import (
    Place,
    SettingProblem,
    SettingsReader,
    read_boolean,
    read_dialect,
    read_grade,
    read_ignored_rules,
    read_limit,
    read_list,
    read_raw_table,
    read_rules,
    read_scorecard,
    read_severity,
    read_table,
    read_text_setting,
)
from rubric_core.dialects.registry import BY_NAME


@dataclass(frozen=True, slots=True)
class ConfigSetting:
    """One setting, with its reference and its reader. Some have no meaning in an editor."""

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
        read_rules,
        'select = ["RB1", "RB2", "duplicate-key"]',
    ),
    ConfigSetting(
        "ignore",
        "list of rules",
        "`[]`",
        "The rules that do not run. Where `select` names the same rule, the more specific entry wins.",
        read_rules,
        'ignore = ["RB4", "unsorted-score-ranges"]',
    ),
    ConfigSetting(
        "severity",
        "table of rule to severity",
        "`{}`",
        'The severity of a rule: `"error"`, `"warning"`, `"hint"`, or `"off"`.',
        read_table('a table such as { RB401 = "off" }', read_severity),
        'severity = { RB4 = "off", unknown-key = "error" }',
    ),
    ConfigSetting(
        "include",
        "list of globs",
        f"`{list(DEFAULT.include)}`".replace("'", '"'),
        "Files that are eval files because of their names. Other YAML files are recognised by their content.",
        read_list('a list of globs such as ["evals/*.yaml"]'),
        'include = ["*.eval.yaml", "evals/**/*.yaml"]',
    ),
    ConfigSetting(
        "dialect",
        "string",
        f'`"{ANY_DIALECT}"`',
        f"The dialect of the eval files: {', '.join(f'`{name}`' for name in BY_NAME)}, or `{ANY_DIALECT}` to recognise "
        "it by the keys of each file. A comment `# rubric: dialect=NAME` at the top of a file overrides it.",
        read_dialect,
        'dialect = "agentv-2"',
    ),
    ConfigSetting(
        "exclude",
        "list of globs",
        "`[]`",
        "Files and folders that are left out when a folder is checked. A file that is named itself is always checked.",
        read_list('a list of globs such as ["evals/*.yaml"]'),
        'exclude = ["vendor/", "*.draft.yaml"]',
    ),
    ConfigSetting(
        "per-file-ignores",
        "table of glob to list of rules",
        "`{}`",
        "Rules that do not run in some files, overriding all other settings.",
        read_table('a table such as { "drafts/**" = ["RB4"] }', read_ignored_rules),
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
        read_table("a table such as { depth = 200 }", read_limit),
        "limits = { depth = 200, cases = 500000 }",
    ),
    ConfigSetting(
        "targets",
        "table of tables",
        "`{}`",
        "Targets by name, in addition to those of `.agentv/targets.yaml`; one of the same name counts here. A target "
        "has a `provider`, that provider's settings and, if it wants one, a `judge_target`. `${{ NAME }}` stands for a "
        "variable of the environment or of a file `.env`.",
        read_table("a table of tables", read_raw_table),
        'targets = { local = { provider = "openai", base_url = "http://localhost:11434/v1", model = "small" } }',
    ),
    ConfigSetting(
        "judges",
        "table of tables",
        "`{}`",
        "Judges by name, written as targets are. For judging they count before targets of the same name.",
        read_table("a table of tables", read_raw_table),
        'judges = { strict = { provider = "anthropic", model = "large", api_key = "${{ JUDGE_KEY }}" } }',
    ),
    ConfigSetting(
        "scorecards",
        "table of tables",
        "`{}`",
        "Scorecards by name, for the cases that name one under `scorecard`; one that the suite defines has precedence. "
        "`cases` has the ids, or patterns of ids, of further cases that it is for, where the eval file cannot have the "
        "key.",
        read_table("a table of tables", read_scorecard),
        'scorecards = { strict = { red_flags = ["Leaks a secret"], cases = ["sql-*"] } }',
    ),
    ConfigSetting(
        "judge",
        "string",
        '`"manual"`',
        "The judge to use unless the command line, an evaluator or a target sets one: the name of a judge or a "
        "target, `PROVIDER:MODEL`, `replay:FILE`, `editor` or `manual`.",
        read_text_setting,
        'judge = "strict"',
    ),
    ConfigSetting(
        "min-grade",
        "string",
        "none",
        "The lowest grade that a scorecard may get: `rubric grade` ends with status 1 where one is below. A grade from "
        "`A+` to `F`.",
        read_grade,
        'min-grade = "B"',
        is_for_editors=False,
    ),
    ConfigSetting(
        "allow-outside",
        "boolean",
        "`false`",
        "Whether paths may lead out of the workspace: references in eval files, and links in a walk.",
        read_boolean,
        "allow-outside = true",
    ),
    ConfigSetting(
        "template-env",
        "list of strings",
        "`[]`",
        "The variables of the environment that templates of a suite may use as `{{ env.NAME }}`. Their values stand in "
        "prompts and results, so name no secrets.",
        read_list('a list of names such as ["MODEL"]'),
        'template-env = ["MODEL"]',
        is_for_editors=False,
    ),
)


def read_settings(
    table: Mapping[str, Any], rules: Collection[str] | None = None
) -> tuple[Overrides, tuple[SettingProblem, ...]]:
    """Read a table of settings, from the file or from the editor, and return it with its problems."""
    by_key = {setting.key: setting for setting in SETTINGS}
    reader = SettingsReader(rules)
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
