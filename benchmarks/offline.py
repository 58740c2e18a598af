"""Times `rubric grade` on tests of AgentV 5 whose assertions need no judge, from process start to end.

Usage: python benchmarks/offline.py [--cases 1000] [--repeat 5]

Each test has a text, a regular expression, a list of texts, a set with two members, and a limit of its duration that
it requires. The answers are recorded beside the suite.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from measure import print_machine, print_table

_LIMIT = 3.0
"""How many seconds 1,000 tests may take."""


def main() -> None:
    """Print the times as a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=5)
    chosen = parser.parse_args()
    print_machine()
    walls, processors = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_suite(folder, chosen.cases)
        for _ in range(chosen.repeat):
            wall, processor = graded(folder, chosen.cases)
            walls.append(wall)
            processors.append(processor)
    columns = ["tests", "best, s", "median, s", "on processors, s", "limit for 1,000, s"]
    row = [f"{chosen.cases:,}", f"{min(walls):.2f}", f"{median(walls):.2f}", f"{median(processors):.2f}", f"{_LIMIT}"]
    print_table("Grading without a judge", columns, [row])


def write_suite(folder: Path, cases: int) -> None:
    """Write a suite and its answers."""
    tests = "".join(f"  - {json.dumps(test_of(number))}\n" for number in range(cases))
    (folder / "offline.eval.yaml").write_text(f"prompts: ['{{{{ input }}}}']\ntests:\n{tests}", encoding="utf-8")
    answers = {
        f"test-{number}": {"output": f"The answer {number} is short.", "duration_ms": number % 400}
        for number in range(cases)
    }
    (folder / "offline.answers.json").write_text(json.dumps(answers), encoding="utf-8")


def test_of(number: int) -> dict[str, Any]:
    """Return one test."""
    members = [{"type": "starts-with", "value": "The"}, {"type": "is-json", "weight": 0.1}]
    return {
        "id": f"test-{number}",
        "vars": {"input": f"question {number}"},
        "assert": [
            {"type": "contains", "value": f"answer {number}"},
            {"type": "regex", "value": f"^The answer {number}\\b", "flags": "i"},
            {"type": "icontains-any", "value": ["ANSWER", "REPLY"]},
            {"type": "assert-set", "threshold": 0.5, "assert": members},
            {"type": "latency", "threshold": 500, "required": True},
        ],
    }


def graded(folder: Path, cases: int) -> tuple[float, float]:
    """Grade the suite in a process of its own; return the seconds on the clock and on processors."""
    before, started = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "rubric_core", "grade", "offline.eval.yaml", "--quiet", "--format", "jsonl"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - started, os.times()
    if len(ran.stdout.splitlines()) != cases or '"error": null' not in ran.stdout:
        raise SystemExit(f"The suite was not graded: {ran.stderr}")
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, processor


if __name__ == "__main__":
    main()
