"""A text that counts the characters that are copied and looked at, which are the same on a busy machine.

A single call can do as much work as a text is long. Stretches cut out of the text count too; expressions do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_FORWARD = ("find", "index")
_BACKWARD = ("rfind", "rindex")
_WHOLE = (
    *("split", "rsplit", "splitlines", "partition", "rpartition", "replace", "translate", "expandtabs"),
    *("strip", "lstrip", "rstrip", "lower", "upper", "encode", "isspace", "isascii"),
    *("__add__", "__contains__", "__iter__"),
)


class CountedText(str):
    """A text, and in the class how many characters of all texts were copied or looked at."""

    __slots__ = ()
    seen = 0

    def __getitem__(self, place: Any) -> str:
        found = str.__getitem__(self, place)
        CountedText.seen += len(found)
        return CountedText(found) if len(found) > 1 else found


def _searching(name: str) -> Callable[..., int]:
    """Return a search that counts as far as it went."""
    search = getattr(str, name)
    place = str.find if name in _FORWARD else str.rfind

    def method(self: CountedText, wanted: str, start: int = 0, end: int | None = None) -> int:
        start, end, _ = slice(start, end).indices(len(self))
        at = -1 if name == "count" else place(self, wanted, start, end)
        passed = end - start if at < 0 else at - start if name in _FORWARD else end - at
        CountedText.seen += max(0, passed)
        found: int = search(self, wanted, start, end)
        return found

    return method


def _whole(name: str) -> Callable[..., Any]:
    """Return a method that counts all of the text."""
    original = getattr(str, name)

    def method(self: CountedText, *arguments: Any, **named: Any) -> Any:
        CountedText.seen += len(self)
        made = original(self, *arguments, **named)
        if isinstance(made, str):
            return CountedText(made)
        return type(made)(map(CountedText, made)) if isinstance(made, list | tuple) else made

    return method


for _name in (*_FORWARD, *_BACKWARD, "count"):
    setattr(CountedText, _name, _searching(_name))
for _name in _WHOLE:
    setattr(CountedText, _name, _whole(_name))


def characters_seen(text: str, use: Callable[[str], object]) -> int:
    """Count the characters that some use of a text copies or looks at."""
    CountedText.seen = 0
    use(CountedText(text))
    return CountedText.seen
