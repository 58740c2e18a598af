"""Regular expressions of JavaScript in assertions; one that cannot be used is an error of grading, never a score."""

from collections.abc import Iterator
from contextlib import contextmanager

from rubric_core.grading.failures import CannotGrade
from rubric_core.javascript_regex import matching


async def matches(pattern: str, flags: str, text: str) -> bool:
    """Return whether a pattern matches somewhere in a text, without blocking other tasks. Raises CannotGrade."""
    with _failures(pattern, flags):
        return await matching.matches(pattern, flags, text)


def matches_now(pattern: str, flags: str, text: str) -> bool:
    """Return the same, and block until it is computed."""
    with _failures(pattern, flags):
        return matching.matches_now(pattern, flags, text)


def check_pattern(pattern: str, flags: str) -> None:
    """Raise CannotGrade if a pattern is invalid or cannot be expressed in Python."""
    with _failures(pattern, flags):
        matching.check(pattern, flags)


@contextmanager
def _failures(pattern: str, flags: str) -> Iterator[None]:
    try:
        yield
    except matching.UnusableRegex as error:
        raise CannotGrade(f"The pattern /{pattern}/{flags} cannot be used: {error}.") from None
    except matching.MatchTimeout as error:
        raise CannotGrade(
            f"The pattern /{pattern}/{flags} took longer than {error.seconds:g} s on this answer; write one that does "
            "not repeat what is repeated already."
        ) from None
