"""The plan: what a run will ask for, told before anything is spent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rubric_core.grading.ask import memory_key
from rubric_core.grading.asking import askings
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.grade import evaluators_of, not_run, unfit
from rubric_core.model.evaluators import CodeJudge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.grading.memory import Memory
    from rubric_core.grading.options import Options
    from rubric_core.grading.run import Source
    from rubric_core.model.suite import EvalCase


@dataclass(slots=True)
class Plan:
    """Counts of what a run will do.

    `calls` are the questions by the judge's name; `remembered` of them need no call, as far as the answers are known.
    `characters` is the size of the prompts of the others. `answers` will be produced by targets. `unfit` cases are
    errors without any call.
    """

    cases: int = 0
    unfit: int = 0
    answers: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    remembered: int = 0
    characters: int = 0
    code_judges: int = 0


def make_plan(cases: Iterable[EvalCase], source: Source, options: Options, memory: Memory | None = None) -> Plan:
    """Count what grading will ask for. Raises CannotGrade where a judge that is needed is not known."""
    plan = Plan()
    for case in cases:
        plan.cases += 1
        if unfit(case) is not None:
            plan.unfit += 1
        else:
            _add(plan, case, source, options, memory)
    return plan


def _add(plan: Plan, case: EvalCase, source: Source, options: Options, memory: Memory | None) -> None:
    runs = [each for each in evaluators_of(case) if not_run(each, options) is None]
    plan.code_judges += sum(isinstance(each, CodeJudge) for each in runs)
    answer = source.known_answer(case)
    plan.answers += answer is None
    try:
        asked = list(askings(case, answer or "", options))
    except CannotGrade:
        # The case alone becomes an error, with the file that it lacks as the reason.
        plan.unfit += 1
        return
    for asking in asked:
        judge = source.judge_of(case, asking.evaluator)
        for question in asking.questions:
            key = memory_key(question, judge)
            if memory is not None and key is not None and memory.recall(key) is not None:
                plan.remembered += 1
            else:
                plan.calls[judge.identity.name] += 1
                plan.characters += len(question.prompt.system) + len(question.prompt.user)
