"""Every mistake of `mistakes.md`: what is reported, where, with which fix, and what promptfoo does with it.

A heading is one mistake: a configuration with marks as in the tests of rules, whose words start with the severity; the
files beside it, as blocks with `file=NAME`; the lines that each fix removes and adds; and, behind `Promptfoo:`, each
row of promptfoo's results, or what comes instead.

Nothing is sent: the provider is `echo`, and judges are scripts that always say the same.
"""

from __future__ import annotations

import difflib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from promptfoo_program import promptfoo_rows

from rubric_core.analysis.check import Checked, check_text
from rubric_core.files.project import DiskProject
from rubric_core.rules.problem import Severity
from rubric_core.text.lines import LineIndex
from rubric_core.text.spans import apply_edits
from tests.rules.markdown_cases import Section, fenced_blocks, read_block, sections

if TYPE_CHECKING:
    from rubric_core.rules.problem import Fix, Problem

NAME = "promptfooconfig.yaml"
SECTIONS = sections(Path(__file__).parent / "mistakes.md")
_BLOCK = re.compile(r"^```(?P<info>[^\n]+)\n(?P<text>.*?\n)?```$", re.MULTILINE | re.DOTALL)
_RESULT = re.compile(r"^Promptfoo: (?P<said>.*)\.$", re.MULTILINE)
_JUDGE = re.compile(r"^With the judge `(?P<name>\w+)`\.$", re.MULTILINE)
_JUDGES = {
    "pass": {"pass": True, "score": 1, "reason": "x"},
    "category": {"category": "A", "reason": "x"},
    "yes": "Y",
}
# A test without assertions is a hint that many configurations have; its fix is shown elsewhere.
_PASSED_OVER = "RB703"
_IS_ERROR = 2


def _text_of(section: Section) -> str:
    return "\n".join(section.lines)


def _blocks(section: Section) -> list[tuple[str, str]]:
    return [(found["info"], found["text"] or "") for found in _BLOCK.finditer(_text_of(section))]


def _written(section: Section, folder: Path) -> Path:
    """Write the files of a mistake; return the configuration."""
    path = folder / NAME
    source = read_block("yaml", next(text for info, text in _blocks(section) if info == "yaml").splitlines())
    path.write_text("".join(f"{line}\n" for line in source.lines), encoding="utf-8")
    for info, text in _blocks(section):
        if "file=" in info:
            folder.joinpath(info.partition("file=")[2]).write_text(text, encoding="utf-8")
    judge = _JUDGE.search(_text_of(section))
    if judge is not None:
        said = _JUDGES[judge["name"]]
        output = json.dumps(said if isinstance(said, str) else json.dumps(said))
        code = f'class {{ id() {{ return "judge"; }} async callApi() {{ return {{output: {output}}}; }} }}'
        (folder / "judge.js").write_text(f"module.exports = {code};\n", encoding="utf-8")
    return path


def _checked(path: Path, text: str | None = None) -> Checked:
    text = path.read_text(encoding="utf-8") if text is None else text
    return check_text(text, path=str(path), project=DiskProject(path, root=path.parent))


def _shown(problem: Problem, lines: LineIndex) -> tuple[int, int, int, str, str]:
    (line, start), (last_line, end) = lines.position(problem.span.start), lines.position(problem.span.end)
    end = len(lines.line_text(line)) if last_line > line else end
    return line, start, max(end, start + 1), problem.code, f"{problem.severity.value}: {problem.message}"


def _fixes(checked: Checked) -> list[tuple[Problem, Fix]]:
    own = [problem for problem in checked.problems if problem.code != _PASSED_OVER]
    return [(problem, fix) for problem in own for fix in (problem.fixes() if problem.fixes else ())]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_the_mistake_is_reported_at_its_place(section: Section, tmp_path: Path) -> None:
    """With its severity and its message, and nothing else is."""
    checked = _checked(_written(section, tmp_path))
    lines = LineIndex(checked.text)
    source = read_block("yaml", next(text for info, text in _blocks(section) if info == "yaml").splitlines())
    found = sorted(_shown(problem, lines) for problem in checked.problems)
    assert [each[:4] for each in found] == sorted(mark[:4] for mark in source.marks)
    unsaid = [mark for mark in source.marks if not any(mark[:4] == each[:4] and mark.part in each[4] for each in found)]
    assert unsaid == [], found


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_the_fixes_change_the_lines_that_are_shown(section: Section, tmp_path: Path) -> None:
    """Each removes its problem and adds no error."""
    path = _written(section, tmp_path)
    checked = _checked(path)
    shown: list[str] = []
    for problem, fix in _fixes(checked):
        text = apply_edits(checked.text, fix.edits)
        changed = [line for line in difflib.ndiff(checked.text.splitlines(), text.splitlines()) if line[0] in "+-"]
        shown.append("\n".join((f'Fix "{fix.title}":', "```diff", *changed, "```")))
        after = _checked(path, text)
        assert _count(after, problem.code) < _count(checked, problem.code), fix.title
        assert _errors(after) <= _errors(checked), fix.title
    expected = re.findall(r'^Fix ".*?":\n```diff\n.*?\n```$', _text_of(section), re.MULTILINE | re.DOTALL)
    assert shown == expected
    assert bool(expected) != ("No fix." in section.lines)


def _count(checked: Checked, code: str) -> int:
    return sum(problem.code == code for problem in checked.problems)


def _errors(checked: Checked) -> int:
    return sum(problem.severity is Severity.ERROR for problem in checked.problems)


# Most of the time promptfoo waits for itself to start and to end.
_AT_ONCE = 4


@pytest.fixture(scope="module")
def promptfoo_says(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Run promptfoo on each configuration."""
    folders = [tmp_path_factory.mktemp("mistake") for _ in SECTIONS]
    for section, folder in zip(SECTIONS, folders, strict=True):
        _written(section, folder)
    first = _said(folders[0])
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        said = [first, *pool.map(_said, folders[1:])]
    return {section.title: each for section, each in zip(SECTIONS, said, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_promptfoo_does_what_is_said(section: Section, promptfoo_says: dict[str, str]) -> None:
    """Whether it has results, and for each row whether it passes and with which score."""
    expected = _RESULT.search(_text_of(section))
    assert expected is not None
    assert promptfoo_says[section.title] == expected["said"]


def _said(folder: Path) -> str:
    rows = promptfoo_rows(folder)
    if rows is None:
        return "ends before it has results"
    return ", ".join(map(_row, rows)) or "no test is run"


def _row(row: dict[str, object]) -> str:
    failure = "is an error" if row["failureReason"] == _IS_ERROR else "fails"
    return f"{'passes' if row['success'] else failure} with {row['score']:g}"


def test_each_heading_has_its_parts() -> None:
    """One configuration, and what promptfoo does with it."""
    for section in SECTIONS:
        assert len(fenced_blocks(_text_of(section))) >= 1, section.title
        assert _RESULT.search(_text_of(section)), section.title
