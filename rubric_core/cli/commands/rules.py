"""`rubric rules`: all rules in one table."""

import json
import sys

import click

from rubric_core.cli import options
from rubric_core.cli.output import page_for, print_data, print_text
from rubric_core.report.rule_facts import all_rule_facts


@click.command("rules")
@options.format_option(("text", "json"))
def command(format_: str) -> None:
    """List all rules.

    The table shows the code, name and default severity of each rule, and whether `rubric fix` can fix its problems: a
    safe fix keeps the meaning of the file, an unsafe one is applied only with `--unsafe`.
    """
    rules = all_rule_facts().values()
    if format_ == "json":
        listed = [{**rule._asdict(), "fixes": rule.fixes or None} for rule in rules]
        print_data(f"{json.dumps(listed, indent=2)}\n")
        return
    from rich.text import Text  # noqa: PLC0415 - JSON is not drawn.

    from rubric_core.terminal.drawing import draw, table  # noqa: PLC0415 - the same.

    drawn = table("", "", "", "")
    for rule in rules:
        fix = f"{rule.fixes} fix" if rule.fixes else ""
        drawn.add_row(Text(rule.code, "strong"), rule.name, Text(rule.severity, rule.severity), fix)
    print_text(draw(drawn, page_for(sys.stdout)))
