"""Finding the files to check."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_core.config.config import Config
from rubric_core.files.walk import Found, find_files, may_be_ours

if TYPE_CHECKING:
    from pathlib import Path


def make(root: Path, *names: str, **texts: str) -> None:
    """Make files; a name that ends with a slash is a folder."""
    for name in names:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    for name, text in texts.items():
        (root / name).write_text(text)


def found(*paths: Path, base: Path, config: Config | None = None) -> list[str]:
    """List what is found below a folder."""
    files = find_files(paths, config or Config())
    return [os.path.relpath(file.path, base) if file.error is None else file.error for file in files]


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    """YAML and JSON Lines are found at any depth, the files of a folder before its folders, by name."""
    make(tmp_path, "b.yaml", "a.yml", "c.jsonl", "d.json", "e.txt", "x/a.yaml", "x/y/z.yaml", "w/b.yaml", "empty/")
    assert found(tmp_path, base=tmp_path) == [
        "a.yml",
        "b.yaml",
        "c.jsonl",
        "w/b.yaml",
        "x/a.yaml",
        "x/y/z.yaml",
    ]


def test_some_folders_are_left_out(tmp_path: Path) -> None:
    """Hidden folders and installed packages are not walked, except `.agentv`; hidden files are taken."""
    names = (".git", "node_modules", ".venv", ".github", "__pycache__", "site-packages", ".agentv", "plain")
    make(tmp_path, ".hidden.yaml", *(f"{name}/a.yaml" for name in names))
    assert found(tmp_path, base=tmp_path) == [".hidden.yaml", ".agentv/a.yaml", "plain/a.yaml"]
    assert found(tmp_path / ".github", base=tmp_path) == [".github/a.yaml"]


def test_a_named_file_is_always_taken(tmp_path: Path) -> None:
    """Neither its suffix nor what ignores it matters, and each file comes once."""
    make(tmp_path, "a.txt", "b.yaml", "c.yaml")
    (tmp_path / ".gitignore").write_text("b.yaml\n")
    config = Config(root=tmp_path, exclude=("c.yaml",))
    assert found(tmp_path, base=tmp_path, config=config) == []
    named = (tmp_path / "c.yaml", tmp_path / "a.txt", tmp_path / "b.yaml", tmp_path / "a.txt", tmp_path)
    assert found(*named, base=tmp_path, config=config) == ["c.yaml", "a.txt", "b.yaml"]
    assert next(find_files([tmp_path / "a.txt"])) == Found(tmp_path / "a.txt", explicit=True)


def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    """The other paths are walked all the same; a link that leads nowhere is left to the reader."""
    make(tmp_path, "a.yaml")
    (tmp_path / "dangling.yaml").symlink_to(tmp_path / "nowhere")
    missing = tmp_path / "no"
    assert found(missing, tmp_path, base=tmp_path) == [f"{missing} does not exist.", "a.yaml"]
    assert found(tmp_path / "dangling.yaml", base=tmp_path) == ["dangling.yaml"]


def test_excluded_folders_are_not_entered(tmp_path: Path) -> None:
    """Globs of the configuration leave out files and whole folders."""
    make(tmp_path, "a.yaml", "a.draft.yaml", "vendor/a.yaml", "x/vendor/a.yaml", "x/b.yaml")
    config = Config(root=tmp_path, exclude=("/vendor", "*.draft.yaml"))
    assert found(tmp_path, base=tmp_path, config=config) == ["a.yaml", "x/b.yaml", "x/vendor/a.yaml"]


def test_a_root_behind_a_link_is_the_same_root(tmp_path: Path) -> None:
    """Globs and ignore files count from the folder that the link leads to; paths are shown as they were named."""
    make(tmp_path, "real/vendor/a.yaml", "real/b.yaml", "real/c.yaml")
    (tmp_path / "real" / ".gitignore").write_text("/c.yaml\n")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    config = Config(root=link, exclude=("/vendor",))
    assert found(link, base=tmp_path, config=config) == ["link/b.yaml"]


def test_ignore_files_are_read_without_a_repository(tmp_path: Path) -> None:
    """Nested files add to those above and can take back what these say; comments and blank lines say nothing."""
    make(tmp_path, "a.yaml", "b.yaml", "x/a.yaml", "x/b.yaml", "out/a.yaml")
    (tmp_path / ".gitignore").write_bytes("\ufeffa.yaml\r\n\r\n# b.yaml\r\nout/\r\n".encode())
    (tmp_path / "x" / ".gitignore").write_text("!a.yaml\n/b.yaml   \n")
    (tmp_path / "out" / ".gitignore").write_text("!a.yaml\n")
    assert found(tmp_path, base=tmp_path) == ["b.yaml", "x/a.yaml"]


def test_a_name_may_end_with_a_space(tmp_path: Path) -> None:
    """A backslash keeps the space of a pattern, other spaces at its end are dropped."""
    make(tmp_path, "d /a.yaml", "e /a.yaml", "f/a.yaml")
    (tmp_path / ".gitignore").write_text("d\\ \ne \nf  \n")
    assert found(tmp_path, base=tmp_path) == ["e /a.yaml"]


def test_a_repository_reaches_into_its_folders(tmp_path: Path) -> None:
    """Walking a part of a repository follows the ignore files above it, up to its root and not beyond."""
    make(tmp_path, "repo/.git/info/", "repo/x/a.yaml", "repo/x/b.yaml", "repo/x/c.yaml", "repo/x/d.yaml")
    (tmp_path / ".gitignore").write_text("d.yaml\n")
    (tmp_path / "repo" / ".gitignore").write_text("a.yaml\n")
    (tmp_path / "repo" / ".git" / "info" / "exclude").write_text("b.yaml\n/x/c.yaml\n")
    assert found(tmp_path / "repo" / "x", base=tmp_path) == ["repo/x/d.yaml"]
    assert found(tmp_path / "repo", base=tmp_path) == ["repo/x/d.yaml"]


_NAMES = st.sampled_from(["a", "b", "build", "keep"])
_PATTERNS = st.sampled_from(
    """a|b/|/a|build/*|build/**|!build/keep.yaml|**/a|a/**/b|*.yaml|!keep.yaml|!a/|/b/*|!/b/keep|a/b|!a/b|keep*|\\!x|# c
    ||!b/**|*|!*/|!*.yaml|/build/|!/build/keep/|[ab]|[!a]|*.y[a-m]ml|a\\ |**/|**|***/a|a/***|a//b|/|[z-a]""".replace(
        "\n", ""
    ).split("|")
)


@pytest.mark.skipif(shutil.which("git") is None, reason="The peer is Git itself.")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    folders=st.lists(st.lists(_NAMES, max_size=3), min_size=1, max_size=5),
    names=st.lists(_NAMES, min_size=1, max_size=4),
    ignores=st.lists(st.tuples(st.integers(0, 4), st.lists(_PATTERNS, min_size=1, max_size=4)), max_size=3),
)
def test_git_ignores_the_same_files(
    tmp_path_factory: pytest.TempPathFactory,
    folders: list[list[str]],
    names: list[str],
    ignores: list[tuple[int, list[str]]],
) -> None:
    """Whatever the patterns, we leave out what Git leaves out."""
    root = tmp_path_factory.mktemp("repository")
    git = ["git", "-C", str(root), "-c", "core.excludesFile="]
    subprocess.run([*git, "init", "-q"], check=True)
    places = [root.joinpath(*folder) for folder in folders]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
        for name in names:
            (place / f"{name}.yaml").touch()
    for number, patterns in ignores:
        (places[number % len(places)] / ".gitignore").write_text("\n".join(patterns) + "\n")
    listed = subprocess.run(
        [*git, "ls-files", "-o", "--exclude-standard", "*.yaml"], check=True, capture_output=True, text=True
    )
    assert sorted(found(root, base=root)) == sorted(listed.stdout.split("\n")[:-1])
    shutil.rmtree(root)


def test_links_never_loop(tmp_path: Path) -> None:
    """A folder is entered once, however many links lead to it, and a file comes once."""
    make(tmp_path, "a/b/x.yaml")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "self").symlink_to("self")
    (tmp_path / "a" / "self.yaml").symlink_to("self.yaml")
    (tmp_path / "z").symlink_to(tmp_path / "a" / "b")
    (tmp_path / "z.yaml").symlink_to(tmp_path / "a" / "b" / "x.yaml")
    assert found(tmp_path, base=tmp_path) == ["z.yaml"]
    (tmp_path / "z.yaml").unlink()
    assert found(tmp_path, base=tmp_path) == ["a/b/x.yaml"]


def test_links_do_not_leave_the_workspace(tmp_path: Path) -> None:
    """A link to a folder or a file outside is followed only when the user allows it."""
    make(tmp_path, "inside/a.yaml", "outside/b.yaml", "inside/evals/")
    (tmp_path / "inside" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "inside" / "link.yaml").symlink_to(tmp_path / "outside" / "b.yaml")
    inside = tmp_path / "inside"
    assert found(inside, base=inside) == ["a.yaml"]
    assert found(inside, base=inside, config=Config(root=inside / "evals")) == ["a.yaml"]
    assert found(inside, base=inside, config=Config(root=tmp_path)) == ["a.yaml", "link.yaml"]
    assert found(inside, base=inside, config=Config(allow_outside=True)) == ["a.yaml", "link.yaml"]


def test_a_folder_named_like_a_file_is_a_folder(tmp_path: Path) -> None:
    """Pipes are not files, folders may be called `x.yaml`."""
    make(tmp_path, "x.yaml/a.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    assert found(tmp_path, base=tmp_path) == ["x.yaml/a.yaml"]


def test_a_folder_named_twice_is_walked_once(tmp_path: Path) -> None:
    """So is one that lies in another one that was named."""
    make(tmp_path, "a/x.yaml", "a/b/y.yaml")
    assert found(tmp_path / "a" / "b", tmp_path, tmp_path, base=tmp_path) == ["a/b/y.yaml", "a/x.yaml"]


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk goes on elsewhere."""
    make(tmp_path, "closed/a.yaml", "open/a.yaml")
    real_scandir = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real_scandir(path)

    monkeypatch.setattr("os.scandir", scandir)
    assert found(tmp_path, base=tmp_path) == [
        f"{tmp_path / 'closed'} cannot be listed: Permission denied.",
        "open/a.yaml",
    ]


@pytest.mark.slow
def test_a_deep_folder_is_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk needs no recursion: folders may nest deeper than calls."""
    make(tmp_path, "/".join(["d"] * 60) + "/a.yaml")
    depth = len(inspect.stack())
    monkeypatch.setattr("rubric_core.files.walk.is_excluded", lambda *_: len(inspect.stack()) > depth + 20)
    assert found(tmp_path, base=tmp_path) == ["d/" * 60 + "a.yaml"]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.yaml", "evalcases: []", True),
        ("a.yaml", "cases: [{rubrics: []}]", True),
        ("a.yaml", "cases: [{expected_outcome: x}]", True),
        ("a.yaml", "tests: [{input_messages: []}]", True),
        ("a.yaml", "# rubric: file", True),
        ("a.eval.yaml", "", True),
        ("a.yaml", "services: {}", False),
    ],
)
def test_most_yaml_is_distinguished_cheaply(path: str, text: str, *, expected: bool) -> None:
    """A text without any of our words is an eval file by its name only."""
    assert may_be_ours(path, text) is expected
