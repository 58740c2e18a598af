"""Work that a client can cancel by its progress token, also before the work has begun."""

from __future__ import annotations

from collections.abc import Callable

Token = int | str


class Cancellations:
    """The work that can be cancelled, by token."""

    def __init__(self) -> None:
        # None stands for work that has not begun yet.
        self._stops: dict[Token, Callable[[], object] | None] = {}
        self._early: set[Token] = set()

    def expect(self, token: Token) -> None:
        """Accept a token under which work will begin."""
        self._stops.setdefault(token, None)

    def begin(self, token: Token | None, stop: Callable[[], object]) -> None:
        """Register how the work of a token is stopped, and stop it at once where that was asked for before."""
        if token is not None:
            self._stops[token] = stop
            if token in self._early:
                stop()

    def cancel(self, token: Token) -> None:
        """Stop the work of a token, now or as soon as it begins; an unknown token is ignored."""
        stop = self._stops.get(token)
        if stop is not None:
            stop()
        elif token in self._stops:
            self._early.add(token)

    def forget_unbegun(self, token: Token) -> None:
        """Remove a token under which no work has begun: what was asked for was refused."""
        if self._stops.get(token) is None:
            self.end(token)

    def end(self, token: Token | None) -> None:
        """Remove a token whose work has ended."""
        if token is not None:
            self._stops.pop(token, None)
            self._early.discard(token)
