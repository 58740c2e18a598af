"""`rubric rank`: who is ahead, with ties on one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rubric_core.cli.options import FILE
from rubric_core.cli.output import show_rendered
from rubric_core.report.formats import RANKING_FORMATS

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.report.ranking.ranked import By


@click.command("rank")
@click.argument("sources", nargs=-1, metavar="[RESULTS]...")
@click.option("--skill", metavar="NAME", help="Only scorecards of this skill; without RESULTS, all that the store has.")
@click.option("--by", type=click.Choice(["score", "scorecard"]), help="Default: scorecard if all have one, else score.")
@click.option("--format", "format_", type=click.Choice(list(RANKING_FORMATS)), default="text", help="How to report.")
@click.option("--output", type=FILE, help="Write the table to this file.")
def command(sources: tuple[str, ...], *, skill: str | None, by: By | None, format_: str, output: Path | None) -> None:
    """Rank results, with ties on one place.

    RESULTS are files that `rubric grade` wrote as json or jsonl, or runs of the store (a number, `latest`,
    `previous`). They are ranked by their scores, or by their scorecards: those with the same final score are told
    apart in nine steps, from correctness to bonuses, and the table names the step. What is equal to the end is
    equivalent and shares a place.
    """
    from rubric_core.cli.result_sources import named_results, skill_results  # noqa: PLC0415 - `--help` reads no results.
    from rubric_core.report.ranking.ranked import RankingEntry, rank_results  # noqa: PLC0415 - the same.

    if not sources and skill is None:
        raise click.UsageError("Name files of results or runs of the store, or a skill with `--skill`.")
    named = named_results(sources) if sources else skill_results(str(skill))
    entries = [
        RankingEntry(each.name, result)
        for each in named
        for result in each.results
        if skill is None or (result.scorecard is not None and result.scorecard.skill == skill)
    ]
    ranked = rank_results(entries, by or ("scorecard" if skill is not None else None))
    show_rendered(RANKING_FORMATS[format_], ranked, output=output)
