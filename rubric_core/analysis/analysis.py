"""The problems of one document, kept up to date by difference."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.analysis.engine import ChunkChecker, RuleTable, rule_table, run
from rubric_core.analysis.facts import FileFacts
from rubric_core.analysis.outline import outline_of
from rubric_core.analysis.surroundings import NOWHERE
from rubric_core.analysis.suppressions import Applied, apply, next_target
from rubric_core.analysis.verified import verified_fixes
from rubric_core.config.config import DEFAULT, compile_selection, is_ours_by_name
from rubric_core.rules.context import Context
from rubric_core.rules.registry import KNOWN_RULES, RULES
from rubric_core.rules.rule import Subject
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.analysis.suppressions import Directive
    from rubric_core.config.config import Config, Selection
    from rubric_core.rules.problem import Fix, Problem
    from rubric_core.text.spans import Edit
    from rubric_core.views.references import References

_tables: dict[frozenset[str], RuleTable] = {}


class Analysis:
    """A document together with the problems found in it.

    Findings are kept with the chunk that they were made from and only made again when its text, or a fact of the file
    that rules depend on, has changed.
    """

    def __init__(
        self, document: Document, *, path: str = "", config: Config = DEFAULT, surroundings: Surroundings = NOWHERE
    ) -> None:
        self.document = document
        self.path = path
        self.config = config
        self.surroundings = surroundings
        self.selection: Selection = compile_selection(config, path, ((rule.code, rule.name, rule.severity) for rule in RULES))
        self.table = _table(self.selection.off)
        self.facts = FileFacts(document)
        self._by_name = bool(path) and is_ours_by_name(config, path)
        # A file that was ours stays ours while it is open, so that breaking it does not silence us.
        self._was_ours: set[int] = set()

    def edit(self, edits: Iterable[Edit]) -> None:
        """Change the text; each edit speaks of the text as the one before it left it."""
        self.document.edit(edits)

    def is_ours(self) -> bool:
        """Tell whether the file holds cases of ours."""
        self.facts.refresh()
        return any(self._is_ours(section) for section in {chunk.section for chunk in self.document.chunks})

    def _is_ours(self, section: int) -> bool:
        if self._by_name or self.facts.claims or section in self._was_ours:
            return True
        if not self.facts.is_ours(section):
            return False
        self._was_ours.add(section)
        return True

    def problems(self) -> list[Problem]:
        """Return all problems of the document with offsets in the whole text, in the order of the text."""
        self.facts.refresh()
        document = self.document
        found: list[Problem] = []
        order: dict[Chunk, int] = {}
        file_problems = self._file_problems()
        for index, chunk in enumerate(document.chunks):
            problems = self.chunk_problems(chunk)
            if chunk in file_problems:
                problems = (*problems, *file_problems[chunk])
            if not problems:
                continue
            if not order and any(other.chunk for problem in problems for other in problem.related):
                order = {other: place for place, other in enumerate(document.chunks)}
            base = document.start_of(index)
            found += [self._absolute(problem, chunk, base, order) for problem in problems]
        if self.facts.has_directives and self.is_ours():
            found = self._suppressed(found)
        return sorted(found, key=lambda problem: (problem.span, problem.code, problem.message))

    def chunk_problems(self, chunk: Chunk) -> tuple[Problem, ...]:
        """Return the problems of one chunk, offsets counting from its start; suppressions are not applied."""
        if not self._is_ours(chunk.section):
            return ()
        kept = chunk.cache
        if isinstance(kept, _Findings) and kept.facts is self.facts.suite:
            return kept.problems
        problems = self._check(chunk)
        chunk.cache = _Findings(self.facts.suite, problems)
        return problems

    def _check(self, chunk: Chunk) -> tuple[Problem, ...]:
        outline = self.facts.outlines.get(chunk)
        if chunk.tree is None or outline is None:
            return ()
        checker = ChunkChecker(self.table, self._context(chunk), self._look)
        return tuple(self._levelled(checker.check(chunk.tree, outline)))

    def recheck(self, chunk: Chunk) -> tuple[Problem, ...]:
        """Check a chunk that is not part of the document, as if it stood there; used to try a fix."""
        if chunk.tree is None:
            return ()
        outline = outline_of(chunk, chunk.tree, starts_file=False)
        return ChunkChecker(self.table, self._context(chunk), self._look).check(chunk.tree, outline)

    def _context(self, chunk: Chunk) -> Context:
        return Context(
            text=chunk.text,
            version=self.document.version(chunk),
            suite=self.facts.suite,
            targets=self.surroundings.targets,
            limits=self.document.limits,
        )

    def _look(self, references: References, context: Context) -> Context:
        """Ask the host about the files that are referred to; rules get only the answers."""
        paths = frozenset(reference.path for reference in references.files)
        return replace(context, files=self.surroundings.files(paths)) if paths else context

    def _levelled(self, problems: Iterable[Problem]) -> Iterable[Problem]:
        """Give problems the severity that the configuration asks for."""
        for problem in problems:
            default = KNOWN_RULES[problem.code].severity
            level = self.selection.level(problem.code)
            if level is not None:
                yield problem if level is default else replace(problem, severity=level)

    def _file_problems(self) -> dict[Chunk, list[Problem]]:
        """Run the rules that look at the file as a whole."""
        found: list[Problem] = []
        first = self.document.chunks[0]
        for problem in self.document.problems:
            # A file over a limit is not parsed, so nobody can tell whether it is ours: its name or size has to do.
            run(self.table[Subject.SYNTAX], problem, Context(limits=self.document.limits), found)
        if self.is_ours():
            run(self.table[Subject.FILE], self.facts.view(), self._context(first), found)
        by_chunk: dict[Chunk, list[Problem]] = {}
        for problem in self._levelled(found):
            chunk = problem.chunk if isinstance(problem.chunk, Chunk) else first
            by_chunk.setdefault(chunk, []).append(problem)
        return by_chunk

    def _absolute(self, problem: Problem, chunk: Chunk, base: int, order: dict[Chunk, int]) -> Problem:
        related = tuple(
            replace(
                other,
                span=other.span.shifted(
                    self.document.start_of(order[other.chunk]) if isinstance(other.chunk, Chunk) else base
                ),
                chunk=None,
            )
            for other in problem.related
        )
        fixes = partial(self._fixes, problem, chunk, base) if problem.fixes is not None else None
        return replace(problem, span=problem.span.shifted(base), related=related, fixes=fixes, chunk=None)

    def _fixes(self, problem: Problem, chunk: Chunk, base: int) -> list[Fix]:
        return [fix.shifted(base) for fix in verified_fixes(self, chunk, problem)]

    def _suppressed(self, problems: list[Problem]) -> list[Problem]:
        """Follow the comments that silence problems, and report those that silence nothing."""
        text = self.document.text
        applied = apply(problems, self._directives(), KNOWN_CODES, self.selection.off)
        found: list[Problem] = []
        run(self.table[Subject.SUPPRESSIONS], applied, Context(text=text), found)
        own = [problem for problem in self._levelled(found) if not applied.silences(problem.code)]
        return [*applied.kept, *own]

    def _directives(self) -> list[Directive]:
        """Return all comments that speak to us, with offsets in the whole text."""
        order = {chunk: index for index, chunk in enumerate(self.document.chunks)}
        found: list[Directive] = []
        for chunk, directives in self.facts.directives():
            index = order[chunk]
            base = self.document.start_of(index)
            for directive in directives:
                absolute = directive.shifted(base)
                if directive.target is None and directive.alone and index + 1 < len(self.document.chunks):
                    # A comment at the end of a chunk speaks of the first line of the next one.
                    target = next_target(self.document.chunks[index + 1].text)
                    after = self.document.start_of(index + 1)
                    absolute = replace(absolute, target=target.shifted(after) if target else None)
                found.append(absolute)
        return found


class _Findings:
    """The problems of a chunk and the facts that they were found with."""

    __slots__ = ("facts", "problems")

    def __init__(self, facts: object, problems: tuple[Problem, ...]) -> None:
        self.facts = facts
        self.problems = problems


KNOWN_CODES = {key: rule.code for rule in RULES for key in (rule.code, rule.name)}


def _table(off: frozenset[str]) -> RuleTable:
    """Return the rules that run, sorted by subject; made once for each set of rules that are off."""
    if off not in _tables:
        _tables[off] = rule_table(off)
    return _tables[off]


__all__ = ["Analysis", "Applied"]
