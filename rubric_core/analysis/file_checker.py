"""Running the rules that a configuration wants: over a chunk of a document, and over the file as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rubric_core.analysis.engine import ChunkChecker, RuleTable, rule_table, run
from rubric_core.analysis.outline import outline_of
from rubric_core.config.config import compile_selection
from rubric_core.rules.context import Context
from rubric_core.rules.registry import KNOWN_RULES, RULES
from rubric_core.syntax.chunks import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from rubric_core.analysis.facts import FileFacts
    from rubric_core.analysis.outline import ChunkOutline
    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.config.config import Config, Selection
    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.document import Document
    from rubric_core.syntax.tree import Tree
    from rubric_core.views.references import References

_tables: dict[frozenset[str], RuleTable] = {}


class FileChecker:
    """The rules that run for one file, and all that they may know of it."""

    def __init__(
        self, document: Document, facts: FileFacts, path: str, config: Config, surroundings: Surroundings
    ) -> None:
        self.document = document
        self.facts = facts
        self.surroundings = surroundings
        levels = [(rule.code, rule.name, rule.severity) for rule in RULES]
        self.selection: Selection = compile_selection(config, path, levels)
        self.table = _table(self.selection.off)

    def check(self, chunk: Chunk, tree: Tree, outline: ChunkOutline) -> tuple[Problem, ...]:
        """Return the problems of a chunk."""
        checker = ChunkChecker(self.table, self._context(chunk), self._look)
        # Nodes that a limit left out must not be reported as missing, here or behind an alias.
        is_cut = outline.over_limit or (self.facts.over_limit > 0 and bool(tree.external))
        found = checker.check_syntax(tree) if is_cut else checker.check(chunk, tree, outline)
        return tuple(self.levelled(found))

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

    def levelled(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Give problems the severity that the configuration asks for."""
        for problem in problems:
            default = KNOWN_RULES[problem.code].severity
            level = self.selection.level(problem.code)
            if level is not None:
                yield problem if level is default else replace(problem, severity=level)

    def check_whole(self, ours: AbstractSet[int] | None) -> dict[Chunk, tuple[Problem, ...]]:
        """Run the rules that look at the file as a whole. None stands for all its YAML documents."""
        found: list[Problem] = []
        first = self.document.chunks[0]
        for over_limit in self.document.problems:
            # A file over a limit is not parsed, so nobody can tell whether it is ours.
            run(self.table["SYNTAX"], over_limit, Context(limits=self.document.limits), found)
        if ours is None or ours:
            run(self.table["FILE"], self.facts.view(ours), self._context(first), found)
        by_chunk: dict[Chunk, list[Problem]] = {}
        for problem in self.levelled(found):
            by_chunk.setdefault(problem.chunk if isinstance(problem.chunk, Chunk) else first, []).append(problem)
        return {chunk: tuple(problems) for chunk, problems in by_chunk.items()}


def _table(off: frozenset[str]) -> RuleTable:
    """Return the rules that run, sorted by subject; made once for each set of rules that are off."""
    if off not in _tables:
        _tables[off] = rule_table(off)
    return _tables[off]
