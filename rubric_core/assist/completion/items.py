"""Proposals for whole items of a list: snippets, and the next range of an array of score ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.completion.meaning import meaning_of
from rubric_core.assist.completion.proposals import Draft, ProposalKind, Topic
from rubric_core.assist.completion.scores import next_ranges
from rubric_core.assist.completion.snippets import ITEMS, SNIPPETS, Snippet
from rubric_core.assist.completion.templates import Hole, Template, TemplateList, block_lines, flow_pieces, write

if TYPE_CHECKING:
    from rubric_core.assist.completion.parts import Branch
    from rubric_core.assist.completion.place import CompletionPlace

# Before the keys that can stand at the same place.
_RANK = 5


def item_drafts(place: CompletionPlace) -> list[Draft]:
    """Return the items that a list can go on with on a line of their own, dash included."""
    return [_draft(place, snippet, [snippet.template]) for snippet in _snippets(place.branch)]


def started_item_drafts(place: CompletionPlace) -> list[Draft]:
    """Return what can stand behind a fresh dash."""
    item = place.branch.owner
    listed = item.branch if item is not None else None
    return [_draft(place, snippet, snippet.template) for snippet in _snippets(listed)] if listed is not None else []


def flow_item_drafts(place: CompletionPlace, *, as_json: bool) -> list[Draft]:
    """Return the items that a list in brackets can go on with."""
    drafts: list[Draft] = []
    for snippet in _snippets(place.branch):
        line = flow_pieces(snippet.template, as_json=as_json)
        written = write([line], 0, "\n", lead=place.lead, tail=place.tail)
        drafts.append(Draft(snippet.name, ProposalKind.SNIPPET, snippet.doc, written, _RANK, _topic(snippet)))
    return drafts


def first_items(listed: Branch) -> list[tuple[Snippet, Template]]:
    """Return the items that a list could start with that is not there yet."""
    return [(snippet, [snippet.template]) for snippet in _snippets(listed)]


def _snippets(listed: Branch) -> tuple[Snippet, ...]:
    record = meaning_of(listed).record
    if record is None:
        return ()
    if record.name == "score-range":
        return tuple(
            Snippet(
                f"score range {low} to {high}",
                "The scores that no band covers yet.",
                {
                    "score_range": TemplateList((str(low), str(high))),
                    "expected_outcome": Hole("What an answer is like"),
                },
            )
            for low, high in next_ranges(listed.entries)
        )
    return ITEMS.get(record.name, ())


def _topic(snippet: Snippet) -> Topic:
    """Return what documents a snippet: its own page, or what a score range is where it was made for a gap."""
    return Topic("snippet", snippet.name) if snippet.name in SNIPPETS else Topic("record", "score-range")


def _draft(place: CompletionPlace, snippet: Snippet, template: Template) -> Draft:
    written = write(block_lines(template, place.style), place.column, place.style.line_break, lead=place.lead)
    return Draft(snippet.name, ProposalKind.SNIPPET, snippet.doc, written, _RANK, _topic(snippet))
