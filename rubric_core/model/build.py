"""From a document to its suites. What no model can hold is named in `left_out`; nothing raises."""

from collections.abc import Mapping as Mapping_
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from rubric_core.model.build_parts import build_criteria, build_evaluators, build_messages, build_scorecard
from rubric_core.model.builder import Builder, text_of, value_of
from rubric_core.model.evaluators import Evaluator, LlmJudge
from rubric_core.model.scorecards import Scorecard, scorecard_values
from rubric_core.model.suite import EvalCase, Execution, ModelPath, Suite
from rubric_core.schema.dialects import CASE_LIST_NAMES, Dialect
from rubric_core.schema.records import RECORDS
from rubric_core.schema.scales import INLINE_NAME
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.document import Document, Located
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence, SyntaxProblem
from rubric_core.syntax.scalars import YamlVersion, is_null
from rubric_core.views.marks import dialect_of, marks_of_case, marks_of_names

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
SHARED_EVALUATORS: ModelPath = ("execution", "evaluators")
_CASE = RECORDS["case"]
_TEXTS = ("conversation_id", "description", "question", "note")
_DATA = ("reference_answer", "metadata")
_READ_ELSEWHERE = frozenset(("rubrics", "execution", "evaluator"))
_OTHERS = tuple(each.name for each in _CASE.fields if each.name not in {*EvalCase.model_fields, *_READ_ELSEWHERE})


@dataclass(slots=True)
class SuiteOutline:
    """One suite of a document: a YAML document of its own, or a whole JSON Lines file.

    `values` holds the top-level values by key, and `lists` the items of those lists whose items are chunks of their
    own; where a key is repeated, the first one counts. `cases` is None where there is no list of cases. `broken`
    are the stretches that are no YAML, and `start` and `end` bound the suite; both speak of the whole text.
    """

    version: YamlVersion = YamlVersion.V1_2
    start: int = 0
    end: int = 0
    values: dict[str, Located] = field(default_factory=dict)
    lists: dict[str, list[Located]] = field(default_factory=dict)
    cases: list[Located] | None = None
    broken: list[SyntaxProblem] = field(default_factory=list)

    @property
    def dialect(self) -> Dialect:
        """Return the dialect that the keys of the suite and of its cases tell."""
        cases = [each.node for each in self.cases or () if isinstance(each.node, Mapping)]
        suite = marks_of_names((*self.values, *self.lists))
        return dialect_of({*suite, *(mark for case in cases for mark in marks_of_case(case))})

    def items(self, name: str) -> list[Located] | None:
        """Return the items of a top-level list; None where there is no list of that name."""
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
    found = [reader.finish() for reader in readers.values()] or [SuiteOutline()]
    found[0].broken += document.problems
    return found


def outline_around(document: Document, offset: int) -> SuiteOutline:
    """Return the outline of a suite with those cases only that stand in the chunk at an offset.

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
        self.outline.broken += (replace(problem, span=problem.span.shifted(start)) for problem in problems)
        if chunk.kind is ChunkKind.LINE:
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


def build_suite(
    outline: SuiteOutline, path: str, dialect: Dialect, scorecards: Mapping_[str, Any] | None = None
) -> Suite:
    """Build one suite. Its problems are not known here; `load` adds them."""
    builder = Builder(outline.version, dialect, scorecards)
    for problem in outline.broken:
        builder.leave_out(("cases",), problem.span, problem.message)
    execution = _build_execution(builder, outline)
    cases = builder.each(
        ("cases",),
        outline.cases or [],
        lambda at, place, item: _CaseBuilder(builder, outline, execution, at, item).build(place),
    )
    values = outline.values
    texts = {name: text_of(values[name].node) for name in ("name", "description", "dataset") if name in values}
    data = {name: builder.plain(values[name].node) for name in ("version", "metadata") if name in values}
    return Suite(
        path=path,
        dialect=dialect.name,
        execution=execution,
        cases=cases,
        left_out=tuple(builder.left_out),
        spans=builder.spans,
        names=builder.names,
        **texts,
        **data,
    )


def _build_execution(builder: Builder, outline: SuiteOutline) -> Execution:
    item = outline.values.get("execution")
    target = None
    evaluators: tuple[Evaluator, ...] = ()
    if item is not None and isinstance(item.node, Mapping):
        builder.spans[("execution",)] = item.span
        target = text_of(item.node.get("target"))
        listed = item.node.get("evaluators")
        if listed is not None:
            evaluators = build_evaluators(builder, SHARED_EVALUATORS, item._replace(node=listed))
    if target is None and "target" in outline.values:
        # The older place of the target.
        target = text_of(outline.values["target"].node)
    return Execution(target=target, evaluators=evaluators)


class _CaseBuilder:
    """Builds one case with what the suite gives to it."""

    def __init__(
        self, builder: Builder, outline: SuiteOutline, execution: Execution, path: ModelPath, item: Located
    ) -> None:
        self.builder = builder
        self.outline = outline
        self.shared = execution
        self.path = path
        self.item = item

    def build(self, place: int) -> EvalCase | None:
        node = self.item.node
        if not isinstance(node, Mapping):
            self.builder.leave_out(self.path, self.item.span, "A case is a mapping.")
            return None
        case_id = text_of(value_of(node, _CASE, "id")) or f"case-{place + 1}"
        values: dict[str, Any] = {
            "id": case_id,
            "expected_outcome": (text_of(value_of(node, _CASE, "expected_outcome")) or "").strip(),
            "input_messages": self._messages(node, "input_messages", "user"),
            "expected_messages": self._messages(node, "expected_messages", "assistant"),
            "scorecard": self._scorecard(node),
            "target": self._target(node),
            **{name: text_of(value_of(node, _CASE, name)) for name in _TEXTS},
            **{name: self.builder.plain(node.get(name)) for name in _DATA},
            "other_fields": {
                name: self.builder.plain(value)
                for name in _OTHERS
                if (value := value_of(node, _CASE, name)) is not None
            },
        }
        rubrics = self._at(node.get("rubrics"))
        values["criteria"] = build_criteria(self.builder, (*self.path, "criteria"), rubrics) if rubrics else ()
        values["evaluators"] = self._evaluators(node, rubrics, values["criteria"])
        return self.builder.make(EvalCase, self.path, self.item.span, values)

    def _at(self, node: Any) -> Located | None:
        """Return a node of this case with its place; null counts as absent."""
        return None if node is None or is_null(node) else self.item._replace(node=node)

    def _messages(self, node: Mapping, name: str, speaker: str) -> Any:
        item = self._at(value_of(node, _CASE, name))
        return build_messages(self.builder, (*self.path, name), item, speaker)

    def _target(self, node: Mapping) -> str | None:
        execution = node.get("execution")
        own = text_of(execution.get("target")) if isinstance(execution, Mapping) else None
        return own or self.shared.target

    def _scorecard(self, node: Mapping) -> Scorecard | None:
        item = self._at(node.get("scorecard"))
        path = (*self.path, "scorecard")
        if item is None:
            case_id = text_of(value_of(node, self.builder.dialect.case, "id")) or ""
            entries = self.builder.scorecards.values()
            found = (each for each in entries if any(fnmatchcase(case_id, glob) for glob in each.get("cases", ())))
            return self._configured(next(found, None), path)
        if isinstance(item.node, Scalar):
            name = item.node.value.strip()
            named = self._named_scorecard(name)
            if named is None and name in self.builder.scorecards:
                return self._configured(self.builder.scorecards[name], path)
            if named is None:
                self.builder.leave_out(path, item.span, f"There is no scorecard named {name}.")
                return None
            item = named
        return build_scorecard(self.builder, path, item)

    def _configured(self, entry: Mapping_[str, Any] | None, path: ModelPath) -> Scorecard | None:
        """Build a scorecard of the configuration; its place is that of the case."""
        if entry is None:
            return None
        return self.builder.make(Scorecard, path, self.item.span, scorecard_values(entry))

    def _named_scorecard(self, name: str) -> Located | None:
        shared = self.outline.values.get("scorecards")
        found = shared.node.get(name) if shared is not None and isinstance(shared.node, Mapping) else None
        return shared._replace(node=found) if shared is not None and found is not None else None

    def _evaluators(self, node: Mapping, rubrics: Located | None, criteria: Any) -> tuple[Evaluator, ...]:
        """Return the case's own evaluators or else the suite's, behind the one that the inline rubrics make."""
        path = (*self.path, "evaluators")
        inline: list[Evaluator] = []
        if criteria and rubrics is not None:
            first: ModelPath = (*path, 0)
            inline.append(LlmJudge(name=INLINE_NAME, criteria=criteria))
            self.builder.spans[first] = rubrics.span
        execution = node.get("execution")
        listed = self._at(execution.get("evaluators")) if isinstance(execution, Mapping) else None
        listed = listed or self._at(node.get("evaluators"))
        if listed is not None:
            return (*inline, *build_evaluators(self.builder, path, listed, first=len(inline)))
        for missing in [each for each in self.builder.left_out if each.path[:2] == SHARED_EVALUATORS]:
            # What cannot be built of the suite's is missing in each case that takes it from there.
            self.builder.left_out.append(replace(missing, path=path))
        for place in range(len(self.shared.evaluators)):
            here: ModelPath = (*path, len(inline) + place)
            shared: ModelPath = (*SHARED_EVALUATORS, place)
            self.builder.spans[here] = self.builder.spans[shared]
        return (*inline, *self.shared.evaluators)
