"""Messages as the turns of a conversation: what a model or a command reads.

A `file` part is replaced by the text of the file, which is looked for as everywhere in the project: from the eval
file's folder upwards, and never outside of the workspace.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from rubric_core.files.project import DiskProject, workspace_root
from rubric_core.files.read import Unreadable, read_text
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers.provider import Role, Turn
from rubric_core.grading.workspace import DOTENV, config_of, folder_of
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from rubric_core.model.messages import ContentPart, Message
    from rubric_core.model.suite import EvalCase

_EXAMPLES = (".example", ".sample", ".template")
_VARIABLES = lazily(r"\.env.*|.*\.env(?:[.~].*)?")

_SPEAKERS: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "user"}
"""Who speaks in a turn. A provider has no tools here, so what a tool said is told by the user."""


def conversation_of(messages: Sequence[Message], case: EvalCase) -> tuple[Turn, ...]:
    """Return one turn for each message of a case that says something.

    Raises CannotGrade where a file that a message names cannot be read.
    """
    turns = (Turn(_SPEAKERS[message.role], _spoken(message, case)) for message in messages)
    return tuple(turn for turn in turns if turn.text.strip())


def files_of(messages: Sequence[Message], case: EvalCase) -> tuple[str, ...]:
    """Return the paths of the files that messages name, each once. Raises CannotGrade as `conversation_of` does."""
    named = (part.value for message in messages for part in message.parts if part.type == "file")
    return tuple(dict.fromkeys(_path_of_attachment(reference, case) for reference in named))


def text_of_message(message: Message, case: EvalCase) -> str:
    """Return what a message says, without its role: its content, then its tool calls.

    Structured data is given as JSON. Raises CannotGrade as `conversation_of` does.
    """
    content = message.content
    if isinstance(content, dict):
        said = [json.dumps(content, ensure_ascii=False, indent=2)]
    else:
        said = [_text_of_part(part, case) for part in message.parts]
    said += [f"Tool call: {json.dumps(call, ensure_ascii=False)}" for call in message.tool_calls]
    return "\n\n".join(said)


def read_attachment(reference: str, case: EvalCase) -> str:
    """Return the text of a file that a case refers to, with plain line breaks.

    Raises CannotGrade where there is none, where it is no text, or where it lies outside of the workspace.
    """
    read = read_text(_path_of_attachment(reference, case), config_of(case).limits)
    if isinstance(read, Unreadable):
        raise CannotGrade(f"The file {reference} cannot be used. {read.message}")
    return read.text.removeprefix("\ufeff").replace("\r\n", "\n")


def _path_of_attachment(reference: str, case: EvalCase) -> str:
    """Return the path. Raises CannotGrade where there is no such file in the workspace, or where it holds secrets."""
    if not case.source:
        raise CannotGrade(f"The file {reference} cannot be found, because the case was not loaded from an eval file.")
    if _holds_variables(reference):
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
    # What the folders above the workspace are called means nothing.
    if _holds_variables(str(real.relative_to(real_root)) if real.is_relative_to(real_root) else real.name):
        raise _refused(reference)
    return path


def _refused(reference: str) -> CannotGrade:
    return CannotGrade(
        f"The file {reference} holds variables, which may be secret, so it is not sent; name another file."
    )


def _holds_variables(path: str) -> bool:
    """Return whether a path names a file of variables, such as `.env.local`, `.envrc` and `prod.env`.

    An example that everybody may read is none. All that stands in a folder such as `.env.d` is one.
    """
    *folders, name = [part.lower() for part in PurePath(path).parts] or [""]
    is_one = _VARIABLES.fullmatch(name) is not None and not name.endswith(_EXAMPLES)
    return is_one or any(folder.startswith(DOTENV) for folder in folders)


def _spoken(message: Message, case: EvalCase) -> str:
    text = text_of_message(message, case)
    if message.role != "tool":
        return text
    speaker = f"The tool {message.name}" if message.name else "A tool"
    return f"{speaker} answered:\n{text}"


def _text_of_part(part: ContentPart, case: EvalCase) -> str:
    if part.type == "text":
        return part.value
    return f'<file path="{part.value}">\n{read_attachment(part.value, case)}\n</file>'
