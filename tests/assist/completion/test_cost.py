"""Completion costs what one case costs, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import analyse
from rubric_core.assist.completion import complete as module
from rubric_core.assist.completion.complete import complete
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from rubric_core.assist.completion.branches import Root
    from rubric_core.assist.completion.tolerant_parser import TolerantTree

_CASE = """\
  - id: case-{0}
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - id: named
        score_ranges:
          0: Nothing
          5: All of it
"""
_LINE = "        re\n"


@pytest.mark.parametrize("count", [3, 300])
@pytest.mark.parametrize("style", ["seen", "not seen"])
def test_no_more_is_read_than_the_case_and_its_neighbours(
    count: int, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole text is never put together, and cases further away are not looked at."""
    text = "evalcases:\n" + "".join(_CASE.format(number) for number in range(count))
    analysis = analyse(text, path="a.eval.yaml")
    analysis.problems()
    at = text.index("        score_ranges", len(text) // 2)
    edit = Edit(at, at, _LINE) if style == "seen" else Edit(text.rindex("  - id"), len(text), "  - ")
    analysis.edit([edit])
    cursor = edit.start + len(edit.text) - (style == "seen")
    tree: list[str] = []
    original = module.parse_tolerantly

    def counted(chunk: str, offset: int, root: Root) -> TolerantTree:
        tree.append(chunk)
        return original(chunk, offset, root)

    def refuse(_document: Document) -> str:
        raise AssertionError("The whole text was asked for.")

    monkeypatch.setattr(module, "parse_tolerantly", counted)
    monkeypatch.setattr(Document, "text", property(refuse))
    found = complete(analysis, cursor)
    assert found is not None
    assert len(tree) <= (1 if style == "seen" else 3)
    assert sum(map(len, tree)) < 4 * len(_CASE)
