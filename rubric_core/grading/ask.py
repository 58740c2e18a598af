"""Asking a judge until its reply is valid, and keeping valid replies in the cache."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import PurePath
from typing import Any, Generic, Protocol, TypeVar
from uuid import uuid4

from rubric_core.grading import exact_json
from rubric_core.grading.failures import GradingFailed, JudgeFailed
from rubric_core.grading.json_text import find_object
from rubric_core.grading.judgements import InvalidJudgement, read_judgement
from rubric_core.grading.judges.judge import PERSON, Exchange, Judge, JudgeIdentity, Judgement, Question
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.usage import NOTHING_SPENT, Usage
from rubric_core.text.writing import without_surrogates

_MOST_PROBLEMS_LISTED = 100
_REPLY_AGAIN = "Reply again with the whole JSON object in the form that was asked for, corrected, and nothing else."

Value = TypeVar("Value")


class JudgementCache(Protocol):
    """Stores judgements under keys."""

    def get(self, key: str) -> Judgement | None:
        """Return the newest judgement stored under a key."""

    def put(self, judgement: Judgement) -> None:
        """Store a judgement at once, so that none is lost; one whose id is stored already is ignored."""


@dataclass(frozen=True, slots=True)
class SelectiveCache:
    """Stores every judgement, and returns those that may be reused: a person's only when a stopped run is resumed."""

    cache: JudgementCache
    reuses_models: bool = True
    reuses_persons: bool = False

    def get(self, key: str) -> Judgement | None:
        """Return the newest judgement stored under a key, if it may be reused."""
        judgement = self.cache.get(key) if self.reuses_models or self.reuses_persons else None
        may_be_reused = judgement is not None and (
            self.reuses_persons if judgement.judge.kind == PERSON else self.reuses_models
        )
        return judgement if may_be_reused else None

    def put(self, judgement: Judgement) -> None:
        """Store a judgement."""
        self.cache.put(judgement)


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The user's choices, the cache of judgements (None: nothing is reused), and the redactor of secrets.

    `limit` is a semaphore that bounds the number of open questions. A cached judgement does not acquire it.
    """

    options: Options = DEFAULT_OPTIONS
    cache: JudgementCache | None = None
    redactor: Redactor = NO_SECRETS
    limit: AbstractAsyncContextManager[object] = field(default_factory=nullcontext)


DEFAULT_SETTINGS = RunSettings()


@dataclass(frozen=True, slots=True)
class ValidJudgement(Generic[Value]):
    """A valid judgement with its usage."""

    value: Value
    usage: Usage
    model: str | None
    judgement_id: str


async def ask(
    question: Question,
    judge: Judge,
    read: Callable[[str], Value],
    settings: RunSettings = DEFAULT_SETTINGS,
    *,
    file: str = "",
) -> ValidJudgement[Value]:
    """Return a valid judgement: the cached one, or the reply of the judge, which may have to correct it.

    `read` turns a reply into a value or raises InvalidJudgement. `file` is the eval file of the case. Secrets in the
    texts of a valid judgement are redacted, but not in ids and scores.

    Raises JudgeFailed, with the usage of all attempts, if no reply was valid; GradingFailed if none came.
    """
    key, redactor = memory_key(question, judge), settings.redactor
    cached = _cached(settings.cache, key, read)
    if cached is not None:
        return cached
    spent = NOTHING_SPENT
    earlier: tuple[Exchange, ...] = ()
    problems: tuple[str, ...] = ()
    for _ in range(max(settings.options.attempts, 1) if judge.can_repair else 1):
        try:
            async with settings.limit:
                completion = await judge.judge(question, earlier)
        except GradingFailed as failure:
            failure.usage = spent + failure.usage
            raise
        spent += completion.usage
        text = without_surrogates(completion.text)
        try:
            value = read(text)
            clean = without_secrets(text, redactor)
            value = value if clean == text else read(clean)
            if completion.cut_short:
                raise InvalidJudgement(())  # noqa: TRY301 - treated like what is wrong with the text.
        except InvalidJudgement as invalid:
            cut = ("The reply was cut short by the length limit; write less reasoning.",)
            problems = (*(cut if completion.cut_short else ()), *invalid.problems)
            earlier = (*earlier, Exchange(text, complaint_about(problems)))
            continue
        model = completion.model
        if model is not None and model != judge.identity.model:
            model = redactor.redact(model)
        judgement = Judgement(
            id=_recorded_id(question, clean, file) if judge.is_recorded else uuid4().hex,
            key=key,
            kind=question.kind,
            file=file,
            case_id=question.case_id,
            evaluator=question.evaluator,
            judge=identity_of(judge, model),
            prompt_hash=question.prompt.hash,
            answer_hash=sha256(without_surrogates(question.answer).encode()).hexdigest(),
            text=clean,
            sample=question.sample,
        )
        if settings.cache is not None:
            settings.cache.put(judgement)
        return ValidJudgement(value, spent, judgement.judge.model, judgement.id)
    raise JudgeFailed(_reason(judge, len(earlier), problems), spent)


async def ask_all(
    questions: Sequence[Question], judge: Judge, settings: RunSettings, file: str
) -> list[ValidJudgement[Any]]:
    """Return a valid judgement of each question, sample by sample. Raises as `ask` does."""
    return await all_of(
        ask(question, judge, partial(read_judgement, question=question), settings, file=file)
        for sample in range(settings.options.samples)
        for question in (replace(question, sample=sample) for question in questions)
    )


async def all_of(works: Iterable[Coroutine[Any, Any, Value]]) -> list[Value]:
    """Return the results in order. A failure or a cancellation ends all others before it is raised."""
    waiting = list(works)
    if len(waiting) == 1:
        # Usually there is only one question, which needs no task.
        return [await waiting[0]]
    tasks = [asyncio.ensure_future(work) for work in waiting]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        # A task that is still ending must not outlive its caller.
        await asyncio.gather(*tasks, return_exceptions=True)


def identity_of(judge: Judge, model: str | None) -> JudgeIdentity:
    """Return the judge, with the model that answered if the reply names it."""
    return judge.identity if model is None else replace(judge.identity, model=model)


def memory_key(question: Question, judge: Judge) -> str | None:
    """Return the cache key of a reply to a question; None if the judge's replies are never reused."""
    if judge.memory_key is None:
        return None
    return _hash(question.prompt.hash, json.dumps(question.schema), judge.memory_key, str(question.sample))


def without_secrets(text: str, redactor: Redactor) -> str:
    """Return a valid judgement with redacted texts. Its ids are written by the author, so they have no secrets."""
    if redactor.redact(text) == text:
        return text
    return exact_json.write(_cleaned(exact_json.read(find_object(text).text), redactor))


def _cleaned(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, dict):
        return {key: member if key == "id" else _cleaned(member, redactor) for key, member in value.items()}
    if isinstance(value, list):
        return [_cleaned(member, redactor) for member in value]
    return redactor.redact(value) if isinstance(value, str) else value


def complaint_about(problems: Sequence[str]) -> str:
    """Return the message to a judge about an invalid reply: all of its errors."""
    lines = [f"- {problem}" for problem in problems[:_MOST_PROBLEMS_LISTED]]
    if len(problems) > len(lines):
        lines.append(f"- And {len(problems) - len(lines)} more.")
    return "\n".join(["Your reply cannot be used:", *lines, _REPLY_AGAIN])


def _cached(
    cache: JudgementCache | None, key: str | None, read: Callable[[str], Value]
) -> ValidJudgement[Value] | None:
    """Return the cached judgement. Its text is validated like a reply; a damaged one is requested again."""
    judgement = cache.get(key) if cache is not None and key is not None else None
    if judgement is None:
        return None
    try:
        value = read(judgement.text)
    except InvalidJudgement:
        return None
    return ValidJudgement(value, Usage(remembered=1), judgement.judge.model, judgement.id)


def _recorded_id(question: Question, text: str, file: str) -> str:
    """Name a recorded judgement by its content. The file counts by its name alone: it may be reached by many paths."""
    return _hash(PurePath(file).name, question.case_id, question.evaluator, question.answer, text)


def _reason(judge: Judge, attempts: int, problems: Sequence[str]) -> str:
    count = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"The judge {judge.identity.name} gave no valid judgement in {count}. The last problem: {problems[0]}{more}"


def _hash(*parts: str) -> str:
    """Return one hash for several texts, which depends on their borders."""
    return sha256(json.dumps(parts).encode()).hexdigest()
