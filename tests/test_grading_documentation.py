"""What the pages about grading say is tried: commands parse, transcripts and Python run, settings are true."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from dialect_suites import MISSING
from pages import DOCS, ROOT, anchors, blocks, page, table, words
from transcripts import examples, failed_steps

from rubric_core.cli import output
from rubric_core.cli.main import load_subcommand
from rubric_core.dialects.agentv.evaluators import EVALUATOR_TYPES
from rubric_core.files.configuration import load_config
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.code_judge import payload_of, run_code_judge
from rubric_core.grading.options import DEFAULT_ATTEMPTS, DEFAULT_TIME_LIMIT
from rubric_core.grading.processes import OUTPUT_LIMIT
from rubric_core.grading.prompts.llm_judge import free_form_question
from rubric_core.grading.providers import anthropic, azure, gemini, openai
from rubric_core.grading.providers.registry import KINDS
from rubric_core.grading.providers.replies import RETRIED_STATUSES
from rubric_core.grading.result_json import to_json
from rubric_core.grading.results import CaseResult, Upstream
from rubric_core.grading.run import DEFAULT_CONCURRENCY
from rubric_core.grading.secrets import SHORTEST_SECRET
from rubric_core.grading.targets.targets import Targets
from rubric_core.grading.workspace import parse_dotenv
from rubric_core.model.evaluators import CodeJudge, LlmJudge
from rubric_core.model.suite import EvalCase
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["examples"]

PAGES = ["README.md", *sorted(path.name for path in DOCS.glob("*.md"))]
SHELL_LINE = re.compile(r"^(?:\$ )?(rubric .*)$", re.MULTILINE)


def shell_lines() -> Iterator[tuple[str, str]]:
    """Yield every call of `rubric` in a block for a shell, with its page; none that names a missing dialect."""
    for name in PAGES:
        for block in blocks(name, "sh", "console"):
            for line in SHELL_LINE.findall(block.text):
                if MISSING.isdisjoint(shlex.split(line, comments=True)):
                    yield name, line


# Commands


@pytest.mark.parametrize(("name", "line"), list(shell_lines()))
def test_every_command_on_a_page_parses(name: str, line: str) -> None:  # noqa: ARG001 - the page is for whoever reads.
    """The subcommand and its options exist, choices and numbers are accepted, and no argument is missing."""
    subcommand, *arguments = shlex.split(line, comments=True)[1:]
    command = load_subcommand(subcommand)
    context = click.Context(command, info_name=subcommand)
    values, left, _ = command.make_parser(context).parse_args(arguments)
    assert not left
    for parameter in command.params:
        value = values.get(parameter.name or "")
        if isinstance(parameter.type, click.Choice | click.IntRange) and isinstance(value, str):
            parameter.type_cast_value(context, value)
        if isinstance(parameter, click.Argument) and parameter.required:
            assert isinstance(value, str), f"{parameter.name} is missing"


@pytest.mark.parametrize("name", ["grading.md", "code-judges.md"])
def test_a_transcript_is_what_happens(name: str, examples: Path) -> None:  # noqa: ARG001 - it is the current folder.
    """Each command runs among the examples and prints what the page says; `...` means any lines."""
    assert failed_steps(name) == []


def test_a_wrong_option_on_a_page_would_be_found() -> None:
    """The test above can fail."""
    with pytest.raises(click.NoSuchOption):
        test_every_command_on_a_page_parses("some.md", "rubric grade evals/ --jugde manual")
    with pytest.raises(click.BadParameter):
        test_every_command_on_a_page_parses("some.md", "rubric grade evals/ --format pdf")


@pytest.mark.slow
def test_the_demo_ends_well() -> None:
    """It checks, fixes, grades and reports, and leaves nothing behind."""
    before = set(ROOT.iterdir())
    environment = {**os.environ, "BIN": str(Path(sys.executable).parent)}
    command = ["bash", str(ROOT / "scripts" / "demo.sh")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Exit status 0" in done.stdout
    assert set(ROOT.iterdir()) == before


# Python


@pytest.mark.parametrize(("name", "folder"), [("python.md", "."), ("README.md", "..")])
def test_the_python_of_a_page_runs_and_prints_what_it_says(
    name: str, folder: str, examples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Block after block, as in a notebook; a block of text behind one is what it prints."""
    monkeypatch.chdir(examples / folder)
    space: dict[str, object] = {"__name__": "notebook"}

    async def run() -> None:
        printed = ""
        for block in blocks(name, "python", "text"):
            if block.language == "python":
                code = compile(block.text, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                made = eval(code, space)  # noqa: S307 - our own page.
                if inspect.iscoroutine(made):
                    await made
                printed = capsys.readouterr().out
            elif name == "python.md":
                assert printed == block.text

    asyncio.run(run())
    if name == "README.md":
        assert space["result"].verdict.value == "pass"  # type: ignore[attr-defined]


# Code judges


def test_the_code_of_the_page_is_that_of_the_examples() -> None:
    """What is shown is what runs; `test_examples.py` grades with it."""
    scripts = [(ROOT / "examples" / "code-judge" / name).read_text() for name in ("runs_in_sqlite.py", "few_lines.sh")]
    shown = [block.text for block in blocks("code-judges.md", "python")]
    shown += [block.text for block in blocks("code-judges.md", "sh") if "RUBRIC_ANSWER_FILE" in block.text]
    assert len(shown) == 3
    assert [text for text in shown if not any(text in script for script in scripts)] == []


def test_a_code_judge_can_be_tried_by_itself(examples: Path) -> None:
    """The line of the page works, and gives a result."""
    line = next(block.text for block in blocks("code-judges.md", "sh") if "echo '{" in block.text)
    _, payload, bar, _, script = shlex.split(line)
    assert bar == "|"
    command = [sys.executable, script]
    done = subprocess.run(
        command, input=payload, cwd=examples / "code-judge", capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"score": 0, "misses": ["There is no block with SQL in the answer."]}


def test_the_payload_is_described() -> None:
    """Every key that the command gets, and no other."""
    keys = [words(row[0])[0] for row in table("code-judges.md", "| key | value |")]
    payload = payload_of(CodeJudge(name="a", script="a"), EvalCase(id="a"), Answer(""))
    assert sorted(keys) == sorted(payload)


HALF = '{"score": 0.5}'
SAID = {
    ("a JSON object with `score`, and nothing else", "any status"): [(HALF, 0, "0.5"), (HALF, 3, "0.5")],
    ("other text and then such an object", "0"): [(f"log\n{HALF}\n", 0, "0.5")],
    ("other text with such an object in it", "another status"): [(f"log\n{HALF}\n", 3, "0")],
    ("nothing, or plain text", "0"): [("fine", 0, "1"), ("", 0, "1")],
    ("nothing, or plain text", "another status"): [("broken", 3, "0"), ("", 3, "0")],
    ("a JSON object or list without a `score`", "any status"): [
        *[(printed, status, "error") for printed in ('{"hits": []}', "[]") for status in (0, 3)],
    ],
    ("a `score` that is not a number from 0 to 1", "any status"): [
        *[(f'{{"score": {score}}}', status, "error") for score in ("2", "-1", '"1"', "null") for status in (0, 3)],
    ],
    (
        "text that starts like JSON and is not to its end: `{`, or `[` and a JSON value; `[INFO] ok` is plain text",
        "any status",
    ): [
        *[(printed, status, "error") for printed in ("{", '{"misses": ["wro', f"{HALF} ok") for status in (0, 3)],
        ("[INFO] ok", 0, "1"),
    ],
    ("a `score:` that is not in JSON, such as `{ score: 0.2 }` or `score: 0.2`", "any status"): [
        *[(printed, status, "error") for printed in ("{ score: 0.2 }", "score: 0.2") for status in (0, 3)],
    ],
    ("a usage message (a line that starts with `usage:`)", "2"): [("usage: judge FILE", 2, "error")],
    ("anything", "129 to 159"): [(printed, status, "error") for printed in ("", HALF) for status in (129, 137, 159)],
    ("anything", "126, 127"): [(printed, status, "error") for printed in ("", HALF) for status in (126, 127)],
    ("bytes that are not UTF-8, a byte order mark, null characters", "any status"): [
        *[(printed, status, "error") for printed in ('\ufeff{"score": 1}', "o\0k\0") for status in (0, 3)],
    ],
}
"""What a command prints, how it ends, and the score; by the first two cells of a row."""


@pytest.mark.slow
@pytest.mark.asyncio
async def test_every_row_about_what_a_command_says_is_true() -> None:
    """Each is tried with a real command."""
    rows = {(row[0], row[1]): row[2] for row in table("code-judges.md", "| it prints | it ends with | result |")}
    assert rows.keys() == SAID.keys()
    for printed, status, expected in (each for tried in SAID.values() for each in tried):
        script = (
            sys.executable,
            "-c",
            f"import sys; sys.stdout.buffer.write({printed.encode()!r}); sys.exit({status})",
        )
        result = await run_code_judge(CodeJudge(name="a", script=script), EvalCase(id="a"), Answer(""), time_limit=60)
        found = "error" if result.error else f"{float(result.score or 0):g}"
        assert found == expected, (printed, status)


# Judges and targets

VARIABLES = {
    name: f"value-of-{name}"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "VLLM_KEY", "AZURE_DEPLOYMENT_NAME")
} | {"AZURE_OPENAI_ENDPOINT": "https://my-resource.openai.azure.com", "AZURE_OPENAI_API_KEY": "value-of-a-key"}


@pytest.mark.parametrize("block", blocks("judges.md", "toml"), ids=lambda block: block.text.split("\n", 1)[0])
def test_every_configuration_on_the_page_can_be_used(block: object, tmp_path: Path) -> None:
    """Nothing in it is wrong, and every judge and target of it can be made. Nobody is asked."""
    (tmp_path / "rubric.toml").write_text(block.text)  # type: ignore[attr-defined]
    loaded = load_config(tmp_path)
    assert loaded.problems == ()
    targets = Targets(str(tmp_path / "some.eval.yaml"), loaded.config, VARIABLES)
    for name in (*loaded.config.judges, *loaded.config.targets):
        assert targets.judge_named(name).identity.name == name
    for name in targets.names:
        targets.provider_for(name)
    if loaded.config.judge:
        targets.judge_named(loaded.config.judge)
    asyncio.run(targets.close())


def test_the_targets_file_on_the_page_can_be_used(tmp_path: Path) -> None:
    """Its targets are made, and the judge of the first is the second."""
    (tmp_path / ".agentv").mkdir()
    (tmp_path / ".agentv" / "targets.yaml").write_text(blocks("judges.md", "yaml")[0].text)
    targets = Targets(str(tmp_path / "some.eval.yaml"), environment=VARIABLES)
    assert targets.names == ("my-agent", "azure")
    assert targets.provider_for("my-agent").kind == "cli"
    case = EvalCase(id="a", target="my-agent")
    assert targets.judge_for(None, case).identity.name == "azure"
    asyncio.run(targets.close())


def test_the_variables_on_the_page_are_read() -> None:
    """Comments and quotes are no part of the values."""
    read = parse_dotenv(next(block.text for block in blocks("judges.md", "text") if block.text.startswith("# .env")))
    assert read == {"AZURE_OPENAI_ENDPOINT": "https://my-resource.openai.azure.com", "AZURE_OPENAI_API_KEY": "..."}


def test_the_order_of_judges_is_true(tmp_path: Path) -> None:
    """Each of the five steps counts once the one before it is missing."""
    (tmp_path / "rubric.toml").write_text(
        'judge = "openai:configured"\n[targets.answers]\nprovider = "openai"\nmodel = "a"\n'
        'judge_target = "openai:of-the-target"\n[judges.named]\nprovider = "openai"\nmodel = "own"\n'
    )
    targets = Targets(str(tmp_path / "some.eval.yaml"), environment=VARIABLES)
    evaluator, answered = LlmJudge(name="a", target="named", model="other"), EvalCase(id="a", target="answers")
    assert targets.judge_for("openai:asked-for", answered, evaluator).identity.model == "asked-for"
    assert targets.judge_for(None, answered, evaluator).identity.model == "other"
    assert targets.judge_for(None, answered, None).identity.model == "of-the-target"
    assert targets.judge_for(None, EvalCase(id="a"), LlmJudge(name="a")).identity.model == "configured"
    asyncio.run(targets.close())


def test_the_table_of_waiting_is_true() -> None:
    """Its numbers are the defaults of the settings that it names."""
    default = {setting.name: setting.default for setting in KINDS[0].settings}
    rows = {tuple(words(row[2])): row[1] for row in table("judges.md", "| what | how long or how often | setting |")}
    first, longest = default["retry_initial_delay_ms"] / 1000, default["retry_max_delay_ms"] / 1000
    growth = f"each {default['retry_backoff_factor']:g} times as long as the one before"
    assert rows == {
        ("connect_timeout",): f"{default['connect_timeout']:g} s",
        ("timeout",): f"{default['timeout']:g} s, not retried",
        ("max_retries",): f"{default['max_retries']} times",
        ("retry_initial_delay_ms", "retry_backoff_factor", "retry_max_delay_ms"): (
            f"{first:g} s, {growth}, at most {longest:g} s"
        ),
        ("retry_status_codes",): "408, 409, 425, 429 and 5xx, but not 501 and 505",
    }
    assert {*range(500, 600)} - {501, 505} | {408, 409, 425, 429} == RETRIED_STATUSES


def test_the_table_of_structured_output_is_true() -> None:
    """Each provider's ladder, rung by rung."""
    rows = {name: [words(cell)[0] for cell in row[1:]] for row in _ladders() for name in words(row[0])}
    providers = {"openai": openai, "azure": azure, "anthropic": anthropic, "gemini": gemini}
    assert rows == {name: list(provider.DIALECT.structures) for name, provider in providers.items()}


def _ladders() -> list[list[str]]:
    return table("judges.md", "| provider | first | second | last |")


def test_every_provider_has_a_place_on_the_page() -> None:
    """A kind that nobody explains is one that nobody finds."""
    shown = " ".join(block.text for block in blocks("judges.md", "toml", "yaml"))
    assert [kind.name for kind in KINDS if not re.search(rf'provider(: | = "){kind.name}', shown)] == []


# Grading


def test_every_field_of_a_result_is_described() -> None:
    """In the order in which they are written."""
    described = [name for row in table("grading.md", "| field | what it holds |") for name in words(row[0])]
    upstream = Upstream(Decimal(1), Verdict.PASS)
    result = CaseResult("a", other_fields={"tags": []}, threshold=Decimal("0.8"), upstream=upstream)
    assert described == list(to_json(result))


def test_every_format_and_every_status_is_described() -> None:
    """And none that does not exist."""
    assert [words(row[0])[0] for row in table("grading.md", "| `--format` | for |")] == list(RESULT_FORMATS)
    statuses = [int(row[0]) for row in table("grading.md", "| status | meaning |")]
    assert statuses == [output.OK, output.PROBLEMS, output.COULD_NOT_RUN, output.INTERRUPTED]


def test_every_type_of_evaluator_is_described() -> None:
    """Those that are not run are named as such."""
    rows = {tuple(words(row[0])): row[1] for row in table("grading.md", "| evaluator | what happens |")}
    named = {name for names in rows for name in names}
    assert {*EVALUATOR_TYPES} <= named
    passed_over = next(set(names) for names, text in rows.items() if text.startswith("not run"))
    assert passed_over == {*EVALUATOR_TYPES} - {"llm_judge", "rubric", "code_judge"}


def test_every_placeholder_that_is_described_is_filled_in() -> None:
    """With a value of the case, of the answer or of the evaluator's `config`."""
    names = re.findall(r"\{\{ (\w+) \}\}", page("grading.md"))
    assert {"candidate_answer", "question", "reference_answer"} <= {*names}
    prompt = " ".join(f"{{{{ {name} }}}}" for name in [*names, "own"])
    evaluator = LlmJudge(name="a", prompt=prompt, config={"own": "my value"})
    asked = free_form_question(EvalCase(id="a", expected_outcome="It works"), evaluator, "The answer").prompt.user
    assert "{{" not in asked
    assert "my value" in asked


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("grading.md", f"the default is {DEFAULT_CONCURRENCY}."),
        ("grading.md", f"The time limit of a code judge ({DEFAULT_TIME_LIMIT:g} seconds)"),
        ("code-judges.md", f"has {DEFAULT_TIME_LIMIT:g} seconds and may print {OUTPUT_LIMIT >> 20} MiB"),
        ("judges.md", f"with {DEFAULT_ATTEMPTS} attempts in total"),
        ("judges.md", f"Values of fewer than {SHORTEST_SECRET} characters"),
    ],
)
def test_a_number_on_a_page_is_that_of_the_code(name: str, sentence: str) -> None:
    """Whoever changes one is told to change the other."""
    assert sentence in " ".join(page(name).split())


@pytest.mark.parametrize("name", PAGES)
def test_every_link_to_a_heading_leads_somewhere(name: str) -> None:
    """A link into a page names one of its headings."""
    folder = ROOT if name == "README.md" else DOCS
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page(name)):
        text = (folder / target).read_text(encoding="utf-8") if target else page(name)
        assert anchor in anchors(text), f"{target}#{anchor}"
