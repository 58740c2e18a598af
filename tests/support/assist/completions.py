"""Completion in tests: `$0` in a text is the cursor, and accepting a proposal gives the text that the author gets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rubric_core.analysis.check import analyse
from rubric_core.assist.completion.complete import complete
from rubric_core.text.spans import Edit, apply_edits

if TYPE_CHECKING:
    from rubric_core.assist.completion.proposals import CompletionList, CompletionProposal

CURSOR = "$0"
_STOP = re.compile(r"\\([\\$}])|\$\{\d+\|((?:[^|\\]|\\.)*)\|\}|\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\d+")


def complete_at(marked: str, path: str = "a.eval.yaml", **options: Any) -> tuple[str, CompletionList | None]:
    """Return a text without its cursor, and what can be typed there."""
    at = marked.index(CURSOR)
    text = marked[:at] + marked[at + len(CURSOR) :]
    return text, complete(analyse(text, path=path, **options), at)


def labels_at(marked: str, path: str = "a.eval.yaml", **options: Any) -> list[str]:
    """Return the labels of what can be typed at the cursor, in the order in which an editor shows them."""
    _, found = complete_at(marked, path, **options)
    return [item.label for item in sorted(found.items, key=lambda item: item.sort)] if found is not None else []


def accepted(marked: str, label: str, path: str = "a.eval.yaml", *, snippet: bool = False, **options: Any) -> str:
    """Return the text after the proposal with a label was accepted."""
    text, found = complete_at(marked, path, **options)
    assert found is not None, "Nothing is proposed."
    matching = [item for item in found.items if item.label == label]
    assert matching, f"{label} is not among {[item.label for item in found.items]}."
    return accept(text, found, matching[0], snippet=snippet)


def accept(text: str, found: CompletionList, item: CompletionProposal, *, snippet: bool = False) -> str:
    """Accept a proposal: as plain text, or as a snippet whose tab stops keep their defaults."""
    new = expand(item.snippet) if snippet and item.snippet is not None else item.text
    return apply_edits(text, [*([item.aside] if item.aside else []), Edit(*found.span, new)])


def expand(snippet: str) -> str:
    """Return a snippet with the default, or the first choice, in each of its tab stops."""

    def default(found: re.Match[str]) -> str:
        if found[1] is not None:
            return found[1]
        if found[2] is not None:
            return re.sub(r"\\(.)", r"\1", re.split(r"(?<!\\),", found[2])[0])
        return re.sub(r"\\(.)", r"\1", found[3] or "")

    return _STOP.sub(default, snippet)
