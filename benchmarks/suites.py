"""Makes eval files of any size that look like real ones, the same text for the same numbers.

Usage: python benchmarks/suites.py 5000 --problems 500 --dialect agentv-4 > suite.eval.yaml

The cases stand in `shapes/`, in a folder for each dialect, one file each, with places for the words that differ.
Without problems a suite gives no error, no warning and no hint.
"""

from __future__ import annotations

import argparse
import random
import sys
from functools import cache
from pathlib import Path
from string import Template
from typing import NamedTuple

SIZES = (10, 100, 1_000, 5_000)
"""The numbers of cases that benchmarks are run with."""

_HEADER = """\
# $cases cases, made by benchmarks/suites.py.
description: Questions about services that fail, and what a good answer does about them

"""
_HEADERS = {
    "agentv-2": """\
execution:
  target: default
  evaluators:
    - name: length
      type: token_usage
      max_output: 2000

evalcases:
""",
    "agentv-4": """\
execution:
  target: default

assertions:
  - name: length
    type: token-usage
    max_output: 2000

tests:
""",
    "agentv-5": """\
prompts: ["{{ input }}"]
providers: [default]

assert:
  - metric: length
    type: token-usage
    max_output: 2000

tests:
""",
    "promptfoo": """\
prompts: ["Answer the {{ team }} team: {{ input }}"]
providers: [echo]

defaultTest:
  assert:
    - type: word-count
      value: {max: 2000}

tests:
""",
}
DIALECTS = tuple(_HEADERS)
"""The dialects that suites can be made in."""

_SHAPES = ("checklist", "map-ranges", "detailed", "array-ranges", "evaluators")
# Scorecards are rarer than the other shapes.
_SCORECARD_EVERY = 16

_WORDS = {
    "service": (
        "billing export", "parcel tracker", "search index", "login page", "booking calendar", "invoice mailer",
        "image resizer", "audit log", "rate limiter", "feature switch", "report builder", "stock synchronisation",
    ),
    "defect": (
        "a missing timeout", "an off-by-one in the page count", "a retry without a limit",
        "a race between two writers", "a time zone that gets lost", "a query inside of a loop",
        "a secret in a log line", "an unclosed file handle", "a rounding error in the totals",
        "a cache that never expires", "a lock that is taken twice",
    ),
    "language": ("Python", "TypeScript", "Go", "Rust", "Kotlin", "Ruby", "Java"),
    "team": ("payments", "logistics", "identity", "search", "platform", "support"),
    "detail": (
        "It starts to fail after about an hour, and a restart helps until the next morning.",
        "Two customers see the orders of each other, and both have cleared their browsers.",
        "The number on the page is higher by one than the number in the mail that we get.",
        "Nothing is written any more since the last release, although the disk has room.",
        "The first request of the day takes half a minute, and all others are as fast as ever.",
        "In the office in Lisbon all times are off by an hour, but only for half of the year.",
        "Uploads of more than forty files stop in the middle, without any word about the reason.",
        "The export has every row twice when somebody presses the button a second time.",
    ),
    "question": (
        "What is the reason for that, and which change would you make first of all?",
        "Can you tell what goes wrong here, and how I would notice it the next time?",
        "Is this related to the change of last week, or has it been there for longer?",
        "Which of the two ways out would you take, and what would you do about the data?",
        "How would you show that to somebody who does not know the code of this part?",
        "Why has no test seen it, and what would a test look like that does see it?",
    ),
    "remedy": (
        "Pass a limit to the loop and leave it when the limit is reached.",
        "Take the lock before the first read and give it back after the last write.",
        "Keep the time in UTC and convert it where it is shown, nowhere else.",
        "Move the query in front of the loop and look the rows up in a table.",
    ),
}  # fmt: skip


class Defect(NamedTuple):
    """A mistake that can be planted: the rule that finds it, the shape it goes into, and what is written instead."""

    code: str
    shape: str
    right: str
    wrong: str


DEFECTS = (
    Defect("RB103", "array-ranges", "[4, 7]", "[5, 7]"),
    Defect("RB101", "array-ranges", "[2, 3]", "[1, 3]"),
    Defect("RB003", "detailed", "weight: 3.0", "wieght: 3.0"),
    Defect("RB203", "checklist", "- id: $id", "- id: $id_before"),
    Defect("RB102", "array-ranges", "[8, 10]", "[8, 11]"),
    Defect("RB107", "map-ranges", "8: Only lines that have to change are changed", '8: ""'),
    Defect("RB005", "evaluators", "    expected_outcome: Turns", "    note: Turns"),
    Defect("RB106", "map-ranges", "0: More than half", "1: More than half"),
    Defect("RB204", "checklist", "weight: 2.0", "weight: -2.0"),
    Defect("RB202", "detailed", "- id: evidence", "- id: root-cause"),
    Defect("RB505", "evaluators", "- role: assistant", "- role: asistant"),
    Defect(
        "RB201", "detailed", "expected_outcome: States how many of the $limit tenants were affected", "required: true"
    ),
    Defect("RB501", "evaluators", "type: llm_judge", "type: llm_jugde"),
    Defect("RB207", "map-ranges", "required_min_score: 3", "required_min_score: 0.3"),
    Defect("RB004", "detailed", "required: false", "required: no"),
    Defect("RB601", "scorecard", "correctness: 0.30", "correctness: 0.35"),
    Defect("RB104", "array-ranges", "[3, 6]", "[6, 3]"),
    Defect("RB605", "scorecard", "deduction: 0.5", "deduction: 2.5"),
)
"""The mistakes, in the order in which they are planted; each gives exactly one problem."""


def make_suite(cases: int, problems: int = 0, seed: int = 0, dialect: str = "agentv-2") -> str:
    """Return the text of a suite with so many cases, and so many problems spread evenly over them."""
    if not 0 <= problems < cases:
        raise ValueError(f"{problems} problems do not fit into {cases} cases, one in a case and none in the first.")
    defects = planted_defects(problems, dialect)
    planted = {_place(index, cases, problems): defect for index, defect in enumerate(defects)}
    header = Template(_HEADER).substitute(cases=f"{cases:,}") + _HEADERS[dialect]
    return header + "".join([_make_case(number, seed, dialect, planted.get(number)) for number in range(cases)])


def planted_defects(problems: int, dialect: str = "agentv-2") -> list[Defect]:
    """Return the defects of a suite with so many problems, in the order of the text; each dialect has some of them."""
    possible = [defect for defect in DEFECTS if defect.right in _text(dialect, defect.shape)]
    return [possible[index % len(possible)] for index in range(problems)]


def _place(index: int, cases: int, problems: int) -> int:
    """Return the case that a problem is planted in; never the first, which has none before it to repeat the id of."""
    return 1 + index * (cases - 1) // problems


def _make_case(number: int, seed: int, dialect: str, defect: Defect | None) -> str:
    # Each case has its own sequence of words, so that a larger suite starts with the cases of a smaller one.
    choice = random.Random(seed * 1_000_003 + number)  # noqa: S311 - words of a test text are no secret.
    words = {name: choice.choice(texts) for name, texts in _WORDS.items()}
    words |= {
        "id": _identifier(number),
        "id_before": _identifier(number - 1),
        "number": str(10_000 + 7 * number),
        "limit": str(choice.randint(12, 80)),
    }
    return _template(dialect, defect or _shape_of(number)).substitute(words)


def _identifier(number: int) -> str:
    return f"{_shape_of(number)}-{number:05}"


def _shape_of(number: int) -> str:
    if number % _SCORECARD_EVERY == _SCORECARD_EVERY - 1:
        return "scorecard"
    return _SHAPES[number % len(_SHAPES)]


@cache
def _text(dialect: str, shape: str) -> str:
    return (Path(__file__).parent / "shapes" / dialect / f"{shape}.yaml").read_text(encoding="utf-8")


@cache
def _template(dialect: str, wanted: str | Defect) -> Template:
    """Return the text of a shape, or of the shape that a defect goes into with the defect in it."""
    if isinstance(wanted, Defect):
        return Template(_text(dialect, wanted.shape).replace(wanted.right, wanted.wrong, 1))
    return Template(_text(dialect, wanted))


def main() -> None:
    """Write a suite to standard output."""
    parser = argparse.ArgumentParser(description="Write an eval file of a given size.")
    parser.add_argument("cases", type=int, help="how many cases")
    parser.add_argument("--problems", type=int, default=0, help="how many of them have a problem (default: none)")
    parser.add_argument("--seed", type=int, default=0, help="another number gives other words (default: 0)")
    parser.add_argument("--dialect", choices=DIALECTS, default=DIALECTS[0], help="its dialect (default: agentv-2)")
    arguments = parser.parse_args()
    try:
        text = make_suite(arguments.cases, arguments.problems, arguments.seed, arguments.dialect)
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main()
