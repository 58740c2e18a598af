"""Change the code in one place at a time, and list the changes that no test notices.

Usage: python scripts/mutate.py [MODULE ...] [--sample N] [--seed S]

MODULE is a path below `rubric_core` without its suffix, such as `scoring/rubrics`, or a folder; the default is
`scoring`. Known are the modules of `scoring`, the rules (`rules`, `dialects/*/rules`) and `dialects/recognition`, each
with the tests that have to notice a change: of a rule those of its page. `--sample` tries N changes of all, which the
seed chooses. `scripts/mutate-survivors.txt` lists the survivors that are known, each with the reason; the command fails
when there is another one.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import signal
import sys
from collections import Counter
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.machinery import ModuleSpec
    from types import ModuleType

ROOT = Path(__file__).parents[1]
CORE = ROOT / "rubric_core"
TESTS = ROOT / "tests"
KNOWN = ROOT / "scripts" / "mutate-survivors.txt"
NOT_NOTICED = 0
# A change that makes a loop endless is noticed by the time it takes; the tests of a module take a few seconds.
SECONDS = 120
_CODE = re.compile(r'Rule\(\s*"(RB\d{3})"')

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
SWAPPED_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """A module with one change."""

    module: str
    name: str
    tree: ast.Module


def main() -> int:
    """Try all changes, and return 1 where one survives that is not known."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", default=["scoring"])
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    options = parser.parse_args()
    modules = [module for name in options.modules for module in modules_below(name)]
    mutants = [mutant for module in modules for mutant in mutants_of(module)]
    if options.sample is not None and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)  # noqa: S311 - the same ones each time.
    changed = list(dict.fromkeys(mutant.module for mutant in mutants))
    unchanged = [Mutant(module, module, ast.parse(_source(module))) for module in changed]
    failing = set(changed) - set(not_noticed(unchanged))
    if failing:
        sys.exit(f"The tests fail without any change: {', '.join(sorted(failing))}")
    survivors = not_noticed(mutants)
    known = {line.partition("  # ")[0] for line in KNOWN.read_text("utf-8").splitlines()}
    new = sorted(set(survivors) - known)
    print(f"{len(mutants)} changes, {len(survivors)} not noticed, {len(new)} of these not known.")
    for name in new:
        print(name)
    return 1 if new else 0


def modules_below(name: str) -> list[str]:
    """Return the modules of a folder, or the one that is named."""
    folder = CORE / name
    paths = sorted(folder.glob("[!_]*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    return [path.relative_to(CORE).with_suffix("").as_posix() for path in paths]


def tests_of(module: str) -> list[str]:
    """Return the arguments of pytest that select the tests of a module."""
    if module.startswith("scoring/"):
        return [str(TESTS / "scoring")]
    if module.startswith("dialects/recognition"):
        folders = [TESTS / "analysis" / "test_incremental.py", *sorted(TESTS.glob("dialects/*/test_recognition.py"))]
        return [str(path) for path in [*folders, *sorted(TESTS.glob("dialects/*/test_*_files.py"))]]
    own = [str(path) for path in sorted(TESTS.glob("dialects/*/rules"))]
    code = _CODE.search(_source(module))
    if code is None:
        return [str(TESTS / "rules"), *own]
    return [str(TESTS / "rules" / "test_rule_pages.py"), *own, "-k", code[1]]


def _source(module: str) -> str:
    return (CORE / f"{module}.py").read_text("utf-8")


def mutants_of(module: str) -> Iterator[Mutant]:
    """Return a module with each of its changes."""
    tree = ast.parse(_source(module))
    shown = module.removeprefix("scoring/")
    names: Counter[str] = Counter()
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in [each for each in ast.walk(function) if isinstance(each, ast.expr)]:
            for replacement in changes_of(node):
                name = f"{shown}.{function.name}: {ast.unparse(node)} -> {ast.unparse(replacement)}"
                names[name] += 1
                # The same change in another place of the function has a number.
                numbered = name if names[name] == 1 else f"{name} ({names[name]})"
                yield Mutant(module, numbered, _with(tree, node, replacement))


def changes_of(node: ast.expr) -> Iterator[ast.expr]:
    """Return what an expression can be changed to."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in SWAPPED:
            yield _copy(node, ops=[SWAPPED[type(operator)]()])
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator) if type(operator) in SWAPPED:
            yield _copy(node, op=SWAPPED[type(operator)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield _copy(node, test=test, body=orelse, orelse=body)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Name(id=name) if name in SWAPPED_NAMES:
            yield ast.Name(SWAPPED_NAMES[name], node.ctx)


def _copy(node: ast.expr, **changed: object) -> ast.expr:
    """Return an expression with other fields."""
    result = copy.copy(node)
    for field, value in changed.items():
        setattr(result, field, value)
    return result


def _with(tree: ast.Module, node: ast.expr, replacement: ast.expr) -> ast.Module:
    """Return a tree with another expression in place of one."""

    class Replace(ast.NodeTransformer):
        def visit(self, visited: ast.AST) -> ast.AST:
            return replacement if visited is node else self.generic_visit(visited)

    memo = {id(node): node}
    return ast.fix_missing_locations(Replace().visit(copy.deepcopy(tree, memo)))


def not_noticed(mutants: list[Mutant]) -> list[str]:
    """Run the tests with each change, in a copy of this process for each processor."""
    running: dict[int, Mutant] = {}
    survivors: list[str] = []
    for number, mutant in enumerate([*mutants, None]):
        while running and (mutant is None or len(running) == os.cpu_count()):
            process, status = os.wait()
            done = running.pop(process)
            if os.waitstatus_to_exitcode(status) == NOT_NOTICED:
                survivors.append(done.name)
        if mutant is not None:
            print(f"\r{number + 1} of {len(mutants)}", end="", flush=True, file=sys.stderr)
            process = os.fork()
            if process == 0:
                os._exit(_run_tests(mutant))
            running[process] = mutant
    return survivors


def _run_tests(mutant: Mutant) -> int:
    signal.alarm(SECONDS)
    output = os.open(os.devnull, os.O_WRONLY)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.meta_path.insert(0, _Importer(mutant))
    options = ["-q", "-x", "-p", "no:cacheprovider", "--hypothesis-profile", "quick", "-m", "not slow"]
    return int(pytest.main([*options, *tests_of(mutant.module)]))


class _Importer(MetaPathFinder, Loader):
    """Imports the changed module in place of the one on the disk."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self._name = f"rubric_core.{mutant.module.replace('/', '.')}"

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Return how the changed module is loaded, and nothing for all others."""
        return spec_from_loader(name, self) if name == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module with the changed code."""
        exec(compile(self.mutant.tree, f"{self.mutant.module}.py", "exec"), vars(module))  # noqa: S102 - our own code.


if __name__ == "__main__":
    sys.exit(main())
