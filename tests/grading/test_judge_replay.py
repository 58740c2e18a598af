"""A recording as judge: each question gets what the file holds for it, byte for byte."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from judges import case_of
from judging import a_question
from scoring_values import item, ranged

from rubric_core.grading.failures import CannotGrade, JudgeFailed
from rubric_core.grading.judgements import InvalidJudgement, read_checks
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.judges.replay import ReplayJudge
from rubric_core.grading.run import grade
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.judges.judge import Judge, Question

CHECKS = '{"checks": [{"id": "a", "score": 7.0}], "x": NaN}'


async def _replayed(folder: Path, text: str, question: Question | None = None) -> str:
    path = folder / "judgements.json"
    path.write_text(text, encoding="utf-8")
    judge: Judge = ReplayJudge(path)
    completion = await judge.judge(question or a_question())
    await judge.close()
    assert completion.usage == Usage()
    return completion.text


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("entry", "reply"),
    [
        (CHECKS, CHECKS),
        (json.dumps(f"Sure! {CHECKS} 🎉 \ud83d"), f"Sure! {CHECKS} 🎉 \ud83d"),
        ('""', ""),
        ("7", "7"),
        ("null", "null"),
        (f"[{CHECKS}, 2]", CHECKS),
        (f'{{"evaluators": {{"style": {{}}, "rubric": {CHECKS}}}}}', CHECKS),
        (f'{{"evaluators": {{"rubric": [{json.dumps(CHECKS)}]}}}}', CHECKS),
        (f'[{{"evaluators": {{"rubric": {CHECKS}}}}}]', CHECKS),
        ('{"checks": [], "checks": [1]}', '{"checks": [], "checks": [1]}'),
    ],
    ids=[
        *("object", "text", "empty-text", "number", "null", "samples", "evaluators", "samples-of-an-evaluator"),
        *("samples-with-evaluators", "repeated-key"),
    ],
)
async def test_an_entry_is_given_as_it_is_written(tmp_path: Path, entry: str, reply: str) -> None:
    """Whoever reads it decides whether it is valid, down to 7.0, NaN and repeated keys."""
    assert await _replayed(tmp_path, f'\ufeff {{"other": {{}}, "port": {entry} }}\n') == reply


@pytest.mark.asyncio
@pytest.mark.parametrize(("sample", "reply"), [(0, "0"), (1, '{"score": 1}'), (2, "text")])
async def test_a_list_has_an_entry_for_each_sample(tmp_path: Path, sample: int, reply: str) -> None:
    """In their order."""
    assert await _replayed(tmp_path, '{"port": [0, {"score": 1}, "text"]}', a_question(sample=sample)) == reply


@pytest.mark.asyncio
async def test_a_single_judgement_is_the_same_in_every_sample(tmp_path: Path) -> None:
    """A recording says the same whenever it is asked."""
    assert await _replayed(tmp_path, f'{{"port": {CHECKS}}}', a_question(sample=4)) == CHECKS


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "entry",
    [
        '{"evaluators": {"rubric": {}, "scorecard": {"dimensions": {}}}}',
        '{"evaluators": {"rubric": {}}, "scorecard": {"dimensions": {}}}',
        '{"checks": [], "scorecard": {"dimensions": {}}}',
        '{"dimensions": {}}',
    ],
)
async def test_the_judgement_of_a_scorecard_is_under_its_name_or_alone(tmp_path: Path, entry: str) -> None:
    """Beside what was said of the criteria."""
    question = a_question(kind="scorecard", evaluator="scorecard")
    assert await _replayed(tmp_path, f'{{"port": {entry}}}', question) == '{"dimensions": {}}'


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("text", "question", "reason"),
    [
        ("{}", a_question(), "holds no judgement for the case port."),
        ('{"Port": {}}', a_question(), "holds no judgement for the case port."),
        (
            '{"port": {"evaluators": {"style": {}}}}',
            a_question(),
            "holds no judgement of the evaluator rubric for the case port.",
        ),
        (
            '{"port": {"evaluators": ["style"]}}',
            a_question(),
            "holds no judgement of the evaluator rubric for the case port.",
        ),
        ('{"port": [{}, {}]}', a_question(sample=2), "holds 2 samples for the case port; sample 3 is not among them."),
    ],
)
async def test_what_is_not_recorded_is_not_made_up(tmp_path: Path, text: str, question: Question, reason: str) -> None:
    """The failure names the file, the case and what is missing."""
    with pytest.raises(JudgeFailed) as caught:
        await _replayed(tmp_path, text, question)
    assert caught.value.reason == f"{tmp_path / 'judgements.json'} {reason}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "cannot be read. The file does not exist."),
        ("", "is no JSON object from case id to judgement. The JSON object ends before it is complete."),
        ("[]", "is no JSON object from case id to judgement. It is a JSON list, not a JSON object."),
        ('{"port": {}', "is no JSON object from case id to judgement. The JSON object ends before it is complete."),
        ('{"port": {}} {}', "is no JSON object from case id to judgement. Something follows the end of the JSON."),
        ("port: {}", "is no JSON object from case id to judgement. The JSON is broken at line 1, column 1"),
        ('{"port": {}, "a": 1, "port": {}}', "holds the case port twice; keep one of its judgements."),
        ('{"a":' * 100_000, "is no JSON object from case id to judgement. The JSON is nested too deeply."),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_before_grading(tmp_path: Path, text: str | None, reason: str) -> None:
    """With its path and one reason."""
    path = tmp_path / "judgements.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(CannotGrade) as caught:
        ReplayJudge(path)
    assert f"{path} {reason}" in caught.value.reason


def test_a_recording_repairs_nothing_and_needs_no_memory(tmp_path: Path) -> None:
    """It is the same judgement whenever it is replayed."""
    path = tmp_path / "a.json"
    path.write_text("{}", encoding="utf-8")
    judge = ReplayJudge(path)
    assert (judge.can_repair, judge.is_recorded, judge.memory_key) == (False, True, None)
    assert judge.identity == JudgeIdentity(f"replay:{path}", "replay")
    assert ReplayJudge(path, "last-week").identity.name == "last-week"


LISTED = '{"checks": [{"id": "a", "satisfied": true}, {"id": "b", "score": 3e0}], "overall_reasoning": "Fine"}'


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "entry",
    [
        LISTED,
        json.dumps(f"So:\n{LISTED}"),
        '{"checks": {"a": {"satisfied": true}, "b": {"score": 3e0}}}',
    ],
    ids=["listed", "text", "by-id"],
)
async def test_a_recording_of_all_criteria_serves_a_question_about_some(tmp_path: Path, entry: str) -> None:
    """What was not asked for is passed over, and only that."""
    question = a_question(criteria=(ranged("b"),), unasked=frozenset({"a"}))
    reply = await _replayed(tmp_path, f'{{"port": {entry}}}', question)
    assert read_checks(reply, question.criteria).checks[0].score == 3
    with pytest.raises(InvalidJudgement, match='There is no criterion "b"'):
        read_checks(
            await _replayed(tmp_path, f'{{"port": {entry}}}', a_question(unasked=frozenset({"a"}))), [item("c")]
        )


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "entry", ['"no judgement"', "null", '{"checks": 7}', '{"checks": [7, {"id": 8}]}', '{"checks": [], "checks": 1}']
)
async def test_a_recording_that_is_no_judgement_stays_none(tmp_path: Path, entry: str) -> None:
    """Taking out what was not asked for mends nothing."""
    reply = await _replayed(tmp_path, f'{{"port": {entry}}}', a_question(unasked=frozenset({"a"})))
    with pytest.raises(InvalidJudgement):
        read_checks(reply, [ranged("b")])


TWO_LISTS = """\
rubrics: [It is right]
evaluators:
  - {{name: {name}, type: llm_judge, rubrics: [It is short]}}
"""


@pytest.mark.parametrize(
    ("name", "entry", "words"),
    [
        ("style", {"checks": [{"id": "rubric-1", "satisfied": True}]}, "Give each its own under `evaluators`."),
        ("rubric", {"evaluators": {"rubric": {"checks": [{"id": "rubric-1", "satisfied": True}]}}}, "rename one"),
    ],
)
def test_one_judgement_is_never_taken_for_two(tmp_path: Path, name: str, entry: object, words: str) -> None:
    """Two lists may have the same generated ids, and nobody has judged the second one."""
    path = tmp_path / "judgements.json"
    path.write_text(json.dumps({"a": entry}), encoding="utf-8")
    result = asyncio.run(grade(case_of(TWO_LISTS.format(name=name)), "Done.", ReplayJudge(path)))
    assert result.verdict is None
    assert result.error is not None
    assert words in result.error
