"""`rubric check`: what it prints and how it ends."""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

import pytest

SELECTED = ("--select", "RB104,RB102", "--select", "RB006")


def write(path: Path, text: str | bytes) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def found(result: Any) -> list[tuple[str, str]]:
    """Return path and code of each problem of a JSON report."""
    return [(Path(one["path"]).as_posix(), one["code"]) for one in json.loads(result.stdout)]


class TestStatus:
    """How the command ends."""

    @pytest.mark.parametrize("command", ["check", "fix"])
    def test_other_yaml_that_names_rubrics_is_still_other_yaml(self, rubric: Any, folder: Path, command: str) -> None:
        """A word does not make an eval file."""
        text = "jobs:\n  test:\n    run: rubric check\n    weight: -1\n"
        write(folder / "workflow.yaml", text)
        result = rubric(command)
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No eval files found.\n")
        assert (folder / "workflow.yaml").read_text() == text

    @pytest.mark.parametrize(
        ("name", "status"), [("good", 0), ("hint", 0), ("inverted", 1), ("out_of_bounds", 1), ("other", 0)]
    )
    def test_only_errors_and_warnings_fail(self, rubric: Any, texts: Any, folder: Path, name: str, status: int) -> None:
        """Hints alone do not fail, and YAML that is not ours is passed over."""
        write(folder / "a.yaml", getattr(texts, name))
        assert rubric("check", *SELECTED).exit_code == status

    def test_exit_zero_reports_and_does_not_fail(self, rubric: Any, texts: Any, folder: Path) -> None:
        """The problems are still shown."""
        write(folder / "a.yaml", texts.inverted)
        result = rubric("check", "--exit-zero", *SELECTED)
        assert result.exit_code == 0
        assert "error[RB104]" in result.stdout

    def test_a_path_that_does_not_exist_is_two_and_the_others_are_reported(
        self, rubric: Any, texts: Any, folder: Path
    ) -> None:
        """One wrong path hides nothing."""
        write(folder / "a.yaml", texts.inverted)
        result = rubric("check", "nowhere.yaml", "a.yaml", *SELECTED)
        assert result.exit_code == 2
        assert "rubric: nowhere.yaml does not exist.\n" in result.stderr
        assert "error[RB104]" in result.stdout

    def test_exit_zero_does_not_hide_that_something_could_not_be_checked(self, rubric: Any) -> None:
        """A check that did not happen is not a success."""
        assert rubric("check", "--exit-zero", "nowhere.yaml").exit_code == 2

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--format", "pdf"],
            ["--select", "RB999"],
            ["--ignore", "uncovered-score"],
            ["--write-baseline"],
            ["--statistics", "--format", "sarif"],
            ["-", "a.yaml"],
            ["a.yaml", "--stdin-filename", "b.yaml"],
            ["-", "--watch"],
            ["--jobs", "0"],
            ["--config", "missing.toml"],
            ["--baseline", "missing.json"],
        ],
    )
    def test_what_makes_no_sense_is_two(self, rubric: Any, arguments: list[str]) -> None:
        """And says why, on standard error."""
        result = rubric("check", *arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr

    def test_a_misspelt_rule_is_answered_with_the_right_one(self, rubric: Any) -> None:
        """A select with a typing error must not silently check nothing."""
        result = rubric("check", "--select", "uncovered-score")
        assert "Unknown rule `uncovered-score`. Did you mean `uncovered-scores`?" in result.stderr


class TestFiles:
    """Which files are checked."""

    def test_without_paths_the_current_folder_is_walked(self, rubric: Any, texts: Any, folder: Path) -> None:
        """In the order of the names, with paths as the user would type them."""
        write(folder / "b" / "c.yml", texts.inverted)
        write(folder / "a.eval.yaml", texts.inverted)
        write(folder / "README.md", texts.inverted)
        write(folder / "compose.yaml", texts.other)
        assert found(rubric("check", "--format", "json", *SELECTED)) == [("a.eval.yaml", "RB104"), ("b/c.yml", "RB104")]

    def test_what_git_ignores_is_left_out_unless_it_is_named(self, rubric: Any, texts: Any, folder: Path) -> None:
        """A path that the user names is always taken."""
        write(folder / ".gitignore", "drafts/\n")
        write(folder / "drafts" / "a.yaml", texts.inverted)
        assert found(rubric("check", "--format", "json", *SELECTED)) == []
        named = rubric("check", "--format", "json", *SELECTED, "drafts/a.yaml")
        assert found(named) == [("drafts/a.yaml", "RB104")]

    def test_a_file_named_twice_is_checked_once(self, rubric: Any, texts: Any, folder: Path) -> None:
        """Also when one way to it is its whole path, which is then shown from the current folder."""
        write(folder / "a.yaml", texts.inverted)
        result = rubric("check", "--format", "json", *SELECTED, str(folder / "a.yaml"), "a.yaml", ".")
        assert found(result) == [("a.yaml", "RB104")]

    def test_a_file_outside_of_the_current_folder_keeps_its_whole_path(
        self, rubric: Any, texts: Any, tmp_path: Path
    ) -> None:
        """There is no shorter honest name."""
        outside = write(tmp_path / "outside.yaml", texts.inverted)
        ((shown, _),) = found(rubric("check", "--format", "json", *SELECTED, outside))
        assert Path(shown) == outside

    def test_without_eval_files_it_says_so_and_is_content(self, rubric: Any, texts: Any, folder: Path) -> None:
        """A machine still gets a whole report."""
        write(folder / "compose.yaml", texts.other)
        result = rubric("check")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No eval files found.\n")
        assert json.loads(rubric("check", "--format", "json").stdout) == []

    def test_many_files_in_several_processes_give_the_same_report(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The order, the fixes and the failures are those of one process."""
        for number in range(12):
            write(folder / f"{number:02}.yaml", texts.both if number % 2 else texts.good)
        write(folder / "07.yaml", "evalcases: \x00")
        write(folder / "05.yaml", texts.other)
        arguments = ("check", "--format", "json", *SELECTED, ".", "07.yaml")
        alone = rubric(*arguments, "--jobs", "1")
        monkeypatch.setattr("rubric_core.cli.parallel.WORTH_A_POOL", 1)
        together = rubric(*arguments, "--jobs", "3")
        assert together.stdout == alone.stdout
        assert together.stderr == alone.stderr
        assert len(found(together)) == 8

    @pytest.mark.parametrize("format_", ["github", "gitlab", "junit"])
    def test_formats_without_fixes_are_the_same_from_several_processes(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, format_: str
    ) -> None:
        """They do not ask for fixes, and need none."""
        for number in range(3):
            write(folder / f"{number}.yaml", texts.both)
        alone = rubric("check", "--format", format_, *SELECTED, "--jobs", "1")
        monkeypatch.setattr("rubric_core.cli.parallel.WORTH_A_POOL", 1)
        assert rubric("check", "--format", format_, *SELECTED, "--jobs", "2").stdout == alone.stdout


class TestTrouble:
    """Files that cannot be checked cost a sentence, and only themselves."""

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"evalcases:\n  - id: \xff\xfe\x00\n", "is not text"),
            (b"\x00\x01\x02", "null byte"),
            (os.urandom(0) + b"PK\x03\x04\x00\x00", "null byte"),
        ],
    )
    def test_a_file_that_is_no_text(self, rubric: Any, texts: Any, folder: Path, content: bytes, sentence: str) -> None:
        """It is named, and the other files are reported."""
        write(folder / "bad.eval.yaml", content)
        write(folder / "a.yaml", texts.inverted)
        result = rubric("check", *SELECTED)
        assert result.exit_code == 2
        assert result.stderr.startswith("rubric: bad.eval.yaml: ")
        assert sentence in result.stderr
        assert "error[RB104]" in result.stdout

    def test_a_binary_with_the_name_of_other_yaml_is_passed_over(self, rubric: Any, folder: Path) -> None:
        """Nobody said that it is ours; named by the user it is a failure."""
        write(folder / "blob.yaml", b"\x00\x01")
        assert rubric("check").exit_code == 0
        assert rubric("check", "blob.yaml").exit_code == 2

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="There are no named pipes here.")
    def test_a_pipe_is_not_waited_for(self, rubric: Any, folder: Path) -> None:
        """A folder with one is walked past it, and naming it is answered at once."""
        os.mkfifo(folder / "pipe.eval.yaml")
        assert rubric("check").exit_code == 0
        result = rubric("check", "pipe.eval.yaml")
        assert result.exit_code == 2
        assert "neither a file nor a folder" in result.stderr

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="Everything is readable for root.")
    def test_an_unreadable_file_is_named(self, rubric: Any, texts: Any, folder: Path) -> None:
        """Its name alone does not tell that it is not ours."""
        write(folder / "a.yaml", texts.good).chmod(0)
        assert rubric("check").exit_code == 2

    def test_an_unreadable_file_found_in_a_folder_is_named(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same without rights to take away: reading says that it is denied."""
        from rubric_core.files.read import Reason, Unreadable  # noqa: PLC0415 - needed by this test only.

        write(folder / "a.yaml", texts.good)
        denied = Unreadable(Reason.DENIED, "The file cannot be opened: Permission denied.")
        monkeypatch.setattr("rubric_core.cli.check_file.read_text", lambda _path, _limits: denied)
        result = rubric("check")
        assert result.exit_code == 2
        assert result.stderr == "rubric: a.yaml: The file cannot be opened: Permission denied.\n"

    def test_a_file_that_vanished_after_its_folder_was_listed_is_passed_over(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever deleted it knows."""
        from rubric_core.files.read import Reason, Unreadable  # noqa: PLC0415 - needed by this test only.

        write(folder / "a.yaml", texts.good)
        gone = Unreadable(Reason.MISSING, "The file does not exist.")
        monkeypatch.setattr("rubric_core.cli.check_file.read_text", lambda _path, _limits: gone)
        assert rubric("check").exit_code == 0

    @pytest.mark.parametrize(
        ("name", "head", "codes"),
        [
            ("big.eval.yaml", "", ["RB008"]),
            ("big.yaml", "evalcases:\n  - id: a\n    rubrics: []\n", ["RB008"]),
            ("big.yaml", "services:\n", []),
        ],
    )
    def test_a_file_over_the_limit_is_a_problem_if_it_seems_ours(
        self, rubric: Any, folder: Path, name: str, head: str, codes: list[str]
    ) -> None:
        """It is judged by its name and its start; the rest is never read."""
        with (folder / name).open("w") as stream:
            stream.write(head)
            stream.truncate(200_000_000)
        result = rubric("check", "--format", "json")
        assert [code for _, code in found(result)] == codes
        assert result.exit_code == (1 if codes else 0)
        assert found(rubric("check", "--format", "json", "--ignore", "too-complex", name)) == []

    def test_a_link_that_leads_nowhere_is_named(self, rubric: Any, folder: Path) -> None:
        """If the user named it; in a folder it is passed over."""
        (folder / "gone.eval.yaml").symlink_to(folder / "nowhere")
        assert rubric("check").exit_code == 0
        result = rubric("check", "gone.eval.yaml")
        assert (result.exit_code, result.stderr) == (2, "rubric: gone.eval.yaml: The file does not exist.\n")

    def test_a_loop_of_folders_ends(self, rubric: Any, texts: Any, folder: Path) -> None:
        """A folder is walked once, whatever links lead to it."""
        write(folder / "sub" / "a.yaml", texts.inverted)
        (folder / "sub" / "again").symlink_to(folder, target_is_directory=True)
        assert found(rubric("check", "--format", "json", *SELECTED)) == [("sub/a.yaml", "RB104")]

    def test_an_error_of_ours_costs_one_file_and_one_line(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The file is named, the others are reported, and there is no traceback unless it is asked for."""
        import rubric_core.analysis.check as engine  # noqa: PLC0415 - replaced by this test only.

        write(folder / "a.yaml", texts.inverted)
        write(folder / "b.yaml", texts.good)
        real = engine.check_text

        def fragile(text: str, **arguments: Any) -> Any:
            if text == texts.good:
                raise RuntimeError("broken rule")
            return real(text, **arguments)

        monkeypatch.setattr(engine, "check_text", fragile)
        result = rubric("check", *SELECTED)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert result.stderr.startswith("rubric: b.yaml: Internal error: RuntimeError: broken rule.")
        assert "error[RB104]" in result.stdout
        stdin = rubric("check", "-", stdin=texts.good)
        assert stdin.exit_code == 2
        assert "rubric: <stdin>: Internal error" in stdin.stderr
        monkeypatch.setenv("RUBRIC_DEBUG", "1")
        with pytest.raises(RuntimeError, match="broken rule"):
            rubric("check")
        with pytest.raises(RuntimeError, match="broken rule"):
            rubric("check", "-", stdin=texts.good)

    def test_a_rule_that_fails_is_reported_beside_what_the_others_found(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A check in which a rule did not run is not a success."""
        import rubric_core.analysis.check as engine  # noqa: PLC0415 - replaced by this test only.

        write(folder / "a.yaml", texts.inverted)
        real = engine.check_text

        def with_failing_rule(text: str, **arguments: Any) -> Any:
            logging.getLogger("rubric").error("Rule RB999 failed: broken")
            return real(text, **arguments)

        monkeypatch.setattr(engine, "check_text", with_failing_rule)
        result = rubric("check", *SELECTED)
        assert result.exit_code == 2
        assert "error[RB104]" in result.stdout
        assert result.stderr.startswith("rubric: a.yaml: Rule RB999 failed: broken. The other rules ran.")
        assert result.stderr.count("\n") == 1
        monkeypatch.setenv("RUBRIC_DEBUG", "1")
        assert rubric("check", *SELECTED).exit_code == 1

    def test_each_file_in_which_a_rule_fails_is_named(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also where it fails in the same way as in a file before."""
        import rubric_core.analysis.check as engine  # noqa: PLC0415 - replaced by this test only.
        from rubric_core.analysis.rule_runner import report_failure  # noqa: PLC0415 - the same.
        from rubric_core.rules.registry import known_rules  # noqa: PLC0415 - the same.

        for name in ("a.yaml", "b.yaml"):
            write(folder / name, texts.inverted)
        real = engine.check_text

        def with_failing_rule(text: str, **arguments: Any) -> Any:
            report_failure(known_rules()["RB001"], RuntimeError("broken"))
            return real(text, **arguments)

        monkeypatch.setattr(engine, "check_text", with_failing_rule)
        result = rubric("check", *SELECTED)
        assert [line.split(": ")[1] for line in result.stderr.splitlines()] == ["a.yaml", "b.yaml"]
        assert result.exit_code == 2


class TestShowing:
    """What is printed and where."""

    def test_text_has_frames_and_a_summary(self, rubric: Any, texts: Any, folder: Path) -> None:
        """Quiet leaves the summary out."""
        write(folder / "a.yaml", texts.inverted)
        write(folder / "b.yaml", texts.good)
        result = rubric("check", *SELECTED)
        assert " --> a.yaml:11:26\n" in result.stdout
        assert result.stdout.endswith("Found 1 error in 1 of 2 files; 1 can be fixed with `rubric fix`.\n")
        assert result.stderr == ""
        assert "Found" not in rubric("check", "--quiet", *SELECTED).stdout

    def test_colours_follow_the_environment(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A pipe gets none unless they are forced; a file never gets any."""
        write(folder / "a.yaml", texts.inverted)
        assert "\x1b[" not in rubric("check", *SELECTED).stdout
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[1;31merror[RB104]" in rubric("check", *SELECTED).stdout
        rubric("check", *SELECTED, "--output", "report.txt")
        assert "\x1b[" not in (folder / "report.txt").read_text()

    def test_output_goes_to_a_file_and_the_summary_to_standard_error(
        self, rubric: Any, texts: Any, folder: Path
    ) -> None:
        """So a log shows how it went."""
        write(folder / "a.yaml", texts.inverted)
        result = rubric("check", *SELECTED, "--format", "sarif", "--output", "r.sarif")
        assert json.loads((folder / "r.sarif").read_text())["version"] == "2.1.0"
        assert result.stdout == ""
        assert result.stderr.startswith("Found 1 error in 1 file")
        assert rubric("check", "-q", "--format", "sarif", "--output", "r.sarif").stderr == ""

    def test_output_that_cannot_be_written_is_two(self, rubric: Any, texts: Any, folder: Path) -> None:
        """The reason is on standard error."""
        write(folder / "a.yaml", texts.good)
        result = rubric("check", "--output", "missing/folder/r.txt")
        assert result.exit_code == 2
        assert "cannot be written" in result.stderr

    def test_statistics_count_by_rule(self, rubric: Any, texts: Any, folder: Path) -> None:
        """As a table or as JSON."""
        write(folder / "a.yaml", texts.both)
        write(folder / "b.yaml", texts.inverted)
        result = rubric("check", *SELECTED, "--statistics")
        assert result.stdout.startswith("2  RB104  inverted-score-range  error  fixable\n1  RB102  ")
        data = json.loads(rubric("check", *SELECTED, "--statistics", "--format", "json").stdout)
        assert [(one["code"], one["count"]) for one in data] == [("RB104", 2), ("RB102", 1)]

    def test_progress_is_shown_on_a_terminal_only_and_erased(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A log must not hold a counter."""
        for number in range(25):
            write(folder / f"{number}.yaml", texts.good)
        assert "Checked" not in rubric("check", *SELECTED).stderr
        monkeypatch.setattr("rubric_core.cli.output.stderr_is_terminal", lambda: True)
        shown = rubric("check", *SELECTED).stderr
        assert "Checked 1 of 25 files" in shown
        assert shown.endswith("\r\x1b[1A\x1b[2K")
        assert "Checked" not in rubric("check", "--quiet", *SELECTED).stderr


class TestRules:
    """Which rules count."""

    def test_select_and_ignore_take_codes_names_prefixes_and_lists(self, rubric: Any, texts: Any, folder: Path) -> None:
        """The more specific one wins."""
        write(folder / "a.yaml", texts.both)
        for arguments, codes in (
            (["--select", "inverted-score-range"], ["RB104"]),
            (["--select", "RB102, RB104"], ["RB104", "RB102"]),
            (["--select", "RB1", "--ignore", "RB104"], ["RB102"]),
        ):
            assert [code for _, code in found(rubric("check", "--format", "json", *arguments))] == codes

    def test_the_configuration_nearest_above_the_file_counts(self, rubric: Any, texts: Any, folder: Path) -> None:
        """Another file can be named instead, or none be read."""
        write(folder / "rubric.toml", 'select = ["RB104"]\n')
        write(folder / "sub" / "rubric.toml", 'select = ["RB102"]\nexclude = ["drafts"]\n')
        write(folder / "a.yaml", texts.both)
        write(folder / "sub" / "deep" / "b.yaml", texts.both)
        write(folder / "sub" / "drafts" / "c.yaml", texts.both)
        report = ("check", "--format", "json")
        assert found(rubric(*report)) == [("a.yaml", "RB104"), ("sub/deep/b.yaml", "RB102")]
        named = found(rubric(*report, "--config", "sub/rubric.toml", "a.yaml", "sub"))
        assert named == [("a.yaml", "RB102"), ("sub/deep/b.yaml", "RB102")]
        both = found(rubric(*report, "--no-config", "--select", "RB10", "a.yaml"))
        assert both == [("a.yaml", "RB104"), ("a.yaml", "RB102")]

    def test_the_command_line_is_on_top_of_the_configuration(self, rubric: Any, texts: Any, folder: Path) -> None:
        """Its select replaces the file's."""
        write(folder / "rubric.toml", 'select = ["RB104"]\n')
        write(folder / "a.yaml", texts.both)
        assert found(rubric("check", "--format", "json", "--select", "RB102")) == [("a.yaml", "RB102")]

    def test_what_is_wrong_with_the_configuration_is_reported_like_the_rest(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With a frame, once, first, and it fails the check; also when the files went to other processes."""
        write(folder / "rubric.toml", 'select = ["RB104"]\nlimits = 3\n')
        for name in ("a.yaml", "sub/b.yaml"):
            write(folder / name, texts.good)
        for pool in (500_000, 1):
            monkeypatch.setattr("rubric_core.cli.parallel.WORTH_A_POOL", pool)
            result = rubric("check", "--jobs", "2")
            assert result.exit_code == 1
            assert result.stdout.count("error[RB903]") == 1
            assert "2 | limits = 3\n" in result.stdout

    def test_a_named_configuration_that_cannot_be_read_stops_the_command(
        self, rubric: Any, texts: Any, folder: Path
    ) -> None:
        """Checking with other rules than the user's would be worse."""
        write(folder / "odd.toml", b"\xff")
        write(folder / "a.yaml", texts.good)
        result = rubric("check", "--config", "odd.toml")
        assert result.exit_code == 2
        assert "not text" in result.stderr


class TestStandardInput:
    """A text that is on no disk."""

    def test_the_name_is_shown_and_finds_the_configuration(self, rubric: Any, texts: Any, folder: Path) -> None:
        """As if the file were there."""
        write(folder / "sub" / "rubric.toml", 'select = ["RB102"]\n')
        arguments = ("check", "--format", "json", "--stdin-filename", "sub/new.yaml")
        assert found(rubric(*arguments, "-", stdin=texts.both)) == [("sub/new.yaml", "RB102")]
        assert found(rubric(*arguments, stdin=texts.both)) == [("sub/new.yaml", "RB102")]

    def test_without_a_name_the_text_decides(self, rubric: Any, texts: Any) -> None:
        """Other YAML is passed over as ever."""
        assert found(rubric("check", "-", "--format", "json", *SELECTED, stdin=texts.inverted)) == [
            ("<stdin>", "RB104")
        ]
        assert rubric("check", "-", *SELECTED, stdin=texts.other).exit_code == 0

    def test_what_is_no_text_is_two(self, rubric: Any) -> None:
        """As for a file."""
        result = rubric("check", "-", stdin=b"\xff\x00")
        assert result.exit_code == 2
        assert result.stderr.startswith("rubric: <stdin>: The file is not text")


class TestBaseline:
    """Adopting the check on an old suite."""

    def test_only_new_problems_fail(self, rubric: Any, texts: Any, folder: Path) -> None:
        """What was recorded is counted and not shown."""
        write(folder / "a.yaml", texts.inverted)
        made = rubric("check", *SELECTED, "--baseline", "known.json", "--write-baseline")
        assert made.exit_code == 0
        assert made.stderr == "Wrote 1 problem of 1 file to known.json.\n"
        known = rubric("check", *SELECTED, "--baseline", "known.json")
        assert known.exit_code == 0
        assert known.stdout == "No new problems in 1 file. 1 known problem of the baseline is not shown.\n"
        write(folder / "a.yaml", f"# moved\n{texts.both}")
        new = rubric("check", "--format", "json", *SELECTED, "--baseline", "known.json")
        assert new.exit_code == 1
        assert found(new) == [("a.yaml", "RB102")]

    def test_it_does_not_matter_where_the_check_is_started(
        self, rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Paths count from the folder of the baseline."""
        write(folder / "sub" / "a.yaml", texts.inverted)
        rubric("check", *SELECTED, "--baseline", "known.json", "--write-baseline", "-q")
        assert list(json.loads((folder / "known.json").read_text())["problems"]) == ["sub/a.yaml"]
        monkeypatch.chdir(folder / "sub")
        assert rubric("check", *SELECTED, "--baseline", "../known.json").exit_code == 0

    def test_it_says_when_the_baseline_can_shrink_and_shrinks_it(self, rubric: Any, texts: Any, folder: Path) -> None:
        """Entries of files that were not looked at stay, those of deleted files go."""
        for name in ("a.yaml", "b.yaml", "c.yaml", "sub/d.yaml"):
            write(folder / name, texts.inverted)
        rubric("check", *SELECTED, "--baseline", "known.json", "--write-baseline")
        write(folder / "a.yaml", texts.good)
        (folder / "c.yaml").unlink()
        checked = rubric("check", *SELECTED, "--baseline", "known.json", "a.yaml")
        assert checked.stderr == "1 known problem is gone. Update the baseline with `--write-baseline`.\n"
        rubric("check", *SELECTED, "--baseline", "known.json", "--write-baseline", "a.yaml", "sub")
        assert list(json.loads((folder / "known.json").read_text())["problems"]) == ["b.yaml", "sub/d.yaml"]

    @pytest.mark.parametrize("content", ["", "[]", '{"version": 9, "problems": {}}'])
    def test_a_broken_baseline_is_two(self, rubric: Any, texts: Any, folder: Path, content: str) -> None:
        """It is neither taken for an empty one nor overwritten."""
        write(folder / "a.yaml", texts.inverted)
        write(folder / "known.json", content)
        for more in ([], ["--write-baseline"]):
            result = rubric("check", "--baseline", "known.json", *more)
            assert result.exit_code == 2
            assert "rubric: known.json: This baseline cannot be used" in result.stderr
        assert (folder / "known.json").read_text() == content


@pytest.mark.slow
def test_a_report_says_how_many_fixes_were_not_tried(rubric: Any, texts: Any, folder: Path) -> None:
    """Each fix is tried on its whole case, so that there is a limit where a case has hundreds of problems."""
    write(folder / "a.yaml", texts.good + "    note: v\n" * 500)
    listed = json.loads(rubric("check", "--select", "RB002", "--format", "json").stdout)
    tried = sum(bool(problem["fixes"]) for problem in listed)
    untried = sum(problem.get("untried_fixes", False) for problem in listed)
    assert tried >= 10
    assert tried + untried == len(listed) == 499
    assert all(problem["fixes"] == [] for problem in listed if "untried_fixes" in problem)
    summary = rubric("check", "--select", "RB002").stdout.splitlines()[-1]
    can_be_fixed = f"{tried} can be fixed with `rubric fix --unsafe`; fixes of {untried} were not tried."
    assert summary == f"Found 499 errors in 1 file; {can_be_fixed}"
    counted = rubric("check", "--select", "RB002", "--statistics").stdout.splitlines()[0]
    assert counted == f"499  RB002  duplicate-key  error  {tried} fixable, {untried} not tried"
    assert rubric("fix", "--unsafe", "--select", "RB002").stderr == "Fixed 499 problems in 1 file.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Signals and pipes are those of Unix.")
class TestProcess:
    """The command as a process of its own."""

    def test_it_prints_and_ends_with_its_status(self, process: Any, texts: Any, folder: Path) -> None:
        """The same as within this process."""
        write(folder / "a.yaml", texts.inverted)
        running = process("check", *SELECTED)
        stdout, stderr = running.communicate()
        assert "error[RB104]" in stdout
        assert (running.returncode, stderr) == (1, "")

    @pytest.mark.slow
    def test_a_reader_that_goes_away_is_no_error(self, process: Any, texts: Any, folder: Path) -> None:
        """As with `rubric check | head -1`: the status still tells of the problems."""
        for number in range(400):
            write(folder / f"{number}.yaml", texts.both)
        running = process("check", *SELECTED)
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait() == 1

    def test_a_console_without_unicode_gets_escapes(self, process: Any, texts: Any, folder: Path) -> None:
        """Printing never fails for want of a character."""
        write(folder / "a.yaml", texts.inverted.replace("# kept", "# 日本 😀"))
        running = process("check", *SELECTED, PYTHONIOENCODING="ascii")
        stdout, stderr = running.communicate()
        assert "\\u65e5\\u672c" in stdout
        assert (running.returncode, stderr) == (1, "")
