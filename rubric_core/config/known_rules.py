"""The words by which a configuration may name rules."""

from __future__ import annotations


def known_rules() -> tuple[str, ...]:
    """Return the codes and names of all rules; the first call imports them, for which a start has no time."""
    from rubric_core.rules.registry import KNOWN_CODES  # noqa: PLC0415 - it imports all rules.

    return tuple(KNOWN_CODES)
