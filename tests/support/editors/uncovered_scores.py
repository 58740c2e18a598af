"""Eval files with scores that no range covers, which the tests in the editors find and mend."""

from __future__ import annotations

GREETING_GAP = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting of the user
    input_messages: [{role: user, content: Hello}]
    rubrics:
      - id: greets
        expected_outcome: Greets the user by name
        score_ranges:
          - score_range: [0, 3]
            expected_outcome: There is no greeting at all
          - score_range: [5, 10]
            expected_outcome: The greeting has the name of the user
"""
"""Score 4 is not covered."""

REVIEW_GAP = """\
evalcases:
  - id: review
    expected_outcome: Finds the defect
    input_messages: [{role: user, content: Please review.}]
    rubrics:
      - id: depth
        score_ranges:
          - score_range: [0, 2]
            expected_outcome: Nothing
          - score_range: [5, 10]
            expected_outcome: Everything
"""
"""Scores 3 and 4 are not covered."""
