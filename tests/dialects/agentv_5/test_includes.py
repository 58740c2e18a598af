"""Files of assertions that lists include count in the shares of the others: in hints and in hover."""

from __future__ import annotations

import pytest
from assistance import finished

from rubric_core.analysis.check import analyse
from rubric_core.analysis.project import KnownProject
from rubric_core.assist.hints import HintKind, hints
from rubric_core.assist.hover import hover
from rubric_core.text.spans import Span

TEXT = """\
prompts: ["{{ q }}"]
assert:
  - include: deep
tests:
  - id: a
    vars: {q: x}
    assert:
      - include: shared
      - {metric: own, type: is-json, weight: 3}
"""
SHARED = "assert:\n  - One\n  - Two\n  - {type: is-json, weight: 4}\n  - {type: llm-rubric, prompt: file://x.md}\n"
FILES = {
    ".agentv/templates/shared.yaml": SHARED,
    ".agentv/templates/deep.yaml": "assert:\n  - include: deeper.yaml\n",
    "deeper.yaml": "assert: [Three]\n",
}


def _labels(files: dict[str, str]) -> list[str]:
    analysis = analyse(TEXT, path="a.eval.yaml", project=KnownProject(frozenset(files), contents=files))
    return [hint.label for hint in finished(hints(analysis, Span(0, len(TEXT)), {HintKind.SHARE}))]


def _said(files: dict[str, str], word: str) -> str:
    analysis = analyse(TEXT, path="a.eval.yaml", project=KnownProject(frozenset(files), contents=files))
    found = hover(analysis, TEXT.index(word) + 1)
    assert found is not None
    return found.plain


def test_what_files_bring_counts_beside_the_others() -> None:
    """Three of ten: two strings and an assertion of weight 4 from one file, one string from the suite's."""
    assert _labels(FILES) == ["30 %"]
    assert "Weight 3 of 10, 30 % of the test's score." in _said(FILES, "own, type")


@pytest.mark.parametrize("name", FILES)
def test_without_a_file_nothing_is_known(name: str) -> None:
    """Then no share is shown, and hover says so."""
    files = {each: text for each, text in FILES.items() if each != name}
    assert _labels(files) == []
    assert "Its share is unknown" in _said(files, "own, type")


def test_the_summary_of_a_test_names_the_files() -> None:
    """With what they weigh."""
    said = _said(FILES, "a\n    vars")
    assert "`shared` (included, weight 6)" in said
    assert "`deep` (included, weight 1)" in said


def test_a_file_that_includes_itself_cannot_be_told() -> None:
    """The upstream tool refuses it too."""
    assert _labels({**FILES, "deeper.yaml": "assert:\n  - include: deeper.yaml\n"}) == []
