"""The settings of providers as a table: how each is spelled, read, documented and found in the environment."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rubric_core.grading.failures import CannotGrade
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rubric_core.grading.providers.provider import Provider

Purpose = Literal["judge", "target"]

OF_THE_TARGET = frozenset({"name", "provider", "judge_target", "workers", "provider_batching"})
"""What AgentV's targets say about themselves and not to their provider."""

_CAMEL = lazily(r"(?<=[a-z0-9])(?=[A-Z])")
_HEADER_NAME = lazily(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_HEADER_VALUE = lazily(r"[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?\Z")


class Unfit(ValueError):  # noqa: N818 - reads as a sentence where it is caught.
    """A value that a setting cannot have. The message says what it can be, and never repeats the value."""


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
        """Return all spellings, with the name where it is none of them."""
        return self.spellings if self.name in self.spellings else (self.name, *self.spellings)


@dataclass(frozen=True, slots=True)
class ProviderDefinition:
    """A provider as somebody has defined it: all values read, defaults filled in.

    `given` are the settings that were written down; where a variable of the environment gave the value, it is not
    among them. `purpose` tells whether the provider judges answers or gives them.
    """

    name: str
    purpose: Purpose
    values: Mapping[str, Any]
    given: frozenset[str]
    environment: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


@dataclass(frozen=True, slots=True)
class ProviderKind:
    """One kind of provider."""

    name: str
    doc: str
    settings: tuple[ProviderSetting, ...]
    make: Callable[[ProviderDefinition], Provider]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HttpKind:
    """A kind that is spoken to over HTTP: the module of its dialect, and where its key may go.

    `own_hosts` are the servers of the company behind the protocol; one that begins with a dot stands for all below it.
    `key_variables` are those of the environment that hold a key, as messages name them.
    """

    module: str
    address_setting: str
    own_hosts: tuple[str, ...]
    key_variables: tuple[str, ...]
    needs_key_everywhere: bool = True


def read_definition(
    name: str,
    kind: ProviderKind,
    settings: Mapping[str, Any],
    environment: Mapping[str, str],
    purpose: Purpose = "judge",
) -> ProviderDefinition:
    """Read the settings of a provider. Raises CannotGrade where one is unknown, missing or of no use."""
    written = {_CAMEL.sub("_", key).lower(): value for key, value in settings.items() if not _is_empty(value)}
    known = {spelling for setting in kind.settings for spelling in setting.known_as}
    for key in written:
        if key not in known | OF_THE_TARGET:
            names = ", ".join(sorted(setting.name for setting in kind.settings))
            raise CannotGrade(f"{name} has the unknown setting {key}; the provider {kind.name} knows {names}.")
    values: dict[str, Any] = {}
    given: set[str] = set()
    for setting in kind.settings:
        source = next((spelling for spelling in setting.known_as if spelling in written), None)
        variable = next((each for each in setting.variables if environment.get(each, "").strip()), None)
        if source is not None:
            values[setting.name] = _read(name, source, setting, written[source])
            given.add(setting.name)
        elif variable is not None:
            values[setting.name] = _read(name, variable, setting, environment[variable])
        elif setting.is_required:
            raise CannotGrade(missing(name, setting))
        else:
            values[setting.name] = setting.default
    return ProviderDefinition(name, purpose, values, frozenset(given), environment)


def missing(name: str, setting: ProviderSetting) -> str:
    """Say that a setting is missing, and what to do."""
    where = f" or the variable {' or '.join(setting.variables)}" if setting.variables else ""
    return f"{name} has no {setting.name}; give the setting {setting.name}{where}."


def _read(name: str, source: str, setting: ProviderSetting, value: Any) -> Any:
    try:
        return setting.read(value)
    except Unfit as unfit:
        raise CannotGrade(f"{name} has a value for {source} that cannot be used; it must be {unfit}.") from None


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def text(value: Any) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise Unfit("a text")
    return value.strip()


def key(value: Any) -> str:
    """Read a secret that goes into a header."""
    found = text(value)
    if not _HEADER_VALUE.match(found):
        raise Unfit("printable ASCII characters in one line")
    return found


def number(lowest: float, highest: float = math.inf) -> Callable[[Any], float]:
    """Return the reader of a number between two bounds. A variable's number is a text."""

    def read(value: Any) -> float:
        try:
            found = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            found = math.nan
        if not lowest <= found <= highest or math.isinf(found):
            bounds = f"of {lowest:g} or more" if math.isinf(highest) else f"from {lowest:g} to {highest:g}"
            raise Unfit(f"a number {bounds}")
        return found

    return read


def whole_number(lowest: int, highest: int = 1 << 53) -> Callable[[Any], int]:
    """Return the reader of a whole number between two bounds."""

    def read(value: Any) -> int:
        try:
            found = number(lowest, highest)(value)
        except Unfit:
            found = math.nan
        if not found.is_integer():
            raise Unfit(f"a whole number of {lowest} or more")
        return int(found)

    return read


def headers(value: Any) -> dict[str, str]:
    """Read further headers: a mapping from names to values."""
    if not isinstance(value, dict):
        raise Unfit("a mapping from names of headers to their values")
    found = {str(name).lower(): str(each).strip() for name, each in value.items()}
    if not all(_HEADER_NAME.match(name) and _HEADER_VALUE.match(each) for name, each in found.items()):
        raise Unfit("a mapping from names of headers to values, both of printable ASCII characters in one line")
    return found


def statuses(value: Any) -> frozenset[int]:
    """Read a list of HTTP statuses; a variable has them in one text."""
    listed = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    read = whole_number(100, 599)
    try:
        return frozenset(read(each) for each in listed)
    except (TypeError, Unfit):
        raise Unfit("a list of HTTP statuses") from None
