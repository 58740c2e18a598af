"""`rubric history`: how the grades of a skill went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rubric_core.cli.output import say, show_rendered
from rubric_core.cli.result_sources import existing_store
from rubric_core.report.formats import HISTORY_FORMATS
from rubric_core.report.history.reviewed import reviewed
from rubric_core.scoring.history import WINDOW

if TYPE_CHECKING:
    from collections.abc import Collection

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
@click.option(
    "--format", "format_", type=click.Choice(list(HISTORY_FORMATS)), default="text", help="How to print them."
)
def command(skill: str | None, limit: int, format_: str) -> None:
    """Show how the grades of a skill went.

    SKILL is the name in the scorecard; where a scorecard names none, FILE:CASE. Without it, all skills are listed. A
    score that lies far from those before it is marked for a review; that never changes a grade.
    """
    with existing_store() as store:
        known = {} if store is None else {each.name: each for each in store.skills()}
        if skill is not None and (store is None or skill not in known):
            raise _unknown(skill, known)
        evaluations = () if store is None or skill is None else store.history_of(skill, limit + WINDOW)
    if not known:
        say(NOTHING)
    if skill is None:
        show_rendered(HISTORY_FORMATS[format_], known.values())
    else:
        of_skill = HISTORY_FORMATS[format_]._replace(function="render_skill")
        show_rendered(of_skill, known[skill], reviewed(evaluations, limit))


def _unknown(name: str, known: Collection[str]) -> click.UsageError:
    """Return what is said of a skill without a history, with the name that was probably meant."""
    from rubric_core.schema.suggest import closest  # noqa: PLC0415 - only a typing error needs it.

    if not known:
        return click.UsageError(NOTHING)
    meant = closest(name, known)
    hint = f"Did you mean `{meant}`?" if meant else "`rubric history` lists all."
    return click.UsageError(f"There is no skill `{name}` in the history. {hint}")
