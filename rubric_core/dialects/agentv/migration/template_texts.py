"""Texts that are templates in one dialect and plain text in another."""

import re
from collections.abc import Iterator

from rubric_core.migration.places import LISTS, RAW_CASE, Place, own_scalars
from rubric_core.migration.steps import Change, Find, Step
from rubric_core.nunjucks.markup import has_templates
from rubric_core.syntax.edits import replace_text
from rubric_core.syntax.nodes import Scalar
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.templates import names_in, names_of

RAW, END_RAW = "{% raw %}", "{% endraw %}"
RAW_TEMPLATE = f"`{RAW}{{{{ x }}}}{END_RAW}`"
TEXT_KEYS = ("description", "criteria", "input", "expected_output", "rubrics", "turns", *LISTS)

_SHELL = lazily(r"\$\{\{\s*(\w+)\s*\}\}")
_ENV = lazily(r"\{\{\s*env\.(\w+)\s*\}\}")
_ANSWER_FILE = lazily(r"\{\{\s*answer_file\s*\}\}")
_OPENING = lazily(r"(?<!\$)\{[{%#]")
_CLOSING = lazily(r"[}%#]\}")
_RAW_TAG = lazily(r"\{% (?:end)?raw %\}")
_IN_RAW = lazily(r"\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}", re.DOTALL)


def without_variables(text: str) -> str:
    """Return a text without `${{ X }}`, `{{ env.X }}`, `{{ answer_file }}` and `raw` blocks."""
    for pattern in (_SHELL, _ENV, _ANSWER_FILE, _IN_RAW):
        text = pattern.sub("", text)
    return text


def is_template(text: str) -> bool:
    """Return whether rendering would change a text."""
    return has_templates(without_variables(text))


def uses_variables(place: Place) -> bool:
    """Return whether the input of a case names a variable of the case."""
    defined, sent = names_of(place.node.get("vars")), place.node.get("input")
    return sent is not None and not defined.isdisjoint(names_in(sent))


def _texts(place: Place) -> Iterator[tuple[str, Scalar]]:
    for key in TEXT_KEYS:
        pair = place.own(key)
        if pair is not None:
            yield from ((key, scalar) for scalar in own_scalars(pair.value))


def protect(place: Place) -> Iterator[Change]:
    """Write `raw` around the templates of texts."""
    if place.record == RAW_CASE and "vars" not in place:
        # Nothing is rendered there.
        return
    for key, node in _texts(place):
        if is_template(node.value) and not (key == "input" and uses_variables(place)):
            yield Change(node.start, _protected(place.text, node))


def _protected(text: str, node: Scalar) -> tuple[Edit, ...] | None:
    """Return the edits that put `raw` around all templates of a text, or None if their places are unknown."""
    source = text[node.start : node.end]
    opening = _OPENING.search(source)
    if opening is None:
        return None
    closings = list(_CLOSING.finditer(source, opening.end()))
    start = node.start + opening.start()
    end = node.start + (closings[-1].end() if closings else opening.end())
    return Edit(start, start, RAW), Edit(end, end, END_RAW)


def unprotect(place: Place) -> Iterator[Change]:
    """Remove `raw` around templates."""
    for node in own_scalars(place.node):
        if RAW in node.value:
            tags = _RAW_TAG.finditer(place.text, node.start, node.end)
            yield Change(node.start, tuple(Edit(*tag.span(), "") for tag in tags))


def rendered_assertions(place: Place) -> Iterator[Change]:
    """List the texts of assertions that have templates."""
    for key in LISTS:
        yield from (Change(node.start, None) for node in own_scalars(place.node.get(key)) if is_template(node.value))


def _rewrites(pattern: re.Pattern[str], new: str) -> Find:
    def find(place: Place) -> Iterator[Change]:
        for node in own_scalars(place.node):
            if not pattern.search(node.value):
                continue
            if node.is_plain and pattern.match(node.value):
                yield Change(node.start, (replace_text(node, pattern.sub(new, node.value)),))
            else:
                variables = pattern.finditer(place.text, node.start, node.end)
                yield Change(node.start, tuple(Edit(*use.span(), use.expand(new)) for use in variables))

    return find


SHELL_TO_ENV = Step(("file",), "`${{ X }}`", "`{{ env.X }}`", _rewrites(_SHELL, r"{{ env.\1 }}"))
ENV_TO_SHELL = Step(("file",), "`{{ env.X }}`", "`${{ X }}`", _rewrites(_ENV, r"${{ \1 }}"))
