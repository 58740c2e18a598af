"""How a text is indented, so that what is inserted looks like its neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rubric_core.assist.completion.parts import Branch

_USUAL_STEP = 2
_NARROWEST_ITEM = 2
_WIDEST = 8


class WritingStyle(NamedTuple):
    """How far the keys below a key, the dashes below a key and the text behind a dash are set in; and line breaks."""

    step: int = _USUAL_STEP
    dash: int = _USUAL_STEP
    width: int = _NARROWEST_ITEM
    line_break: str = "\n"


class SeenStyle(NamedTuple):
    """What a stretch of text shows of its style; None where it does not show it."""

    step: int | None = None
    dash: int | None = None
    width: int | None = None

    def filled_from(self, other: SeenStyle) -> SeenStyle:
        """Return the same with what only the other stretch shows."""
        return SeenStyle(*(mine if mine is not None else theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def is_enough(self) -> bool:
        """Return whether nothing is left to look for: keys are mostly set in as far as dashes are."""
        return self.dash is not None and self.width is not None and (self.step is not None or self.dash > 0)


def style_seen(text: str, branches: Iterable[Branch], cursor: int) -> SeenStyle:
    """Read the style off the branches of a text: the last ones before the cursor count, then the first ones behind."""
    before: dict[str, int] = {}
    behind: dict[str, int] = {}
    for branch in branches:
        kind, offset = _offset(text, branch)
        if (
            kind is None
            or not (_NARROWEST_ITEM if kind == "width" else 1 if kind == "step" else 0) <= offset <= _WIDEST
        ):
            continue
        if branch.entries and branch.entries[0].start < cursor:
            before[kind] = offset
        else:
            behind.setdefault(kind, offset)
    return SeenStyle(**{**behind, **before})


def _offset(text: str, branch: Branch) -> tuple[str | None, int]:
    """Return what a branch shows, and by how many columns it is set in."""
    owner = branch.owner
    if branch.flow or owner is None or owner.branch is None or owner.branch.flow or owner.start < 0:
        return None, 0
    offset = branch.column - owner.column(text)
    if owner.branch.is_list:
        return ("width", offset) if not branch.is_list else (None, 0)
    return ("dash" if branch.is_list else "step"), offset


def settled(seen: SeenStyle, line_break: str) -> WritingStyle:
    """Return a style in which what was not seen follows from what was."""
    step = seen.step if seen.step is not None else seen.dash or _USUAL_STEP
    dash = seen.dash if seen.dash is not None else step
    width = seen.width if seen.width is not None else _NARROWEST_ITEM
    return WritingStyle(step, dash, width, line_break)
