"""`rubric explain`: the page of a rule in the terminal."""

import sys

import click

from rubric_core.cli.output import page_for, print_text
from rubric_core.report.rule_facts import RuleFacts, all_rule_facts, render_page
from rubric_core.schema.suggest import closest


@click.command("explain")
@click.argument("rule")
def command(rule: str) -> None:
    """Explain a rule.

    RULE is a code such as RB103 or a name such as uncovered-scores.
    """
    print_text(render_page(find_rule(rule).page, page_for(sys.stdout).paint))


def find_rule(word: str) -> RuleFacts:
    """Return the rule that a code or a name means, in whatever case it is typed."""
    known = all_rule_facts()
    by_name = {rule.name: rule for rule in known.values()}
    found = known.get(word.upper()) or by_name.get(word.lower())
    if found is None:
        instead = closest(word, [*by_name, *known])
        hint = f"Did you mean `{instead}`?" if instead else "Run `rubric rules` to list all rules."
        raise click.UsageError(f"Unknown rule `{word}`. {hint}")
    return found
