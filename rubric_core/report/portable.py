"""Foreign text in machine formats: characters that are invalid there, or that control a terminal, are escaped."""

import json
from typing import Any

from rubric_core.terminal.display import visible
from rubric_core.text.patterns import lazily

_SURROGATE = lazily("[\ud800-\udfff]")
_ESCAPED_SURROGATE = lazily(r"\\ud[89a-f]")
UNSAFE = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff"
"""What XML cannot hold or a terminal would obey, as ranges of a pattern; tabs and line feeds are no part of it.

Control characters, the separators that some readers take for line breaks, the characters that turn the direction of the
text behind them, and two numbers that are no characters.
"""

_UNSAFE = lazily(f"[{UNSAFE}]")
_UNSAFE_IN_LINE = lazily(f"[\t\n{UNSAFE}]")
# Python keeps a byte of a file name that is no UTF-8 as one of these.
_BYTES = range(0xDC80, 0xDD00)


def dump_json(data: Any, *, indent: int | None = None) -> str:
    """Return data as JSON in ASCII, without lone surrogates, which many readers refuse."""
    text = json.dumps(data, indent=indent)
    # A valid pair of surrogates is written the same way, so this is only a cheap first test.
    return json.dumps(_spelt_out_in(data), indent=indent) if _ESCAPED_SURROGATE.search(text) else text


def spelt_out(text: str) -> str:
    r"""Return a text that can be encoded: a byte that is no UTF-8 becomes `\xe9`, a lone surrogate `\ud800`."""
    return _SURROGATE.sub(lambda surrogate: _escape(ord(surrogate[0])), text)


def one_line(text: str) -> str:
    """Return a text that can be encoded, without line breaks and control characters."""
    return _UNSAFE_IN_LINE.sub(lambda sign: visible(sign[0]), spelt_out(text))


def harmless_lines(text: str) -> str:
    """Return a text of one or several lines that is valid in XML, without control characters."""
    return _UNSAFE.sub(lambda sign: visible(sign[0]), spelt_out(text).replace("\r\n", "\n"))


def path_bytes(path: str) -> bytes:
    """Return the bytes of a file's name, even if they are not UTF-8."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def _escape(code: int) -> str:
    return f"\\x{code - 0xDC00:02x}" if code in _BYTES else f"\\u{code:04x}"


def _spelt_out_in(data: Any) -> Any:
    if isinstance(data, str):
        return spelt_out(data)
    if isinstance(data, dict):
        return {_spelt_out_in(key): _spelt_out_in(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_spelt_out_in(member) for member in data]
    return data
