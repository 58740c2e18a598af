"""A judge that is not asked too much at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from rubric_core.grading.judges.judge import Exchange, Judge, JudgeIdentity, Question
    from rubric_core.grading.providers.provider import Completion


class LimitedJudge:
    """Another judge, asked only while one of the places is free. Remembered judgements take up no place."""

    def __init__(self, judge: Judge, places: asyncio.Semaphore) -> None:
        self._judge = judge
        self._places = places

    @property
    def identity(self) -> JudgeIdentity:
        """Return who really judges."""
        return self._judge.identity

    @property
    def memory_key(self) -> str | None:
        """Return the key of the real judge."""
        return self._judge.memory_key

    @property
    def can_repair(self) -> bool:
        """Tell what the real judge says."""
        return self._judge.can_repair

    @property
    def is_recorded(self) -> bool:
        """Tell what the real judge says."""
        return self._judge.is_recorded

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Wait for a place, then ask."""
        async with self._places:
            return await self._judge.judge(question, earlier)

    async def close(self) -> None:
        """Close the real judge."""
        await self._judge.close()
