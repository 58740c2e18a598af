"""Whatever a judge replies: it is accepted, mended by asking again, or an error. It is never a wrong score."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from model_calls import chat_reply
from model_server import ModelServer
from projects import Project, case_in, numbered_answers
from scripted_server import answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model_server import Asked
    from projects import Ran
    from scripted_server import Step

# Each of these starts real processes.
pytestmark = pytest.mark.slow

RUBRIC = """\
    rubrics:
      - {id: right, expected_outcome: It is right}
      - {id: depth, score_ranges: {0: Shallow, 5: Fair, 8: Deep}}
"""
WHOLE = ""
CARD = """\
    scorecard:
      skill: work
      red_flags: [{id: leak, expected_outcome: It leaks}]
      bonuses: [{id: extra, expected_outcome: It adds}]
"""
DIMENSIONS = ("correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency")

GOOD_CHECKS = '{"checks": [{"id": "right", "satisfied": true}, {"id": "depth", "score": 8}]}'
GOOD_WHOLE = '{"score": 0.85}'
GOOD_CARD = json.dumps({"dimensions": {name: {"score": 8} for name in DIMENSIONS}, "red_flags": [], "bonuses": []})


class Reply(NamedTuple):
    """What a judge replies in a kind of case, and whether that is a judgement."""

    name: str
    body: str
    text: str
    is_valid: bool


def of_checks(*, valid: bool, **texts: str) -> list[Reply]:
    """Return replies to a question about criteria."""
    return [Reply(name.replace("_", " "), RUBRIC, text, valid) for name, text in texts.items()]


def right(token: str) -> str:
    """Return the good judgement with another verdict for the checklist criterion."""
    return GOOD_CHECKS.replace('"satisfied": true', token)


def depth(token: str) -> str:
    """Return the good judgement with another score."""
    return GOOD_CHECKS.replace('"score": 8', token)


def card(**members: Any) -> str:
    """Return the good scorecard with other members."""
    return json.dumps({**json.loads(GOOD_CARD), **members})


def dimensions(**scores: Any) -> str:
    """Return the good scorecard with other scores; None leaves a dimension out."""
    given = {name: {"score": 8} for name in DIMENSIONS} | {name: {"score": score} for name, score in scores.items()}
    return card(dimensions={name: entry for name, entry in given.items() if entry["score"] is not None})


REPLIES: Sequence[Reply] = [
    *of_checks(
        valid=True,
        good=GOOD_CHECKS,
        extra_fields=depth('"score": 8, "confidence": 0.2, "satisfied": false').replace("{", '{"version": 2, ', 1),
        text_around_json=f"I looked at it.\n{GOOD_CHECKS}\nThat is all {{really}}.",
        fenced_json=f"```json\n{GOOD_CHECKS}\n```",
        whole_number_with_a_point=depth('"score": 8.0'),
        checks_by_id='{"checks": {"depth": {"score": 8}, "right": {"satisfied": true}}}',
        other_order='{"checks": [{"id": "depth", "score": 8}, {"id": "right", "satisfied": true}]}',
        byte_order_mark=f"\ufeff{GOOD_CHECKS}",
        reasoning_null=depth('"score": 8, "reasoning": null'),
        line_break_in_a_string=depth('"score": 8, "reasoning": "a\nb"'),
    ),
    *of_checks(
        valid=False,
        missing_id='{"checks": [{"id": "depth", "score": 10}]}',
        no_checks_at_all='{"checks": []}',
        repeated_id=GOOD_CHECKS.replace("]", ', {"id": "depth", "score": 10}]'),
        repeated_id_with_the_same_value=GOOD_CHECKS.replace("]", ', {"id": "depth", "score": 8}]'),
        unknown_id=GOOD_CHECKS.replace("]", ', {"id": "style", "score": 10}]'),
        id_in_capitals=GOOD_CHECKS.replace('"right"', '"Right"'),
        id_is_a_number=GOOD_CHECKS.replace('"right"', "1"),
        fraction=depth('"score": 8.5'),
        string_number=depth('"score": "8"'),
        eleven=depth('"score": 11'),
        minus_one=depth('"score": -1'),
        null=depth('"score": null'),
        null_satisfied=right('"satisfied": null'),
        true_as_text=right('"satisfied": "true"'),
        one_as_true=right('"satisfied": 1'),
        true_as_score=depth('"score": true'),
        not_a_number=depth('"score": NaN'),
        share_instead_of_score=depth('"score": 0.8'),
        huge_number=depth('"score": 1e999999'),
        truncated_json=GOOD_CHECKS[:-20],
        truncated_behind_the_first_check='{"checks": [{"id": "right", "satisfied": true}',
        empty="",
        blank=" \n ",
        two_objects=f"{GOOD_CHECKS}\n{GOOD_CHECKS.replace('true', 'false')}",
        two_equal_objects=f"{GOOD_CHECKS}\n{GOOD_CHECKS}",
        list_of_objects=f"[{GOOD_CHECKS}]",
        score_for_a_checklist_criterion=right('"score": 10'),
        satisfied_for_a_score_range=depth('"satisfied": true'),
        key_twice=depth('"score": 3, "score": 8'),
        no_checks_but_a_score='{"score": 10, "verdict": "pass"}',
        prose="It is right and deep: 10 of 10, pass.",
        single_quotes=GOOD_CHECKS.replace('"', "'"),
        deeply_nested='{"checks": ' + "[" * 100_000,
        reasoning_is_a_number=depth('"score": 8, "reasoning": 7'),
    ),
    Reply("whole good", WHOLE, GOOD_WHOLE, is_valid=True),
    Reply("whole with reasons", WHOLE, '{"score": 0.85, "hits": ["a"], "misses": [], "reasoning": "b"}', is_valid=True),
    Reply("whole beyond one", WHOLE, '{"score": 1.5}', is_valid=False),
    Reply("whole below zero", WHOLE, '{"score": -0.1}', is_valid=False),
    Reply("whole as text", WHOLE, '{"score": "0.85"}', is_valid=False),
    Reply("whole null", WHOLE, '{"score": null}', is_valid=False),
    Reply("whole missing", WHOLE, '{"verdict": "pass"}', is_valid=False),
    Reply("whole true", WHOLE, '{"score": true}', is_valid=False),
    Reply("card good", CARD, GOOD_CARD, is_valid=True),
    Reply("card without lists", CARD, json.dumps({"dimensions": json.loads(GOOD_CARD)["dimensions"]}), is_valid=True),
    Reply("card lacks a dimension", CARD, dimensions(safety=None), is_valid=False),
    Reply("card with another dimension", CARD, dimensions(charm=8), is_valid=False),
    Reply("card with zero", CARD, dimensions(safety=0), is_valid=False),
    Reply("card with eleven", CARD, dimensions(safety=11), is_valid=False),
    Reply("card with a fraction", CARD, dimensions(safety=8.5), is_valid=False),
    Reply("card with an unknown flag", CARD, card(red_flags=[{"id": "drip", "explanation": "x"}]), is_valid=False),
    Reply("card with an unknown bonus", CARD, card(bonuses=[{"id": "leak", "explanation": "x"}]), is_valid=False),
    Reply("card with a bare score", CARD, card(dimensions=dict.fromkeys(DIMENSIONS, 8)), is_valid=False),
]
NAMES = [reply.name for reply in REPLIES]
GOOD = {RUBRIC: GOOD_CHECKS, WHOLE: GOOD_WHOLE, CARD: GOOD_CARD}
SCORES = {RUBRIC: "9/10", WHOLE: "17/20", CARD: "8.0"}


def prepared(folder: Any) -> Project:
    """Return a project with a case for each reply, and an answer to each."""
    project = Project(folder / "work")
    cases = (
        f"  - id: case-{place:02}\n    expected_outcome: It is right\n    input: Do case-{place:02}\n{reply.body}"
        for place, reply in enumerate(REPLIES)
    )
    project.write("all.eval.yaml", "evalcases:\n" + "".join(cases))
    project.write("all.answers.json", numbered_answers(len(REPLIES)))
    return project


def outcome(ran: Ran, name: str) -> tuple[str | None, str | None]:
    """Return the score (of a scorecard the final one) and the error of the case with a reply."""
    result = ran.results[f"case-{NAMES.index(name):02}"]
    if result["scorecard"] is not None:
        found = result["scorecard"]
        assert result["error"] is None
        return None if found["final_score"] is None else str(found["final_score"]), found["error"]
    assert (result["score"] is None) == (result["verdict"] is None)
    return result["score_exact"], result["error"]


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Grade every reply from a recording, as the raw text of a judge."""
    project = prepared(tmp_path_factory.mktemp("replayed"))
    project.write("judgements.json", {f"case-{place:02}": reply.text for place, reply in enumerate(REPLIES)})
    return project.grade("--judge", "replay:judgements.json", "--format", "jsonl")


@pytest.mark.parametrize("reply", REPLIES, ids=NAMES)
def test_a_recording_is_accepted_or_an_error(replayed: Ran, reply: Reply) -> None:
    """A recording cannot be asked again."""
    score, error = outcome(replayed, reply.name)
    if reply.is_valid:
        assert (score, error) == (SCORES[reply.body], None)
    else:
        assert score is None
        assert error is not None
        assert "gave no valid judgement in 1 attempt" in error


def test_a_run_with_errors_ends_with_status_two(replayed: Ran) -> None:
    """However many passed."""
    assert replayed.status == 2
    assert len(replayed.results) == len(REPLIES)


def served(text: str) -> Step:
    """Answer with a completion, also with one that is empty."""
    return answer(chat_reply(text))


class Served(NamedTuple):
    """A run against a server: what it printed, and the requests by case."""

    ran: Ran
    asked: dict[str, list[Asked]]


def run_against_server(folder: Any, *, mends: bool) -> Served:
    """Grade every reply from a server that gives the good one when it is asked again, or the same for ever."""
    project = prepared(folder)
    asked: dict[str, list[Asked]] = {}

    def respond(one: Asked) -> Step:
        case = case_in(one.prompt)
        asked.setdefault(case, []).append(one)
        reply = REPLIES[int(case.removeprefix("case-"))]
        return served(GOOD[reply.body] if mends and one.is_repair else reply.text)

    with ModelServer(respond) as server:
        project.judged_by(server.base_url)
        return Served(project.grade("--format", "jsonl"), asked)


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """Grade with a judge that corrects itself."""
    return run_against_server(tmp_path_factory.mktemp("mended"), mends=True)


@pytest.fixture(scope="module")
def stubborn(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """Grade with a judge that says the same again."""
    return run_against_server(tmp_path_factory.mktemp("stubborn"), mends=False)


def asked_about(served: Served, reply: Reply) -> list[Asked]:
    """Return the requests about the case with a reply."""
    return served.asked[f"case-{NAMES.index(reply.name):02}"]


@pytest.mark.parametrize("reply", REPLIES, ids=NAMES)
def test_a_model_is_asked_again_once_it_is_wrong(mended: Served, reply: Reply) -> None:
    """With what is wrong, after its own reply; a reply that was right costs one request."""
    requests = asked_about(mended, reply)
    if not reply.text.strip():
        # A server that sends nothing has not replied, so there is nothing to be mended.
        score, error = outcome(mended.ran, reply.name)
        assert score is None
        assert error is not None
        assert "empty answer" in error
        return
    assert outcome(mended.ran, reply.name) == (SCORES[reply.body], None)
    if reply.is_valid:
        assert len(requests) == 1
        return
    _, second = requests
    assert [turn["role"] for turn in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[2]["content"] == reply.text
    assert second.messages[3]["content"].startswith("Your reply cannot be used:\n- ")


@pytest.mark.parametrize("reply", REPLIES, ids=NAMES)
def test_a_model_that_stays_wrong_is_an_error(stubborn: Served, reply: Reply) -> None:
    """After three attempts: no score, no verdict."""
    score, error = outcome(stubborn.ran, reply.name)
    if reply.is_valid:
        assert (score, error) == (SCORES[reply.body], None)
        return
    assert score is None
    assert error is not None
    if reply.text.strip():
        assert len(asked_about(stubborn, reply)) == 3
        assert "The judge mini gave no valid judgement in 3 attempts. The last problem: " in error
