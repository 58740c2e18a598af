"""The suites of a document: their top-level values and lists, put together from chunks."""

from dataclasses import dataclass, field

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import SCENARIOS, cases_in
from rubric_core.dialects.recognition import REQUIRES, SuiteWords
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.schema.fields import FieldType
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence, SyntaxProblem
from rubric_core.syntax.scalars import YamlVersion, is_blank

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE, ChunkKind.CASE})


@dataclass(slots=True)
class SuiteOutline:
    """One suite of a document: a YAML document of its own, or a whole JSON Lines file.

    `values` holds the top-level values by key, and `lists` the items of those lists whose items are chunks of their
    own; where a key is repeated, the first one counts. `cases` is None where there is no list of cases. `broken`
    are the stretches with invalid YAML, and `start` and `end` bound the suite; both are offsets in the whole text.
    """

    version: YamlVersion = YamlVersion.V1_2
    start: int = 0
    end: int = 0
    values: dict[str, Located] = field(default_factory=dict)
    lists: dict[str, list[Located]] = field(default_factory=dict)
    cases: list[Located] | None = None
    broken: list[SyntaxProblem] = field(default_factory=list)

    @property
    def words(self) -> SuiteWords:
        """Return the words that determine the dialect of the suite."""
        scenarios = cases_in(SCENARIOS, (item.node for item in self.items(SCENARIOS) or ()))
        listed = (*(case.node for case in self.cases or ()), *scenarios)
        cases = [case for case in listed if isinstance(case, Mapping)]
        requires = self.values.get(REQUIRES)
        return SuiteWords(frozenset((*self.values, *self.lists)), requires.node if requires else None, cases)

    def reference(self, dialect: Dialect) -> Located | None:
        """Return the string that names the files of all cases, in a dialect that can have one."""
        name = dialect.case_lists[0]
        field, item = dialect.suite.by_key.get(name), self.values.get(name)
        may_be_text = field is not None and field.mask & FieldType.STRING.value
        return item if may_be_text and item and isinstance(item.node, Scalar) and not is_blank(item.node) else None

    def holds_cases(self, dialect: Dialect) -> bool:
        """Return whether there is a list of cases, or the dialect's replacement of one."""
        has_scenarios = SCENARIOS in dialect.suite.by_key and self.items(SCENARIOS) is not None
        return self.cases is not None or has_scenarios or self.reference(dialect) is not None

    def items(self, name: str) -> list[Located] | None:
        """Return the items of a top-level list; None without a list of that name."""
        if name in self.lists:
            return self.lists[name]
        value = self.values.get(name)
        if value is None or not isinstance(value.node, Sequence):
            return None
        return [Located(item, value.base) for item in value.node.items]


def outlines(document: Document) -> list[SuiteOutline]:
    """Return the outline of every suite in a document; broken stretches of text are passed over."""
    document.settle()
    readers: dict[int, _Reader] = {}
    for index, chunk in enumerate(document.chunks):
        start = document.start_of(index)
        reader = readers.setdefault(chunk.section, _Reader(SuiteOutline(document.version(chunk), start)))
        reader.read(chunk, start)
    # A file without a single line has no chunks, and is one suite without cases all the same.
    outlines_read = [reader.finish() for reader in readers.values()] or [SuiteOutline()]
    outlines_read[0].broken += document.problems
    return outlines_read


def outline_around(document: Document, offset: int) -> SuiteOutline:
    """Return the outline of a suite with those cases only that are in the chunk at an offset.

    Nothing else of the list of cases is parsed, however long it is.
    """
    index = document.read(document.chunk_at(offset))
    section = document.chunks[index].section
    reader = _Reader(SuiteOutline(document.version(document.chunks[index])))
    for place, chunk in enumerate(document.chunks):
        if chunk.section == section and (place == index or chunk.kind not in _CASES):
            document.tree(place)
            reader.read(chunk, document.start_of(place))
    return reader.finish()


class _Reader:
    """Puts the chunks of one suite together again."""

    def __init__(self, outline: SuiteOutline) -> None:
        self.outline = outline
        self.current: list[Located] = []

    def read(self, chunk: Chunk, start: int) -> None:
        """Add what one chunk holds."""
        self.outline.end = start + len(chunk.text)
        root = chunk.tree.root if chunk.tree else None
        problems = chunk.tree.problems if chunk.tree else ()
        self.outline.broken += (problem._replace(span=problem.span.shifted(start)) for problem in problems)
        if chunk.kind is ChunkKind.LINE or chunk.kind is ChunkKind.CASE:
            self.outline.cases = self.outline.cases or []
            self.outline.cases += [] if root is None else [Located(root, start)]
        elif chunk.kind is ChunkKind.ITEM:
            self.current += (Located(item, start) for item in root.items) if isinstance(root, Sequence) else ()
        elif chunk.kind is ChunkKind.LIST_HEAD:
            self._open_list(chunk.place.key if chunk.place else "")
        elif isinstance(root, Mapping):
            for name, pair in root.index.items():
                if name not in self.outline.lists:
                    self.outline.values.setdefault(name, Located(pair.value, start))

    def _open_list(self, key: str) -> None:
        self.current = []
        # The items of a repeated key are read, and belong to nothing.
        if key not in self.outline.values:
            self.outline.lists.setdefault(key, self.current)

    def finish(self) -> SuiteOutline:
        """Find the cases among what was read."""
        for name in CASE_LIST_NAMES:
            if self.outline.cases is None:
                self.outline.cases = self.outline.items(name)
        return self.outline
