"""`rubric rank`: who is ahead, with ties on one place."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from rubric_core.cli.options import FILE
from rubric_core.cli.output import paint_for, print_data, print_text, write_file

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.report.ranking.ranked import By, Ranked

FORMATS = ("text", "json", "markdown")


@click.command("rank")
@click.argument("sources", nargs=-1, metavar="[RESULTS]...")
@click.option("--skill", metavar="NAME", help="Only scorecards of this skill; without RESULTS, all that the store has.")
@click.option("--by", type=click.Choice(["score", "scorecard"]), help="Default: scorecard if all have one, else score.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", help="How to report.")
@click.option("--output", type=FILE, help="Write the table to this file.")
def command(sources: tuple[str, ...], *, skill: str | None, by: By | None, format_: str, output: Path | None) -> None:
    """Rank results by their scores or by their scorecards.

    RESULTS are files that `rubric grade` wrote as json or jsonl, or runs of the store (a number, `latest`,
    `previous`). Scorecards with the same final score are told apart in nine steps, from correctness to bonuses; the
    table names the step. Those that are equal to the end are equivalent and share a place.
    """
    from rubric_core.cli.result_sources import named_results, skill_results  # noqa: PLC0415 - `--help` reads no results.
    from rubric_core.report.ranking.ranked import Entry, rank_results  # noqa: PLC0415 - the same.

    if not sources and skill is None:
        raise click.UsageError("Name files of results or runs of the store, or a skill with `--skill`.")
    named = named_results(sources) if sources else skill_results(str(skill))
    entries = [
        Entry(each.name, result)
        for each in named
        for result in each.results
        if skill is None or (result.scorecard is not None and result.scorecard.skill == skill)
    ]
    _show(rank_results(entries, by or ("scorecard" if skill is not None else None)), format_, output)


def _show(ranked: Ranked, format_: str, output: Path | None) -> None:
    render = import_module(f"rubric_core.report.ranking.{format_}").render
    if output is not None:
        write_file(output, render(ranked))
    elif format_ == "text":
        print_text(render(ranked, paint=paint_for(sys.stdout)))
    else:
        print_data(render(ranked))
