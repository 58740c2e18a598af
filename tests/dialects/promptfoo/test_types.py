"""The table of promptfoo's assertion types: its columns, and that it is what the installed package says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hosts import PROMPTFOO, host_folder

from rubric_core.dialects.promptfoo.types import ASSERTION_TYPES, COMPARING_TYPES, PACKAGE
from rubric_core.dialects.registry import BY_NAME
from rubric_core.schema.fields import FieldType

ROOT = Path(__file__).resolve().parents[3]
DIALECT = BY_NAME["promptfoo"]
BY_TYPE = {kind.name: kind for kind in ASSERTION_TYPES}


@pytest.mark.slow
def test_promptfoo_has_what_the_table_says() -> None:
    """Of the release that the table names."""
    script, package = ROOT / "scripts" / "promptfoo_types.py", host_folder(PROMPTFOO) / "node_modules/promptfoo"
    command = [sys.executable, str(script), "--check", str(package)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "types.py is up to date.\n"), PACKAGE


def test_every_type_has_a_record_and_a_negated_one() -> None:
    """All of them are in the table of the dialect."""
    for kind in ASSERTION_TYPES:
        assert DIALECT.type_of(kind.name) == kind.name
        assert DIALECT.type_of(f"not-{kind.name}") == f"not-{kind.name}"
    assert [kind for kind in COMPARING_TYPES if DIALECT.type_of(f"not-{kind}") is not None] == []
    assert DIALECT.type_of("promptfoo:redteam:harmful") == "promptfoo:redteam"
    assert DIALECT.type_of("human") is None


@pytest.mark.parametrize(
    ("name", "needs_value", "threshold", "is_negatable"),
    [
        ("contains", True, "ignored", True),
        ("llm-rubric", False, "read", True),
        ("factuality", True, "ignored", False),
        ("model-graded-closedqa", True, "ignored", False),
        ("is-valid-openai-tools-call", False, "ignored", False),
        ("skill-used", True, "ignored", True),
        ("cost", False, "needed", True),
        ("levenshtein", True, "read", True),
        ("is-json", False, "ignored", True),
    ],
)
def test_columns(name: str, needs_value: bool, threshold: str, is_negatable: bool) -> None:  # noqa: FBT001 - a row.
    """As the functions of promptfoo 0.123.1 read them."""
    kind = BY_TYPE[name]
    read = "needed" if kind.needs_threshold else "read" if kind.reads_threshold else "ignored"
    assert (kind.needs_value, read, kind.is_negatable) == (needs_value, threshold, is_negatable)


def test_shapes_of_values() -> None:
    """Those that the checks of promptfoo accept."""
    assert BY_TYPE["contains"].shapes == FieldType.STRING | FieldType.NUMBER
    assert BY_TYPE["contains-any"].shapes == FieldType.STRING | FieldType.SEQUENCE
    assert BY_TYPE["equals"].shapes is FieldType.ANYTHING
    assert BY_TYPE["word-count"].shapes == FieldType.STRING | FieldType.NUMBER | FieldType.MAPPING
