"""promptfoo: configurations with `prompts`, `providers` and `tests`."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import FileMarks, Marks

DIALECT = Dialect(
    "promptfoo",
    "promptfoo",
    "Configurations of promptfoo, with `prompts`, `providers` and `tests`.",
    parts={
        "table": "promptfoo.table:TABLE",
        "rules": "promptfoo.rules:RULES",
        "type note": "promptfoo.assertions:note_of_type",
        "expansion": "promptfoo.expand:EXPANSION",
        "grader": "promptfoo.grader:GRADER",
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
    judging_keys=("assertScoringFunction",),
    judging_lists=("assert",),
    tool="promptfoo",
    common_types=(
        *("llm-rubric", "g-eval", "contains", "icontains", "contains-any", "contains-all", "equals", "regex"),
        *("starts-with", "is-json", "javascript", "python", "similar", "latency", "cost", "assert-set", "select-best"),
    ),
    has_custom_types=False,
    multiplies_tests=True,
    judges_texts=True,
    joins_names=True,
    needs_files=True,
    default_test_key="defaultTest",
    reference_key="$ref",
    names_by_description=True,
)
