"""Globs of the configuration, compiled once.

`*` and `?` stay within one name, `**` spans folders, `[ab]` is one of several characters. A glob without a slash
is a name in any folder; one with a slash counts from the configuration's folder. A glob that names a folder
takes in everything below it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePath

_TOKEN = re.compile(
    r"(?P<folders>(?:(?<=/)|\A)\*\*/)|(?P<everything>\*\*)|(?P<name>\*)|(?P<one>\?)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?[^\]/]*)\]|(?P<literal>.)",
    re.DOTALL,
)
_MEANING = {"folders": "(?:.*/)?", "everything": ".*", "name": "[^/]*", "one": "[^/]"}


def relative_to_root(path: str, root: PurePath | None) -> str:
    """Return a path as globs see it: with forward slashes, from the root when it lies below the root.

    A relative path is taken to count from the root already, since this module never asks where the process runs.
    """
    pure = PurePath(path)
    if root is not None and pure.is_absolute() and pure.is_relative_to(root):
        pure = pure.relative_to(root)
    return pure.as_posix().lstrip("/")


def matches_any(globs: tuple[str, ...], relative: str) -> bool:
    """Tell whether a path, as `relative_to_root` gives it, or one of its folders matches one of the globs."""
    return bool(globs) and _compiled(globs).match(relative) is not None


@lru_cache(maxsize=256)
def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{_expression(glob)})" for glob in globs), re.DOTALL)


def _expression(glob: str) -> str:
    body = glob.strip().removeprefix("./").rstrip("/")
    anywhere = "" if "/" in body else "(?:.*/)?"
    expression = anywhere + "".join(map(_meaning, _TOKEN.finditer(body.lstrip("/")))) + r"(?:/.*)?\Z"
    try:
        re.compile(expression)
    except re.error:
        # Only a class such as `[z-a]` gets here. It then stands for itself.
        return re.escape(body) + r"\Z"
    return expression


def _meaning(token: re.Match[str]) -> str:
    kind = token.lastgroup or ""
    if kind == "members":
        members = re.sub(r"([\\\[\]^&~|])", r"\\\1", token["members"])
        return f"[^/{members}]" if token["negated"] else f"[{members}]"
    return _MEANING.get(kind) or re.escape(token[0])
