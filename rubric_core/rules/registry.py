"""The ordered table of rules."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from rubric_core.rules.rule import Rule

_NAMES = """yaml_syntax_error duplicate_key unknown_key wrong_type missing_field deprecated_alias conflicting_alias too_complex
later_dialect overlapping_score_ranges score_out_of_bounds uncovered_scores inverted_score_range non_integer_score
score_map_not_starting_at_zero missing_range_outcome malformed_score_range unsorted_score_ranges repeated_range_outcome
empty_score_ranges missing_expected_outcome duplicate_criterion_id duplicate_case_id invalid_weight ineffective_required
ineffective_required_min_score invalid_required_min_score repeated_criterion no_criteria all_criteria_required
ineffective_gate decisive_optional_criterion gate_inside_band vague_outcome compound_outcome near_identical_ranges
dominating_weight unknown_evaluator_type missing_script missing_file duplicate_evaluator_name invalid_message
unknown_target weights_not_summing_to_one unknown_dimension missing_dimension_weight repeated_adjustment
invalid_deduction unknown_scorecard unreachable_adjustment unused_suppression unknown_rule invalid_configuration""".split()


def _rows() -> tuple[Rule, ...]:
    rows: list[Rule] = []
    for name in _NAMES:
        if find_spec(f"rubric_core.rules.{name}") is None:
            continue
        try:
            module = import_module(f"rubric_core.rules.{name}")
            rows += getattr(module, "RULES", None) or (module.RULE,)
        except Exception as error:  # noqa: BLE001
            import sys
            print(f"registry: {name} not importable yet: {error}", file=sys.stderr)
    return tuple(rows)


RULES: tuple[Rule, ...] = _rows()

# Every rule by its code.
KNOWN_RULES: dict[str, Rule] = {rule.code: rule for rule in reversed(RULES)}
