"""`rubric rules`: all rules in one table."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from rubric_core.cli.output import paint_for, print_data, print_text
from rubric_core.report.rule_facts import all_rule_facts

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.report.colours import Paint
    from rubric_core.report.rule_facts import RuleFacts


@click.command("rules")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How to list them.")
def command(format_: str) -> None:
    """List all rules.

    The table has the code, the name, the default severity and whether `rubric fix` has a fix: a safe one keeps the
    meaning of the file, an unsafe one is made only with `--unsafe`. `rubric explain` shows the page of a rule.
    """
    rules = all_rule_facts().values()
    if format_ == "json":
        print_data(render_json(rules))
    else:
        print_text(render_table(rules, paint_for(sys.stdout)))


def render_table(rules: Collection[RuleFacts], paint: Paint) -> str:
    """Return the rules as an aligned table."""
    names = max(len(rule.name) for rule in rules)
    levels = max(len(rule.severity) for rule in rules)
    return "".join(
        f"{paint('strong', rule.code)}  {rule.name:<{names}}  "
        f"{paint(rule.severity, f'{rule.severity:<{levels}}')}  {_fix(rule)}".rstrip()
        + "\n"
        for rule in rules
    )


def render_json(rules: Collection[RuleFacts]) -> str:
    """Return the rules as a JSON list."""
    listed = [{**rule._asdict(), "fixes": rule.fixes or None} for rule in rules]
    return f"{json.dumps(listed, indent=2)}\n"


def _fix(rule: RuleFacts) -> str:
    return f"{rule.fixes} fix" if rule.fixes else ""
