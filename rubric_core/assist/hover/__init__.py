"""Hover: documentation of the element under the cursor, one module for each kind of element."""

from rubric_core.assist.hover.answer import hover
from rubric_core.assist.hover.markup import Hover

__all__ = ["Hover", "hover"]
