"""Columns in the units that editors count in: utf-8 bytes, utf-16 code units, utf-32 code points."""

from bisect import bisect_right
from typing import Literal

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]


def units_before(line_text: str, column: int, encoding: PositionEncoding) -> int:
    """Return how many units of the encoding are before a code-point column of a line."""
    before = line_text[:column]
    if encoding == "utf-32" or before.isascii():
        return len(before)
    if encoding == "utf-16":
        return len(before.encode("utf-16-le", "surrogatepass")) // 2
    return len(before.encode("utf-8", "surrogatepass"))


def column_of_units(line_text: str, units: int, encoding: PositionEncoding) -> int:
    """Return the code-point column of a column in units; inside a character, the start of the character."""
    if encoding == "utf-32" or line_text.isascii():
        return max(0, min(units, len(line_text)))
    columns = range(1, len(line_text) + 1)
    return bisect_right(columns, units, key=lambda column: units_before(line_text, column, encoding))
