"""The questions to judges about an answer: which cases can be graded, by which evaluators and criteria.

Grading asks these questions; the plan, the preview and the fingerprint know them before anything is spent. Equal
fingerprints mean that grading again would ask the same. The inputs of a script are known for one kind of command: a
Python script by itself, which reads standard input and nothing else. Whatever may start another program, import another
file or open one has inputs that cannot be listed in advance. This protects from forgetting an input, not from a script
that hides one.
"""

import ast
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rubric_core.config.config import is_within
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.project import workspace_root
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.code_judge import as_code_judge, payload_of
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.grader import DefaultGrader, grader_of
from rubric_core.grading.judges.judge import Judge, Question
from rubric_core.grading.options import Options
from rubric_core.grading.processes import CannotStart, split_command
from rubric_core.grading.prompts.llm_judge import free_form_question, rubric_question
from rubric_core.grading.prompts.scorecard import scorecard_question
from rubric_core.grading.workspace import config_of, folder_of
from rubric_core.model.criteria import Criterion
from rubric_core.model.evaluators import (
    CodeJudge,
    Command,
    CompositeEvaluator,
    Evaluator,
    LlmJudge,
    PromptScript,
    with_members,
)
from rubric_core.model.suite import EvalCase, Scorecard
from rubric_core.rules.problem import Problem, Severity
from rubric_core.text.patterns import lazily

_MOST_REASONS = 10
"""How many problems of one case are listed."""
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
"""Names by which a script gets at more than it imports. `sys` refers to an attribute, such as `json.sys`."""


@dataclass(frozen=True, slots=True)
class EvaluatorQuestions:
    """The questions of one evaluator for one sample; the evaluator is None for the scorecard."""

    evaluator: LlmJudge | None
    questions: tuple[Question, ...]


def reason_not_gradable(case: EvalCase) -> str | None:
    """Return why a case cannot be graded as it is written: each problem with its place, on a line of its own.

    The wording fits the command line and editors, which show the same result.
    """
    ungraded = grader_of(case).reasons_not_gradable(case)
    # A case that was made in Python has no file.
    places = case.places or [""] * len(case.problems)
    placed = zip(case.problems, places, strict=True)
    errors = [(f"{problem.message} ({problem.code})", place) for problem, place in placed if prevents_grading(problem)]
    left_out = [(part.reason, part.place) for part in case.left_out]
    placed_reasons = errors or left_out or [(reason, "") for reason in ungraded]
    reasons = [f"{place}: {reason}" if place else reason for reason, place in placed_reasons]
    more = len(reasons) - _MOST_REASONS
    if more > 0:
        reasons[_MOST_REASONS:] = [f"{more:,} more; a check of the file shows all of them."]
    return "\n".join(reasons) or None


def prevents_grading(problem: Problem) -> bool:
    """Return whether a case with this problem is not graded: an error, or a placeholder."""
    return problem.severity is Severity.ERROR or problem.prevents_grading


def run_evaluators(case: EvalCase, options: Options) -> Iterator[Evaluator]:
    """Yield the evaluators of a case that are run, with the members of sets and without the sets."""
    grader = grader_of(case)
    for evaluator in grader.evaluators_of(case):
        yield from _run_parts(evaluator, options, grader)


def _run_parts(evaluator: Evaluator, options: Options, grader: DefaultGrader) -> Iterator[Evaluator]:
    if reason_not_run(evaluator, options, grader) is not None:
        return
    if isinstance(evaluator, CompositeEvaluator):
        for member in evaluator.evaluators:
            yield from _run_parts(member, options, grader)
    else:
        yield evaluator


def scorecard_of(case: EvalCase, options: Options) -> Scorecard | None:
    """Return the scorecard to grade, or None if only some criteria are graded."""
    return case.scorecard if options.criteria is None else None


def reason_not_run(evaluator: Evaluator, options: Options, grader: DefaultGrader) -> str | None:
    """Return why an evaluator is not run; None if it is."""
    if isinstance(evaluator, CompositeEvaluator) and evaluator.type in grader.sets:
        return grader.sets[evaluator.type].reason_not_run(evaluator)
    if options.criteria is not None and not (isinstance(evaluator, LlmJudge) and chosen_criteria(evaluator, options)):
        return "None of its criteria was asked for."
    return grader.reason_not_run(evaluator)


def chosen_criteria(evaluator: LlmJudge, options: Options) -> tuple[Criterion, ...]:
    """Return the criteria of an evaluator that are judged."""
    if options.evaluator not in (None, evaluator.name):
        return ()
    return tuple(item for item in evaluator.criteria if options.criteria is None or item.id in options.criteria)


def criterion_ids(case: EvalCase) -> frozenset[str]:
    """Return the ids of the criteria of all evaluators of a case."""
    evaluators = with_members(case.evaluators, grader_of(case).sets)
    judges = (evaluator for evaluator in evaluators if isinstance(evaluator, LlmJudge))
    return frozenset(criterion.id for judge in judges for criterion in judge.criteria)


def evaluator_questions(
    evaluator: LlmJudge, case: EvalCase, answer: str, options: Options, printed: str | None = None
) -> list[Question]:
    """Return the questions of an evaluator in each sample: a single one, or one for each criterion.

    `printed` is what the evaluator's own command printed as its prompt.
    """
    if not evaluator.criteria:
        return [free_form_question(case, evaluator, answer, prompt_text=printed)]
    criteria = chosen_criteria(evaluator, options)
    groups = [(criterion,) for criterion in criteria] if options.per_criterion else [criteria]
    return [rubric_question(case, evaluator, group, answer, prompt_text=printed) for group in groups]


def questions(case: EvalCase, answer: str, options: Options) -> Iterator[EvaluatorQuestions]:
    """Yield the questions to judges about an answer, evaluator by evaluator, for the first sample.

    All samples have the same prompts. A prompt that a command prints is not known before it runs, so its evaluator's
    questions have the usual prompt. Raises CannotGrade where a file that the case names cannot be read.
    """
    for evaluator in run_evaluators(case, options):
        if isinstance(evaluator, LlmJudge):
            has_script = isinstance(evaluator.prompt, PromptScript)
            without_script = evaluator.model_copy(update={"prompt": None}) if has_script else evaluator
            yield EvaluatorQuestions(evaluator, tuple(evaluator_questions(without_script, case, answer, options)))
    scorecard = scorecard_of(case, options)
    if scorecard is not None:
        yield EvaluatorQuestions(None, (scorecard_question(case, scorecard, answer),))


def fingerprint(
    case: EvalCase, answer_key: str, asked: Sequence[tuple[EvaluatorQuestions, Judge]], options: Options
) -> str:
    """Return a hash of a grading: of its case, the source of its answer, its questions and judges, and the options.

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
    criteria = sorted(options.criteria) if options.criteria is not None else None
    place = os.path.abspath(case.source) if case.source else ""  # noqa: PTH100 - links are kept as they are.
    choices: list[object] = [
        options.samples,
        options.per_criterion,
        criteria,
        *([options.evaluator] if options.evaluator else []),
    ]
    if options.threshold is not None and BY_NAME[case.dialect].table.thresholds:
        choices.append({"threshold": options.threshold})
    parts = [place, case.model_dump(), answer_key, questions, scripts, choices]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def scripts_of(case: EvalCase) -> list[str] | None:
    """Return a hash for each command of a case, of the script and what it reads; None where that is not known."""
    hashes: list[str] = []
    for evaluator in with_members(case.evaluators, grader_of(case).sets):
        if isinstance(evaluator, CodeJudge):
            command, folder = evaluator, folder_of(case.source) / (evaluator.cwd or "")
        elif isinstance(evaluator, LlmJudge) and isinstance(evaluator.prompt, PromptScript):
            command, folder = as_code_judge(evaluator.name, evaluator.prompt), folder_of(case.source)
        else:
            continue
        root = workspace_root(folder_of(case.source), config_of(case))
        script = known_script(command.script, folder, root)
        if script is None:
            return None
        try:
            payload = json.dumps(payload_of(command, case, Answer("")), default=str)
        except CannotGrade:
            return None
        hashes.append(sha256(script + payload.encode()).hexdigest())
    return hashes


def known_script(command: Command, folder: Path, root: Path) -> bytes | None:
    """Return the content of the script that a command runs in a folder; None if it may have other inputs.

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
    # Links cannot be resolved in a path with a null character.
    return "\0" in program or is_within(os.path.realpath(folder / program), os.path.realpath(root))


def _is_known(node: ast.AST, folder: Path) -> bool:
    """Return whether a part of a script reads known inputs only."""
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
