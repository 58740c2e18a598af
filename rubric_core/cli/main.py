"""The `rubric` command. A subcommand is imported when it is called, so that each starts fast."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from rubric_core import __version__
from rubric_core.cli.output import COULD_NOT_RUN, INTERRUPTED, end_quietly
from rubric_core.cli.parallel import collect_seldom

SUBCOMMANDS = {
    "check": "Report problems in eval files.",
    "fix": "Fix problems in eval files.",
    "migrate": "Convert eval files to another dialect.",
    "generate": "Generate rubrics for cases that have none.",
    "prompt": "Show the prompts that a judge would receive.",
    "grade": "Grade answers to eval cases.",
    "history": "Show the grades of a skill over time.",
    "report": "Report the results of an earlier run.",
    "compare": "Compare two runs: did a change help?",
    "rank": "Rank results; equal results share a rank.",
    "agreement": "Show how well judges agree with a person.",
    "explain": "Explain a rule.",
    "rules": "List all rules.",
    "schema": "Print the JSON Schema of eval files.",
}
"""The subcommands and their summaries, which `rubric --help` shows without importing any of them."""


def load_subcommand(name: str) -> click.Command:
    """Import a subcommand."""
    command: click.Command = import_module(f"rubric_core.cli.commands.{name}").command
    return command


class LazyGroup(click.Group):
    """A group whose subcommands are those of the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's.
        """Return the names in the order of the table."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same.
        """Return a subcommand by its name."""
        return load_subcommand(cmd_name) if cmd_name in SUBCOMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - the same.
        """Write the table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="rubric", message="%(prog)s %(version)s")
def cli() -> None:
    """Check, fix and grade LLM eval files (YAML)."""


def main() -> None:
    """Run the command line and end the process with its status."""
    collect_seldom()
    status = run(sys.argv[1:])
    # Skip the last garbage collection, since all memory is freed with the process.
    gc.freeze()
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status; errors are printed without a traceback."""
    try:
        status = cli.main(list(arguments), prog_name="rubric", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe, as in `rubric rules | head`.
        end_quietly()
        return 0
    except Exception as error:
        if os.environ.get("RUBRIC_DEBUG"):
            raise
        click.echo(f"rubric: {_reason_of(error)} (set RUBRIC_DEBUG=1 to see the traceback)", err=True)
        return COULD_NOT_RUN
    return status if isinstance(status, int) else 0


def _reason_of(error: Exception) -> str:
    """Return an error in words, without the class name for errors of the operating system."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{type(error).__name__}: {error}"
