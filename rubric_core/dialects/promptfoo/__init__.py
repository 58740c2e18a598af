"""promptfoo: configurations with `prompts`, `providers` and `tests`."""

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import CaseWords, FileMarks, Marks

CASE_WORDS = CaseWords(
    # Authors write the last three at the top by mistake: promptfoo reads `assert` below `defaultTest` alone.
    judging=frozenset({"defaultTest", "default_test", "assert", "assertions"}),
    keys=frozenset({"assert", "options", "threshold", "vars"}),
    elsewhere=frozenset({"path"}),
    output="storeOutputAs",
    pointer="$ref",
    unfollowed=frozenset({"providers", "redteam", "targets"}),
    skipping=("options", "disableDefaultAsserts"),
    whole_lists=frozenset({"assert", "derivedMetrics", "extensions", "prompts", "providers", "targets"}),
)

DIALECT = Dialect(
    "promptfoo",
    "promptfoo",
    "Configurations of promptfoo, with `prompts`, `providers` and `tests`.",
    parts={
        "table": "promptfoo.table:TABLE",
        "paths": "promptfoo.file_paths:PATHS",
        "evaluator lists": "promptfoo.expand:REPEATED_NAMES",
        "suite": "promptfoo.suite:SUITE",
        "rules": "promptfoo.rules:RULES",
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
        cases=CASE_WORDS,
    ),
    tool="promptfoo",
)
