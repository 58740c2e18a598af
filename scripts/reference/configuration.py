"""The settings as a page of the documentation."""

from __future__ import annotations

from rubric_core.config.setting_readers import LIMIT_FIELDS
from rubric_core.config.settings import SETTINGS
from rubric_core.syntax.limits import CEILINGS, DEFAULT_LIMITS

_INTRODUCTION = """\
# Configuration

Rubric reads the nearest `rubric.toml`, or `pyproject.toml` with a table `[tool.rubric]`, in the folder of an eval file
or above it. Where one folder has both, `rubric.toml` counts. Nearer files are not merged with farther ones.
The command line and the editor's settings go on top.

```toml
# rubric.toml                          # in pyproject.toml the same keys are under [tool.rubric]
ignore = ["RB4"]
severity = { unknown-key = "error" }
per-file-ignores = { "drafts/**" = ["missing-file"] }
```

What is wrong in the file is reported at its place, as `invalid-configuration` (RB903) or `unknown-rule` (RB902).
Everything else in the file stays in force, and `rubric grade` does not start: a minimum grade that cannot be read would
let everything pass. A limit above its ceiling is a warning, and the ceiling is used.

## Settings
"""

_PRECEDENCE = """\
## Which setting wins

1. Without `select` every rule is on. With it, only the rules that it names are on.
2. `ignore` turns rules off. Where `select` and `ignore` both name a rule, the more specific entry wins: a code or a
   name beats a prefix, a longer prefix beats a shorter one. Between equal entries the later layer wins (the command
   line and the editor stand on top of the file); within one layer `ignore` wins.
3. `severity` sets the severity of a rule that is on, or turns it off. The more specific entry wins, then the later one.
   A rule that is off in the file is on again when the command line or the editor selects it at least as specifically.
4. `per-file-ignores` turns rules off in the files that it names, overriding everything else.

## Globs

`*` and `?` stay within one name, `**` spans folders, `[ab]` is one of several characters. A glob without a slash is
a name in any folder. A glob with a slash counts from the folder of the configuration. A glob that names a folder takes
in everything below it.

## Which files are checked

A folder is walked for `*.yaml`, `*.yml` and `*.jsonl`, and for JSON files that are configurations of promptfoo by their
names, or that one names as its tests. Left out are what `exclude` names, what `.gitignore` files and
`.git/info/exclude` name, `node_modules`, `__pycache__`, `site-packages`, and folders whose name starts with a dot,
except `.agentv`. A file or folder that is named itself on the command line is always taken. A link is followed
only within the workspace, unless `allow-outside` is true.

## Comments in eval files

| comment | meaning |
|---|---|
| `# rubric: ignore[RB103]` | at the end of a line: silences the rule on that line; alone on a line: on the next line |
| `# rubric: ignore[uncovered-scores, RB101]` | several rules, by code or by name |
| `# rubric: ignore` | everything on that line |
| `# rubric: ignore-file[RB401]` | before the first content of the file: silences the rule in the whole file |
| `# rubric: file` | marks a file as an eval file |

A value of several lines counts as standing on its first line. `unused-suppression` (RB901) and `unknown-rule` (RB902)
can be silenced by `ignore-file` and by the configuration only.
"""


def render_configuration_reference() -> str:
    """Return the text of docs/configuration.md."""
    rows = [
        "| setting | type | default |",
        "|---|---|---|",
        *(f"| [`{each.key}`](#{each.key}) | {each.type} | {each.default} |" for each in SETTINGS),
    ]
    details = [f"### `{each.key}`\n\n{each.doc}\n\n```toml\n{each.example}\n```\n" for each in SETTINGS]
    limits = [f"| `{key}` | {getattr(DEFAULT_LIMITS, name)} | {CEILINGS[name]} |" for key, name in LIMIT_FIELDS.items()]
    return "\n".join(
        [
            _INTRODUCTION,
            *rows,
            "",
            *details,
            "## Default limits\n",
            "| limit | default | at most |",
            "|---|---|---|",
            *limits,
            "",
            _PRECEDENCE.rstrip(),
            "",
        ],
    )
