"""Nothing of a document stays in memory once it is closed, and nothing of it waits for the garbage collector.

The collector hardly ever looks at old objects, and the server keeps it from them while a document is open. So objects
that hold each other in a circle would pile up with every document that is opened, used and closed.
"""

from __future__ import annotations

import gc
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest
from random_typist import CASES, Typist

from benchmarks.suites import make_suite
from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.actions import fixes_of, problems_in, refactors_in, rule_fixes_of, suppressions_of
from rubric_core.assist.case_grades import case_at
from rubric_core.assist.case_names import names_of_cases
from rubric_core.assist.commands import CHANGING_COMMANDS, GRADING_COMMANDS
from rubric_core.assist.completion.complete import complete
from rubric_core.assist.fix_all import fix_all
from rubric_core.assist.folding import folds
from rubric_core.assist.hints import hints
from rubric_core.assist.hover import hover
from rubric_core.assist.lenses import lenses
from rubric_core.assist.links import links
from rubric_core.assist.names.lookup import definition_of, name_at, references_to
from rubric_core.assist.names.rename import RenameError, rename
from rubric_core.assist.selection import selections
from rubric_core.assist.symbols import parts, symbols_in
from rubric_core.rules.problem import Problem
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Node
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

ALIASES = """\
# rubric: ignore-file[RB303]
defaults: &defaults
  weight: 2.0
  required: true
evalcases:
  - id: first
    expected_outcome: Answers
    input_messages: &asked [{role: user, content: Hi}]
    rubrics: &rubrics
      - {<<: *defaults, id: a, expected_outcome: Says why}
      - id: b
        expected_outcome: Says how  # rubric: ignore[RB103]
        score_ranges: {0: Nothing, 12: Everything}
  - id: second
    expected_outcome: Answers
    input_messages: *asked
    rubrics: *rubrics
  - id: second
    outcome: *nothing
---
evalcases: [{id: other, expected_outcome: "a
  b", input_messages: *asked}]
"""
LINES = (
    '{"id": "a", "expected_outcome": "Answers", "input_messages": [{"role": "user", "content": "Hi"}]}\n'
    '{"id": "a", "rubrics": [{"id": "x", "weight": -1}], "input\n'
)
TEXTS = {
    "sound": make_suite(8),
    "with problems": make_suite(24, 23),
    "with aliases": ALIASES,
    "typed": CASES,
    "half typed": CASES.replace("        weight: 2.0\n", "        wei\n        score_ranges: [\n"),
    "other line breaks": CASES.replace("\n", "\r\n"),
    "lines": LINES,
}


def use(analysis: Analysis) -> None:
    """Ask for all that an editor asks for, at many places of the text."""
    document = analysis.document
    whole = Span(0, len(document.text))
    problems = analysis.problems()
    for work in (
        folds(analysis),
        hints(analysis, whole),
        lenses(analysis, (*CHANGING_COMMANDS, *GRADING_COMMANDS)),
        links(analysis),
        names_of_cases(analysis),
        fix_all(analysis),
    ):
        finish(work)
    for part in parts(analysis):
        symbols_in(analysis, part)
    for problem in problems[:24]:
        here = problems_in(analysis, problem.span)
        for remedy in (*fixes_of(here), *suppressions_of(analysis, here), *rule_fixes_of(analysis, here)):
            assert remedy.title
    for offset in range(0, whole.end, max(whole.end // 25, 1)):
        complete(analysis, offset)
        hover(analysis, offset)
        selections(analysis, offset)
        case_at(analysis, offset)
        for refactor in refactors_in(analysis, Span(offset, offset)):
            refactor.edits()
        name = name_at(analysis, offset)
        if name is not None:
            finish(definition_of(analysis, name))
            finish(references_to(analysis, name))
            with suppress(RenameError):
                finish(rename(analysis, name, "another"))


def finish(work: Generator[None, None, object]) -> None:
    """Take all steps of some work."""
    for _ in work:
        pass


def open_use_and_close(text: str, *, json_lines: bool) -> None:
    """Do what an editor does with a document while it is open."""
    analysis = Analysis(Document(text, json_lines=json_lines), path="a.eval.jsonl" if json_lines else "a.eval.yaml")
    use(analysis)
    for at in range(0, len(text), max(len(text) // 5, 1)):
        analysis.edit([Edit(at, at, " x")])
        analysis.problems()
    use(analysis)


@contextmanager
def garbage() -> Iterator[Counter[str]]:
    """Count the objects of ours, by their class, that only the garbage collector would have removed meanwhile."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(type(each).__qualname__ for each in gc.garbage if is_ours(each))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def is_ours(value: object) -> bool:
    """Return whether an object is of a class of ours; some compiled classes of others have a module that is no text."""
    return str(type(value).__module__).startswith("rubric_")


def ours() -> Counter[str]:
    """Count the objects that there are of each class of ours."""
    gc.collect()
    return Counter(type(each).__qualname__ for each in gc.get_objects() if is_ours(each))


def parts_of_documents() -> Counter[str]:
    """Count the objects that documents are made of; new text may add to a table of a fixed size, but not to these."""
    kinds = (Analysis, Document, Chunk, Node, Problem)
    return Counter(type(each).__qualname__ for each in gc.get_objects() if isinstance(each, kinds))


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_a_closed_document_leaves_nothing_behind(name: str) -> None:
    """Neither a cache nor the garbage collector holds any part of it."""
    # The first use imports modules and fills tables that are of a fixed size.
    open_use_and_close(TEXTS[name], json_lines=name == "lines")
    before = ours()
    with garbage() as found:
        open_use_and_close(TEXTS[name], json_lines=name == "lines")
    assert not found
    assert not ours() - before


@pytest.mark.slow
def test_what_is_typed_at_random_leaves_nothing_behind() -> None:
    """The same is true for text that is broken in many ways."""
    typist = Typist("memory", "utf-32")
    open_use_and_close(typist.text, json_lines=False)
    before = parts_of_documents()
    with garbage() as found:
        for _ in range(8):
            for _ in range(10):
                typist.next_changes()
            use(Analysis(Document(typist.text), path="a.eval.yaml"))
    assert not found
    assert not parts_of_documents() - before
