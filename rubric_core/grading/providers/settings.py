"""The settings of providers: how each is spelled, read, documented and found in the environment."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rubric_core.grading.failures import CannotGrade
from rubric_core.text.patterns import lazily

Purpose = Literal["judge", "target"]

TARGET_SETTINGS = frozenset({"name", "provider", "judge_target", "workers", "provider_batching"})
"""The settings of targets that are not for their provider."""

_CAMEL = lazily(r"(?<=[a-z0-9])(?=[A-Z])")
_HEADER_NAME = lazily(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_HEADER_VALUE = lazily(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?\Z")


class InvalidSetting(ValueError):  # noqa: N818 - reads as a sentence where it is caught.
    """A value that a setting cannot have. The message has its valid values, and never repeats the value."""


@dataclass(frozen=True, slots=True)
class ProviderSetting:
    """One setting. The first of several spellings that has a value counts, then the first of the variables."""

    name: str
    doc: str
    read: Callable[[Any], Any]
    spellings: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    default: Any = None
    is_required: bool = False

    @property
    def known_as(self) -> tuple[str, ...]:
        """Return all spellings, including the name."""
        return self.spellings if self.name in self.spellings else (self.name, *self.spellings)


@dataclass(frozen=True, slots=True)
class ProviderKind:
    """One kind of provider; `implementation` names the module and the class that takes its definition."""

    name: str
    doc: str
    settings: tuple[ProviderSetting, ...]
    implementation: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProviderDefinition:
    """The settings of one provider: all values read, defaults filled in.

    `given` are the settings that were written down; where a variable of the environment gave the value, it is not
    among them. `purpose` states whether the provider judges answers or gives them.
    """

    name: str
    kind: ProviderKind
    purpose: Purpose
    values: Mapping[str, Any] = field(repr=False)
    given: frozenset[str]
    environment: Mapping[str, str] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)


def read_definition(
    name: str, kind: ProviderKind, settings: Mapping[str, Any], environment: Mapping[str, str], purpose: Purpose
) -> ProviderDefinition:
    """Read the settings of a provider. Raises CannotGrade if one is unknown, missing or invalid."""
    written = {
        _CAMEL.sub("_", key).lower(): value
        for key, value in settings.items()
        if value is not None and not (isinstance(value, str) and not value.strip())
    }
    spellings = {spelling for setting in kind.settings for spelling in setting.known_as}
    for key in written:
        if key not in spellings | TARGET_SETTINGS:
            names = ", ".join(sorted(setting.name for setting in kind.settings))
            raise CannotGrade(f"{name} has the unknown setting {key}; the provider {kind.name} knows {names}.")
    values: dict[str, Any] = {}
    given: set[str] = set()
    for setting in kind.settings:
        sources = [(spelling, written[spelling]) for spelling in setting.known_as if spelling in written]
        given |= {setting.name for _ in sources}
        variables = (name for name in setting.variables if environment.get(name, "").strip())
        sources += [(name, environment[name]) for name in variables]
        if sources:
            values[setting.name] = _read(name, setting, *sources[0])
        elif setting.is_required:
            where = f" or the variable {' or '.join(setting.variables)}" if setting.variables else ""
            raise CannotGrade(f"{name} has no {setting.name}; give the setting {setting.name}{where}.")
        else:
            values[setting.name] = setting.default
    return ProviderDefinition(name, kind, purpose, values, frozenset(given), environment)


def _read(name: str, setting: ProviderSetting, source: str, value: Any) -> Any:
    try:
        return setting.read(value)
    except InvalidSetting as invalid:
        raise CannotGrade(f"{name} has a value for {source} that cannot be used; it must be {invalid}.") from None


def text(value: Any) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise InvalidSetting("a text")
    return value.strip()


def key(value: Any) -> str:
    """Read a secret that goes into a header."""
    secret = text(value)
    if not _HEADER_VALUE.match(secret):
        raise InvalidSetting("printable ASCII characters in one line")
    return secret


def number(lowest: float, highest: float = math.inf) -> Callable[[Any], float]:
    """Return the reader of a number between two bounds. A variable's number is a text."""

    def read(value: Any) -> float:
        try:
            parsed = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            parsed = math.nan
        if not lowest <= parsed <= highest or math.isinf(parsed):
            bounds = f"of {lowest:g} or more" if math.isinf(highest) else f"from {lowest:g} to {highest:g}"
            raise InvalidSetting(f"a number {bounds}")
        return parsed

    return read


def whole_number(lowest: int, highest: int = 1 << 53) -> Callable[[Any], int]:
    """Return the reader of a whole number between two bounds."""

    def read(value: Any) -> int:
        try:
            parsed = number(lowest, highest)(value)
        except InvalidSetting:
            parsed = math.nan
        if not parsed.is_integer():
            raise InvalidSetting(f"a whole number of {lowest} or more")
        return int(parsed)

    return read


def headers(value: Any) -> dict[str, str]:
    """Read further headers: a mapping from names to values."""
    if not isinstance(value, dict):
        raise InvalidSetting("a mapping from names of headers to their values")
    named = {str(name).lower(): str(header).strip() for name, header in value.items()}
    if not all(_HEADER_NAME.match(name) and _HEADER_VALUE.match(header) for name, header in named.items()):
        raise InvalidSetting(
            "a mapping from names of headers to values, both of printable ASCII characters in one line"
        )
    return named


def statuses(value: Any) -> frozenset[int]:
    """Read a list of HTTP statuses; a variable has them in one text."""
    listed = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    read = whole_number(100, 599)
    try:
        return frozenset(map(read, listed))
    except (TypeError, InvalidSetting):
        raise InvalidSetting("a list of HTTP statuses") from None


def command(value: Any) -> str | tuple[str, ...]:
    """Read a command: a text, or a list of arguments."""
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, list) or not value or not all(isinstance(argument, str) for argument in value):
        raise InvalidSetting("a text, or a list of texts that starts with the program")
    return tuple(value)


def variables(value: Any) -> dict[str, str]:
    """Read variables of the environment."""
    if not isinstance(value, dict) or any(isinstance(variable, dict | list) for variable in value.values()):
        raise InvalidSetting("a mapping from names of variables to texts")
    return {str(name): str(variable) for name, variable in value.items()}


def boolean(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise InvalidSetting("true or false")
    return value


def ignored(_value: Any) -> Any:
    """Read a setting without effect."""


def refused(reason: str) -> Callable[[Any], Any]:
    """Return the reader of a setting that must be left out."""

    def read(_value: Any) -> Any:
        raise InvalidSetting(f"left out, because {reason}")

    return read


def hash_of(value: str | Mapping[str, str]) -> str | None:
    """Return a hash of a text or of named texts in any order, which may be secret; None for nothing."""
    if not value:
        return None
    text = value if isinstance(value, str) else json.dumps(dict(value), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
