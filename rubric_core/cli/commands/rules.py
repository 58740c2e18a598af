"""`rubric rules`: all rules in one table."""

import click

from rubric_core.cli import options
from rubric_core.cli.output import show_rendered
from rubric_core.report.formats import RULES_FORMATS
from rubric_core.report.rule_facts import all_rule_facts


@click.command("rules")
@options.format_option(RULES_FORMATS)
def command(format_: str) -> None:
    """List all rules.

    The table shows the code, name and default severity of each rule, and whether `rubric fix` can fix its problems: a
    safe fix keeps the meaning of the file, an unsafe one is applied only with `--unsafe`.
    """
    show_rendered(RULES_FORMATS[format_], tuple(all_rule_facts().values()))
