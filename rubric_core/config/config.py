"""The configuration as a value, and its effect on a rule.

Whether a rule is on, and how bad its problems are, is decided so:

1. Without `select` every rule is on. With `select` only the rules that it names are on.
2. `ignore` turns rules off. If `select` and `ignore` both name a rule, the more specific entry wins: a code or
   a name beats a prefix (`RB1`), a longer prefix beats a shorter one. Equal entries: the later layer wins (the
   command line and the editor are on top of the file), and within a layer `ignore` wins.
3. `severity` sets the severity of a rule that is on, or turns it `off`; the more specific entry wins, then the later.
   A later layer that selects the rule at least as specifically turns an `off` rule on again.
4. `per-file-ignores` turns rules off for the files it names, whatever the rest says.

In globs, also those of `.gitignore` files, `*` and `?` stay within one name, `**` spans folders, `[ab]` is one of
several characters, and a backslash escapes the next character. A glob without a slash is a name in any folder; one with
a slash counts from the folder of the file that has it. In the configuration a glob that names a folder includes
everything below it.
"""

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from rubric_core.rules.problem import Severity
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.text.patterns import lazily

DEFAULT_INCLUDE = ("*.eval.yaml", "*.eval.yml", "*.eval.jsonl")
ANY_DIALECT = "auto"

EVERY_RULE = "ALL"
_CODE_OR_PREFIX = lazily(r"RB\d{0,3}\Z", re.IGNORECASE)
_NO_MATCH = -1
_TOKEN = lazily(
    r"(?P<folders>(?:(?<=/)|\A)(?:\*\*+/)+)|(?P<below>(?<=/)\*\*+\Z)|(?P<name>\*+)|(?P<one>\?)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?[^\]/]*)\]|\\(?P<escaped>.)|(?P<literal>.)",
    re.DOTALL,
)
_MEANING = {"folders": "(?:.*/)?", "below": ".+", "name": "[^/]*", "one": "[^/]"}
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings that a file and a layer on top of it share."""

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, Severity | None] = field(default_factory=dict, hash=False)
    exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    targets: Mapping[str, Any] = field(default_factory=dict, hash=False)
    judges: Mapping[str, Any] = field(default_factory=dict, hash=False)
    judge: str | None = None
    min_grade: str | None = None
    template_env: tuple[str, ...] = ()
    scorecards: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Overrides(_Settings):
    """A layer on top of the file: the command line, or the editor's settings. None and empty have no effect.

    Without `may_raise_limits`, neither the file nor this layer raises a limit above its default.
    """

    include: tuple[str, ...] | None = None
    limits: Mapping[str, int] = field(default_factory=dict, hash=False)
    allow_outside: bool | None = None
    dialect: str | None = None
    may_raise_limits: bool = True


@dataclass(frozen=True, slots=True)
class Config(_Settings):
    """The merged configuration. The fields are described in `rubric_core.config.settings`.

    `root` is the folder of the configuration file. `layers` are the overrides on top, the latest last; only
    `select`, `ignore` and `severity` are read from them, everything else has been merged into the fields.
    """

    include: tuple[str, ...] = DEFAULT_INCLUDE
    limits: Limits = field(default_factory=Limits)
    allow_outside: bool = False
    dialect: str = ANY_DIALECT
    root: Path | None = None
    layers: tuple[Overrides, ...] = ()


DEFAULT = Config()

_Layers = tuple[Config | Overrides, ...]
# Fields that are read from the layers, or are merged in a special way.
_NOT_MERGED = frozenset({"select", "ignore", "severity", "limits", "may_raise_limits"})


def decides_severities(config: Config) -> bool:
    """Return whether a configuration has settings of rules; otherwise each rule has its default severity."""
    layers: _Layers = (config, *config.layers)
    is_set = any(layer.select is not None or layer.ignore or layer.severity for layer in layers)
    return is_set or bool(config.per_file_ignores)


def severities_of(config: Config, path: str, rules: Iterable[tuple[str, str, Severity]]) -> dict[str, Severity | None]:
    """Return the `severity_of` each rule in a file; a rule is given as code, name and default severity."""
    ignored_here = _ignored_in(config, path)
    return {code: _decide(config, code, name, default, ignored_here) for code, name, default in rules}


def severity_of(config: Config, rule_code: str, rule_name: str, default: Severity, path: str) -> Severity | None:
    """Return the severity of a rule in a file, or None if it is off. The module's docstring gives the order."""
    return _decide(config, rule_code, rule_name, default, _ignored_in(config, path))


def merged(config: Config, overrides: Overrides) -> Config:
    """Put a layer on top of a configuration."""
    limits = replace(config.limits, **overrides.limits)
    names = [part.name for part in fields(overrides) if part.name not in _NOT_MERGED]
    values = {name: _joined(getattr(config, name), getattr(overrides, name), name) for name in names}
    limits = limits if overrides.may_raise_limits else limits.lowered_to(DEFAULT_LIMITS)
    return replace(config, **values, limits=limits, layers=(*config.layers, overrides))


def _joined(own: Any, other: Any, name: str) -> Any:
    """Return the value of a setting with a layer on top: tables and lists are joined, except `include`."""
    if isinstance(other, Mapping):
        return {**own, **other}
    if isinstance(other, tuple) and name != "include":
        return own + other
    return own if other is None else other


def is_ours_by_name(config: Config, path: str) -> bool:
    """Return whether a file is an eval file because of its name alone."""
    return matches_any(config.include, relative_to_root(path, config.root))


def is_excluded(config: Config, path: str) -> bool:
    """Return whether the configuration excludes a file or a folder from a walk."""
    return matches_any(config.exclude, relative_to_root(path, config.root))


def names_rule(entry: str, rules: Collection[str]) -> bool:
    """Return whether an entry of `select`, `ignore` or `severity` names at least one of the known codes and names."""
    if entry.upper() == EVERY_RULE or entry in rules:
        return True
    return _CODE_OR_PREFIX.match(entry) is not None and any(word.startswith(entry.upper()) for word in rules)


def _decide(config: Config, code: str, name: str, default: Severity, ignored_here: frozenset[str]) -> Severity | None:
    if _specificity(ignored_here, code, name) != _NO_MATCH:
        return None
    layers: _Layers = (config, *config.layers)
    selected = _selected(layers, code, name)
    if selected is None or selected < _ignored(layers, code, name):
        return None
    return _severity(layers, code, name, default, selected)


def _selected(layers: _Layers, code: str, name: str) -> tuple[int, int, int] | None:
    """Return how strongly a rule is selected, or None if the latest `select` excludes it."""
    for place in range(len(layers) - 1, -1, -1):
        select = layers[place].select
        if select is not None:
            specificity = _specificity(select, code, name)
            return None if specificity == _NO_MATCH else (specificity, place, 0)
    return (0, 0, 0)


def _ignored(layers: _Layers, code: str, name: str) -> tuple[int, int, int]:
    """Return how strongly a rule is ignored. The last number makes `ignore` win within its own layer."""
    return max((_specificity(layer.ignore, code, name), place, 1) for place, layer in enumerate(layers))


def _severity(
    layers: _Layers, code: str, name: str, default: Severity, selected: tuple[int, int, int]
) -> Severity | None:
    best, best_place = 0, -1
    severity: Severity | None = default
    for place, layer in enumerate(layers):
        for entry, configured in layer.severity.items():
            specificity = _specificity((entry,), code, name)
            if specificity >= max(best, 1):
                best, best_place, severity = specificity, place, configured
    selected_later = selected[1] > best_place and selected[0] >= best
    return default if severity is None and selected_later else severity


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


def known_rules() -> Collection[str]:
    """Return the codes and names of all rules, which are imported when the first is looked up."""
    from rubric_core.rules.registry import known_codes  # noqa: PLC0415 - a start has no time for it.

    return known_codes()


def relative_to_root(path: str, root: PurePath | None) -> str:
    """Return a path as globs see it: with forward slashes, from the root when it lies below the root.

    A relative path is relative to the root: this module never reads the current folder.
    """
    pure = PurePath(path)
    if root is not None and pure.is_absolute() and pure.is_relative_to(root):
        pure = pure.relative_to(root)
    return pure.as_posix().lstrip("/")


def matches_any(globs: tuple[str, ...], relative: str) -> bool:
    """Return whether a path, as `relative_to_root` gives it, or one of its folders matches one of the globs."""
    return bool(globs) and _compiled(globs).match(relative) is not None


def glob_expression(glob: str) -> str:
    """Return the regular expression of a glob; a slash at the end is left to the caller."""
    body = glob.rstrip("/")
    anywhere = "" if "/" in body else "(?:.*/)?"
    pattern = anywhere + "".join(map(_meaning, _TOKEN.finditer(body.lstrip("/"))))
    try:
        re.compile(pattern)
    except re.error:
        # Only a class such as `[z-a]` gets here, which matches no character.
        return _NEVER
    return pattern


@lru_cache(maxsize=256)
def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    expressions = (glob_expression(glob.strip().removeprefix("./")) for glob in globs)
    return re.compile("|".join(rf"(?:{expression})(?:/.*)?\Z" for expression in expressions), re.DOTALL)


def _meaning(token: re.Match[str]) -> str:
    kind = token.lastgroup or ""
    if kind == "members":
        members = re.sub(r"([\\\[\]^&~|])", r"\\\1", token["members"])
        # A range such as `[+-9]` holds the slash, which only a slash may match.
        return f"(?!/)[{'^' if token['negated'] else ''}{members}]"
    return _MEANING.get(kind) or re.escape(token[kind])


def is_within(path: str, folder: str) -> bool:
    """Return whether a path is a folder or lies below it. Both are normal paths: no `..`, no slash at the end."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
