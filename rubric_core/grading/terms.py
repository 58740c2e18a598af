"""What holds for everything that is graded together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.secrets import NO_SECRETS, Redactor

if TYPE_CHECKING:
    from rubric_core.grading.memory import Memory


@dataclass(frozen=True, slots=True)
class Terms:
    """The user's choices, where judgements are remembered (None: nowhere), and what must not be shown or kept."""

    options: Options = DEFAULT_OPTIONS
    memory: Memory | None = None
    redactor: Redactor = NO_SECRETS
