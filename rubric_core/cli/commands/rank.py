"""`rubric rank`: rank results; ties share a rank."""

from pathlib import Path

import click

from rubric_core.cli import options
from rubric_core.cli.output import show_rendered
from rubric_core.report.families.ranking import By
from rubric_core.report.formats import RANKING_FORMATS


@click.command("rank")
@click.argument("sources", nargs=-1, metavar="[RESULTS]...")
@click.option("--skill", metavar="NAME", help="Rank scorecards of this skill (without RESULTS: all stored ones).")
@click.option(
    "--by",
    type=click.Choice(["score", "scorecard"]),
    help="What to rank by (default: scorecard if all have one, else score).",
)
@options.format_option(RANKING_FORMATS)
@options.output_option
def command(sources: tuple[str, ...], *, skill: str | None, by: By | None, format_: str, output: Path | None) -> None:
    """Rank results; equal results share a rank.

    RESULTS are files that `rubric grade` wrote as json or jsonl, result files of AgentV 4 and 5, or stored runs (a
    number, `latest`, `previous`). They are ranked by their scores or by their scorecards. Scorecards with the same
    final score are compared in nine more steps, from correctness to bonuses, and the table names the deciding step.
    Those still equal share a rank.
    """
    from rubric_core.cli.result_sources import named_results, skill_results  # noqa: PLC0415 - `--help` reads no results.
    from rubric_core.report.families.ranking import RankingEntry, rank_results  # noqa: PLC0415 - the same.

    if not sources and skill is None:
        raise click.UsageError("Pass result files, run numbers, or a skill with `--skill`.")
    named = named_results(sources) if sources else skill_results(str(skill))
    entries = [
        RankingEntry(source.name, result)
        for source in named
        for result in source.results
        if skill is None or (result.scorecard is not None and result.scorecard.skill == skill)
    ]
    ranked = rank_results(entries, by or ("scorecard" if skill is not None else None))
    show_rendered(RANKING_FORMATS[format_], ranked, output=output)
