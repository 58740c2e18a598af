"""The formats of strings in a JSON Schema, such as `date` and `email`, as ajv-formats understands them."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from rubric_core.javascript_regex import pattern_problem
from rubric_core.text.patterns import lazily

_LEAP_SECOND = 60
_LEAP_DAY_YEAR = 2000
_TIME = lazily(r"(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d)(?::?(\d\d))?)\Z", re.ASCII)
_DATE = lazily(r"(\d{4})-(\d\d)-(\d\d)\Z", re.ASCII)
_SEPARATOR = lazily(r"[tT\s]")
_END_OF_PERL = lazily(r"[^\\]\\Z")
_UUID = lazily(r"(?i:(?:urn:uuid:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_EMAIL = lazily(rf"{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)+{_LABEL}\Z")
_HOST = lazily(rf"{_LABEL}(?:\.{_LABEL})*\.?\Z")
_LONGEST_LABEL = 63
_LONGEST_HOST = 253
_UNIT = r"[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}"
_SERVER = rf"(?:(?:{_UNIT}|:)*@)?(?:\[(?P<number>[0-9A-Fa-f:.]+)\]|(?:{_UNIT})*)(?::[0-9]*)?"
_PATH = rf"/?/{_SERVER}(?:/(?:{_UNIT}|[:@])*)*|/?(?:{_UNIT}|[:@])(?:{_UNIT}|[:@/])*"
_REST = rf"(?:\?(?:{_UNIT}|[:@/?])*)?(?:\#(?:{_UNIT}|[:@/?])*)?"
_URI = lazily(rf"[A-Za-z][A-Za-z0-9+.-]*:(?:{_PATH}){_REST}\Z")


def _is_date(text: str) -> bool:
    match = _DATE.match(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    try:
        # Python has no year 0, which is a leap year.
        date(year or _LEAP_DAY_YEAR, month, day)
    except ValueError:
        return False
    return True


def _is_time(text: str) -> bool:
    match = _TIME.match(text)
    if match is None:
        return False
    hour, minute, second = map(int, match.groups()[:3])
    sign = -1 if match[4] == "-" else 1
    zone_hour, zone_minute = int(match[5] or 0), int(match[6] or 0)
    if zone_hour > 23 or zone_minute > 59:  # noqa: PLR2004 - hours and minutes.
        return False
    if hour <= 23 and minute <= 59 and second < _LEAP_SECOND:  # noqa: PLR2004 - the same.
        return True
    utc_minute = minute - zone_minute * sign
    utc_hour = hour - zone_hour * sign - (utc_minute < 0)
    return utc_hour in {23, -1} and utc_minute in {59, -1} and second == _LEAP_SECOND


def _is_date_time(text: str) -> bool:
    parts = _SEPARATOR.split(text)
    return len(parts) == 2 and _is_date(parts[0]) and _is_time(parts[1])  # noqa: PLR2004 - a date and a time.


def _is_host(text: str) -> bool:
    is_short = len(text.removesuffix(".")) <= _LONGEST_HOST
    return is_short and _HOST.match(text) is not None and all(len(label) <= _LONGEST_LABEL for label in text.split("."))


def _is_address(kind: type[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            kind(text)
        except ValueError:
            return False
        return "%" not in text

    return check


def _is_uri(text: str) -> bool:
    match = _URI.match(text)
    return match is not None and (match["number"] is None or _is_address(ipaddress.IPv6Address)(match["number"]))


def _is_pattern(text: str) -> bool:
    return pattern_problem(text, "") is None and _END_OF_PERL.search(text) is None


def _is_anything(_value: object) -> bool:
    return True


TEXT_FORMATS: Mapping[str, Callable[[str], bool]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_date_time,
    "uri": _is_uri,
    "email": lambda text: _EMAIL.match(text) is not None,
    "hostname": _is_host,
    "ipv4": _is_address(ipaddress.IPv4Address),
    "ipv6": _is_address(ipaddress.IPv6Address),
    "uuid": lambda text: _UUID.match(text) is not None,
    "regex": _is_pattern,
    "password": _is_anything,
    "binary": _is_anything,
}
"""The formats of texts that are checked."""
NUMBER_FORMATS: Mapping[str, Callable[[Any], bool]] = {
    "int32": lambda number: float(number).is_integer() and -(2**31) <= number < 2**31,
    "int64": lambda number: float(number).is_integer(),
    "float": _is_anything,
    "double": _is_anything,
}
"""The formats of numbers."""
UNCHECKED_FORMATS = frozenset(
    {
        *("duration", "uri-reference", "uri-template", "url", "iso-time", "iso-date-time", "byte"),
        *("json-pointer", "json-pointer-uri-fragment", "relative-json-pointer"),
    }
)
"""The formats of ajv-formats that this grader does not check."""


def has_format(name: str, value: Any) -> bool:
    """Return whether a value has a format; one of another type always has."""
    if isinstance(value, str):
        return TEXT_FORMATS.get(name, _is_anything)(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return not is_number or NUMBER_FORMATS.get(name, _is_anything)(value)
