"""Suites of a text, and what a case of one sends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.config.config import Config
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.load import load, load_text

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.model.evaluators import Evaluator
    from rubric_core.model.suite import EvalCase, Suite


def suite_of(text: str, **settings: Any) -> Suite:
    """Return the only suite of a text, loaded with some settings."""
    (suite,) = load_text(text, "x.eval.yaml", config=Config(**settings))
    return suite


def sent(case: EvalCase) -> list[tuple[str, Any]]:
    """Return the messages of a case."""
    return [
        (each.role, each.content if isinstance(each.content, str) else [(part.type, part.value) for part in each.parts])
        for each in case.input_messages
    ]


def sent_by(text: str) -> list[tuple[str, Any]]:
    """Return the messages of the only case of a text, of which nothing is left out."""
    suite = suite_of(text)
    assert not suite.left_out
    (case,) = suite.cases
    return sent(case)


def reasons(case: EvalCase) -> list[str]:
    """Return why a case cannot be graded."""
    return [each.reason for each in case.left_out]


def case_of(text: str) -> EvalCase:
    """Return the only case of a text, of which nothing is left out."""
    suite = suite_of(text)
    assert not suite.left_out
    (case,) = suite.cases
    return case


def ids_of(evaluator: Evaluator) -> list[str]:
    """Return the ids of the criteria of an evaluator."""
    return [each.id for each in evaluator.criteria] if isinstance(evaluator, LlmJudge) else []


def written(folder: Path, **files: str) -> Suite:
    """Return the suite `suite_yaml` of a folder with these files; two underscores mean a slash."""
    for name, text in files.items():
        place = folder / "/".join(name.split("__")).replace("_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return load(folder / "suite.yaml")
