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


# One of each kind; `test_judgements.py` has the others.
REPLIES: Sequence[Reply] = [
    Reply("good", RUBRIC, GOOD_CHECKS, is_valid=True),
    Reply("text around JSON", RUBRIC, f"I looked at it.\n{GOOD_CHECKS}\nThat is all {{really}}.", is_valid=True),
    Reply("missing id", RUBRIC, '{"checks": [{"id": "depth", "score": 10}]}', is_valid=False),
    Reply("score of another scale", RUBRIC, GOOD_CHECKS.replace('"score": 8', '"score": 11'), is_valid=False),
    Reply("truncated JSON", RUBRIC, GOOD_CHECKS[:-20], is_valid=False),
    Reply("empty", RUBRIC, "", is_valid=False),
    Reply("blank", RUBRIC, " \n ", is_valid=False),
    Reply("two objects", RUBRIC, f"{GOOD_CHECKS}\n{GOOD_CHECKS.replace('true', 'false')}", is_valid=False),
    Reply("whole good", WHOLE, GOOD_WHOLE, is_valid=True),
    Reply("whole beyond one", WHOLE, '{"score": 1.5}', is_valid=False),
    Reply("card good", CARD, GOOD_CARD, is_valid=True),
    Reply("card without dimensions", CARD, '{"red_flags": [], "bonuses": []}', is_valid=False),
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
