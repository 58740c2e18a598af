"""Matches translated patterns. As a program it reads a line of JSON for each match and answers with another."""

import json
import re
import sys


def find(pattern: str, flags: int, is_anchored: bool, in_code_units: bool, text: str) -> bool | str:  # noqa: FBT001 - a row of JSON.
    """Return whether a pattern matches a text, or why Python refuses it."""
    if in_code_units and not text.isascii():
        units = text.encode("utf-16-le", "surrogatepass")
        text = "".join(chr(low | high << 8) for low, high in zip(units[::2], units[1::2], strict=True))
    try:
        compiled = re.compile(pattern, flags)
        return (compiled.match if is_anchored else compiled.search)(text) is not None
    except (re.error, RecursionError, OverflowError, MemoryError) as error:
        return str(error) or type(error).__name__


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(find(*json.loads(line)))}\n")
        sys.stdout.flush()
