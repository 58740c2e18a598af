"""`rubric grade` with a model: how much is asked at once, how often, and what is remembered."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from model_calls import chat_reply
from model_server import ModelServer
from projects import cases_with, met, numbered_answers, numbered_cases
from scripted_server import answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from model_server import Asked
    from scripted_server import Request, Step, Wire

DIMENSIONS = ("correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency")
TWO = "rubrics: [{id: right, expected_outcome: Right}, {id: depth, score_ranges: {0: Shallow, 5: Deep}}]"


@pytest.fixture
def server(folder: Path) -> Iterator[ModelServer]:
    """Return a judge that finds everything right, beside four cases with their answers."""
    (folder / "all.eval.yaml").write_text(numbered_cases(4), encoding="utf-8")
    (folder / "all.answers.json").write_text(json.dumps(numbered_answers(4)), encoding="utf-8")
    with ModelServer(lambda _: met()) as running:
        configure(folder, running)
        yield running


def configure(folder: Path, server: ModelServer, name: str = "rubric.toml", model: str = "mini") -> None:
    """Let a model of the server judge."""
    text = (
        f'judge = "mini"\n[judges.mini]\nprovider = "openai"\nmodel = "{model}"\nbase_url = "{server.base_url}"\n'
        "retry_initial_delay_ms = 1\n"
    )
    (folder / name).write_text(text, encoding="utf-8")


def ids_asked_for(asked: Asked) -> list[str]:
    """Return the criteria that the schema of a request wants."""
    schema = asked.request.json["response_format"]["json_schema"]["schema"]
    return list(schema["properties"]["checks"]["properties"])


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_is_asked_at_once_than_is_allowed(rubric: Any, server: ModelServer, folder: Path, most: int) -> None:
    """And no less: the first replies come only when so many questions are open."""
    (folder / "all.eval.yaml").write_text(numbered_cases(9), encoding="utf-8")
    (folder / "all.answers.json").write_text(json.dumps(numbered_answers(9)), encoding="utf-8")
    open_now: list[int] = []
    peaks: list[int] = []
    reached = asyncio.Event()

    async def reply(request: Request, wire: Wire) -> bool:
        open_now.append(1)
        peaks.append(len(open_now))
        if len(open_now) == most:
            reached.set()
        await reached.wait()
        open_now.pop()
        return await answer(chat_reply(met()))(request, wire)

    server.respond = lambda _: reply
    assert rubric("grade", "--concurrency", str(most)).exit_code == 0
    assert (max(peaks), len(peaks)) == (most, 9)


def test_a_judgement_is_asked_for_once(rubric: Any, server: ModelServer, folder: Path) -> None:
    """It is remembered by the prompt and the model; `--no-cache` asks again."""

    def asked(*options: str) -> int:
        before = len(server.asked)
        assert rubric("grade", *options).exit_code == 0
        return len(server.asked) - before

    assert asked() == 4
    assert asked() == 0
    assert asked("--no-cache") == 4
    (folder / "all.answers.json").write_text(json.dumps({**numbered_answers(4), "case-02": "Other."}), encoding="utf-8")
    assert asked() == 1
    configure(folder, server, model="larger")
    assert asked() == 4
    configure(folder, server)
    assert asked() == 0


def test_what_is_remembered_is_reported(rubric: Any, server: ModelServer) -> None:
    """In the plan, and in the result."""
    rubric("grade", "--case", "case-00")
    again = rubric("grade", "--case", "case-0[01]", "--format", "jsonl")
    assert re.fullmatch(
        r"Plan: 2 cases; 1 question for mini, [\d,]+ characters of prompt, 1 judgement cached\.\n", again.stderr
    )
    first, second = map(json.loads, again.stdout.splitlines())
    assert (first["usage"]["calls"], first["usage"]["remembered"]) == (0, 1)
    assert (second["usage"]["calls"], second["usage"]["remembered"]) == (1, 0)
    assert first["judge"] == second["judge"] == {"name": "mini", "kind": "openai", "model": "model-1-2026"}
    assert len(server.asked) == 2


def test_an_invalid_reply_is_not_remembered(rubric: Any, server: ModelServer) -> None:
    """The next run asks again."""
    server.respond = lambda _: "nonsense"
    assert rubric("grade", "--case", "case-00").exit_code == 2
    server.respond = lambda _: met()
    assert rubric("grade", "--case", "case-00").exit_code == 0
    assert len(server.asked) == 4


def test_samples_are_asked_for_one_by_one_and_merged(rubric: Any, server: ModelServer, folder: Path) -> None:
    """The majority, the lower median, and how many agree; a tie is not met."""
    (folder / "all.eval.yaml").write_text(numbered_cases(1, TWO), encoding="utf-8")
    said = iter([(True, 9), (False, 4), (True, 7), (False, 8)])

    def respond(_: Asked) -> str:
        satisfied, score = next(said)
        return json.dumps({"checks": [{"id": "right", "satisfied": satisfied}, {"id": "depth", "score": score}]})

    server.respond = respond
    arguments = ("grade", "--concurrency", "1", "--format", "json", "--samples")
    told = json.loads(rubric(*arguments, "3").stdout)
    assert ([each.get("satisfied", each.get("score")) for each in told["criteria"]], told["score"]) == ([True, 7], 0.85)
    (evaluator,) = told["evaluator_results"]
    assert (evaluator["samples"], told["usage"]["calls"]) == (3, 3)
    assert evaluator["agreement"] == {"right": pytest.approx(2 / 3), "depth": pytest.approx(1 / 3)}
    # Three samples are remembered, and one more is asked for.
    told = json.loads(rubric(*arguments, "4").stdout)
    assert (told["usage"]["calls"], told["usage"]["remembered"]) == (1, 3)
    assert told["criteria"][0]["satisfied"] is False
    assert told["verdict"] == "fail"


def test_one_sample_in_error_is_an_error(rubric: Any, server: ModelServer) -> None:
    """Two of three are no three."""
    replies = iter([met(), "nonsense", met(), "nonsense", "nonsense"])
    server.respond = lambda _: next(replies)
    result = rubric("grade", "--case", "case-00", "--samples", "3", "--concurrency", "1", "--format", "json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["score"], told["verdict"]) == (2, None, None)


def test_one_criterion_a_call(rubric: Any, server: ModelServer, folder: Path) -> None:
    """The schema of each has that criterion alone, and all make one result."""
    (folder / "all.eval.yaml").write_text(numbered_cases(1, TWO), encoding="utf-8")

    def respond(asked: Asked) -> str:
        (name,) = ids_asked_for(asked)
        return json.dumps({"checks": {name: {"satisfied": True} if name == "right" else {"score": 6}}})

    server.respond = respond
    told = json.loads(rubric("grade", "--per-criterion", "--format", "json").stdout)
    assert sorted(ids_asked_for(asked)[0] for asked in server.asked) == ["depth", "right"]
    assert [each["id"] for each in told["criteria"]] == ["right", "depth"]
    assert (told["score"], told["verdict"], told["usage"]["calls"]) == (0.8, "pass", 2)


def test_a_criterion_of_another_question_is_an_unknown_one(rubric: Any, server: ModelServer, folder: Path) -> None:
    """A judge that was asked about one says nothing about the other."""
    (folder / "all.eval.yaml").write_text(numbered_cases(1, TWO), encoding="utf-8")
    both = '{"checks": {"right": {"satisfied": true}, "depth": {"score": 6}}}'
    server.respond = lambda _: both
    result = rubric("grade", "--per-criterion", "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["score"]) == (2, None)


def test_a_server_that_knows_no_schema_is_asked_without(rubric: Any, server: ModelServer) -> None:
    """First for any JSON, then with the prompt alone; from then on it is known."""
    refusal = answer({"error": {"message": "response_format is not supported"}}, 400)

    def respond(asked: Asked) -> str | Step:
        return refusal if "response_format" in asked.request.json else met()

    server.respond = respond
    assert rubric("grade", "--concurrency", "1").exit_code == 0
    kinds = [asked.request.json.get("response_format", {}).get("type") for asked in server.asked]
    assert kinds == ["json_schema", "json_object", None, None, None, None]


def test_the_configuration_of_the_command_line_counts(rubric: Any, server: ModelServer, folder: Path) -> None:
    """`--config` names another one, `--no-config` reads none."""
    configure(folder, server, "other.toml", model="other-model")
    assert rubric("grade", "--config", "other.toml", "--case", "case-00").exit_code == 0
    assert server.asked[-1].request.json["model"] == "other-model"
    result = rubric("grade", "--no-config", "--case", "case-00")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "The judge `manual` asks a person at a terminal" in result.stderr


@pytest.mark.parametrize(
    "body",
    [
        "input_messages: [{role: user, content: [{type: file, value: ../outside.txt}]}], rubrics: [It is right]",
        "input: Do it, evaluators: [{name: own, type: llm_judge, prompt: ../outside.txt}]",
        "input: Do it, evaluators: [{name: runs, type: code_judge, script: [test, -f, outside.txt], cwd: ..}]",
    ],
    ids=["attachment", "prompt", "code judge"],
)
def test_the_configuration_of_the_command_line_says_what_may_be_read(rubric: Any, folder: Path, body: str) -> None:
    """`--config` and `--no-config` count for everything that a case names, as the configuration beside it does."""
    (folder.parent / "outside.txt").write_text("Is it friendly?", encoding="utf-8")
    text = f"evalcases:\n  - {{id: case-00, expected_outcome: Works, {body}}}\n"
    (folder / "all.eval.yaml").write_text(text, encoding="utf-8")
    (folder / "all.answers.json").write_text('{"case-00": "Done."}', encoding="utf-8")
    said = {"case-00": {**json.loads(met()), "score": 1}}
    (folder / "judgements.json").write_text(json.dumps(said), encoding="utf-8")
    (folder / "open.toml").write_text("allow-outside = true\n", encoding="utf-8")
    arguments = ("grade", "--judge", "replay:judgements.json")
    assert rubric(*arguments).exit_code == 2
    assert rubric(*arguments, "--config", "open.toml").exit_code == 0
    (folder / "open.toml").rename(folder / "rubric.toml")
    assert rubric(*arguments).exit_code == 0
    assert rubric(*arguments, "--no-config").exit_code == 2


def test_a_reply_that_belongs_to_another_case_does_no_harm(rubric: Any, server: ModelServer, folder: Path) -> None:
    """Each case has criteria of its own, and a judgement of others is none."""
    bodies = [f"rubrics: [{{id: only-{number}, expected_outcome: Right}}]" for number in range(2)]
    (folder / "all.eval.yaml").write_text(cases_with(bodies), encoding="utf-8")
    server.respond = lambda _: met("only-1")
    lines = rubric("grade", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == [None, "pass"]


def test_samples_of_a_scorecard_are_one_evaluation(rubric: Any, server: ModelServer, folder: Path) -> None:
    """The lower median of each dimension; a flag counts where more than half of the samples name it."""
    body = "scorecard: {skill: work, red_flags: [{id: leak, expected_outcome: It leaks}]}"
    (folder / "all.eval.yaml").write_text(numbered_cases(1, body), encoding="utf-8")
    said = iter([(9, True), (7, True), (8, False)])

    def respond(_: Asked) -> str:
        score, leaks = next(said)
        flags = [{"id": "leak", "explanation": "Seen."}] if leaks else []
        return json.dumps({"dimensions": {name: {"score": score} for name in DIMENSIONS}, "red_flags": flags})

    server.respond = respond
    arguments = ("grade", "--samples", "3", "--concurrency", "1", "--format", "json")
    card = json.loads(rubric(*arguments).stdout)["scorecard"]
    assert (card["composite"], card["final_score"], card["samples"]) == (8.0, 7.5, 3)
    again = json.loads(rubric(*arguments).stdout)["scorecard"]
    assert again["evaluation_id"] == card["evaluation_id"]
    assert len(json.loads(rubric("history", "work", "--format", "json").stdout)["evaluations"]) == 1


def test_a_prompt_that_a_command_prints_is_planned_without_running_it(rubric: Any, folder: Path) -> None:
    """A plan runs nothing; its size is that of the usual prompt."""
    body = "evaluators: [{name: own, type: llm_judge, prompt: {script: [touch, ran]}}]"
    (folder / "all.eval.yaml").write_text(numbered_cases(1, body), encoding="utf-8")
    (folder / "all.answers.json").write_text(json.dumps(numbered_answers(1)), encoding="utf-8")
    (folder / "judgements.json").write_text("{}", encoding="utf-8")
    result = rubric("grade", "--judge", "replay:judgements.json", "--dry-run")
    assert result.stderr.startswith("Plan: 1 case; 1 question for replay:judgements.json")
    assert not (folder / "ran").exists()


def test_weights_that_are_all_zero_are_an_error(rubric: Any, folder: Path) -> None:
    """Also where nobody wanted to hear of it: there is no mean of nothing."""
    body = "evaluators: [{name: a, type: llm_judge, weight: 0}, {name: b, type: llm_judge, weight: 0}]"
    text = "# rubric: ignore-file[RB204]\n" + numbered_cases(1, body)
    (folder / "all.eval.yaml").write_text(text, encoding="utf-8")
    (folder / "all.answers.json").write_text(json.dumps(numbered_answers(1)), encoding="utf-8")
    (folder / "judgements.json").write_text(
        '{"case-00": {"evaluators": {"a": {"score": 1}, "b": {"score": 1}}}}', encoding="utf-8"
    )
    result = rubric("grade", "--judge", "replay:judgements.json", "--format", "json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["score"], told["verdict"]) == (2, None, None)
    assert "weight" in told["error"]
