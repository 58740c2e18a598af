"""The inlay hints of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistance import finished

from rubric_core.analysis.check import analyse
from rubric_core.assist.hints import Hint, HintKind, hints
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.analysis.analysis import Analysis


def hints_in(analysis: Analysis, span: Span, kinds: Collection[HintKind] = tuple(HintKind)) -> list[Hint]:
    """Return the hints of a stretch."""
    return finished(hints(analysis, span, kinds))


def with_hints(text: str, path: str = "a.eval.yaml", **options: Collection[HintKind]) -> str:
    """Return a text with its hints in it."""
    for hint in reversed(hints_in(analyse(text, path=path), Span(0, len(text)), **options)):
        label = f"«{hint.label}» " if hint.is_before else f" «{hint.label}»"
        text = text[: hint.offset] + label + text[hint.offset :]
    return text
