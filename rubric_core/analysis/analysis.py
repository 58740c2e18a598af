"""The problems of one document, kept up to date by difference."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.analysis.collector import collector_paused
from rubric_core.analysis.engine import ChunkChecker, RuleTable, failures, rule_table, run
from rubric_core.analysis.facts import CASES_IN_LISTS, FileFacts
from rubric_core.analysis.outline import outline_of
from rubric_core.analysis.suppressions import apply, next_target
from rubric_core.analysis.surroundings import NOWHERE
from rubric_core.analysis.verified import verified_fixes
from rubric_core.config.config import DEFAULT, compile_selection, is_ours_by_name
from rubric_core.rules.context import Context
from rubric_core.rules.problem import Problem, Related
from rubric_core.rules.registry import KNOWN_RULES, RULES
from rubric_core.syntax.chunks import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.analysis.facts import Background
    from rubric_core.analysis.outline import Outline
    from rubric_core.analysis.suppressions import Directive
    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.config.config import Config, Selection
    from rubric_core.rules.problem import Fix
    from rubric_core.syntax.document import Document
    from rubric_core.syntax.tree import Tree
    from rubric_core.text.spans import Edit
    from rubric_core.views.references import References

_tables: dict[frozenset[str], RuleTable] = {}


class Analysis:
    """A document together with the problems found in it.

    Findings are kept with the chunk that they were made from and only made again when its text, or a fact of the file
    that rules depend on, has changed.
    """

    def __init__(
        self,
        document: Document,
        *,
        path: str = "",
        config: Config = DEFAULT,
        surroundings: Surroundings = NOWHERE,
        background: Background | None = None,
    ) -> None:
        self.document = document
        self.path = path
        self.config = config
        self.surroundings = surroundings
        levels = [(rule.code, rule.name, rule.severity) for rule in RULES]
        self.selection: Selection = compile_selection(config, path, levels)
        self.table = _table(self.selection.off)
        self.facts = FileFacts(document)
        self._background = background
        self._by_name = bool(path) and is_ours_by_name(config, path)
        # A file that was ours stays ours while it is open, so that breaking it does not silence us.
        self._ours: frozenset[int] = frozenset()
        # The chunks with problems, and the facts of the file that these were found with.
        self._found: dict[Chunk, tuple[Problem, ...]] = {}
        self._found_with: tuple[object, ...] = ()
        self._whole: dict[Chunk, list[Problem]] = {}

    def edit(self, edits: Iterable[Edit]) -> None:
        """Change the text; each edit speaks of the text as the one before it left it."""
        self.document.edit(edits)

    def is_ours(self) -> bool:
        """Tell whether the file holds cases of ours."""
        self.refresh()
        return self._everything or bool(self._ours)

    def owns(self, chunk: Chunk) -> bool:
        """Tell whether a chunk stands in a YAML document that is ours; a file may hold others beside it."""
        return self._everything or chunk.section in self._ours

    @property
    def _everything(self) -> bool:
        """Tell whether each YAML document of the file is ours, whatever is in it."""
        return self._by_name or self.facts.claims > 0

    def refresh(self) -> None:
        """Bring the findings up to date: those of the changed chunks, or all where a fact of the file changed."""
        with collector_paused():
            if not self.facts.outlines:
                self._open()
            self._refresh()

    def _open(self) -> None:
        """Check a document for the first time: each case right after it is parsed, so that its tree need not be kept.

        The cases are checked with the facts that are known by then. Should the rest of the file change those, or
        should chunks have to be joined, all is done again in the ordinary way.
        """
        found: dict[Chunk, tuple[Problem, ...]] = {}
        found_with: list[tuple[object, ...]] = []

        def visit(chunk: Chunk, tree: Tree, outline: Outline) -> bool:
            if not found_with:
                found_with.append(self._facts_of_file())
            failed_before = failures()
            problems = self._check(chunk, tree, outline)
            if problems:
                found[chunk] = problems
            # Where a rule failed, nobody can tell whether there is nothing to report.
            return not problems and failures() == failed_before

        if not self.facts.read_all(visit, self._background):
            self.facts = FileFacts(self.document)
        elif found_with and found_with[0] == self._facts_of_file():
            self._found, self._found_with = found, found_with[0]
            for chunk in self.document.chunks:
                if chunk.tree is not None and chunk not in found and chunk.kind not in CASES_IN_LISTS:
                    self._note(chunk, chunk.tree)
            self._whole = self._check_whole()

    def _facts_of_file(self) -> tuple[object, ...]:
        """Return the facts that every finding depends on."""
        self._ours |= self.facts.ours
        return self.facts.suite, self._ours, self._everything, self.facts.over_limit > 0

    def _note(self, chunk: Chunk, tree: Tree) -> None:
        """Check a chunk and remember what was found."""
        problems = self._check(chunk, tree, self.facts.outlines[chunk])
        if problems:
            self._found[chunk] = problems
        else:
            self._found.pop(chunk, None)

    def _refresh(self) -> None:
        removed, fresh = self.facts.refresh()
        found_with = self._facts_of_file()
        everything_anew = found_with != self._found_with
        if everything_anew:
            self._found_with = found_with
            self._found.clear()
            for index, chunk in enumerate(self.document.chunks):
                self._note(chunk, self.document.tree(index))
        elif not (removed or fresh):
            return
        else:
            for chunk in removed:
                self._found.pop(chunk, None)
            for chunk in fresh:
                self._note(chunk, self._tree_of(chunk))
        if everything_anew or self.facts.whole_changed:
            self._whole = self._check_whole()

    def chunk_problems(self, chunk: Chunk) -> tuple[Problem, ...]:
        """Return the problems of one chunk, offsets counting from its start; suppressions are not applied."""
        return (*self._found.get(chunk, ()), *self._whole.get(chunk, ()))

    def troubled_chunks(self) -> set[Chunk]:
        """Return the chunks that have problems."""
        return {*self._found, *self._whole}

    def problems(self) -> list[Problem]:
        """Return all problems of the document with offsets in the whole text, in the order of the text."""
        self.refresh()
        document = self.document
        order = {chunk: index for index, chunk in enumerate(document.chunks)}
        found: list[Problem] = []
        for chunk in self.troubled_chunks():
            base = document.start_of(order[chunk])
            found += [self._absolute(problem, chunk, base, order) for problem in self.chunk_problems(chunk)]
        if self.facts.has_directives and self.is_ours():
            found = self._suppressed(found)
        return sorted(found, key=lambda problem: (problem.span, problem.code, problem.message))

    def _tree_of(self, chunk: Chunk) -> Tree:
        """Return the tree of a chunk, parsed again where it was not kept."""
        return chunk.tree or self.document.tree(self.document.chunks.index(chunk))

    def _check(self, chunk: Chunk, tree: Tree, outline: Outline) -> tuple[Problem, ...]:
        if not self.owns(chunk):
            return ()
        checker = ChunkChecker(self.table, self._context(chunk), self._look)
        # Nodes that a limit left out must not be reported as missing, here or behind an alias.
        is_cut = outline.over_limit or (self.facts.over_limit > 0 and bool(tree.external))
        found = checker.check_syntax(tree) if is_cut else checker.check(chunk, tree, outline)
        return tuple(self._levelled(found))

    def recheck(self, chunk: Chunk) -> tuple[Problem, ...]:
        """Check a chunk that is not part of the document, as if it stood there; used to try a fix."""
        if chunk.tree is None:
            return ()
        outline = outline_of(chunk, chunk.tree, starts_file=False)
        return ChunkChecker(self.table, self._context(chunk), self._look).check(chunk, chunk.tree, outline)

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

    def _check_whole(self) -> dict[Chunk, list[Problem]]:
        """Run the rules that look at the file as a whole."""
        found: list[Problem] = []
        first = self.document.chunks[0]
        for over_limit in self.document.problems:
            # A file over a limit is not parsed, so nobody can tell whether it is ours.
            run(self.table["SYNTAX"], over_limit, Context(limits=self.document.limits), found)
        if self._everything or self._ours:
            run(
                self.table["FILE"],
                self.facts.view(None if self._everything else self._ours),
                self._context(first),
                found,
            )
        by_chunk: dict[Chunk, list[Problem]] = {}
        for problem in self._levelled(found):
            chunk = problem.chunk if isinstance(problem.chunk, Chunk) else first
            by_chunk.setdefault(chunk, []).append(problem)
        return by_chunk

    def _absolute(self, problem: Problem, chunk: Chunk, base: int, order: dict[Chunk, int]) -> Problem:
        """Return a problem with offsets in the whole text. It is made anew: copying with changes is twice as slow."""
        related = [
            Related(other.span.shifted(self.document.start_of(order[other.chunk])), other.message)
            if isinstance(other.chunk, Chunk)
            else Related(other.span.shifted(base), other.message)
            for other in problem.related
        ]
        return Problem(
            problem.code,
            problem.name,
            problem.severity,
            problem.span.shifted(base),
            problem.message,
            tuple(related),
            partial(self._fixes, problem, chunk, base) if problem.fixes is not None else None,
            problem.deprecated,
        )

    def _fixes(self, problem: Problem, chunk: Chunk, base: int) -> list[Fix]:
        # A problem of the file as a whole may stand in a chunk whose tree was not kept.
        self._tree_of(chunk)
        return [fix.shifted(base) for fix in verified_fixes(self, chunk, problem)]

    def _suppressed(self, problems: list[Problem]) -> list[Problem]:
        """Follow the comments that silence problems, and report those that silence nothing."""
        text = self.document.text
        applied = apply(problems, self._directives(), KNOWN_CODES, self.selection.off)
        found: list[Problem] = []
        run(self.table["SUPPRESSIONS"], applied, Context(text=text), found)
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


KNOWN_CODES = {key: rule.code for rule in RULES for key in (rule.code, rule.name)}


def _table(off: frozenset[str]) -> RuleTable:
    """Return the rules that run, sorted by subject; made once for each set of rules that are off."""
    if off not in _tables:
        _tables[off] = rule_table(off)
    return _tables[off]
