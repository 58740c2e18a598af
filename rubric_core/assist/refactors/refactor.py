"""What a refactor is: what it offers at a place, and what it promises to keep."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.meaning import Meaning, keeps_all
from rubric_core.text.spans import Edit


class Nature(Enum):
    """What a refactor does with the text: writes it another way, takes it out of its place, or puts it in."""

    REWRITE = "rewrite"
    EXTRACT = "extract"
    INLINE = "inline"


class RefactorProposal(NamedTuple):
    """What a refactor would do at a place; the edits count in the whole text."""

    title: str
    edits: tuple[Edit, ...]


class Refactor(NamedTuple):
    """One refactor.

    Attributes:
        name: What it is called where it has to be found again.
        propose: Returns what it would do at a cursor, or None where it has nothing to do or cannot do it well.
        nature: What it does with the text.
        keeps: Returns, of what the cases mean before and after it, whether it kept its promise.
        reaches_suite: Whether it has to do with entries of the suite as well as with the case.
    """

    name: str
    propose: Callable[[Cursor], RefactorProposal | None]
    nature: Nature = Nature.REWRITE
    keeps: Callable[[Meaning, Meaning], bool] = keeps_all
    reaches_suite: bool = False
