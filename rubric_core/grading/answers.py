"""The candidate answer of a case: given, recorded, or produced by a target."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rubric_core.grading.failures import CannotGrade, GradingFailed, ProviderFailed
from rubric_core.grading.messages import conversation_of, files_of
from rubric_core.grading.providers.provider import Call
from rubric_core.grading.recorded_answers import RecordedAnswers
from rubric_core.grading.surrogates import without_surrogates
from rubric_core.grading.usage import NOTHING_SPENT, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.grading.targets.targets import Targets
    from rubric_core.model.suite import EvalCase

AnswerSource = Literal["given", "recorded", "target"]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to grade. `target` names who produced it, and `usage` is what that cost."""

    text: str
    source: AnswerSource
    target: str | None = None
    usage: Usage = NOTHING_SPENT


async def answer_for(
    case: EvalCase,
    *,
    given: Mapping[str, str] | None = None,
    recorded: RecordedAnswers | None = None,
    targets: Targets | None = None,
    target: str | None = None,
) -> Answer:
    """Return the answer to a case: the given one, the one recorded beside its file, or one that its target produces.

    `given` are answers by case id; `target` names the target where it shall not be the case's own. Raises CannotGrade
    where there is none, and ProviderFailed where the target gives none.
    """
    known = known_answer(case, given=given, recorded=recorded)
    if known is not None:
        return known
    name = targets.target_of(case, target) if targets is not None else None
    if targets is None or name is None:
        raise _no_answer(case, "name a target that answers the case")
    if target is None and not targets.names and ":" not in name:
        # Many eval files name a target; whoever has defined none does not mean to ask it.
        raise _no_answer(case, f"define its target {name} in .agentv/targets.yaml or in rubric.toml")
    return await _produced(case, name, targets)


def _no_answer(case: EvalCase, third_way: str) -> CannotGrade:
    return CannotGrade(
        f"There is no answer to grade for the case {case.id}; give one, record one in NAME.answers.json beside the "
        f"eval file, or {third_way}."
    )


def known_answer(
    case: EvalCase, *, given: Mapping[str, str] | None = None, recorded: RecordedAnswers | None = None
) -> Answer | None:
    """Return the answer to a case that nobody needs to produce, or None. Raises CannotGrade as `answer_for` does."""
    if given is not None and case.id in given:
        return Answer(without_surrogates(given[case.id]), "given")
    found = (recorded or RecordedAnswers(case.source)).of(case.id)
    return None if found is None else Answer(without_surrogates(found), "recorded")


def answer_key(
    case: EvalCase,
    *,
    given: Mapping[str, str] | None = None,
    recorded: RecordedAnswers | None = None,
    targets: Targets | None = None,
    target: str | None = None,
) -> str:
    """Return a text that decides the answer to a case: the answer itself, or who will be asked for it and how.

    It is empty where there will be no answer.
    """
    try:
        known = known_answer(case, given=given, recorded=recorded)
        if known is not None:
            return json.dumps(["answer", known.text])
        name = targets.target_of(case, target) if targets is not None else None
        if targets is None or name is None:
            return ""
        provider = targets.provider_for(name)
    except GradingFailed:
        return ""
    asked = ["target", name, provider.kind, provider.model, dict(provider.parameters)]
    return json.dumps(asked, sort_keys=True, default=str)


async def _produced(case: EvalCase, name: str, targets: Targets) -> Answer:
    provider = targets.provider_for(name)
    turns = conversation_of(case.input_messages, case.source, targets.config)
    if not turns:
        raise CannotGrade(f"The case {case.id} has no input messages, so that the target {name} cannot answer it.")
    files = files_of(case.input_messages, case.source, targets.config)
    try:
        completion = await provider.complete(Call(turns, case_id=case.id, files=files))
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
    return Answer(text, "target", name, completion.usage)
