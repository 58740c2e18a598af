"""Remove each dialect but the default one from a copy of the project, and run the quick tests of what is left.

Usage: python scripts/removable.py [DIALECT ...] [--keep FOLDER]

DIALECT is a package of `rubric_core/dialects`, such as `promptfoo`; without any, each one in turn. `--keep` makes the
copies in FOLDER and leaves them there, so that a failure can be looked at.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIALECTS = Path("rubric_core") / "dialects"
REGISTRY = DIALECTS / "registry.py"
_SUITE = ("-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-profile", "quick", "--ignore=tests/editors")
_LAST_LINES = 60


def removable() -> list[str]:
    """Return the packages of all dialects but the default one, which the registry names first."""
    return re.findall(r'^    "(\w+)",$', (ROOT / REGISTRY).read_text("utf-8"), re.MULTILINE)[1:]


def copy_without(dialect: str, folder: Path) -> dict[str, str]:
    """Copy the project without a dialect into a folder; return the environment in which Python imports the copy."""
    for name in _tracked():
        # A file that is deleted but not committed yet is listed too.
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    paths = os.pathsep.join([str(folder), str(folder / "server")])
    environment = {**os.environ, "PYTHONPATH": paths}
    for example in _examples_of(dialect.replace("_", "-"), folder, environment):
        for path in example.parent.glob(f"{example.name.partition('.')[0]}.*"):
            path.unlink()
    shutil.rmtree(folder / DIALECTS / dialect)
    shutil.rmtree(folder / "tests" / "dialects" / dialect, ignore_errors=True)
    _cut_once(folder / REGISTRY, rf'^    "{dialect}",\n')
    _cut_once(folder / "pyproject.toml", rf" \| rubric_core\.dialects\.{dialect}\b")
    _cut_once(folder / "pyproject.toml", rf'^  "rubric_core\.dialects\.{dialect}",\n')
    # A contract between it and one other package says nothing any more.
    _cut(folder / "pyproject.toml", rf'^\[\[(?:.+\n)+modules = \[.*"rubric_core\.dialects\.{dialect}".*\n\n')
    docs = [sys.executable, str(folder / "scripts" / "docs.py")]
    subprocess.run(docs, env=environment, check=True, capture_output=True)  # noqa: S603 - our own.
    return environment


def _tracked() -> list[str]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603 - our own.
    return listed.stdout.rstrip("\0").split("\0")


def _examples_of(name: str, folder: Path, environment: dict[str, str]) -> list[Path]:
    command = [sys.executable, "-m", "rubric_core", "check", "--explain-dialect", "examples"]
    explained = subprocess.run(  # noqa: S603 - our own.
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    return [folder / path for path in re.findall(rf"^(.+?): {name} because ", explained.stdout, re.MULTILINE)]


def _cut_once(path: Path, pattern: str) -> None:
    count = _cut(path, pattern)
    if count != 1:
        sys.exit(f"{path.name} has {count} places that match {pattern!r}, not one.")


def _cut(path: Path, pattern: str) -> int:
    text, count = re.subn(pattern, "", path.read_text("utf-8"), flags=re.MULTILINE)
    path.write_text(text, "utf-8")
    return count


def run_tests(dialect: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the quick tests in a copy without a dialect."""
    environment = copy_without(dialect, folder)
    command = [sys.executable, "-m", "pytest", *_SUITE, f"--basetemp={folder / '.tmp'}", "tests"]
    return subprocess.run(  # noqa: S603 - our own.
        command, cwd=folder, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def main() -> int:
    """Try the named dialects, as many at a time as there are processors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialects", nargs="*", metavar="DIALECT", default=removable())
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    temporary = tempfile.TemporaryDirectory() if options.keep is None else None
    parent = options.keep or Path(temporary.name if temporary else "")
    folders = [parent / dialect for dialect in options.dialects]
    failed = 0
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for dialect, ran in zip(options.dialects, pool.map(run_tests, options.dialects, folders), strict=True):
                print(f"=== without {dialect}: {'passed' if ran.returncode == 0 else 'FAILED'}")
                print("\n".join(ran.stdout.splitlines()[-1 if ran.returncode == 0 else -_LAST_LINES :]))
                failed += ran.returncode != 0
    finally:
        if temporary:
            temporary.cleanup()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
