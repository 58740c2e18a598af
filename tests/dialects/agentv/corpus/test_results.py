"""Result files of AgentV's own repository, where the corpus has some: each row is a result, and none is a suite."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rubric_core.analysis.check import check_text
from rubric_core.cli.result_sources import file_results
from rubric_core.report.families.compared import compare_results

CORPUS = os.environ.get("RUBRIC_CORPUS", "")
FILES = sorted(Path(CORPUS).rglob("*.baseline.jsonl")) if CORPUS else []

pytestmark = pytest.mark.skipif(not FILES, reason="RUBRIC_CORPUS has no *.baseline.jsonl")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORPUS)))
def test_a_baseline_is_read_as_a_whole(path: Path) -> None:
    """Each line gives a result with a verdict or an error, and compared with itself nothing changes."""
    results = file_results(str(path)).results
    assert len(results) == sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())
    assert all((each.verdict is None) == (each.error is not None) for each in results)
    compared = compare_results(("before", "after"), results, results)
    assert len(compared.pairs) == len(results)
    assert not any(pair.change.difference or pair.is_regression for pair in compared.pairs)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORPUS)))
def test_a_baseline_is_no_suite(path: Path) -> None:
    """Its rows have `assertions` too."""
    checked = check_text(path.read_text(encoding="utf-8"), path=str(path))
    assert not checked.ours
    assert not checked.problems
