"""Options and arguments that several subcommands share, so that they are spelt and explained in one way."""

from __future__ import annotations

from pathlib import Path

import click

from rubric_core.cli.sources import STDIN

FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
INPUT_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)

paths_argument = click.argument("paths", nargs=-1, type=click.Path())
select_option = click.option(
    "--select", multiple=True, metavar="RULES", help="Only these rules: codes, names or prefixes such as RB1."
)
ignore_option = click.option("--ignore", multiple=True, metavar="RULES", help="Not these rules.")
config_option = click.option("--config", "config_file", type=EXISTING_FILE, help="Read this configuration file.")
no_config_option = click.option("--no-config", is_flag=True, help="Read no configuration file.")
stdin_filename_option = click.option(
    "--stdin-filename", metavar="NAME", help="The name of the text on standard input (with `-` as path)."
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Use at most N processes. Default: one a processor."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print nothing but the result itself.")


def refuse_stdin_contradictions(paths: tuple[str, ...], stdin_filename: str | None) -> None:
    """End the command where standard input and files are both asked for."""
    if STDIN in paths and len(paths) > 1:
        raise click.UsageError("`-` stands for standard input and goes with no other path.")
    if stdin_filename and paths and STDIN not in paths:
        raise click.UsageError("`--stdin-filename` names the text on standard input; give `-` as the path.")
