"""`rubric explain`: the page of a rule in the terminal."""

import sys

import click

from rubric_core.cli.output import page_for, print_text, suggestion
from rubric_core.report.rule_facts import all_rule_facts, render_page


@click.command("explain")
@click.argument("rule")
def command(rule: str) -> None:
    """Explain a rule.

    RULE is a code such as RB103 or a name such as uncovered-scores.
    """
    rules = all_rule_facts()
    by_name = {facts.name: facts for facts in rules.values()}
    known_rule = rules.get(rule.upper()) or by_name.get(rule.lower())
    if known_rule is None:
        hint = suggestion(rule, [*by_name, *rules], "Run `rubric rules` to list all rules.")
        raise click.UsageError(f"Unknown rule `{rule}`. {hint}")
    print_text(render_page(known_rule.page, page_for(sys.stdout).paint))
