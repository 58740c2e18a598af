"""From a judge's reply to a valid judgement, or to a list of all its errors. Nothing is guessed."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeGuard

from rubric_core.grading.json_text import NotJson, find_object, kind_of
from rubric_core.grading.judges.judge import Question
from rubric_core.model.criteria import Criterion
from rubric_core.model.suite import Scorecard
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring import scorecards
from rubric_core.scoring.rubrics import Check
from rubric_core.text.writing import some_of, without_surrogates

_MOST_LISTED = 30
_LONGEST_SHOWN = 60
_MOST_DECIMAL_PLACES = 50
# A list without findings may be absent, but not if a key with a similar name is present.
_FINDING_LISTS = {"red_flags": "flag", "bonuses": "bonus"}


class InvalidJudgement(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A reply that is not a valid judgement. Each problem is one sentence that helps the judge to correct it."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(self.problems))


class RubricJudgement(NamedTuple):
    """A valid judgement of criteria: one check for each, in the order of the criteria."""

    checks: tuple[Check, ...]
    overall_reasoning: str = ""


@dataclass(frozen=True, slots=True)
class FreeFormJudgement:
    """A valid judgement without criteria: an exact score from 0 to 1, and the reasons for and against it."""

    score: Fraction
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reasoning: str = ""


def read_judgement(
    text: str, question: Question
) -> RubricJudgement | FreeFormJudgement | scorecards.ScorecardJudgement:
    """Read the reply to a question about an answer. Raises InvalidJudgement."""
    if question.scorecard is not None:
        return read_scorecard(text, question.scorecard)
    return read_checks(text, question.criteria) if question.kind == "rubric" else read_free_form(text)


def read_checks(text: str, criteria: Sequence[Criterion]) -> RubricJudgement:
    """Read a judgement of criteria. `checks` is a list of `{id, satisfied | score, reasoning}`, or an object by id.

    Raises InvalidJudgement if a criterion is missing, repeated or unknown, or a value is not of its mode.
    """
    value, problems = _object_in(text)
    entries = _entries_of(value, problems)
    by_id = {criterion.id: criterion for criterion in criteria}
    problems += _wrong_ids([name for name, _ in entries], by_id)
    checks: dict[str, Check] = {}
    for name, entry in entries:
        if name in by_id and name not in checks:
            checks[name] = _check_of(by_id[name], entry, problems)
    reasoning = _text_of(value, "overall_reasoning", "overall_reasoning", problems)
    _refuse(problems)
    return RubricJudgement(tuple(checks[criterion.id] for criterion in criteria), reasoning)


def read_scorecard(text: str, scorecard: Scorecard) -> scorecards.ScorecardJudgement:
    """Read a judgement of the seven dimensions, red flags and bonuses. Raises InvalidJudgement with each problem."""
    value, problems = _object_in(text)
    dimensions = _dimensions_of(value, problems)
    flags = _findings_of(value, "red_flags", [flag.id for flag in scorecard.red_flags], problems)
    bonuses = _findings_of(value, "bonuses", [bonus.id for bonus in scorecard.bonuses], problems)
    reasoning = _text_of(value, "overall_reasoning", "overall_reasoning", problems)
    _refuse(problems)
    return scorecards.ScorecardJudgement(dimensions, flags, bonuses, reasoning)


def read_free_form(text: str) -> FreeFormJudgement:
    """Read a judgement with one score from 0 to 1. Raises InvalidJudgement with each problem."""
    value, problems = _object_in(text)
    score = _share_of(value, problems)
    hits = _texts_of(value, "hits", problems)
    misses = _texts_of(value, "misses", problems)
    reasoning = _text_of(value, "reasoning", "reasoning", problems)
    _refuse(problems)
    return FreeFormJudgement(score, hits, misses, reasoning)


def _object_in(text: str) -> tuple[dict[str, Any], list[str]]:
    try:
        reply = find_object(text)
    except NotJson as error:
        raise InvalidJudgement([str(error)]) from None
    return reply.value, [f"The key {_shown(key)} stands twice in one object." for key in reply.repeated_keys]


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        raise InvalidJudgement(problems)


def _entries_of(value: Mapping[str, Any], problems: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return the checks with their ids; without a usable `checks` there is nothing further to validate."""
    listed = value.get("checks")
    if isinstance(listed, dict):
        pairs = [(name, f"The check {_shown(name)}", entry) for name, entry in listed.items()]
    elif isinstance(listed, list):
        pairs = [(None, f"Check {place}", entry) for place, entry in enumerate(listed, start=1)]
    else:
        problem = "`checks` is missing." if "checks" not in value else f"`checks` is {kind_of(listed)}, not a list."
        raise InvalidJudgement([*problems, problem])
    entries: list[tuple[str, dict[str, Any]]] = []
    for name, called, entry in pairs:
        if not isinstance(entry, dict):
            problems.append(f"{called} is {kind_of(entry)}, not an object.")
            continue
        own = entry.get("id", name)
        if not isinstance(own, str):
            problems.append(f"{called} has no `id`.")
        elif name is not None and own != name:
            problems.append(f"{called} has the id {_shown(own)} inside.")
        else:
            entries.append((own, entry))
    return entries


def _wrong_ids(names: Sequence[str], criteria: Mapping[str, Criterion]) -> list[str]:
    counts = Counter(names)
    valid = _listed(list(criteria))
    unknown = [f"There is no criterion {_shown(name)}; {valid}." for name in counts if name not in criteria]
    repeated = [(name, count) for name, count in counts.items() if name in criteria and count > 1]
    missing = [f"The criterion {_shown(name)} is missing." for name in criteria if name not in counts]
    twice = (f"The criterion {_shown(name)} is judged {count} times; judge it once." for name, count in repeated)
    return [*unknown, *twice, *missing]


def _check_of(criterion: Criterion, entry: Mapping[str, Any], problems: list[str]) -> Check:
    name = _shown(criterion.id)
    reasoning = _text_of(entry, "reasoning", f"reasoning of {name}", problems)
    if criterion.mode == "checklist":
        satisfied = entry.get("satisfied")
        if not isinstance(satisfied, bool):
            problems.append(_misfit(entry, "satisfied", name, "true or false, without quotes"))
            satisfied = None
        return Check(criterion.id, satisfied=satisfied, reasoning=reasoning)
    score = _integer_of(entry, name, LOWEST, HIGHEST, problems)
    return Check(criterion.id, score=score, reasoning=reasoning)


def _integer_of(entry: Mapping[str, Any], name: str, lowest: int, highest: int, problems: list[str]) -> int | None:
    score = entry.get("score")
    # The bounds come first, so that a number with a huge exponent is never written out.
    if _is_number(score) and lowest <= score <= highest and score == score.to_integral_value():
        return int(score)
    problems.append(_misfit(entry, "score", name, f"an integer from {lowest} to {highest}, without quotes"))
    return None


def _misfit(entry: Mapping[str, Any], field: str, name: str, expected: str) -> str:
    if field not in entry:
        return f"{name} needs `{field}`: {expected}."
    return f"`{field}` of {name} is {_shown(entry[field])}; it must be {expected}."


def _dimensions_of(value: Mapping[str, Any], problems: list[str]) -> dict[str, scorecards.DimensionJudgement]:
    listed = value.get("dimensions")
    if not isinstance(listed, dict):
        problems.append("`dimensions` is missing." if listed is None else "`dimensions` must be an object by name.")
        return {}
    problems += (f"There is no dimension {_shown(name)}." for name in listed if name not in DIMENSIONS)
    problems += (f"The dimension {_shown(name)} is missing." for name in DIMENSIONS if name not in listed)
    judged: dict[str, scorecards.DimensionJudgement] = {}
    for name in (name for name in DIMENSIONS if name in listed):
        entry = listed[name]
        if not isinstance(entry, dict):
            problems.append(f"The dimension {_shown(name)} is {kind_of(entry)}, not an object with `score`.")
            continue
        score = _integer_of(
            entry, _shown(name), scorecards.LOWEST_DIMENSION_SCORE, scorecards.HIGHEST_DIMENSION_SCORE, problems
        )
        reasoning = _text_of(entry, "reasoning", f"reasoning of {_shown(name)}", problems)
        judged[name] = scorecards.DimensionJudgement(score or 0, reasoning)
    return judged


def _findings_of(
    value: Mapping[str, Any], field: str, ids: Sequence[str], problems: list[str]
) -> tuple[scorecards.Finding, ...]:
    listed = value.get(field)
    if listed is None:
        similar = next((key for key in value if key != field and _FINDING_LISTS[field] in key.lower()), None)
        if similar is not None:
            problems.append(f"`{field}` is missing, but there is {_shown(similar)}; use the name {field}.")
        return ()
    if not isinstance(listed, list):
        problems.append(f"`{field}` is {kind_of(listed)}, not a list.")
        return ()
    findings: dict[str, scorecards.Finding] = {}
    for place, entry in enumerate(listed, start=1):
        # An id alone is enough.
        own = {"id": entry} if isinstance(entry, str) else entry
        name = own.get("id") if isinstance(own, dict) else None
        if not isinstance(name, str):
            problems.append(f"Entry {place} of `{field}` has no `id`.")
        elif name not in ids:
            problems.append(f"There is no {_shown(name)} among the {field}; {_listed(ids)}.")
        elif any(value is False for value in own.values()):
            problems.append(f"`{field}` names {_shown(name)} and says that it is not there; name only what is there.")
        else:
            explanation = _text_of(own, "explanation", f"explanation of {_shown(name)}", problems)
            findings.setdefault(name, scorecards.Finding(name, explanation))
    return tuple(findings.values())


def _share_of(value: Mapping[str, Any], problems: list[str]) -> Fraction:
    score = value.get("score")
    if _is_number(score) and 0 <= score <= 1 and _decimal_places(score) <= _MOST_DECIMAL_PLACES:
        return Fraction(score)
    expected = f"a number from 0 to 1 with at most {_MOST_DECIMAL_PLACES} decimal places, without quotes"
    problems.append(_misfit(value, "score", "the judgement", expected))
    return Fraction(0)


def _texts_of(value: Mapping[str, Any], field: str, problems: list[str]) -> tuple[str, ...]:
    listed = value.get(field)
    if listed is None:
        return ()
    if not isinstance(listed, list) or not all(isinstance(entry, str) for entry in listed):
        problems.append(f"`{field}` must be a list of strings.")
        return ()
    return tuple(without_surrogates(entry) for entry in listed)


def _text_of(entry: Mapping[str, Any], field: str, called: str, problems: list[str]) -> str:
    text = entry.get(field)
    if text is None:
        return ""
    if not isinstance(text, str):
        problems.append(f"The {called} is {kind_of(text)}, not a string.")
        return ""
    return without_surrogates(text)


def _is_number(value: object) -> TypeGuard[Decimal]:
    return isinstance(value, Decimal) and value.is_finite()


def _decimal_places(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _listed(names: Sequence[str]) -> str:
    """Return the ids that are valid, as the end of a sentence."""
    if not names:
        return "there are none"
    shown = some_of(list(map(_shown, names)), _MOST_LISTED)
    return f"valid is only {shown}" if len(names) == 1 else f"valid are {shown}"


def _shown(value: object) -> str:
    """Return a value of a reply for a message, in one line and never long."""
    if isinstance(value, (dict, list)):
        return kind_of(value)
    text = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
    return without_surrogates(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")
