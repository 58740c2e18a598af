"""The extension as it is packaged: what is in it, that it runs by itself, and that all of its parts say the same."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hosts import do_without
from vscode import EXTENSION, built_vsix

from rubric_core import __version__
from rubric_core.analysis.check import check_text
from rubric_core.assist import commands as server_commands
from rubric_core.config.settings import SETTINGS
from rubric_core.files.walk import may_be_ours
from rubric_server import settings as server_settings

ROOT = EXTENSION.parent
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
CONTRIBUTED: dict[str, dict[str, Any]] = MANIFEST["contributes"]["configuration"]["properties"]
# What the extension itself reads; everything else is the server's.
FOR_EDITORS = [setting for setting in SETTINGS if setting.is_for_editors]
OWN_SETTINGS = {"rubric.enable", "rubric.interpreter", "rubric.importStrategy", "rubric.trace.server"}


def test_the_version_is_that_of_the_server() -> None:
    """They are released together."""
    assert MANIFEST["version"] == __version__


def test_every_setting_of_the_server_can_be_set_and_no_other() -> None:
    """The settings of `rubric.toml` under the names of the editor, and the switches."""
    configuration = {re.sub("-(.)", lambda found: found[1].upper(), setting.key) for setting in FOR_EDITORS}
    switches = set(server_settings.SWITCHES.values())
    assert set(CONTRIBUTED) - OWN_SETTINGS == {f"rubric.{name}" for name in configuration | switches}


def test_a_setting_that_nobody_chose_leaves_the_configuration_alone() -> None:
    """The editor sends the defaults of all settings: what is in `rubric.toml` must not be undone by one."""
    keys = {f"rubric.{re.sub('-(.)', lambda found: found[1].upper(), setting.key)}" for setting in FOR_EDITORS}
    assert {name: CONTRIBUTED[name]["default"] for name in keys} == dict.fromkeys(keys)
    section: dict[str, Any] = {}
    for name, contributed in CONTRIBUTED.items():
        target = section
        *path, last = name.removeprefix("rubric.").split(".")
        for part in path:
            target = target.setdefault(part, {})
        target[last] = contributed["default"]
    read = server_settings.read_editor_settings(section)
    assert read == server_settings.Settings()


def test_every_setting_and_command_is_documented() -> None:
    """The page of the extension and its README name all of them."""
    page = (ROOT / "docs" / "vscode.md").read_text(encoding="utf-8")
    assert [name for name in CONTRIBUTED if f"`{name}`" not in page] == []
    titles = [f"{command['category']}: {command['title']}" for command in MANIFEST["contributes"]["commands"]]
    assert [title for title in titles if title not in page] == []


def test_every_command_of_the_server_can_be_run() -> None:
    """A lens or an action may lead to any of them; the extension registers them under the same names."""
    source = (EXTENSION / "src" / "commands.ts").read_text(encoding="utf-8")
    registered = set(re.findall(r'^    "(rubric\.\w+)":', source, re.MULTILINE))
    named = {
        value for value in vars(server_commands).values() if isinstance(value, str) and value.startswith("rubric.")
    }
    # The picker alone asks for the judges, and the Test Explorer for tests; a person would run neither.
    assert named - registered == {"rubric.listJudges", "rubric.listFiles", "rubric.listTests"}
    contributed = {command["command"] for command in MANIFEST["contributes"]["commands"]}
    assert contributed - registered == set()


def test_what_may_start_the_server_is_what_the_server_takes() -> None:
    """Whatever the server recognises as an eval file by its words, the extension does not overlook."""
    source = (EXTENSION / "src" / "evalFiles.ts").read_text(encoding="utf-8")
    pattern = re.search(r"const WORD = /(.*)/;", source)
    assert pattern is not None
    word = re.compile(pattern[1])
    for example in sorted((ROOT / "examples").rglob("*.eval.yaml")):
        text = example.read_text(encoding="utf-8")
        assert word.search(text), example
        assert may_be_ours("other.yaml", text)
    for other in sorted((ROOT / "tests" / "not_ours").iterdir()):
        text = other.read_text(encoding="utf-8")
        assert may_be_ours(other.name, text) or not word.search(text), other


@pytest.mark.parametrize("name", json.loads((EXTENSION / "snippets" / "eval-file.json").read_text(encoding="utf-8")))
def test_a_snippet_makes_a_file_without_a_problem(name: str) -> None:
    """What a person has not filled in yet is no error and no warning."""
    snippets = json.loads((EXTENSION / "snippets" / "eval-file.json").read_text(encoding="utf-8"))
    text = re.sub(r"\$\{\d+:([^}]*)\}|\$\d+", lambda found: found[1] or "", "\n".join(snippets[name]["body"]))
    problems = check_text(text, path="new.eval.yaml").problems
    assert [problem.message for problem in problems if problem.severity.value != "hint"] == []


def test_files_that_the_manifest_names_exist() -> None:
    """Icon, snippets and the pages of the walkthrough."""
    pages = [step["media"]["markdown"] for each in MANIFEST["contributes"]["walkthroughs"] for step in each["steps"]]
    paths = [MANIFEST["icon"], *pages, *(snippet["path"] for snippet in MANIFEST["contributes"]["snippets"])]
    assert [path for path in paths if not (EXTENSION / path).is_file()] == []


def test_what_can_run_something_waits_for_trust() -> None:
    """Settings by which a workspace could start a program or send text do not count before it is trusted."""
    untrusted = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert untrusted["supported"] == "limited"
    restricted = set(untrusted["restrictedConfigurations"])
    assert restricted >= {f"rubric.{name}" for name in ("interpreter", "importStrategy", "targets", "judges", "judge")}


@pytest.mark.slow
def test_the_icon_is_what_its_script_draws(tmp_path: Path) -> None:
    """The picture is made, not drawn by hand."""
    script = (EXTENSION / "scripts" / "make_icon.py").read_text(encoding="utf-8")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "make_icon.py").write_text(script)
    subprocess.run([sys.executable, tmp_path / "scripts" / "make_icon.py"], check=True)
    for name in ("icon.svg", "icon.png"):
        assert (tmp_path / "images" / name).read_bytes() == (EXTENSION / "images" / name).read_bytes()


@pytest.mark.slow
def test_what_needs_no_editor() -> None:
    """The tests of the extension's own parts, in the test runner of Node.js, its types and its layout."""
    npm = shutil.which("npm")
    if npm is None:
        do_without("npm is not installed")
    built_vsix()
    for script in ("check", "test"):
        done = subprocess.run(
            [npm, "run", "--silent", script], cwd=EXTENSION, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as the editor unpacks it."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(built_vsix()) as archive:
        archive.extractall(folder)
    return folder / "extension"


def _start(unpacked: Path, python: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-I", "-S", "-B", unpacked / "bundled" / "start.py", *options],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
    )


@pytest.mark.slow
def test_the_package_has_what_it_needs_and_nothing_else(unpacked: Path) -> None:
    """One bundle, the server with its packages, pages and pictures; no sources, no tests, no compiled leftovers."""
    top = {path.name.lower() for path in unpacked.iterdir()}
    assert top == {
        *("package.json", "readme.md", "license.txt", "changelog.md"),
        *("bundled", "images", "out", "schema", "snippets", "walkthrough"),
    }
    assert {path.name for path in (unpacked / "out").iterdir()} <= {"extension.js", "extension.js.LEGAL.txt"}
    assert not list(unpacked.rglob("__pycache__"))
    assert (unpacked / "bundled" / "libs" / "rubric_server" / "pages" / "RB103.md").is_file()
    licences = {path.parents[1].name for path in unpacked.rglob("*.dist-info/licenses/*")}
    packages = {path.name for path in unpacked.rglob("*.dist-info")}
    assert packages - licences <= {path.parent.name for path in unpacked.rglob("*.dist-info/LICENSE*")}
    assert built_vsix().stat().st_size < 30_000_000


@pytest.mark.slow
def test_a_broken_package_of_the_user_does_not_reach_the_server(unpacked: Path, tmp_path: Path) -> None:
    """Neither the variables of Python nor the packages of the user count."""
    for name in ("ruamel", "rubric_core", "rubric_server", "pydantic", "typing_extensions", "json"):
        package = tmp_path / "site" / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("raise RuntimeError('this is the package of the user')\n")
    path = str(tmp_path / "site")
    done = _start(unpacked, sys.executable, "--version", PYTHONPATH=path, PYTHONUSERBASE=path, PYTHONHOME="")
    assert (done.returncode, done.stdout.strip()) == (0, f"rubric-lsp {__version__}"), done.stderr


@pytest.mark.slow
def test_all_of_the_server_can_be_imported_from_the_package_alone(unpacked: Path) -> None:
    """What only the command line uses is not asked for; everything else finds what it needs."""
    script = (
        "import importlib, os, pkgutil, runpy, sys\n"
        "start = runpy.run_path(sys.argv[1])\n"
        "folder = os.path.dirname(sys.argv[1])\n"
        "sys.path[:0] = [os.path.join(folder, 'libs'), start['compiled_folder']()]\n"
        "import rubric_core, rubric_server\n"
        "for package in (rubric_core, rubric_server):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        if '.cli' not in module.name and not module.name.endswith(('__main__', 'judges.terminal')):\n"
        "            try:\n"
        "                importlib.import_module(module.name)\n"
        "            except ModuleNotFoundError as missing:\n"
        "                # Reports for a terminal are drawn by rich; no editor shows one.\n"
        "                if missing.name.partition('.')[0] != 'rich' or package is rubric_server:\n"
        "                    raise\n"
        "import _ruamel_yaml\n"
    )
    start = unpacked / "bundled" / "start.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", script, start], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def _pythons() -> list[str]:
    """Return the Pythons of this machine: those of the usual names, and those of pyenv."""
    named = [shutil.which(f"python3.{minor}") for minor in range(6, 16)]
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    own = [str(path / "bin" / "python") for path in sorted(versions.glob("3.*"))]
    found = {os.path.realpath(path) for path in [sys.executable, *named, *own] if path and "shims" not in path}
    return sorted(path for path in found if Path(path).exists())


@pytest.mark.slow
@pytest.mark.parametrize("python", _pythons(), ids=lambda path: "-".join(Path(path).parts[-3:]))
def test_each_python_shows_what_it_can_do(unpacked: Path, python: str) -> None:
    """One that is too old says so instead of failing; every other one that we compile for can grade."""
    done = _start(unpacked, python, "--probe")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    version = tuple(map(int, told["version"].split(".")[:2]))
    assert told["fits"] == (version >= (3, 10))
    if (3, 10) <= version <= (3, 14):
        assert told["grades"]
        assert _start(unpacked, python, "--version").stdout.strip() == f"rubric-lsp {__version__}"
