"""`rubric agreement`: how far the judges agree with a person."""

from collections.abc import Sequence

import click

from rubric_core.cli import options
from rubric_core.cli.output import say, show_rendered, suggestion
from rubric_core.cli.result_sources import existing_store
from rubric_core.grading.store.pairs import PairedJudgement
from rubric_core.report.formats import AGREEMENT_FORMATS

NOTHING = (
    "Nothing to compare yet. Judge some answers yourself with `rubric grade FILE --judge manual`, "
    "and let a model judge the same answers."
)


@click.command("agreement")
@options.paths_argument
@click.option("--judge", metavar="NAME", help="Show only this judge.")
@options.format_option(AGREEMENT_FORMATS)
def command(paths: tuple[str, ...], judge: str | None, format_: str) -> None:
    """Show how well judges agree with a person.

    Your judgement of a criterion is compared with that of each judge for the same answer; the newest judgement of each
    counts. Without PATHS, the judgements of all files are compared.
    """
    from rubric_core.report.families.agreement import agreements  # noqa: PLC0415 - `--help` draws no table.

    with existing_store() as store:
        pairs = () if store is None else store.paired_judgements(paths)
    judges = agreements(_of_judge(pairs, judge))
    if not judges:
        say(NOTHING if not paths else f"{NOTHING} Only the named paths were searched.")
    show_rendered(AGREEMENT_FORMATS[format_], judges)


def _of_judge(pairs: Sequence[PairedJudgement], name: str | None) -> Sequence[PairedJudgement]:
    """Return the pairs of a judge; an unknown name ends the command, unless there are no pairs at all."""
    own = [pair for pair in pairs if name in (None, pair.judge.name)]
    if pairs and not own:
        names = sorted({pair.judge.name for pair in pairs})
        hint = suggestion(name or "", names, f"There are {', '.join(f'`{other}`' for other in names)}.")
        raise click.UsageError(f"No judgement of `{name}` can be compared. {hint}")
    return own
