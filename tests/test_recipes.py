"""The recipes of docs/architecture.md, each followed in a copy of the project: what they say is enough."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from dialect_suites import MISSING
from jsonschema import Draft202012Validator
from raw_client import RawClient
from waiting import TIMEOUT

from rubric_core.rules.rule import Subject

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

SUITE = """\
evalcases:
  - id: port
    expected_outcome: Names the port of the service
    input_messages:
      - role: user
        content: Which port?
    rubrics:
      - Names port 8080
      - id: reason
        expected_outcome: Says why the port was chosen
        required: false
      - id: depth
        required_min_score: 5
        score_ranges:
          0: Nothing about the service
          5: Names the service
    execution:
      evaluators:
        - name: prompt
          type: llm_judge
          prompt: ./judge.md
    scorecard:
      skill: ports
"""
WRONG = """\
# rubric: ignore[RB404]
evalcases:
  - id: port
    expected_outcome: Names the port
    input_messages: [{role: user, content: Which port?}]
    unknown_key: 1
    rubrics:
      - id: depth
        required_min_score: 3
        score_ranges:
          - {score_range: [0, 4], expected_outcome: Bad}
          - {score_range: [6, 10], expected_outcome: Bad}
      - TODO
"""
WITH_VARS = """\
prompts: ["{{ question }}"]
tests:
  - {id: port, vars: {question: Which port?}, assert: [Names port 8080]}
"""
OWNED = """\
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    toy_owner: Ann
    assert: [{type: contains, value: "8080"}]
"""
BROKEN = """\
evalcases:
  - id: "open
"""
ONE_CASE = "evalcases:\n  - {id: a, expected_outcome: Names the port, input: Which port?}\n"
REPLY = {"score": 1, "hits": ["It names the port."], "misses": [], "reasoning": "It does."}
JUDGED = json.dumps({"a": REPLY})
# What a rule of each subject points at. The rules of a configuration report where it is read, so they have no check.
PLACES = {
    Subject.SYNTAX: "[subject.span]",
    Subject.FILE: "[document[0].pair.span for document in subject.documents]",
    Subject.PROMPTS: "[document[0].pair.span for document in subject.documents]",
    Subject.RECORD: "[subject.mapping]",
    Subject.CASE: "[subject.node]",
    Subject.CRITERIA: "[subject.pair]",
    Subject.KEYED: "[subject.pair]",
    Subject.WORDLESS: "[subject.pair]",
    Subject.REQUIRED: "[subject.node]",
    Subject.GATE: "[subject.node]",
    Subject.RANGES: "[subject.node]",
    Subject.TEXTS: "[subject.node]",
    Subject.COVERAGE: "[subject.node]",
    Subject.EVALUATORS: "[subject.pair]",
    Subject.EVALUATOR: "[subject.node]",
    Subject.MESSAGE: "[subject.node]",
    Subject.SCORECARD: "[subject.node]",
    Subject.REFERENCES: "[file.node for file in subject.files]",
    Subject.SUPPRESSIONS: "[use.span for use in subject.unused]",
}
# These are called only where something is wrong.
CALLED_FOR_PROBLEMS = {
    Subject.SYNTAX,
    Subject.RECORD,
    Subject.WORDLESS,
    Subject.GATE,
    Subject.TEXTS,
    Subject.COVERAGE,
    Subject.SUPPRESSIONS,
}

RULE = '''\
"""A toy."""

from rubric_core.rules.rule import Rule, Severity, Subject


def check(subject, _context):
    for place in PLACES:
        yield RULE.at(place, "Seen.")


RULE = Rule("CODE", "NAME", Severity.WARNING, Subject.SUBJECT, check)
'''


class Copy:
    """A copy of the project that a newcomer changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        # With the compiled files, which are as old as their sources say: compiling everything again takes seconds.
        for name in ("rubric_core", "server"):
            shutil.copytree(ROOT / name, folder / name)
        paths = os.pathsep.join([str(folder), str(folder / "server")])
        shown = {"PYTHONPATH": paths, "NO_COLOR": "1"}
        # Where compiled files are not written, the second process of a test would compile everything again.
        self.environment = {**os.environ, **shown, "PYTHONDONTWRITEBYTECODE": ""}

    def write(self, path: str, text: str) -> None:
        """Write a new file."""
        (self.folder / path).parent.mkdir(exist_ok=True)
        (self.folder / path).write_text(text)

    def insert(self, path: str, line: str, *, after: str) -> None:
        """Insert a line behind the only line that starts with these words."""
        text = (self.folder / path).read_text()
        found = re.findall(rf"^{re.escape(after)}.*\n", text, re.MULTILINE)
        assert len(found) == 1, (path, after, found)
        (self.folder / path).write_text(text.replace(found[0], f"{found[0]}{line}\n"))

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace a text that is there once."""
        text = (self.folder / path).read_text()
        assert text.count(old) == 1, (path, old)
        (self.folder / path).write_text(text.replace(old, new))

    def script(self, text: str) -> str:
        """Return what a Python script prints in the work folder."""
        ran = self._python("-c", text)
        assert not ran.returncode, ran.stderr
        return ran.stdout

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `rubric` in the work folder."""
        return self._python("-m", "rubric_core", *arguments)

    def _python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.work,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    def codes(self, file: str) -> set[str]:
        """Return the codes of what `rubric check` finds in a file."""
        ran = self.run("check", file, "--format", "jsonl")
        assert not ran.stderr, ran.stderr
        return {json.loads(line)["code"] for line in ran.stdout.splitlines()}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """A copy with files to work on."""
    made = Copy(tmp_path)
    (made.work / "suite.eval.yaml").write_text(SUITE)
    (made.work / "wrong.eval.yaml").write_text(WRONG)
    (made.work / "broken.eval.yaml").write_text(BROKEN)
    (made.work / "answer.txt").write_text("8080")
    return made


def test_a_rule_of_every_subject(copy: Copy) -> None:
    """A file in `rules/`, a line in `rules/registry.py`; those about what is right are called where all is right."""
    codes = {subject: f"RB8{number:02}" for number, subject in enumerate(PLACES)}
    assert {subject.name for subject in Subject} - {subject.name for subject in PLACES} == {"CONFIGURATION"}
    for subject, place in PLACES.items():
        name = f"toy_{subject.name.lower()}"
        text = RULE.replace("PLACES", place).replace("Subject.SUBJECT", f"Subject.{subject.name}")
        copy.write(f"rubric_core/rules/{name}.py", text.replace("CODE", codes[subject]).replace("NAME", name))
        copy.insert("rubric_core/rules/registry.py", f'    "{name}",', after="_FILES = (")
    (copy.work / "vars.eval.yaml").write_text(WITH_VARS)
    of_sound = copy.codes("suite.eval.yaml") | copy.codes("vars.eval.yaml")
    assert codes.keys() - CALLED_FOR_PROBLEMS == {subject for subject, code in codes.items() if code in of_sound}
    found = copy.codes("wrong.eval.yaml") | copy.codes("broken.eval.yaml")
    assert {codes[subject] for subject in CALLED_FOR_PROBLEMS} <= found


def test_a_rule_of_one_dialect(copy: Copy) -> None:
    """A file in the `rules` of the dialect, and its name in the list there; other dialects do not run it."""
    text = RULE.replace("PLACES", "[subject.node]").replace("SUBJECT", "CASE").replace("CODE", "RB799")
    copy.write("rubric_core/dialects/agentv_5/rules/toy.py", text.replace("NAME", "toy"))
    copy.insert("rubric_core/dialects/agentv_5/rules/__init__.py", '    "toy",', after='    "agentv_5.rules",')
    (copy.work / "vars.eval.yaml").write_text(WITH_VARS)
    assert "RB799" in copy.codes("vars.eval.yaml")
    assert "RB799" not in copy.codes("suite.eval.yaml")
    assert "RB799" in copy.run("rules").stdout


def test_a_field(copy: Copy) -> None:
    """A line in `dialects/agentv/records.py`: it is checked, in the schema, in the models, and in the results."""
    field = '        Field("toy_labels", FieldType.SEQUENCE, "Labels of the case.", items=FieldType.STRING),'
    copy.insert("rubric_core/dialects/agentv/records.py", field, after='        Field.text("note"')
    (copy.work / "labels.eval.yaml").write_text(
        "evalcases:\n"
        "  - {id: a, expected_outcome: Names the port, input: Which port?, toy_labels: [fast, small]}\n"
        "  - {id: b, expected_outcome: Names the port, input: Which port?, toy_labels: 5}\n"
    )
    assert copy.codes("labels.eval.yaml") == {"RB004"}
    assert "Labels of the case." in copy.run("schema").stdout
    printed = copy.script("from rubric_core import load; print(load('labels.eval.yaml').cases[0].other_fields)")
    assert printed == "{'toy_labels': ['fast', 'small']}\n"
    (copy.work / "judged.json").write_text(JUDGED)
    options = ("--case", "a", "--answer", "answer.txt", "--judge", "replay:judged.json", "--format", "jsonl")
    graded = copy.run("grade", "labels.eval.yaml", *options)
    assert json.loads(graded.stdout)["other_fields"] == {"toy_labels": ["fast", "small"]}, graded.stderr


@pytest.mark.skipif("promptfoo" in MISSING, reason="promptfoo is not there")
def test_a_field_of_promptfoo_and_its_new_name(copy: Copy) -> None:
    """A line in its table; an old name is read, with a hint, and results have the new one."""
    table = "rubric_core/dialects/promptfoo/table.py"
    old = '    Field.text("toy_owner", "Who answers."),'
    copy.insert(table, old, after="_CASE_FIELDS: tuple[Field, ...] = (")
    (copy.work / "promptfooconfig.yaml").write_text(OWNED)
    options = ("promptfooconfig.yaml", "--answer", "answer.txt", "--format", "jsonl")
    assert copy.codes("promptfooconfig.yaml") == set()
    assert json.loads(copy.run("grade", *options).stdout)["other_fields"]["toy_owner"] == "Ann"
    new = '    Field.text("toy_maintainer", "Who answers.", aliases=Aliases(deprecated=("toy_owner",))),'
    copy.replace(table, old, new)
    copy.insert(table, "from rubric_core.schema.fields import Aliases", after="from dataclasses import replace")
    assert copy.codes("promptfooconfig.yaml") == {"RB006"}
    assert json.loads(copy.run("grade", *options).stdout)["other_fields"]["toy_maintainer"] == "Ann"
    properties = json.loads(copy.run("schema", "--dialect", "promptfoo").stdout)["$defs"]["case"]["properties"]
    assert properties["toy_owner"]["deprecated"] is True


def test_a_field_with_an_attribute(copy: Copy) -> None:
    """A line in the table, in `EvalCase` and in `CaseResult`: models and results have it by its name."""
    copy.insert(
        "rubric_core/dialects/agentv/records.py",
        '        Field.text("toy_owner", "Who answers."),',
        after='        Field.text("note"',
    )
    copy.insert("rubric_core/model/suite.py", "    toy_owner: str | None = None", after="    question: str | None")
    line = '    toy_owner: str | None = field(default=None, metadata={OF_CASE: "toy_owner"})'
    copy.insert("rubric_core/grading/results.py", line, after='    timestamp: str = ""')
    (copy.work / "a.eval.yaml").write_text(ONE_CASE.replace("}", ", toy_owner: Ann}"))
    (copy.work / "judged.json").write_text(JUDGED)
    options = ("--answer", "answer.txt", "--judge", "replay:judged.json", "--format", "jsonl")
    graded = copy.run("grade", "a.eval.yaml", *options)
    result = json.loads(graded.stdout)
    assert (result["toy_owner"], "other_fields" in result) == ("Ann", False), graded.stderr
    (copy.work / "result.jsonl").write_text(graded.stdout)
    assert json.loads(copy.run("report", "result.jsonl", "--format", "jsonl").stdout) == result


CRITERION_FIELD = """\
        Field.text("toy_source", "Where it is written."),
        Field.flag(
            "required",
            "Whether failing this criterion fails the case."""
SOURCED = """\
evalcases:
  - id: a
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - {id: port, expected_outcome: Names port 8080, toy_source: page 12}
"""
ASKED = """
import asyncio

from rubric_core import grade, load
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.result_json import json_line
from rubric_core.report.results.formats import render


class Judge:
    identity = JudgeIdentity("toy", "toy")
    can_repair = is_recorded = False
    memory_key = None

    async def judge(self, question, earlier=()):
        assert ("page 12" in question.prompt.user) is IS_JUDGED
        return Completion('{"checks": [{"id": "port", "satisfied": true}]}')


result = asyncio.run(grade(load("a.eval.yaml").cases[0], "8080", Judge()))
print(render("text", [result]) if IS_JUDGED else json_line(result))
"""


def test_a_field_of_a_criterion(copy: Copy) -> None:
    """A line in the table: models and results have it. One line each: to judge by it, to show it, for an attribute."""
    records = "rubric_core/dialects/agentv/records.py"
    copy.replace(records, CRITERION_FIELD.split("\n", 1)[1], CRITERION_FIELD)
    (copy.work / "a.eval.yaml").write_text(SOURCED)
    result = json.loads(copy.script(ASKED.replace("IS_JUDGED", "False")))
    assert result["criteria"][0]["other_fields"] == {"toy_source": "page 12"}
    attribute = "    toy_source: str | None = None"
    copy.insert("rubric_core/model/criteria.py", attribute, after="    operator: Literal")
    copy.replace("rubric_core/scoring/rubrics.py", "\n    bands: ", f"\n{attribute}\n    bands: ")
    line = '{% set label = label ~ " (" ~ criterion.toy_source ~ ")" if criterion.toy_source else label %}'
    copy.insert("rubric_core/grading/prompts/rubric.jinja", line, after="{% set label = ")
    words = '        return f"as {criterion.toy_source} wants" if criterion.satisfied else "not met"'
    copy.replace(
        "rubric_core/report/results/wording.py",
        '        return "met" if criterion.satisfied else "not met"',
        words,
    )
    assert "as page 12 wants" in copy.script(ASKED.replace("IS_JUDGED", "True"))


DIALECT = '''\
"""A toy: the questions of a quiz."""

from rubric_core.schema.fields import Field, FieldType, Record, Role, ValueLimits
from rubric_core.schema.table import Table

TEXT, LIST = FieldType.STRING, FieldType.SEQUENCE
SUITE = Record(
    "suite",
    "A quiz.",
    (
        Field("title", TEXT, "What the quiz is about."),
        Field("questions", LIST, "The questions.", record="case", items=FieldType.MAPPING),
    ),
)
CASE = Record(
    "case",
    "A question of the quiz.",
    (
        Field("id", TEXT, "The name of the question.", required=True),
        Field("ask", TEXT, "What is asked.", required=True, role=Role.INPUT),
        Field("goal", TEXT, "What a good answer does.", role=Role.TEXT),
        Field("level", FieldType.INTEGER, "How hard the question is.", limits=ValueLimits(1, 5)),
        Field("points", LIST, "What counts.", record="criterion", items=TEXT | FieldType.MAPPING, role=Role.CRITERIA),
    ),
)
CRITERION = Record(
    "criterion",
    "One thing that counts.",
    (
        Field("text", TEXT, "What the answer must have.", role=Role.TEXT),
        Field("weight", FieldType.NUMBER, "How much it counts.", limits=ValueLimits(0)),
        Field("bonus", FieldType.BOOLEAN, "Whether it is extra."),
    ),
)
TABLE = Table({record.name: record for record in (SUITE, CASE, CRITERION)})
'''
DIALECT_PACKAGE = '''\
"""A toy: the questions of a quiz."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import Marks

DIALECT = Dialect(
    "toy",
    "Toy",
    "The questions of a quiz.",
    case_lists=("questions",),
    parts={"table": "toy.table:TABLE"},
    marks=Marks(suite=frozenset({"questions"})),
)
'''
QUIZ = """\
title: Ports
questions:
  - id: port
    ask: Which port?
    goal: Names the port
    level: 3
    points:
      - Names port 8080
      - {text: Says why the port was chosen, weight: 2}
"""
WRONG_QUIZ = """\
title: Ports
questions:
  - id: port
    ask: Which port?
    levle: 3
    points:
      - {text: Names port 8080, bonus: maybe}
      - {weight: -1, bonus: true}
"""


def test_a_dialect(copy: Copy) -> None:
    """A folder with a table of ten keys, and a line: they are checked, completed, explained and in the JSON Schema."""
    copy.write("rubric_core/dialects/toy/table.py", DIALECT)
    copy.write("rubric_core/dialects/toy/__init__.py", DIALECT_PACKAGE)
    copy.insert("rubric_core/dialects/registry.py", '    "toy",', after='    "agentv_5",')
    (copy.work / "quiz.eval.yaml").write_text(QUIZ)
    (copy.work / "wrong-quiz.eval.yaml").write_text(WRONG_QUIZ)
    assert copy.codes("quiz.eval.yaml") == set()
    # Unknown key, wrong type, a criterion without text, a weight below 0.
    assert copy.codes("wrong-quiz.eval.yaml") == {"RB003", "RB004", "RB201", "RB204"}
    (copy.work / "newest.eval.yaml").write_text(
        'requires: {agentv: ">=5.1"}\ntests: [{id: a, criteria: Names the port}]\n'
    )
    assert "quiz.eval.yaml: toy because of the key `questions`" in copy.run("check", "--explain-dialect").stdout
    assert "newest.eval.yaml: agentv-5 " in copy.run("check", "--explain-dialect").stdout
    schema = json.loads(copy.run("schema", "--dialect", "toy").stdout)
    assert schema["$defs"]["case"]["properties"].keys() == {"id", "ask", "goal", "level", "points"}
    with closing(Session(copy, "quiz.eval.yaml", QUIZ)) as session:
        level = {"line": 5, "character": 6}
        assert "How hard the question is." in str(session.ask("textDocument/hover", position=level))
        assert "port" in str(session.ask("textDocument/documentSymbol"))
        for method in ("textDocument/inlayHint", "textDocument/codeAction"):
            # Features that are made for criteria with gates and score ranges do without them.
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
            session.ask(method, range=whole, context={"diagnostics": []})
        text = QUIZ.replace("    level: 3\n", "    \n")
        session.client.change(session.uri, 2, {"text": text})
        offered = session.ask("textDocument/completion", position={"line": 5, "character": 4})
        items = offered["items"] if isinstance(offered, dict) else offered
        assert "level" in [item["label"] for item in items]


QUIZ_GRADER = """\
from fractions import Fraction

from rubric_core.grading.grader import CaseScore, DefaultGrader
from rubric_core.scoring.grades import Verdict


class QuizGrader(DefaultGrader):
    def case_score(self, _written, results, _threshold, _marks, /):
        is_right = all(result.score == 1 for result in results)
        return CaseScore(Fraction(is_right), Verdict.PASS if is_right else Verdict.FAIL)


GRADER = QuizGrader()
"""
QUIZ_RULES = """\
from rubric_core.rules.registry import DialectRules, in_folder

RULES = DialectRules(in_folder("toy.rules", "toy"))
"""
QUIZ_MIGRATION = """\
from rubric_core.dialects.parts import Migration
from rubric_core.migration.places import CASE, CRITERION, SUITE
from rubric_core.migration.steps import renames

STEPS = (
    (
        renames((SUITE,), ("questions",), "evalcases"),
        renames((CASE,), ("goal",), "expected_outcome"),
        renames((CASE,), ("points",), "rubrics"),
        renames((CRITERION,), ("text",), "expected_outcome"),
    ),
)
MIGRATIONS = (Migration("toy", "agentv-2", "toy.migration:STEPS"),)
"""
PARTS = """\
    parts={
        "table": "toy.table:TABLE",
        "rules": "toy.rules:RULES",
        "grader": "toy.grader:GRADER",
        "migrations": "toy.migration:MIGRATIONS",
    },
"""
HALF_RIGHT = {
    "port": {
        "checks": [
            {"id": "rubric-1", "reasoning": "It does.", "satisfied": True},
            {"id": "rubric-2", "reasoning": "It does not.", "satisfied": False},
        ]
    }
}


def test_the_parts_of_a_dialect(copy: Copy) -> None:
    """With the table alone it is graded, and in its JSON Schema; a part is a file, and a line in `__init__.py`."""
    folder = "rubric_core/dialects/toy"
    copy.write(f"{folder}/table.py", DIALECT)
    copy.write(f"{folder}/__init__.py", DIALECT_PACKAGE)
    copy.insert("rubric_core/dialects/registry.py", '    "toy",', after='    "agentv_5",')
    (copy.work / "quiz.eval.yaml").write_text(QUIZ)
    (copy.work / "judged.json").write_text(json.dumps(HALF_RIGHT))
    options = ("quiz.eval.yaml", "--answer", "answer.txt", "--judge", "replay:judged.json", "--format", "jsonl")
    by_default = copy.run("grade", *options)
    assert by_default.stdout, by_default.stderr
    # The point of weight 1 holds, the one of weight 2 does not.
    assert json.loads(by_default.stdout)["score_exact"] == "1/3"
    Draft202012Validator.check_schema(json.loads(copy.run("schema", "--dialect", "toy").stdout))
    copy.replace(f"{folder}/__init__.py", '    parts={"table": "toy.table:TABLE"},\n', PARTS)
    copy.write(f"{folder}/grader.py", QUIZ_GRADER)
    copy.write(f"{folder}/migration.py", QUIZ_MIGRATION)
    copy.write(f"{folder}/rules/__init__.py", QUIZ_RULES)
    rule = RULE.replace("PLACES", "[subject.node]").replace("SUBJECT", "CASE").replace("CODE", "RB799")
    copy.write(f"{folder}/rules/toy.py", rule.replace("NAME", "toy"))
    assert copy.codes("quiz.eval.yaml") == {"RB799"}
    assert "RB799" not in copy.codes("suite.eval.yaml")
    assert json.loads(copy.run("grade", *options).stdout)["score_exact"] == "0"
    migrated = copy.run("migrate", "--to", "agentv-2", "quiz.eval.yaml")
    assert copy.run("check", "--explain-dialect", "quiz.eval.yaml").stdout.startswith("quiz.eval.yaml: agentv-2 ")
    assert "expected_outcome: Names the port" in (copy.work / "quiz.eval.yaml").read_text(), migrated.stderr


FORMAT = """\
def render(*_reported):
    return "seen\\n"
"""
REPORTS = (
    ("check", "suite.eval.yaml"),
    ("check", "suite.eval.yaml", "--statistics"),
    ("grade", "a.eval.yaml", "--answer", "answer.txt", "--judge", "replay:judged.json"),
    ("compare", "latest", "latest"),
    ("rank", "latest"),
    ("history",),
    ("agreement",),
    ("rules",),
)


def test_a_format_of_every_report(copy: Copy) -> None:
    """A file in `report/writers` and a line in each table of `formats.py`; a family names the formats that it has."""
    (copy.work / "a.eval.yaml").write_text(ONE_CASE)
    (copy.work / "judged.json").write_text(JUDGED)
    copy.write("rubric_core/report/writers/toy.py", FORMAT)
    formats = "rubric_core/report/formats.py"
    for table in ("CHECK_FORMATS", "RESULT_FORMATS", "WRITERS"):
        copy.insert(formats, '    "toy": Format("rubric_core.report.writers.toy"),', after=f"{table} = {{")
    copy.write(formats, (copy.folder / formats).read_text().replace('"text", "json"', '"toy", "text", "json"'))
    for arguments in REPORTS:
        ran = copy.run(*arguments, "--format", "toy")
        assert ran.stdout == "seen\n", (arguments, ran.stderr)


def test_a_column_of_a_report(copy: Copy) -> None:
    """A line in the columns of its family, which every format then has."""
    (copy.work / "a.eval.yaml").write_text(ONE_CASE)
    (copy.work / "judged.json").write_text(JUDGED)
    copy.run(*REPORTS[2])
    line = '_PLACE = (*_PLACE, Column("length", "name", len))'
    copy.insert("rubric_core/report/families/ranking.py", line, after="_PLACE, _REMARK =")
    assert copy.run("rank", "latest").stdout.splitlines()[0].split() == ["place", "case", "length", "score", "verdict"]
    assert "| 1 | a | 1 | 1 | pass |" in copy.run("rank", "latest", "--format", "markdown").stdout


class Session:
    """A client of the copy's server with one open file."""

    def __init__(self, copy: Copy, name: str = "suite.eval.yaml", text: str = SUITE) -> None:
        self.client = RawClient.start([sys.executable, "-m", "rubric_server.main"], copy.environment, copy.work)
        self.uri = (copy.work / name).as_uri()
        literal = {"codeActionKind": {"valueSet": ["", "quickfix", "refactor", "refactor.rewrite"]}}
        self.can = self.client.initialize(
            {"textDocument": {"codeAction": {"codeActionLiteralSupport": literal}}}, rootUri=copy.work.as_uri()
        )["capabilities"]
        self.client.open(self.uri, text)

    def ask(self, method: str, **others: Any) -> Any:
        """Ask about the open file."""
        return self.client.ask(method, {"textDocument": {"uri": self.uri}, **others})

    def close(self) -> None:
        """End the session."""
        self.client.close()


REQUEST = '''\
"""`textDocument/documentColor`: a toy."""

from lsprotocol import types


def document_color(server, params):
    document = server.documents.get(params.text_document.uri)
    place = types.Position(0, 0)
    return [types.ColorInformation(types.Range(place, place), types.Color(1, 0, 0, 1))] if document else None
'''


def test_a_request_of_the_protocol(copy: Copy) -> None:
    """A file in `features/`, a row in `REQUESTS`; the client is told that it can be asked."""
    copy.write("server/rubric_server/features/document_color.py", REQUEST)
    row = '    Feature(types.TEXT_DOCUMENT_DOCUMENT_COLOR, "document_color:document_color", {"color_provider": True}),'
    copy.insert("server/rubric_server/app.py", row, after="REQUESTS = (")
    with closing(Session(copy)) as session:
        assert session.can["colorProvider"] is True
        assert session.ask("textDocument/documentColor")[0]["color"]["red"] == 1


REFACTOR = '''\
"""A toy."""

from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.spans import Edit


def propose(cursor):
    node = cursor.criterion.node if cursor.criterion is not None else None
    if not isinstance(node, Scalar) or not node.is_plain:
        return None
    edit = Edit(node.start, node.end, f'"{node.value}"')
    return RefactorProposal("Write the criterion in quotes", cursor.absolute([edit]))


REFACTOR = Refactor("toy", propose)
'''


def test_a_refactor(copy: Copy) -> None:
    """A file in `assist/refactors/` and a row in its table: the editor offers it."""
    copy.write("rubric_core/assist/refactors/toy.py", REFACTOR)
    copy.insert(
        "rubric_core/assist/refactors/registry.py", "    toy,", after="from rubric_core.assist.refactors import ("
    )
    copy.insert("rubric_core/assist/refactors/registry.py", "    toy.REFACTOR,", after="REFACTORS = (")
    place = {"line": 7, "character": 10}
    with closing(Session(copy)) as session:
        offered = session.ask(
            "textDocument/codeAction", range={"start": place, "end": place}, context={"diagnostics": []}
        )
    assert "Write the criterion in quotes" in [action["title"] for action in offered]


ANSWERING = '''\
"""A toy."""

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.providers.provider import Completion


class Toy:
    %s

    async def %s:
        return Completion(%r)

    async def close(self):
        pass
'''
PROVIDER = ANSWERING % (
    'kind, model, parameters = "toy", None, {}\n\n    def __init__(self, definition):\n        pass',
    "complete(self, call)",
    json.dumps(REPLY),
)
JUDGE = ANSWERING % (
    'identity, can_repair, is_recorded, memory_key = JudgeIdentity("toy", "toy"), False, False, None',
    "judge(self, question, earlier=())",
    json.dumps(REPLY),
)


def test_a_provider(copy: Copy) -> None:
    """A class with the members of `provider.py`, a row in `registry.py`: a judge of that kind grades."""
    copy.write("rubric_core/grading/providers/toy.py", PROVIDER)
    registry = "rubric_core/grading/providers/registry.py"
    row = '    ProviderKind("toy", "A toy.", (), "toy.Toy"),'
    copy.insert(registry, row, after="KINDS: tuple[ProviderKind, ...] = (")
    (copy.work / "rubric.toml").write_text('judge = "mine"\n[judges.mine]\nprovider = "toy"\n')
    assert_passes(copy)


def test_a_judge(copy: Copy) -> None:
    """A class with the members of `judge.py`, a row in `JUDGES`: it can be named and grades."""
    copy.write("rubric_core/grading/judges/toy.py", JUDGE)
    targets = "rubric_core/grading/targets/targets.py"
    line = "from rubric_core.grading.judges.toy import Toy"
    copy.insert(targets, line, after="from rubric_core.grading.judges.judge import Judge")
    copy.insert(targets, 'JUDGES["toy"] = Toy', after="JUDGES: dict[str, Callable[[], Judge]] = {")
    assert_passes(copy, "--judge", "toy")
    assert "toy" in copy.run("grade", "a.eval.yaml", "--answer", "answer.txt", "--judge", "toyy").stderr


def assert_passes(copy: Copy, *options: str) -> None:
    """Assert that grading one case gives the verdict of the toy's reply."""
    (copy.work / "a.eval.yaml").write_text(ONE_CASE)
    graded = copy.run("grade", "a.eval.yaml", "--answer", "answer.txt", "--format", "jsonl", *options)
    assert json.loads(graded.stdout)["verdict"] == "pass", graded.stderr


CHECK = """

def _is_short(config, _case, answer):
    count = len(answer.text)
    return _all_or_nothing(CheckLine(f"It has {count} characters.", holds=count < int(config["value"])))


CHECKS["is-short"] = _is_short
"""
ASSERTED = """\
tests:
  - id: a
    criteria: Names the port
    input: Which port?
    assertions: [{type: is-short, value: "%s"}]
"""


def test_an_assertion_that_needs_no_judge(copy: Copy) -> None:
    """A row in the schema and a function in `CHECKS`: it is checked, completed and graded in AgentV 4 and 5."""
    schema = "rubric_core/dialects/agentv/assertions.py"
    copy.insert(schema, '    "is-short": "The answer is short.",', after="TEXT_TYPES: Mapping[str, str] = {")
    module = copy.folder / "rubric_core/dialects/agentv/checks.py"
    module.write_text(module.read_text() + CHECK)
    verdicts = []
    for limit in ("1", "1000"):
        (copy.work / "a.eval.yaml").write_text(ASSERTED % limit)
        assert not copy.codes("a.eval.yaml")
        graded = copy.run("grade", "a.eval.yaml", "--answer", "answer.txt", "--format", "jsonl")
        assert graded.stdout, graded.stderr
        verdicts.append(json.loads(graded.stdout)["verdict"])
    assert verdicts == ["fail", "pass"]
    (copy.work / "wrong.eval.yaml").write_text(ASSERTED.replace(', value: "%s"', ""))
    assert copy.codes("wrong.eval.yaml") == {"RB005"}
