"""What the tests of Emacs share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FREE = """\
evalcases:
  - id: mail
    expected_outcome: Answers the mail
    input_messages: [{role: user, content: Where is my parcel?}]
"""


@pytest.fixture(scope="session")
def write_free_form() -> Callable[[Path], Path]:
    """Give what adds an eval file to a project, whose case has no criteria but an answer, and returns the file."""

    def write(project: Path) -> Path:
        path = project / "free.eval.yaml"
        path.write_text(_FREE, encoding="utf-8")
        (project / "free.answers.json").write_text(json.dumps({"mail": "It is on its way."}), encoding="utf-8")
        return path

    return write
