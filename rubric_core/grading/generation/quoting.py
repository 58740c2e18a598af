"""Text as a scalar, in quotes only where YAML needs them: people read and change what is generated."""

from __future__ import annotations

from rubric_core.syntax.edits import render
from rubric_core.syntax.nodes import Scalar, ScalarStyle
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, resolve
from rubric_core.text.patterns import lazily

# What ends a plain scalar, or makes something else of it: a colon before a space, a comment, a first character that
# means something to YAML. A dash, a question mark or a colon may come first if text follows directly.
_NOT_PLAIN = lazily(r"[\s,\[\]{}#&*!|>'\"%@`]|[-?:](?:\s|\Z)|.*(?::(?:\s|\Z)|\s#)")
# In brackets, some readers take every colon for the end of a key and every question mark for the start of one.
_NOT_PLAIN_IN_FLOW = lazily(r"[-?:]|.*[,\[\]{}:?]")
# YAML 1.1 has types that this project does not tell from text: dates, the merge key and the default value.
_OTHER_TYPE = lazily(r"\d{4}-\d\d?-\d\d?|(?:<<|=)\Z")


def scalar(text: str, *, flow: bool = False) -> str:
    """Return text as it is written in YAML: plain where every reader takes it for the same string, else quoted."""
    return text if is_plain(text, flow=flow) else render(text, as_json=True)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Tell whether text needs no quotes; `flow` tells that it stands in brackets."""
    if not text or not text.isprintable() or text[-1].isspace() or _NOT_PLAIN.match(text) or _OTHER_TYPE.match(text):
        return False
    if flow and _NOT_PLAIN_IN_FLOW.match(text):
        return False
    plain = Scalar(0, 0, text, ScalarStyle.PLAIN)
    return all(resolve(plain, version).kind is ScalarKind.STRING for version in YamlVersion)
