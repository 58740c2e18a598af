"""The last grades of each file, and the diagnostics made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from rubric_core.syntax.chunks import Chunk
from rubric_server.convert import SOURCE, Client, Places
from rubric_server.encoded import Template, template_of
from rubric_server.protocol.converter import to_json_text

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.assist.case_grades import CaseGrade, CriterionGrade
    from rubric_server.grading.stored_grades import StoreState

GATE_FAILED = "gate-failed"
NOT_MET = "criterion-not-met"


class _Encoded(NamedTuple):
    """The diagnostics of a test as long as its chunk and the grades of its cases are the same."""

    chunk: Chunk
    grades: tuple[CaseGrade, ...]
    template: Template


class LastGrades:
    """The last grade of each case, by file and by the id that the text has."""

    def __init__(self) -> None:
        self._grades: dict[str, dict[str, tuple[CaseGrade, ...]]] = {}
        self._encoded: dict[tuple[str, str], _Encoded] = {}
        # The open files whose stored grades were read, with the state of the store then; None while it is being read.
        self.loaded_stores: dict[str, StoreState | None] = {}
        # The files that are being graded, with the number of their runs.
        self.running: Counter[str] = Counter()

    def take(self, uri: str, grade: CaseGrade, *, is_partial: bool = False) -> None:
        """Replace the grade of a case; a partial grade replaces only its criteria."""
        from rubric_core.assist.case_grades import with_criteria  # noqa: PLC0415 - most files are not graded.

        tests = self._grades.setdefault(uri, {})
        grades = {case_grade.case_id: case_grade for case_grade in tests.get(grade.test_id, ())}
        grades[grade.case_id] = with_criteria(grades.get(grade.case_id), grade) if is_partial else grade
        tests[grade.test_id] = tuple(grades.values())

    def keep_only(self, uri: str, cases: Mapping[str, Collection[str]]) -> None:
        """Remove the grades of cases that some tests, by the ids in the text, no longer have."""
        tests = self._grades.get(uri, {})
        for test_id in cases.keys() & tests.keys():
            tests[test_id] = tuple(case_grade for case_grade in tests[test_id] if case_grade.case_id in cases[test_id])

    def take_stored(self, uri: str, grade: CaseGrade) -> None:
        """Keep a grade from the store, unless it is the current one, which has more details."""
        from rubric_core.assist.case_grades import PARTIAL, with_criteria  # noqa: PLC0415 - the same.

        grades = self.in_file(uri).get(grade.test_id, ())
        current = next((case_grade for case_grade in grades if case_grade.case_id == grade.case_id), None)
        if current is not None and current.state == PARTIAL:
            # Only criteria of the case were graded here; the rest is in the store.
            self.take(uri, with_criteria(grade, current))
            return
        # Two grades of the same second that differ are of two gradings.
        is_other = current is not None and (current.state, current.score) != (grade.state, grade.score)
        if current is None or current.when < grade.when or (current.when == grade.when and is_other):
            self.take(uri, grade)

    def in_file(self, uri: str) -> Mapping[str, tuple[CaseGrade, ...]]:
        """Return the last grades of a file by the ids in its text; none if nothing was graded."""
        return self._grades.get(uri, {})

    def diagnostics(self, uri: str, analysis: Analysis, client: Client) -> list[str]:
        """Return diagnostics for unmet criteria whose text has not changed since, as JSON text.

        For a keystroke, each case with unmet criteria is checked, and only a changed one is encoded.
        """
        texts: list[str] = []
        document = analysis.document
        for test_id, grades in self.in_file(uri).items():
            is_unmet = any(not criterion.is_met for grade in grades for criterion in grade.criteria)
            for placed in analysis.facts.places_of_id(test_id)[:1] if is_unmet else ():
                index = document.index_of(placed.chunk)
                template = self._template((uri, test_id), grades, analysis, index, client)
                text = template.below(document.first_lines[index])
                texts += [text] if text else []
        return texts

    def _template(
        self, key: tuple[str, str], grades: tuple[CaseGrade, ...], analysis: Analysis, index: int, client: Client
    ) -> Template:
        chunk = analysis.document.chunks[index]
        cached = self._encoded.get(key)
        if cached is None or cached.chunk is not chunk or cached.grades is not grades:
            from rubric_core.assist.case_grades import current_grades, first_line, places_at  # noqa: PLC0415 - the same.

            place = next((place for place in places_at(analysis, index) if place.case_id == key[1]), None)
            current = current_grades(place, grades) if place is not None else []
            ranges = Places(chunk.text, client.encoding)
            diagnostics = [
                _diagnostic(verdict, ranges.range(first_line(span, chunk.text)), grade.case_id if grade.copy_of else "")
                for span, judged in current
                for grade, verdict in judged
                if not verdict.is_met
            ]
            text = ", ".join(map(to_json_text, diagnostics))
            cached = self._encoded[key] = _Encoded(chunk, grades, template_of(text))
        return cached.template


def _diagnostic(grade: CriterionGrade, place: types.Range, case_id: str) -> types.Diagnostic:
    """Return the diagnostic of an unmet criterion, with the case if its id is not in the text."""
    why = f": {grade.reasoning}" if grade.reasoning else "."
    judgement = f"judged {grade.said}" + (" and the gate failed" if grade.gate_failed else "")
    return types.Diagnostic(
        range=place,
        severity=types.DiagnosticSeverity.Information,
        code=GATE_FAILED if grade.gate_failed else NOT_MET,
        source=SOURCE,
        message=f"{f'{case_id}, ' if case_id else ''}{grade.key.id}: {judgement}{why}",
    )
