"""Providers of promptfoo that are commands: the cases they make, what they are given, and their answers."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from promptfoo_program import promptfoo_rows

from rubric_core.grading.failures import GradingFailed
from rubric_core.grading.options import DEFAULT_OPTIONS
from rubric_core.grading.run import grade_all
from rubric_core.grading.sources import Sources
from rubric_core.model.load import load_all

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.results import CaseResult

SCRIPT = """\
import json, os, sys
*own, prompt, options, context = sys.argv[1:]
options, context = json.loads(options), json.loads(context)
is_here = os.path.samefile(options["config"].pop("basePath") or ".", ".")
told = {key: context[key] for key in ("vars",)} | {key: context["prompt"][key] for key in ("raw", "label")}
print("\\x1b[1m" + json.dumps([own, prompt, options, told, is_here, sys.stdin.read()], sort_keys=True) + "\\x1b[0m  ")
"""


def config(**rest: Any) -> dict[str, Any]:
    """Return a configuration with one command, or what `rest` says."""
    return {
        "prompts": ["Say {{ q }}"],
        "providers": [f"exec: {sys.executable} answer.py 'two words'"],
        "tests": [{"vars": {"q": "hi"}, "assert": [{"type": "contains", "value": "Say hi"}]}],
        **rest,
    }


def written(folder: Path, **rest: Any) -> Path:
    """Write a configuration, the command and some files, and return the path."""
    (folder / "answer.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "note.txt").write_text(" a note\n", encoding="utf-8")
    (folder / "data.yaml").write_text("a: [1, x]\n", encoding="utf-8")
    (folder / "rubric.toml").write_text("", encoding="utf-8")
    path = folder / "promptfooconfig.yaml"
    path.write_text(json.dumps(config(**rest)), encoding="utf-8")
    return path


def graded(path: Path, **sources: Any) -> dict[str, CaseResult]:
    """Grade a configuration and return the results by id."""
    cases = load_all(path)[0].cases
    found: dict[str, CaseResult] = {}
    chosen = Sources({str(path): cases[0].config}, **sources)
    asyncio.run(grade_all(cases, chosen, lambda _, each: found.update({each.eval_id: each}), options=DEFAULT_OPTIONS))
    return found


def test_a_command_answers(tmp_path: Path) -> None:
    """It is given the prompt, its options and the variables, in the folder of the configuration."""
    (result,) = graded(written(tmp_path)).values()
    assert (result.error, result.verdict and result.verdict.value) == (None, "pass")
    assert json.loads(result.candidate_answer) == [
        ["two words"],
        "Say hi",
        {"config": {}, "env": {}},
        {"label": "Say {{ q }}", "raw": "Say {{ q }}", "vars": {"q": "hi"}},
        True,
        "",
    ]


def test_its_duration_is_measured(tmp_path: Path) -> None:
    """So that `latency` is run, which a recorded answer without a duration cannot have."""
    tests = [{"vars": {"q": "hi"}, "assert": [{"type": "latency", "threshold": 600000}]}]
    (result,) = graded(written(tmp_path, tests=tests)).values()
    assert [each.status for each in result.evaluators] == ["graded"]


COMMAND = f"exec:{sys.executable} answer.py"
MANY: dict[str, Any] = {
    "prompts": [{"raw": "One {{ q }}", "label": "one"}, {"raw": "Two {{ q }} {{ note }} {{ data }}", "label": "two"}],
    "providers": [
        {"id": f"{COMMAND} a", "label": "first", "config": {"k": [1]}},
        {"id": f"{COMMAND} b", "label": "second", "prompts": ["two"]},
        "echo",
    ],
    "defaultTest": {"vars": {"note": "file://note.txt", "data": "file://data.yaml"}},
    "tests": [
        {"vars": {"q": ["x", "y"]}, "assert": [{"type": "contains", "value": "{{ q }}"}]},
        {"vars": {"q": "z"}, "prompts": ["one"], "options": {"prefix": "<<", "suffix": " {{ q }}>>"}},
        {"vars": {"q": "w"}, "providers": ["second"]},
    ],
}


def test_prompts_providers_and_tests_are_multiplied(tmp_path: Path) -> None:
    """By the commands alone; prompts and providers that are not named are left out."""
    cases = load_all(written(tmp_path, **MANY))[0].cases
    assert [case.id for case in cases] == [
        "test-1__prompt_one__provider_first__q_x",
        "test-1__prompt_one__provider_first__q_y",
        "test-1__prompt_two__provider_first__q_x",
        "test-1__prompt_two__provider_first__q_y",
        "test-1__prompt_two__provider_second__q_x",
        "test-1__prompt_two__provider_second__q_y",
        "test-2__prompt_one__provider_first",
        "test-3__prompt_two__provider_second",
    ]
    assert [case.input_messages[0].content for case in cases[5:7]] == ['Two y a note {"a":[1,"x"]}', "<<One z z>>"]


def test_a_recorded_answer_goes_before_the_command(tmp_path: Path) -> None:
    """As for every target."""
    path = written(tmp_path)
    (tmp_path / "promptfooconfig.answers.json").write_text('{"test-1": "I Say hi"}', encoding="utf-8")
    assert graded(path)["test-1"].candidate_answer == "I Say hi"


@pytest.mark.parametrize(
    ("provider", "reason"),
    [
        ("exec: python ../outside.py", "lies outside of the workspace"),
        (f"exec: {sys.executable} missing.py", "gave no answer"),
        (f"exec: {sys.executable} -c pass", "printed no reply"),
        ("openai:gpt-4o", "There is no answer to grade for the case test-1"),
    ],
)
def test_a_command_that_fails_is_an_error(tmp_path: Path, provider: str, reason: str) -> None:
    """So is one that leaves the workspace; providers that are no commands are not called."""
    (result,) = graded(written(tmp_path, providers=[provider])).values()
    assert reason in (result.error or "")


def test_a_test_that_names_no_prompt_never_runs(tmp_path: Path) -> None:
    """It is reported among what could not be read."""
    tests = [{"prompts": ["none"], "vars": {"q": "hi"}}, *config()["tests"]]
    suite = load_all(written(tmp_path, tests=tests))[0]
    assert [case.id for case in suite.cases] == ["test-2"]
    assert [each.reason for each in suite.lost_cases] == [
        "Its `prompts` and `providers` name none, so the test never runs."
    ]


def test_what_decides_the_answer_is_part_of_its_key(tmp_path: Path) -> None:
    """A run that is resumed asks again where the variables of a command changed."""
    keys = set()
    for value in ("hi", "ho"):
        path = written(tmp_path, prompts=["Say it"], tests=[{"vars": {"q": value}, "assert": [{"type": "is-json"}]}])
        (case,) = load_all(path)[0].cases
        keys.add(Sources({str(path): case.config}).answer_key(case))
    assert len(keys) == 2
    with pytest.raises(GradingFailed):
        Sources({str(path): case.config}, target="exce:x")


@pytest.mark.slow
def test_promptfoo_calls_commands_in_the_same_way(tmp_path: Path) -> None:
    """The same rows, with the same prompts, options and variables."""
    mapped = {f"{COMMAND} c": {"config": {"k": 2}, "prompts": ["one"]}}
    labelled = {f"{COMMAND} d": {"label": "fourth", "prompts": ["one"]}}
    path = written(tmp_path, **{**MANY, "providers": [*MANY["providers"][:2], mapped, labelled]})
    theirs = [json.loads(each["response"]["output"]) for each in promptfoo_rows(tmp_path) or ()]
    # A test without assertions is an error here, and its answer is graded all the same.
    ours = [json.loads(each.candidate_answer) for each in graded_all(path)]
    assert sorted(map(_row, ours)) == sorted(map(_row, theirs))


def graded_all(path: Path) -> list[CaseResult]:
    """Grade every test with an assertion, so that none is an error."""
    data = json.loads(path.read_text(encoding="utf-8"))
    data["defaultTest"]["assert"] = [{"type": "is-json"}]
    path.write_text(json.dumps(data), encoding="utf-8")
    return list(graded(path).values())


def _row(answer: list[Any]) -> str:
    own, prompt, options, told, is_here, stdin = answer
    told["vars"] = {name: value for name, value in told["vars"].items() if not name.startswith("__")}
    return json.dumps([own, prompt, options, told, is_here, stdin], sort_keys=True)
