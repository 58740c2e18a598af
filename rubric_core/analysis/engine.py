"""Running rules over one chunk. A rule that raises costs its own findings only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.analysis.outline import cases_of
from rubric_core.rules.registry import RULES
from rubric_core.rules.rule import Rule, Subject
from rubric_core.schema.evaluators import EVALUATOR
from rubric_core.schema.fields import FieldType
from rubric_core.schema.records import CASE, CASE_LIST_NAMES, FREE_FORM, SUITE
from rubric_core.syntax.nodes import Mapping, Node, Pair, Sequence, walk
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import CriteriaView, CriterionView
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators
from rubric_core.views.records import Mistyped, RecordView, read_record, records_with_problems, shape_of
from rubric_core.views.references import References, references_of_case, references_of_entry
from rubric_core.views.scorecards import read_named_scorecards

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from rubric_core.analysis.outline import ChunkOutline
    from rubric_core.rules.context import Context
    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.tree import Tree

_failed: set[tuple[str, str]] = set()
_CASE_KEYS = frozenset(CASE_LIST_NAMES)

# For each kind of subject, by its name, the rules that look at it. Members of an Enum are slow as keys of a dict.
RuleTable = dict[str, tuple[Rule, ...]]


def rule_table(off: Collection[str] = frozenset()) -> RuleTable:
    """Sort the rules that run by what they look at."""
    running = [rule for rule in RULES if rule.code not in off]
    return {subject.name: tuple(rule for rule in running if rule.subject is subject) for subject in Subject}


def run(rules: Iterable[Rule], subject: Any, context: Context, found: list[Problem]) -> None:
    """Call each rule with a subject and collect what it finds."""
    for rule in rules:
        try:
            found += rule.check(subject, context)
        except Exception as error:  # noqa: BLE001, PERF203 - one rule's mistake must not cost the others' findings.
            report_failure(rule, error)


def failures() -> int:
    """Return how many failures of rules have been logged."""
    return len(_failed)


def forget_failures() -> None:
    """Log each failure of a rule again, as for another file."""
    _failed.clear()


def report_failure(rule: Rule, error: Exception) -> None:
    """Log that a rule failed, once for each rule and kind of failure."""
    mark = (rule.code, f"{type(error).__name__}: {error}")
    if mark not in _failed:
        # Rules hardly ever fail, and importing this takes as long as checking fifty cases.
        import logging  # noqa: PLC0415 - see the line above.

        _failed.add(mark)
        logging.getLogger("rubric").error("Rule %s (%s) failed: %s", rule.code, rule.name, mark[1], exc_info=error)


class ChunkChecker:
    """Checks the parts of one chunk; `look` answers which of the referenced files exist."""

    def __init__(self, table: RuleTable, context: Context, look: Callable[[References, Context], Context]) -> None:
        self.table = table
        self.context = context
        self.look = look
        self.found: list[Problem] = []
        self.seen: set[int] = set()

    def check(self, chunk: Chunk, tree: Tree, outline: ChunkOutline) -> tuple[Problem, ...]:
        """Return the problems of a chunk."""
        self._check_parts(chunk, tree, outline)
        broken = {problem.span for problem in tree.problems}
        # Where the text itself is wrong, as at an alias without its anchor, all else that is found follows from it.
        found = [problem for problem in self.found if problem.span not in broken]
        for problem in tree.problems:
            run(self.table["SYNTAX"], problem, self.context, found)
        return tuple(found)

    def check_syntax(self, tree: Tree) -> tuple[Problem, ...]:
        """Return only the problems of the text itself, where the nodes are not to be trusted."""
        for problem in tree.problems:
            run(self.table["SYNTAX"], problem, self.context, self.found)
        return tuple(self.found)

    def _check_parts(self, chunk: Chunk, tree: Tree, outline: ChunkOutline) -> None:
        if outline.entries and isinstance(tree.root, Mapping):
            self._check_suite(_with_its_list(tree.root) if outline.heads_list else tree.root)
        for case in cases_of(chunk, tree.root)[1]:
            # Where the list was not cut into chunks, the suite has been told already of items that are no cases.
            if isinstance(case, Mapping) or not outline.entries:
                self._check_item(case)
        for mapping in tree.duplicates:
            # Keys are also repeated where the table of fields has nothing to say, as in metadata.
            if id(mapping) not in self.seen:
                self._run("RECORD", read_record(FREE_FORM, mapping, self.context.version))

    def _run(self, subject: str, view: Any) -> None:
        run(self.table[subject], view, self.context, self.found)

    def _check_records(self, views: Iterable[RecordView]) -> None:
        for view in views:
            if not _is_of_unknown_type(view):
                self.seen.add(id(view.mapping))
                self._run("RECORD", view)

    def _check_suite(self, root: Mapping) -> None:
        version = self.context.version
        self._check_records(records_with_problems(SUITE, root, version, skip=_CASE_KEYS))
        evaluators = read_evaluators(root, version)
        self._check_evaluators(evaluators)
        for pair in root.pairs:
            name = pair.name
            if name == "scorecards":
                for _, scorecard in read_named_scorecards(pair, version):
                    self._run("SCORECARD", scorecard)
            elif name in {"execution", "target"}:
                self._check_references(references_of_entry(name, pair.value, evaluators))

    def _check_item(self, node: Node) -> None:
        """Check an item of a case list; what is no mapping can only be of the wrong type."""
        if isinstance(node, Mapping):
            self._check_case(node)
            return
        field = SUITE.by_key["evalcases"]
        view = RecordView(SUITE, Mapping(node.start, flow=False))
        view.mistyped.append(Mistyped(None, node, field, shape_of(node, self.context.version), FieldType.MAPPING))
        self._run("RECORD", view)

    def _check_case(self, node: Mapping) -> None:
        version = self.context.version
        case = CaseView(node, version)
        self._check_records(records_with_problems(CASE, node, version))
        self._run("CASE", case)
        if case.criteria is not None:
            self._check_criteria(case.criteria)
        self._check_evaluators(case.evaluators)
        for message in case.messages:
            self._run("MESSAGE", message)
        if case.scorecard is not None:
            self._run("SCORECARD", case.scorecard)
        self._check_references(references_of_case(case))
        if self.context.suite.dialect.markers:
            self._check_loose_ranges(node, case)

    def _check_criteria(self, criteria: CriteriaView) -> None:
        self._run("CRITERIA", criteria)
        for criterion in criteria.readable:
            self._run("CRITERION", criterion)
            if criterion.pair("required") is not None:
                self._run("REQUIRED", criterion)
            if criterion.pair("required_min_score") is not None:
                self._run("GATE", criterion)
            if criterion.bands is not None:
                self._run("RANGES", criterion)
                if not criterion.bands.covers_once:
                    self._run("COVERAGE", criterion)

    def _check_evaluators(self, lists: Iterable[EvaluatorsView]) -> None:
        for evaluators in lists:
            self._run("EVALUATORS", evaluators)
            for evaluator in evaluators.evaluators:
                self._run("EVALUATOR", evaluator)
                if evaluator.criteria is not None:
                    self._check_criteria(evaluator.criteria)

    def _check_references(self, references: References) -> None:
        if not any(references):
            return
        rules = self.table["REFERENCES"]
        run(rules, references, self.look(references, self.context), self.found)

    def _check_loose_ranges(self, node: Mapping, case: CaseView) -> None:
        """Check score ranges wherever they stand: later dialects put criteria into places that we do not know."""
        known = {id(criterion.node) for criteria in case.all_criteria() for criterion in criteria.criteria}
        for inner in walk(node):
            if isinstance(inner, Mapping) and "score_ranges" in inner.index and id(inner) not in known:
                criterion = CriterionView(inner, 1, self.context.version)
                if criterion.bands is not None:
                    self._run("RANGES", criterion)
                    if not criterion.bands.covers_once:
                        self._run("COVERAGE", criterion)


def _with_its_list(root: Mapping) -> Mapping:
    """Return a list's key with a list behind it: the items are chunks of their own, but the key's type is known."""
    whole = Mapping(root.start, root.flow)
    for pair in root.pairs:
        whole.add(Pair(pair.key, Sequence(pair.value.start, flow=False)))
    return whole


def _is_of_unknown_type(view: RecordView) -> bool:
    """Tell whether a view is of an evaluator whose type nobody knows: only its type is reported."""
    kind = view.mapping.get("type")
    return view.record is EVALUATOR and kind is not None and not is_blank(kind)
