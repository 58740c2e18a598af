"""What the cases of a text mean to a judge, as plain values: two texts of one meaning are graded alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Union

from rubric_core.analysis.outline import cases_of
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import read_evaluators
from rubric_core.views.scorecards import read_named_scorecards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.views.bands import BandsView
    from rubric_core.views.criteria import CriteriaView, CriterionView

# A value as plain data: text and whether it has no quotes, or what a list or a mapping holds.
Plain = Union[tuple[str, bool], tuple["Plain", ...], tuple[tuple["Plain", "Plain"], ...]]  # noqa: UP007 - it names itself.


class BandMeaning(NamedTuple):
    """The scores of one range, and its text."""

    extent: tuple[int, int] | None
    text: str


class CriterionMeaning(NamedTuple):
    """One criterion; `bands` are from low to high, and None where it is a checklist criterion."""

    identifier: str
    text: str
    weight: Decimal | None
    is_required: bool
    minimum: int | None
    bands: tuple[BandMeaning, ...] | None


class CaseMeaning(NamedTuple):
    """One case: all its criteria, and its scorecard. The suite's own evaluators are a case without a scorecard."""

    criteria: tuple[tuple[CriterionMeaning, ...], ...]
    scorecard: Plain | None


Meaning = tuple[CaseMeaning, ...]


def meaning_of(chunks: Iterable[tuple[Chunk, YamlVersion]]) -> Meaning:
    """Return what the cases in some chunks mean; their scorecards may be named in any of these chunks."""
    given = [(chunk, chunk.tree.root, version) for chunk, version in chunks if chunk.tree is not None]
    named: dict[str, Plain] = {}
    for _, root, version in given:
        pair = root.index.get("scorecards") if isinstance(root, Mapping) else None
        for name, view in read_named_scorecards(pair, version) if pair is not None else ():
            named[name.name or ""] = plain(view.node)
    return tuple(case for chunk, root, version in given for case in _cases(chunk, root, version, named))


def _cases(chunk: Chunk, root: Node | None, version: YamlVersion, named: dict[str, Plain]) -> Iterator[CaseMeaning]:
    # A line of a JSON Lines file is a case, and has evaluators of its own.
    suite = root if isinstance(root, Mapping) and chunk.kind is not ChunkKind.LINE else None
    if suite is not None and "evaluators" in (*suite.index, *_keys(suite.get("execution"))):
        lists = (each.criteria for view in read_evaluators(suite, version) for each in view.evaluators)
        yield CaseMeaning(tuple(_criteria(view) for view in lists if view is not None), None)
    for node in cases_of(chunk, root)[1]:
        if isinstance(node, Mapping):
            case = CaseView(node, version)
            yield CaseMeaning(
                tuple(_criteria(view) for view in case.all_criteria()), _scorecard(node.get("scorecard"), named)
            )


def _keys(node: Node | None) -> Iterable[str]:
    return node.index if isinstance(node, Mapping) else ()


def _criteria(view: CriteriaView) -> tuple[CriterionMeaning, ...]:
    return tuple(_criterion(criterion) for criterion in view.criteria)


def _criterion(view: CriterionView) -> CriterionMeaning:
    outcome = view.outcome
    return CriterionMeaning(
        view.identifier,
        outcome.value if outcome is not None else "",
        view.weight,
        view.is_required,
        view.minimum,
        _bands(view.bands) if view.bands is not None else None,
    )


def _bands(view: BandsView) -> tuple[BandMeaning, ...]:
    bands = [
        BandMeaning(band.extent, band.outcome.value if isinstance(band.outcome, Scalar) else "") for band in view.bands
    ]
    return tuple(sorted(bands, key=lambda band: (band.extent or (), band.text)))


def _scorecard(node: Node | None, named: dict[str, Plain]) -> Plain | None:
    if isinstance(node, Scalar):
        return named.get(node.value, plain(node))
    return plain(node) if node is not None else None


def plain(node: Node) -> Plain:
    """Return a node as plain data, whatever the style that it is written in; quotes may make text of a number."""
    if isinstance(node, Mapping):
        return tuple((plain(pair.key), plain(pair.value)) for pair in node.pairs)
    if isinstance(node, Sequence):
        return tuple(plain(item) for item in node.items)
    return (node.value, node.is_plain) if isinstance(node, Scalar) else ("", False)


# What refactors promise to keep


def keeps_all(before: Meaning, after: Meaning) -> bool:
    """Tell whether nothing has changed for a judge."""
    return before == after


def keeps_texts(before: Meaning, after: Meaning) -> bool:
    """Tell whether the ranges have the same texts in the same order, and all else is as before."""
    return _without_bands(before) == _without_bands(after) and _texts(before) == _texts(after)


def adds_one_band(before: Meaning, after: Meaning) -> bool:
    """Tell whether one criterion has one range more, each range keeps its text, and all else is as before."""
    if _without_bands(before) != _without_bands(after):
        return False
    pairs = zip(_texts(before), _texts(after), strict=True)
    changed = [(old, new) for old, new in pairs if old != new]
    if len(changed) != 1:
        return False
    old, new = changed[0]
    return any(old == (*new[:number], *new[number + 1 :]) for number in range(len(new)))


def _without_bands(meaning: Meaning) -> Meaning:
    return tuple(
        case._replace(
            criteria=tuple(tuple(each._replace(bands=None) for each in criteria) for criteria in case.criteria)
        )
        for case in meaning
    )


def _texts(meaning: Meaning) -> list[tuple[str, ...]]:
    """Return the texts of the ranges of each criterion, from low to high."""
    return [
        tuple(band.text for band in criterion.bands or ())
        for case in meaning
        for criteria in case.criteria
        for criterion in criteria
    ]
