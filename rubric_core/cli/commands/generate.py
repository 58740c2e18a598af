"""`rubric generate`: let a judge propose criteria for the cases that have none, and write them into the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rubric_core.cli import options
from rubric_core.cli.configuration import ConfigRequest

if TYPE_CHECKING:
    from pathlib import Path


@click.command("generate")
@options.paths_argument
@click.option("--case", "cases", multiple=True, metavar="ID|GLOB", help="Only these cases.")
@click.option("--target", metavar="NAME", help="The target that writes the criteria.")
@click.option("--judge", metavar="NAME", help="The judge that writes them: replay:FILE, openai:MODEL or a known name.")
@click.option("--ranges", is_flag=True, help="Write criteria with score ranges instead of a checklist.")
@click.option("--diff", is_flag=True, help="Show the changes and write nothing.")
@click.option("--dry-run", is_flag=True, help="Show which cases would get criteria, and ask nobody.")
@click.option("--concurrency", type=click.IntRange(min=1), metavar="N", help="Ask N things at once. Default: 8.")
@click.option("--no-cache", is_flag=True, help="Ask again also where the judge has answered the same before.")
@options.config_option
@options.no_config_option
@options.quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    concurrency: int | None,
    no_cache: bool,
    config_file: Path | None,
    no_config: bool,
    **chosen: Any,
) -> None:
    """Write rubrics for the cases that have none.

    PATHS are files and folders; the current folder if there are none. For each case with an expected outcome and
    without rubrics a judge proposes 3 to 7 criteria, which are inserted in the style of the file. Nothing else in it
    changes. What was proposed is kept in the folder .rubric, so that the run after `--diff` writes what was shown.

    Ends with status 0 if no case is left without rubrics, 1 if one is, 2 if something failed. With `--diff`: 0 if
    there is nothing to change, 1 if there is.
    """
    if chosen["target"] and chosen["judge"]:
        raise click.UsageError("`--target` and `--judge` both say who writes the criteria; give one of them.")
    from rubric_core.cli.generated_files import GenerateRequest, generate_request  # noqa: PLC0415 - `--help` needs no models.
    from rubric_core.grading.run import DEFAULT_CONCURRENCY  # noqa: PLC0415 - the same.

    request = GenerateRequest(
        config=ConfigRequest(file=config_file.absolute() if config_file else None, isolated=no_config),
        concurrency=concurrency or DEFAULT_CONCURRENCY,
        remembers=not no_cache,
        **chosen,
    )
    ctx.exit(generate_request(request))
