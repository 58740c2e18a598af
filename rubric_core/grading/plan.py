"""The plan: what a run will ask for, told before anything is spent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rubric_core.grading.ask import memory_key
from rubric_core.grading.asking import askings
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.fingerprints import fingerprint
from rubric_core.grading.grade import evaluators_of, not_run, unfit
from rubric_core.grading.memory import PERSON
from rubric_core.model.evaluators import CodeJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rubric_core.grading.asking import Asking
    from rubric_core.grading.judges.judge import Judge, Question
    from rubric_core.grading.memory import Memory
    from rubric_core.grading.options import Options
    from rubric_core.grading.results import CaseResult
    from rubric_core.grading.run import RunInputs
    from rubric_core.model.suite import EvalCase

_MOST_MISSED = 1000
"""After so many samples in a row that are not remembered, none is looked for: they are judged in their order."""


@dataclass(slots=True)
class GradingPlan:
    """Counts of what a run will do.

    `calls` are the questions by the judge's name; `remembered` of them need no call, as far as the answers are known.
    `characters` is the size of the prompts of the others. `answers` will be produced by targets. `taken_over` are the
    cases whose result is there already. `unfit` and `unanswered` cases are errors without any call. `fingerprints` name
    the gradings, one for each case; an empty one equals no other. `asks_person` tells that a person judges.
    """

    cases: int = 0
    taken_over: int = 0
    unfit: int = 0
    unanswered: int = 0
    answers: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    remembered: int = 0
    characters: int = 0
    code_judges: int = 0
    fingerprints: list[str] = field(default_factory=list)
    asks_person: bool = False

    @property
    def unpaid(self) -> int:
        """Return how many cases get their result without anybody being asked."""
        return self.taken_over + self.unfit + self.unanswered


@dataclass(frozen=True, slots=True)
class Known:
    """What is there already: judgements, and the results of a run that goes on, by their fingerprints."""

    memory: Memory | None = None
    earlier: Callable[[str], CaseResult | None] | None = None


NOTHING_KNOWN = Known()


def make_plan(
    cases: Iterable[EvalCase], source: RunInputs, options: Options, known: Known = NOTHING_KNOWN
) -> GradingPlan:
    """Count what grading will ask for. Raises CannotGrade where a judge that is needed is not known."""
    plan = GradingPlan()
    for case in cases:
        plan.cases += 1
        plan.fingerprints.append(_add(plan, case, source, options, known))
    return plan


def _add(plan: GradingPlan, case: EvalCase, source: RunInputs, options: Options, known: Known) -> str:
    """Count a case and return its fingerprint, which is empty where nobody will be asked about it."""
    asked = None if unfit(case) is not None else _asked(case, source, options)
    if asked is None:
        plan.unfit += 1
        return ""
    answer_key = source.answer_key(case)
    if not answer_key:
        plan.unanswered += 1
        return ""
    name = fingerprint(case, answer_key, asked, options)
    if name and known.earlier is not None and known.earlier(name) is not None:
        plan.taken_over += 1
        return name
    runs = [each for each in evaluators_of(case) if not_run(each, options) is None]
    plan.code_judges += sum(isinstance(each, CodeJudge) for each in runs)
    plan.answers += source.known_answer(case) is None
    for asking, judge in asked:
        _count(plan, asking, judge, options.samples, known.memory)
    return name


def _asked(case: EvalCase, source: RunInputs, options: Options) -> list[tuple[Asking, Judge]] | None:
    """Return what is asked of whom; None where the case lacks a file, and becomes an error for that reason."""
    try:
        asked = list(askings(case, source.known_answer(case) or "", options))
    except CannotGrade:
        return None
    return [(asking, source.judge_of(case, asking.evaluator)) for asking in asked]


def _count(plan: GradingPlan, asking: Asking, judge: Judge, samples: int, memory: Memory | None) -> None:
    for question in asking.questions:
        remembered = _remembered(question, judge, samples, memory)
        plan.remembered += remembered
        left = samples - remembered
        if left:
            plan.calls[judge.identity.name] += left
            plan.asks_person |= judge.identity.kind == PERSON
            plan.characters += left * (len(question.prompt.system) + len(question.prompt.user))


def _remembered(question: Question, judge: Judge, samples: int, memory: Memory | None) -> int:
    """Return how many samples of a question need no call."""
    if memory is None or judge.memory_key is None:
        return 0
    found = missed = 0
    for sample in range(samples):
        key = memory_key(replace(question, sample=sample), judge)
        if key is not None and memory.recall(key) is not None:
            found, missed = found + 1, 0
        else:
            missed += 1
        if missed == _MOST_MISSED:
            break
    return found
