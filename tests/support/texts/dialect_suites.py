"""Suites of all dialects that are there: examples, and for AgentV one with everything that the editor shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.dialects.registry import BY_NAME

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

MISSING = frozenset({"agentv-4", "agentv-5", "promptfoo"}) - BY_NAME.keys()
"""The dialects that tests and pages name and that are not there, where somebody took them out of the project."""
PORT = """\
evalcases:
  - id: port
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - Names port 8080  # the default
"""
"""A suite of AgentV 2 that every migration takes."""
_FOLDERS = Path(__file__).parents[2] / "dialects"
_PATHS = {name: _FOLDERS / name.replace("-", "_") / "suite.eval.yaml" for name in BY_NAME}
SUITES = {name: path.read_text(encoding="utf-8") for name, path in _PATHS.items() if path.exists()}


def example_of(dialect: Dialect) -> Path:
    """Return the path of the example of a dialect; the examples of all dialects have the same two cases."""
    name = f"{dialect.name}.eval.yaml" if dialect.marks.whole is None else f"{dialect.name}config.yaml"
    return _FOLDERS.parents[1] / "examples" / "dialects" / name
