"""Matches translated patterns. As a program it reads a line of JSON for each match and writes one in return.

It imports nothing but the standard library, so that it starts at once and runs isolated.
"""

import json
import re
import sys


def code_units(text: str) -> str:
    """Return a text with one character for each 16-bit unit of its UTF-16."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True))


def find(pattern: str, flags: int, is_anchored: bool, in_code_units: bool, text: str) -> bool | str:  # noqa: FBT001 - a row of JSON.
    """Return whether a pattern matches a text, or why Python refuses it."""
    try:
        compiled = re.compile(pattern, flags)
        match = compiled.match if is_anchored else compiled.search
        return match(code_units(text) if in_code_units else text) is not None
    except (re.error, RecursionError, ValueError, OverflowError, MemoryError) as error:
        return str(error) or type(error).__name__


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(find(*json.loads(line)))}\n")
        sys.stdout.flush()
