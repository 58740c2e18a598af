"""Regular expressions of JavaScript: whether one is valid (here), and what it matches (`matching`).

A library of its own that imports nothing else of this project. docs/javascript-regex.md describes it.
"""

from rubric_core.javascript_regex.child import code_units
from rubric_core.javascript_regex.syntax import FLAGS, SPACES, flags_problem, pattern_problem

__all__ = ["FLAGS", "SPACES", "code_units", "flags_problem", "pattern_problem"]
