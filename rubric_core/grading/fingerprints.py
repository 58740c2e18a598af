"""The fingerprint of a grading: equal ones mean that grading again would ask the same.

The inputs of a script are known for one kind of command: a Python script by itself, which reads standard input and
nothing else. Whatever may start another program, import another file or open one has inputs that nobody can name in
advance. This protects from forgetting an input, not from a script that hides one.
"""

import ast
import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from rubric_core.config.globs import is_within
from rubric_core.files.project import workspace_root
from rubric_core.grading.evaluators.code_judge import as_code_judge, payload_of
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.options import Options
from rubric_core.grading.processes import CannotStart, split_command
from rubric_core.grading.questions import EvaluatorQuestions
from rubric_core.grading.workspace import config_of, folder_of
from rubric_core.model.evaluators import CodeJudge, Command, LlmJudge, PromptScript
from rubric_core.model.suite import EvalCase
from rubric_core.text.patterns import lazily

_PYTHON = lazily(r"(?:.*[/\\\\])?python[0-9.]*(?:\.exe)?")
_HARMLESS_OPTIONS = frozenset({"-B", "-E", "-I", "-S", "-s", "-u"})
_MODULES = lazily(
    "__future__|ast|base64|binascii|bisect|cmath|collections|colorsys|copy|dataclasses|decimal|difflib"
    "|enum|fractions|functools|hashlib|heapq|html|itertools|json|math|numbers|operator|re|statistics"
    "|string|struct|sys|textwrap|typing|unicodedata"
)
"""The modules of the standard library that read no file, no clock and no environment, and start nothing."""

_READERS = lazily(
    "open|exec|eval|compile|getattr|attrgetter|methodcaller|globals|locals|vars|path|path_hooks|meta_path"
    "|modules|environ|builtins|codecs|importlib|inspect|io|os|random|subprocess|sys|time"
)
"""Names by which a script gets at more than it imports. `sys` is meant as an attribute, such as `json.sys`."""


def fingerprint(
    case: EvalCase, answer_key: str, asked: Sequence[tuple[EvaluatorQuestions, Judge]], options: Options
) -> str:
    """Name a grading by its case, by what decides its answer, by what is asked of whom, and by the choices made.

    The prompts are part of it, and through them the files that the case names; so are the scripts of code judges, and
    what they read. The case's own file is too, because what a code judge runs starts from there.

    A grading gets no name, which is an empty one, where a recording judges: it is replayed at no cost, and it may have
    been recorded anew under the same name. It gets none either where not all inputs of a script are known.
    """
    scripts = scripts_of(case)
    if scripts is None or any(judge.is_recorded for _, judge in asked):
        return ""
    questions = [
        [
            asking.evaluator.name if asking.evaluator else None,
            [judge.identity.name, judge.identity.kind, judge.identity.model, judge.memory_key],
            [question.prompt.hash for question in asking.questions],
        ]
        for asking, judge in asked
    ]
    wanted = sorted(options.criteria) if options.criteria is not None else None
    place = os.path.abspath(case.source) if case.source else ""  # noqa: PTH100 - links are kept as they are.
    choices = [options.samples, options.per_criterion, wanted, *([options.evaluator] if options.evaluator else [])]
    parts = [place, case.model_dump(), answer_key, questions, scripts, choices]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def scripts_of(case: EvalCase) -> list[str] | None:
    """Return a hash for each command of a case, of the script and what it reads; None where that is not known."""
    hashes: list[str] = []
    root = workspace_root(folder_of(case.source), config_of(case))
    for evaluator in case.evaluators:
        if isinstance(evaluator, CodeJudge):
            command, folder = evaluator, folder_of(case.source) / (evaluator.cwd or "")
        elif isinstance(evaluator, LlmJudge) and isinstance(evaluator.prompt, PromptScript):
            command, folder = as_code_judge(evaluator.name, evaluator.prompt), folder_of(case.source)
        else:
            continue
        script = known_script(command.script, folder, root)
        if script is None:
            return None
        try:
            payload = json.dumps(payload_of(command, case, ""), default=str)
        except CannotGrade:
            return None
        hashes.append(sha256(script + payload.encode()).hexdigest())
    return hashes


def known_script(command: Command, folder: Path, root: Path) -> bytes | None:
    """Return the content of the script that a command runs in a folder; None where it may depend on anything else.

    A program in the workspace, whose folder is `root`, is no interpreter that is known, whatever its name is.
    """
    try:
        words = split_command(command)
    except CannotStart:
        return None
    if not words or not _PYTHON.fullmatch(words[0]) or _is_own_program(words[0], folder, root):
        return None
    rest = [word for word in words[1:] if word not in _HARMLESS_OPTIONS]
    if not rest or rest[0].startswith("-"):
        return None
    path = folder / rest[0]
    try:
        content = path.read_bytes()
        tree = ast.parse(content)
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return content if all(_is_known(node, path.parent) for node in ast.walk(tree)) else None


def _is_own_program(program: str, folder: Path, root: Path) -> bool:
    """Return whether a program is named by a path that leads into the workspace, with links followed."""
    if not os.path.dirname(program):  # noqa: PTH120 - any text.
        return False
    # Nobody can follow links where there is a null character.
    return "\0" in program or is_within(os.path.realpath(folder / program), os.path.realpath(root))


def _is_known(node: ast.AST, folder: Path) -> bool:
    """Return whether a part of a script reads nothing but what is known."""
    if isinstance(node, ast.Import):
        return all(_is_harmless(alias.name, folder) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        is_harmless = node.level == 0 and _is_harmless(node.module or "", folder)
        return is_harmless and not any(_is_reader(alias.name) for alias in node.names)
    if isinstance(node, ast.Attribute):
        return not _is_reader(node.attr)
    if isinstance(node, ast.Name):
        return node.id in {"sys", "__name__"} or not _is_reader(node.id)
    return True


def _is_harmless(module: str, folder: Path) -> bool:
    """Return whether a module is a harmless one of the standard library, and no file beside the script hides it."""
    top = module.partition(".")[0]
    return _MODULES.fullmatch(top) is not None and not any(folder.glob(f"{top}.*")) and not (folder / top).exists()


def _is_reader(name: str) -> bool:
    return _READERS.fullmatch(name) is not None or (name.startswith("__") and name.endswith("__"))
