"""A recording as judge: a file with the judgement of each case."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from rubric_core.files.read import Unreadable, read_text
from rubric_core.grading.failures import CannotGrade, JudgeFailed
from rubric_core.grading.json_text import NotJson, elements, entries_by_case, find_object, members
from rubric_core.grading.judges.judge import Exchange, Judge, JudgeIdentity, Question
from rubric_core.grading.prompts.scorecard import SCORECARD_NAME
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import NOTHING_SPENT
from rubric_core.syntax.limits import DEFAULT_LIMITS

_EVALUATORS = "evaluators"


class ReplayJudge(Judge):
    """Returns the judgements of a file, byte for byte as written.

    The file is a JSON object from case id to entry. An entry is a judgement as an object or as the raw text of a
    reply, `{evaluators: {name: entry}}` with the scorecard under `scorecard`, or a list with an entry for each sample.
    """

    is_recorded = True
    memory_key = None

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        """Read the file. Raises CannotGrade if it cannot be used."""
        self._path = Path(path)
        self._entries = _read(self._path)
        self.identity = JudgeIdentity(name or f"replay:{path}", "replay")

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:  # noqa: ARG002 - a recording repairs nothing.
        """Return the recorded judgement. Raises JudgeFailed if there is none for the question."""
        entry = self._entries.get(question.case_id)
        if entry is None:
            raise JudgeFailed(f"{self._path} holds no judgement for the case {question.case_id}.")
        entry = self._of_evaluator(self._of_sample(entry, question), question)
        entry = self._of_sample(entry, question)
        return Completion(_asked_only(_reply(entry), question.unasked), usage=NOTHING_SPENT)

    def _of_sample(self, entry: str, question: Question) -> str:
        if not entry.startswith("["):
            return entry
        samples = elements(entry)
        if question.sample < len(samples):
            return samples[question.sample]
        raise JudgeFailed(
            f"{self._path} holds {len(samples)} samples for the case {question.case_id}; "
            f"sample {question.sample + 1} is not among them."
        )

    def _of_evaluator(self, entry: str, question: Question) -> str:
        """Return the entry of the question's evaluator, or the entry itself if it is a judgement for all evaluators."""
        if not entry.startswith("{"):
            return entry
        named = dict(members(entry))
        evaluators = named.get(_EVALUATORS, "")
        own = dict(members(evaluators)).get(question.evaluator) if evaluators.startswith("{") else None
        if own is None and question.kind == "scorecard":
            own = named.get(SCORECARD_NAME)
        if own is None and evaluators:
            raise JudgeFailed(
                f"{self._path} holds no judgement of the evaluator {question.evaluator} for the case "
                f"{question.case_id}."
            )
        if own is None and question.siblings and question.kind != "scorecard":
            names = ", ".join([question.evaluator, *question.siblings])
            raise JudgeFailed(
                f"{self._path} holds one judgement for the case {question.case_id}, but several evaluators ask for "
                f"one: {names}. Give each its own under `evaluators`."
            )
        if question.evaluator in question.siblings:
            raise JudgeFailed(
                f"Two evaluators of the case {question.case_id} are called {question.evaluator}, so that a recorded "
                f"judgement could be of either; rename one."
            )
        return own or entry


def find_recording(file: str, folders: Iterable[Path]) -> Path:
    """Return the file of this name in the first folder that has one. Raises CannotGrade, naming the paths it tried."""
    paths = [folder / file for folder in folders]
    for path in paths:
        # `Path.exists` raises where a name is too long.
        if os.path.exists(path):  # noqa: PTH110 - any text.
            return path
    tried = dict.fromkeys(os.path.abspath(path) for path in paths)  # noqa: PTH100 - links are kept as they are.
    raise CannotGrade(f"There are no recorded judgements at {' or '.join(tried)}; correct the path.")


def _read(path: Path) -> dict[str, str]:
    read = read_text(path, DEFAULT_LIMITS)
    if isinstance(read, Unreadable):
        raise CannotGrade(f"The recorded judgements in {path} cannot be read. {read.message}")
    return dict(entries_by_case(read.text.removeprefix("\ufeff"), path, "judgement"))


def _reply(entry: str) -> str:
    """Return the text of a reply: that of a JSON string, or the JSON itself."""
    if not entry.startswith('"'):
        return entry
    return str(find_object(f'{{"reply": {entry}}}').value["reply"])


def _asked_only(reply: str, unasked: frozenset[str]) -> str:
    """Return a reply without the checks of other criteria, and otherwise as written."""
    if not unasked:
        return reply
    try:
        judgement = members(find_object(reply).text)
    except NotJson:
        # The validation of the reply reports what is wrong with it.
        return reply
    asked_members = (
        f"{json.dumps(name)}: {_without(value, unasked) if name == 'checks' else value}" for name, value in judgement
    )
    return f"{{{', '.join(asked_members)}}}"


def _without(checks: str, unasked: frozenset[str]) -> str:
    if checks.startswith("{"):
        remaining = (f"{json.dumps(name)}: {check}" for name, check in members(checks) if name not in unasked)
        return f"{{{', '.join(remaining)}}}"
    if checks.startswith("["):
        return f"[{', '.join(check for check in elements(checks) if _id_of(check) not in unasked)}]"
    return checks


def _id_of(check: str) -> str | None:
    named = find_object(check).value.get("id") if check.startswith("{") else None
    return named if isinstance(named, str) else None
