"""Workspace edits of the protocol, applied to the files of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.protocol import default_converter

from rubric_core.text.spans import Edit, apply_edits

if TYPE_CHECKING:
    from pathlib import Path


def applied_in_folder(edit: dict[str, Any], folder: Path) -> dict[str, str]:
    """Return the texts of all edited files afterwards, by their path in the folder."""
    default_converter().structure(edit, types.WorkspaceEdit)
    changes = edit.get("changes") or {each["textDocument"]["uri"]: each["edits"] for each in edit["documentChanges"]}
    texts: dict[str, str] = {}
    for uri, edits in changes.items():
        path = uri.removeprefix(folder.as_uri() + "/")
        text = (folder / path).read_text(encoding="utf-8")
        texts[path] = edited(text, edits)
    return texts


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """Return a text after edits of the protocol, in lines without anything but ASCII."""
    starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]
    offsets = [
        Edit(
            *(starts[edit["range"][end]["line"]] + edit["range"][end]["character"] for end in ("start", "end")),
            edit["newText"],
        )
        for edit in edits
    ]
    return apply_edits(text, offsets)
