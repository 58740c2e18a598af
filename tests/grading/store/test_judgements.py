"""Judgements: kept at once, found again by their key."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest
from graded import PERSON, a_judgement
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.ask import JudgementCache
    from rubric_core.grading.judges.judge import Judgement


def _reopened(store: Store) -> Store:
    return Store.open(store.database.parent)


def test_a_judgement_is_remembered_by_its_key(store: Store) -> None:
    """Also by whoever opens the store while it is still open here."""
    memory: JudgementCache = store
    assert memory.get("key-1") is None
    memory.put(a_judgement(1))
    memory.put(a_judgement(2, judge=PERSON, sample=3))
    with _reopened(store) as other:
        assert other.get("key-1") == a_judgement(1)
        assert other.get("key-2") == a_judgement(2, judge=PERSON, sample=3)


def test_one_without_a_key_is_kept_and_never_reused(store: Store) -> None:
    """A person is asked each time."""
    store.put(a_judgement(1, key=None))
    assert store.get("") is None
    assert store.get("key-1") is None


def test_a_known_id_is_kept_once(store: Store) -> None:
    """A recording that is replayed says nothing new."""
    store.put(a_judgement(1))
    store.put(a_judgement(1, text="{}"))
    assert store.get("key-1") == a_judgement(1)


def test_the_newest_judgement_of_a_key_counts(store: Store) -> None:
    """Judging once more on request replaces what is remembered."""
    store.put(a_judgement(1))
    store.put(a_judgement(1, id="again", text="{}"))
    found = store.get("key-1")
    assert found is not None
    assert (found.id, found.text) == ("again", "{}")


@pytest.mark.parametrize(
    ("given", "known_as"),
    [
        ("suite.eval.yaml", "suite.eval.yaml"),
        ("evals/../suite.eval.yaml", "suite.eval.yaml"),
        ("{project}/evals/a.yaml", "evals/a.yaml"),
        ("{project}/../other/a.yaml", "{parent}/other/a.yaml"),
        ("{project}-2/a.yaml", "{project}-2/a.yaml"),
        ("", ""),
    ],
)
def test_a_file_is_known_by_its_path_in_the_project(store: Store, project: Path, given: str, known_as: str) -> None:
    """However it was named, and wherever the project moves; a file elsewhere has its whole path."""
    names = {"project": project.as_posix(), "parent": project.parent.as_posix()}
    store.put(a_judgement(1, file=given.format(**names)))
    found = store.get("key-1")
    assert found is not None
    assert found.file == known_as.format(**names)


_NUMBERS = count()
TEXTS = st.text(st.characters(), max_size=30) | st.just('{"a": "\0"}') | st.just("\ufeff\u2028🎉")


@given(TEXTS, TEXTS, TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back(store: Store, case_id: str, evaluator: str, text: str) -> None:
    """Half of a surrogate pair too, in the escape that JSON reads as the same."""
    number = next(_NUMBERS)
    kept = a_judgement(number, case_id=case_id, evaluator=evaluator, text=text)
    store.put(kept)
    found = store.get(f"key-{number}")
    assert found == _escaped(kept)


def _escaped(judgement: Judgement) -> Judgement:
    def escape(text: str) -> str:
        return text.encode("utf-8", "backslashreplace").decode()

    return replace(
        judgement,
        case_id=escape(judgement.case_id),
        evaluator=escape(judgement.evaluator),
        text=escape(judgement.text),
    )
