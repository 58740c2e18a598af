"""What a rule reports: a problem with its place, its related places and its fixes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from rubric_core.syntax.nodes import Node, Origin
from rubric_core.text.spans import Edit, Span


class Severity(str, Enum):
    """How bad a problem is. Only errors and warnings fail a check."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


class Related(NamedTuple):
    """Another place that explains a problem.

    `chunk` is None when the place is in the chunk of the problem; the document makes both absolute together.
    """

    span: Span
    message: str
    chunk: object | None = None


class Fix(NamedTuple):
    """A change that removes a problem. A safe one keeps the meaning of the file and runs under fix-all."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False

    @staticmethod
    def of(title: str, *edits: Edit | None, safe: bool = False) -> Fix | None:
        """Return a fix, or None if one of its edits is None."""
        made = tuple(edit for edit in edits if edit is not None)
        return Fix(title, made, safe) if len(made) == len(edits) else None

    def shifted(self, by: int) -> Fix:
        """Return the same fix in a text that has `by` more code points in front."""
        return self._replace(edits=tuple(edit.shifted(by) for edit in self.edits))


class AnchorFixes(NamedTuple):
    """Fixes that change the anchored text behind an alias, and with it every other use of the anchor.

    `make` gets the anchored node and the text of its chunk; offsets count from the start of that chunk.
    """

    origin: Origin
    make: Callable[[Node, str], Sequence[Fix]]


class Problem(NamedTuple):
    """One finding. `fixes` makes its fixes when they are asked for: most problems are only shown."""

    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    related: tuple[Related, ...] = ()
    fixes: Callable[[], Sequence[Fix]] | None = None
    deprecated: bool = False
    # Whether it prevents grading the case, even if it is no error.
    prevents_grading: bool = False
    # The message for readers who do not see the text, with `{lines}` for the lines of the related places and its own.
    message_with_lines: str = ""
    # The chunk that the span belongs to, where the file as a whole was checked; otherwise it is the one checked.
    chunk: object | None = None
    # Offered in an editor, one by one; `rubric fix` changes only the chunk that a problem is in.
    anchor_fixes: AnchorFixes | None = None
    # Whether a report may omit fixes, because the case has too many problems to try them all.
    has_untried_fixes: bool = False

    def names_place_in(self, chunks: Container[object]) -> bool:
        """Return whether a related place is in one of the chunks."""
        return any(other.chunk in chunks for other in self.related)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems in the order in which they are shown and fixed: that of the text."""
    return sorted(problems, key=lambda problem: (problem.span, problem.code, problem.message))
