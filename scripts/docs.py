"""Writes the documentation that is made from the code: rules, fields, configuration, commands, providers, JSON Schema.

`make docs` runs it; `--check` only tells whether a page is stale.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from reference.commands import render_command_reference
from reference.configuration import render_configuration_reference
from reference.dialects import render_dialects
from reference.fields import render_field_index, render_field_reference
from reference.migration import render_migration
from reference.providers import render_provider_reference

from rubric_core.dialects.json_schema import build_json_schema
from rubric_core.dialects.registry import DIALECTS
from rubric_core.report.rule_facts import RuleFacts, all_rule_facts

ROOT = Path(__file__).parents[1]
GROUPS = {
    "RB0": "The file itself",
    "RB1": "Score ranges",
    "RB2": "Criteria and cases",
    "RB3": "Gates and verdicts",
    "RB4": "Wording and balance",
    "RB5": "Messages, evaluators and targets",
    "RB6": "Scorecards",
    "RB7": "Dialects: what the upstream tool loses",
    "RB8": "promptfoo, and what cannot fail or cannot pass",
    "RB9": "Suppressions and configuration",
}


def pages() -> dict[Path, str]:
    """Return every generated page."""
    docs = ROOT / "docs"
    rules = all_rule_facts()
    return {
        docs / "fields.md": render_field_index(),
        **{docs / "fields" / f"{each.name}.md": render_field_reference(each) for each in DIALECTS},
        docs / "configuration.md": render_configuration_reference(),
        docs / "commands.md": render_command_reference(),
        docs / "providers.md": render_provider_reference(),
        docs / "dialects.md": render_dialects((docs / "dialects.md").read_text(encoding="utf-8")),
        docs / "migration.md": render_migration((docs / "migration.md").read_text(encoding="utf-8")),
        docs / "eval-file.schema.json": json.dumps(build_json_schema(), indent=2, ensure_ascii=False) + "\n",
        docs / "rules" / "README.md": render_rule_index(list(rules.values())),
        **{docs / "rules" / f"{rule.code}.md": rule.page + _see_also(rule.code) for rule in rules.values()},
    }


def _see_also(code: str) -> str:
    about_dialects = code.startswith("RB7") or code == "RB009"
    return "\nSee [Dialects](../dialects.md) for the generations of the format.\n" if about_dialects else ""


def render_rule_index(rules: list[RuleFacts]) -> str:
    """Return the table of all rules, grouped by what they are about."""
    parts = ["# Rules\n\nMade by `make docs`. `rubric explain CODE` shows a page in the terminal.\n"]
    without_group = [rule.code for rule in rules if rule.code[:3] not in GROUPS]
    if without_group:
        sys.exit(f"Add the group of {', '.join(without_group)} to GROUPS of scripts/docs.py.")
    for prefix, title in GROUPS.items():
        rows = [rule for rule in rules if rule.code.startswith(prefix)]
        parts.append(f"\n## {title}\n\n| code | name | severity | fixes | what it finds |\n|---|---|---|---|---|\n")
        parts += [
            f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity} | {rule.fixes} | {rule.summary} |\n"
            for rule in rows
        ]
    return "".join(parts)


def stale_pages() -> list[Path]:
    """Return the pages whose text on disk is not what the code says, and pages of rules and dialects that are gone."""
    wanted = pages()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    made = [path for folder in ("rules", "fields") for path in (ROOT / "docs" / folder).glob("*.md")]
    return stale + [path for path in made if path not in wanted]


def main() -> int:
    """Write the stale pages, or with `--check` only name them."""
    stale = stale_pages()
    wanted = pages()
    for path in stale:
        name = path.relative_to(ROOT)
        if "--check" in sys.argv:
            print(f"stale: {name}")
        elif path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
            print(f"written: {name}")
        else:
            path.unlink()
            print(f"removed: {name}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
