"""From a judge's reply to criteria that can be written into a file, or to a list of its errors."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from rubric_core.grading.json_text import NotJson, find_object, kind_of
from rubric_core.grading.judgements import InvalidJudgement
from rubric_core.grading.prompts.proposal import FEWEST_CRITERIA, MOST_CRITERIA
from rubric_core.model.criteria import ChecklistCriterion, Criterion, ScoreRange, ScoreRangeCriterion
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import without_surrogates
from rubric_core.views.texts import normalised

_KEBAB_CASE = lazily(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_FEWEST_RANGES = 2
_LIGHTEST, _HEAVIEST = Decimal("0.001"), Decimal(1000)
_LONGEST_SHOWN = 60
# A score of 6 out of 10 is 0.6, where `borderline` starts: less than that is a failure by itself.
_LEAST_USEFUL_SCORE = 6


def read_proposal(text: str, *, ranges: bool) -> tuple[Criterion, ...]:
    """Read criteria: with score ranges if `ranges`, else checklist criteria.

    A reply is `{criteria: [{id, expected_outcome, weight, required, score_ranges}]}`; further fields are ignored.
    Raises InvalidJudgement with all errors.
    """
    entries = _entries_in(text)
    problems: list[str] = []
    criteria = [
        _criterion(f"Criterion {place}", entry, problems, ranges=ranges) for place, entry in enumerate(entries, start=1)
    ]
    problems += _repetitions(entries)
    if not FEWEST_CRITERIA <= len(entries) <= MOST_CRITERIA:
        problems.append(f"There are {len(entries)} criteria; propose {FEWEST_CRITERIA} to {MOST_CRITERIA}.")
    if problems:
        raise InvalidJudgement(problems)
    return tuple(criterion for criterion in criteria if criterion is not None)


def _entries_in(text: str) -> list[Mapping[str, Any]]:
    try:
        reply = find_object(text)
    except NotJson as error:
        raise InvalidJudgement([str(error)]) from None
    listed = reply.value.get("criteria")
    if not isinstance(listed, list):
        what = f"is {kind_of(listed)}, not a list" if "criteria" in reply.value else "is missing"
        raise InvalidJudgement([f"`criteria` {what}."])
    problems = [f"The key `{key}` stands twice in one object." for key in reply.repeated_keys]
    entries = enumerate(listed, start=1)
    not_objects = [(place, kind_of(entry)) for place, entry in entries if not isinstance(entry, dict)]
    problems += (f"Criterion {place} is {kind}, not an object." for place, kind in not_objects)
    if problems:
        raise InvalidJudgement(problems)
    return listed


def _criterion(called: str, entry: Mapping[str, Any], problems: list[str], *, ranges: bool) -> Criterion | None:
    """Read one criterion; None if it has an error."""
    before = len(problems)
    identifier = _identifier(called, entry.get("id"), problems)
    called = f"{called} ({identifier})" if identifier else called
    outcome = entry.get("expected_outcome")
    if outcome is not None or not ranges:
        # With score ranges it may be left out, since each range has a text.
        outcome = _text(f"{called}: `expected_outcome`", outcome, problems)
    weight = _weight(called, entry.get("weight"), problems)
    required = entry.get("required")
    if required is not None and not isinstance(required, bool):
        problems.append(f"{called}: `required` is {kind_of(required)}, not true or false.")
    if entry.get("score_ranges") is not None and not ranges:
        problems.append(f"{called} has score_ranges, but criteria that are met or not were asked for.")
    bands = _bands(called, entry.get("score_ranges"), problems) if ranges else ()
    minimum = _minimum(called, entry, bands, problems) if ranges else None
    if len(problems) > before:
        return None
    common: dict[str, Any] = {"id": identifier, "expected_outcome": outcome, "weight": weight}
    if ranges:
        return ScoreRangeCriterion(**common, required_min_score=minimum, score_ranges=bands)
    return ChecklistCriterion(**common, required=required is not False)


def _identifier(called: str, value: object, problems: list[str]) -> str:
    if isinstance(value, str) and _KEBAB_CASE.match(value):
        return value
    shown = f"has the id {_shown(value)}" if isinstance(value, str) else "has no id"
    problems.append(f"{called} {shown}; write one in lower case with hyphens, such as names-the-port.")
    return ""


def _text(called: str, value: object, problems: list[str]) -> str:
    text = " ".join(without_surrogates(value).split()) if isinstance(value, str) else ""
    if not text:
        what = "has no text" if isinstance(value, str) or value is None else f"is {kind_of(value)}, not a string"
        problems.append(f"{called} {what}.")
    return text


def _weight(called: str, value: object, problems: list[str]) -> Decimal:
    if value is None:
        return Decimal(1)
    if isinstance(value, Decimal) and value.is_finite() and _LIGHTEST <= value <= _HEAVIEST:
        return value
    shown = _shown(value) if isinstance(value, (Decimal, str)) else kind_of(value)
    problems.append(
        f"{called}: the weight is {shown}, not a number above 0 (at least {_LIGHTEST}, at most {_HEAVIEST})."
    )
    return Decimal(1)


def _bands(called: str, value: object, problems: list[str]) -> tuple[ScoreRange, ...]:
    """Read score ranges of either form, from low to high; none if they do not cover 0 to 10 once each."""
    before = len(problems)
    listed = _as_list(value) if isinstance(value, dict) else value
    if not isinstance(listed, list):
        problems.append(f"{called} has no score_ranges; give at least {_FEWEST_RANGES} that cover 0 to 10.")
        return ()
    bands: list[tuple[int, int, str]] = []
    for place, entry in enumerate(listed, start=1):
        where = f"{called}, range {place}"
        bounds = _bounds(entry)
        if bounds is None:
            problems.append(f"{where}: `score_range` is not a list of two integers from 0 to 10, the lower one first.")
            continue
        bands.append((*bounds, _text(f"{where}: `expected_outcome`", entry.get("expected_outcome"), problems)))
    if len(problems) == before:
        problems += _faults_of(called, sorted(bands))
    if len(problems) > before:
        return ()
    return tuple(ScoreRange(minimum=low, maximum=high, expected_outcome=text) for low, high, text in sorted(bands))


def _as_list(ranges: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the short form, in which each key is the lower bound of its range, as the long one."""
    lows = {key: Decimal(key) if key.isdecimal() else None for key in ranges}
    starts = sorted(low for low in lows.values() if low is not None)
    ends = {low: above - 1 for low, above in zip(starts, [*starts[1:], Decimal(HIGHEST + 1)], strict=False)}
    return [
        {"score_range": None if low is None else [low, ends[low]], "expected_outcome": ranges[key]}
        for key, low in lows.items()
    ]


def _bounds(entry: object) -> tuple[int, int] | None:
    bounds = entry.get("score_range") if isinstance(entry, dict) else None
    if not isinstance(bounds, list) or len(bounds) != 2:  # noqa: PLR2004 - a lower and an upper bound.
        return None
    low, high = (_score(bound) for bound in bounds)
    return (low, high) if low is not None and high is not None and low <= high else None


def _score(value: object) -> int | None:
    if not isinstance(value, Decimal) or not value.is_finite() or not LOWEST <= value <= HIGHEST:
        return None
    return int(value) if value == int(value) else None


def _faults_of(called: str, bands: Sequence[tuple[int, int, str]]) -> Iterable[str]:
    """Yield the errors of ranges that are valid alone: too few, gaps, overlaps, repeated texts."""
    if len(bands) < _FEWEST_RANGES:
        yield f"{called} has too few score ranges; give at least {_FEWEST_RANGES}."
        return
    for score in range(LOWEST, HIGHEST + 1):
        count = sum(low <= score <= high for low, high, _ in bands)
        if count != 1:
            where = "in no range" if count == 0 else f"in {count} ranges"
            yield f"{called}: the score {score} is {where}; each score from 0 to 10 belongs to one."
    if len({normalised(text) for _, _, text in bands}) < len(bands):
        yield f"{called}: two score ranges have the same text; say what sets them apart."


def _minimum(called: str, entry: Mapping[str, Any], bands: Sequence[ScoreRange], problems: list[str]) -> int | None:
    """Return the gate: the explicit one, or else that of a required criterion. It starts a range above 0."""
    edges = [band.minimum for band in bands if band.minimum > LOWEST]
    given = entry.get("required_min_score")
    if given is not None:
        gate = _score(given)
        if edges and gate not in edges:
            allowed = ", ".join(map(str, edges))
            problems.append(f"{called}: `required_min_score` is {_shown(given)}, not where a range starts ({allowed}).")
        return gate
    if entry.get("required") is not True or not edges:
        return None
    return max((edge for edge in edges if edge <= _LEAST_USEFUL_SCORE), default=edges[0])


def _repetitions(entries: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    for name, what in (("id", "id"), ("expected_outcome", "text")):
        seen: set[str] = set()
        for text in (entry[name] for entry in entries if isinstance(entry.get(name), str)):
            if normalised(text) in seen:
                yield f"Two criteria have the {what} {_shown(text)}; each needs one of its own."
            seen.add(normalised(text))


def _shown(value: object) -> str:
    """Return a value of a reply for a message, in one line and never long."""
    text = " ".join(str(value).split())
    return f"`{text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + '…'}`"
