"""What a judge may reply: each reply is a valid judgement or is refused with everything that is wrong with it."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from scoring_values import item, ranged, scorecard

from rubric_core.grading.judgements import InvalidJudgement, read_checks, read_free_form, read_scorecard
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.rubrics import Check
from rubric_core.scoring.scorecards import DimensionJudgement, Finding

MIXED = (item("names-port"), ranged("speed"))
GOOD = '{"checks": [{"id": "names-port", "satisfied": true}, {"id": "speed", "score": 7}]}'
SCORECARD = scorecard(red_flags=["0.5", "1.0"], bonuses=2)


def _with_score(token: str) -> str:
    return GOOD.replace("7}", f"{token}}}")


def _with_satisfied(token: str) -> str:
    return GOOD.replace("true", token)


def _problems(reply: str) -> list[str]:
    with pytest.raises(InvalidJudgement) as caught:
        read_checks(reply, MIXED)
    return list(caught.value.problems)


def test_each_criterion_gets_its_check_in_the_order_of_the_criteria() -> None:
    """Whatever the order of the reply; reasonings come along."""
    reply = {
        "checks": [
            {"id": "speed", "score": 7, "reasoning": "One pass."},
            {"id": "names-port", "satisfied": False, "reasoning": None},
        ],
        "overall_reasoning": "Half of it.",
    }
    judged = read_checks(json.dumps(reply), MIXED)
    assert judged.checks == (Check("names-port", satisfied=False), Check("speed", score=7, reasoning="One pass."))
    assert judged.overall_reasoning == "Half of it."


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"Here is my judgement:\n{GOOD}\nI hope that it helps.",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"\ufeff{GOOD}",
        f"The set {{a, b}} and f() {{}} are fine. {GOOD}",
        GOOD.replace('"score": 7', '"score": 7, "confidence": 0.9, "id2": NaN'),
        GOOD.replace('"score": 7', '"score": 7, "satisfied": "perhaps"'),
        GOOD.replace('"score": 7', '"score": 7, "reasoning": "a\nb\tc"'),
        '{"checks": {"speed": {"score": 7}, "names-port": {"satisfied": true}}}',
        '{"checks": {"speed": {"id": "speed", "score": 7}, "names-port": {"satisfied": true}}}',
        _with_score("7.0"),
        _with_score("70e-1"),
        _with_score("0.7E1"),
    ],
    ids=[
        *("plain", "text-around", "fenced", "fenced-without-language", "byte-order-mark", "braces-in-prose"),
        *("further-fields", "the-other-mode's-field-besides", "line-break-in-a-string", "by-id", "by-id-with-id"),
        *("7.0", "70e-1", "0.7E1"),
    ],
)
def test_what_means_one_thing_is_accepted(reply: str) -> None:
    """Prose and fences around the object, further fields, 7.0 for 7, and checks as an object by id."""
    assert [(check.satisfied, check.score) for check in read_checks(reply, MIXED).checks] == [(True, None), (None, 7)]


@pytest.mark.parametrize(
    ("token", "score"), [("0", 0), ("10", 10), ("1e1", 10), ("-0", 0), ("0e999999999", 0), ("10.000", 10)]
)
def test_a_score_is_the_number_that_is_meant(token: str, score: int) -> None:
    """However it is written."""
    assert read_checks(_with_score(token), MIXED).checks[1].score == score


@pytest.mark.parametrize(
    "token",
    [
        *("7.5", '"7"', "11", "-1", "null", "true", "[7]", '{"value": 7}', "NaN", "Infinity", "-Infinity"),
        *("1e2", "6.999999999999999999999999999999", "0.7", '""', '"seven"', "10.0000000000000000000000001"),
        *("1e999999999", "1e-999999999", "1e99999999999999999999", "-1e99999999999999999999", "9" * 5000),
    ],
)
def test_nothing_else_is_a_score(token: str) -> None:
    """A fraction, a string, something out of bounds: neither rounded nor clamped, and huge numbers cost nothing."""
    (problem,) = _problems(_with_score(token))
    assert problem.startswith('`score` of "speed" is ')
    assert problem.endswith("it must be an integer from 0 to 10, without quotes.")
    assert len(problem) < 150


@pytest.mark.parametrize("token", ['"true"', "1", "0", "null", '"yes"', "[]", "1.0"])
def test_only_true_and_false_are_met_or_not(token: str) -> None:
    """1 is not true, and a string is not what it says."""
    (problem,) = _problems(_with_satisfied(token))
    assert problem.endswith("it must be true or false, without quotes.")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "The reply is empty."),
        (" \n\t", "The reply is empty."),
        ("The answer is good.", "The reply holds no JSON object."),
        ("{checks: []}", "The reply holds no JSON object."),
        ("[]", "The reply is a JSON list, not a JSON object."),
        (f"[{GOOD}]", "The reply is a JSON list, not a JSON object."),
        ('"pass"', "The reply is a JSON string, not a JSON object."),
        ("7", "The reply is a JSON number, not a JSON object."),
        ("true", "The reply is a JSON boolean, not a JSON object."),
        ("null", "The reply is null, not a JSON object."),
        (GOOD[:-1], "The JSON object ends before it is complete."),
        (GOOD[:30], "The JSON object ends before it is complete."),
        (f'{{"result": {GOOD}, "more": "', "The JSON object ends before it is complete."),
        (f"{GOOD} {GOOD}", "The reply holds more than one JSON object."),
        (f"```json\n{GOOD}\n```\nor\n```json\n{GOOD}\n```", "The reply holds more than one JSON object."),
        (f'{{"draft": 1}} {GOOD}', "The reply holds more than one JSON object."),
        ('{"checks" []}', "The JSON is broken at line 1, column 11 (Expecting ':' delimiter)."),
        ("[" * 100_000, "The JSON is nested too deeply."),
        ('{"a":' * 100_000, "The JSON is nested too deeply."),
        ("{}", "`checks` is missing."),
        (f'{{"judgement": {GOOD}}}', "`checks` is missing."),
        ('{"checks": null}', "`checks` is null, not a list."),
        ('{"checks": "all good"}', "`checks` is a JSON string, not a list."),
        ('{"checks": true}', "`checks` is a JSON boolean, not a list."),
    ],
)
def test_a_reply_without_one_whole_judgement_is_refused(reply: str, problem: str) -> None:
    """A part of a judgement is no judgement, and of two nobody knows which one counts."""
    assert _problems(reply) == [problem]


@pytest.mark.parametrize(
    ("checks", "problems"),
    [
        ([], ['The criterion "names-port" is missing.', 'The criterion "speed" is missing.']),
        ([{"id": "speed", "score": 7}], ['The criterion "names-port" is missing.']),
        (
            [{"id": "speed", "score": 7}, {"id": "names-port", "satisfied": True}, {"id": "speed", "score": 7}],
            ['The criterion "speed" is judged 2 times; judge it once.'],
        ),
        (
            [{"id": "speed", "score": 7}, {"id": "names-port", "satisfied": True}, {"id": "tone", "score": 3}],
            ['There is no criterion "tone"; valid are "names-port", "speed".'],
        ),
        (
            [{"id": "Speed", "score": 7}, {"id": "names-port", "satisfied": True}],
            [
                'There is no criterion "Speed"; valid are "names-port", "speed".',
                'The criterion "speed" is missing.',
            ],
        ),
        (
            [{"id": "speed", "satisfied": True}, {"id": "names-port", "score": 10}],
            [
                '"speed" needs `score`: an integer from 0 to 10, without quotes.',
                '"names-port" needs `satisfied`: true or false, without quotes.',
            ],
        ),
        (
            [{"id": "speed", "score": 7}, {"satisfied": True}, "names-port", {"id": 7, "score": 1}],
            [
                "Check 2 has no `id`.",
                "Check 3 is a JSON string, not an object.",
                "Check 4 has no `id`.",
                'The criterion "names-port" is missing.',
            ],
        ),
        (
            {"speed": 7, "names-port": {"id": "other", "satisfied": True}},
            [
                'The check "speed" is a JSON number, not an object.',
                'The check "names-port" has the id "other" inside.',
                'The criterion "names-port" is missing.',
                'The criterion "speed" is missing.',
            ],
        ),
        (
            [{"id": "speed", "score": 7, "reasoning": ["a"]}, {"id": "names-port", "satisfied": True, "reasoning": 1}],
            [
                'The reasoning of "speed" is a JSON list, not a string.',
                'The reasoning of "names-port" is a JSON number, not a string.',
            ],
        ),
    ],
    ids=[
        *("none", "missing", "repeated", "unknown", "misspelt", "wrong-mode", "without-id", "by-id-broken"),
        "reasoning-not-text",
    ],
)
def test_everything_that_is_wrong_is_reported_at_once(checks: Any, problems: list[str]) -> None:
    """So that one repair round can mend it all."""
    assert _problems(json.dumps({"checks": checks})) == problems


def test_a_key_that_is_twice_in_one_object_is_refused() -> None:
    """Readers differ about which one counts, so neither does; at any depth, and beside other problems."""
    assert _problems(GOOD.replace('"score": 7', '"score": 7, "score": 2')) == [
        'The key "score" stands twice in one object.'
    ]
    assert _problems('{"checks": [], "checks": []}') == [
        'The key "checks" stands twice in one object.',
        'The criterion "names-port" is missing.',
        'The criterion "speed" is missing.',
    ]
    by_id = '{"checks": {"speed": {"score": 1}, "names-port": {"satisfied": true}, "speed": {"score": 10}}}'
    assert _problems(by_id) == ['The key "speed" stands twice in one object.']


def test_text_that_no_encoding_has_is_made_harmless() -> None:
    """Half a surrogate pair in a reasoning could be neither stored nor sent."""
    judged = read_checks(_with_score(r'7, "reasoning": "\ud83d is \ud83d\ude00"'), MIXED)
    assert judged.checks[1].reasoning == "\ufffd is 😀"
    (problem, _) = _problems(GOOD.replace('"names-port"', r'"\udc00"'))
    problem.encode()


def _dimensions(**changes: object) -> dict[str, object]:
    return {**{name: {"score": 8, "reasoning": f"{name}!"} for name in DIMENSIONS}, **changes}


def test_a_scorecard_has_seven_dimensions_and_what_was_found() -> None:
    """A flag is taken once however often it is named, with its first explanation. An id alone is enough."""
    reply = {
        "dimensions": dict(reversed(_dimensions().items())),
        "red_flags": [
            {"id": "flag-2", "explanation": "Here."},
            {"id": "flag-2", "explanation": "And here."},
            {"id": "flag-1"},
        ],
        "bonuses": ["bonus-1"],
        "overall_reasoning": "Good.",
    }
    judged = read_scorecard(json.dumps(reply), SCORECARD)
    assert list(judged.dimensions) == list(DIMENSIONS)
    assert judged.dimensions["safety"] == DimensionJudgement(8, "safety!")
    assert judged.red_flags == (Finding("flag-2", "Here."), Finding("flag-1"))
    assert judged.bonuses == (Finding("bonus-1"),)
    assert judged.overall_reasoning == "Good."


@pytest.mark.parametrize("lists", [{}, {"red_flags": [], "bonuses": []}, {"red_flags": None, "bonuses": None}])
def test_a_scorecard_may_find_nothing(lists: dict[str, object]) -> None:
    """Absent lists are empty lists."""
    judged = read_scorecard(json.dumps({"dimensions": _dimensions(), **lists}), SCORECARD)
    assert (judged.red_flags, judged.bonuses) == ((), ())


@pytest.mark.parametrize(
    ("reply", "problems"),
    [
        ({}, ["`dimensions` is missing."]),
        ({"dimensions": [1, 2]}, ["`dimensions` must be an object by name."]),
        (
            {"dimensions": {"correctness": {"score": 5}, "speed": {"score": 5}}},
            [
                'There is no dimension "speed".',
                *(f'The dimension "{name}" is missing.' for name in DIMENSIONS if name != "correctness"),
            ],
        ),
        (
            {"dimensions": _dimensions(safety={"score": 0}, efficiency={"score": 11}, adherence={"score": 7.5})},
            [
                f'`score` of "{name}" is {score}; it must be an integer from 1 to 10, without quotes.'
                for name, score in (("adherence", "7.5"), ("efficiency", "11"), ("safety", "0"))
            ],
        ),
        (
            {"dimensions": _dimensions(safety=7, consistency={"score": 7, "reasoning": {}})},
            [
                'The dimension "safety" is a JSON number, not an object with `score`.',
                'The reasoning of "consistency" is a JSON object, not a string.',
            ],
        ),
        (
            {"dimensions": _dimensions(), "red_flags": ["flag-3", {"id": 4}, 5], "bonuses": {"bonus-1": False}},
            [
                'There is no "flag-3" among the red_flags; valid are "flag-1", "flag-2".',
                "Entry 2 of `red_flags` has no `id`.",
                "Entry 3 of `red_flags` has no `id`.",
                "`bonuses` is a JSON object, not a list.",
            ],
        ),
        (
            {"dimensions": _dimensions(), "redFlags": ["flag-1"], "bonus": []},
            [
                '`red_flags` is missing, but there is "redFlags"; use the name red_flags.',
                '`bonuses` is missing, but there is "bonus"; use the name bonuses.',
            ],
        ),
        (
            {"dimensions": _dimensions(), "red_flags": [{"id": "flag-1", "explanation": 3}], "overall_reasoning": []},
            [
                'The explanation of "flag-1" is a JSON number, not a string.',
                "The overall_reasoning is a JSON list, not a string.",
            ],
        ),
    ],
    ids=["empty", "list", "names", "bounds", "shapes", "findings", "misspelt-lists", "texts"],
)
def test_a_scorecard_is_held_to_its_shape(reply: dict[str, object], problems: list[str]) -> None:
    """Exactly the seven dimensions, integers from 1 to 10, known flags and bonuses."""
    with pytest.raises(InvalidJudgement) as caught:
        read_scorecard(json.dumps(reply), SCORECARD)
    assert list(caught.value.problems) == problems


@pytest.mark.parametrize(
    ("token", "score"),
    [
        ("0", Fraction(0)),
        ("1", Fraction(1)),
        ("1.0", Fraction(1)),
        ("0.8", Fraction(4, 5)),
        ("8e-1", Fraction(4, 5)),
        ("0.1", Fraction(1, 10)),
        ("0.7999999999999999999", Fraction(7999999999999999999, 10**19)),
    ],
)
def test_a_free_form_score_is_the_decimal_that_is_written(token: str, score: Fraction) -> None:
    """0.8 is exactly four fifths, which a binary float is not."""
    assert read_free_form(f'{{"score": {token}}}').score == score


def test_a_free_form_judgement_may_say_why() -> None:
    """What speaks for the answer, what against it, and the reasoning."""
    judged = read_free_form('{"hits": ["short"], "misses": ["no port"], "reasoning": "Fair.", "score": 0.5}')
    assert (judged.hits, judged.misses, judged.reasoning) == (("short",), ("no port",), "Fair.")
    bare = read_free_form('{"score": 0.5, "hits": null, "reasoning": null}')
    assert (bare.hits, bare.misses, bare.reasoning) == ((), (), "")


@pytest.mark.parametrize(
    "token",
    ['"0.8"', "1.1", "-0.1", "80", "null", "true", "NaN", "[0.8]", "1e-999999999", "1e999999999", f"0.{'1' * 60}"],
)
def test_nothing_else_is_a_free_form_score(token: str) -> None:
    """No percentages, no strings, no digits without end."""
    with pytest.raises(InvalidJudgement, match=r"`score` of the judgement is .*; it must be a number from 0 to 1"):
        read_free_form(f'{{"score": {token}}}')


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ('{"reasoning": "Good."}', "the judgement needs `score`: a number from 0 to 1"),
        ('{"score": 1, "hits": "short"}', "`hits` must be a list of strings."),
        ('{"score": 1, "misses": ["a", 2]}', "`misses` must be a list of strings."),
        ('{"score": 1, "reasoning": {}}', "The reasoning is a JSON object, not a string."),
    ],
)
def test_a_free_form_judgement_is_held_to_its_shape(reply: str, problem: str) -> None:
    """Each field has one type."""
    with pytest.raises(InvalidJudgement) as caught:
        read_free_form(reply)
    assert caught.value.problems[0].startswith(problem)


def test_a_red_flag_that_is_said_not_to_be_there_takes_no_points() -> None:
    """The entry is refused: some judges go through the whole list and say no to most of it."""
    flag = SCORECARD.red_flags[0].id
    dimensions = {name: {"score": 8} for name in DIMENSIONS}
    reply = json.dumps({"dimensions": dimensions, "red_flags": [{"id": flag, "triggered": False}], "bonuses": []})
    with pytest.raises(InvalidJudgement, match="name only what is there"):
        read_scorecard(reply, SCORECARD)
