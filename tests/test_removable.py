"""Any dialect but the default one can be removed; `make removable` runs the quick tests of what is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import removable  # noqa: E402 - a script of the project, found through the line above.

IMPORT_ALL = """
import pkgutil
from importlib import import_module

import rubric_core
import rubric_server
from rubric_core.migration.registry import PAIRS, table_of

for pair in PAIRS:
    table_of(*pair)
for package in (rubric_core, rubric_server):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        # The migrations are those of the pairs: others lead to the dialect that is not there.
        is_migration = ".dialects." in module.name and ".migration." in module.name
        if not is_migration and not module.name.endswith("__main__"):
            import_module(module.name)
"""


def checked(examples: Path, paths: list[Path], environment: dict[str, str] | None = None) -> str:
    """Return what `rubric check` prints of examples."""
    names = sorted(path.relative_to(examples).as_posix() for path in paths)
    command = [sys.executable, "-m", "rubric_core", "check", "--format", "json", "--jobs", "1", *names]
    ran = subprocess.run(command, cwd=examples, env=environment, capture_output=True, text=True, check=False)
    assert not ran.stderr, ran.stderr
    return ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("dialect", removable.removable())
def test_without_a_dialect_everything_imports_and_other_examples_are_checked_alike(
    tmp_path: Path, dialect: str
) -> None:
    """Also the modules that nothing has imported yet."""
    environment = removable.copy_without(dialect, tmp_path)
    command = [sys.executable, "-c", IMPORT_ALL]
    imported = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert imported.returncode == 0, imported.stderr
    # The import contracts, of which `make lint` refuses one that names a package that is not there.
    assert f"dialects.{dialect}" not in (tmp_path / "pyproject.toml").read_text("utf-8")
    examples = tmp_path / "examples"
    left = [path for path in examples.rglob("*") if path.name.endswith((".eval.yaml", ".jsonl", "config.yaml"))]
    assert left
    expected = checked(ROOT / "examples", [ROOT / "examples" / path.relative_to(examples) for path in left])
    assert checked(examples, left, environment) == expected
