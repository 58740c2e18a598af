"""The rules about what promptfoo alone does with a file."""

from rubric_core.rules.registry import DialectRules, in_folder

RULES = DialectRules(
    in_folder(
        "promptfoo.rules",
        *(
            "invalid_weight",
            "missing_file",
            "repeated_criterion",
            "unknown_evaluator_type",
            "ungraded_test",
            "misplaced_key",
        ),
        *("empty_assertions", "rubric_without_text", "constant_verdict", "unmatchable_regex", "unreachable_pass"),
        *("ignored_negation", "misused_comparison", "inexact_threshold", "rubric_prompt_without_output"),
        *("undefined_variable", "broken_template", "multiplied_test", "unknown_label", "csv_columns", "split_test"),
        *("filter_url", "rubric_as_json", "unknown_metric", "dangling_reference", "unknown_provider", "missing_file"),
    ),
    # Metrics with the same name are added up on purpose.
    without=frozenset({"RB504"}),
)
