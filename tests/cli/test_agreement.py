"""`rubric agreement`: how far the judges agree with a person."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from graded import MODEL, PERSON, a_judgement

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

Judge: TypeAlias = "Callable[..., None]"

OTHER = JudgeIdentity("large", "anthropic", "large-2")
NOTHING = (
    "Nothing to compare yet. Judge some answers yourself with `rubric grade FILE --judge manual`, "
    "and let a model judge the same answers."
)


@pytest.fixture
def judge(folder: Path) -> Judge:
    """Give a function that keeps judgements: one of each answer, by one judge, of one criterion."""
    numbers = count()

    def judge_all(by: JudgeIdentity, ratings: Iterable[bool | int], criterion: str = "port", **about: Any) -> None:
        with Store.open(Store.at(folder)) as store:
            for answer, rating in enumerate(ratings):
                said = {"satisfied": rating} if isinstance(rating, bool) else {"score": rating}
                text = json.dumps({"checks": [{"id": criterion, **said}]})
                values = {"case_id": "greeting", "judge": by, "answer_hash": str(answer), "text": text, **about}
                store.put(a_judgement(next(numbers), **values))

    return judge_all


def test_without_a_store_there_is_nothing_to_compare(rubric: Any, folder: Path) -> None:
    """The message says how to get something, and looking makes no store."""
    result = rubric("agreement")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"{NOTHING}\n")
    assert json.loads(rubric("agreement", "--format", "json").stdout) == {"judges": []}
    assert not (folder / ".rubric").exists()


@pytest.mark.parametrize("by", [PERSON, MODEL])
def test_one_judge_alone_agrees_with_nobody(rubric: Any, judge: Judge, by: JudgeIdentity) -> None:
    """Also where `--judge` names somebody."""
    judge(by, [True, False])
    assert rubric("agreement").stderr == f"{NOTHING}\n"
    assert rubric("agreement", "--judge", "mini").stderr == f"{NOTHING}\n"


def test_the_agreement_on_each_criterion(rubric: Any, judge: Judge) -> None:
    """Worked by hand: of 32 pairs 24 agree, where chance gives 16, so that kappa is 8 of 16."""
    judge(PERSON, [True] * 16 + [False] * 16)
    judge(MODEL, [True] * 12 + [False] * 4 + [True] * 4 + [False] * 12)
    judge(PERSON, [7] * 20 + [3] * 20, "style")
    judge(MODEL, [8] * 10 + [7] * 10 + [3] * 20, "style")
    judge(PERSON, [9] * 2, "safety", kind="scorecard", evaluator="scorecard", text=_dimension(9))
    judge(MODEL, [9] * 2, "safety", kind="scorecard", evaluator="scorecard", text=_dimension(9))
    assert rubric("agreement").stdout == (
        """\
mini (openai, mini-1) against manual judgements: 74 pairs

criterion               cases  pairs  agreement  kappa  weighted kappa
port                        1     32       75 %   0.50
style                       1     40       75 %   0.60            0.97
scorecard: safety           1      2      100 %      -               -
all that is met or not            32       75 %   0.50
all scores                        42     76.2 %   0.64            0.98

Kappa is the agreement beyond chance: 1 is full agreement, 0 is what chance gives.
Weighted kappa counts by the square of the distance, so that 7 against 8 is nearly agreement.
There is no kappa (-) where both gave one and the same rating throughout.
A kappa in brackets comes from fewer than 30 pairs: the next one can change it a lot.
"""
    )


def _dimension(score: int) -> str:
    return json.dumps({"dimensions": {"safety": {"score": score}}})


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "1 pair is too few to estimate how reliable the judge is: judge 29 more yourself, with"),
        (29, "29 pairs are too few to estimate how reliable the judge is: judge 1 more yourself, with"),
        (30, None),
    ],
)
def test_few_pairs_are_reported_as_few(rubric: Any, judge: Judge, number: int, words: str | None) -> None:
    """A kappa of a handful of pairs is in brackets."""
    ratings = [place % 2 == 0 for place in range(number)]
    judge(PERSON, ratings)
    judge(MODEL, [not ratings[0], *ratings[1:]])
    told = " ".join(rubric("agreement").stdout.split())
    assert ("are too few" in told or "is too few" in told) == (words is not None)
    assert (words or "") in told
    assert ("(0." in told) == (words is not None)


def test_each_judge_has_a_table(rubric: Any, judge: Judge) -> None:
    """`--judge` shows one of them."""
    for by, rating in ((PERSON, True), (MODEL, True), (OTHER, False)):
        judge(by, [rating])
    told = rubric("agreement").stdout
    assert told.index("mini (openai, mini-1) against") < told.index("large (anthropic, large-2) against")
    only = rubric("agreement", "--judge", "large").stdout
    assert "mini" not in only
    assert "large (anthropic, large-2) against manual judgements: 1 pair\n" in only


@pytest.mark.parametrize(("name", "hint"), [("larg", "Did you mean `large`?"), ("xyz", "There are `large`, `mini`.")])
def test_a_judge_that_judged_nothing(rubric: Any, judge: Judge, name: str, hint: str) -> None:
    """The message says who did."""
    for by in (PERSON, MODEL, OTHER):
        judge(by, [True])
    result = rubric("agreement", "--judge", name)
    assert result.exit_code == 2
    assert f"No judgement of `{name}` can be compared. {hint}" in result.stderr


def test_a_criterion_is_one_over_all_its_cases(rubric: Any, judge: Judge) -> None:
    """With one answer a case there would be one pair and no kappa otherwise."""
    for number, said in enumerate([(True, True), (True, False), (False, False), (False, False)]):
        about = {"file": f"{number // 2}.yaml", "case_id": str(number)}
        for by, rating in zip((PERSON, MODEL), said, strict=True):
            judge(by, [rating], "polite", **about)
    told = rubric("agreement").stdout
    assert "\npolite         4      4       75 %  (0.50)\n" in told


def test_criteria_without_ids_are_reported_together(rubric: Any, judge: Judge) -> None:
    """The first criterion of one case has nothing to do with the first of another; in a single case each is its own."""
    for by in (PERSON, MODEL):
        judge(by, [True, False], "rubric-1")
        judge(by, [True, False], "rubric-2")
    told = json.loads(rubric("agreement", "--format", "json").stdout)["judges"][0]
    assert [(each["id"], each["cases"], each["pairs"]) for each in told["criteria"]] == [
        ("rubric-1", 1, 2),
        ("rubric-2", 1, 2),
    ]
    for by in (PERSON, MODEL):
        judge(by, [True], "rubric-1", case_id="another")
        judge(by, [True], "port")
    told = json.loads(rubric("agreement", "--format", "json").stdout)["judges"][0]
    assert [(each["id"], each["cases"], each["pairs"]) for each in told["criteria"]] == [(None, 2, 5), ("port", 1, 1)]
    assert "\n(without an id)             2      5 " in rubric("agreement").stdout


def test_only_the_named_files(rubric: Any, judge: Judge) -> None:
    """Files and folders."""
    for file in ("evals/a.yaml", "b.yaml"):
        judge(PERSON, [True], file=file)
        judge(MODEL, [True], file=file)
    for paths, cases in (((), 2), (("evals",), 1), (("b.yaml",), 1)):
        told = rubric("agreement", *paths, "--format", "json").stdout
        assert [each["cases"] for each in json.loads(told)["judges"][0]["criteria"]] == [cases]
    assert rubric("agreement", "nowhere").stderr == f"{NOTHING} Only the named paths were searched.\n"


def test_json_has_all_digits(rubric: Any, judge: Judge) -> None:
    """A third is not rounded, and what is undefined is null."""
    judge(PERSON, [True, True, False])
    judge(MODEL, [True, False, True])
    judge(PERSON, [4], "style")
    judge(MODEL, [5], "style")
    told = json.loads(rubric("agreement", "--format", "json").stdout, parse_float=str)["judges"][0]
    assert told["judge"] == {"name": "mini", "kind": "openai", "model": "mini-1"}
    assert (told["pairs"], told["enough"]) == (4, False)
    port, style = told["criteria"]
    assert port == {
        "evaluator": "rubric",
        "id": "port",
        "mode": "checklist",
        "cases": 1,
        "pairs": 3,
        "agreement": "0.33333333333333333",
        "kappa": "-0.5",
        "weighted_kappa": None,
    }
    assert (style["mode"], style["agreement"], style["kappa"], style["weighted_kappa"]) == ("score-range", 0, 0, 0)
    assert (told["checklist"]["pairs"], told["scores"]["pairs"]) == (3, 1)


def test_a_criterion_that_changed_its_mode_is_two(rubric: Any, judge: Judge) -> None:
    """Being met or not and having a score cannot be counted together."""
    for by in (PERSON, MODEL):
        judge(by, [True], answer_hash="old")
        judge(by, [8], answer_hash="new")
    told = json.loads(rubric("agreement", "--format", "json").stdout)["judges"][0]
    assert [(each["id"], each["mode"]) for each in told["criteria"]] == [("port", "checklist"), ("port", "score-range")]


def test_checklists_alone_have_no_weighted_kappa(rubric: Any, judge: Judge) -> None:
    """And scores alone have no line for what is met or not; one criterion needs no sum."""
    for by in (PERSON, MODEL):
        judge(by, [True, False])
    told = rubric("agreement").stdout
    assert "weighted" not in told.lower()
    assert "\nall " not in told
    for by in (PERSON, MODEL):
        judge(by, [True], "style")
    assert "\nall that is met or not " in rubric("agreement").stdout


def test_scores_alone_have_one_sum(rubric: Any, judge: Judge) -> None:
    """There is nothing to add up for checklists."""
    for by in (PERSON, MODEL):
        judge(by, [3, 5])
        judge(by, [3, 5], "style")
    told = rubric("agreement").stdout
    assert "\nall scores " in told
    assert "met or not" not in told
