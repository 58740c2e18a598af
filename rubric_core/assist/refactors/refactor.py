"""Refactors: the proposal at a place, and the promise of what it keeps of the meaning of cases to a judge."""

import collections.abc
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

from rubric_core.assist.by_chunk import ChunkView
from rubric_core.assist.cursor import Cursor
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.text.spans import Edit
from rubric_core.views.bands import BandsView
from rubric_core.views.criteria import CriteriaView, CriterionView
from rubric_core.views.scorecards import read_named_scorecards

USUAL_STEP = 2


class Meaning(NamedTuple):
    """The meaning of some cases: extents and texts of the score ranges of each criterion, low to high, and the rest."""

    bands: tuple[tuple[tuple[tuple[int, int] | None, str], ...], ...]
    rest: tuple[object, ...]


def meaning_of(given: collections.abc.Sequence[ChunkView]) -> Meaning:
    """Return the meaning of the cases in some chunks, which may name scorecards in any of these chunks."""
    named: dict[str, object] = {}
    for view in given:
        root = view.tree.root
        pair = root.index.get("scorecards") if isinstance(root, Mapping) else None
        for name, card in read_named_scorecards(pair, view.version) if pair is not None else ():
            named[name.name or ""] = plain(card.node)
    lists: list[CriteriaView] = []
    rest: list[object] = []
    for view in given:
        lists += view.suite_criteria()
        for case in view.cases():
            own = list(case.all_criteria())
            lists += own
            scorecard = case.node.get("scorecard")
            content = plain(scorecard) if scorecard is not None else None
            rest.append((len(own), named.get(scorecard.value, content) if isinstance(scorecard, Scalar) else content))
    criteria = [criterion for view in lists for criterion in view.criteria]
    sizes = [len(view.criteria) for view in lists]
    return Meaning(tuple(_bands(row.bands) for row in criteria), (*rest, *sizes, *map(_without_bands, criteria)))


def _without_bands(view: CriterionView) -> tuple[object, ...]:
    text = view.outcome.value if view.outcome is not None else ""
    return (view.identifier, text, view.weight, view.is_required, view.minimum, view.bands is not None)


def _bands(view: BandsView | None) -> tuple[tuple[tuple[int, int] | None, str], ...]:
    bands = view.bands if view is not None else ()
    texts = [(band.extent, band.outcome.value if isinstance(band.outcome, Scalar) else "") for band in bands]
    return tuple(sorted(texts, key=lambda band: (band[0] or (), band[1])))


def plain(node: Node) -> Any:
    """Return a node as plain data, whatever the style that it is written in; quotes may make text of a number."""
    if isinstance(node, Mapping):
        return tuple((plain(pair.key), plain(pair.value)) for pair in node.pairs)
    if isinstance(node, Sequence):
        return tuple(plain(item) for item in node.items)
    return (node.value, node.is_plain) if isinstance(node, Scalar) else ("", False)


# Promises of refactors


def keeps_all(before: Meaning, after: Meaning) -> bool:
    """Return whether nothing has changed for a judge."""
    return before == after


def keeps_texts(before: Meaning, after: Meaning) -> bool:
    """Return whether the ranges have the same texts in the same order, and all else is as before."""
    return before.rest == after.rest and _texts(before) == _texts(after)


def adds_one_band(before: Meaning, after: Meaning) -> bool:
    """Return whether one criterion has one range more, each range keeps its text, and all else is as before."""
    if before.rest != after.rest:
        return False
    pairs = zip(_texts(before), _texts(after), strict=True)
    changed = [(old, new) for old, new in pairs if old != new]
    if len(changed) != 1:
        return False
    old, new = changed[0]
    return any(old == [*new[:number], *new[number + 1 :]] for number in range(len(new)))


def _texts(meaning: Meaning) -> list[list[str]]:
    return [[text for _, text in bands] for bands in meaning.bands]


class Nature(Enum):
    """The kind of change: rewriting, extracting or inlining."""

    REWRITE = "rewrite"
    EXTRACT = "extract"
    INLINE = "inline"


class NewFile(NamedTuple):
    """A file that a refactor makes: its path as seen from the folder of the eval file, and its text."""

    path: str
    text: str


class RefactorProposal(NamedTuple):
    """The proposal of a refactor at a place; the edits count in the whole text, and `new_file` is made before them."""

    title: str
    edits: tuple[Edit, ...]
    new_file: NewFile | None = None


def proposal(cursor: Cursor, title: str, edits: Iterable[Edit]) -> RefactorProposal | None:
    """Return a proposal with edits of the cursor's chunk; None where there are none."""
    absolute = cursor.absolute(edits)
    return RefactorProposal(title, absolute) if absolute else None


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


# Properties of nodes


def is_own_text(node: Node) -> bool:
    """Return whether a node has no alias, no anchor, no tag and no merge key."""
    return node.meta is None


def quote_of(node: Node) -> str:
    """Return the quotes around a scalar of one line, or nothing."""
    return {"single-quoted": "'", "double-quoted": '"'}.get(node.style.value, "") if isinstance(node, Scalar) else ""
