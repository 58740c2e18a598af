"""Times the core on files of growing size: opening, and one edit, up to the list of problems.

Usage: python benchmarks/core.py [--edits 300] [--repeat 5] [--sizes 10 100 1000 5000] [--dialects]
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from measure import Noise, milliseconds, p95, print_machine, print_table, resident_megabytes, timed
from suites import DIALECTS, SIZES, make_suite, planted_defects

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.check import analyse, check_text
from rubric_core.cli.parallel import collect_seldom
from rubric_core.dialects.eval_files import document_of
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rubric_core.syntax.document import Document

    Clock = Callable[[], float]

_NEIGHBOURS = 5
_LINE = "      # A line that somebody has just written.\n"
_STEPS = ("split", "parse", "rules", "list")
_LAYERS = ("edit and parse", "and check the case", "and list all problems")


class Kind(NamedTuple):
    """A kind of edit, and how it is called in the tables."""

    name: str
    # The keys whose value a letter is written behind; a case has one of them.
    keys: tuple[str, ...] = ()


TYPING = Kind("a letter in a text", ("outcome: ", "value: "))
TYPING_ID = Kind("a letter in an id", ("id: ", "description: "))
INSERTING = Kind("a new line")
DELETING = Kind("a line less")
KINDS = (TYPING, TYPING_ID, INSERTING, DELETING)
Times = dict[tuple[str, Kind], list[float]]


# Opening a file


def open_in_steps(text: str) -> dict[str, float]:
    """Open a text step by step and return the seconds of each step."""
    gc.collect()
    split, document = timed(lambda: document_of(text, ""))
    parse, _ = timed(document.settle)
    analysis = Analysis(document)
    rules, _ = timed(analysis.refresh)
    listing, _ = timed(analysis.problems)
    return dict(zip(_STEPS, (split, parse, rules, listing), strict=True))


def open_at_once(text: str, clock: Clock = time.perf_counter) -> float:
    """Return the seconds from a text to the list of its problems."""
    gc.collect()
    return timed(lambda: check_text(text), clock)[0]


def verify(subject: Subject) -> None:
    """Say so where other problems are found than were planted: one of the rules or a shape is wrong then."""
    found = Counter(problem.code for problem in check_text(subject.text()).problems)
    planted = Counter(defect.code for defect in planted_defects(subject.problems, subject.dialect))
    if found != planted:
        print(f"Wrong findings: {dict(planted - found)} not found, {dict(found - planted)} found without cause.")


# Editing


def edits_of(document: Document, rounds: int) -> Iterator[tuple[Kind, Edit]]:
    """Give edits of all kinds in five neighbouring cases in the middle, as somebody would make them there."""
    middle = len(document.chunks) // 2
    for turn in range(rounds):
        # Somebody who edits stays in one case for a while.
        index = min(middle + turn * _NEIGHBOURS // rounds, len(document.chunks) - 1)
        for kind in (TYPING, TYPING_ID):
            start = document.start_of(index)
            text = document.chunks[index].text
            key = next(key for key in kind.keys if key in text)
            at = start + text.index("\n", text.index(key) + len(key))
            yield kind, Edit(at, at, "aeiou"[turn % 5])
        at = document.start_of(index) + document.chunks[index].text.index("\n") + 1
        yield INSERTING, Edit(at, at, _LINE)
        yield DELETING, Edit(at, at + len(_LINE), "")


def time_edits(text: str, rounds: int, clock: Clock = time.perf_counter) -> Times:
    """Return the seconds of each edit, by layer and kind. Each layer does the work of those before it as well."""
    times: Times = {}
    for layer, prepare in zip(_LAYERS, (_document_alone, _one_case, _whole_list), strict=True):
        document, apply = prepare(text)
        # What was made by opening the file stays; collecting it again and again would be felt while typing.
        gc.collect()
        gc.freeze()
        for kind, edit in edits_of(document, rounds):
            seconds, _ = timed(partial(apply, edit), clock)
            times.setdefault((layer, kind), []).append(seconds)
        gc.unfreeze()
    return times


def _document_alone(text: str) -> tuple[Document, Callable[[Edit], object]]:
    document = document_of(text, "")
    document.settle()

    def apply(edit: Edit) -> object:
        document.edit([edit])
        return document.tree(document.chunk_at(edit.start))

    return document, apply


def _one_case(text: str) -> tuple[Document, Callable[[Edit], object]]:
    analysis = analyse(text)
    analysis.problems()
    document = analysis.document

    def apply(edit: Edit) -> object:
        analysis.edit([edit])
        analysis.refresh()
        return analysis.chunk_problems(document.chunks[document.chunk_at(edit.start)])

    return document, apply


def _whole_list(text: str) -> tuple[Document, Callable[[Edit], object]]:
    analysis = analyse(text)
    analysis.problems()

    def apply(edit: Edit) -> object:
        analysis.edit([edit])
        return analysis.problems()

    return analysis.document, apply


# Memory


def measure_memory(path: Path) -> str:
    """Return the megabytes that an open file holds, measured in a process of its own."""
    command = [sys.executable, __file__, "--memory-of", str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def print_memory(path: Path) -> None:
    """Open a file and print what that added to the memory of this process."""
    text = path.read_text(encoding="utf-8")
    before = resident_megabytes()
    analysis = analyse(text)
    analysis.problems()
    gc.collect()
    print(f"{resident_megabytes() - before:,.1f}")


# Tables


class Subject(NamedTuple):
    """A suite to measure with."""

    cases: int
    problems: int
    dialect: str = DIALECTS[0]

    @property
    def label(self) -> str:
        """Return the first cell of a row."""
        return f"{self.cases:,} cases" + (f", {self.problems:,} with a problem" if self.problems else "")

    def text(self) -> str:
        """Return the suite's text."""
        return make_suite(self.cases, self.problems, dialect=self.dialect)


def print_opening(subjects: Sequence[Subject], repeat: int, noise: Noise) -> None:
    """Print how long opening takes, by phase."""
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for subject in subjects:
            text = subject.text()
            verify(subject)
            path = Path(folder) / "suite.eval.yaml"
            path.write_text(text, encoding="utf-8")
            runs = [open_in_steps(text) for _ in range(repeat)]
            whole = [open_at_once(text) for _ in range(repeat)]
            steps = [milliseconds(median(run[step] for run in runs)) for step in _STEPS]
            size = f"{len(text.encode()) / 1e6:,.2f}"
            per_case = f"{median(whole) / subject.cases * 1e6:,.0f}"
            best = milliseconds(min(whole))
            rows.append(
                [subject.label, size, *steps, milliseconds(median(whole)), best, per_case, measure_memory(path)]
            )
            noise.sample()
    columns = ["suite", "MB", *_STEPS, "all", "best", "us a case", "MB held"]
    print_table(f"Opening, ms, median of {repeat}; `all` is one call from text to list.", columns, rows)


def print_edits(subjects: Sequence[Subject], rounds: int, noise: Noise) -> None:
    """Print how long an edit takes in files of growing size, and how it grows."""
    measured: dict[Subject, Times] = {}
    for subject in subjects:
        measured[subject] = time_edits(subject.text(), rounds)
        noise.sample()
    for layer in _LAYERS:
        rows = [[subject.label, *(_cell(times[layer, kind]) for kind in KINDS)] for subject, times in measured.items()]
        small, large = subjects[0], max(subjects, key=lambda subject: (subject.cases, subject.problems))
        growth = [median(measured[large][layer, kind]) / median(measured[small][layer, kind]) for kind in KINDS]
        rows.append([f"{large.cases:,} to {small.cases:,}", *(f"{ratio:.2f}x" for ratio in growth)])
        columns = ["suite", *(kind.name for kind in KINDS)]
        print_table(f"One edit: {layer}; ms, median / p95 of {rounds}.", columns, rows)


def print_dialects(cases: int, repeat: int, rounds: int, noise: Noise) -> None:
    """Print what opening and typing cost on a processor in suites of each dialect, which are opened in turn."""
    subjects = [Subject(cases, 0, dialect) for dialect in DIALECTS]
    opened: dict[Subject, list[float]] = {subject: [] for subject in subjects}
    for subject in subjects * repeat:
        opened[subject].append(open_at_once(subject.text(), time.process_time))
        noise.sample()
    rows: list[list[str]] = []
    for subject in subjects:
        verify(subject)
        text = subject.text()
        times = time_edits(text, rounds, time.process_time)
        ratio = median(opened[subject]) / median(opened[subjects[0]])
        row = [subject.dialect, f"{len(text.encode()) / 1e6:,.2f}", milliseconds(median(opened[subject]))]
        rows.append([*row, f"{ratio:.2f}x", *(_cell(times[_LAYERS[-1], kind]) for kind in (TYPING, TYPING_ID))])
        noise.sample()
    columns = ["dialect", "MB", "open", "to the first", *(kind.name for kind in (TYPING, TYPING_ID))]
    title = f"{cases:,} cases of each dialect, ms on a processor: open, median of {repeat}; an edit, median / p95."
    print_table(title, columns, rows)


def _cell(seconds: Sequence[float]) -> str:
    return f"{milliseconds(median(seconds))} / {milliseconds(p95(seconds))}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time the core on files of growing size.")
    parser.add_argument("--edits", type=int, default=300, help="edits of each kind (default: 300)")
    parser.add_argument("--repeat", type=int, default=5, help="how often a file is opened (default: 5)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of cases")
    parser.add_argument("--dialects", action="store_true", help="only compare the dialects, in the largest size")
    parser.add_argument("--memory-of", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    # The command line does the same.
    collect_seldom()
    if arguments.memory_of:
        print_memory(arguments.memory_of)
        return
    # A tenth of the cases has a problem: 500 of 5,000.
    subjects = [Subject(cases, problems) for problems in (0, 1) for cases in arguments.sizes]
    subjects = [Subject(subject.cases, subject.problems * (subject.cases // 10)) for subject in subjects]
    print_machine()
    noise = Noise()
    if not arguments.dialects:
        print_opening(subjects, arguments.repeat, noise)
        print_edits(subjects, arguments.edits, noise)
    print_dialects(max(arguments.sizes), arguments.repeat, arguments.edits, noise)
    print(f"\n{noise}")


if __name__ == "__main__":
    main()
