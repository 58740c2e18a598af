"""Renders a template: it is compiled by jinja2 and run in its sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from rubric_core.nunjucks.lexer import DATA, Token, tokens_of
from rubric_core.nunjucks.limits import LONGEST_TEXT, TemplateFailure
from rubric_core.nunjucks.operations import OPERATIONS, SCOPE, Scope
from rubric_core.nunjucks.statements import Parser
from rubric_core.nunjucks.values import Undefined, from_plain, output_text

__all__ = ["TemplateFailure", "render_template"]


class _Environment(ImmutableSandboxedEnvironment):
    """Has our operations only: no filter, test, function or attribute of Python can be reached from a template."""

    def __init__(self) -> None:
        super().__init__(undefined=Undefined, finalize=output_text, optimized=False, cache_size=0, autoescape=False)
        self.filters = {f"js:{name}": run for name, run in OPERATIONS.items()}
        self.tests = {}
        self.globals = {}

    def is_safe_callable(self, obj: Any) -> bool:  # noqa: ARG002 - jinja2 gives it.
        """Refuse every call by jinja2: templates call our operations only."""
        return False

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:  # noqa: ARG002 - jinja2 gives them.
        """Refuse every attribute."""
        return False


_ENVIRONMENT = _Environment()


@dataclass(frozen=True)
class _Shape:
    """A template with numbers for its plain texts, so that tests which differ in these alone share the rest."""

    code: tuple[tuple[str, str], ...]
    tokens: tuple[Token, ...] = field(compare=False)


def _shape(source: str) -> tuple[_Shape, list[str]]:
    """Return the shape of a template and its plain texts."""
    if len(source) > LONGEST_TEXT:
        raise TemplateFailure(f"it has more than {LONGEST_TEXT:,} characters")
    texts: list[str] = []
    tokens: list[Token] = []
    for token in tokens_of(source):
        if token.kind == DATA:
            tokens.append(token._replace(value=str(len(texts))))
            texts.append(token.value)
        else:
            tokens.append(token)
    return _Shape(tuple(token[:2] for token in tokens), tuple(tokens)), texts


@lru_cache(maxsize=256)
def _compiled(shape: _Shape) -> Template:
    parsed = Parser(shape.tokens).template()
    parsed.set_environment(_ENVIRONMENT)
    return Template.from_code(_ENVIRONMENT, _ENVIRONMENT.compile(parsed), {})


def render_template(source: str, given: Mapping[str, Any]) -> str:
    """Return a rendered template; `given` are plain values by name. Raises TemplateFailure with the reason."""
    try:
        shape, texts = _shape(source)
        template = _compiled(shape)
        scope = Scope(from_plain(dict(given)), texts)
        parts: list[str] = []
        length = 0
        for part in template.generate({SCOPE: scope}):
            length += len(part)
            scope.work.charge(length if length > LONGEST_TEXT else len(part))
            parts.append(part)
    except TemplateFailure:
        raise
    except (RecursionError, MemoryError):
        raise TemplateFailure("it calls itself too often or nests too deep") from None
    except (TemplateError, SyntaxError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise TemplateFailure(f"it fails with {type(error).__name__}") from None
    return "".join(parts)
