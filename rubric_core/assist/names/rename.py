"""Giving something another name: the edits, or one sentence that says why not.

Ids of cases and criteria are renamed where the cursor is: nothing else in the file refers to them, and two cases that
have the same id by mistake are two. Scorecards, targets, anchors and the members of a composite are renamed everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.names.lookup import Name, might_hold, name_at, names_called, references_to, settled
from rubric_core.assist.names.occurrences import QUOTED, NameKind, occurrences_of, value_of_key
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.edits import render_like, render_text
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from rubric_core.analysis.analysis import Analysis

_ANCHOR_NAME = lazily(r"[A-Za-z0-9_-]+\Z")
_GENERATED = lazily(r"rubric-[0-9]+\Z")
_LONGEST = 200
_MEANT_ALONE = frozenset({NameKind.CASE, NameKind.CRITERION})
_USED_AS_TEXT = frozenset({NameKind.SCORECARD, NameKind.TARGET})


class RenameRefusal(NamedTuple):
    """Why something cannot be renamed, as one sentence for the user."""

    message: str


def renamable_at(analysis: Analysis, offset: int) -> Name | RenameRefusal | None:
    """Return the name at an offset that can be renamed, or why it cannot; None where there is no name."""
    name = name_at(analysis, offset)
    if name is None:
        return None
    return _obstacle(name) or name


def _obstacle(name: Name) -> RenameRefusal | None:
    occurrence = name.occurrence
    if occurrence.is_broken:
        return RenameRefusal("This text cannot be read as YAML; correct it before you rename anything in it.")
    if occurrence.is_shared:
        return RenameRefusal(f"`{name.text}` has an anchor, so other places may repeat it; remove the anchor first.")
    return None


def rename(analysis: Analysis, name: Name, new: str) -> Generator[None, None, tuple[Edit, ...] | RenameRefusal]:
    """Return the edits that give something another name, in the order of the text."""
    new = new.strip()
    if new == name.text:
        return ()
    known = yield from settled(analysis, name)
    if known is None:
        return ()
    name = known
    refusal = _obstacle(name) or _unusable(name.kind, new) or _taken(analysis, name, new)
    if refusal is not None:
        return refusal
    if name.kind in _MEANT_ALONE:
        return (_edit(name, new),)
    found = yield from references_to(analysis, name)
    if name.kind is NameKind.EVALUATOR and sum(other.defines for other in found) > 1:
        message = f"Several evaluators of this list are called `{name.text}`, so nobody can tell which one is meant."
        return (_edit(name, new),) if name.defines else RenameRefusal(message)
    return _unreadable(analysis, name.kind, name.text) or _edits(analysis, found, new)


def rename_uses(
    analysis: Analysis, kind: NameKind, old: str, new: str
) -> Generator[None, None, tuple[Edit, ...] | RenameRefusal]:
    """Return the edits for all uses of a target or a scorecard that is defined in another file."""
    if not (yield from read_all(analysis)):
        return ()
    found = yield from names_called(analysis, kind, old)
    return _unusable(kind, new) or _unreadable(analysis, kind, old) or _edits(analysis, found, new)


def _unusable(kind: NameKind, new: str) -> RenameRefusal | None:
    """Tell what keeps a text from being a name."""
    reasons = (
        (not new, "A name needs at least one visible character."),
        (len(new) > _LONGEST, f"A name may have at most {_LONGEST} characters; this one has {len(new):,}."),
        (not new.isprintable(), "A name stands on one line and has no control characters."),
        (
            kind is NameKind.ANCHOR and not _ANCHOR_NAME.match(new),
            "The name of an anchor may have only letters from a to z, digits, `-` and `_`.",
        ),
        (
            kind in _USED_AS_TEXT and "{{" in new,
            "A name may not hold `{{`, which stands for something that is filled in later.",
        ),
        (
            kind is NameKind.CRITERION and bool(_GENERATED.match(new)),
            f"`{new}` is an id that criteria without one of their own get; choose another one.",
        ),
    )
    return next((RenameRefusal(message) for applies, message in reasons if applies), None)


def _taken(analysis: Analysis, name: Name, new: str) -> RenameRefusal | None:
    """Tell whether something else has the name already."""
    if name.kind is NameKind.CASE:
        if analysis.facts.places_of_id(new):
            return RenameRefusal(f"Another case of this file has the id `{new}` already.")
    elif name.kind is NameKind.SCORECARD:
        if new in analysis.facts.suite.scorecards:
            return RenameRefusal(f"Another scorecard of this file is called `{new}` already.")
    elif name.kind is NameKind.ANCHOR:
        section = analysis.document.chunks[name.chunk_index].section
        chunks = (chunk for chunk in analysis.document.chunks if chunk.section == section)
        if any(_has_anchor(chunk.text, new) for chunk in chunks):
            return RenameRefusal(f"The name `{new}` is used for an anchor of this file already.")
    elif name.kind in {NameKind.CRITERION, NameKind.EVALUATOR}:
        return _taken_in_list(analysis, name, new)
    return None


def _has_anchor(text: str, name: str) -> bool:
    """Tell whether `&name` or `*name` may stand in a text. A name that only looks like one is refused as well."""
    for sign in ("&", "*"):
        at = text.find(sign + name)
        while at >= 0:
            end = at + 1 + len(name)
            if not _ANCHOR_NAME.match(text[end : end + 1]):
                return True
            at = text.find(sign + name, end)
    return False


def _taken_in_list(analysis: Analysis, name: Name, new: str) -> RenameRefusal | None:
    wanted = name.occurrence
    same_list = [
        other
        for other in occurrences_of(analysis.document, name.chunk_index)
        if other.kind is name.kind and other.scope == wanted.scope and other.defines
    ]
    if any(other.name == new for other in same_list):
        return RenameRefusal(f"Another {name.kind.value} of this list is called `{new}` already.")
    if name.kind is NameKind.EVALUATOR and new == INLINE_NAME:
        return RenameRefusal(f"`{INLINE_NAME}` is the name that the `rubrics` of a case go by; choose another one.")
    return None


def _unreadable(analysis: Analysis, kind: NameKind, text: str) -> RenameRefusal | None:
    """Tell whether a stretch that may use the name cannot be read, so that a use could be missed."""
    if kind is NameKind.EVALUATOR:
        return None
    document = analysis.document
    for index, chunk in enumerate(document.chunks):
        # The tree of a chunk that cannot be read is never let go.
        tree = chunk.tree
        is_broken = tree is not None and tree.root is None and bool(tree.problems)
        if is_broken and text in chunk.text and analysis.owns(chunk) and might_hold(chunk, kind, text):
            line = document.line_of(index) + 1
            return RenameRefusal(
                f"The text from line {line:,} on may use `{text}`, but cannot be read; correct it first."
            )
    return None


def _edits(analysis: Analysis, found: Iterable[Name], new: str) -> tuple[Edit, ...] | RenameRefusal:
    """Return an edit for each place at which a name is written; what an alias brings is changed where it comes from."""
    edits: dict[Span, Edit] = {}
    for name in found:
        occurrence = name.occurrence
        if occurrence.origin is not None:
            written = _written_at(analysis, name)
            if written is None:
                return RenameRefusal(
                    f"`{name.text}` comes through the alias `*{occurrence.origin.anchor}` in one place, "
                    "and others may use that too; rename it by hand."
                )
            name = written  # noqa: PLW2901 - the place that is really meant.
        obstacle = _obstacle(name)
        if obstacle is not None:
            return obstacle
        edit = _edit(name, new)
        edits[Span(edit.start, edit.end)] = edit
    return tuple(sorted(edits.values()))


def _written_at(analysis: Analysis, name: Name) -> Name | None:
    """Return the place that an alias repeats, if the name stands there as the value of the same key."""
    document = analysis.document
    occurrence = name.occurrence
    origin = occurrence.origin
    if origin is None or occurrence.defines:
        return None
    index = document.index_of(origin.chunk) if isinstance(origin.chunk, Chunk) else name.chunk_index
    pair = value_of_key(document.tree(index).root, origin.span)
    if pair is None or pair.name != occurrence.kind.value:
        return None
    shared = pair.value.meta is not None and pair.value.meta.anchor is not None
    return Name(
        occurrence._replace(span=origin.span, whole=origin.span, origin=None, is_shared=shared),
        index,
        document.start_of(index),
    )


def _edit(name: Name, new: str) -> Edit:
    occurrence = name.occurrence
    if occurrence.kind is NameKind.ANCHOR:
        return Edit(*name.span, new)
    start, end = occurrence.whole.shifted(name.base)
    # A name stays in its quotes, or gets such as it needs.
    is_quoted = occurrence.style in QUOTED
    written = render_like(Scalar(0, 0, "", occurrence.style), new) if is_quoted else render_text(new, flow=True)
    return Edit(start, end, written)
