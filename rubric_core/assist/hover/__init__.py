"""Hover: what is said about the place under the cursor, one module for each kind of thing that can be there."""

from rubric_core.assist.hover.answer import hover
from rubric_core.assist.hover.markup import Hover

__all__ = ["Hover", "hover"]
