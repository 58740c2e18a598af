"""The tolerant parser for flow collections, closed or not."""

import re
from typing import NamedTuple

from rubric_core.assist.completion.branches import Branch, TypedEntry, loose_entry
from rubric_core.text.lines import line_end
from rubric_core.text.patterns import lazily

_SPACE_AND_COMMENTS = lazily(r"(?:[ \t\r\n\ufeff]|(?<=[ \t\r\n])#[^\r\n]*)*")
_PLAIN = lazily(r"(?:[^\s,\[\]{}:#]|:(?=[^\s,\[\]{}])|(?<=[^\s])#|[ \t]+(?=[^\s,\[\]{}:#]))+")
_COLON = lazily(r"[ \t]*:")
_DOUBLE = lazily(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_SINGLE = lazily(r"'(?:[^']|'')*(?:'|\Z)")
_WORD = lazily(r"[\w.$-]*")
_DEEPEST = 100


def skip_quotes(text: str, at: int) -> int:
    """Return the offset behind a quoted scalar; the end of the text where the quotes never close."""
    match = (_DOUBLE if text[at] == '"' else _SINGLE).match(text, at)
    return match.end() if match else len(text)


def behind(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Return the offset behind what a pattern matches at an offset; the same offset where it does not."""
    match = pattern.match(text, at)
    return match.end() if match else at


class TolerantFlowParser(NamedTuple):
    """Reads brackets that end before `stop`; adds branches and the starts of comments in them to the given lists."""

    text: str
    stop: int
    branches: list[Branch]
    comments: list[int]

    def collection(self, at: int, owner: TypedEntry, depth: int = 0) -> tuple[Branch, int]:
        """Read the brackets that open at an offset; return them and where they end."""
        branch = Branch(-1, owner, is_list=self.text[at] == "[", flow=True, start=at, end=self.stop)
        self.branches.append(branch)
        at += 1
        while (at := self._skip(at)) < self.stop:
            character = self.text[at]
            if character in "]}":
                branch.end = at + 1
                break
            at = at + 1 if character in ",:" else self._entry(branch, at, depth)
        return branch, branch.end

    def _entry(self, branch: Branch, at: int, depth: int) -> int:
        if branch.is_list:
            entry = TypedEntry(branch, "", at, at, at)
            branch.entries.append(entry)
            return self._value(entry, at, depth)
        if self.text[at] in "[{":
            # No key of the format is a collection.
            return self.collection(at, loose_entry(at), depth + 1)[1] if depth < _DEEPEST else self.stop
        end = self._scalar_end(at)
        written = self.text[at:end]
        key = written.strip("\"'") if written[:1] in {'"', "'"} else written
        colon = _COLON.match(self.text, end, self.stop)
        entry = TypedEntry(branch, key, at, end, colon.end() if colon else -1)
        branch.entries.append(entry)
        if colon is None:
            return end
        value = self._skip(colon.end())
        if value >= self.stop or self.text[value] in ",]}":
            return value
        return self._value(entry, value, depth)

    def _value(self, entry: TypedEntry, at: int, depth: int) -> int:
        if self.text[at] in "[{":
            if depth >= _DEEPEST:
                return self.stop
            entry.child, end = self.collection(at, entry, depth + 1)
            return end
        end = self._scalar_end(at)
        entry.set_text(self.text, at, end, is_word=not any(mark in self.text[at:end] for mark in "\r\n"))
        return end

    def _scalar_end(self, at: int) -> int:
        if self.text[at] in "\"'":
            end = skip_quotes(self.text, at)
            if end <= self.stop and self.text[end - 1] == self.text[at] and end > at + 1:
                return end
            # Quotes that are not closed yet hold one word.
            return behind(_WORD, self.text, at + 1)
        match = _PLAIN.match(self.text, at, self.stop)
        # A character that cannot start anything is skipped.
        return match.end() if match else at + 1

    def _skip(self, at: int) -> int:
        match = _SPACE_AND_COMMENTS.match(self.text, at, self.stop)
        end = match.end() if match else at
        comment = self.text.find("#", at, end)
        while comment >= 0:
            self.comments.append(comment)
            comment = self.text.find("#", line_end(self.text, comment), end)
        return end
