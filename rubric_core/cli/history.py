"""`rubric history`: how the grades of a skill went."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from rubric_core.cli.output import page_for, print_data, print_text, say
from rubric_core.cli.stored import existing_store
from rubric_core.report.history.reviewed import reviewed
from rubric_core.scoring.history import WINDOW

if TYPE_CHECKING:
    from collections.abc import Collection

FORMATS = ("text", "json", "csv")
DEFAULT_LIMIT = 20
NOTHING = "There is no history yet: grade a case that has a scorecard with `rubric grade`, and it starts."


@click.command("history")
@click.argument("skill", required=False)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMIT,
    metavar="N",
    help=f"Show the last N evaluations. Default: {DEFAULT_LIMIT}.",
)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="How to print them.")
def command(skill: str | None, limit: int, format_: str) -> None:
    """Show how the grades of a skill went.

    SKILL is the name in the scorecard; where a scorecard names none, FILE:CASE. Without it, all skills are listed. A
    score that lies far from those before it is marked for a review; that never changes a grade.
    """
    report = import_module(f"rubric_core.report.history.{format_}")
    options: dict[str, Any] = {"page": page_for(sys.stdout)} if format_ == "text" else {}
    with existing_store() as store:
        known = {} if store is None else {each.name: each for each in store.skills()}
        if skill is None:
            text = report.render_skills(known.values(), **options)
        elif store is None or skill not in known:
            raise _unknown(skill, known)
        else:
            shown = reviewed(store.history_of(skill, limit + WINDOW), limit)
            text = report.render_skill(known[skill], shown, **options)
    if not known:
        say(NOTHING)
    (print_text if format_ == "text" else print_data)(text)


def _unknown(name: str, known: Collection[str]) -> click.UsageError:
    """Return what is said of a skill without a history, with the name that was probably meant."""
    from rubric_core.schema.suggest import closest  # noqa: PLC0415 - only a typing error needs it.

    if not known:
        return click.UsageError(NOTHING)
    meant = closest(name, known)
    hint = f"Did you mean `{meant}`?" if meant else "`rubric history` lists all."
    return click.UsageError(f"There is no skill `{name}` in the history. {hint}")
