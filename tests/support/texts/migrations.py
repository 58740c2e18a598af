"""What the tests of migrations share: a text in another dialect, its criteria, its comments, and its errors."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rubric_core.analysis.check import check_text
from rubric_core.analysis.verified import errors_of
from rubric_core.config.config import DEFAULT
from rubric_core.dialects.eval_files import is_case_name
from rubric_core.dialects.registry import BY_NAME
from rubric_core.migration.engine import Migrated, Shape
from rubric_core.migration.registry import PAIRS, migrate_text, table_of
from rubric_core.model.load import load_text
from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator


def shape_of(path: str) -> Shape:
    """Return how a file of this name is read."""
    return Shape(json_lines=path.endswith(".jsonl"), is_one_case=is_case_name(path))


def migrated(text: str, source: str, target: str, path: str = "a.eval.yaml") -> Migrated:
    """Return a text in another dialect, with everything applied that can be."""
    found = migrate_text(text, BY_NAME[source], BY_NAME[target], shape_of(path))
    assert found.problem is None, found.problem
    return found


def errors_in(text: str, dialect: str, path: str = "a.eval.yaml") -> Counter[str]:
    """Count the errors of a text that is read as a dialect, by their codes."""
    config = replace(DEFAULT, dialect=dialect)
    return errors_of(check_text(text, path=path, config=config, is_named=True).problems)


def criteria_in(text: str, dialect: str, path: str = "a.eval.yaml") -> set[tuple[Any, ...]]:
    """Return every criterion of every case, as plain values."""
    return {
        (case.id, *criterion)
        for suite in load_text(text, path, dialect=BY_NAME[dialect])
        for case in suite.cases
        for criterion in _criteria_of(case)
    }


def _criteria_of(part: Any) -> Iterator[tuple[Any, ...]]:
    for each in getattr(part, "criteria", None) or ():
        ranges = tuple(
            (band.minimum, band.maximum, band.expected_outcome) for band in getattr(each, "score_ranges", ())
        )
        gate = getattr(each, "required_min_score", None)
        yield each.id, each.expected_outcome, each.weight, getattr(each, "required", None), gate, ranges
    for name in ("rubrics", "evaluators"):
        below = getattr(part, name, None) or ()
        for each in below:
            yield from _criteria_of(each)


def comments_of(text: str, path: str = "a.eval.yaml") -> list[str]:
    """Return the comments of a text in their order."""
    document = Document(text, json_lines=path.endswith(".jsonl"), is_one_case=True)
    found: list[str] = []
    for index in range(len(document.chunks)):
        tree = document.tree(index)
        found += comments_in(document.chunks[index].text, tree.root)
    return found


def _words_of_tables() -> frozenset[str]:
    rows = [step for pair in PAIRS for steps in table_of(*pair) for step in steps]
    said = " ".join(f"{row.old} {row.new} {row.reason}" for row in rows)
    return frozenset(re.findall(r"[\w-]+", " ".join(re.findall(r"`[^`]*`", said))))


TABLE_WORDS = _words_of_tables()
"""Every key, type and mark that the tables speak of."""


def foreign_changes(before: str, after: str) -> list[str]:
    """Return the lines that are gone or new and have no word of the tables; indentation and dashes do not count.

    What is behind a key of the tables now, or did before, has not changed itself, and neither has what was copied.
    Lines with templates may change.
    """
    old, new = (Counter(line.strip(" -\r") for line in text.split("\n")) for text in (before, after))
    gone, added = old - new, new - old
    foreign = [(line, added) for line in gone if line not in new] + [(line, gone) for line in added if line not in old]
    return [line for line, others in foreign if "{{" not in line and not _is_explained(_words(line), others)]


def _is_explained(words: set[str], others: Counter[str]) -> bool:
    return not TABLE_WORDS.isdisjoint(words) or any(words <= _words(other) for other in others)


def _words(line: str) -> set[str]:
    return set(re.findall(r"[\w-]+", line))
