"""Evaluators that are written outside of a case: those of the suite, and of files that lists include."""

from decimal import Decimal

from rubric_core.analysis.analysis import Analysis
from rubric_core.dialects.parts import PATHS
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.amounts import exact_sum
from rubric_core.views.evaluators import read_evaluators
from rubric_core.views.judging_parts import JudgingPart, include_of, parts_of_list

_DEEPEST = 3


class Includes:
    """The weights of included files, each read once; made anew for each request, since files change."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._totals: dict[str, Decimal | None] = {}

    def weight_of(self, name: str) -> Decimal | None:
        """Return the total weight of an included file; None if it cannot be read."""
        if name not in self._totals:
            self._totals[name] = self._read(name, _DEEPEST)
        return self._totals[name]

    def _read(self, name: str, depth: int) -> Decimal | None:
        dialect, version = self._analysis.facts.dialect, YamlVersion.V1_2
        path = PATHS.of(dialect).path_of_include(name)
        text = self._analysis.project.texts(frozenset({path})).get(path) if depth else None
        tree = parse(text, limits=self._analysis.config.limits) if text is not None else None
        if tree is None or tree.problems or not isinstance(tree.root, Mapping):
            return None
        weights: list[Decimal | None] = []
        for view in read_evaluators(tree.root, dialect.suite, version, dialect):
            if view.composite is None:
                weights += [part.weight for part in parts_of_list(view, version)]
                names = [include for evaluator in view.evaluators if (include := include_of(evaluator)) is not None]
                weights += [self._read(include, depth - 1) for include in names]
        readable = [weight for weight in weights if weight is not None]
        return exact_sum(readable) if len(readable) == len(weights) else None

    def of_suite(self, section: int) -> list[JudgingPart]:
        """Return the evaluators that a YAML document has for all of its cases."""
        analysis = self._analysis
        analysis.read_top_entries_first()
        dialect, parts = analysis.facts.dialect, list[JudgingPart]()
        for chunk, entry in analysis.facts.entries_of(section):
            owner = Mapping(entry.key.start, flow=False)
            owner.add(entry)
            version = analysis.document.version(chunk)
            for view in read_evaluators(owner, dialect.suite, version, dialect):
                if view.composite is None:
                    parts += parts_of_list(view, version, self.weight_of)
        return parts
