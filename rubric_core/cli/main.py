"""The `rubric` command. A subcommand is imported when it is called, so that each starts as fast as it can."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click

from rubric_core import __version__
from rubric_core.cli.failures import COULD_NOT_RUN, INTERRUPTED
from rubric_core.cli.output import end_quietly
from rubric_core.cli.parallel import collect_seldom

if TYPE_CHECKING:
    from collections.abc import Sequence


class Subcommand(NamedTuple):
    """Where a subcommand is defined, and what `rubric --help` says of it without importing it."""

    module: str
    summary: str

    def load(self) -> click.Command:
        """Import the subcommand."""
        command: click.Command = import_module(self.module).command
        return command


SUBCOMMANDS = {
    "check": Subcommand("rubric_core.cli.check", "Report the problems of eval files."),
    "fix": Subcommand("rubric_core.cli.fix", "Fix what can be fixed without asking."),
    "generate": Subcommand("rubric_core.cli.generate", "Write rubrics for the cases that have none."),
    "prompt": Subcommand("rubric_core.cli.prompt", "Show what a judge would be asked."),
    "grade": Subcommand("rubric_core.cli.grade", "Grade answers to the cases of eval files."),
    "history": Subcommand("rubric_core.cli.history", "Show how the grades of a skill went."),
    "report": Subcommand("rubric_core.cli.report", "Report results that were graded before."),
    "compare": Subcommand("rubric_core.cli.compare", "Compare two gradings: did a change help?"),
    "rank": Subcommand("rubric_core.cli.rank", "Rank results, with ties on one place."),
    "agreement": Subcommand("rubric_core.cli.agreement", "Show how far the judges agree with a person."),
    "explain": Subcommand("rubric_core.cli.explain", "Show the page of a rule."),
    "rules": Subcommand("rubric_core.cli.rules", "List all rules."),
    "schema": Subcommand("rubric_core.cli.schema", "Print the JSON Schema of eval files."),
}


class LazyGroup(click.Group):
    """A group that knows its subcommands from the table."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's.
        """Return the names in the order of the table."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same.
        """Import a subcommand by its name."""
        found = SUBCOMMANDS.get(cmd_name)
        return found.load() if found else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - the same.
        """Write the table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, subcommand.summary) for name, subcommand in SUBCOMMANDS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="rubric", message="%(prog)s %(version)s")
def cli() -> None:
    """Check, fix and explain the YAML files of LLM evals."""


def main() -> None:
    """Run the command line and end the process with its status."""
    collect_seldom()
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status. Nothing that a user does ends in a traceback."""
    try:
        status = cli.main(list(arguments), prog_name="rubric", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away, which is how `rubric rules | head` ends.
        end_quietly()
        return 0
    except Exception as error:
        if os.environ.get("RUBRIC_DEBUG"):
            raise
        click.echo(f"rubric: {type(error).__name__}: {error} (RUBRIC_DEBUG=1 shows where)", err=True)
        return COULD_NOT_RUN
    return status if isinstance(status, int) else 0
