"""The file as a whole is seen with the chunk that each of its parts is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.analysis.check import analyse

if TYPE_CHECKING:
    from rubric_core.views.files import FileView

TEXT = (
    "description: x\nevalcases:\n  - {id: a, expected_outcome: x}\n  - {id: b, expected_outcome: x}\n"
    "  - {id: a, expected_outcome: x}\n---\nname: y\nevalcases: [{id: a, expected_outcome: z}]\n"
)


def _view(text: str) -> FileView:
    analysis = analyse(text)
    analysis.refresh()
    return analysis.facts.view(None)


def test_entries_are_those_of_each_yaml_document() -> None:
    """In the order of the text, whatever chunks they are cut into."""
    assert [[placed.pair.name for placed in entries] for entries in _view(TEXT).documents] == [
        ["description", "evalcases"],
        ["name", "evalcases"],
    ]


def test_ids_that_are_repeated_come_with_all_their_places() -> None:
    """A place is a node and the chunk that its offsets count from."""
    view = _view(TEXT)
    assert sorted(view.ids) == ["a", "b"]
    assert view.case_count == 4
    ((identifier, places),) = view.repeated_ids.items()
    assert identifier == "a"
    assert [placed.chunk.text[placed.node.start : placed.node.end] for placed in places] == ["a", "a", "a"]
    assert [placed.chunk.section for placed in places] == [0, 0, 1]


def test_a_sound_file_has_no_case_over_the_limit() -> None:
    """Nor a sign of a later dialect."""
    view = _view(TEXT)
    assert view.case_over_limit is None
