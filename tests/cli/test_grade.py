"""`rubric grade`: what it grades, with which answers, and what it says."""

from __future__ import annotations

import json
import re
import shutil
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from projects import met, numbered_answers, numbered_cases

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = {"eval_id", "score", "verdict", "error", "criteria", "evaluator_results", "scorecard"}
CRITERION_FIELDS = {"id", "mode", "weight", "gate", "reasoning"}
SCORECARD_FIELDS = {
    *("dimensions", "composite", "deductions", "bonuses"),
    *("final_score", "grade", "label", "history"),
}

MIXED = """\
evalcases:
  - id: port
    expected_outcome: Names the port and why
    input: Which port does HTTPS use?
    rubrics:
      - {id: names-port, expected_outcome: Names port 443}
      - {id: depth, weight: 3, required_min_score: 5, score_ranges: {0: Nothing, 5: Says why}}
    scorecard: {skill: ports, red_flags: [Names a wrong port]}
"""
DIMENSIONS = ("correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency")
CHECKS = {
    "checks": [{"id": "names-port", "satisfied": True, "reasoning": "443 is there."}, {"id": "depth", "score": 6}],
}
CARD = {"dimensions": {name: {"score": 8} for name in DIMENSIONS}, "red_flags": []}


@pytest.fixture
def three(folder: Path) -> Path:
    """Return an eval file with three cases, whose recorded judgements are: met, not met, none."""
    path = folder / "three.eval.yaml"
    path.write_text(numbered_cases(3), encoding="utf-8")
    said = {"case-00": json.loads(met()), "case-01": {"checks": [{"id": "rubric-1", "satisfied": False}]}}
    (folder / "judgements.json").write_text(json.dumps(said), encoding="utf-8")
    (folder / "answers.json").write_text(json.dumps(numbered_answers(3)), encoding="utf-8")
    return path


@pytest.fixture
def mixed(folder: Path) -> Path:
    """Return an eval file with one case that has criteria of both kinds and a scorecard, and its recordings."""
    path = folder / "port.eval.yaml"
    path.write_text(MIXED, encoding="utf-8")
    said = {"port": {"evaluators": {"rubric": CHECKS, "scorecard": CARD}}}
    (folder / "judgements.json").write_text(json.dumps(said), encoding="utf-8")
    (folder / "port.answers.json").write_text('{"port": "443, for TLS."}', encoding="utf-8")
    return path


REPLAYED = ("--judge", "replay:judgements.json")
GIVEN = (*REPLAYED, "--answers", "answers.json")


def graded(result: Any) -> dict[str, tuple[Any, Any, Any]]:
    """Return score, verdict and error of each case from JSON lines."""
    lines = map(json.loads, result.stdout.splitlines())
    return {line["eval_id"]: (line["score"], line["verdict"], line["error"]) for line in lines}


class TestStatus:
    """0 where every case passed, 1 where one did not, 2 where one could not be graded."""

    @pytest.mark.usefixtures("three")
    @pytest.mark.parametrize(
        ("cases", "status", "summary"),
        [
            (["case-00"], 0, "1 case: 1 pass."),
            (["case-01"], 1, "1 case: 1 fail."),
            (["case-02"], 2, "1 case: 1 error."),
            (["case-00", "case-01"], 1, "2 cases: 1 pass, 1 fail; mean score 0.5."),
            ([], 2, "3 cases: 1 pass, 1 fail, 1 error; mean of 2 graded: 0.5."),
        ],
    )
    def test_the_worst_case_decides(self, rubric: Any, cases: list[str], status: int, summary: str) -> None:
        """An error counts more than a failure."""
        result = rubric("grade", *GIVEN, *(word for case in cases for word in ("--case", case)))
        assert (result.exit_code, result.stdout.splitlines()[-1]) == (status, summary)

    def test_borderline_has_not_passed(self, rubric: Any, mixed: Path) -> None:
        """0.7, with every gate passed."""
        result = rubric("grade", mixed, *REPLAYED)
        assert result.exit_code == 1
        assert result.stdout.startswith("borderline  port  0.7")

    def test_a_scorecard_in_error_leaves_the_verdict_and_ends_with_two(
        self, rubric: Any, mixed: Path, folder: Path
    ) -> None:
        """What could not be graded is not passed over."""
        broken = {"port": {"evaluators": {"rubric": CHECKS, "scorecard": {}}}}
        (folder / "judgements.json").write_text(json.dumps(broken), encoding="utf-8")
        result = rubric("grade", mixed, *REPLAYED, "--format", "jsonl")
        assert (result.exit_code, graded(result)["port"]) == (2, (0.7, "borderline", None))


class TestFormats:
    """Standard output has the report, and nothing but the report."""

    def test_json_of_one_case_is_its_object(self, rubric: Any, mixed: Path) -> None:
        """With everything that was judged."""
        told = json.loads(rubric("grade", mixed, *REPLAYED, "--format", "json").stdout)
        assert set(told) >= FIELDS
        assert (told["eval_id"], told["score"], told["verdict"], told["error"]) == ("port", 0.7, "borderline", None)
        first, second = told["criteria"]
        assert set(first) >= {*CRITERION_FIELDS, "satisfied"}
        assert set(second) >= {*CRITERION_FIELDS, "score"}
        assert (first["satisfied"], first["gate"], first["reasoning"]) == (True, "passed", "443 is there.")
        assert (second["score"], second["gate"], second["weight"]) == (6, "passed", 3)
        assert set(told["scorecard"]) >= SCORECARD_FIELDS
        assert (told["scorecard"]["final_score"], told["scorecard"]["grade"]) == (8.0, "B+")
        assert (told["candidate_answer"], told["judge"]["name"]) == ("443, for TLS.", "replay:judgements.json")
        assert len(told["evaluator_results"][0]["prompt_hash"]) == 64

    def test_an_error_has_neither_score_nor_verdict(self, rubric: Any, three: Path) -> None:
        """But all its fields."""
        told = json.loads(rubric("grade", three, *GIVEN, "--case", "case-02", "--format", "json").stdout)
        assert set(told) >= FIELDS
        assert (told["score"], told["score_exact"], told["verdict"]) == (None, None, None)
        assert "holds no judgement for the case case-02" in told["error"]

    def test_json_of_several_cases_has_a_summary(self, rubric: Any, three: Path) -> None:
        """The objects are those of JSON lines."""
        told = json.loads(rubric("grade", three, *GIVEN, "--format", "json").stdout)
        assert [each["eval_id"] for each in told["results"]] == ["case-00", "case-01", "case-02"]
        assert {name: told["summary"][name] for name in ("cases", "pass", "fail", "error")} == {
            "cases": 3,
            "pass": 1,
            "fail": 1,
            "error": 1,
        }

    def test_json_lines_are_one_object_a_line(self, rubric: Any, three: Path) -> None:
        """In the order of the file, however many are judged at once."""
        result = rubric("grade", three, *GIVEN, "--format", "jsonl", "--concurrency", "3")
        assert list(graded(result)) == ["case-00", "case-01", "case-02"]
        assert all(set(json.loads(line)) >= FIELDS for line in result.stdout.splitlines())

    def test_junit_names_what_failed(self, rubric: Any, three: Path) -> None:
        """As test reports do."""
        root = ET.fromstring(rubric("grade", three, *GIVEN, "--format", "junit").stdout)  # noqa: S314 - our own.
        told = {
            case.get("name"): child.tag
            for case in root.iter("testcase")
            for child in case
            if child.tag in {"failure", "error"}
        }
        assert told == {"case-01": "failure", "case-02": "error"}

    @pytest.mark.parametrize(("name", "start"), [("markdown", "#"), ("html", "<!DOCTYPE html>")])
    def test_pages_name_every_case(self, rubric: Any, three: Path, name: str, start: str) -> None:
        """From their first character on."""
        shown = rubric("grade", three, *GIVEN, "--format", name).stdout
        assert shown.startswith(start)
        assert all(f"case-0{number}" in shown for number in range(3))

    @pytest.mark.parametrize("name", ["text", "json", "jsonl", "markdown", "html", "junit"])
    def test_a_report_goes_into_a_file(self, rubric: Any, three: Path, folder: Path, name: str) -> None:
        """Then standard output is empty, and the status is the same."""
        shown = rubric("grade", three, *GIVEN, "--format", name)
        # A page also shows what was graded before.
        shutil.rmtree(folder / ".rubric")
        written = rubric("grade", three, *GIVEN, "--format", name, "--output", "out.txt")
        assert (written.exit_code, written.stdout) == (shown.exit_code, "")

        def timeless(text: str) -> str:
            # A page leaves out times so short that only a busy machine goes over them.
            duration = r"(<bdi>)?[\d.e-]+( |&nbsp;)?(ms|s)\b(</bdi>)?|\"duration_ms\": \S+|time=\"\S+\""
            return re.sub(rf"{duration}|\d{{4}}-\d\d-\d\d( \d\d:\d\d)?\S*", "", text)

        assert timeless((folder / "out.txt").read_text(encoding="utf-8")) == timeless(shown.stdout)


class TestStreams:
    """The plan goes to standard error."""

    def test_the_plan_is_reported_before(self, rubric: Any, three: Path) -> None:
        """In one line."""
        result = rubric("grade", three, *GIVEN)
        assert re.fullmatch(
            r"Plan: 3 cases; 3 questions for replay:judgements.json, [\d,]+ characters of prompt\.\n", result.stderr
        )

    def test_quiet_says_nothing_but_the_result(self, rubric: Any, three: Path) -> None:
        """Standard error is empty."""
        result = rubric("grade", three, *GIVEN, "--quiet")
        assert result.stderr == ""
        assert result.stdout == rubric("grade", three, *GIVEN).stdout

    @pytest.mark.parametrize("more", [[], ["--quiet"]])
    def test_a_dry_run_shows_the_plan_and_leaves_nothing_behind(
        self, rubric: Any, three: Path, folder: Path, more: list[str]
    ) -> None:
        """No store, no output, and it has not failed."""
        before = sorted(folder.rglob("*"))
        result = rubric("grade", three, *GIVEN, "--dry-run", "--output", "out.txt", *more)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("Plan: 3 cases; 3 questions")
        assert sorted(folder.rglob("*")) == before

    def test_a_dry_run_changes_no_store(self, rubric: Any, three: Path, folder: Path) -> None:
        """It only looks what is remembered."""
        rubric("grade", three, *GIVEN)
        database = folder / ".rubric" / "rubric.db"
        before = database.read_bytes()
        rubric("grade", three, *GIVEN, "--dry-run")
        assert database.read_bytes() == before


class TestWhichCases:
    """`--case` and `--criterion` choose."""

    @pytest.mark.usefixtures("three")
    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (["case-01"], ["case-01"]),
            (["case-*"], ["case-00", "case-01", "case-02"]),
            (["*-0[02]"], ["case-00", "case-02"]),
            (["case-02", "case-00", "*00"], ["case-00", "case-02"]),
        ],
    )
    def test_cases_are_chosen_by_ids_and_patterns(self, rubric: Any, wanted: list[str], found: list[str]) -> None:
        """They come in the order of the file, each once."""
        options = [word for name in wanted for word in ("--case", name)]
        assert list(graded(rubric("grade", *GIVEN, *options, "--format", "jsonl"))) == found

    def test_an_id_that_looks_like_a_pattern_names_its_case(self, rubric: Any, folder: Path) -> None:
        """`[a]` as a pattern would be `a`."""
        text = 'evalcases:\n  - {id: "x[a]", expected_outcome: b, input: c, rubrics: [d]}\n'
        (folder / "odd.eval.yaml").write_text(text, encoding="utf-8")
        (folder / "judgements.json").write_text(json.dumps({"x[a]": met()}), encoding="utf-8")
        (folder / "answer.txt").write_text("Done.", encoding="utf-8")
        result = rubric("grade", *REPLAYED, "--case", "x[a]", "--answer", "answer.txt")
        assert result.exit_code == 0

    def test_one_criterion_alone_makes_a_partial_result(self, rubric: Any, mixed: Path) -> None:
        """Over what was asked for; the scorecard is left out, and so is what has no such criterion."""
        text = mixed.read_text(encoding="utf-8") + "  - {id: other, expected_outcome: b, input: c, rubrics: [d]}\n"
        mixed.write_text(text, encoding="utf-8")
        result = rubric("grade", mixed, *REPLAYED, "--criterion", "names-port", "--format", "json")
        told = json.loads(result.stdout)
        assert (result.exit_code, told["eval_id"], told["score"], told["partial"]) == (0, "port", 1, True)
        assert ([each["id"] for each in told["criteria"]], told["scorecard"]) == (["names-port"], None)

    def test_all_files_of_a_folder_are_graded(self, rubric: Any, folder: Path) -> None:
        """Each with the answers beside it; what is no eval file is passed over."""
        for name in ("a/one", "b/c/two"):
            path = folder / f"{name}.eval.yaml"
            path.parent.mkdir(parents=True)
            text = f"evalcases:\n  - {{id: {path.name[:3]}, expected_outcome: b, input: c, rubrics: [d]}}\n"
            path.write_text(text, encoding="utf-8")
            path.with_name(f"{path.name[:3]}.answers.json").write_text(
                json.dumps({path.name[:3]: f"From {name}."}), encoding="utf-8"
            )
        (folder / "b" / "compose.yaml").write_text("services: {}\n", encoding="utf-8")
        (folder / "judgements.json").write_text(json.dumps({"one": met(), "two": met()}), encoding="utf-8")
        for paths in ([], ["."], ["a", "b"], ["b", "a/one.eval.yaml"]):
            result = rubric("grade", *paths, *REPLAYED, "--format", "jsonl")
            lines = [json.loads(line) for line in result.stdout.splitlines()]
            told = {line["file"]: line["candidate_answer"] for line in lines}
            assert told == {"a/one.eval.yaml": "From a/one.", "b/c/two.eval.yaml": "From b/c/two."}


class TestWhichAnswers:
    """Given on the command line, or recorded beside the file."""

    def test_an_answer_from_a_file_and_from_standard_input(self, rubric: Any, three: Path, folder: Path) -> None:
        """For the one case that is chosen; a byte order mark does no harm, and bytes that are no text are refused."""
        (folder / "answer.md").write_bytes(b"\xef\xbb\xbfDone.\r\n")
        arguments = ("grade", three, *REPLAYED, "--case", "case-00", "--format", "json", "--answer")
        assert json.loads(rubric(*arguments, "answer.md").stdout)["candidate_answer"] == "Done.\r\n"
        given = json.loads(rubric(*arguments, "-", stdin=b"\xef\xbb\xbfDone.\n").stdout)
        assert given["candidate_answer"] == "Done.\n"
        refused = rubric(*arguments, "-", stdin=b"D\xff\n")
        assert refused.exit_code == 2
        assert "standard input is not UTF-8: byte 1" in refused.stderr

    def test_recorded_answers(self, rubric: Any, three: Path, folder: Path) -> None:
        """In one JSON file, or one file a case; what is given counts more."""
        (folder / "three.answers.json").write_text('{"case-00": "From JSON."}', encoding="utf-8")
        (folder / "three.answers").mkdir()
        (folder / "three.answers" / "case-00.md").write_text("Not taken.", encoding="utf-8")
        (folder / "three.answers" / "case-01.md").write_text("From Markdown.", encoding="utf-8")
        (folder / "three.answers" / "case-02.txt").write_text("From text.", encoding="utf-8")
        arguments = ("grade", three, *REPLAYED, "--format", "jsonl")

        def answers(*more: str) -> list[str]:
            return [json.loads(line)["candidate_answer"] for line in rubric(*arguments, *more).stdout.splitlines()]

        assert answers() == ["From JSON.", "From Markdown.", "From text."]
        (folder / "given.json").write_text('{"case-02": "Given."}', encoding="utf-8")
        assert answers("--answers", "given.json") == ["From JSON.", "From Markdown.", "Given."]

    def test_an_answer_that_belongs_to_no_case_is_reported(self, rubric: Any, three: Path, folder: Path) -> None:
        """With the id that was perhaps meant."""
        (folder / "answers.json").write_text(json.dumps({**numbered_answers(3), "cas-00": "x"}), encoding="utf-8")
        said = "answers.json holds an answer to cas-00, but no case has this id; did you mean case-00?"
        assert said in rubric("grade", three, *GIVEN).stderr


@pytest.mark.usefixtures("three")
class TestMisuse:
    """What cannot be done ends with status 2 and one sentence, before anything is asked or written."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["missing.eval.yaml"], "missing.eval.yaml does not exist."),
            (["empty"], "No eval files found in empty."),
            (["compose.yaml"], "compose.yaml: The file holds no list of cases"),
            (["none.eval.yaml"], "There is no case to grade in none.eval.yaml."),
            (["--case", "case-0"], "There is no case case-0. Did you mean case-0"),
            (["--case", "zebra"], "There is no case zebra. Known cases: "),
            (["--case", "z*"], "There is no case z*. Known cases: "),
            (["--criterion", "rubric-2"], "There is no criterion rubric-2 in the cases that are to be graded. Did you"),
            (["--judge", "nobody"], "There is no judge nobody."),
            (["--judge", "replai:x"], "replai"),
            (["--judge", "replay:gone.json"], "gone.json; correct the path."),
            (["--judge", "replay:compose.yaml"], "compose.yaml is no JSON object from case id to judgement."),
            (["--judge", "replay:twice.json"], "twice.json holds the case a twice"),
            (["--judge", "manual"], "asks a person at a terminal, and there is none here"),
            (["--judge", "editor"], "The judge editor answers only in an editor"),
            (["--judge", "openai:some-model"], "openai:some-model has no key; give the setting api_key"),
            (["--answer", "gone.txt"], "'gone.txt' does not exist"),
            (["--answer", "compose.yaml"], "`--answer` is for one case, but 3 are chosen; name one by --case."),
            (["--answer", "-", "--answers", "answers.json"], "`--answer` and `--answers` cannot be combined."),
            (["--answers", "compose.yaml"], "compose.yaml is no JSON object from case id to answer."),
            (["--answers", "twice.json"], "twice.json holds the case a twice; keep one of its answers."),
            (["--answers", "numbers.json"], "The answer to the case a in numbers.json must be a text, or an object"),
            (["--samples", "0"], "'--samples'"),
            (["--samples", "x"], "'--samples'"),
            (["--concurrency", "0"], "'--concurrency'"),
            (["--format", "xml"], "'--format'"),
            (["--config", "gone.toml"], "gone.toml"),
            (["--frobnicate"], "--frobnicate"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_it_is_said_in_one_sentence(
        self, rubric: Any, folder: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And nothing is left behind."""
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        (folder / "empty").mkdir()
        (folder / "compose.yaml").write_text("services: {}\n", encoding="utf-8")
        (folder / "none.eval.yaml").write_text("evalcases: []\n", encoding="utf-8")
        (folder / "twice.json").write_text('{"a": "x", "a": "y"}', encoding="utf-8")
        (folder / "numbers.json").write_text('{"a": 1}', encoding="utf-8")
        usual = [] if "--judge" in arguments else REPLAYED
        result = rubric("grade", *usual, *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert "Traceback" not in result.stderr
        assert not (folder / ".rubric").exists()

    def test_a_report_that_cannot_be_written_is_reported_before_anything_is_asked(
        self, rubric: Any, folder: Path
    ) -> None:
        """So that nobody waits for a report that goes nowhere."""
        result = rubric("grade", *GIVEN, "--output", "gone/report.html")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "rubric: gone/report.html: There is no folder gone; create it first.\n"
        assert not (folder / ".rubric").exists()


class TestPlan:
    """What is reported before anything is spent is what will happen."""

    def plan(self, rubric: Any, *arguments: str) -> str:
        """Return the plan without the size of the prompts."""
        said: str = rubric("grade", *REPLAYED, "--dry-run", *arguments).stderr.partition("\n")[0]
        return re.sub(r", [\d,]+ characters of prompt", "", said).strip()

    @pytest.mark.usefixtures("three")
    def test_cases_without_an_answer_are_counted(self, rubric: Any, folder: Path) -> None:
        """No target is defined, so nobody will be asked for answers, or about them."""
        assert self.plan(rubric) == "Plan: 3 cases; 3 cases without an answer, not asked about."
        (folder / "three.answers.json").write_text('{"case-01": "One."}', encoding="utf-8")
        assert self.plan(rubric) == (
            "Plan: 3 cases; 1 question for replay:judgements.json, 2 cases without an answer, not asked about."
        )

    @pytest.mark.usefixtures("three")
    def test_how_to_give_answers_is_reported_where_some_are_missing(self, rubric: Any) -> None:
        """By the command line, because its options mean nothing in an editor."""
        hint = "Pass answers with --answer or --answers"
        assert hint in rubric("grade", *REPLAYED, "--dry-run").stderr
        assert hint not in rubric("grade", *GIVEN, "--dry-run").stderr

    @pytest.mark.usefixtures("mixed")
    def test_every_question_is_counted(self, rubric: Any) -> None:
        """By sample and by criterion, with the scorecard."""
        judge = "replay:judgements.json"
        assert self.plan(rubric) == f"Plan: 1 case; 2 questions for {judge}."
        assert self.plan(rubric, "--per-criterion") == f"Plan: 1 case; 3 questions for {judge}."
        assert self.plan(rubric, "--per-criterion", "--samples", "3") == f"Plan: 1 case; 9 questions for {judge}."
        assert self.plan(rubric, "--criterion", "depth") == f"Plan: 1 case; 1 question for {judge}."

    def test_cases_with_errors_are_counted(self, rubric: Any, folder: Path) -> None:
        """They become errors without any question."""
        text = "evalcases:\n  - {id: a, expected_outcome: b, input: c, rubrics: [{id: d}]}\n"
        (folder / "bad.eval.yaml").write_text(text, encoding="utf-8")
        (folder / "judgements.json").write_text("{}", encoding="utf-8")
        assert self.plan(rubric) == "Plan: 1 case; 1 case with errors, not asked about."


class TestResume:
    """What was graded before is taken over only where it would be graded in the same way again."""

    def test_a_recording_that_was_made_anew_counts(self, rubric: Any, three: Path, folder: Path) -> None:
        """A recording is a file, and the name of a file says nothing about what is in it now."""
        arguments = ("grade", three, *GIVEN, "--case", "case-00", "--format", "jsonl")
        assert graded(rubric(*arguments))["case-00"] == (1, "pass", None)
        said = {"case-00": {"checks": [{"id": "rubric-1", "satisfied": False}]}}
        (folder / "judgements.json").write_text(json.dumps(said), encoding="utf-8")
        assert graded(rubric(*arguments, "--resume"))["case-00"] == (0, "fail", None)

    def test_equal_cases_of_two_files_are_two_gradings(self, rubric: Any, folder: Path) -> None:
        """What a code judge runs lies beside the file, so another file is another grading."""
        for name, status in (("a", 0), ("b", 1)):
            (folder / name).mkdir()
            text = (
                "evalcases:\n  - {id: same, expected_outcome: Works, input: Do it, "
                f"evaluators: [{{name: runs, type: code_judge, script: [{sys.executable}, judge.py]}}]}}\n"
            )
            (folder / name / "same.eval.yaml").write_text(text, encoding="utf-8")
            (folder / name / "same.answers.json").write_text('{"same": "Done."}', encoding="utf-8")
            (folder / name / "judge.py").write_text(f"raise SystemExit({status})", encoding="utf-8")

        def verdicts(*paths: str) -> dict[str, str]:
            result = rubric("grade", *paths, "--resume", "--format", "jsonl")
            return {line["file"]: line["verdict"] for line in map(json.loads, result.stdout.splitlines())}

        assert verdicts("a") == {"a/same.eval.yaml": "pass"}
        assert verdicts("a", "b") == {"a/same.eval.yaml": "pass", "b/same.eval.yaml": "fail"}

    def test_the_same_file_from_another_folder_is_the_same(
        self, rubric: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is taken over, and named as it is named from there; the plan tells it."""
        (folder / "deep").mkdir()
        text = (
            "evalcases:\n  - {id: counted, expected_outcome: Works, input: Do it, "
            f"evaluators: [{{name: runs, type: code_judge, script: [{sys.executable}, judge.py]}}]}}\n"
        )
        (folder / "deep" / "one.eval.yaml").write_text(text, encoding="utf-8")
        (folder / "deep" / "one.answers.json").write_text('{"counted": "Done."}', encoding="utf-8")
        (folder / "deep" / "judge.py").write_text("print('fine')", encoding="utf-8")
        assert rubric("grade").exit_code == 0
        monkeypatch.chdir(folder / "deep")
        again = rubric("grade", "--resume", "--format", "json")
        assert json.loads(again.stdout)["file"] == "one.eval.yaml"
        assert again.stderr == "Plan: 1 case; 1 result taken over.\n"

    @pytest.mark.parametrize(
        "script",
        [
            '[sh, -c, "PYTHON helper.py"]',
            "PYTHON -m helper",
            "PYTHON judge.py",
            "[sh, judge.sh]",
        ],
    )
    def test_a_script_whose_inputs_are_not_known_runs_again(self, rubric: Any, folder: Path, script: str) -> None:
        """What it runs, imports or reads may have changed, and nothing tells."""
        written = script.replace("PYTHON", sys.executable)
        text = (
            "evalcases:\n  - {id: one, expected_outcome: Works, input: Do it, "
            f"evaluators: [{{name: runs, type: code_judge, script: {written}}}]}}\n"
        )
        (folder / "one.eval.yaml").write_text(text, encoding="utf-8")
        (folder / "one.answers.json").write_text('{"one": "Done."}', encoding="utf-8")
        (folder / "judge.py").write_text("import helper", encoding="utf-8")
        (folder / "judge.sh").write_text(f"{sys.executable} helper.py", encoding="utf-8")
        (folder / "helper.py").write_text("raise SystemExit(0)", encoding="utf-8")
        assert rubric("grade").exit_code == 0
        # Another size, so that no compiled module of before is used.
        (folder / "helper.py").write_text("raise SystemExit(1)  # It got worse.", encoding="utf-8")
        again = rubric("grade", "--resume", "--format", "json")
        assert json.loads(again.stdout)["verdict"] == "fail"
        assert "1 code judge to run" in again.stderr


class TestStrangeContent:
    """Whatever is in a file, every case has a result."""

    STRANGE = """\
evalcases:
  - {id: one, expected_outcome: E, input: I, rubrics: [R]}
  - just text
  - {id: a/../b, expected_outcome: E, input: I, rubrics: [R]}
  - {id: "🎉 party", expected_outcome: E, input: I, rubrics: [R]}
  - {id: one, expected_outcome: E, input: I, rubrics: [R]}
  - {id: "nul \\0 x", expected_outcome: "E\\0", input: "I\\0", rubrics: ["R\\e[2J"]}
  - {id: "<b>&\\"'", expected_outcome: "E]]>", input: I, rubrics: ["R|`*_"]}
---
evalcases:
  - {id: four, expected_outcome: E, input: I, rubrics: [R]}
  - 7
  - {id: one, expected_outcome: E, input: I, rubrics: [R]}
"""
    IDS = ("one", "a/../b", "🎉 party", "nul \0 x", "<b>&\"'", "four")

    @pytest.fixture
    def strange(self, folder: Path) -> Path:
        """Return a file with two documents, odd ids, ids twice and things that are no case; all answered and judged."""
        path = folder / "strange.eval.yaml"
        path.write_text(self.STRANGE, encoding="utf-8")
        said = {
            name: {"checks": [{"id": "rubric-1", "satisfied": True, "reasoning": "\ud83d \0"}]} for name in self.IDS
        }
        (folder / "judgements.json").write_text(json.dumps(said), encoding="utf-8")
        answers = {name: f"Half \udc00, nul \0, {name}" for name in self.IDS}
        (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
        return path

    def test_every_case_has_its_result(self, rubric: Any, strange: Path) -> None:
        """Of two cases with one id the later is an error; what is no case is one too, and named by its line."""
        result = rubric("grade", strange, *GIVEN, "--format", "jsonl")
        told = [json.loads(line) for line in result.stdout.splitlines()]
        assert result.exit_code == 2
        assert [line["eval_id"] for line in told if line["verdict"] == "pass"] == list(self.IDS)
        twice = "Two cases are called one (lines 2 and {0}); give one of them another id. (RB203)"
        assert [(line["eval_id"], line["error"]) for line in told if line["error"]] == [
            *(("one", f"strange.eval.yaml:{line}: {twice.format(line)}") for line in (6, 13)),
            ("line 3", "A case is a mapping."),
            ("line 12", "A case is a mapping."),
        ]
        assert told[0]["candidate_answer"] == "Half \ufffd, nul \0, one"

    @pytest.mark.parametrize("name", ["text", "json", "jsonl", "markdown", "html", "junit"])
    def test_every_format_holds_it(self, rubric: Any, strange: Path, name: str) -> None:
        """As sound text, without anything that a terminal would obey; JUnit stays XML."""
        shown = rubric("grade", strange, *GIVEN, "--format", name).stdout_bytes.decode()
        assert "\x1b" not in shown
        assert "party" in shown
        if name == "junit":
            ET.fromstring(shown)  # noqa: S314 - our own.
        if name == "html":
            assert "<b>&" not in shown

    def test_a_file_of_a_folder_that_cannot_be_read_is_an_error(self, rubric: Any, three: Path, folder: Path) -> None:
        """It has the name of an eval file, so nobody may think that it was graded; the others are."""
        three.rename(folder / "good.eval.yaml")
        (folder / "bytes.eval.yaml").write_bytes(b"evalcases: [\xff]\n")
        (folder / "seven.eval.yaml").write_text("evalcases: 7\n", encoding="utf-8")
        (folder / "broken.eval.yaml").write_text("evalcases:\n  - {id: a\n", encoding="utf-8")
        (folder / "compose.yaml").write_text("services: {}\n", encoding="utf-8")
        result = rubric("grade", *GIVEN, "--format", "jsonl")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        told = {(line["file"], line["eval_id"]): line["error"] for line in lines if line["file"] != "good.eval.yaml"}
        assert (result.exit_code, len(lines)) == (2, 6)
        assert "not text in UTF-8" in told["bytes.eval.yaml", "line 1"]
        assert "no list of cases" in told["seven.eval.yaml", "line 1"]
        assert "never closed" in told["broken.eval.yaml", "line 2"]

    def test_json_lines_of_cases(self, rubric: Any, folder: Path) -> None:
        """A dataset with one case a line; a line that is none is an error of its own."""
        lines = [
            '{"id": "a", "expected_outcome": "b", "input": "c", "rubrics": ["d"]}',
            "{broken",
            '{"id": "e", "expected_outcome": "half \\ud800", "input": "c", "rubrics": ["d"]}',
        ]
        (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
        (folder / "judgements.json").write_text(json.dumps({"a": met(), "e": met()}), encoding="utf-8")
        (folder / "cases.answers.json").write_text('{"a": "A.", "e": "E."}', encoding="utf-8")
        result = rubric("grade", "cases.jsonl", *REPLAYED, "--format", "jsonl")
        told = graded(result)
        assert result.exit_code == 2
        assert told["a"] == (1, "pass", None)
        assert [name for name, (_, _, error) in told.items() if error] != []

    @pytest.mark.slow
    def test_an_answer_of_five_megabytes(self, rubric: Any, three: Path, folder: Path) -> None:
        """It is graded and kept whole; a terminal gets its start."""
        answer = "Ein Satz mit Umlauten: äöü.\n" * 180_000
        (folder / "answer.txt").write_text(answer, encoding="utf-8", newline="")
        arguments = ("grade", three, *REPLAYED, "--case", "case-00", "--answer", "answer.txt")
        told = json.loads(rubric(*arguments, "--format", "json").stdout)
        assert (told["verdict"], told["candidate_answer"]) == ("pass", answer)
        shown = rubric(*arguments).stdout
        assert "    | ... the answer has 5,040,000 characters\n" in shown
        assert len(shown) < 2000


BROKEN = """\
evalcases:
  - id: c1
    expected_outcome: It greets
    input: Say hi
    rubrics:
      - id: tone
        score_ranges:
          - {score_range: [0, 5], expected_outcome: Rude}
          - {score_range: [5, 10], expected_outcome: Fine}
      - {id: greets, expected_outcome: It greets, weight: -1}
  - id: c1
    expected_outcome: It greets
    input: Say hi
    rubrics: [It greets]
"""
SHARED = "This range and 0-5 both cover score 5; let each score belong to one range."


def test_each_problem_that_stops_a_case_is_reported_with_its_place(rubric: Any, folder: Path) -> None:
    """File, line, criterion and range; of two cases with one id both lines."""
    (folder / "a.eval.yaml").write_text(BROKEN, encoding="utf-8")
    result = rubric("grade", "a.eval.yaml", "--format", "jsonl", "--quiet")
    first, second = (json.loads(line)["error"] for line in result.stdout.splitlines())
    assert first.splitlines() == [
        f"a.eval.yaml:9, criterion tone, range 5-10: {SHARED} (RB101)",
        "a.eval.yaml:10, criterion greets: The weight -1 is negative; write a number above 0. (RB204)",
    ]
    assert second == ("a.eval.yaml:11: Two cases are called c1 (lines 2 and 11); give one of them another id. (RB203)")


def test_of_many_problems_the_first_are_reported(rubric: Any, folder: Path) -> None:
    """And how to see the others, in words that are right in an editor too: it shows the same result."""
    listed = "".join(f"      - {{id: c{number}, expected_outcome: x, weight: -1}}\n" for number in range(15))
    text = f"evalcases:\n  - id: one\n    expected_outcome: b\n    input: c\n    rubrics:\n{listed}"
    (folder / "a.eval.yaml").write_text(text, encoding="utf-8")
    result = rubric("grade", "a.eval.yaml", "--format", "jsonl", "--quiet")
    told = json.loads(result.stdout)["error"].splitlines()
    assert len(told) == 11
    assert told[9].startswith("a.eval.yaml:15, criterion c9: ")
    assert told[10] == "5 more; a check of the file shows all of them."


@pytest.mark.parametrize("option", ["--answer", "--answers"])
@pytest.mark.parametrize("path", ["a.eval.yaml", "."])
def test_answers_to_a_file_that_cannot_be_loaded_are_refused_with_its_reason(
    rubric: Any, folder: Path, option: str, path: str
) -> None:
    """The number of its cases is not known, so it is not told."""
    (folder / "a.eval.yaml").write_text('evalcases:\n  - id: "a\n    expected_outcome: b\n', encoding="utf-8")
    (folder / "answers.json").write_text('{"a": "Hi"}', encoding="utf-8")
    result = rubric("grade", path, option, "answers.json", *REPLAYED)
    assert result.exit_code == 2
    assert "a.eval.yaml: " in result.stderr
    assert "The quote opened here is never closed." in result.stderr
    assert "chosen" not in result.stderr
    assert "no case has" not in result.stderr


def test_an_answer_to_an_id_that_two_cases_have_is_refused(rubric: Any, folder: Path) -> None:
    """With both lines."""
    (folder / "a.eval.yaml").write_text(BROKEN, encoding="utf-8")
    result = rubric("grade", "a.eval.yaml", "--case", "c1", "--answer", "-", stdin="Hi")
    assert result.exit_code == 2
    assert "Two cases are called c1 (lines 2 and 11); give one of them another id." in result.stderr
