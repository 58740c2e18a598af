"""Words that every prompt for a judge has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_core.grading.prompts.fences import Fence

_ROLE = (
    "You judge an answer that somebody else gave to a task. Be strict and fair. Judge what the answer does, not what "
    "it says about itself; neither its length nor its confidence is a merit. Where you doubt, quote the words of the "
    "answer that decide."
)
_REPLY = "Reply with one JSON object in the form that the question ends with, and with nothing else."

REASON_FIRST = "Write each reasoning, in one or two sentences, before its verdict."


def system_text(fence: Fence, role: str = _ROLE) -> str:
    """Return who the judge is, what to make of fenced texts, and how to reply."""
    return f"{role}\n\n{fence.rule}\n\n{_REPLY}"


def quoted(name: str) -> str:
    """Return a name as JSON has it, so that a judge can copy it whatever it holds."""
    return json.dumps(name, ensure_ascii=False)
