"""AgentV 5: tests with `vars` and `assert`, rendered into `prompts`, as AgentV reads them from 5.1 on."""

from rubric_core.dialects.agentv.names import FILE_NAMES, PROVIDERS, REQUIRED, SKIPPING, TOOL
from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.marks import CaseWords, Marks, OwnKeys, Requirement, WeakMarks

DIALECT = Dialect(
    "agentv-5",
    "AgentV 5",
    "Tests with `vars` and `assert`, rendered into `prompts`, as AgentV reads them from 5.1 on.",
    parts={
        "table": "agentv_5.table:TABLE",
        "paths": "agentv.file_paths:PATHS",
        "suite": "agentv_5.suite:SUITE",
        "rules": "agentv_5.rules:RULES",
        "dropped": "agentv_5.rules.dropped_rubric_prompt:lacks_value",
        "expansion": "agentv.expand:AGENTV_5",
        "grader": "agentv_5.grader:GRADER",
        "result fields": "agentv.result_fields:AGENTV_5",
        "result files": "agentv.result_rows:RESULT_ROWS",
        "notes": "agentv_5.notes:NOTES",
        "migrations": "agentv_5.migration:MIGRATIONS",
        "definition file": "agentv.migration.definition_files:PROVIDERS_FILE",
    },
    case_lists=("tests",),
    marks=Marks(
        suite=frozenset({"prompts", "providers", "default_test", "evaluate_options", "scenarios", "environment"}),
        case_without_input=frozenset({"assert", "vars"}),
        types=frozenset({"llm-rubric", "agent-rubric", "script", "assert-set"}),
        lists=frozenset({"assert"}),
        weak=WeakMarks(weakest=frozenset({"assert"})),
        requirement=Requirement(REQUIRED, (5, 0)),
        own=OwnKeys(
            suite=frozenset({"default_test", "evaluate_options"}),
            beside_input=frozenset({"assert", "criteria"}),
            beside_id=frozenset({"assert", "turns", "vars"}),
        ),
        words=("tests", "scenarios", "assert", "criteria"),
        names=FILE_NAMES,
        definitions=PROVIDERS,
        cases=CaseWords(
            judging=frozenset({"assert", "default_test", "execution"}),
            keys=frozenset({"assert", "options", "threshold", "vars"}),
            elsewhere=frozenset({"include"}),
            messages=("input", "expected_output"),
            skipping=SKIPPING,
            whole_lists=frozenset({"assert", "derived_metrics", "extensions", "prompts", "providers"}),
        ),
    ),
    tool=TOOL,
)
