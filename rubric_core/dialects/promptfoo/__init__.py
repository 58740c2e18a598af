"""promptfoo: configurations with `prompts`, `providers` and `tests`."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import FileMarks, Marks

DIALECT = Dialect(
    "promptfoo",
    "promptfoo",
    "Configurations of promptfoo, with `prompts`, `providers` and `tests`.",
    parts={
        "table": "promptfoo.table:TABLE",
        "expansion": "promptfoo.expand:EXPANSION",
        "grader": "promptfoo.grader:GRADER",
        "notes": "promptfoo.notes:NOTES",
        "migrations": "promptfoo.migration:MIGRATIONS",
    },
    case_lists=("tests",),
    marks=Marks(
        words=("promptfoo", "tests", "scenarios", "assert"),
        whole=FileMarks(
            name=r"(?!.*\.answers\.json)promptfooconfig(?:[.-][^/\\]*)?\.(?:ya?ml|json)",
            modeline=r"\$schema=\S*promptfoo\S*config-schema\.json",
            keys=frozenset(
                {"defaultTest", "evaluateOptions", "commandLineOptions", "derivedMetrics", "nunjucksFilters"}
            ),
            beside=frozenset({"prompts", "providers", "targets", "tests", "scenarios"}),
            shape=(frozenset({"prompts"}), frozenset({"providers", "targets"}), frozenset({"tests", "scenarios"})),
            noun="a promptfoo configuration",
            related=r"(?s:(?:.*[/\\])?[^/\\]*promptfooconfig[^/\\]*)",
            other_keys=frozenset({"redteam"}),
            hints=("prompts", "providers", "promptfoo"),
        ),
    ),
    ungraded="it passes with score 1 whatever the output is",
    judging_keys=("assertScoringFunction",),
    judging_lists=("assert",),
    tool="promptfoo",
    common_types=(
        *("llm-rubric", "g-eval", "contains", "icontains", "contains-any", "contains-all", "equals", "regex"),
        *("starts-with", "is-json", "javascript", "python", "similar", "latency", "cost", "assert-set", "select-best"),
    ),
    has_custom_types=False,
    multiplies_tests=True,
    allows_ungraded=True,
    judges_texts=True,
    allows_weight_zero=True,
    joins_names=True,
    has_targets_file=False,
    regex_types=("regex", "not-regex"),
    nests_evaluators=False,
    renders_values=True,
    needs_files=True,
    default_test_key="defaultTest",
    reference_key="$ref",
    names_by_description=True,
)
