"""What the server can say is meant for people in front of an editor."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rubric_core
import rubric_server

if TYPE_CHECKING:
    from collections.abc import Iterator

CORE, SERVER = Path(rubric_core.__file__).parent, Path(rubric_server.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z]")


def spoken(path: Path) -> Iterator[str]:
    """Give the strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


@pytest.mark.parametrize(
    "folder", [CORE / "grading", CORE / "model", CORE / "assist", SERVER], ids=lambda path: path.name
)
def test_no_message_names_command_line_options(folder: Path) -> None:
    """An editor has none; the command line adds what its options can do."""
    paths = [path for path in folder.rglob("*.py") if path != SERVER / "main.py"]
    assert paths
    assert [(path.name, text) for path in paths for text in spoken(path) if OPTION.search(text)] == []
