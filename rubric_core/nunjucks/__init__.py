"""Nunjucks, the template language: the markup of a template (here), and what one becomes (`rendering`).

A library of its own that imports nothing else of this project. docs/nunjucks.md describes it. Only `rendering` needs
jinja2, which takes long to import.
"""

from rubric_core.nunjucks.markup import (
    FILTERS,
    TAGS,
    TemplateError,
    defined_names,
    has_templates,
    is_balanced,
    loop_of,
    pieces,
    template_errors,
    without_raw,
    without_strings,
)

__all__ = [
    "FILTERS",
    "TAGS",
    "TemplateError",
    "defined_names",
    "has_templates",
    "is_balanced",
    "loop_of",
    "pieces",
    "template_errors",
    "without_raw",
    "without_strings",
]
