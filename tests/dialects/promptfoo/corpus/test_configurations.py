"""Real configurations of promptfoo, each with the mistakes that it is known to have, and files that are none.

The configurations are not part of the project: RUBRIC_CORPUS names the folder that has them, in `promptfoo`. A file
`a__b__name.yaml` there is `name.yaml` in the folder `a/b`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rubric_core.analysis.check import Checked, check_text
from rubric_core.rules.problem import Severity

_FOLDER = Path(os.environ.get("RUBRIC_CORPUS", "")) / "promptfoo"
CONFIGURATIONS = sorted(_FOLDER.glob("*.yaml")) if "RUBRIC_CORPUS" in os.environ else []
OTHERS = sorted((_FOLDER / "not-configs").glob("*.yaml")) if CONFIGURATIONS else []
_KIND = re.compile(r"(?P<file>\S+\.yaml): (?P<kind>unknown-[\w-]+): (?P<what>.*)")
_COUNT = re.compile(r"(?P<word>[\w:-]+)(?: \(type (?P<type>[\w-]+)\))? x(?P<count>\d+)")
_MODELINE = re.compile(r"\$schema=\S*promptfoo\S*config-schema\.json")
# Codes of what is known by the kind of the mistake.
_CODES = {"unknown-type": "RB501"}
# What is known by its line.
_AT_LINES = {"provider-amazon-sagemaker__promptfooconfig.transform.yaml": [("RB811", 55)]}

pytestmark = pytest.mark.skipif(not CONFIGURATIONS, reason="RUBRIC_CORPUS does not name the folder of the corpora")


def checked(path: Path, name: str) -> Checked:
    """Return what a check of a file of that name finds."""
    return check_text(path.read_text(encoding="utf-8"), path=name)


def known_mistakes() -> dict[str, list[tuple[str, str]]]:
    """Return the words that each file has as mistakes, each with the code of the rule, as often as they are there."""
    found: dict[str, list[tuple[str, str]]] = {}
    listed = (_FOLDER / "KNOWN-MISTAKES.txt").read_text(encoding="utf-8") if CONFIGURATIONS else ""
    for line in _KIND.finditer(listed):
        code = _CODES.get(line["kind"], "RB003")
        for each in _COUNT.finditer(line["what"]):
            word = each["word"].rpartition(":")[2]
            found.setdefault(line["file"], []).extend([(code, word)] * int(each["count"]))
    return found


KNOWN = known_mistakes()


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: path.stem)
def test_the_known_mistakes_and_no_others_are_reported(path: Path) -> None:
    """Each at its word; files that a configuration names are left out of the corpus, so none is looked for."""
    result = checked(path, path.name.rpartition("__")[2])
    assert result.dialect.name == "promptfoo"
    said = [each for each in result.problems if each.severity is not Severity.HINT]
    lines = [(each.code, result.text.count("\n", 0, each.span.start) + 1) for each in said]
    at_lines = [each for each in _AT_LINES.get(path.name, ()) if each in lines]
    assert at_lines == _AT_LINES.get(path.name, [])
    words = [(each.code, result.text[each.span.start : each.span.end]) for each in said]
    rest = [word for word, line in zip(words, lines, strict=True) if line not in at_lines]
    assert sorted(rest) == sorted(KNOWN.get(path.name, []))


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_what_is_no_configuration_stays_unread(path: Path) -> None:
    """Other than files whose modeline names promptfoo's schema."""
    result = checked(path, path.name.rpartition("__")[2])
    is_marked = _MODELINE.search(result.text) is not None
    assert result.ours == is_marked
    assert [each for each in result.problems if each.severity is not Severity.HINT] == []
