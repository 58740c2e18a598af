"""The commands as a page of the documentation."""

from __future__ import annotations

import inspect

import click

from rubric_core.cli.main import SUBCOMMANDS, load_subcommand

_HEADER = """\
# Commands

<!-- Made from rubric_core/cli by `make docs`. Change the options there, not this page. -->

`rubric COMMAND --help` shows the same in the terminal.
"""

_TABLE_HEAD = "| option | meaning |\n|---|---|"


def render_command_reference() -> str:
    """Return the page as Markdown."""
    return "\n".join([_HEADER, *(_section(name, load_subcommand(name)) for name in SUBCOMMANDS)])


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"rubric {name}")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    options = [each for each in command.params if isinstance(each, click.Option)]
    table = [_TABLE_HEAD, *(_row(each, context) for each in options), ""] if options else []
    return "\n".join([f"## rubric {name}\n", f"`{usage}`\n", f"{inspect.cleandoc(command.help or '')}\n", *table])


def _row(option: click.Option, context: click.Context) -> str:
    written, meaning = option.get_help_record(context) or ("", "")
    # Behind two spaces click adds what the parser accepts, which every meaning here says itself.
    cells = (f"`{written}`", meaning.partition("  [")[0])
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
