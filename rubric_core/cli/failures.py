"""Ending a command because it could not do its work."""

import click

OK = 0
PROBLEMS = 1
COULD_NOT_RUN = 2
INTERRUPTED = 130


class CouldNotRun(click.ClickException):
    """Something that stops the whole command; the message says what and where."""

    exit_code = COULD_NOT_RUN

    def show(self, file: object = None) -> None:  # noqa: ARG002 - the signature is click's.
        """Write the message as every other message about a file is written."""
        click.echo(f"rubric: {self.format_message()}", err=True)
