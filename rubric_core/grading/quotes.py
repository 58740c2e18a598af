"""What somebody else said, as a part of our own sentence: in one line, not too long, and without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.terminal.fitting import ELLIPSIS, fitted

if TYPE_CHECKING:
    from rubric_core.grading.secrets import Redactor

_WIDTH = 300
_LOOKED_AT = 4_000


def quoted(text: str, redactor: Redactor) -> str:
    """Return the start of a text. It is cut between words only: half of a key would not be recognised by anybody."""
    line = fitted(redactor.redact(text[:_LOOKED_AT]), _WIDTH)
    if not line.endswith(ELLIPSIS):
        return line
    return f"{line.removesuffix(ELLIPSIS).rpartition(' ')[0]} {ELLIPSIS}".lstrip()
