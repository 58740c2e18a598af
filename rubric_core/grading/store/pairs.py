"""Pairs of judgements of a person and a model of the same criterion in the same answer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from rubric_core.grading.json_text import NotJson, find_object
from rubric_core.grading.judges.judge import PERSON, JudgeIdentity
from rubric_core.scoring.agreement import Rating

# The prompt takes no part: a person reads none, and other words for the same criterion are what is tried out.
# Of several samples only the first counts, so that no answer counts twice.
JUDGED = """
    SELECT file, case_id, evaluator, answer_hash, judge_name, judge_kind, judge_model, kind, text
    FROM judgements
    WHERE kind IN ('rubric', 'scorecard') AND sample = 0
    ORDER BY number
"""

_Entry = Mapping[str, Any]
"""The part of a judgement about one criterion."""


class JudgedSubject(NamedTuple):
    """What is judged: one criterion, or one dimension, of one answer to a case."""

    file: str
    case_id: str
    evaluator: str
    answer_hash: str
    criterion: str


@dataclass(frozen=True, slots=True)
class PairedJudgement:
    """The judgements of a person and another judge on the same thing."""

    subject: JudgedSubject
    judge: JudgeIdentity
    manual: Rating
    rating: Rating


def pair_judgements(rows: Iterable[tuple[Any, ...]]) -> tuple[PairedJudgement, ...]:
    """Return a pair for each criterion in each answer that a person and another judge have judged; the newest count."""
    by_person: dict[JudgedSubject, _Entry] = {}
    by_judge: dict[JudgeIdentity, dict[JudgedSubject, _Entry]] = {}
    for file, case_id, evaluator, answer_hash, name, kind, model, question, text in rows:
        own = by_person if kind == PERSON else by_judge.setdefault(JudgeIdentity(name, kind, model), {})
        for criterion, entry in _entries(question, text):
            own[JudgedSubject(file, case_id, evaluator, answer_hash, criterion)] = entry
    return tuple(
        PairedJudgement(subject, judge, *ratings)
        for judge, judged in by_judge.items()
        for subject, entry in judged.items()
        for ratings in _ratings(by_person.get(subject, {}), entry)
    )


def _entries(question: str, text: str) -> Iterator[tuple[str, _Entry]]:
    """Yield the entries of a judgement by criterion or dimension; none of a text that has no judgement."""
    try:
        value = find_object(text).value
    except NotJson:
        return
    listed = value.get("dimensions" if question == "scorecard" else "checks")
    named = listed.items() if isinstance(listed, dict) else ((None, entry) for entry in listed or ())
    for name, entry in named:
        yield entry.get("id", name), entry


def _ratings(by_person: _Entry, by_judge: _Entry) -> Iterator[tuple[Rating, Rating]]:
    """Yield both ratings if both are yes or no, or both are scores; else the criterion was another one."""
    met = by_person.get("satisfied"), by_judge.get("satisfied")
    scores = by_person.get("score"), by_judge.get("score")
    if isinstance(met[0], bool) and isinstance(met[1], bool):
        yield met[0], met[1]
    elif isinstance(scores[0], Decimal) and isinstance(scores[1], Decimal):
        yield int(scores[0]), int(scores[1])
