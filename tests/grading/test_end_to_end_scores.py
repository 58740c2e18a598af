"""Any rubric with any judgement: from the text of the file to the printed number, against arithmetic by hand."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_core.cli.main import cli

WEIGHTS = ("1", "2.0", "0.1", "0.2", "0.3", ".5", "1e-1", "3", "0.70", "1_0", "100", "0.333", "2.5", "0.05", "07", "0")


@dataclass(frozen=True)
class Judged:
    """A criterion as it is written, and what the judge says of it."""

    weight: str
    gate: int | bool | None
    is_range: bool
    said: int

    def lines(self, name: str) -> str:
        """Return the criterion as YAML."""
        lines = [f"      - id: {name}", f"        weight: {self.weight}"]
        if self.is_range:
            lines.append("        score_ranges: {0: Bad, 5: Fair, 8: Good}")
            lines += [f"        required_min_score: {self.gate}"] if self.gate is not None else []
        else:
            lines.append("        expected_outcome: It is right")
            lines += [f"        required: {str(self.gate).lower()}"] if self.gate is not None else []
        return "\n".join(lines) + "\n"

    def check(self, name: str) -> dict[str, Any]:
        """Return what the judge says."""
        return {"id": name, "score": self.said} if self.is_range else {"id": name, "satisfied": self.said > 5}

    @property
    def value(self) -> Fraction:
        """Return the share of its weight that it gets."""
        return Fraction(self.said, 10) if self.is_range else Fraction(self.said > 5)

    @property
    def holds(self) -> bool:
        """Return whether its gate holds: a checklist criterion has one unless it says otherwise."""
        if self.is_range:
            return self.gate is None or self.said >= self.gate
        return self.gate is False or self.said > 5


checklist = st.builds(
    Judged, st.sampled_from(WEIGHTS), st.sampled_from([None, True, False]), st.just(False), st.integers(0, 10)
)
ranges = st.builds(Judged, st.sampled_from(WEIGHTS), st.none() | st.integers(0, 10), st.just(True), st.integers(0, 10))
rubrics = st.lists(checklist | ranges, min_size=1, max_size=6).filter(
    lambda criteria: sum(number(each.weight) for each in criteria) > 0
)


def number(weight: str) -> Fraction:
    """Return a weight as YAML 1.2 reads it; one with an underscore is a text there, and an error."""
    return Fraction(0) if "_" in weight else Fraction(weight)


def expected(criteria: list[Judged]) -> tuple[Fraction | None, str | None]:
    """Return the score and the verdict, by the book."""
    if any("_" in each.weight for each in criteria):
        return None, None
    total = sum(number(each.weight) for each in criteria)
    score = sum((number(each.weight) * each.value for each in criteria), Fraction(0)) / total
    if not all(each.holds for each in criteria) or score < Fraction(6, 10):
        return score, "fail"
    return score, "pass" if score >= Fraction(8, 10) else "borderline"


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(rubrics, min_size=1, max_size=12))
def test_the_printed_score_is_the_exact_one(cases: list[list[Judged]]) -> None:
    """Weights are the decimals as written, and marks are compared with fractions."""
    text, judgements = "evalcases:\n", {}
    for place, criteria in enumerate(cases):
        text += f"  - id: c{place}\n    expected_outcome: It is right\n    input: Do it\n    rubrics:\n"
        text += "".join(each.lines(f"k{number}") for number, each in enumerate(criteria))
        judgements[f"c{place}"] = {"checks": [each.check(f"k{number}") for number, each in enumerate(criteria)]}
    told = graded(text, judgements)
    for place, criteria in enumerate(cases):
        score, verdict = expected(criteria)
        result = told[f"c{place}"]
        assert result["verdict"] == verdict, result["error"]
        assert (result["score_exact"] and Fraction(result["score_exact"])) == score
        if score is not None:
            assert abs(Fraction(result["score"]) - score) < Fraction(1, 10**15)
            # A score below a mark never looks like the mark.
            assert (float(result["score"]) >= 0.8) == (score >= Fraction(4, 5))
            assert (float(result["score"]) >= 0.6) == (score >= Fraction(3, 5))


def graded(text: str, judgements: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Grade an eval file with recorded judgements in a folder of its own, and return the results by case."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        (folder / "all.eval.yaml").write_text(text, encoding="utf-8")
        (folder / "all.answers.json").write_text(json.dumps(dict.fromkeys(judgements, "Done.")), encoding="utf-8")
        (folder / "judgements.json").write_text(json.dumps(judgements), encoding="utf-8")
        os.chdir(folder)
        try:
            ran = CliRunner().invoke(cli, ["grade", "--judge", "replay:judgements.json", "--format", "jsonl"])
        finally:
            os.chdir(before)
    assert ran.stdout, ran.stderr
    return {line["eval_id"]: line for line in map(json.loads, ran.stdout.splitlines())}
