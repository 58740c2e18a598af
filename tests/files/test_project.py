"""What is around an eval file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.config.config import Config
from rubric_core.files.definition_files import TARGETS_FILES
from rubric_core.files.project import DiskProject, workspace_root

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Make a workspace with files at each level and one outside."""
    root = tmp_path / "workspace"
    (root / "evals" / "deep").mkdir(parents=True)
    for name in ("top.md", "evals/middle.md", "evals/deep/near.md", "../outside.md"):
        (root / name).touch()
    return root


def look(root: Path, config: Config | None = None) -> DiskProject:
    """Look from an eval file deep in the workspace."""
    return DiskProject(root / "evals" / "deep" / "x.eval.yaml", config or Config(root=root))


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("near.md", True),
        ("./near.md", True),
        ("middle.md", True),
        ("top.md", True),
        ("evals/middle.md", True),
        ("../middle.md", True),
        ("../../top.md", True),
        ("missing.md", False),
        ("../missing.md", False),
        ("../../../outside.md", None),
        ("../../../nowhere.md", None),
        ("../../outside.md", False),
        ("/top.md", True),
        ("/evals/middle.md", True),
        ("/nowhere/x.md", None),
        ("/../outside.md", None),
        ("a\0b", False),
        ("", True),
        ("x" * 5000, False),
    ],
)
def test_references_are_looked_up_upwards_to_the_root(
    workspace: Path, reference: str, *, expected: bool | None
) -> None:
    """A file exists if one of the folders up to the workspace's root has it; outside we do not look."""
    assert look(workspace).files(frozenset({reference})) == {reference: expected}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("*.md", True), ("../mid*.md", True), ("*.txt", False), ("../../../*.md", None), ("**/*.txt", None)],
)
def test_patterns_are_seen_from_the_eval_file(workspace: Path, pattern: str, expected: object) -> None:
    """One that goes through all folders, or leaves the workspace, is not followed."""
    assert look(workspace).files(frozenset({pattern})) == {pattern: expected}


def test_absolute_paths_inside_are_looked_up(workspace: Path) -> None:
    """An absolute path counts when it lies in the workspace."""
    inside, missing = str(workspace / "top.md"), str(workspace / "missing.md")
    outside = str(workspace.parent / "outside.md")
    paths = frozenset({inside, missing, outside})
    assert look(workspace).files(paths) == {inside: True, missing: False, outside: None}
    allowed = look(workspace, Config(root=workspace, allow_outside=True))
    assert allowed.files(paths | {"../../../outside.md"}) == {
        inside: True,
        missing: False,
        outside: True,
        "../../../outside.md": True,
    }


def test_nothing_outside_is_touched(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system is not even asked whether a path outside exists."""
    asked: list[str] = []
    monkeypatch.setattr("os.path.exists", lambda path: asked.append(str(path)))
    look(workspace).files(frozenset({"../../../outside.md", "/etc/passwd", "/../x", "../../a.md"}))
    assert asked
    assert all(path.startswith(str(workspace)) for path in asked)


def test_a_link_that_leads_outside_is_unknown(workspace: Path) -> None:
    """What a link outside holds is not told."""
    (workspace / "link.md").symlink_to(workspace.parent / "outside.md")
    assert look(workspace).files(frozenset({"link.md"})) == {"link.md": None}


def test_nothing_is_known_for_a_file_outside_of_the_workspace(workspace: Path) -> None:
    """Where the root is not above the file no folder lies in the workspace, so nothing is known."""
    project = DiskProject(workspace / "evals" / "x.yaml", root=workspace / "elsewhere")
    assert project.files(frozenset({"middle.md"})) == {"middle.md": None}
    assert project.targets is None


def test_answers_are_kept(workspace: Path) -> None:
    """After a file event, a new project looks again."""
    project = look(workspace)
    assert project.files(frozenset({"new.md"})) == {"new.md": False}
    (workspace / "new.md").touch()
    assert project.files(frozenset({"new.md"})) == {"new.md": False}
    assert look(workspace).files(frozenset({"new.md"})) == {"new.md": True}


def write_targets(folder: Path, text: str, name: str = "targets.yaml") -> None:
    """Write a targets file into a folder."""
    (folder / ".agentv").mkdir(exist_ok=True)
    (folder / ".agentv" / name).write_text(text)


def test_targets_come_from_the_nearest_file_and_the_configuration(workspace: Path) -> None:
    """Without a file nobody can know, even where the configuration has targets."""
    config = Config(root=workspace, targets={"local": {}})
    write_targets(workspace.parent, "targets:\n  - name: beyond\n")
    project = look(workspace, config)
    assert project.targets is None
    write_targets(workspace, "targets:\n  - name: far\n    provider: cli\n  - provider: x\n  - y\n", "targets.yml")
    assert project.targets is None
    assert look(workspace, config).targets == {"far", "local"}
    write_targets(workspace / "evals", "targets: [{name: near}, {name: [no]}]\n")
    assert look(workspace, config).targets == {"near", "local"}


@pytest.mark.parametrize("text", ["targets: [", "- name: a\n", "targets: x\n", "", "other: 1\n", "a: \0"])
def test_a_targets_file_that_is_not_understood_says_nothing(workspace: Path, text: str) -> None:
    """When the tool cannot know, it stays silent."""
    write_targets(workspace, text)
    assert look(workspace).targets is None


def test_a_targets_file_outside_is_not_read(workspace: Path) -> None:
    """A link to a targets file elsewhere counts only when the user allows it."""
    write_targets(workspace.parent, "targets: [{name: beyond}]\n")
    (workspace / ".agentv").symlink_to(workspace.parent / ".agentv")
    assert look(workspace).targets is None
    assert look(workspace, Config(root=workspace, allow_outside=True)).targets == {"beyond"}


def test_the_workspace_has_a_root(tmp_path: Path) -> None:
    """It is the configuration's folder, else the repository's, else the file's own."""
    folder = tmp_path / "repository" / "evals"
    folder.mkdir(parents=True)
    assert workspace_root(folder) == folder
    (tmp_path / "repository" / ".git").touch()
    assert workspace_root(folder) == tmp_path / "repository"
    assert workspace_root(folder, Config(root=tmp_path)) == tmp_path
    assert workspace_root(folder, Config(root=tmp_path / "other")) == tmp_path / "repository"


@pytest.mark.parametrize("name", TARGETS_FILES)
def test_targets_mark_the_root_where_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The repository counts before them; in the home folder they do not open all of it."""
    project = tmp_path / "home" / "project"
    folder = project / "deep" / "evals"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for place in (tmp_path / "home", project):
        (place / ".agentv").mkdir()
        (place / name).write_text("targets: [{name: here, provider: cli}]", encoding="utf-8")
        expected = folder if place != project else project
        assert workspace_root(folder) == expected
    assert DiskProject(folder / "a.eval.yaml").targets == {"here"}
    (project / "deep" / ".git").touch()
    assert workspace_root(folder) == project / "deep"


def test_a_folder_that_is_checked_is_the_root_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else marks one; not the home folder, nor what is above it."""
    top = tmp_path / "home" / "project"
    folder = top / "deep" / "evals"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert workspace_root(folder, top=top) == top
    for other in (folder / "below", tmp_path / "home", tmp_path):
        assert workspace_root(folder, top=other) == folder
    (top / "deep" / ".git").touch()
    assert workspace_root(folder, top=top) == top / "deep"


def test_the_host_may_name_the_root(workspace: Path) -> None:
    """An editor knows its workspace folder."""
    project = DiskProject(workspace / "evals" / "x.yaml", root=workspace / "evals")
    assert project.files(frozenset({"top.md", "middle.md"})) == {"top.md": False, "middle.md": True}


@pytest.mark.parametrize("outside", [False, True])
def test_a_path_with_a_null_character_is_of_no_file(tmp_path: Path, *, outside: bool) -> None:
    """A double-quoted text can hold one."""
    project = DiskProject(tmp_path / "a.eval.yaml", Config(allow_outside=outside))
    assert project.case_files("a\0b.yaml") == ()
    assert project.entries("a\0b") == ()
    assert project.find("a\0b") is None


def test_a_configuration_may_name_a_path_with_a_null_character(tmp_path: Path) -> None:
    """Then nobody knows its providers."""
    (tmp_path / ".agentv").mkdir()
    (tmp_path / ".agentv" / "config.yaml").write_text('providers: "file://a\\0b"\n', encoding="utf-8")
    assert DiskProject(tmp_path / "a.eval.yaml").targets is None
