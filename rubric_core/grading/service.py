"""The grading service: plan, run and store the grading of cases, for the command line, the server and Python."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from rubric_core.grading.ask import JudgementCache, SelectiveCache, memory_key
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judges.judge import PERSON, Judge, Question
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.questions import (
    EvaluatorQuestions,
    fingerprint,
    questions,
    reason_not_gradable,
    run_evaluators,
)
from rubric_core.grading.results import CaseResult
from rubric_core.grading.run import DEFAULT_CONCURRENCY, grade_all
from rubric_core.grading.sources import AnswerSource, Sources
from rubric_core.grading.store.store import Store
from rubric_core.model.evaluators import CodeJudge
from rubric_core.model.suite import EvalCase

_NO_ANSWER = "(The answer to judge stands here.)"
_MOST_MISSED = 1000
"""After so many samples in a row that are not cached, none is looked for: they are judged in their order."""


@dataclass(slots=True)
class GradingService:
    """Grades some cases: `plan` counts what will be asked, `begin` enters a run, `run` grades, `end` ends the run.

    `lost` are results of what could not be read as a case. `resume` takes over what was graded before; `use_cache`
    reuses judgements of models.
    """

    cases: Sequence[EvalCase]
    sources: Sources
    options: Options = DEFAULT_OPTIONS
    lost: Sequence[CaseResult] = ()
    resume: bool = False
    use_cache: bool = True
    _store: Store = field(init=False)
    _run: int = field(init=False)
    _results: dict[int, CaseResult] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Return how many results there will be."""
        return len(self.cases) + len(self.lost)

    def plan(self, store: Store | None) -> GradingPlan:
        """Count what grading will ask for. Raises CannotGrade where a judge that is needed is not known."""
        if store is None:
            return make_plan(self.cases, self.sources, self.options)
        return make_plan(self.cases, self.sources, self.options, self._cache(store), self._earlier(store))

    def begin(self, store: Store, command: str) -> int:
        """Enter a run in the store and return its number. `command` is how the user asked for it."""
        self._store = store
        self._run = store.begin_run(command, None, self.total)
        return self._run

    async def run(self, plan: GradingPlan, concurrency: int = DEFAULT_CONCURRENCY) -> AsyncGenerator[CaseResult, None]:
        """Grade all cases; store each result at once and yield it. Raises PersonStopped, and may be cancelled."""
        stored: asyncio.Queue[CaseResult | None] = asyncio.Queue()

        def keep(place: int, result: CaseResult) -> None:
            self._results[place] = self._store.keep_result(self._run, place, result)
            stored.put_nowait(self._results[place])

        for place, result in enumerate(self.lost, start=len(self.cases)):
            keep(place, result)
        grading = asyncio.ensure_future(
            grade_all(
                self.cases,
                self.sources,
                keep,
                options=self.options,
                # A person judges one case after the other, in the order of the file.
                concurrency=1 if plan.asks_person else concurrency,
                memory=self._cache(self._store),
                fingerprints=plan.fingerprints,
                earlier=self._earlier(self._store),
            )
        )
        grading.add_done_callback(lambda _: stored.put_nowait(None))
        try:
            while (made := await stored.get()) is not None:
                yield made
            await grading
        finally:
            grading.cancel()
            await asyncio.gather(grading, return_exceptions=True)
            await self.sources.close()

    def end(self, *, stopped: bool) -> tuple[CaseResult, ...]:
        """Enter that the run has ended, and return its results compared with the history before them."""
        self._store.end_run(self._run, finished=not stopped)
        return self._store.settle_history(self._run, self._results)

    @property
    def is_complete(self) -> bool:
        """Return whether every case has a result."""
        return len(self._results) == self.total

    def _cache(self, store: Store) -> JudgementCache:
        return SelectiveCache(store, reuses_models=self.use_cache, reuses_persons=self.resume)

    def _earlier(self, store: Store) -> Callable[[str], CaseResult | None] | None:
        return store.finished if self.resume else None


@dataclass(slots=True)
class GradingPlan:
    """Counts of what a run will do.

    `calls` are the questions by the judge's name; `cached` ones need no call, as far as the answers are known.
    `characters` is the size of the prompts of the calls. `answers` will be produced by targets. `taken_over` are the
    cases whose result is there already. `not_gradable` and `unanswered` cases are errors without any call.
    `fingerprints` name the gradings, one for each case; an empty one equals no other. `asks_person` means that a person
    judges.
    """

    cases: int = 0
    taken_over: int = 0
    not_gradable: int = 0
    unanswered: int = 0
    answers: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    cached: int = 0
    characters: int = 0
    code_judges: int = 0
    fingerprints: list[str] = field(default_factory=list)
    asks_person: bool = False

    @property
    def without_calls(self) -> int:
        """Return how many cases get their result without any call."""
        return self.taken_over + self.not_gradable + self.unanswered


def make_plan(
    cases: Iterable[EvalCase],
    sources: Sources,
    options: Options,
    cache: JudgementCache | None = None,
    earlier: Callable[[str], CaseResult | None] | None = None,
) -> GradingPlan:
    """Count what grading will ask for. Raises CannotGrade where a judge that is needed is not known."""
    plan = GradingPlan()
    for case in cases:
        plan.cases += 1
        asked = None if reason_not_gradable(case) is not None else _asked(case, sources, options)
        answer_key = "" if asked is None else sources.answer_key(case)
        plan.fingerprints.append("")
        if asked is None:
            plan.not_gradable += 1
        elif not answer_key:
            plan.unanswered += 1
        else:
            name = plan.fingerprints[-1] = fingerprint(case, answer_key, asked, options)
            if name and earlier is not None and earlier(name) is not None:
                plan.taken_over += 1
            else:
                plan.code_judges += sum(isinstance(evaluator, CodeJudge) for evaluator in run_evaluators(case, options))
                plan.answers += sources.known_answer(case) is None
                _count(plan, asked, options, cache)
    return plan


def _asked(case: EvalCase, sources: Sources, options: Options) -> list[tuple[EvaluatorQuestions, Judge]] | None:
    """Return what is asked of whom; None where the case lacks a file, and becomes an error for that reason."""
    try:
        answer = sources.known_answer(case)
        asked = list(questions(case, "" if answer is None else answer.text, options))
    except CannotGrade:
        return None
    return [(question, sources.judge_of(case, question.evaluator)) for question in asked]


def _count(
    plan: GradingPlan, asked: Sequence[tuple[EvaluatorQuestions, Judge]], options: Options, cache: JudgementCache | None
) -> None:
    for question, judge in ((question, judge) for asking, judge in asked for question in asking.questions):
        cached = _count_cached(question, judge, options.samples, cache)
        plan.cached += cached
        left = options.samples - cached
        if left:
            plan.calls[judge.identity.name] += left
            plan.asks_person |= judge.identity.kind == PERSON
            plan.characters += left * (len(question.prompt.system) + len(question.prompt.user))


def _count_cached(question: Question, judge: Judge, samples: int, cache: JudgementCache | None) -> int:
    if cache is None or judge.memory_key is None:
        return 0
    cached = missed = 0
    for sample in range(samples):
        key = memory_key(replace(question, sample=sample), judge)
        if key is not None and cache.get(key) is not None:
            cached, missed = cached + 1, 0
        else:
            missed += 1
        if missed == _MOST_MISSED:
            break
    return cached


def preview(case: EvalCase, given: str | None = None) -> tuple[list[EvaluatorQuestions], bool]:
    """Return what judges are asked about the given or recorded answer, and whether there is one. Raises CannotGrade."""
    answer = AnswerSource(case.source, None if given is None else {case.id: given}).known(case)
    asked = list(questions(case, _NO_ANSWER if answer is None else answer.text, DEFAULT_OPTIONS))
    return asked, answer is not None
