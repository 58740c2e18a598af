"""Every rule is tested by Markdown files here and in `tests/dialects/*/rules`; see `markdown_cases.py`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import KnownProject
from rubric_core.config.config import DEFAULT, Config
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.configuration import parse_config
from rubric_core.rules.problem import Severity
from rubric_core.rules.registry import known_rules
from rubric_core.rules.rule import Context, Rule, Subject
from rubric_core.text.lines import LineIndex
from rubric_core.text.spans import apply_edits

from .markdown_cases import (
    WRAPPERS,
    Block,
    Case,
    Mark,
    Section,
    WrongCaseError,
    fenced_blocks,
    read_block,
    read_case,
    sections,
)

if TYPE_CHECKING:
    from rubric_core.analysis.check import Checked
    from rubric_core.rules.problem import Problem
    from rubric_core.text.spans import Span

pytestmark = pytest.mark.usefixtures("_no_rule_fails")

FOLDER = Path(__file__).parent
PATHS = sorted((*FOLDER.glob("RB*.md"), *FOLDER.parent.glob("dialects/*/rules/RB*.md")))
SECTIONS = [section for path in PATHS for section in sections(path)]
RULES = tuple(known_rules().values())


def _name(section: Section) -> str:
    return f"{section.code}-{section.title}"


# The marks


@pytest.mark.parametrize("section", SECTIONS, ids=_name)
def test_the_marks_are_exactly_the_problems(section: Section) -> None:
    """Every mark is a problem at exactly that place, and every problem is marked."""
    case = read_case(section)
    checked = _check(case.source)
    found = [_mark_of(problem, case.source, checked.text) for problem in checked.problems]
    missing, surplus = _differences(case.source.marks, found)
    if missing or surplus:
        pytest.fail(_explain(case, missing, surplus), pytrace=False)


@pytest.mark.parametrize("section", [each for each in SECTIONS if each.speaks_of_related_places], ids=_name)
def test_the_related_places_are_given(section: Section) -> None:
    """Every line of tildes is a place that a problem of that code gives as an explanation."""
    case = read_case(section)
    checked = _check(case.source)
    found = [
        _mark_at(other.span, problem.code, other.message, case.source, checked.text)
        for problem in checked.problems
        for other in problem.related
    ]
    missing, surplus = _differences(case.source.related, found)
    if missing:
        pytest.fail(_explain(case, missing, surplus), pytrace=False)


def _check(block: Block) -> Checked:
    return check_text(block.text, path=block.path, config=_config(block), project=_project(block))


def _config(block: Block) -> Config:
    limits = {name: int(value) for name, value in block.settings("limit.").items()}
    return replace(DEFAULT, limits=replace(DEFAULT.limits, **limits))


def _project(block: Block) -> KnownProject:
    """Tell the rules of the files and targets that the block's `exists=` and `targets=` name."""
    blind = dict.fromkeys(_names(block.setting("blind")) or (), "Judge it.")
    name, _, header = (block.setting("csv") or "").partition(":")
    known = _names(block.setting("exists"))
    lines = [*header.split("|"), "Hello"]
    contents = {**blind, name: "".join(f"{line}\n" for line in lines)} if header else blind
    return KnownProject(known, _names(block.setting("targets")), contents=contents)


def _names(setting: str | None) -> frozenset[str] | None:
    return None if setting is None else frozenset(setting.split(","))


def _mark_of(problem: Problem, block: Block, text: str) -> Mark:
    """Return the mark that a problem should have in the block."""
    return _mark_at(problem.span, problem.code, problem.message, block, text)


def _mark_at(span: Span, code: str, message: str, block: Block, text: str) -> Mark:
    lines = LineIndex(text)
    (line, start), (last_line, end) = lines.position(span.start), lines.position(span.end)
    if last_line > line:
        end = len(lines.line_text(line))
    above, indent = block.wrapper
    bom = text.startswith("\ufeff") and line == 0
    shift = indent + bom
    return Mark(line - len(above), start - shift, max(end, start + 1) - shift, code, message)


def _differences(expected: tuple[Mark, ...], found: list[Mark]) -> tuple[list[Mark], list[Mark]]:
    """Return the marks that no problem fits, and the problems that no mark fits."""
    surplus = list(found)
    missing: list[Mark] = []
    for mark in expected:
        fitting = [each for each in surplus if each[:4] == mark[:4] and mark.part in each.part]
        if fitting:
            surplus.remove(fitting[0])
        else:
            missing.append(mark)
    return missing, surplus


def _explain(case: Case, missing: list[Mark], surplus: list[Mark]) -> str:
    """Show the block with what was expected and what was found below each line."""
    section, block = case.section, case.source
    said = [f"{section.path.name}:{section.line}: {section.title}", ""]
    outside = [mark for mark in surplus if not 0 <= mark.line < len(block.lines)]
    said += [f"found outside of the block: {mark.code} {mark.part}" for mark in outside]
    for number, line in enumerate(block.lines):
        said.append(f"  {line}")
        for verb, marks in (("EXPECTED", missing), ("FOUND", surplus)):
            said += [
                f"  {' ' * mark.start}{'^' * (mark.end - mark.start)} {verb} {mark.code} {mark.part}"
                for mark in marks
                if mark.line == number
            ]
    return "\n".join(said)


# The fixes


@pytest.mark.parametrize("section", [each for each in SECTIONS if each.speaks_of_fixes], ids=_name)
def test_the_fixes_do_what_the_page_shows(section: Section) -> None:
    """Each fix turns the block into the text below it, and its problem is gone without a new error."""
    case = read_case(section)
    checked = _check(case.source)
    own = [problem for problem in checked.problems if problem.code == section.code]
    fixes = [fix for problem in own for fix in (problem.fixes() if problem.fixes else ())]
    titles = [fix.title for fix in fixes]
    where = f"{section.path.name}:{section.line}: {section.title}"
    if case.titles is not None:
        assert titles == case.titles, where
    for expected in case.fixes:
        fitting = [fix for fix in fixes if fix.title == expected.title]
        assert fitting, f"{where}\nNo fix is called {expected.title!r}; there are {titles}."
        fix = fitting[0]
        assert expected.safe in {None, fix.safe}, f"{where}\nThe fix {expected.title!r} has safe={fix.safe}."
        assert not fix.safe or known_rules()[section.code].fixes_are_safe, f"{where}\nThe rule says it has no safe fix."
        text = apply_edits(checked.text, fix.edits)
        assert text == expected.block.text, f"{where}\nThe fix {expected.title!r} made something else."
        _assert_better(case.source, checked, text, section.code)


def _assert_better(block: Block, before: Checked, text: str, code: str) -> None:
    """A fix leaves fewer problems of its rule and not more errors."""
    after = check_text(text, path=block.path, config=_config(block), project=_project(block))

    def errors(checked: Checked) -> int:
        return sum(problem.severity is Severity.ERROR for problem in checked.problems)

    def own(checked: Checked) -> int:
        return sum(problem.code == code for problem in checked.problems)

    assert own(after) < own(before)
    assert errors(after) <= errors(before)


# The tests themselves


@pytest.mark.parametrize(
    ("wrapper", "content"),
    [
        ("case", "note: Nothing more is needed"),
        ("rubrics", "- The answer names port 8080"),
        ("ranges", "0: No port is named\n5: A wrong port is named\n10: Port 8080 is named"),
        ("evaluators", "- name: port-check\n  type: llm_judge\n  rubrics: [The answer names port 8080]"),
        ("scorecard", "skill: ports"),
    ],
)
def test_a_wrapper_has_no_problem_of_its_own(wrapper: str, content: str) -> None:
    """What completes a block to a file adds nothing to what is tested."""
    checked = _check(read_block(f"yaml {wrapper}", content.split("\n")))
    assert checked.ours
    assert [(problem.code, problem.message) for problem in checked.problems] == []


def test_every_wrapper_is_tested() -> None:
    """Here, and those of promptfoo beside its rules."""
    named = {"case", "rubrics", "ranges", "evaluators", "scorecard", "promptfoo", "promptfoo-assert"}
    assert set(WRAPPERS) == {"file", *named}


@pytest.mark.parametrize(
    "rule", [each for each in RULES if each.subject is not Subject.CONFIGURATION], ids=lambda rule: rule.code
)
def test_every_rule_has_its_markdown_tests(rule: Rule) -> None:
    """There is a test that finds the rule's problem, one that does not and, where there are fixes, one for a fix."""
    name = f"{rule.code}-{rule.name}"
    cases = [read_case(section) for section in SECTIONS if section.path.stem == name]
    marked = [rule.code in {mark.code for mark in case.source.marks} for case in cases]
    assert any(marked), "No block is marked with the rule."
    assert not all(marked), "No block is free of the rule."
    assert rule.fixes_are_safe is None or any(case.fixes for case in cases), "No `Fix` block."


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_markdown_test_is_of_a_rule(path: Path) -> None:
    """The name of the file is the rule's code and name."""
    assert path.stem in {f"{rule.code}-{rule.name}" for rule in RULES}


def test_a_test_that_is_wrong_says_so_at_the_line() -> None:
    """What was expected and what was found stand below the line, so that a failure can be read without a debugger."""
    block = ["- id: names-port", "  expected_outcome: Names port 8080", "  ^^^^^^^^^^^^^^^^ RB003", "  weigth: 2"]
    section = Section(Path("RB003-unknown-key.md"), "A title", 7, ("```yaml rubrics", *block, "```"))
    case = read_case(section)
    checked = _check(case.source)
    missing, surplus = _differences(
        case.source.marks, [_mark_of(each, case.source, checked.text) for each in checked.problems]
    )
    assert _explain(case, missing, surplus).split("\n") == [
        "RB003-unknown-key.md:7: A title",
        "",
        "  - id: names-port",
        "    expected_outcome: Names port 8080",
        "    ^^^^^^^^^^^^^^^^ EXPECTED RB003 ",
        "    weigth: 2",
        "    ^^^^^^ FOUND RB003 `weigth` is not a key of a criterion; did you mean `weight`?",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("Only prose.",),
        ("```yaml", "a: 1", "```", "```yaml", "a: 1", "```"),
        ("```yaml", "a: 1", "```", 'Fix "Nothing below":'),
        ("```yaml", "a: 1", "```", "Fix without quotes:"),
    ],
)
def test_a_heading_needs_one_block_and_one_below_each_fix(lines: tuple[str, ...]) -> None:
    """A test that could pass without testing anything is refused."""
    with pytest.raises(WrongCaseError):
        read_case(Section(Path("RB003-unknown-key.md"), "A title", 7, lines))


# The pages

_SECTIONS = ("What it does", "Why is this bad?", "Example")
_FIX_SECTION = "Fix safety"

# The first key of an example that is no whole file, and the wrapper and the lines that complete it.
_FRAGMENTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"(rubrics|execution|evaluators|scorecard|expected_messages):", "case", ()),
    (r"(input_messages|input):", "file", ("evalcases:", "  - id: sample-case", "    expected_outcome: Names the port")),
    (r"score_ranges:", "rubrics", ("- id: quality", "  expected_outcome: The answer names the port")),
    (r"- (name|type):", "evaluators", ()),
    (r"- (id|expected_outcome|description|score_ranges|[^:]*$)", "rubrics", ()),
    (r"(weights|red_flags|bonuses|skill):", "scorecard", ()),
    (r"scorecards:", "file", ("evalcases: []",)),
)


def _example(text: str) -> Block:
    """Complete an example of a page to a file, as its first line suggests."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    for pattern, wrapper, above in _FRAGMENTS:
        if re.match(pattern, first):
            indent = re.sub(r"\S.*", "", above[-1]) if above else ""
            return read_block(f"yaml {wrapper}", [*above, *(indent + line for line in lines)])
    return read_block("yaml", lines)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_its_page(rule: Rule) -> None:
    """A page has the fixed sections in their order, and speaks of fixes exactly where there are some."""
    headings = tuple(re.findall(r"^## (.+)$", rule.page, re.MULTILINE))
    expected = _SECTIONS if rule.fixes_are_safe is None else (*_SECTIONS, _FIX_SECTION)
    assert headings == expected


# Words in examples of a later generation, which may have been removed.
_LATER = {"assertions:": "agentv-4", "\nprompts:": "agentv-5"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_examples_of_a_page_are_true(rule: Rule) -> None:
    """The rule finds the bad example, and not the one that shows what to use instead."""
    bad, good = fenced_blocks(rule.page.partition("## Example")[2])
    if not {name for word, name in _LATER.items() if word in f"\n{bad}"} <= BY_NAME.keys():
        pytest.skip("The example is of a dialect that is not there.")
    look = _codes_of_configuration if rule.subject is Subject.CONFIGURATION else _codes_of_example
    assert rule.code in look(bad, good)
    assert rule.code not in look(good, good)


def _codes_of_example(text: str, good: str) -> set[str]:
    # What the good example names exists; the bad one differs from it by a name that does not.
    exists = KnownProject(
        known=frozenset(word.removeprefix("//") for word in re.findall(r"[\w./-]+", good)),
        targets=frozenset(re.findall(r"target: (\S+)", good)) or None,
    )
    prompts = re.findall(r"file://([\w./-]+)", text)
    exists = replace(exists, contents={path: "{{ output }}" if path in good else "Judge it." for path in prompts})
    tables = {
        path: "text,__expected" if path in good else "text,__expectd" for path in prompts if path.endswith(".csv")
    }
    exists = replace(exists, contents={**exists.contents, **tables})
    block = read_block("yaml promptfoo", text.split("\n")) if "providers: [" in text else _example(text)
    return {problem.code for problem in check_text(block.text, path=block.path, project=exists).problems}


def _codes_of_configuration(text: str, _good: str) -> set[str]:
    return {problem.code for problem in parse_config(text, Path("rubric.toml")).problems}


def test_the_rule_of_the_configuration_finds_nothing_in_eval_files() -> None:
    """Its problems come from the reader of the configuration alone."""
    assert [list(rule.check(None, Context())) for rule in RULES if rule.subject is Subject.CONFIGURATION] == [[]]
