"""Messages about unknown names say what is known, and fixes write names so that they stay whole."""

from __future__ import annotations

import pytest

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import KnownProject
from rubric_core.rules.messages import replace_name, suggestion
from rubric_core.syntax.nodes import Scalar, ScalarStyle


@pytest.mark.parametrize(
    ("written", "known", "ending", "meant"),
    [
        ("azur", ["default", "azure"], "did you mean `azure`?", "azure"),
        ("gemini", ["azure"], "there is `azure`.", None),
        ("gemini", ["a1", "a2", "a3", "a4", "a5"], "there is `a1`, `a2`, `a3`, `a4`, `a5`.", None),
        (
            "gemini",
            ["a1", "a2", "a3", "a4", "a5", "a6", "a7"],
            "there is `a1`, `a2`, `a3`, `a4`, `a5` and 2 more.",
            None,
        ),
    ],
)
def test_the_end_of_a_message(written: str, known: list[str], ending: str, meant: str | None) -> None:
    """A near name is suggested; otherwise the first five are listed."""
    assert suggestion(written, known) == (ending, meant)


@pytest.mark.parametrize(
    ("style", "name", "written"),
    [
        (ScalarStyle.PLAIN, "code-review", "code-review"),
        (ScalarStyle.PLAIN, "a, b", '"a, b"'),
        (ScalarStyle.PLAIN, "yes", '"yes"'),
        (ScalarStyle.SINGLE, "it's", "'it''s'"),
        (ScalarStyle.DOUBLE, "code-review", '"code-review"'),
    ],
)
def test_a_name_is_written_in_the_quotes_of_the_other(style: ScalarStyle, name: str, written: str) -> None:
    """A name that brackets or YAML's words could take apart gets quotes."""
    assert replace_name(Scalar(3, 7, "old", style), name) == (3, 7, written)


def test_a_targets_file_without_targets_is_told_so() -> None:
    """There is nothing to suggest then."""
    (problem,) = check_text(
        "execution: {target: azure}\nevalcases: []\n",
        path="a.eval.yaml",
        project=KnownProject(targets=frozenset()),
    ).problems
    assert problem.message == "The targets file has no target at all; add `azure` to it."
