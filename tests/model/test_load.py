"""Loading files: what Python users call."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rubric_core
from rubric_core import CannotLoad, load, load_all, load_targets
from rubric_core.model.load import load_text
from rubric_core.rules.problem import Problem, Severity
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from pathlib import Path

CASE = "evalcases:\n  - id: a\n    expected_outcome: Answers\n    input: Hello\n"
OVERLAP = """\
    rubrics:
      - id: s
        score_ranges:
          - {score_range: [0, 5], expected_outcome: Wrong}
          - {score_range: [5, 10], expected_outcome: Right}
"""
SECOND = "  - id: b\n    expected_outcome: Answers\n    input: Hello\n"


def problem_at(text: str, mark: str) -> Problem:
    """Make a problem at the first place of some text."""
    start = text.index(mark)
    return Problem("RB999", "made-up", Severity.ERROR, Span(start, start + len(mark)), "Made up.")


class TestFiles:
    """From a path to a suite."""

    def test_a_good_file_has_cases_and_no_problems(self, tmp_path: Path) -> None:
        """The path is kept."""
        path = tmp_path / "good.eval.yaml"
        path.write_text(CASE + "    rubrics: [Is polite]\n", encoding="utf-8")
        suite = load(path)
        assert [case.id for case in suite.cases] == ["a"]
        assert suite.problems == ()
        assert suite.path == str(path)

    def test_problems_come_with_the_suite(self, tmp_path: Path) -> None:
        """They are the ones that a check of the file reports, and a case knows its own."""
        path = tmp_path / "bad.eval.yaml"
        path.write_text(CASE + OVERLAP + SECOND, encoding="utf-8")
        suite = load(str(path))
        assert [problem.code for problem in suite.problems] == ["RB101"]
        assert suite.problems_of(0) == suite.problems
        assert suite.problems_of(1) == ()

    def test_the_configuration_of_the_folder_counts(self, tmp_path: Path) -> None:
        """What a check would not report, loading does not report either."""
        (tmp_path / "rubric.toml").write_text('ignore = ["RB101"]\n', encoding="utf-8")
        path = tmp_path / "bad.eval.yaml"
        path.write_text(CASE + OVERLAP, encoding="utf-8")
        assert load(path).problems == ()

    def test_a_byte_order_mark_and_windows_line_breaks(self, tmp_path: Path) -> None:
        """Places count the characters of the file as it is."""
        path = tmp_path / "windows.eval.yaml"
        text = "\ufeff" + CASE.replace("\n", "\r\n")
        path.write_bytes(text.encode())
        suite = load(path)
        span = suite.span_of("cases", 0)
        assert span is not None
        assert text[span.start :].startswith("id: a")

    def test_several_documents_need_load_all(self, tmp_path: Path) -> None:
        """Taking one of them in silence would lose cases."""
        path = tmp_path / "two.eval.yaml"
        path.write_text(f"{CASE}---\n{CASE}", encoding="utf-8")
        with pytest.raises(CannotLoad, match="The file holds 2 suites; load it with load_all"):
            load(path)
        assert len(load_all(path)) == 2

    def test_json_lines(self, tmp_path: Path) -> None:
        """One case a line."""
        path = tmp_path / "data.jsonl"
        path.write_text('{"id": "a", "expected_outcome": "x", "input": "y"}\n', encoding="utf-8")
        assert [case.id for case in load(path).cases] == ["a"]

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (None, "does not exist"),
            (b"\xff\xfe\x00", "not text"),
            (b"evalcases: \x80", "not text"),
            (b"name: compose\n", "holds no list of cases"),
        ],
    )
    def test_a_file_that_cannot_be_loaded(self, tmp_path: Path, content: bytes | None, reason: str) -> None:
        """The exception has the path and a sentence."""
        path = tmp_path / "x.eval.yaml"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(CannotLoad, match=reason) as caught:
            load(path)
        assert caught.value.path == str(path)
        assert caught.value.reason.endswith(".")

    def test_a_folder_cannot_be_loaded(self, tmp_path: Path) -> None:
        """It is no file."""
        with pytest.raises(CannotLoad):
            load(tmp_path)


class TestProblems:
    """Which problems belong to which suite and case."""

    def test_each_document_has_its_own_problems(self) -> None:
        """A problem behind the last character belongs to the document that it ends."""
        text = f"# one\n{CASE}---\n# two\n{CASE}"
        end = Problem("RB998", "end", Severity.ERROR, Span(len(text), len(text)), "The end.")
        problems = (problem_at(text, "one"), problem_at(text, "two"), end)
        first, second = load_text(text, "x.yaml", problems=problems)
        assert first.problems == problems[:1]
        assert second.problems == problems[1:]

    def test_problems_of_shared_parts_belong_to_every_case_that_uses_them(self) -> None:
        """An evaluator of the suite, and a named scorecard."""
        text = (
            "execution: {evaluators: [{name: shared, type: cost}]}\nscorecards: {card: {bonuses: [Measures]}}\n"
            + CASE
            + "    scorecard: card\n    evaluators: []\n"
            + SECOND
        )
        in_evaluator, in_card = problem_at(text, "cost"), problem_at(text, "Measures")
        (suite,) = load_text(text, "x.yaml", problems=(in_evaluator, in_card))
        assert suite.problems_of(0) == (in_card,)
        assert suite.problems_of(1) == (in_evaluator,)


class TestTargets:
    """The targets file."""

    def test_targets(self, tmp_path: Path) -> None:
        """Keys of the provider are settings; variables are left as written."""
        path = tmp_path / "targets.yaml"
        path.write_text(
            "$schema: x\ntargets:\n  - name: base\n    provider: azure\n    api_key: ${{ KEY }}\n    workers: 3\n"
            "  - {name: cli, provider: cli, judge_target: base}\n",
            encoding="utf-8",
        )
        base, cli = load_targets(path)
        assert (base.name, base.provider, base.judge_target) == ("base", "azure", None)
        assert base.settings == {"api_key": "${{ KEY }}", "workers": 3}
        assert cli.judge_target == "base"

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "no list under the key targets"),
            ("targets: none\n", "no list under the key targets"),
            ("targets:\n  - just text\n", "Target 1 is not a mapping"),
            ("targets:\n  - {name: a}\n  - {provider: cli}\n", "Target 2 cannot be used. `name` is missing"),
            ("targets: [\n", "."),
        ],
    )
    def test_a_targets_file_that_cannot_be_used(self, tmp_path: Path, text: str, reason: str) -> None:
        """The sentence says which entry is wrong."""
        path = tmp_path / "targets.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(CannotLoad, match=reason):
            load_targets(path)


_LINES = st.lists(
    st.sampled_from(
        [
            "evalcases:",
            "  - id: a",
            "    rubrics:",
            "      - Is polite",
            "      - {score_ranges: {0: a, x: b}}",
            "      - score_ranges: [{score_range: [0, 3]}, 5]",
            "    input: &x [1, {role: user, content: [1]}]",
            "    input_messages: *x",
            "    evaluators: [{name: a, type: composite, evaluators: [{}]}, 3]",
            "    scorecard: {weights: [1], red_flags: [{}, a, [b]]}",
            "---",
            "execution: {evaluators: {a: 1}, target: [x]}",
            "? [a, b]",
            ": c",
            '"',
            "[",
        ]
    ),
    max_size=12,
)


@given(_LINES, st.sampled_from(["x.yaml", "x.jsonl"]))
def test_no_text_makes_loading_fail_in_an_unknown_way(lines: list[str], path: str) -> None:
    """Either there are suites, or CannotLoad says why not."""
    with contextlib.suppress(CannotLoad):
        assert load_text("\n".join(lines), path)


def test_importing_the_package_does_not_import_pydantic() -> None:
    """The commands that need no models start without it."""
    is_there = "print('pydantic' in sys.modules)"
    code = f"import sys, rubric_core; {is_there}; rubric_core.load; {is_there}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_the_package_has_no_other_names() -> None:
    """A misspelt name is an AttributeError, as in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'laod'"):
        _ = rubric_core.laod


def test_each_case_knows_its_problems_and_what_was_left_out(tmp_path: Path) -> None:
    """A broken evaluator of the suite is missing in every case that takes it from there; no case grades around it."""
    file = tmp_path / "some.eval.yaml"
    file.write_text(
        "execution:\n  evaluators:\n    - {name: x, type: nonsense}\n"
        "evalcases:\n  - not a case\n"
        "  - {id: a, expected_outcome: b, input: c, rubrics: [d]}\n"
        "  - {id: own, expected_outcome: b, input: c, evaluators: [], "
        "rubrics: [d, {expected_outcome: e, weight: -1}]}\n",
        encoding="utf-8",
    )
    inheriting, own = load(file).cases
    assert [each.reason for each in inheriting.left_out] == ["There is no evaluator type nonsense."]
    assert [problem.code for problem in own.problems] == ["RB204"]
    assert [each.path for each in own.left_out] == [("cases", 1, "criteria", 1)]
    assert (own.source, own.dataset) == (str(file), "some")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ci.yaml", "tests:\n  - {name: a, run: b}\n"),
        ("train.jsonl", '{"input": "translate this", "output": "x"}\n'),
        ("cases.yaml", "cases: [a, b]\n"),
    ],
)
def test_other_files_are_not_loaded(tmp_path: Path, name: str, text: str) -> None:
    """What `rubric check` passes over is no eval file for anybody else either."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(CannotLoad, match="not an eval file"):
        load_all(tmp_path / name, is_named=False)


def test_a_file_that_is_named_needs_only_a_list_of_tests(tmp_path: Path) -> None:
    """As on the command line; what another tool reads is refused all the same."""
    file = tmp_path / "ci.yaml"
    file.write_text("tests:\n  - {name: a, run: b}\n", encoding="utf-8")
    assert load(file).problems
    file.write_text("tests:\n  - {vars: {a: b}}\nservices: {}\n", encoding="utf-8")
    with pytest.raises(CannotLoad, match="a Compose file"):
        load(file)
