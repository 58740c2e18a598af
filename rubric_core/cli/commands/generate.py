"""`rubric generate`: let a judge propose criteria for the cases that have none, and write them into the file."""

from typing import Any

import click

from rubric_core.cli import options


@click.command("generate")
@options.paths_argument
@options.cases_option
@click.option("--target", metavar="NAME", help="Target that proposes the criteria.")
@click.option(
    "--judge", metavar="NAME", help="Judge that proposes the criteria: replay:FILE, openai:MODEL or a configured name."
)
@click.option("--ranges", is_flag=True, help="Propose criteria with score ranges instead of a checklist.")
@options.diff_option
@click.option("--dry-run", is_flag=True, help="Show which cases would get criteria without asking the model.")
@options.concurrency_option
@options.no_cache_option
@options.config_option
@options.no_config_option
@options.quiet_option
@click.pass_context
def command(ctx: click.Context, /, **chosen: Any) -> None:
    """Generate rubrics for cases that have none.

    PATHS are files or folders (default: the current folder). For each case that has an expected outcome and no rubrics,
    a model proposes 3 to 7 criteria, which are inserted in the style of the file; nothing else changes. Proposals are
    stored in the folder .rubric, so that a run after `--diff` writes what was shown.

    Exit status: 0 if no case is left without rubrics, 1 if one is, 2 if something failed. With `--diff`: 0 if there is
    nothing to change, 1 if there is.
    """
    if chosen["target"] and chosen["judge"]:
        raise click.UsageError("`--target` and `--judge` cannot be combined.")
    from rubric_core.cli.generated_files import GenerateRequest, generate_request  # noqa: PLC0415 - `--help` needs no models.

    ctx.exit(generate_request(GenerateRequest(**chosen)))
