"""Values on their way into a row of the database and out of it."""

from __future__ import annotations

from datetime import datetime, timezone

from rubric_core.grading.judges.judge import JudgeIdentity

Value = str | int | None


def storable(*values: Value) -> tuple[Value, ...]:
    """Return values that a database takes. Half of a surrogate pair is no text, and is written as JSON escapes it."""
    return tuple(_sound(value) if isinstance(value, str) else value for value in values)


def identity_columns(judge: JudgeIdentity | None) -> tuple[str | None, str | None, str | None]:
    """Return the name, the kind and the model of a judge; nothing where there is none."""
    return (None, None, None) if judge is None else (judge.name, judge.kind, judge.model)


def identity_of(name: str | None, kind: str | None, model: str | None) -> JudgeIdentity | None:
    """Return the judge of three columns."""
    return None if name is None else JudgeIdentity(name, kind or "", model)


def now() -> str:
    """Return the time as results write it."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sound(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
