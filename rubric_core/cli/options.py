"""Options and arguments that several subcommands share."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from rubric_core.cli.inputs import STDIN

Command = TypeVar("Command", bound="Callable[..., Any] | click.Command")

FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
INPUT_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)

paths_argument = click.argument("paths", nargs=-1, type=click.Path())
cases_option = click.option("--case", "cases", multiple=True, metavar="ID|GLOB", help="Select cases by id or pattern.")
concurrency_option = click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Maximum number of concurrent requests (default: 8)."
)
no_cache_option = click.option("--no-cache", is_flag=True, help="Do not reuse earlier answers of the judge.")
diff_option = click.option("--diff", is_flag=True, help="Show the changes as a diff without writing any file.")
select_option = click.option(
    "--select", multiple=True, metavar="RULES", help="Run only these rules (codes, names, or prefixes such as RB1)."
)
ignore_option = click.option(
    "--ignore", multiple=True, metavar="RULES", help="Skip these rules (codes, names, or prefixes such as RB1)."
)
config_option = click.option("--config", "config_file", type=EXISTING_FILE, help="Use this configuration file.")
no_config_option = click.option("--no-config", is_flag=True, help="Ignore all configuration files.")
stdin_filename_option = click.option(
    "--stdin-filename", metavar="NAME", help="File name of the text on standard input (with `-` as the path)."
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of worker processes (default: one per CPU core)."
)
skip_unknown_option = click.option(
    "--skip-unknown", is_flag=True, help="Skip named files that are not eval files without a message, as in a folder."
)
output_option = click.option("--output", type=FILE, help="Write the report to FILE instead of standard output.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print only the result.")


def format_option(formats: Iterable[str]) -> Callable[[Command], Command]:
    """Return the option that chooses one of the formats."""
    choice = click.Choice(list(formats))
    return click.option("--format", "format_", type=choice, default="text", help="Output format (default: text).")


def check_stdin_options(paths: tuple[str, ...], stdin_filename: str | None) -> None:
    """Raise UsageError if standard input and files are both named."""
    if STDIN in paths and len(paths) > 1:
        raise click.UsageError("`-` (standard input) cannot be combined with other paths.")
    if stdin_filename and paths and STDIN not in paths:
        raise click.UsageError("`--stdin-filename` requires `-` as the only path.")
