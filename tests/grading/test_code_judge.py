"""A command judges the answer: what it reads, where it runs, and what becomes of what it says."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.config.config import Config
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.code_judge import run_code_judge
from rubric_core.grading.secrets import Redactor
from rubric_core.model.evaluators import CodeJudge
from rubric_core.model.suite import ContentPart, EvalCase, Message

if TYPE_CHECKING:
    from rubric_core.grading.results import EvaluatorResult

HANG_GUARD = 30.0


def _case(folder: Path, **fields: Any) -> EvalCase:
    return EvalCase(id="one", expected_outcome="Sorts.", source=str(folder / "a.eval.yaml"), **fields)


def _python(code: str, **fields: Any) -> CodeJudge:
    return CodeJudge(name="check", script=(sys.executable, "-c", code), **fields)


async def _judged(judge: CodeJudge, case: EvalCase, answer: str = "An answer.", **more: Any) -> EvaluatorResult:
    config = more.pop("config", Config(root=Path(case.source).parent))
    case = case.model_copy(update={"config": config})
    return await run_code_judge(judge, case, Answer(answer), **{"time_limit": HANG_GUARD, **more})


_ECHO = "import json, sys; print(json.dumps({'score': 1, 'reasoning': sys.stdin.read()}))"


@pytest.mark.asyncio
async def test_the_case_and_the_answer_are_on_standard_input(tmp_path: Path) -> None:
    """With all names that AgentV 2.6.1 has, so that its scripts run unchanged."""
    (tmp_path / "list.txt").write_text("3 1 2", encoding="utf-8")
    parts = (ContentPart(type="text", value="Sort this:"), ContentPart(type="file", value="list.txt"))
    case = _case(
        tmp_path,
        input_messages=(Message(role="system", content="Be short."), Message(role="user", content=parts)),
        expected_messages=(Message(role="user", content="x"), Message(role="assistant", content="1 2 3")),
    )
    result = await _judged(_python(_ECHO, config={"strict": True, "limit": 0.5}), case, "1 2 3 ä")
    assert json.loads(result.reasoning) == {
        "question": 'Be short.\n\nSort this:\n\n<file path="list.txt">\n3 1 2\n</file>',
        "expected_outcome": "Sorts.",
        "expected_messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "1 2 3"}],
        "reference_answer": "1 2 3",
        "candidate_answer": "1 2 3 ä",
        "output_messages": None,
        "guideline_files": [],
        "input_files": [str(tmp_path / "list.txt")],
        "input_messages": [
            {"role": "system", "content": "Be short."},
            {
                "role": "user",
                "content": [{"type": "text", "value": "Sort this:"}, {"type": "file", "value": "list.txt"}],
            },
        ],
        "trace_summary": None,
        "config": {"strict": True, "limit": 0.5},
    }


@pytest.mark.asyncio
async def test_the_cases_own_words_come_first(tmp_path: Path) -> None:
    """`question` and `reference_answer` are given as they are written; without configuration there is null."""
    asked = (Message(role="user", content="x"),)
    case = _case(tmp_path, question="Why?", reference_answer={"a": 1}, input_messages=asked)
    payload = json.loads((await _judged(_python(_ECHO), case)).reasoning)
    assert (payload["question"], payload["reference_answer"], payload["config"]) == ("Why?", {"a": 1}, None)


@pytest.mark.asyncio
async def test_the_answer_is_also_a_file_that_is_removed_afterwards(tmp_path: Path) -> None:
    """Whatever is beside it, such as what a compiler writes, is removed too."""
    code = (
        "import os, json; path = os.environ['RUBRIC_ANSWER_FILE']; open(path + '.log', 'w').close();"
        "print(json.dumps({'score': 1, 'reasoning': path, 'hits': [open(path, encoding='utf-8', newline='').read()]}))"
    )
    result = await _judged(_python(code), _case(tmp_path), "first\r\nzweite Größe \ud800")
    assert result.hits == ("first\r\nzweite Größe \ufffd",)
    assert not Path(result.reasoning).parent.exists()


@pytest.mark.asyncio
@pytest.mark.parametrize(("answer", "score"), [("print(1)", 1), ("print(", 0)])
async def test_a_compiler_is_a_judge(answer: str, score: int, tmp_path: Path) -> None:
    """It reads no input and prints no JSON; its status is the score, and its complaint the reasoning."""
    code = "import os, py_compile; py_compile.compile(os.environ['RUBRIC_ANSWER_FILE'], doraise=True)"
    result = await _judged(_python(code), _case(tmp_path), answer)
    assert (result.status, result.score) == ("graded", score)
    assert ("SyntaxError" in result.reasoning) == (score == 0)


@pytest.mark.asyncio
@pytest.mark.parametrize("as_list", [False, True])
@pytest.mark.parametrize(("answer", "score"), [("print(1)", 1), ("print(", 0)])
async def test_a_script_names_the_file_with_the_answer(
    answer: str, score: int, tmp_path: Path, *, as_list: bool
) -> None:
    """The guide's own judge, with the file that it lacked. Without one it is an error, and not a 0."""
    words = (sys.executable, "-m", "py_compile")
    script = (*words, "{{ answer_file }}") if as_list else f"{' '.join(words)} {{{{ answer_file }}}}"
    result = await _judged(CodeJudge(name="check", script=script), _case(tmp_path), answer)
    assert (result.status, result.score) == ("graded", score)
    without = await _judged(CodeJudge(name="check", script=words), _case(tmp_path), answer)
    if sys.version_info >= (3, 11):
        assert without.status == "error"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "script",
    [
        "printf '%s;' --file={{answer_file}} '{{ answer_file }}' {{ answer }}",
        ("printf", "%s;", "--file={{ answer_file }}", "{{answer_file}}", "{{", "answer", "}}"),
    ],
)
async def test_the_file_is_one_argument_or_a_part_of_one(
    script: str | tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever temporary files are kept. Nothing else in double braces is touched."""
    folder = tmp_path / "a b"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    result = await _judged(CodeJudge(name="check", script=script), _case(tmp_path))
    first, second, *others = result.reasoning.split(";")
    assert first == f"--file={second}"
    assert second.startswith(str(folder))
    assert others == ["{{", "answer", "}}", ""]


@pytest.mark.asyncio
async def test_a_script_as_a_string_is_split_and_a_path_starts_at_the_folder(tmp_path: Path) -> None:
    """No shell is started."""
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "check it.py"
    script.write_text("#!" + sys.executable + "\nimport os, sys\nprint(os.getcwd(), sys.argv[1:])", encoding="utf-8")
    script.chmod(0o755)
    here = await _judged(CodeJudge(name="check", script="'scripts/check it.py' 'a b' c"), _case(tmp_path))
    assert here.reasoning == f"{tmp_path} ['a b', 'c']"
    there = await _judged(CodeJudge(name="check", script="'./check it.py'", cwd="scripts"), _case(tmp_path))
    assert there.reasoning == f"{tmp_path / 'scripts'} []"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("judge", "reason"),
    [
        (CodeJudge(name="check", script="no-such-program --fast"), "There is no program no-such-program"),
        (CodeJudge(name="check", script=("no such program",)), "There is no program no such program"),
        (CodeJudge(name="check", script=()), "The command is empty"),
        (CodeJudge(name="check", script="check | tee"), r"uses \|, which needs a shell"),
        (CodeJudge(name="check", script="true", cwd="missing"), "There is no folder missing beside the eval file"),
        (CodeJudge(name="check", script="true", cwd="../.."), "lies outside of the workspace"),
        (CodeJudge(name="check", script=("../evil.sh",)), r"The path \.\./evil\.sh .* lies outside of the workspace"),
        (CodeJudge(name="check", script="sh ../evil.sh"), r"The path \.\./evil\.sh .* lies outside of the workspace"),
        (CodeJudge(name="check", script=("sh", "--rc=../x", "y")), r"The path \.\./x .* lies outside of the workspace"),
        (CodeJudge(name="check", script="true", target={"max_calls": 3}), "wants to call a target"),
        (CodeJudge(name="check", script="true", config={"n": float("nan")}), "a number that JSON cannot represent"),
        (_python("print('{\"score\": 2}')"), "must be a number from 0 to 1, but is 2"),
        (_python("print('x' * 11_000_000)"), "wrote more than 10485760 bytes"),
        (_python("print('[' * 200_000)"), "nested too deeply"),
        (_python("import sys; sys.stdout.buffer.write('{\"score\": 0.2}'.encode('utf-16'))"), "not clean UTF-8"),
        (_python("import sys; sys.stdout.buffer.write('{\"score\": 0.2}'.encode('utf-16-le'))"), "not clean UTF-8"),
        (_python("import os; os.kill(os.getpid(), 9)"), "ended by signal 9"),
    ],
)
async def test_what_goes_wrong_is_an_error_with_its_reason(judge: CodeJudge, reason: str, tmp_path: Path) -> None:
    """It is neither a pass nor a 0."""
    result = await _judged(judge, _case(tmp_path))
    assert (result.status, result.score, result.verdict) == ("error", None, None)
    assert result.error is not None
    assert re.search(reason, result.error)


@pytest.mark.asyncio
async def test_a_command_that_takes_too_long_is_an_error(tmp_path: Path) -> None:
    """The message tells the limit."""
    result = await _judged(_python("import time; time.sleep(600)"), _case(tmp_path), time_limit=0.1)
    assert (result.status, result.score) == ("error", None)
    assert "took longer than 0.1 seconds" in (result.error or "")


@pytest.mark.asyncio
async def test_a_file_that_the_case_names_must_be_there(tmp_path: Path) -> None:
    """The command is not run without it."""
    message = Message(role="user", content=(ContentPart(type="file", value="missing.txt"),))
    result = await _judged(_python("pass"), _case(tmp_path, input_messages=(message,)))
    assert (result.status, result.score) == ("error", None)
    assert "missing.txt" in (result.error or "")


@pytest.mark.asyncio
async def test_being_cancelled_is_raised(tmp_path: Path) -> None:
    """It is no result."""
    judging = asyncio.ensure_future(_judged(_python("import time; time.sleep(600)"), _case(tmp_path)))
    await asyncio.sleep(0.05)
    judging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await judging


@pytest.mark.asyncio
async def test_no_secret_of_the_environment_is_in_a_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that prints all it knows tells nothing of a key, as a score, as a failure or as an error."""
    key = "sk-planted-0123456789"
    monkeypatch.setenv("API_KEY", key)
    redactor = Redactor({"API_KEY": key})
    programs = (
        "import json, os; k = os.environ['API_KEY']; print(json.dumps({'score': 1, 'hits': [k], 'reasoning': k}))",
        "import os, sys; print(os.environ); sys.exit('wrong key ' + os.environ['API_KEY'])",
        "import os; print({'score': 1, 'key': os.environ['API_KEY']})",
    )
    for program in programs:
        result = await _judged(_python(program), _case(tmp_path), redactor=redactor)
        assert key not in str(result)
        assert "[secret API_KEY]" in str(result) or result.status == "error"


@pytest.mark.asyncio
async def test_the_configuration_near_the_eval_file_counts(tmp_path: Path) -> None:
    """Where nobody gives one."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "rubric.toml").write_text("allow-outside = true", encoding="utf-8")
    judge = _python("import os; print(os.getcwd())", cwd="..")
    result = await run_code_judge(judge, _case(tmp_path / "inside"), Answer(""), time_limit=HANG_GUARD)
    assert result.reasoning == str(tmp_path)


@pytest.mark.asyncio
async def test_a_command_finds_the_variables_of_dotenv_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside those of our own environment, which win."""
    monkeypatch.setenv("FROM_OUTSIDE", "real")
    (tmp_path / ".env").write_text("FROM_OUTSIDE=file\nFROM_FILE=file", encoding="utf-8")
    judge = _python("import os; print(os.environ['FROM_OUTSIDE'], os.environ['FROM_FILE'])")
    assert (await _judged(judge, _case(tmp_path))).reasoning == "real file"
