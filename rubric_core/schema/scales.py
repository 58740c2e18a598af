"""Numbers and names that the format fixes: the scale of scores, the marks of verdicts, the name of inline criteria."""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

LOWEST = 0
HIGHEST = 10
"""The scale of a criterion with score ranges; both ends are scores."""

PASS_MARK = Fraction(4, 5)
PASS_MARK_DECIMAL = Decimal(PASS_MARK.numerator) / PASS_MARK.denominator
"""The score from which a case passes, also as a decimal, which it is exactly."""
BORDERLINE_MARK = Fraction(3, 5)
"""The score from which a case is borderline."""


class VerdictMarks(NamedTuple):
    """The lowest passing score of a case, and the lowest borderline score if that verdict exists."""

    passing: Fraction
    borderline: Fraction | None = None


THREE_VERDICTS = VerdictMarks(PASS_MARK, BORDERLINE_MARK)
TWO_VERDICTS = VerdictMarks(PASS_MARK)

INLINE_NAME = "rubric"
"""The name under which the results show what the inline `rubrics` of a case gave."""

FILE_URL = "file://"
"""What is before the path of a file, where a path alone is a text."""

COMMAND_KEYS = ("script", "command")
"""The keys of a command."""

REFERENCE = "#/"
"""What a reference to another part of the same file starts with."""
