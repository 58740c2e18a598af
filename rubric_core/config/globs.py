"""Globs, as the configuration and `.gitignore` files write them.

`*` and `?` stay within one name, `**` spans folders, `[ab]` is one of several characters, and a backslash takes the
meaning from the next character. A glob without a slash is a name in any folder; one with a slash counts from the
folder of the file that holds it. In the configuration a glob that names a folder takes in everything below it.
"""

import os
import re
from functools import lru_cache
from pathlib import PurePath

from rubric_core.text.patterns import lazily

_TOKEN = lazily(
    r"(?P<folders>(?:(?<=/)|\A)(?:\*\*/)+)|(?P<below>(?<=/)\*\*\Z)|(?P<name>\*+)|(?P<one>\?)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?[^\]/]*)\]|\\(?P<escaped>.)|(?P<literal>.)",
    re.DOTALL,
)
_MEANING = {"folders": "(?:.*/)?", "below": ".+", "name": "[^/]*", "one": "[^/]"}
_NEVER = r"(?!)"


def relative_to_root(path: str, root: PurePath | None) -> str:
    """Return a path as globs see it: with forward slashes, from the root when it lies below the root.

    A relative path is taken to count from the root already, since this module never asks where the process runs.
    """
    pure = PurePath(path)
    if root is not None and pure.is_absolute() and pure.is_relative_to(root):
        pure = pure.relative_to(root)
    return pure.as_posix().lstrip("/")


def matches_any(globs: tuple[str, ...], relative: str) -> bool:
    """Return whether a path, as `relative_to_root` gives it, or one of its folders matches one of the globs."""
    return bool(globs) and _compiled(globs).match(relative) is not None


def expression(glob: str) -> str:
    """Return the regular expression of a glob; a slash at the end is left to the caller."""
    body = glob.rstrip("/")
    anywhere = "" if "/" in body else "(?:.*/)?"
    pattern = anywhere + "".join(map(_meaning, _TOKEN.finditer(body.lstrip("/"))))
    try:
        re.compile(pattern)
    except re.error:
        # Only a class such as `[z-a]` gets here, and no character is in it.
        return _NEVER
    return pattern


@lru_cache(maxsize=256)
def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    expressions = (expression(glob.strip().removeprefix("./")) for glob in globs)
    return re.compile("|".join(rf"(?:{wanted})(?:/.*)?\Z" for wanted in expressions), re.DOTALL)


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
