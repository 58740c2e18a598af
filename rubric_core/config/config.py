"""The configuration as a value, and what it says about a rule.

Whether a rule is on, and how bad its problems are, is decided so:

1. Without `select` every rule is on. With `select` only the rules that it names are on.
2. `ignore` turns rules off. Where `select` and `ignore` both name a rule, the more specific entry wins: a code or
   a name beats a prefix (`RB1`), a longer prefix beats a shorter one. Equal entries: the later layer wins (the
   command line and the editor stand on top of the file), and within a layer `ignore` wins.
3. `severity` sets the level of a rule that is on, or turns it `off`; the more specific entry wins, then the later.
   A later layer that selects the rule at least as specifically turns an `off` rule on again.
4. `per-file-ignores` turns rules off for the files it names, whatever the rest says.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rubric_core.config.globs import matches_any, relative_to_root
from rubric_core.rules.problem import Severity
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.text.patterns import lazily

DEFAULT_INCLUDE = ("*.eval.yaml", "*.eval.yml", "*.eval.jsonl")

EVERY_RULE = "ALL"
_CODE_OR_PREFIX = lazily(r"RB\d{0,3}\Z", re.IGNORECASE)
_NO_MATCH = -1


def _empty() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Overrides:
    """A layer on top of the file: the command line, or the editor's settings. None and empty say nothing.

    Without `may_raise_limits`, neither the file nor this layer raises a limit above its default.
    """

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, Severity | None] = field(default_factory=_empty, hash=False)
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, frozenset[str]] = field(default_factory=_empty, hash=False)
    limits: Mapping[str, int] = field(default_factory=_empty, hash=False)
    targets: Mapping[str, Any] = field(default_factory=_empty, hash=False)
    judges: Mapping[str, Any] = field(default_factory=_empty, hash=False)
    judge: str | None = None
    min_grade: str | None = None
    allow_outside: bool | None = None
    may_raise_limits: bool = True


@dataclass(frozen=True, slots=True)
class Config:
    """What the user asked for. The fields are described in `rubric_core.config.settings`.

    `root` is the folder of the configuration file. `layers` are the overrides on top, the latest last; only
    `select`, `ignore` and `severity` are read from them, everything else has been merged into the fields.
    """

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, Severity | None] = field(default_factory=_empty, hash=False)
    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, frozenset[str]] = field(default_factory=_empty, hash=False)
    limits: Limits = field(default_factory=Limits)
    targets: Mapping[str, Any] = field(default_factory=_empty, hash=False)
    judges: Mapping[str, Any] = field(default_factory=_empty, hash=False)
    judge: str | None = None
    min_grade: str | None = None
    allow_outside: bool = False
    root: Path | None = None
    layers: tuple[Overrides, ...] = ()


DEFAULT = Config()

_Layers = tuple[Config | Overrides, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The level of every rule for one file; None where the rule is off."""

    levels: Mapping[str, Severity | None]

    def level(self, code: str) -> Severity | None:
        """Return the level of a rule; a code that is no rule is off."""
        return self.levels.get(code)

    @property
    def off(self) -> frozenset[str]:
        """Return the codes of the rules that do not run."""
        return frozenset(code for code, level in self.levels.items() if level is None)


def compile_selection(config: Config, path: str, rules: Iterable[tuple[str, str, Severity]]) -> Selection:
    """Decide once for a file what `severity_of` says of each rule, given as code, name and default level."""
    ignored_here = _ignored_in(config, path)
    return Selection(
        {code: _decide(config, code, name, default, ignored_here) for code, name, default in rules},
    )


def severity_of(config: Config, rule_code: str, rule_name: str, default: Severity, path: str) -> Severity | None:
    """Return the level of a rule in a file, or None where it is off. The module's docstring gives the order."""
    return _decide(config, rule_code, rule_name, default, _ignored_in(config, path))


def merged(config: Config, overrides: Overrides) -> Config:
    """Put a layer on top of a configuration."""
    limits = replace(config.limits, **overrides.limits)
    return replace(
        config,
        include=config.include if overrides.include is None else overrides.include,
        exclude=config.exclude + overrides.exclude,
        per_file_ignores={**config.per_file_ignores, **overrides.per_file_ignores},
        limits=limits if overrides.may_raise_limits else limits.lowered_to(DEFAULT_LIMITS),
        targets={**config.targets, **overrides.targets},
        judges={**config.judges, **overrides.judges},
        judge=config.judge if overrides.judge is None else overrides.judge,
        min_grade=config.min_grade if overrides.min_grade is None else overrides.min_grade,
        allow_outside=config.allow_outside if overrides.allow_outside is None else overrides.allow_outside,
        layers=(*config.layers, overrides),
    )


def is_ours_by_name(config: Config, path: str) -> bool:
    """Return whether a file is an eval file because of its name alone."""
    return matches_any(config.include, relative_to_root(path, config.root))


def is_excluded(config: Config, path: str) -> bool:
    """Return whether the configuration leaves a file or a folder out of a walk."""
    return matches_any(config.exclude, relative_to_root(path, config.root))


def names_rule(entry: str, known: Iterable[str]) -> bool:
    """Return whether an entry of `select`, `ignore` or `severity` names at least one of the known codes and names."""
    if entry.upper() == EVERY_RULE:
        return True
    prefix = entry.upper() if _CODE_OR_PREFIX.match(entry) else None
    return any(entry == word or (prefix is not None and word.startswith(prefix)) for word in known)


def _decide(config: Config, code: str, name: str, default: Severity, ignored_here: frozenset[str]) -> Severity | None:
    if _specificity(ignored_here, code, name) != _NO_MATCH:
        return None
    layers: _Layers = (config, *config.layers)
    selected = _selected(layers, code, name)
    if selected is None or selected < _ignored(layers, code, name):
        return None
    return _level(layers, code, name, default, selected)


def _selected(layers: _Layers, code: str, name: str) -> tuple[int, int, int] | None:
    """Return how strongly a rule is selected, or None where the latest `select` leaves it out."""
    for place in range(len(layers) - 1, -1, -1):
        select = layers[place].select
        if select is not None:
            specificity = _specificity(select, code, name)
            return None if specificity == _NO_MATCH else (specificity, place, 0)
    return (0, 0, 0)


def _ignored(layers: _Layers, code: str, name: str) -> tuple[int, int, int]:
    """Return how strongly a rule is ignored. The last number makes `ignore` win within its own layer."""
    return max((_specificity(layer.ignore, code, name), place, 1) for place, layer in enumerate(layers))


def _level(layers: _Layers, code: str, name: str, default: Severity, selected: tuple[int, int, int]) -> Severity | None:
    best, best_place = 0, -1
    level: Severity | None = default
    for place, layer in enumerate(layers):
        for entry, wanted in layer.severity.items():
            specificity = _specificity((entry,), code, name)
            if specificity >= max(best, 1):
                best, best_place, level = specificity, place, wanted
    selected_later = selected[1] > best_place and selected[0] >= best
    return default if level is None and selected_later else level


def _specificity(entries: Iterable[str], code: str, name: str) -> int:
    """Return the length of the longest prefix of the code among the entries; the name counts as the whole code."""
    best = _NO_MATCH
    for entry in entries:
        if entry == name:
            return len(code)
        upper = entry.upper()
        if upper == EVERY_RULE:
            best = max(best, 1)
        elif code.startswith(upper) and upper:
            best = max(best, len(upper))
    return best


def _ignored_in(config: Config, path: str) -> frozenset[str]:
    if not config.per_file_ignores:
        return frozenset()
    relative = relative_to_root(path, config.root)
    ignored = (codes for glob, codes in config.per_file_ignores.items() if matches_any((glob,), relative))
    return frozenset().union(*ignored)


def known_rules() -> tuple[str, ...]:
    """Return the codes and names of all rules; the first call imports them, for which a start has no time."""
    from rubric_core.rules.registry import KNOWN_CODES  # noqa: PLC0415 - it imports all rules.

    return tuple(KNOWN_CODES)
