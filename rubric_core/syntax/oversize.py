"""Texts that are too large to be looked at."""

from __future__ import annotations

from itertools import pairwise

from rubric_core.syntax.limits import Limits
from rubric_core.syntax.nodes import SyntaxProblem
from rubric_core.text.lines import line_starts
from rubric_core.text.spans import Span


def over_limits(text: str, limits: Limits) -> tuple[SyntaxProblem, ...]:
    """Return the limits that a text as a whole goes over, each at the place where it does."""
    if len(text) <= min(limits.file_bytes // 4, limits.line_length):
        # No character takes more than four bytes, so this text cannot be over either limit.
        return ()
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.file_bytes:
        message = f"The file has {size:,} bytes and the limit is {limits.file_bytes:,}; split it into several files."
        return (SyntaxProblem(Span(0, 1), message, "RB008"),)
    for number, (start, end) in enumerate(pairwise([*line_starts(text), len(text)]), start=1):
        # Most lines are far from the limit, so only the others are measured without their line break.
        length = len(text[start:end].rstrip("\r\n")) if end - start > limits.line_length else 0
        if length > limits.line_length:
            message = f"Line {number} has {length:,} characters and the limit is {limits.line_length:,}; break it up."
            return (SyntaxProblem(Span(start, start + 1), message, "RB008"),)
    return ()
