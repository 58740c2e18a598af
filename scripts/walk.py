"""Count the files that a command passes through, and show the calls that go upwards, and packages that call each other.

Usage: python scripts/walk.py [--files] [--pairs] [ARGUMENTS OF rubric]

Without arguments it grades the example with its recorded judgement. Imports do not count. A function that was passed
down, such as the one that is called with each result, is a call upwards too. A part of a dialect is above the code that
asks for it, so its package may call back: such pairs are listed by themselves.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.cli.main import run
from rubric_core.config.toml_reader import loads

if TYPE_CHECKING:
    from types import FrameType

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
GRADE = ("grade", str(EXAMPLES / "scorecard.eval.yaml"), "--judge", f"replay:{EXAMPLES / 'judgements.json'}")
_CONTRACT = loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
# The number of the layer of each folder or file of `rubric_core`, the lowest first.
LAYERS = {
    name.strip().removeprefix("rubric_core.").replace(".", "/"): number
    for number, names in enumerate(reversed(_CONTRACT["layers"]))
    for name in names.replace(":", "|").split("|")
}


class Walk:
    """The files that were entered, and the calls between them."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.calls: Counter[tuple[str, str]] = Counter()
        self._imports = 0

    def profile(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note a call; this is what `sys.setprofile` takes."""
        if frame.f_code.co_name == "<module>":
            self._imports += {"call": 1, "return": -1}.get(event, 0)
        if event != "call" or self._imports:
            return
        callee, caller = _own_file(frame), _own_file(frame.f_back)
        if callee is not None:
            self.files.add(callee)
            if caller is not None and caller != callee:
                self.calls[caller, callee] += 1

    def upwards(self) -> list[tuple[tuple[str, str], int]]:
        """Return the calls from a layer to one above it, the most frequent first."""
        return [(pair, count) for pair, count in self.calls.most_common() if _layer(pair[0]) < _layer(pair[1])]

    def two_way_pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of packages that call each other."""
        calls = {(_package(caller), _package(callee)) for caller, callee in self.calls}
        return sorted((one, other) for one, other in calls if one < other and (other, one) in calls)

    def between(self, one: str, other: str) -> list[tuple[tuple[str, str], int]]:
        """Return the calls from one package to another, the most frequent first."""
        return [(pair, count) for pair, count in self.calls.most_common() if tuple(map(_package, pair)) == (one, other)]


def _own_file(frame: FrameType | None) -> str | None:
    """Return the path of a frame of ours inside of `rubric_core`."""
    name = frame.f_code.co_filename if frame is not None else ""
    _, found, path = name.rpartition("/rubric_core/")
    return path if found else None


def _package(path: str) -> str:
    """Return the package of a file: a folder of `rubric_core`, or that of a dialect."""
    first, *rest = path.split("/")
    return "/".join([first, *rest[:1]]) if first == "dialects" and len(rest) > 1 else first


def _layer(path: str) -> int:
    """Return the number of the layer of a file: that of the longest name in the contract that it begins with."""
    names = [name for name in LAYERS if path.removesuffix(".py") == name or path.startswith(f"{name}/")]
    return LAYERS[max(names, key=len)] if names else -1


def _is_part(package: str) -> bool:
    return package.startswith("dialects/")


def _print_calls(calls: list[tuple[tuple[str, str], int]]) -> None:
    for (caller, callee), count in calls:
        print(f"  {count:5}  {caller} -> {callee}")


def main() -> None:
    """Run the command and print what it passed."""
    parser = argparse.ArgumentParser(description="Count the files that a command passes through.")
    parser.add_argument("--pairs", action="store_true", help="List the calls of packages that call each other.")
    parser.add_argument("--files", action="store_true", help="List the files that were entered.")
    options, arguments = parser.parse_known_args()
    walk = Walk()
    sys.setprofile(walk.profile)
    run(arguments or GRADE)
    sys.setprofile(None)
    print(f"{len(walk.files)} files, {walk.calls.total()} calls from one to another")
    upwards = walk.upwards()
    print(f"calls that go upwards: {sum(count for _, count in upwards)}")
    _print_calls(upwards)
    pairs = walk.two_way_pairs()
    core = [pair for pair in pairs if not any(map(_is_part, pair))]
    asked = [" and ".join(pair) for pair in pairs if pair not in core]
    print(f"pairs of packages that call each other: {len(core)}")
    print(f"pairs with a dialect, which is asked: {', '.join(asked) or 0}")
    for one, other in core:
        print(f"  {one} and {other}")
        _print_calls([*walk.between(one, other), *walk.between(other, one)] if options.pairs else [])
    for path in sorted(walk.files) if options.files else ():
        print(path)


if __name__ == "__main__":
    main()
