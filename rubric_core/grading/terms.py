"""What holds for everything that is graded together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.grading.options import DEFAULT_OPTIONS, Options

if TYPE_CHECKING:
    from rubric_core.grading.memory import Memory


@dataclass(frozen=True, slots=True)
class Terms:
    """The user's choices, and where judgements are remembered; None where nothing is."""

    options: Options = DEFAULT_OPTIONS
    memory: Memory | None = None


DEFAULT_TERMS = Terms()
