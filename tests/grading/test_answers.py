"""Where the answer to grade comes from: given, recorded, or produced by a target."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from model_calls import chat_reply
from scripted_server import ScriptedServer, answer

from rubric_core.config.config import Config
from rubric_core.grading.answers import NO_FACTS, Answer
from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.sources import AnswerSource, RecordedAnswers, read_answer, read_answers
from rubric_core.grading.targets.targets import Targets
from rubric_core.grading.usage import Usage
from rubric_core.model.suite import ContentPart, EvalCase, Message

if TYPE_CHECKING:
    from pathlib import Path


def _case(folder: Path, **fields: Any) -> EvalCase:
    asked = (Message(role="user", content="What is 2 + 2?"),)
    return EvalCase(**{"id": "one", "source": str(folder / "sums.eval.yaml"), "input_messages": asked, **fields})


def _targets(folder: Path, **codes: str) -> Targets:
    """Return targets that are Python programs."""
    tables = {
        name: {"provider": "command", "command": [sys.executable, "-c", code], "timeout": 30}
        for name, code in codes.items()
    }
    return Targets(folder / "sums.eval.yaml", Config(root=folder, targets=tables), {})


async def answer_for(case: EvalCase, **choices: Any) -> Answer:
    """Return the answer to a case."""
    return await AnswerSource(case.source, **choices).answer(case)


def answer_key(case: EvalCase, **choices: Any) -> str:
    """Return the key of the answer to a case."""
    return AnswerSource(case.source, **choices).key(case)


_ECHO = "import sys; print(sys.stdin.read())"


@pytest.mark.asyncio
async def test_the_order_in_which_an_answer_is_looked_for(tmp_path: Path) -> None:
    """Given, recorded in the file, recorded in the folder, produced."""
    case, targets = _case(tmp_path), _targets(tmp_path, default=_ECHO)
    produced = Answer("What is 2 + 2?", "default", Usage(calls=1))
    found = await answer_for(case, targets=targets)
    assert replace(found, facts=NO_FACTS) == produced
    # How long it took is known, and how many tokens it cost where the provider tells.
    assert found.facts.duration_ms is not None
    assert found.facts.token_usage is None
    (tmp_path / "sums.answers").mkdir()
    (tmp_path / "sums.answers" / "one.txt").write_text("in a text", encoding="utf-8")
    assert await answer_for(case, targets=targets) == Answer("in a text")
    (tmp_path / "sums.answers" / "one.md").write_bytes("\ufeffin Markdown\r\n".encode())
    assert await answer_for(case, targets=targets) == Answer("in Markdown\r\n")
    (tmp_path / "sums.answers.json").write_text('{"one": "in JSON", "two": ""}', encoding="utf-8")
    assert await answer_for(case, targets=targets) == Answer("in JSON")
    assert await answer_for(case, given={"two": "x"}, targets=targets) == Answer("in JSON")
    assert await answer_for(case, given={"one": ""}, targets=targets) == Answer("")


@pytest.mark.asyncio
async def test_without_any_answer_the_three_ways_to_one_are_reported(tmp_path: Path) -> None:
    """A case made in Python has nothing beside it."""
    reason = "no answer to grade for the case one; give one, record one in .* target"
    for case in (_case(tmp_path), _case(tmp_path, source="")):
        with pytest.raises(CannotGrade, match=reason):
            await answer_for(case)
        with pytest.raises(CannotGrade, match=reason):
            await answer_for(case, targets=_targets(tmp_path, other=_ECHO))


@pytest.mark.asyncio
async def test_where_no_target_is_defined_that_is_one_of_the_three_ways(tmp_path: Path) -> None:
    """Many eval files name one that only others have; where there are some, a name that is none of them is unknown."""
    case = _case(tmp_path, target="base")
    reason = r"There is no answer to grade .*, or define its target base in \.agentv/targets\.yaml or in rubric"
    with pytest.raises(CannotGrade, match=reason):
        await answer_for(case, targets=_targets(tmp_path))
    with pytest.raises(CannotGrade, match="There is no target base"):
        await answer_for(case, targets=_targets(tmp_path, other=_ECHO))


@pytest.mark.asyncio
async def test_the_chosen_target_counts_before_the_cases_own_and_the_default(tmp_path: Path) -> None:
    """Only a case without a word about it has the default."""
    targets = _targets(tmp_path, default="print('default')", own="print('own')", chosen="print('chosen')")
    own = _case(tmp_path, target="own")
    assert (await answer_for(_case(tmp_path), targets=targets)).target == "default"
    assert (await answer_for(own, targets=targets)).text == "own"
    assert (await answer_for(own, targets=targets, target="chosen")).text == "chosen"


@pytest.mark.asyncio
async def test_a_target_reads_the_whole_conversation(tmp_path: Path) -> None:
    """With the files that it names, and what tools said."""
    (tmp_path / "list.txt").write_text("3 1 2", encoding="utf-8")
    messages = (
        Message(role="system", content="Be short."),
        Message(role="user", content=(ContentPart(type="file", value="list.txt"),)),
        Message(role="tool", name="sort", content="1 2 3"),
    )
    case = _case(tmp_path, input_messages=messages)
    assert (await answer_for(case, targets=_targets(tmp_path, default=_ECHO))).text == (
        '# Instructions\nBe short.\n\n# User\n<file path="list.txt">\n3 1 2\n</file>\n\n'
        "# User\nThe tool sort answered:\n1 2 3"
    )


@pytest.mark.asyncio
async def test_a_command_is_given_the_case_and_its_files(tmp_path: Path) -> None:
    """Where its template asks for them."""
    (tmp_path / "list.txt").write_text("3 1 2", encoding="utf-8")
    code = "import sys; print(sys.argv[1:])"
    table = {"provider": "cli", "command_template": [sys.executable, "-c", code, "{EVAL_ID}", "{FILES}"]}
    targets = Targets(tmp_path / "a.yaml", Config(root=tmp_path, targets={"default": table}), {})
    case = _case(
        tmp_path, input_messages=(Message(role="user", content=(ContentPart(type="file", value="list.txt"),)),)
    )
    assert (await answer_for(case, targets=targets)).text == str(["one", str(tmp_path / "list.txt")])


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit('no quota')", r"The target default gave no answer\. .* ended with status 1: no quota"),
        ("print()", "The target default gave no answer"),
    ],
)
async def test_a_target_that_fails_is_named_with_its_reason(code: str, reason: str, tmp_path: Path) -> None:
    """It has cost a call."""
    with pytest.raises(ProviderFailed, match=reason) as failure:
        await answer_for(_case(tmp_path), targets=_targets(tmp_path, default=code))
    assert failure.value.usage == Usage(calls=1)


@pytest.mark.asyncio
async def test_an_answer_that_was_cut_short_is_an_error(tmp_path: Path) -> None:
    """Grading the half of it would judge the limit of tokens."""
    async with ScriptedServer(answer(chat_reply("2 + 2 is", "length"))) as server:
        table = {"provider": "openai", "model": "m", "api_key": "k", "endpoint": f"{server.url}/v1"}
        targets = Targets(tmp_path / "a.yaml", Config(root=tmp_path, targets={"default": table}), {})
        with pytest.raises(ProviderFailed, match="was cut short by its limit of tokens; raise the setting max_tokens"):
            await answer_for(_case(tmp_path), targets=targets)
        await targets.close()


@pytest.mark.asyncio
async def test_an_answer_without_a_visible_character_is_none(tmp_path: Path) -> None:
    """Grading it would judge the target's failure as an answer."""
    table = {"provider": "cli", "command_template": [sys.executable, "-c", 'print(\'{"text": " "}\')']}
    targets = Targets(tmp_path / "a.yaml", Config(root=tmp_path, targets={"default": table}), {})
    with pytest.raises(ProviderFailed, match="The target default gave an empty answer; record one, or name another"):
        await answer_for(_case(tmp_path), targets=targets)


@pytest.mark.asyncio
async def test_a_case_without_messages_cannot_be_answered(tmp_path: Path) -> None:
    """Nothing is run."""
    with pytest.raises(CannotGrade, match="The case one has no input messages, so that the target default cannot"):
        await answer_for(_case(tmp_path, input_messages=()), targets=_targets(tmp_path, default="raise SystemExit(1)"))


def test_the_key_of_an_answer_changes_with_what_decides_it(tmp_path: Path) -> None:
    """A run that goes on knows by it whether an earlier result still holds; no target is asked for that."""
    case = _case(tmp_path)
    targets = _targets(tmp_path, default="one()", other="two()")
    keys = {
        answer_key(case),
        answer_key(case, given={"one": "a"}),
        answer_key(case, given={"one": "b"}),
        answer_key(case, targets=targets),
        answer_key(case, targets=targets, target="other"),
        answer_key(case, targets=_targets(tmp_path, default="three()")),
    }
    assert len(keys) == 6
    assert answer_key(case, targets=targets) == answer_key(case, targets=_targets(tmp_path, default="one()"))
    assert answer_key(case) == answer_key(case, targets=targets, target="unknown") == ""


def _written(folder: Path, text: str) -> Path:
    path = folder / "answers.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_answers_are_a_json_object_from_case_id_to_text(tmp_path: Path) -> None:
    """Those for cases that do not exist are reported, with what was probably meant."""
    path = _written(tmp_path, json.dumps({"case-1": "a", "case-2 ": "b", "zzz": "c"}))
    given, warning = read_answers(path, {"case-1", "case-2"})
    assert given == {"case-1": Answer("a"), "case-2 ": Answer("b"), "zzz": Answer("c")}
    assert warning == f"{path} holds answers to 2 ids that no case has: case-2  (did you mean case-2?), zzz."


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (["case-1"], None),
        (["case-1", "case-2"], "holds an answer to case-2, but no case has this id; did you mean case-1?"),
        (["zzz"], "holds an answer to zzz, but no case has this id."),
        (list("abcde"), "holds answers to 5 ids that no case has: a, b, c, d, e."),
        (list("abcdefgh"), "holds answers to 8 ids that no case has: a, b, c, d, e and 3 more."),
    ],
)
def test_answers_that_belong_to_no_case_are_reported_in_one_sentence(
    ids: list[str], words: str | None, tmp_path: Path
) -> None:
    """However many there are: a file may hold the answers of a whole project."""
    path = _written(tmp_path, json.dumps(dict.fromkeys(ids, "answer")))
    assert read_answers(path, {"case-1"})[1] == (None if words is None else f"{path} {words}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no JSON object from case id to answer"),
        ('["a"]', "is no JSON object from case id to answer"),
        ('{"a": "b"', "is no JSON object from case id to answer"),
        ('{"a": {"text": "b"}}', r"The answer to the case a in .*answers\.json must have its text under `output`"),
        ('{"a": {"output": 1}}', "must have its text under `output`, which is a JSON number"),
        ('{"a": {"output": "b", "duration_ms": -1}}', "must have a number of 0 or more under `duration_ms`"),
        ('{"a": {"output": "b", "cost_usd": "1"}}', "under `cost_usd`, not a JSON string"),
        ('{"a": {"output": "b", "token_usage": 3}}', "must have an object under `token_usage`, not a JSON number"),
        ('{"a": {"output": "b", "token_usage": {"input": 3}}}', "must have a number under `token_usage.output`"),
        ('{"a": {"output": "b", "tool_calls": 3}}', "must have under `tool_calls` how often each tool was called"),
        ('{"a": {"output": "b", "trace": {"event_count": "x"}}}', "under `trace.event_count`"),
        ('{"a": null}', "must be a text, or an object with one under `output`, but is null"),
        ('{"a": 3}', "must be a text, or an object with one under `output`, but is a JSON number"),
        ('{"a": "1", "b": "2", "a": "1"}', r"answers\.json holds the case a twice; keep one of its answers"),
    ],
)
def test_answers_that_cannot_be_used_are_reported(text: str, reason: str, tmp_path: Path) -> None:
    """With the file and the case."""
    with pytest.raises(CannotGrade, match=reason):
        read_answers(_written(tmp_path, text), {"a"})


def test_an_answer_is_the_text_of_a_file(tmp_path: Path) -> None:
    """A file that cannot be read is named."""
    (tmp_path / "answer.md").write_bytes("\ufeffGröße\n".encode())
    assert read_answer(tmp_path / "answer.md") == "Größe\n"
    with pytest.raises(CannotGrade, match=r"The answer in .*missing\.md cannot be read\. The file does not exist\."):
        read_answer(tmp_path / "missing.md")


@pytest.mark.parametrize(
    "case_id", ["../secret", "/etc/hostname", "..", ".", "", "a/../../secret", "link", "a\0b", "x" * 999]
)
def test_the_id_of_a_case_never_leads_out_of_the_folder_of_answers(case_id: str, tmp_path: Path) -> None:
    """Not by a path, an absolute one or a link; what no file can be called is no error either."""
    folder = tmp_path / "sums.answers"
    folder.mkdir()
    (folder / "a").mkdir()
    (tmp_path / "secret.md").write_text("private", encoding="utf-8")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    assert RecordedAnswers(str(tmp_path / "sums.eval.yaml")).of(case_id) is None


def test_the_id_of_a_case_may_lead_into_the_folder_of_answers(tmp_path: Path) -> None:
    """Ids with slashes are common for cases in groups."""
    (tmp_path / "sums.answers" / "group").mkdir(parents=True)
    (tmp_path / "sums.answers" / "group" / "one.md").write_text("an answer", encoding="utf-8")
    assert RecordedAnswers(str(tmp_path / "sums.eval.yaml")).of("group/one") == Answer("an answer")
