"""`rubric schema`: the JSON Schema of eval files, for editors and tools that support only that."""

import json
from pathlib import Path

import click

from rubric_core.cli import options
from rubric_core.cli.output import print_data, write_file
from rubric_core.dialects.json_schema import build_json_schema
from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT


@click.command("schema")
@click.option(
    "--dialect",
    type=click.Choice(list(BY_NAME)),
    default=DEFAULT_DIALECT.name,
    help=f"Dialect of the eval files (default: {DEFAULT_DIALECT.name}).",
)
@click.option("--output", type=options.FILE, help="Write the schema to FILE instead of standard output.")
def command(dialect: str, output: Path | None) -> None:
    """Print the JSON Schema of eval files.

    The schema (draft 2020-12) is made from the same table of fields as the rules. It cannot express that score ranges
    must not overlap and must cover 0 to 10; `rubric check` checks that.
    """
    text = f"{json.dumps(build_json_schema(BY_NAME[dialect]), indent=2)}\n"
    if output is None:
        print_data(text)
    else:
        write_file(output, text)
