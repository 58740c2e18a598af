"""The facts of a file as a whole, updated by differences as its chunks change."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from rubric_core.analysis.chunk_facts import ChunkFacts, cases_of, facts_of_chunk, has_pointer
from rubric_core.analysis.counted_facts import CASES_IN_LISTS, CaseIds, TextFacts
from rubric_core.analysis.file_recognition import WholeFiles
from rubric_core.analysis.project import NO_PROJECT, Project
from rubric_core.config.config import DEFAULT, Config
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import FOREIGN_KEYS, POINTERS, SUITE_KEYS
from rubric_core.dialects.parts import SUITE
from rubric_core.dialects.recognition import DialectMark, WholeFile, are_weak, deciding_marks, dialect_of
from rubric_core.dialects.registry import BY_NAME, DEFAULT_DIALECT
from rubric_core.rules.rule import SuiteFacts
from rubric_core.rules.suppressions import Directive
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Pair, Tree
from rubric_core.syntax.scalars import is_null
from rubric_core.text.patterns import lazily
from rubric_core.views.files import FileView, PlacedId, PlacedNode, PlacedPair
from rubric_core.views.inherited import Inherited, SuiteReader, inherited_keys, may_judge, read_inherited

_ALIAS = lazily(r"(?<![\w*])\*([^\s,\[\]{}]+)")
_POINTERS = tuple(lazily(rf"[\"']?{re.escape(key)}[\"']?[ \t]*:[ \t]*[\"']?(#/[^/\s\"']+)") for key in POINTERS)
_NOTHING = ChunkFacts()


class FileFacts:
    """An index over the facts of all chunks that have been read."""

    def __init__(
        self, document: Document, path: str = "", config: Config = DEFAULT, project: Project = NO_PROJECT
    ) -> None:
        self.document = document
        self._config = config
        # It may have to read other files, which is seldom needed.
        self._project = project
        # The dialect by the file as a whole.
        self._whole_files = WholeFiles(path, config, lambda: project.naming_suite)
        self.whole: WholeFile | None = self._whole_files.recognise(has_ids=False)
        self._naming_suite = self._whole_files.suite
        self.by_chunk: dict[Chunk, ChunkFacts] = {}
        self.claims = 0
        # How many chunks had nodes left out because of a limit.
        self.over_limit = 0
        # The YAML documents of the file that have eval cases.
        self.ours: set[int] = set()
        self._our_cases: Counter[int] = Counter()
        self._ids = CaseIds()
        # How many chunks have each mark of a dialect.
        self._marks: Counter[DialectMark] = Counter()
        self._directed: dict[Chunk, ChunkFacts] = {}
        self._recognised = DEFAULT_DIALECT
        # The chunks with top-level entries, what they give to every test in the dialect of the last request, and the
        # number of scenarios with each variable.
        self._headers: dict[Chunk, ChunkFacts] = {}
        self._inherited: dict[Chunk, Inherited] = {}
        self._read_as: Dialect | None = None
        self._scenario_vars: Counter[str] = Counter()
        # The number of cases, of cases with each variable (None: chunks whose cases are in another file), and both at
        # the last check of the file as a whole.
        self._case_count = 0
        self._vars: Counter[str | None] = Counter()
        self._seen_case_count = 0
        self._seen_vars: dict[str | None, int] = {}
        self._suite: SuiteFacts | None = None
        # How many top-level entries have an anchor: only then the aliases of the file matter.
        self._anchored = 0
        # The aliases of each chunk, read or not; the number of chunks with each alias; and the set of aliases.
        self._aliases: dict[Chunk, frozenset[str]] = {}
        self._alias_uses: Counter[str] = Counter()
        self._used_anchors: frozenset[str] | None = None
        self._entries: dict[int, tuple[PlacedPair, ...]] | None = None
        # Whether facts other than ids have changed since the rules for the file as a whole were run.
        self._more_than_ids = True
        self._texts = TextFacts()

    def follow(self, removed: Iterable[Chunk], fresh: Iterable[Chunk]) -> None:
        """Update the aliases after chunks were added and removed, whether or not these are read yet."""
        uses = self._alias_uses
        for chunk in removed:
            for name in self._aliases.pop(chunk, ()):
                uses[name] -= 1
                if not uses[name]:
                    del uses[name]
                    self._used_anchors = None
        for chunk in fresh:
            text = chunk.text
            if ("*" in text or has_pointer(text)) and chunk not in self._aliases:
                names = frozenset(name for pattern in (_ALIAS, *_POINTERS) for name in pattern.findall(text))
                self._aliases[chunk] = names
                uses.update(names)
                self._used_anchors = None
        if self._used_anchors is None and (self._anchored or self.dialect.marks.cases.pointer):
            self._suite = None

    def add(self, chunk: Chunk, tree: Tree, *, starts_file: bool) -> None:
        """Add a chunk that was just parsed. `starts_file` means that it is at the top of the file."""
        self.add_facts(chunk, facts_of_chunk(chunk, tree, starts_file=starts_file))

    def add_facts(self, chunk: Chunk, facts: ChunkFacts) -> None:
        """Add a chunk by its facts."""
        self.by_chunk[chunk] = facts
        self._count(chunk, facts, 1)

    def remove(self, chunk: Chunk) -> None:
        """Remove a chunk; one that was never read has no effect."""
        facts = self.by_chunk.pop(chunk, None)
        if facts is not None:
            self._count(chunk, facts, -1)

    def whole_changed(self) -> bool:
        """Return whether the added and removed facts can affect rules that check the file as a whole."""
        cases_changed = self._case_count != self._seen_case_count or self._vars != self._seen_vars
        return self._more_than_ids or self._ids.changed or self._texts.changed or cases_changed

    def whole_was_checked(self) -> None:
        """Record that the rules for the file as a whole have checked the present facts."""
        self._ids.was_checked()
        self._more_than_ids = False
        self._texts.was_checked()
        self._seen_case_count = self._case_count
        self._seen_vars = dict(self._vars)

    @property
    def case_count(self) -> int:
        """Return how many cases have been read."""
        return self._case_count

    @property
    def suite(self) -> SuiteFacts:
        """Return the facts of the file for the rules of a chunk."""
        if self._suite is None:
            self._suite = self._suite_facts()
        return self._suite

    @property
    def with_directives(self) -> dict[Chunk, ChunkFacts]:
        """Return the chunks with `# rubric:` comments."""
        return self._directed

    def _count(self, chunk: Chunk, facts: ChunkFacts, sign: int) -> None:
        """Add or subtract the facts of a chunk."""
        self.over_limit += sign * facts.over_limit
        self._case_count += sign * facts.case_count
        if facts.is_ours:
            self._count_ours(chunk.section, sign)
        if chunk.kind not in CASES_IN_LISTS:
            self._entries = None
            self._more_than_ids = True
            self._count_entries(chunk, facts, sign)
        elif self._case_count > self.document.limits.cases:
            self._suite = None
            self._more_than_ids = True
        if facts.marks:
            self._count_marks(facts.marks, sign)
        for name in (None,) if facts.vars is None else facts.vars:
            self._vars[name] += sign
            if not self._vars[name]:
                del self._vars[name]
        if facts.scenario_vars:
            self._suite = None
            for name in facts.scenario_vars:
                self._scenario_vars[name] += sign
        if facts.directives:
            self._suite = None
            self.claims += sign * facts.claims_file
            if sign > 0:
                self._directed[chunk] = facts
            else:
                self._directed.pop(chunk, None)
        for node in facts.ids:
            self._more_than_ids |= self._ids.count(PlacedId(chunk, node), sign)
        self._texts.count(chunk, facts, sign)
        self._recognise_whole(facts, sign)

    def _recognise_whole(self, facts: ChunkFacts, sign: int) -> None:
        """Update the dialect of the file as a whole."""
        self._whole_files.count_cases(sign, has_snake_case=facts.has_snake_case, is_list=facts.is_list)
        whole = self._whole_files.recognise(has_ids=bool(self._ids.names))
        suite = self._whole_files.suite
        if (whole, suite) != (self.whole, self._naming_suite):
            self.whole, self._naming_suite = whole, suite
            self._suite = None
            self._more_than_ids = True

    def _count_ours(self, section: int, sign: int) -> None:
        was_ours = bool(self.ours)
        self._our_cases[section] += sign
        (self.ours.add if self._our_cases[section] > 0 else self.ours.discard)(section)
        if was_ours != bool(self.ours) and not self.has_suite_key:
            self._suite = None

    def _count_entries(self, chunk: Chunk, facts: ChunkFacts, sign: int) -> None:
        """Count the top-level entries of a chunk."""
        self._suite = None
        keys = {pair.name for pair in facts.entries}
        self._whole_files.count_entries(chunk, keys, facts.modeline, sign)
        self._inherited.pop(chunk, None)
        self._headers.pop(chunk, None)
        if sign > 0 and keys:
            self._headers[chunk] = facts
        metas = (pair.value.meta for pair in facts.entries)
        self._anchored += sign * sum(meta is not None and meta.anchor is not None for meta in metas)

    @property
    def pin(self) -> tuple[Chunk, Directive] | None:
        """Return the first comment that names the dialect of the file, and its chunk."""
        pins = ((chunk, pin) for chunk, facts in self._directed.items() if (pin := facts.pin) is not None)
        valid = [entry for entry in pins if entry[1].dialect in BY_NAME]
        return min(valid, key=lambda entry: self.document.index_of(entry[0]), default=None)

    @property
    def marks(self) -> AbstractSet[DialectMark]:
        """Return the marks of the dialect."""
        return self._marks.keys()

    @property
    def dialect(self) -> Dialect:
        """Return the dialect of the file: that of its comment, of the configuration, or the recognised one.

        A file of cases has the dialect of the suite that names it, if there is one.
        """
        explicit = self._pinned or (self.whole.dialect if self.whole else None) or BY_NAME.get(self._config.dialect)
        return explicit or self._of_suite or self._recognised

    @property
    def _pinned(self) -> Dialect | None:
        pin = self.pin if self._directed else None
        return BY_NAME[pin[1].dialect] if pin is not None else None

    @property
    def _of_suite(self) -> Dialect | None:
        """Return the dialect of the suite that names this file as a file of cases."""
        suite = self._project.naming_suite if self.has_only_cases else None
        return BY_NAME.get(suite.dialect) if suite is not None else None

    @property
    def is_whole(self) -> bool:
        """Return whether the dialect is recognised by whole files."""
        return self.dialect.marks.whole is not None and (self.whole is not None or self._pinned is not None)

    @property
    def has_only_cases(self) -> bool:
        """Return whether there are eval cases without a suite around them."""
        return bool(self.ours) and not self.has_suite_key

    @property
    def has_suite_key(self) -> bool:
        """Return whether there is a key of a list of cases or scenarios."""
        return self._whole_files.has_any(SUITE_KEYS)

    @property
    def has_assertions(self) -> bool:
        """Return whether there are assertions outside of cases."""
        return any(may_judge(facts.entries) for facts in self._headers.values())

    @property
    def foreign_key(self) -> str | None:
        """Return the first key of another tool's files."""
        return next((pair.name for pair in self._top_level() if pair.name in FOREIGN_KEYS), None)

    @property
    def is_foreign(self) -> bool:
        """Return whether the file has a key of another tool's files."""
        return self._whole_files.has_any(FOREIGN_KEYS)

    def _placed_headers(self) -> list[Chunk]:
        """Return the chunks with top-level entries, in the order of the text."""
        return sorted(self._headers, key=self.document.index_of)

    def _top_level(self) -> Iterator[Pair]:
        """Yield the top-level entries, in the order of the text."""
        return (pair for chunk in self._placed_headers() for pair in self._headers[chunk].entries)

    def _count_marks(self, marks: tuple[DialectMark, ...], sign: int) -> None:
        """Count the marks of dialects; another dialect changes what all cases are checked with."""
        before, count_before = self._recognised, len(self._marks)
        for mark in marks:
            count = self._marks[mark] + sign
            self._marks[mark] = count
            if not count:
                del self._marks[mark]
        if len(self._marks) == count_before:
            return
        deciding = deciding_marks(self._marks)
        around = BY_NAME.get(self._project.dialect or "") if are_weak(deciding) else None
        self._recognised = around or dialect_of(deciding)
        if self._recognised is not before:
            self._suite = None
            self._more_than_ids = True

    def _documents(self) -> dict[int, tuple[PlacedPair, ...]]:
        """Return the top-level entries of each YAML document that has any, by its number."""
        if self._entries is None:
            sections: dict[int, list[PlacedPair]] = {}
            for chunk in self._placed_headers():
                entries = self._headers[chunk].entries
                sections.setdefault(chunk.section, []).extend(PlacedPair(chunk, pair) for pair in entries)
            self._entries = {section: tuple(placed) for section, placed in sections.items()}
        return self._entries

    def _suite_facts(self) -> SuiteFacts:
        if self._used_anchors is None:
            self._used_anchors = frozenset(self._alias_uses)
        listed = (pair.value for pair in self._top_level() if pair.name == "scorecards")
        cards = (card for value in listed if isinstance(value, Mapping) for card in value.pairs)
        names = (card.name for card in cards if card.name is not None and not is_null(card.value))
        dialect = self.dialect
        anchors = self._used_anchors if self._anchored or dialect.marks.cases.pointer else frozenset()
        # Tests of a file without a suite inherit from the suite that names the file.
        given = self._naming_suite.inherited if self._naming_suite is not None else None
        is_known = given is not None or self.has_suite_key
        inherited = SUITE.of(dialect).nothing.joined(Inherited(frozenset(+self._scenario_vars), is_known=is_known))
        for part in (*self._inherited_from_chunks(dialect), *((given,) if given is not None else ())):
            inherited = inherited.joined(part)
        scorecards = (*names, *self._config.scorecards)
        return SuiteFacts(dialect, scorecards, anchors, inherited.may_judge or not is_known, inherited)

    def _inherited_from_chunks(self, dialect: Dialect) -> Iterator[Inherited]:
        """Yield what each chunk with top-level entries gives to every test, cached for the last dialect."""
        if dialect is not self._read_as:
            self._read_as = dialect
            self._inherited.clear()
        keys = inherited_keys(dialect)
        for chunk, facts in self._headers.items():
            if not keys.isdisjoint(pair.name for pair in facts.entries):
                if chunk not in self._inherited:
                    self._inherited[chunk] = read_inherited(facts.entries, dialect)
                yield self._inherited[chunk]

    def view(self, ours: AbstractSet[int] | None) -> FileView:
        """Return the file as a whole, for the rules that compare its parts; None means all its YAML documents."""
        documents = self._documents().items()
        return FileView(
            documents=tuple(entries for section, entries in documents if ours is None or section in ours),
            repeated_ids={name: self.places_of_id(name) for name in sorted(self._ids.repeated)},
            ids=self._ids.names,
            case_count=self._case_count,
            case_over_limit=self._case_over_limit(),
            dialect=self.suite.dialect,
            marks=() if self.is_whole else self._marks.keys(),
            variables=self._variables(),
            metrics=self._metrics(),
            references=self._texts.references(self.document.index_of) if self.dialect.marks.cases.pointer else (),
            cases_by_variable=self._cases_by_variable() if self.whole is not None else None,
            is_named=self._naming_suite is not None,
        )

    @property
    def _reader(self) -> SuiteReader:
        return SUITE.of(self.dialect)

    def _cases_by_variable(self) -> dict[str, int] | None:
        if (
            None in self._vars
            or +self._scenario_vars
            or self._texts.has_cases_without_prompt(self.by_chunk, self._reader)
        ):
            return None
        return {name: count for name, count in self._vars.items() if name is not None}

    def _metrics(self) -> frozenset[str] | None:
        if self.whole is None or not self._whole_files.has_any((self._reader.derived_key,)):
            self._texts.forget_metrics()
            return None
        is_known = None not in self._vars and self.suite.inherited.is_known
        return self._texts.metrics(self.by_chunk, self._reader) if is_known else None

    def _variables(self) -> frozenset[str] | None:
        inherited = self.suite.inherited
        if None in self._vars or not inherited.is_known:
            return None
        return inherited.vars.union(name for name in self._vars if name is not None)

    def places_of_id(self, name: str) -> tuple[PlacedId, ...]:
        """Return the places of an id of cases, in the order of the text."""
        return self._ids.places_of(name, self.document.index_of)

    def entries_of(self, section: int) -> tuple[PlacedPair, ...]:
        """Return the top-level entries of one YAML document."""
        return self._documents().get(section, ())

    def _case_over_limit(self) -> PlacedNode | None:
        left = self.document.limits.cases
        if self._case_count <= left:
            return None
        for index, chunk in enumerate(self.document.chunks):
            count = self.by_chunk.get(chunk, _NOTHING).case_count
            if left < count:
                return PlacedNode(chunk, cases_of(chunk, self.document.tree(index).root)[1][left])
            left -= count
        return None
