"""Runs the rules that a configuration selects, over a chunk and over a file as a whole.

A rule that raises costs its own findings only.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

from rubric_core.analysis.chunk_facts import ChunkFacts, cases_of, facts_of_chunk, scenarios_of
from rubric_core.analysis.file_facts import FileFacts
from rubric_core.analysis.project import Project
from rubric_core.config.config import Config, decides_severities, severities_of
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.eval_files import SCENARIO_SETTINGS, SCENARIO_TESTS, SCENARIOS
from rubric_core.dialects.parts import PATHS, SUITE
from rubric_core.dialects.registry import CASE_LIST_NAMES, DEFAULT_DIALECT
from rubric_core.rules.problem import Problem
from rubric_core.rules.registry import known_rules, rules_of
from rubric_core.rules.rule import Context, Rule, ScenarioFacts, Subject
from rubric_core.schema.fields import FREE_FORM, Role
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Node, Pair, Sequence, Tree
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.bands import BandsView
from rubric_core.views.cases import CaseView, sent_messages
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import EvaluatorsView, read_evaluators
from rubric_core.views.records import Mistyped, RecordView, read_record, records_with_problems, shape_of
from rubric_core.views.references import (
    References,
    references_of_case,
    references_of_suite,
)
from rubric_core.views.scorecards import read_named_scorecards

_failed: set[tuple[str, str]] = set()
_CASE_KEYS = frozenset(CASE_LIST_NAMES)
# Members of an Enum are slow to look up, and these are used for every case.
_ITEM, _CASE = ChunkKind.ITEM, ChunkKind.CASE

# For each kind of subject, by its name, the rules that check it. Members of an Enum are slow as keys of a dict.
RuleTable = dict[str, tuple[Rule, ...]]


@cache
def rule_table(off: frozenset[str] = frozenset(), dialect: Dialect = DEFAULT_DIALECT) -> RuleTable:
    """Return the rules that run in files of a dialect, by their subject."""
    running = [rule for rule in rules_of(dialect) if rule.code not in off]
    return {subject.name: tuple(rule for rule in running if rule.subject is subject) for subject in Subject}


def run(rules: Iterable[Rule], subject: Any, context: Context, problems: list[Problem]) -> None:
    """Call each rule with a subject and add its problems."""
    for rule in rules:
        try:
            # Most rules find nothing, and adding that to a list takes longer than many rules.
            for problem in rule.check(subject, context):
                problems.append(problem)  # noqa: PERF402 - see above.
        except Exception as error:  # noqa: BLE001, PERF203 - one rule's mistake must not cost the others' findings.
            report_failure(rule, error)


def failures() -> int:
    """Return how many failures of rules have been logged."""
    return len(_failed)


def forget_failures() -> None:
    """Reset the failures, so that each is logged again for another file."""
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
    """Checks the parts of one chunk."""

    def __init__(self, table: RuleTable, context: Context, project: Project) -> None:
        self.table = table
        self.context = context
        self.dialect = context.suite.dialect
        self.project = project
        self.problems: list[Problem] = []
        self.seen: set[int] = set()
        # The nodes whose paths have been checked.
        self.referring: set[int] = set()

    def check(self, chunk: Chunk, tree: Tree, facts: ChunkFacts) -> tuple[Problem, ...]:
        """Return the problems of a chunk."""
        self._check_parts(chunk, tree, facts)
        if tree.problems:
            # After an error of the text itself, such as an alias without its anchor, other problems are consequences.
            broken = {problem.span for problem in tree.problems}
            self.problems = [problem for problem in self.problems if problem.span not in broken]
        return self.check_syntax(tree)

    def check_syntax(self, tree: Tree) -> tuple[Problem, ...]:
        """Return only the problems of the text itself, for a chunk whose nodes are unreliable."""
        for problem in tree.problems:
            run(self.table["SYNTAX"], problem, self.context, self.problems)
        return tuple(self.problems)

    def _check_parts(self, chunk: Chunk, tree: Tree, facts: ChunkFacts) -> None:
        place = chunk.place
        is_scenario = chunk.kind is _ITEM and place is not None and place.key == SCENARIOS
        if facts.entries and isinstance(tree.root, Mapping):
            self._check_suite(_with_its_list(tree.root) if facts.heads_list else tree.root)
        checked: set[int] = set()
        for scenario in scenarios_of(chunk, tree.root) if is_scenario or chunk.kind is not _ITEM else ():
            checked |= self._check_scenario(scenario, is_alone=not facts.entries)
        for item in tree.root.items if is_scenario and isinstance(tree.root, Sequence) else ():
            if not isinstance(item, Mapping):
                self._check_shape(item, SCENARIOS)
        for case in cases_of(chunk, tree.root)[1]:
            if checked and id(case) in checked:
                continue
            # If the list was not cut into chunks, items that are not cases are reported at the suite already.
            if isinstance(case, Mapping) or not facts.entries:
                self._check_item(case, chunk, is_alone=chunk.kind is not _ITEM and not facts.entries)
        named = PATHS.of(self.dialect).checked(chunk, tree.root, facts.entries)
        others = tuple(file for file in named if id(file.node) not in self.referring)
        if others:
            self._check_references(References(others, (), ()))
        for mapping in tree.duplicates:
            # Keys can also be repeated outside of the table of fields, as in metadata.
            if id(mapping) not in self.seen:
                self._run("RECORD", read_record(FREE_FORM, mapping, self.context.version, self.dialect))

    def _run(self, subject: str, view: Any) -> None:
        run(self.table[subject], view, self.context, self.problems)

    def _check_records(self, views: Iterable[RecordView]) -> None:
        for view in views:
            if not _is_of_unknown_type(view):
                self.seen.add(id(view.mapping))
                self._run("RECORD", view)

    def _check_suite(self, root: Mapping) -> None:
        version = self.context.version
        suite = self.dialect.suite
        self._check_records(records_with_problems(suite, root, version, self.dialect, skip=_CASE_KEYS))
        evaluators = read_evaluators(root, suite, version, self.dialect)
        self._check_evaluators(evaluators)
        for pair in root.pairs:
            if pair.name == "scorecards":
                for _, scorecard in read_named_scorecards(pair, version):
                    self._run("SCORECARD", scorecard)
        self._check_references(references_of_suite(root, evaluators))

    def _check_item(self, node: Node, chunk: Chunk, *, is_alone: bool) -> None:
        """Check an item of a case list; anything but a mapping can only be of the wrong type.

        `is_alone`: outside of a suite it may have more keys, and in a file of its own it needs no id.
        """
        if isinstance(node, Mapping):
            record = self.dialect.raw_case if is_alone else self.dialect.case
            generator = self.dialect.records.get("test-generator")
            if generator is not None and generator.condition.key in node.index:
                record = generator
            views = records_with_problems(record, node, self.context.version, self.dialect)
            for view in views if chunk.kind is _CASE else ():
                if view.mapping is node:
                    view.missing = [field for field in view.missing if field.name != "id"]
            self._check_records(views)
            self._check_case(node)
            return
        self._check_shape(node, self.dialect.case_lists[0])

    def _check_shape(self, node: Node, key: str) -> None:
        """Check that an item of a top-level list has a shape that the list accepts."""
        suite, shape = self.dialect.suite, shape_of(node, self.context.version)
        field = suite.by_key.get(key)
        if field is None or field.items is None or field.items & shape:
            return
        view = RecordView(suite, Mapping(node.start, flow=False))
        view.mistyped.append(Mistyped(None, node, field, shape, field.items))
        self._run("RECORD", view)

    def _check_scenario(self, node: Mapping, *, is_alone: bool) -> set[int]:
        """Check a scenario, its settings, and its tests together with what a setting adds; return its tests."""
        record = self.dialect.records.get("scenario")
        if is_alone and record is not None:
            self._check_records(records_with_problems(record, node, self.context.version, self.dialect))
        settings, tests = node.get(SCENARIO_SETTINGS), node.get(SCENARIO_TESTS)
        config = settings.items if isinstance(settings, Sequence) else ()
        keys = self.dialect.records["scenario-config"].keys_of(Role.EVALUATORS) if record is not None else ()
        cases = tests.items if isinstance(tests, Sequence) else []
        adds, asserts = _have_any(config, keys), _have_any(cases, keys)
        judges = adds or _have_any(config, self.dialect.table.judging.others)
        before, suite = self.context, self.context.suite
        for items, is_setting in ((config, True), (cases, False)):
            self.context = before._replace(
                suite=suite._replace(has_assertions=suite.has_assertions or judges),
                scenario=ScenarioFacts(is_setting, settings_assert=adds, tests_assert=asserts),
            )
            for case in items:
                if isinstance(case, Mapping) and record is not None:
                    self._check_case(case)
        self.context = before
        return set(map(id, cases))

    def _check_case(self, node: Mapping) -> None:
        case = CaseView(node, self.context.version, self.dialect)
        self._run("CASE", case)
        if case.criteria is not None:
            self._check_criteria(case.criteria)
        self._check_evaluators(case.evaluators)
        sent = self.context.suite.inherited.sent_vars
        messages = (*case.messages, *sent_messages(node, sent)) if sent else case.messages
        rules = self.table["MESSAGE"]
        for message in messages:
            run(rules, message, self.context, self.problems)
        if case.scorecard is not None:
            self._run("SCORECARD", case.scorecard)
        self._check_references(references_of_case(case))

    def _check_criteria(self, criteria: CriteriaView) -> None:
        self._run("CRITERIA", criteria)
        if not criteria.has_texts:
            self._run("WORDLESS", criteria)
        keyed = [(criterion, fields) for criterion in criteria.readable if (fields := criterion.fields) is not None]
        if keyed:
            self._run("KEYED", criteria)
        for criterion, fields in keyed:
            bands = criterion.bands
            if "required" in fields.index:
                self._run("REQUIRED", criterion)
            if criterion.gate is not None and not (bands is not None and bands.starts_at(criterion.minimum)):
                self._run("GATE", criterion)
            if bands is not None:
                self._check_bands(bands)

    def _check_bands(self, bands: BandsView) -> None:
        self._run("RANGES", bands)
        if not bands.covers_once:
            self._run("COVERAGE", bands)
        if not bands.has_distinct_texts:
            self._run("TEXTS", bands)

    def _check_evaluators(self, lists: Iterable[EvaluatorsView]) -> None:
        rules = self.table["EVALUATOR"]
        for evaluators in lists:
            self._run("EVALUATORS", evaluators)
            if evaluators.criteria is not None:
                self._check_criteria(evaluators.criteria)
            for evaluator in evaluators.evaluators:
                run(rules, evaluator, self.context, self.problems)
                if evaluator.criteria is not None:
                    self._check_criteria(evaluator.criteria)

    def _check_references(self, references: References) -> None:
        if not any(references):
            return
        self.referring.update(id(reference.node) for reference in references.files)
        # Rules read no files; they get the texts of the referenced ones.
        paths = frozenset(reference.path for reference in references.files)
        context = self.context
        if paths:
            read = frozenset(file.path for file in references.files if PATHS.of(self.dialect).is_read(file))
            texts = self.project.texts(read) if read else {}
            context = context._replace(files=self.project.files(paths), texts=texts)
        run(self.table["REFERENCES"], references, context, self.problems)


def _have_any(items: Iterable[Node], keys: Iterable[str]) -> bool:
    """Return whether a mapping among some items has one of the keys."""
    return any(isinstance(item, Mapping) and not item.index.keys().isdisjoint(keys) for item in items)


def _with_its_list(root: Mapping) -> Mapping:
    """Return a list's key with an empty list: the items are separate chunks, but the key needs a value."""
    whole = Mapping(root.start, root.flow)
    for pair in root.pairs:
        whole.add(Pair(pair.key, Sequence(pair.value.start, flow=False)))
    return whole


def _is_of_unknown_type(view: RecordView) -> bool:
    """Return whether a view is of an evaluator of unknown type, of which only the type is reported."""
    kind = view.mapping.get("type")
    return view.record.name == "evaluator" and kind is not None and not is_blank(kind)


class FileChecker:
    """The rules that run for one file, and the facts that they get."""

    def __init__(self, document: Document, facts: FileFacts, path: str, config: Config, project: Project) -> None:
        self.document = document
        self.facts = facts
        self.project = project
        # Most configurations name no rules, so those of other dialects need not be imported.
        rules = known_rules().values() if decides_severities(config) else ()
        self._severities = severities_of(config, path, [(rule.code, rule.name, rule.severity) for rule in rules])
        self.off = frozenset(code for code, severity in self._severities.items() if severity is None)

    @property
    def table(self) -> RuleTable:
        """Return the rules that run."""
        return rule_table(self.off, self.facts.suite.dialect)

    def check(self, chunk: Chunk, tree: Tree, facts: ChunkFacts) -> tuple[Problem, ...]:
        """Return the problems of a chunk."""
        checker = ChunkChecker(self.table, self._context(chunk), self.project)
        # Nodes that were left out because of a limit must not be reported as missing, here or behind an alias.
        is_cut = facts.over_limit or (self.facts.over_limit > 0 and bool(tree.external))
        problems = checker.check_syntax(tree) if is_cut else checker.check(chunk, tree, facts)
        return tuple(self.with_severities(problems))

    def recheck(self, chunk: Chunk) -> tuple[Problem, ...]:
        """Check a chunk as if it were part of the document, to try a fix."""
        if chunk.tree is None:
            return ()
        facts = facts_of_chunk(chunk, chunk.tree, starts_file=False)
        return ChunkChecker(self.table, self._context(chunk), self.project).check(chunk, chunk.tree, facts)

    def _context(self, chunk: Chunk) -> Context:
        return Context(
            text=chunk.text,
            version=self.document.version(chunk),
            suite=self.facts.suite,
            targets=self.project.targets,
            limits=self.document.limits,
        )

    def with_severities(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Yield problems with the severities of the configuration."""
        if not self._severities:
            yield from problems
            return
        for problem in problems:
            default = known_rules()[problem.code].severity
            severity = self._severities[problem.code]
            if severity is not None:
                yield problem if severity is default else problem._replace(severity=severity)

    def check_whole(self, ours: AbstractSet[int] | None) -> dict[Chunk, tuple[Problem, ...]]:
        """Runs the rules that check the file as a whole. None means all its YAML documents."""
        problems: list[Problem] = []
        first = self.document.chunks[0]
        for over_limit in self.document.problems:
            # A file over a limit is not parsed, so it may not be an eval file.
            run(self.table["SYNTAX"], over_limit, Context(limits=self.document.limits), problems)
        if ours is None or ours:
            view = self.facts.view(ours)
            context = self._context(first)
            run(self.table["FILE"], view, context, problems)
            if self.table["PROMPTS"] and view.variables and view.case_count:
                # Rules need the texts of files with prompts only if the variables of cases are known.
                paths = SUITE.of(view.dialect).prompt_files(view)
                with_texts = context._replace(texts=self.project.texts(paths) if paths else {})
                run(self.table["PROMPTS"], view, with_texts, problems)
        by_chunk: dict[Chunk, list[Problem]] = {}
        for problem in self.with_severities(problems):
            by_chunk.setdefault(problem.chunk if isinstance(problem.chunk, Chunk) else first, []).append(problem)
        return {chunk: tuple(own) for chunk, own in by_chunk.items()}
