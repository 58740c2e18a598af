"""`rubric rules`: all rules in one table."""

import json
import sys
from collections.abc import Collection

import click

from rubric_core.cli import options
from rubric_core.cli.output import page_for, print_data, print_text
from rubric_core.report.rule_facts import RuleFacts, all_rule_facts
from rubric_core.terminal.display import Page


@click.command("rules")
@options.format_option(("text", "json"))
def command(format_: str) -> None:
    """List all rules.

    The table shows the code, name and default severity of each rule, and whether `rubric fix` can fix its problems: a
    safe fix keeps the meaning of the file, an unsafe one is applied only with `--unsafe`.
    """
    rules = all_rule_facts().values()
    if format_ == "json":
        print_data(render_json(rules))
    else:
        print_text(render(rules, page_for(sys.stdout)))


def render(rules: Collection[RuleFacts], page: Page) -> str:
    """Return the rules as a table."""
    from rich.text import Text  # noqa: PLC0415 - JSON is not drawn.

    from rubric_core.terminal.drawing import draw, table  # noqa: PLC0415 - the same.

    drawn = table("", "", "", "")
    for rule in rules:
        fix = f"{rule.fixes} fix" if rule.fixes else ""
        drawn.add_row(Text(rule.code, "strong"), rule.name, Text(rule.severity, rule.severity), fix)
    return draw(drawn, page)


def render_json(rules: Collection[RuleFacts]) -> str:
    """Return the rules as a JSON list."""
    listed = [{**rule._asdict(), "fixes": rule.fixes or None} for rule in rules]
    return f"{json.dumps(listed, indent=2)}\n"
