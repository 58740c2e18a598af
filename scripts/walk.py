"""Count the files that a command passes through, and show the calls that go upwards in the layers.

Usage: python scripts/walk.py [--files] [ARGUMENTS OF rubric]

Without arguments it grades the example with its recorded judgement. Imports do not count. A function that was passed
down, such as the one that is told of each result, is a call upwards too.
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
# The folders of `rubric_core`, the lowest first.
LAYERS = [name.rpartition(".")[2] for name in reversed(_CONTRACT["layers"])]


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


def _own_file(frame: FrameType | None) -> str | None:
    """Return the path of a frame of ours inside of `rubric_core`."""
    name = frame.f_code.co_filename if frame is not None else ""
    _, found, path = name.rpartition("/rubric_core/")
    return path if found else None


def _layer(path: str) -> int:
    folder = path.partition("/")[0]
    return LAYERS.index(folder) if folder in LAYERS else -1


def main() -> None:
    """Run the command and print what it passed."""
    parser = argparse.ArgumentParser(description="Count the files that a command passes through.")
    parser.add_argument("--files", action="store_true", help="List the files that were entered.")
    options, arguments = parser.parse_known_args()
    walk = Walk()
    sys.setprofile(walk.profile)
    run(arguments or GRADE)
    sys.setprofile(None)
    print(f"{len(walk.files)} files, {walk.calls.total()} calls from one to another")
    upwards = walk.upwards()
    print(f"calls that go upwards: {sum(count for _, count in upwards)}")
    for (caller, callee), count in upwards:
        print(f"  {count:5}  {caller} -> {callee}")
    for path in sorted(walk.files) if options.files else ():
        print(path)


if __name__ == "__main__":
    main()
