"""The borders between the layers: who may import what, what happens on opening a file, and that there is one engine."""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rubric_core
from rubric_core.analysis.check import check_text
from rubric_core.dialects.registry import DIALECTS
from rubric_core.model.load import load
from rubric_core.rules.registry import known_rules
from rubric_core.text.lines import LineIndex

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

CORE = Path(rubric_core.__file__).parent
ROOT = CORE.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "server")])}

# What reaches outside of the process, or reads and writes files.
_OUTSIDE = {
    *("os", "pathlib", "io", "socket", "subprocess", "shutil", "tempfile", "glob"),
    *("urllib", "http", "asyncio", "multiprocessing", "threading"),
}
_PURE_LAYERS = ("text", "syntax", "schema", "views", "rules", "assist", "scoring")
_HEAVY = ["pydantic", "rich", "ruamel", "aiohttp", "jinja2", "jsonschema", "pygls", "lsprotocol", "asyncio"]


def _sources(folder: Path) -> list[Path]:
    found = sorted(folder.rglob("*.py"))
    assert found
    return found


@cache
def _imports(source: Path) -> set[str]:
    """Return the modules that a file imports anywhere, also inside of functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def _top(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


@pytest.mark.slow
def test_the_core_knows_no_protocol() -> None:
    """Only the server speaks to editors."""
    protocol = {"lsprotocol", "pygls", "rubric_server"}
    assert not {source for source in _sources(CORE) if _top(_imports(source)) & protocol}


@pytest.mark.parametrize("layer", _PURE_LAYERS)
def test_rules_and_what_they_use_do_no_input_or_output(layer: str) -> None:
    """What a rule must know of the disk comes to it as a value; it has nothing to look with."""
    sources = _sources(CORE / layer)
    assert not {source for source in sources if _top(_imports(source)) & _OUTSIDE}
    assert not {source for source in sources if _called(source) & {"open", "print", "input", "exec", "eval"}}


@pytest.mark.parametrize("library", ["nunjucks", "javascript_regex"])
def test_a_library_of_its_own_imports_nothing_else_of_the_project(library: str) -> None:
    """So that it could be published as it is."""
    own = f"rubric_core.{library}"
    names = {name for source in _sources(CORE / library) for name in _imports(source) if name.startswith("rubric_")}
    assert names
    assert {name for name in names if name != own and not name.startswith(f"{own}.")} == set()


def _called(source: Path) -> set[str]:
    """Return the names of the functions that a file calls by a plain name."""
    nodes = ast.walk(ast.parse(source.read_text(encoding="utf-8")))
    return {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def _modules_after(statement: str) -> set[str]:
    """Return the top names of what a fresh process has loaded after a statement."""
    return _top(_all_modules_after(statement))


def _all_modules_after(statement: str) -> set[str]:
    command = [sys.executable, "-c", f"{statement}; import sys; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["rubric_core.cli.main", "rubric_core.cli.commands.check", "rubric_core.analysis.check"]
)
def test_a_check_starts_without_the_heavy_libraries(module: str) -> None:
    """What only some commands need is imported by these."""
    assert not _modules_after(f"import {module}") & set(_HEAVY)


@pytest.mark.slow
def test_checking_a_text_loads_no_heavy_library() -> None:
    """Nor does the check itself, for a file in the usual style."""
    text = (ROOT / "examples" / _an_example()).read_text(encoding="utf-8")
    statement = f"from rubric_core.analysis.check import check_text; check_text({text!r}, path='a.eval.yaml')"
    assert not _modules_after(statement) & {
        "pydantic",
        "rich",
        "aiohttp",
        "jinja2",
        "jsonschema",
        "pygls",
        "lsprotocol",
    }


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_checking_a_text_loads_the_table_and_the_rules_of_its_dialect_only(dialect: Dialect) -> None:
    """Those of all dialects take longer than the check of a small file."""
    text = f"# rubric: dialect={dialect.name}\n{dialect.case_lists[0]}: [{{}}]\n"
    statement = (
        f"from rubric_core.analysis.check import check_text; assert check_text({text!r}, path='a.eval.yaml').problems"
    )
    modules = _all_modules_after(statement)
    assert {f"{_package(dialect)}.table", f"{_package(dialect)}.rules"} <= modules
    others = [f"{_package(other)}." for other in DIALECTS if other is not dialect]
    assert not [name for name in modules if name.startswith(tuple(others))]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_checking_a_file_imports_the_package_of_its_dialect_only(dialect: Dialect) -> None:
    """Besides what dialects say of themselves, and what those of one tool share."""
    (path,) = (ROOT / "examples" / "dialects").glob(f"{dialect.name}*.yaml")
    text = path.read_text(encoding="utf-8")
    statement = f"from rubric_core.analysis.check import check_text; check_text({text!r}, path={path.name!r})"
    modules = _all_modules_after(statement)
    assert f"{_package(dialect)}.table" in modules
    others = tuple(f"{_package(other)}." for other in DIALECTS if other is not dialect)
    assert not [name for name in modules if name.startswith(others)]


def _package(dialect: Dialect) -> str:
    return f"rubric_core.dialects.{dialect.name.replace('-', '_')}"


@pytest.mark.slow
def test_jinja2_is_imported_for_templates_that_need_it_only() -> None:
    """Not by the server, nor by loading a suite whose templates are names."""
    load = "from rubric_core.model.load import load_text; load_text({!r}, 'a.eval.yaml')"
    suite = "prompts: ['Say {{{{ x{} }}}}']\ntests: [{{id: a, vars: {{x: b}}, assert: [One]}}]\n"
    assert "jinja2" not in _modules_after("import rubric_server.app")
    assert "jinja2" not in _modules_after(load.format(suite.format("")))
    assert "jinja2" in _modules_after(load.format(suite.format(" | upper")))


@pytest.mark.slow
def test_the_command_that_checks_imports_no_http_client() -> None:
    """From its start to its end, with a file to check."""
    command = [sys.executable, "-X", "importtime", "-m", "rubric_core", "check", ROOT / "examples" / _an_example()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=ROOT)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "rubric_core.analysis.check" in imported
    assert not _top(imported) & {"aiohttp", "yarl"}


@pytest.mark.slow
def test_the_http_client_is_imported_when_a_provider_is_made() -> None:
    """So while the plan of a grading is made: the first question does not wait for it."""
    registry = "from rubric_core.grading.providers.registry import make_provider"
    make = "make_provider('judge', 'openai', {'model': 'm', 'base_url': 'http://localhost'}, {})"
    assert "aiohttp" not in _modules_after(registry)
    assert "aiohttp" in _modules_after(f"{registry}; {make}")


@pytest.mark.slow
def test_the_server_starts_without_what_only_grading_needs() -> None:
    """The models are for grading and for Python users."""
    loaded = _modules_after("import rubric_server.main, rubric_server.app")
    assert "rubric_server" in loaded
    assert not loaded & {"aiohttp", "yarl", "pydantic", "rich", "jsonschema"}


@pytest.mark.slow
def test_a_check_without_a_terminal_draws_nothing_with_rich(tmp_path: Path) -> None:
    """Importing it takes long, and every commit hook would wait for it."""
    (tmp_path / "suite.eval.yaml").write_text(_BROKEN, encoding="utf-8")
    command = [sys.executable, "-X", "importtime", "-m", "rubric_core", "check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=ROOT)
    assert done.returncode == 1
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "rubric_core.report.frames" in loaded
    assert "rich" not in _top(loaded)


def test_scoring_needs_no_models() -> None:
    """It reads the attributes of criteria and scorecards, and never builds one: whoever scores pays for no pydantic."""
    modules = sorted(f"rubric_core.scoring.{source.stem}" for source in (CORE / "scoring").glob("[!_]*.py"))
    loaded = _modules_after(f"import {', '.join(modules)}")
    assert "decimal" in loaded
    assert not loaded & {*_HEAVY, "sqlite3"}


def _an_example() -> str:
    return min(path.name for path in (ROOT / "examples").glob("*.eval.yaml"))


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.eval.yaml")), ids=lambda path: path.name)
def test_opening_a_file_starts_no_process_and_sends_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking a text and asking for its fixes stays inside of the process."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("Something outside of the process was asked for.")

    text = path.read_text(encoding="utf-8")
    # Rules are imported when they are first needed, which reads files.
    check_text(text, path=path.name)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(os, "system", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    checked = check_text(text, path=path.name)
    assert checked.ours
    for problem in checked.problems:
        if problem.fixes is not None:
            problem.fixes()


_BROKEN = """\
evalcases:
  - id: port
    expected_outcome: Names the port 🎉
    input: Which port?
    rubrics:
      - {id: 🎉, expected_outcome: Names it, weigth: 2}
      - id: quality
        weight: "2"
        score_ranges:
          - {score_range: [0, 2], expected_outcome: Nothing}
          - {score_range: [5, 12], expected_outcome: All}
  - id: port
    expected_outcome: ""
"""


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_there_is_one_engine(tmp_path: Path, line_break: str) -> None:
    """The command line, Python's `load` and `check_text` give the same problems at the same places."""
    path = tmp_path / "suite.eval.yaml"
    path.write_bytes(_BROKEN.replace("\n", line_break).encode())
    text = path.read_bytes().decode()
    lines = LineIndex(text)
    checked = check_text(text, path=str(path)).problems
    assert {problem.code for problem in checked} >= {"RB003", "RB004", "RB005", "RB102", "RB103", "RB203"}
    expected = []
    for problem in checked:
        start, end = lines.position(problem.span.start), lines.position(problem.span.end)
        expected.append(
            (
                *(problem.code, problem.name, problem.severity.value, problem.message),
                *(start.line + 1, start.column + 1, end.line + 1, end.column + 1),
            )
        )
    command = [sys.executable, "-m", "rubric_core", "check", "--format", "json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, cwd=tmp_path)
    keys = ("code", "name", "severity", "message", "line", "column", "end_line", "end_column")
    told = json.loads(done.stdout)
    assert done.returncode == 1
    assert [tuple(entry[key] for key in keys) for entry in told] == expected
    titles = [[fix.title for fix in problem.fixes()] if problem.fixes else [] for problem in checked]
    assert [[fix["title"] for fix in entry["fixes"]] for entry in told] == titles
    loaded = load(path).problems
    assert [(problem.code, problem.span, problem.message) for problem in loaded] == [
        (problem.code, problem.span, problem.message) for problem in checked
    ]


def test_each_code_has_one_name() -> None:
    """And each name one code."""
    names = [rule.name for rule in known_rules().values()]
    assert len(names) == len(set(names))
