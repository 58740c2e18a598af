"""The variables that targets and judges may use: those of the environment, and those of `.env` files."""

import re
from collections.abc import Mapping

from rubric_core.config.config import Config
from rubric_core.files.project import workspace_root
from rubric_core.files.read import ReadText, read_text
from rubric_core.grading.workspace import folder_of
from rubric_core.syntax.limits import DEFAULT_LIMITS
from rubric_core.text.patterns import lazily

DOTENV = ".env"

_ENTRY = lazily(
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)[ \t]*="
    r"(?:[ \t]*(?:'(?P<literal>[^']*)'|\"(?P<quoted>(?:[^\"\\]|\\.)*)\")[ \t]*(?:#[^\n]*)?$|(?P<bare>[^\n]*)$)",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = lazily(r"[ \t]#.*\Z")
_ESCAPE = lazily(r"\\([nrt\"\\$])")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def environment_for(source: str, config: Config, real: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for an eval file.

    Those of the real environment win, then those of the nearest `.env` from the eval file's folder up to the root of
    the workspace.
    """
    return {**dotenv_for(source, config), **real}


def dotenv_for(source: str, config: Config) -> dict[str, str]:
    """Return the variables that the `.env` files of an eval file define."""
    found: dict[str, str] = {}
    folder = folder_of(source)
    folders = (folder, *folder.parents)
    for each in folders[: folders.index(workspace_root(folder, config)) + 1]:
        read = read_text(each / DOTENV, DEFAULT_LIMITS)
        # A folder may be called `.env` too. What cannot be read defines nothing; whoever needs a variable will say so.
        for name, value in parse_dotenv(read.text).items() if isinstance(read, ReadText) else ():
            found.setdefault(name, value)
    return found


def parse_dotenv(text: str) -> dict[str, str]:
    r"""Return the variables of a `.env` file. The last of several entries for one name counts.

    Values are what is written: `$NAME` stays as it is. Double quotes know the escapes `\n`, `\r`, `\t`, `\"`, `\\` and
    `\$`, single quotes none; both may span lines. Without quotes, a space and `#` start a comment. A line that is no
    entry is passed over.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return {entry["name"]: _value(entry) for entry in _ENTRY.finditer(plain)}


def _value(entry: re.Match[str]) -> str:
    if entry["literal"] is not None:
        return entry["literal"]
    if entry["quoted"] is not None:
        return _ESCAPE.sub(lambda each: _ESCAPED.get(each[1], each[1]), entry["quoted"])
    return _COMMENT.sub("", entry["bare"]).strip()
