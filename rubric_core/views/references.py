"""What a case or the suite refers to by name: files, targets, scorecards."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.views.cases import CaseView
    from rubric_core.views.evaluators import EvaluatorsView

_PROGRAM_FILE = re.compile(r"[\w./@ +\-\\]+\.(?:py|ts|js|mjs|cjs|tsx|sh|bash|rb|go|rs|exe|bat|ps1)\Z")
_PROMPT_FILE = re.compile(r"[\w./@ +\-\\]+\.(?:md|txt|prompt|j2|jinja|jinja2|hbs|yaml|yml|ts|js|py)\Z")
_LOCAL = ("./", "../", ".\\", "..\\")


class FileReference(NamedTuple):
    """A path in the text. `kind` says what refers to it."""

    node: Scalar
    path: str
    kind: str


class References(NamedTuple):
    """All that one case, or the suite outside of its cases, refers to."""

    files: tuple[FileReference, ...]
    targets: tuple[Scalar, ...]
    scorecards: tuple[Scalar, ...]


def references_of_case(case: CaseView) -> References:
    """Collect what a case refers to."""
    node = case.node
    files: list[FileReference] = []
    for key in ("input_messages", "input", "expected_messages", "expected_output"):
        value = node.get(key)
        if isinstance(value, Sequence):
            files += _files_of_messages(value)
    targets: list[Scalar] = []
    files += _files_and_targets(case.evaluators, targets)
    scorecard = node.get("scorecard")
    named = (scorecard,) if isinstance(scorecard, Scalar) and not is_blank(scorecard) else ()
    return References(tuple(files), (*_target_of(node.get("execution")), *targets), named)


def references_of_entry(name: str, value: Node, evaluators: list[EvaluatorsView]) -> References:
    """Collect what one top-level entry of the suite refers to."""
    targets: list[Scalar] = []
    files = _files_and_targets(evaluators, targets)
    if name == "execution":
        targets = [*_target_of(value), *targets]
    elif name == "target" and isinstance(value, Scalar) and not is_blank(value):
        targets.append(value)
    return References(tuple(files), tuple(targets), ())


def _target_of(execution: Node | None) -> Iterator[Scalar]:
    target = execution.get("target") if isinstance(execution, Mapping) else None
    if isinstance(target, Scalar) and not is_blank(target):
        yield target


def _files_of_messages(messages: Sequence) -> Iterator[FileReference]:
    for message in messages.items:
        content = message.get("content") if isinstance(message, Mapping) else None
        if not isinstance(content, Sequence):
            continue
        for part in content.items:
            if not isinstance(part, Mapping):
                continue
            kind, value = part.get("type"), part.get("value")
            if isinstance(kind, Scalar) and kind.value == "file" and isinstance(value, Scalar) and not is_blank(value):
                yield FileReference(value, value.value, "file")


def _files_and_targets(lists: list[EvaluatorsView], targets: list[Scalar]) -> list[FileReference]:
    files: list[FileReference] = []
    for evaluators in lists:
        for evaluator in evaluators.evaluators:
            if not evaluator.is_checked:
                continue
            node = evaluator.node
            target = node.get("target")
            if isinstance(target, Scalar) and not is_blank(target):
                targets.append(target)
            files += _prompt_files(node.get("prompt"))
            if evaluator.kind == "code_judge":
                folder = node.get("cwd")
                prefix = f"{folder.value.rstrip('/')}/" if isinstance(folder, Scalar) and not is_blank(folder) else ""
                files += _script_files(node.get("script"), prefix)
    return files


def _prompt_files(prompt: Node | None) -> Iterator[FileReference]:
    """A prompt is a path when it is one line that ends like a file's name; otherwise it is the text itself."""
    if isinstance(prompt, Scalar) and _PROMPT_FILE.match(prompt.value.strip()) and " " not in prompt.value.strip():
        yield FileReference(prompt, prompt.value.strip(), "prompt")


def _script_files(script: Node | None, prefix: str) -> Iterator[FileReference]:
    """Only words that look like a path are taken for one: `python -m py_compile` refers to no file."""
    if isinstance(script, Sequence):
        for item in script.items:
            if isinstance(item, Scalar) and _looks_like_path(item.value):
                yield FileReference(item, prefix + item.value, "script")
    elif isinstance(script, Scalar):
        for word in _words(script.value):
            if _looks_like_path(word):
                yield FileReference(script, prefix + word, "script")


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _looks_like_path(word: str) -> bool:
    if word.startswith("-") or "://" in word or "{" in word or "$" in word:
        return False
    return word.startswith(_LOCAL) or bool(_PROGRAM_FILE.match(word))
