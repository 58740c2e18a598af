"""The types of what clients send beyond the protocol: arguments of commands, `data` that comes back, trust."""

from __future__ import annotations

from typing import Any

import attrs
from lsprotocol.types import Position, WorkspaceEdit


@attrs.frozen(kw_only=True)
class GradeArguments:
    """The argument of the commands that grade; each of them reads what it needs of it."""

    uri: str
    position: Position | None = None
    case_id: str | None = None
    case_ids: list[str] | None = None
    criterion_id: str | None = None
    evaluator: str | None = None
    answer: str | None = None
    answers: dict[str, Any] | None = None
    judge: str | None = None
    target: str | None = None
    samples: int | None = None
    resume: bool | None = None
    ranges: bool | None = None


@attrs.frozen(kw_only=True)
class ProjectArguments:
    """The argument of the commands about a project, that of `uri` or of the first folder; each reads what it needs."""

    uri: str | None = None
    # A run of the store, or the latest one, or the latest one with a case of the file.
    run: int | None = None
    case_id: str | None = None
    # Two runs to compare.
    before: int | None = None
    after: int | None = None


@attrs.frozen(kw_only=True)
class ActionArguments:
    """An action that comes back as the argument of a command: with its edit, or with what it takes to make one."""

    uri: str | None = None
    version: int | None = None
    edit: WorkspaceEdit | None = None
    data: Any = None


@attrs.frozen(kw_only=True)
class ActionData:
    """The data of an action that is needed to resolve it: the text for which it was offered, and its effect."""

    uri: str
    version: int
    do: str
    code: str = ""
    name: str = ""
    start: int = 0
    end: int = 0


@attrs.frozen(kw_only=True)
class HintData:
    """The data of a hint that is needed to resolve it: its document, the version of that, and its kind."""

    uri: str
    version: int
    kind: str
