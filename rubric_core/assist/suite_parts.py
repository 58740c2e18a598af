"""The evaluators of a suite, which judge its cases."""

from rubric_core.analysis.analysis import Analysis
from rubric_core.syntax.nodes import Mapping
from rubric_core.views.evaluators import read_evaluators
from rubric_core.views.judging_parts import IncludedWeight, JudgingPart, parts_of_list


def suite_parts(analysis: Analysis, section: int, included: IncludedWeight | None = None) -> list[JudgingPart]:
    """Return the evaluators that a YAML document has for all of its cases."""
    analysis.read_top_entries_first()
    dialect, parts = analysis.facts.dialect, list[JudgingPart]()
    for chunk, entry in analysis.facts.entries_of(section):
        owner = Mapping(entry.key.start, flow=False)
        owner.add(entry)
        version = analysis.document.version(chunk)
        for view in read_evaluators(owner, dialect.suite, version, dialect):
            if view.composite is None:
                parts += parts_of_list(view, version, included)
    return parts
