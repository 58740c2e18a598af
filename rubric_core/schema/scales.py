"""Numbers and names that the format fixes: the scale of scores, the marks of verdicts, the name of inline criteria."""

from fractions import Fraction

LOWEST = 0
HIGHEST = 10
"""The scale of a criterion with score ranges; both ends are scores."""

PASS_MARK = Fraction(4, 5)
"""The score from which a case passes."""
BORDERLINE_MARK = Fraction(3, 5)
"""The score from which a case is borderline."""

INLINE_NAME = "rubric"
"""The name under which the results show what the inline `rubrics` of a case gave."""
