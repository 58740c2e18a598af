"""Hovering in tests: `$0` in a text is the cursor. The texts have one of everything that can be hovered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistance import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.assist.hover import hover

if TYPE_CHECKING:
    from rubric_core.assist.hover import Hover

SUITE = """\
execution: {target: fast-one}
evalcases:
  - id: port
    expected_outcome: Names the port
    input_messages:
      - role: user
        content: Which port?
    rubrics:
      - Names the port
      - id: short
        expected_outcome: Needs one sentence
        weight: 0.5
        required: false
      - id: depth
        weight: 2
        required_min_score: 3
        score_ranges:
          0: Nothing
          3: Something
          7: All
"""

ARRAY = """\
evalcases:
  - id: a
    rubrics:
      - id: b
        score_ranges:
          - score_range: [0, 4]
            expected_outcome: Low
          - score_range: {min: 5, max: 9}
            expected_outcome: High
          - nothing
          - score_range:
              - 10
              - 10
"""

FULL_CASE = """\
evalcases:
  - id: $0full
    expected_outcome: x
    scorecard: {skill: y}
    execution:
      target: own
      evaluators:
        - {name: a, type: rubric, weight: 2, rubrics: [b, {id: c, required: false}]}
        - {type: nonsense, weight: .inf}
"""

SCORECARDS = """\
scorecards:
  good:
    skill: mail
    weights: {correctness: 0.6, safety: 0.4}
    red_flags:
      - {id: refund, expected_outcome: Promises a refund, deduction: 1.5}
      - Asks for a password
    bonuses: [Links the manual]
  plain: {red_flags: [{deduction: 3}], bonuses: [a, b, c, d, e, f, g]}
  odd: {weights: {safety: much}}
evalcases:
  - id: a
    rubrics: []
    scorecard: good
"""

ANCHORS = """\
shared: &shared
  - Uses upper case
  - id: star
    expected_outcome: Names every column
base: &base {weight: 2}
evalcases:
  - id: a
    rubrics: *shared
  - id: b
    rubrics:
      - <<: *base
        id: c
      - <<: [*base, *base]
        score_ranges: &bands {0: Low, 5: High}
      - score_ranges: *bands
    note: "no &anchor and no *alias" # nor &here
"""

COMMENTED = """\
# rubric: ignore-file[no-criteria] because
evalcases:
  - id: a
    # rubric: ignore[rb103, unknown-key, nonsense] a reason
    rubrics: [] # rubric: ignore
  # rubric: ignore-file[RB101]
  - id: b
    note: "# rubric: ignore[RB103]"
"""
TEXTS = (SUITE, ARRAY, FULL_CASE, SCORECARDS, ANCHORS, COMMENTED)


def hover_at(marked: str, path: str = "a.eval.yaml") -> tuple[str, Hover | None]:
    """Return a text without its cursor, and what is said there."""
    text, at = cut_cursor(marked)
    return text, hover(analyse(text, path=path), at)


def said_at(marked: str, path: str = "a.eval.yaml") -> str:
    """Return what is said at the cursor as plain text, or nothing."""
    _, found = hover_at(marked, path)
    return found.plain if found is not None else ""


def under(marked: str, path: str = "a.eval.yaml") -> str:
    """Return the stretch of the text that a hover is about."""
    text, found = hover_at(marked, path)
    assert found is not None, "Nothing is said."
    return text[found.span.start : found.span.end]


def inside(stretch: str, text: str = SUITE) -> str:
    """Return a text with the cursor behind the first character of the first occurrence of a stretch."""
    at = text.index(stretch)
    return f"{text[: at + 1]}$0{text[at + 1 :]}"
