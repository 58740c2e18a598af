"""What a client can stop by the token of its progress; the wish may come before the work has begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Token = int | str


class Stops:
    """The work that can be stopped, by token."""

    def __init__(self) -> None:
        # None stands for work that has not begun yet.
        self._stops: dict[Token, Callable[[], object] | None] = {}
        self._early: set[Token] = set()

    def expect(self, token: Token) -> None:
        """Take note that work will begin under a token."""
        self._stops.setdefault(token, None)

    def begin(self, token: Token, stop: Callable[[], object]) -> None:
        """Take note of how the work of a token is stopped, which is done at once where somebody wanted it by then."""
        self._stops[token] = stop
        if token in self._early:
            stop()

    def stop(self, token: Token) -> None:
        """Stop the work of a token, now or as soon as it begins; an unknown token is passed over."""
        stop = self._stops.get(token)
        if stop is not None:
            stop()
        elif token in self._stops:
            self._early.add(token)

    def give_up(self, token: Token) -> None:
        """Forget a token under which no work has begun: what was asked for was refused."""
        if self._stops.get(token) is None:
            self.end(token)

    def end(self, token: Token) -> None:
        """Forget a token whose work has ended."""
        self._stops.pop(token, None)
        self._early.discard(token)
