"""Manual judgements beside a model's: what both said of the same criterion in the same answer."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from graded import MODEL, PERSON, a_judgement

from rubric_core.grading.judges.judge import JudgeIdentity

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.store.store import Store

OTHER = JudgeIdentity("large", "anthropic", "large-2")

_numbers = count()


def _judge(store: Store, judge: JudgeIdentity, checks: Any, **changes: Any) -> None:
    """Keep a judgement of the case `port` that says so much."""
    text = checks if isinstance(checks, str) else json.dumps({"checks": checks})
    about = {"case_id": "port", "answer_hash": "answer", "judge": judge, "text": text}
    store.put(a_judgement(next(_numbers), **{**about, **changes}))


def _met(**criteria: bool) -> list[dict[str, Any]]:
    return [{"id": name, "satisfied": met} for name, met in criteria.items()]


def _pairs(store: Store, *paths: str) -> list[tuple[Any, ...]]:
    return [
        (pair.judge.name, pair.subject.criterion, pair.manual, pair.rating) for pair in store.paired_judgements(paths)
    ]


def test_a_pair_is_the_same_criterion_of_the_same_answer(store: Store) -> None:
    """For each model that judged it; what only one of both has judged is no pair."""
    _judge(store, PERSON, _met(port=True, style=False, alone=True))
    _judge(store, MODEL, _met(port=True, style=True, other=True))
    _judge(store, OTHER, _met(style=False))
    assert _pairs(store) == [
        ("mini", "port", True, True),
        ("mini", "style", False, True),
        ("large", "style", False, False),
    ]
    pair = store.paired_judgements()[0]
    assert (pair.subject, pair.judge) == (("suite.eval.yaml", "port", "rubric", "answer", "port"), MODEL)


@pytest.mark.parametrize(
    "difference",
    [{"file": "b.yaml"}, {"case_id": "host"}, {"evaluator": "second"}, {"answer_hash": "another answer"}],
    ids=lambda difference: next(iter(difference)),
)
def test_another_subject_is_no_pair(store: Store, difference: dict[str, str]) -> None:
    """Both must have judged the same thing."""
    _judge(store, PERSON, _met(port=True))
    _judge(store, MODEL, _met(port=True), **difference)
    assert _pairs(store) == []


def test_another_prompt_is_a_pair(store: Store) -> None:
    """A person reads no prompt, and a better one is judged by the same answers."""
    _judge(store, PERSON, _met(port=True), prompt_hash="")
    _judge(store, MODEL, _met(port=False), prompt_hash="better")
    assert _pairs(store) == [("mini", "port", True, False)]


def test_the_newest_judgement_of_a_judge_counts(store: Store) -> None:
    """Of a person too; the earlier ones are history."""
    _judge(store, PERSON, _met(port=False))
    _judge(store, MODEL, _met(port=False))
    _judge(store, MODEL, _met(port=True))
    _judge(store, PERSON, _met(port=True))
    assert _pairs(store) == [("mini", "port", True, True)]


def test_the_first_sample_counts(store: Store) -> None:
    """Several judgements of one answer are not several answers."""
    _judge(store, PERSON, _met(port=True))
    for sample, met in enumerate([True, False, False]):
        _judge(store, MODEL, _met(port=met), sample=sample)
    assert _pairs(store) == [("mini", "port", True, True)]


def test_criteria_that_were_judged_one_by_one_belong_together(store: Store) -> None:
    """As `--per-criterion` asks for them."""
    _judge(store, PERSON, _met(port=True, style=True))
    _judge(store, MODEL, _met(port=True))
    _judge(store, MODEL, _met(style=False))
    assert _pairs(store) == [("mini", "port", True, True), ("mini", "style", True, False)]


@pytest.mark.parametrize(
    ("by_person", "by_model", "ratings"),
    [
        ({"score": 7}, {"score": 8}, [(7, 8)]),
        ({"score": 7}, {"score": 7.0}, [(7, 7)]),
        ({"score": 7}, {"score": 7, "satisfied": True}, [(7, 7)]),
        ({"satisfied": True}, {"satisfied": False, "score": 3}, [(True, False)]),
        ({"satisfied": True}, {"score": 3}, []),
        ({"score": 3}, {"satisfied": True}, []),
    ],
)
def test_both_ratings_are_of_one_mode(
    store: Store, by_person: dict[str, Any], by_model: dict[str, Any], ratings: list[tuple[Any, Any]]
) -> None:
    """A criterion that was a checklist one and has scores now is another one; further fields are ignored."""
    _judge(store, PERSON, [{"id": "port", **by_person}])
    _judge(store, MODEL, [{"id": "port", **by_model}])
    pairs = store.paired_judgements()
    assert [(pair.manual, pair.rating) for pair in pairs] == ratings
    assert [(type(pair.manual), type(pair.rating)) for pair in pairs] == [(type(a), type(b)) for a, b in ratings]


@pytest.mark.parametrize(
    "text",
    [
        '{"checks": {"port": {"satisfied": false}}}',
        '{"checks": {"port": {"id": "port", "satisfied": false}}}',
        'Here it is:\n```json\n{"checks": [{"id": "port", "satisfied": false}]}\n```\nThat is all.',
    ],
)
def test_every_form_of_a_reply_is_read(store: Store, text: str) -> None:
    """What was valid for grading is valid here."""
    _judge(store, PERSON, _met(port=True))
    _judge(store, MODEL, text)
    assert _pairs(store) == [("mini", "port", True, False)]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"checks": []}'])
def test_a_text_that_says_nothing_is_no_pair(store: Store, text: str) -> None:
    """Nobody knows who has written into the database."""
    _judge(store, PERSON, _met(port=True))
    _judge(store, MODEL, text)
    assert _pairs(store) == []


def test_dimensions_are_paired_like_criteria(store: Store) -> None:
    """A scorecard is judged by people too."""
    by_person = json.dumps({"dimensions": {"safety": {"score": 9}, "efficiency": {"score": 4}}})
    by_model = json.dumps({"dimensions": {"safety": {"score": 9}, "efficiency": {"score": 6}}, "red_flags": []})
    _judge(store, PERSON, by_person, kind="scorecard", evaluator="scorecard")
    _judge(store, MODEL, by_model, kind="scorecard", evaluator="scorecard")
    assert _pairs(store) == [("mini", "safety", 9, 9), ("mini", "efficiency", 4, 6)]


def test_a_score_for_the_whole_answer_is_no_criterion(store: Store) -> None:
    """Two people hardly ever give the same number between 0 and 1."""
    for judge in (PERSON, MODEL):
        _judge(store, judge, '{"score": 0.5}', kind="free-form")
    assert _pairs(store) == []


def test_only_the_named_files_and_folders(store: Store, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named from where the user is."""
    for file in ("evals/a.yaml", "evals/b.yaml", "evals-2/c.yaml"):
        _judge(store, PERSON, _met(**{file: True}), file=file)
        _judge(store, MODEL, _met(**{file: True}), file=file)
    (project / "evals").mkdir()
    monkeypatch.chdir(project / "evals")
    named = {
        (): ["evals/a.yaml", "evals/b.yaml", "evals-2/c.yaml"],
        (".",): ["evals/a.yaml", "evals/b.yaml"],
        ("a.yaml", "../evals-2"): ["evals/a.yaml", "evals-2/c.yaml"],
        (str(project),): ["evals/a.yaml", "evals/b.yaml", "evals-2/c.yaml"],
        ("c.yaml",): [],
    }
    for paths, files in named.items():
        assert [pair.subject.file for pair in store.paired_judgements(paths)] == files, paths
