"""The plan: what a run will ask for, told before anything is spent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rubric_core.grading.ask import memory_key
from rubric_core.grading.asking import askings
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.fingerprints import fingerprint
from rubric_core.grading.grade import evaluators_of, not_run, unfit
from rubric_core.model.evaluators import CodeJudge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.grading.asking import Asking
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.memory import Memory
    from rubric_core.grading.options import Options
    from rubric_core.grading.run import Source
    from rubric_core.model.suite import EvalCase


@dataclass(slots=True)
class Plan:
    """Counts of what a run will do.

    `calls` are the questions by the judge's name; `remembered` of them need no call, as far as the answers are known.
    `characters` is the size of the prompts of the others. `answers` will be produced by targets. `unfit` cases are
    errors without any call. `fingerprints` name the gradings, one for each case; an empty one equals no other.
    """

    cases: int = 0
    unfit: int = 0
    answers: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    remembered: int = 0
    characters: int = 0
    code_judges: int = 0
    fingerprints: list[str] = field(default_factory=list)


def make_plan(cases: Iterable[EvalCase], source: Source, options: Options, memory: Memory | None = None) -> Plan:
    """Count what grading will ask for. Raises CannotGrade where a judge that is needed is not known."""
    plan = Plan()
    for case in cases:
        plan.cases += 1
        asked = None if unfit(case) is not None else _asked(case, source, options)
        if asked is None:
            plan.unfit += 1
            plan.fingerprints.append("")
            continue
        runs = [each for each in evaluators_of(case) if not_run(each, options) is None]
        plan.code_judges += sum(isinstance(each, CodeJudge) for each in runs)
        plan.answers += source.known_answer(case) is None
        plan.fingerprints.append(fingerprint(case, source.answer_key(case), asked, options))
        for asking, judge in asked:
            _count(plan, asking, judge, memory)
    return plan


def _asked(case: EvalCase, source: Source, options: Options) -> list[tuple[Asking, Judge]] | None:
    """Return what is asked of whom; None where the case lacks a file, and becomes an error for that reason."""
    try:
        asked = list(askings(case, source.known_answer(case) or "", options))
    except CannotGrade:
        return None
    return [(asking, source.judge_of(case, asking.evaluator)) for asking in asked]


def _count(plan: Plan, asking: Asking, judge: Judge, memory: Memory | None) -> None:
    for question in asking.questions:
        key = memory_key(question, judge)
        if memory is not None and key is not None and memory.recall(key) is not None:
            plan.remembered += 1
        else:
            plan.calls[judge.identity.name] += 1
            plan.characters += len(question.prompt.system) + len(question.prompt.user)
