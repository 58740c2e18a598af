"""The ordered table of rules. A rule that is not in it does not run."""

from collections.abc import Iterator
from importlib import import_module

from rubric_core.rules.rule import Rule

# The files of the rules, in the order of their codes.
_FILES = (
    "yaml_syntax_error",
    "duplicate_key",
    "unknown_key",
    "wrong_type",
    "missing_field",
    "deprecated_alias",
    "conflicting_alias",
    "too_complex",
    "later_dialect",
    "overlapping_score_ranges",
    "score_out_of_bounds",
    "uncovered_scores",
    "inverted_score_range",
    "non_integer_score",
    "score_map_not_starting_at_zero",
    "missing_range_outcome",
    "malformed_score_range",
    "unsorted_score_ranges",
    "repeated_range_outcome",
    "empty_score_ranges",
    "missing_expected_outcome",
    "duplicate_criterion_id",
    "duplicate_case_id",
    "invalid_weight",
    "ineffective_required",
    "ineffective_required_min_score",
    "invalid_required_min_score",
    "repeated_criterion",
    "no_criteria",
    "placeholder_text",
    "all_criteria_required",
    "ineffective_gate",
    "decisive_optional_criterion",
    "gate_inside_band",
    "vague_outcome",
    "compound_outcome",
    "near_identical_ranges",
    "dominating_weight",
    "unknown_evaluator_type",
    "missing_script",
    "missing_file",
    "duplicate_evaluator_name",
    "invalid_message",
    "unknown_target",
    "script_without_file",
    "weights_not_summing_to_one",
    "unknown_dimension",
    "missing_dimension_weight",
    "repeated_adjustment",
    "invalid_deduction",
    "unknown_scorecard",
    "unreachable_adjustment",
    "removed_key",
    "removed_assertion_type",
    "ungraded_test",
    "dropped_rubric_prompt",
    "prompt_without_output",
    "prompt_is_a_path",
    "template_eats_text",
    "list_var",
    "old_criterion_text",
    "invalid_min_score",
    "ineffective_min_score",
    "gate_not_carried",
    "unread_key",
    "ungraded_criteria",
    "reference_not_consumed",
    "invalid_name",
    "invalid_operator",
    "invalid_threshold",
    "empty_list",
    "invalid_regex",
    "misplaced_key",
    "empty_assertions",
    "rubric_without_text",
    "constant_verdict",
    "unmatchable_regex",
    "unreachable_pass",
    "ignored_negation",
    "misused_comparison",
    "inexact_threshold",
    "rubric_prompt_without_output",
    "undefined_variable",
    "broken_template",
    "multiplied_test",
    "unknown_label",
    "csv_columns",
    "split_test",
    "filter_url",
    "rubric_as_json",
    "unknown_metric",
    "dangling_reference",
    "unknown_provider",
    "unused_suppression",
    "unknown_rule",
    "invalid_configuration",
)


def _rules_of(file: str) -> Iterator[Rule]:
    """Return a rule once for each of its subjects."""
    rule: Rule = import_module(f"rubric_core.rules.{file}").RULE
    yield rule
    yield from (rule._replace(subject=subject, check=check) for subject, check in rule.also)


RULES = tuple(rule for file in _FILES for rule in _rules_of(file))
# Every rule by its code.
KNOWN_RULES: dict[str, Rule] = {rule.code: rule for rule in reversed(RULES)}
# The rules whose fixes keep the meaning of a file.
SAFE_RULES = frozenset(code for code, rule in KNOWN_RULES.items() if rule.fixes_are_safe)
# The code of every rule, by its code and by its name.
KNOWN_CODES: dict[str, str] = {word: rule.code for rule in RULES for word in (rule.code, rule.name)}
