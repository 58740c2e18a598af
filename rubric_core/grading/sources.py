"""Judge and answer resolution: who judges the cases of some eval files, and which answers are graded."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from rubric_core.config.config import Config, is_within
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.read import Unreadable, read_text
from rubric_core.grading.answers import NO_FACTS, Answer, AnswerFacts, read_recorded
from rubric_core.grading.failures import CannotGrade, GradingFailed, ProviderFailed
from rubric_core.grading.json_text import entries_by_case, find_object, kind_of
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.prompts.parts import conversation_of, files_of
from rubric_core.grading.providers.provider import Call
from rubric_core.grading.secrets import Redactor
from rubric_core.grading.targets.targets import Targets, targets_by_file
from rubric_core.grading.usage import Usage
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase
from rubric_core.schema.suggest import closest
from rubric_core.syntax.limits import DEFAULT_LIMITS
from rubric_core.text.writing import without_surrogates

_SUFFIXES = (".md", ".txt")
_MOST_NAMED = 5
_EVAL = ".eval"


class Sources:
    """The targets, judges and answers of all files of a run. Every judge is made once and shared.

    `configs` has the configuration of each file, by the path under which its cases know it. `judge` and `target` are
    the names that were asked for, `given` the answers by case id, and `judges` those that are made already, by name.
    """

    def __init__(  # noqa: PLR0913 - the choices of a run, each by its name.
        self,
        configs: Mapping[str, Config],
        *,
        judge: str | None = None,
        target: str | None = None,
        given: Mapping[str, str | Answer] | None = None,
        environment: Mapping[str, str] | None = None,
        judges: Mapping[str, Judge] | None = None,
    ) -> None:
        """Resolve the names. Raises CannotGrade where the target is not known."""
        self._judge = judge
        self._target = target
        self._targets = targets_by_file(configs, environment, judges)
        for targets in self._targets.values() if target else ():
            # An unknown target is reported before any call, and not as an error of each case.
            targets.provider_for(target or "")
        self._answers = {path: AnswerSource(path, given, targets, target) for path, targets in self._targets.items()}
        self.redactor = Redactor.together(targets.redactor for targets in self._targets.values())

    def judge_of(self, case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        """Return the judge for an evaluator of a case, or for its scorecard, which is None. Raises CannotGrade."""
        return self._targets[case.source].judge_for(self._judge, case, evaluator, target=self._target)

    async def answer_of(self, case: EvalCase) -> Answer:
        """Return the answer to grade. Raises CannotGrade where there is none, ProviderFailed where a target fails."""
        return await self._answers[case.source].answer(case)

    def known_answer(self, case: EvalCase) -> Answer | None:
        """Return the answer that no target needs to produce, or None."""
        return self._answers[case.source].known(case)

    def answer_key(self, case: EvalCase) -> str:
        """Return a text that decides the answer, so that an equal one would be produced again."""
        return self._answers[case.source].key(case)

    async def close(self) -> None:
        """Close all connections and end child processes."""
        for targets in self._targets.values():
            await targets.close()


class AnswerSource:
    """Finds the answers to the cases of an eval file: given by case id, recorded beside it, or produced by a target.

    Where `target` names one in place of the case's own, its answer is wanted now, and none that was recorded earlier.
    """

    def __init__(
        self,
        file: str,
        given: Mapping[str, str | Answer] | None = None,
        targets: Targets | None = None,
        target: str | None = None,
    ) -> None:
        self._given = given or {}
        self._recorded = RecordedAnswers("" if target else file)
        self._targets = targets
        self._target = target

    def known(self, case: EvalCase) -> Answer | None:
        """Return the answer that is given or recorded, or None. Raises CannotGrade where one cannot be read."""
        answer = self._given.get(case.id)
        answer = self._recorded.of(case.id) if answer is None else answer
        if answer is None and self._target is None:
            answer = _written_answer(case)
        if answer is None:
            return None
        known = Answer(answer) if isinstance(answer, str) else answer
        return replace(known, text=without_surrogates(known.text))

    async def answer(self, case: EvalCase) -> Answer:
        """Return the answer that is known, or that the target produces. Raises CannotGrade or ProviderFailed."""
        answer = self.known(case)
        if answer is not None:
            return answer
        targets, name = self._targets, self._target_of(case)
        if targets is None or name is None:
            raise _no_answer(case, "name a target that answers the case")
        if self._target is None and not targets.names and ":" not in name:
            # Many eval files name a target; it is not called unless it is defined.
            raise _no_answer(case, f"define its target {name} in .agentv/targets.yaml or in rubric.toml")
        return await _produced(case, name, targets)

    def key(self, case: EvalCase) -> str:
        """Return a text that decides the answer: itself, or who is asked for it and how; empty where there is none."""
        try:
            answer = self.known(case)
            if answer is not None:
                facts = [] if answer.facts == NO_FACTS else [repr(answer.facts)]
                return json.dumps(["answer", answer.text, *facts])
            name = self._target_of(case)
            if self._targets is None or name is None:
                return ""
            provider = self._targets.provider_for(name)
        except GradingFailed:
            return ""
        call = [] if case.call is None else [case.call]
        asked = ["target", name, provider.kind, provider.model, dict(provider.parameters), *call]
        return json.dumps(asked, sort_keys=True, default=str)

    def _target_of(self, case: EvalCase) -> str | None:
        return None if self._targets is None else self._targets.target_of(case, self._target)


def _written_answer(case: EvalCase) -> str | None:
    """Return the answer that is in a case itself, in a dialect that can have one."""
    written = case.other_fields.get(BY_NAME[case.dialect].table.answer_key)
    return written if isinstance(written, str) else None


def _no_answer(case: EvalCase, third_way: str) -> CannotGrade:
    return CannotGrade(
        f"There is no answer to grade for the case {case.id}; give one, record one in NAME.answers.json beside the "
        f"eval file, or {third_way}."
    )


async def _produced(case: EvalCase, name: str, targets: Targets) -> Answer:
    provider = targets.provider_for(name)
    turns = conversation_of(case.input_messages, case)
    if not turns:
        raise CannotGrade(f"The case {case.id} has no input messages, so that the target {name} cannot answer it.")
    files = files_of(case.input_messages, case)
    started = time.monotonic()
    try:
        completion = await provider.complete(Call(turns, case_id=case.id, files=files, context=case.call))
    except ProviderFailed as failure:
        raise ProviderFailed(f"The target {name} gave no answer. {failure.reason}", failure.usage) from None
    text = without_surrogates(completion.text).rstrip()
    if not text:
        raise ProviderFailed(
            f"The target {name} gave an empty answer; record one, or name another target.", completion.usage
        )
    if completion.cut_short:
        raise ProviderFailed(
            f"The answer of the target {name} was cut short by its limit of tokens; raise the setting max_tokens.",
            completion.usage,
        )
    return Answer(text, name, completion.usage, _facts(completion.usage, time.monotonic() - started))


def _facts(usage: Usage, seconds: float) -> AnswerFacts:
    """Return what is known of an answer that a target gave; a provider that reports no tokens counts as 0."""
    tokens = {"input": Decimal(usage.input_tokens), "output": Decimal(usage.output_tokens)}
    return AnswerFacts(Decimal(round(seconds * 1000)), token_usage=tokens if any(tokens.values()) else None)


def read_answers(path: str | os.PathLike[str], case_ids: Collection[str]) -> tuple[Mapping[str, Answer], str | None]:
    """Read answers by case id, and a sentence about those that belong to no case, if any. Raises CannotGrade."""
    answers = _answers_in(Path(path))
    unused = [case_id for case_id in answers if case_id not in case_ids]
    return answers, _unused_answers_sentence(os.fspath(path), unused, case_ids) if unused else None


def read_answer(path: str | os.PathLike[str]) -> str:
    """Read the answer that is the text of a file. Raises CannotGrade where it cannot be read."""
    read = read_text(path, DEFAULT_LIMITS)
    if isinstance(read, Unreadable):
        raise CannotGrade(f"The answer in {os.fspath(path)} cannot be read. {read.message}")
    return read.text.removeprefix("\ufeff")


class RecordedAnswers:
    """The answers that are recorded beside an eval file `NAME.eval.yaml`, or `NAME.yaml`.

    They are in `NAME.answers.json`, a JSON object from case id to answer, or in the folder `NAME.answers`, one file a
    case: `ID.md` or `ID.txt`. An answer in the JSON is a text, or an object with the text under `output` and what is
    known of it, such as `duration_ms`. Nothing is read before it is needed, and the JSON only once.
    """

    def __init__(self, source: str) -> None:
        path = Path(os.path.abspath(source))  # noqa: PTH100 - links are kept as they are.
        name = path.stem.removesuffix(_EVAL)
        self._file = path.with_name(f"{name}.answers.json")
        self._folder = path.with_name(f"{name}.answers")
        self._exists = bool(source)

    def of(self, case_id: str) -> Answer | None:
        """Return the answer to a case, or None where none is recorded. Raises CannotGrade where one cannot be read."""
        if not self._exists:
            return None
        if case_id in self._in_file:
            return self._in_file[case_id]
        path = self._path_of(case_id)
        return None if path is None else Answer(read_answer(path))

    @cached_property
    def _in_file(self) -> Mapping[str, Answer]:
        return _answers_in(self._file) if self._file.is_file() else {}

    def _path_of(self, case_id: str) -> str | None:
        """Return the file for a case. An id may name a folder inside, but never leads out of the folder of answers."""
        folder = str(self._folder)
        for suffix in _SUFFIXES:
            path = os.path.normpath(os.path.join(folder, case_id + suffix))  # noqa: PTH118 - an id may be anything.
            is_inside = is_within(path, folder) and os.path.isfile(path)  # noqa: PTH113 - the same.
            if is_inside and is_within(os.path.realpath(path), os.path.realpath(folder)):
                return path
        return None


def _answers_in(path: Path) -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    for case_id, written in entries_by_case(read_answer(path), path, "answer"):
        named = f"The answer to the case {case_id} in {path}"
        if written.startswith("{"):
            answers[case_id] = read_recorded(find_object(written).value, named)
        elif written.startswith('"'):
            answers[case_id] = Answer(json.loads(written, strict=False))
        else:
            kind = kind_of(json.loads(written))
            raise CannotGrade(f"{named} must be a text, or an object with one under `output`, but is {kind}.")
    return answers


def _unused_answers_sentence(path: str, unused: Sequence[str], case_ids: Collection[str]) -> str:
    named = [(case_id, closest(case_id, case_ids)) for case_id in unused[:_MOST_NAMED]]
    if len(unused) == 1:
        [(case_id, similar)] = named
        hint = f"; did you mean {similar}?" if similar else "."
        return f"{path} holds an answer to {case_id}, but no case has this id{hint}"
    listed = ", ".join(f"{case_id} (did you mean {similar}?)" if similar else case_id for case_id, similar in named)
    more = f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
    return f"{path} holds answers to {len(unused)} ids that no case has: {listed}{more}."
