"""What an editor asks about a place reads the case there, not the whole text: 10 MB take 20 ms to put together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import analyse
from rubric_core.assist.actions import fixes_of, problems_in, refactors_in, suppressions_of
from rubric_core.assist.completion.complete import complete
from rubric_core.assist.hover import hover
from rubric_core.assist.links import link_at
from rubric_core.assist.migration_actions import is_on_case_list
from rubric_core.assist.names.lookup import name_at
from rubric_core.assist.selection import selections
from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.analysis.analysis import Analysis

SUITE = """\
# Suites of our support
evalcases:
  - id: refund
    expected_outcome: Says how to get the money back
    input_messages: [{role: user, content: How do I get my money back?}]
    rubrics:
      - id: clarity
        weight: 2
        score_ranges: {0: Cannot be followed, 6: Clear with small gaps, 4: Unclear}
  - id: refund
    expected_outcome: Says how to get the money back
    execution: {evaluators: [{name: tone, type: llm_judge, prompt: prompts/tone.md}]}
"""
REQUESTS: dict[str, Callable[[Analysis, int], object]] = {
    "completion": complete,
    "hover": hover,
    "link": link_at,
    "name": name_at,
    "selection": selections,
    "is on the case list": is_on_case_list,
    "fixes": lambda analysis, at: list(fixes_of(problems_in(analysis, Span(at, at)))),
    "refactors": lambda analysis, at: list(refactors_in(analysis, Span(at, at))),
    "suppressions": lambda analysis, at: list(suppressions_of(analysis, problems_in(analysis, Span(at, at)))),
}


@pytest.mark.parametrize("request_name", REQUESTS)
def test_a_request_about_a_place_does_not_put_the_text_together(
    request_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for while somebody types, in every place of the text."""
    ask = REQUESTS[request_name]
    analysis = analyse(SUITE, path="a.eval.yaml")
    at = SUITE.index("Unclear")
    analysis.edit([Edit(at, at, "x")])
    analysis.problems()
    text = analysis.document.text
    expected = [as_data(ask(analysis, offset)) for offset in range(len(text) + 1)]
    assert any(expected)

    def whole_text(_document: Document) -> str:
        message = "The whole text was put together."
        raise AssertionError(message)

    monkeypatch.setattr(Document, "text", property(whole_text))
    assert [as_data(ask(analysis, offset)) for offset in range(len(text) + 1)] == expected


def as_data(answer: object) -> str:
    """Return an answer as something that can be compared; fixes are functions."""
    if isinstance(answer, Iterable) and not isinstance(answer, (str, tuple)):
        return " ".join(str(getattr(each, "title", each)) for each in answer)
    return str(answer or "")
