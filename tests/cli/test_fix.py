"""`rubric fix`: what it changes, what it says and how it ends."""

from __future__ import annotations

import stat
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SELECTED = ("--select", "RB104,RB102,RB006")


def test_safe_fixes_are_written_and_counted(rubric: Any, texts: Any, folder: Path) -> None:
    """Everything outside of the edit stays, the comment included."""
    (folder / "a.yaml").write_text(texts.inverted)
    (folder / "b.yaml").write_text(texts.good)
    result = rubric("fix", *SELECTED)
    assert (folder / "a.yaml").read_text() == texts.good
    assert result.exit_code == 0
    assert result.stdout == "a.yaml\n  1 x RB104 inverted-score-range\n"
    assert result.stderr == "Fixed 1 problem in 1 of 2 files.\n"


def test_what_remains_is_reported_and_decides_the_status(rubric: Any, texts: Any, folder: Path) -> None:
    """An unsafe fix is made only when it is asked for."""
    path = folder / "a.yaml"
    path.write_text(texts.both)
    first = rubric("fix", *SELECTED)
    assert first.exit_code == 1
    assert first.stderr == "Fixed 1 problem in 1 file; 1 error remains (`rubric check` lists them).\n"
    assert path.read_text() == texts.out_of_bounds
    again = rubric("fix", *SELECTED)
    assert (again.exit_code, again.stdout) == (1, "")
    assert again.stderr == "Nothing to fix in 1 file; 1 error remains (`rubric check` lists them).\n"
    unsafe = rubric("fix", "--unsafe", *SELECTED)
    assert unsafe.exit_code == 0
    assert path.read_text() == texts.good


def test_select_and_ignore_say_what_is_fixed(rubric: Any, texts: Any, folder: Path) -> None:
    """Rules that are not meant are neither fixed nor counted."""
    path = folder / "a.yaml"
    path.write_text(texts.both)
    result = rubric("fix", "--unsafe", "--select", "RB1", "--ignore", "inverted-score-range", "-q")
    assert path.read_text() == texts.inverted
    assert (result.exit_code, result.output) == (0, "")


def test_line_breaks_and_the_byte_order_mark_stay(rubric: Any, texts: Any, folder: Path) -> None:
    """The bytes outside of the edit are those that were there."""
    path = folder / "a.yaml"
    before = b"\xef\xbb\xbf" + texts.inverted.replace("\n", "\r\n").encode()
    path.write_bytes(before)
    path.chmod(0o640)
    assert rubric("fix", *SELECTED).exit_code == 0
    assert path.read_bytes() == before.replace(b"[5, 0]", b"[0, 5]")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("ending", ["", "\n"])
def test_a_diff_can_be_applied_by_git(rubric: Any, texts: Any, folder: Path, line_break: str, ending: str) -> None:
    """Nothing is written by the command itself, and the status says that there is something to change."""
    path = folder / "sub dir" / "a.yaml"
    path.parent.mkdir()
    before = (texts.inverted.rstrip("\n") + ending).replace("\n", line_break)
    path.write_bytes(before.encode())
    result = rubric("fix", "--diff", *SELECTED)
    assert result.exit_code == 1
    assert path.read_bytes() == before.encode()
    (folder / "changes.patch").write_bytes(result.stdout_bytes)
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)  # noqa: S607 - whichever git is installed.
    subprocess.run(["git", "apply", "changes.patch"], cwd=folder, check=True)  # noqa: S607 - the same.
    assert path.read_bytes() == before.replace("[5, 0]", "[0, 5]").encode()
    after = rubric("fix", "--diff", *SELECTED)
    assert (after.exit_code, after.stdout) == (0, "")


@pytest.mark.parametrize("name", ["a\x1b[31m.yaml", "a\nb.yaml", "caf\udce9.yaml", 'a "b".yaml'])
def test_a_diff_of_a_file_with_an_odd_name_can_be_applied(rubric: Any, texts: Any, folder: Path, name: str) -> None:
    """The name is quoted as git does, and no byte of it reaches a terminal raw."""
    path = folder / name
    path.write_text(texts.inverted)
    diff = rubric("fix", *SELECTED, "--diff").stdout
    assert diff.isascii()
    assert "\x1b" not in diff
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)  # noqa: S607 - whichever git is installed.
    subprocess.run(["git", "apply", "-"], cwd=folder, input=diff.encode(), check=True)  # noqa: S607 - the same.
    assert path.read_text() == texts.good


def test_a_coloured_diff_is_safe_for_a_terminal(
    rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in the file is made visible; added and removed lines have their colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    (folder / "a.yaml").write_text(texts.inverted.replace("# kept", "# \u202e"))
    shown = rubric("fix", "--diff", *SELECTED).stdout
    assert "\x1b[31m-          - score_range: [5, 0]  # <U+202E>\x1b[0m\n" in shown
    assert "\x1b[32m+          - score_range: [0, 5]  # <U+202E>\x1b[0m\n" in shown


def test_standard_input_goes_fixed_to_standard_output(rubric: Any, texts: Any) -> None:
    """Byte-exact, and other YAML passes through."""
    crlf = texts.both.replace("\n", "\r\n")
    result = rubric("fix", "-", "--stdin-filename", "new.yaml", *SELECTED, stdin=crlf.encode())
    assert result.exit_code == 1
    assert result.stdout_bytes == crlf.replace("[5, 0]", "[0, 5]").encode()
    assert rubric("fix", "-", *SELECTED, stdin=texts.other).stdout == texts.other
    patch = rubric("fix", "-", "--diff", "--stdin-filename", "new.yaml", *SELECTED, stdin=texts.inverted)
    assert patch.exit_code == 1
    assert patch.stdout.startswith("--- a/new.yaml\n+++ b/new.yaml\n")


def test_what_is_no_text_on_standard_input_is_two(rubric: Any) -> None:
    """There is nothing to give back."""
    result = rubric("fix", "-", stdin=b"\x00")
    assert (result.exit_code, result.stdout) == (2, "")


def test_an_error_of_ours_changes_nothing_and_is_two(
    rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input comes out as it went in, so that an editor loses nothing."""
    (folder / "a.yaml").write_text(texts.inverted)

    def broken(*_arguments: Any, **_options: Any) -> None:
        raise RuntimeError("broken fix")

    monkeypatch.setattr("rubric_core.cli.commands.fix.fix_text", broken)
    result = rubric("fix")
    assert result.exit_code == 2
    assert "rubric: a.yaml: Internal error: RuntimeError: broken fix." in result.stderr
    stdin = rubric("fix", "-", stdin=texts.inverted)
    assert (stdin.exit_code, stdin.stdout) == (2, texts.inverted)
    monkeypatch.setenv("RUBRIC_DEBUG", "1")
    with pytest.raises(RuntimeError):
        rubric("fix")


def test_files_that_cannot_be_read_or_written_are_named(
    rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are fixed."""
    from rubric_core.files.write import Unwritable, write_text  # noqa: PLC0415 - replaced by this test only.

    (folder / "a.yaml").write_text(texts.inverted)
    (folder / "b.yaml").write_text(texts.inverted)
    (folder / "c.yaml").write_bytes(b"\x00")

    def write(path: Path, *arguments: Any, **options: Any) -> Unwritable | None:
        return Unwritable("The disk is full.") if path.name == "a.yaml" else write_text(path, *arguments, **options)

    monkeypatch.setattr("rubric_core.cli.commands.fix.write_text", write)
    result = rubric("fix", *SELECTED, "a.yaml", "b.yaml", "c.yaml", "d.yaml")
    assert result.exit_code == 2
    for line in ("rubric: a.yaml: The disk is full.", "rubric: c.yaml: The file is not text", "d.yaml does not exist."):
        assert line in result.stderr
    assert (folder / "a.yaml").read_text() == texts.inverted
    assert (folder / "b.yaml").read_text() == texts.good
    assert result.stdout == "b.yaml\n  1 x RB104 inverted-score-range\n"
    assert "Fixed 1 problem in 1 file." in result.stderr
    assert rubric("fix", *SELECTED, ".").exit_code == 2


def test_a_file_that_was_saved_meanwhile_is_left_alone(
    rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What somebody saved while fixes were made is not lost, and nothing is said to be fixed."""
    from rubric_core.cli.commands import fix as fixing  # noqa: PLC0415 - replaced by this test only.

    real = fixing.fix_text
    (folder / "a.yaml").write_text(texts.inverted)
    (folder / "b.yaml").write_text(texts.inverted)

    def fix_while_somebody_saves(text: str, *, path: str, **options: Any) -> Any:
        if path.endswith("a.yaml"):
            (folder / "a.yaml").write_text(f"{text}# mine\n")
        return real(text, path=path, **options)

    monkeypatch.setattr("rubric_core.cli.commands.fix.fix_text", fix_while_somebody_saves)
    result = rubric("fix", *SELECTED)
    assert (folder / "a.yaml").read_text() == f"{texts.inverted}# mine\n"
    assert (folder / "b.yaml").read_text() == texts.good
    assert result.exit_code == 2
    assert result.stdout == "b.yaml\n  1 x RB104 inverted-score-range\n"
    assert "Fixed 1 problem in 1 file." in result.stderr
    assert "rubric: a.yaml: The file was changed by another program, so it was left as it is" in result.stderr


def test_each_file_is_written_before_the_next_one_is_read(
    rubric: Any, texts: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time in which a save by somebody else is in the way is that of one file, not of the whole run."""
    from rubric_core.cli.commands import fix as fixing  # noqa: PLC0415 - replaced by this test only.

    real = fixing.fix_text
    seen: list[str] = []
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text(texts.inverted)

    def look_at_the_first(text: str, **options: Any) -> Any:
        seen.append((folder / "a.yaml").read_text())
        return real(text, **options)

    monkeypatch.setattr("rubric_core.cli.commands.fix.fix_text", look_at_the_first)
    rubric("fix", *SELECTED)
    assert seen == [texts.inverted, texts.good]


def test_temporary_files_of_killed_runs_are_removed(rubric: Any, texts: Any, folder: Path) -> None:
    """Also beside a file that needs no fix any more; `--diff` touches nothing."""
    (folder / "a.yaml").write_text(texts.good)
    leftover = folder / ".a.yaml.0123456789abcdef.tmp"
    leftover.write_text("half a te")
    rubric("fix", *SELECTED, "--diff")
    assert leftover.exists()
    rubric("fix", *SELECTED)
    assert not leftover.exists()


def test_a_wrong_configuration_is_reported_and_stops_nothing(rubric: Any, texts: Any, folder: Path) -> None:
    """The rest of it counts."""
    (folder / "rubric.toml").write_text('select = ["RB104"]\nlimits = 3\n')
    (folder / "a.yaml").write_text(texts.both)
    result = rubric("fix", "--unsafe")
    assert (folder / "a.yaml").read_text() == texts.out_of_bounds
    assert result.exit_code == 0
    assert "rubric: rubric.toml: The configuration has 1 problem; `rubric check` shows them.\n" in result.stderr
    assert rubric("fix", "--quiet").stderr == ""


def test_what_is_found_in_a_folder_and_is_no_text_is_passed_over(rubric: Any, texts: Any, folder: Path) -> None:
    """As in a check."""
    (folder / "blob.yaml").write_bytes(b"\x00")
    (folder / "compose.yaml").write_text(texts.other)
    assert rubric("fix", "blob.yaml").exit_code == 2
    none = rubric("fix")
    assert (none.exit_code, none.stderr) == (0, "No eval files found.\n")
    (folder / "blob.yaml").rename(folder / "blob.eval.yaml")
    assert rubric("fix").exit_code == 2


@pytest.mark.parametrize("arguments", [["-", "a.yaml"], ["--select", "RB999"], ["a.yaml", "--stdin-filename", "b"]])
def test_what_makes_no_sense_is_two(rubric: Any, arguments: list[str]) -> None:
    """As in a check."""
    assert rubric("fix", *arguments).exit_code == 2
