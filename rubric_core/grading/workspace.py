"""The surroundings of an eval file: its configuration, usable files, folders and variables, and the store."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath

from rubric_core.config.config import Config, is_within
from rubric_core.files.configuration import find_config, load_config
from rubric_core.files.project import DiskProject, workspace_root
from rubric_core.files.read import DOTENV, ReadText, Unreadable, holds_variables, read_text
from rubric_core.grading.failures import CannotGrade
from rubric_core.model.suite import EvalCase
from rubric_core.syntax.limits import DEFAULT_LIMITS
from rubric_core.terminal.display import fitted
from rubric_core.text.patterns import lazily

_INTERPRETER = lazily(r"python[0-9.]*")
_LONGEST_NAME = 60
_TEXT_OPTION = lazily(r"-[A-Za-z]*[ce]|--(?:eval|command)")
_BETWEEN_WORDS = lazily(r"[\s;|&()<>`$\"'=,{}\[\]]+")
_SHELL = lazily(r"(?:.*/)?(?:ba|da|z|k|a|fi)?sh")

_ENTRY = lazily(
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)[ \t]*="
    r"(?:[ \t]*(?:'(?P<literal>[^']*)'|\"(?P<quoted>(?:[^\"\\]|\\.)*)\")[ \t]*(?:#[^\n]*)?$|(?P<bare>[^\n]*)$)",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = lazily(r"[ \t]#.*\Z")
_ESCAPE = lazily(r"\\([nrt\"\\$])")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
FOLDER = ".rubric"
DATABASE = "rubric.db"
_GIT_FOLDER = ".git"
_IGNORED_BY_GIT = ".gitignore"
# Answers may be private, so only the owner has access; systems without such modes ignore them.
_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


def folder_of(source: str) -> Path:
    """Return the folder of an eval file; the current one for a case that was made in Python."""
    return Path(os.path.abspath(source)).parent if source else Path.cwd()  # noqa: PTH100 - links are kept as they are.


def config_near(source: str) -> Config:
    """Return the configuration that counts for an eval file: the nearest one."""
    return load_config(folder_of(source)).config


def config_of(case: EvalCase) -> Config:
    """Return the configuration that a case was loaded with; of one that was made in Python, the nearest."""
    config: Config | None = case.config
    return config_near(case.source) if config is None else config


def read_attachment(reference: str, case: EvalCase) -> str:
    """Return the text of a file that a case refers to, with plain line breaks. Raises CannotGrade if it has none."""
    read = read_text(path_of_attachment(reference, case), config_of(case).limits)
    if isinstance(read, Unreadable):
        raise CannotGrade(f"The file {reference} cannot be used. {read.message}")
    return read.text.removeprefix("\ufeff").replace("\r\n", "\n")


def path_of_attachment(reference: str, case: EvalCase) -> str:
    """Return the path of a file of the workspace that a case refers to. Raises CannotGrade for none, or for secrets."""
    if not case.source:
        raise CannotGrade(f"The file {reference} cannot be found, because the case was not loaded from an eval file.")
    if holds_variables(reference):
        raise _refused(reference)
    config = config_of(case)
    root = workspace_root(folder_of(case.source), config)
    path = DiskProject(case.source, config).find(reference)
    if path is None:
        raise CannotGrade(
            f"The file {reference} is neither beside the eval file nor in a folder above it up to the workspace "
            f"{root}; correct the path."
        )
    real, real_root = PurePath(os.path.realpath(path)), os.path.realpath(root)
    # The names of the folders above the workspace are irrelevant.
    if holds_variables(str(real.relative_to(real_root)) if real.is_relative_to(real_root) else real.name):
        raise _refused(reference)
    return path


def _refused(reference: str) -> CannotGrade:
    return CannotGrade(
        f"The file {reference} holds variables, which may be secret, so it is not sent; name another file."
    )


def refuse_outside(command: Sequence[str], folder: Path, source: str, config: Config) -> None:
    """Raise CannotGrade if a word of a command is a path, relative to a folder, that leaves the workspace.

    An absolute path is the user's own choice. Links are followed, except the interpreter of a virtual environment:
    it is one that leads out. The words of a program text, as behind `sh -c`, are looked at too; what a program makes up
    while it runs this is unknown.
    """
    if config.allow_outside:
        return
    root = os.path.realpath(workspace_root(folder_of(source), config))
    for word in (*command, *_words_of_texts(command)):
        for path in (word, word.partition("=")[2]):
            if _leaves(path, folder, root):
                raise CannotGrade(
                    f"The path {path} of a command lies outside of the workspace {root}; move it there, or set "
                    f"allow-outside = true."
                )


def _words_of_texts(command: Sequence[str]) -> Iterator[str]:
    """Yield the words of the program texts in a command, which follow an option such as `-c`."""
    for place, option in enumerate(command[1:-1], start=1):
        if _TEXT_OPTION.fullmatch(option):
            words = _BETWEEN_WORDS.split(command[place + 1])
            # In a shell, `..` alone is a folder to go to; in another language it may be any text.
            yield from words if _SHELL.fullmatch(command[0]) else (word for word in words if word != os.pardir)


def _leaves(path: str, folder: Path, root: str) -> bool:
    """Return whether a word is a relative path that leaves the root: it has folders in it, or is the name of a link."""
    whole = os.path.join(folder, path)  # noqa: PTH118 - any text.
    is_path = os.path.dirname(path) or path == os.pardir or os.path.islink(whole)  # noqa: PTH114, PTH120 - the same.
    if os.path.isabs(path) or not is_path:  # noqa: PTH117 - the same.
        return False
    parent, name = os.path.split(whole)
    try:
        real_parent = os.path.realpath(parent)
        is_interpreter = _INTERPRETER.fullmatch(name) and Path(real_parent).parent.joinpath("pyvenv.cfg").is_file()
        return not is_within(real_parent if is_interpreter else os.path.realpath(whole), root)
    except ValueError:
        # A null character: no such path can be opened.
        return False


def working_folder(cwd: str | None, source: str, config: Config) -> Path:
    """Return the folder that a command runs in: the eval file's, or one seen from there. Raises CannotGrade."""
    folder = folder_of(source)
    if not cwd:
        return folder
    path = os.path.normpath(folder / cwd)
    name = fitted(cwd, _LONGEST_NAME)
    root = os.path.realpath(workspace_root(folder, config))
    # A path with a null character does not exist, and resolving links in it would raise.
    if not config.allow_outside and "\0" not in path and not is_within(os.path.realpath(path), root):
        raise CannotGrade(
            f"The folder {name} lies outside of the workspace {root}; move it there, or set allow-outside = true."
        )
    # A `Path` raises where a name is too long.
    if not os.path.isdir(path):  # noqa: PTH112 - any text.
        raise CannotGrade(f"There is no folder {name} beside the eval file to run the command in; correct cwd.")
    return Path(path)


def environment_for(source: str, config: Config, real: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for an eval file: those of the real environment win over those of the `.env` files."""
    return {**dotenv_for(source, config), **real}


def dotenv_for(source: str, config: Config) -> dict[str, str]:
    """Return the variables of the `.env` files from an eval file's folder up to its workspace; the nearest wins."""
    variables: dict[str, str] = {}
    folder = folder_of(source)
    folders = (folder, *folder.parents)
    for place in folders[: folders.index(workspace_root(folder, config)) + 1]:
        read = read_text(place / DOTENV, DEFAULT_LIMITS)
        # A `.env` that cannot be read, such as a folder, defines nothing; a missing variable is reported when needed.
        for name, value in parse_dotenv(read.text).items() if isinstance(read, ReadText) else ():
            variables.setdefault(name, value)
    return variables


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
        return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), entry["quoted"])
    return _COMMENT.sub("", entry["bare"]).strip()


def find_folder(start: Path) -> Path:
    """Return the folder of the store for a place in a project, or else of the place itself; it need not exist yet."""
    return (find_project(start) or start.absolute()) / FOLDER


def find_project(start: Path) -> Path | None:
    """Return the nearest folder, from the start upwards, that has a store, a configuration of ours or a repository."""
    start = start.absolute()
    configuration = find_config(start)
    for folder in (start, *start.parents):
        is_configured = configuration is not None and configuration.parent == folder
        # In a linked work tree, `.git` is a file.
        if is_configured or (folder / FOLDER).is_dir() or (folder / _GIT_FOLDER).exists():
            return folder
    return None


def prepare_database(folder: Path) -> Path:
    """Make the folder and an empty database where there is none, and return the database. Raises CannotGrade."""
    database = folder / DATABASE
    if database.exists():
        return database
    try:
        folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        # It comes first: there is no moment at which git could take the database.
        _create(folder / _IGNORED_BY_GIT, "*\n")
        _create(database, "")
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotGrade(
            f"The store cannot be made in {folder} ({reason}): make the folder writable, or move away what is there."
        ) from None
    return database


def _create(path: Path, text: str) -> None:
    """Make a file that only the owner can read, unless there is one: another process may be faster."""
    with suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
        except BaseException:
            # An empty one, left by a full disk, would be taken for the one of another process.
            path.unlink(missing_ok=True)
            raise
