"""Real suites of all dialects, migrated to the others: nothing is lost, nothing else is touched, nothing gets worse.

RUBRIC_CORPUS names the folder with the suites, which are not part of the project.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from migrations import comments_of, criteria_in, errors_in, foreign_changes, migrated, shape_of

from rubric_core.analysis.check import analyse
from rubric_core.dialects.registry import DIALECTS
from rubric_core.migration.registry import passes_between
from rubric_core.migration.steps import Kind
from rubric_core.model.load import CannotLoad

if TYPE_CHECKING:
    from rubric_core.migration.engine import Migrated

_FOLDER = os.environ.get("RUBRIC_CORPUS")
_SUFFIXES = {".yaml", ".yml", ".jsonl"}


@lru_cache(maxsize=1)
def _suites() -> dict[str, tuple[Path, str]]:
    """Return the suites of the corpora by their paths, each with its dialect."""
    found: dict[str, tuple[Path, str]] = {}
    folder = Path(_FOLDER or "")
    for path in sorted([*folder.rglob("agentv*/**/*"), *folder.glob("promptfoo/*")]) if _FOLDER else ():
        if path.suffix in _SUFFIXES:
            analysis = analyse(_text(path), path=str(path), is_named=True)
            analysis.refresh()
            if analysis.is_ours() and not any(analysis.document.tree(at).problems for at in range(1)):
                found[str(path.relative_to(_FOLDER or ""))] = path, analysis.facts.dialect.name
    return found


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


PAIRS = [
    (path, source, target.name)
    for path, source in _suites().values()
    for target in DIALECTS
    if target.name != source and passes_between(source, target.name) is not None
]
pytestmark = pytest.mark.skipif(not PAIRS, reason="RUBRIC_CORPUS does not name the folder of the corpora")
every_pair = pytest.mark.parametrize(
    ("path", "source", "target"),
    PAIRS,
    ids=[f"{path.relative_to(_FOLDER or '')}-{source}-{target}" for path, source, target in PAIRS],
)


@lru_cache(maxsize=4)
def _migrated(path: Path, source: str, target: str) -> Migrated:
    return migrated(_text(path), source, target, str(path))


@every_pair
def test_nothing_else_is_touched(path: Path, source: str, target: str) -> None:
    """Every comment stays, and every line that changes has a key or a type of the tables in it."""
    before, after = _text(path), _migrated(path, source, target).text
    lost = Counter(comments_of(before, str(path))) - Counter(comments_of(after, str(path)))
    # The comment that names promptfoo's schema becomes the one that names the dialect.
    assert [comment for comment in lost if "$schema=" not in comment] == []
    if not shape_of(str(path)).json_lines:
        assert foreign_changes(before, after) == []


@every_pair
def test_nothing_gets_worse(path: Path, source: str, target: str) -> None:
    """A suite without a line that says `no` gets no error that it did not have, and no key twice in any suite."""
    found = _migrated(path, source, target)
    new = errors_in(found.text, target, str(path)) - errors_in(_text(path), source, str(path))
    assert "RB002" not in new
    if not found.has(Kind.NO):
        assert not new


@every_pair
def test_the_criteria_stay_the_same(path: Path, source: str, target: str) -> None:
    """Ids, texts, weights, gates and ranges, unless a line says that somebody has to look."""
    found = _migrated(path, source, target)
    try:
        before = criteria_in(_text(path), source, str(path))
    except CannotLoad:
        pytest.skip("it has no cases of its own")
    if found.findings or errors_in(_text(path), source, str(path)):
        # A file with keys of several dialects has criteria that are read only afterwards.
        return
    after = criteria_in(found.text, target, str(path))
    implied = {"agentv-5"} & {source, target}
    if implied:
        # Where nothing else judges, AgentV 5 takes the `criteria` of a test for one criterion.
        before, after = _with_ranges_or_more(before), _with_ranges_or_more(after)
    assert before == after


def _with_ranges_or_more(criteria: set[tuple[object, ...]]) -> set[tuple[object, ...]]:
    count = Counter(each[0] for each in criteria)
    return {each for each in criteria if count[each[0]] > 1 or each[1] != "rubric-1"}
