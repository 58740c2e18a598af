"""Why a file is not an eval file, in words for whoever named it."""

from pathlib import PurePath
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.config.config import is_promptfoo_name, is_suite_name
from rubric_core.files.walk import NOT_AN_EVAL_FILE
from rubric_core.views.cases import FOREIGN_KEYS, PROMPTFOO


class NotOurs(NamedTuple):
    """Why a file is not checked. One that is refused looks like an eval file, so nobody may think that it is sound."""

    reason: str = NOT_AN_EVAL_FILE
    is_refused: bool = False


def why_not_ours(analysis: Analysis) -> NotOurs:
    """Return why an analysed file that is not ours is none."""
    path, facts = analysis.path, analysis.facts
    key = facts.foreign_key
    if is_promptfoo_name(path):
        tool, mark = PROMPTFOO, f"it is called {PurePath(path).name}"
    elif key is not None:
        tool, mark = FOREIGN_KEYS[key], f"it has the key `{key}`"
    else:
        return NotOurs()
    is_refused = facts.has_suite_key or is_suite_name(path)
    return NotOurs(f"This is not an eval file but {tool} ({mark}), so it was not checked.", is_refused)
